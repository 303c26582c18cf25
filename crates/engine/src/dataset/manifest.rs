//! What a dataset's files hold, as hashes: to recognise it again, and to say what changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use preflight_core::dataset::SplitKind;
use preflight_core::problem::Problem;
use serde::{Deserialize, Serialize};

/// A file of a dataset and what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The split it is in.
    pub split: SplitKind,
    /// The image, relative to the dataset's folder where it lies in it.
    pub image: PathBuf,
    /// The hash of the image file.
    pub content: String,
    /// The hash of its label file; `None`: it has none.
    pub label: Option<String>,
}

/// The content of a dataset.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Manifest {
    /// Class names by id.
    pub names: Vec<String>,
    /// Its images, in the trainer's order.
    pub entries: Vec<Entry>,
}

/// What differs between two contents of a dataset.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Changes {
    /// Images that are new.
    pub added: Vec<PathBuf>,
    /// Images that are gone.
    pub removed: Vec<PathBuf>,
    /// Images whose content is another.
    pub images: Vec<PathBuf>,
    /// Images whose label file is another.
    pub labels: Vec<PathBuf>,
    /// Images that went to another split.
    pub moved: Vec<PathBuf>,
    /// Whether the class names are others.
    pub names: bool,
}

impl Changes {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Manifest {
    /// Identifies the content: two datasets with the same fingerprint hold the same images, labels, splits and classes,
    /// wherever they are.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut hash = blake3::Hasher::new();
        let mut field = |bytes: &[u8]| {
            hash.update(&(bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        for name in &self.names {
            field(name.as_bytes());
        }
        // The order of files is that of their names, which a copy elsewhere has as well.
        for entry in &self.entries {
            field(entry.split.name().as_bytes());
            field(entry.image.file_name().unwrap_or_default().as_encoded_bytes());
            field(entry.content.as_bytes());
            field(entry.label.as_deref().unwrap_or_default().as_bytes());
        }
        hash.finalize().to_hex().as_str()[..32].to_owned()
    }

    /// What is different now.
    #[must_use]
    pub fn changes_since(&self, before: &Self) -> Changes {
        let by_path = |manifest: &Self| -> BTreeMap<PathBuf, Entry> {
            manifest.entries.iter().map(|entry| (entry.image.clone(), entry.clone())).collect()
        };
        let (then, now) = (by_path(before), by_path(self));
        let mut changes = Changes { names: self.names != before.names, ..Changes::default() };
        for (path, entry) in &now {
            let Some(old) = then.get(path) else {
                changes.added.push(path.clone());
                continue;
            };
            let note = |is: bool, list: &mut Vec<PathBuf>| {
                if is {
                    list.push(path.clone());
                }
            };
            note(old.content != entry.content, &mut changes.images);
            note(old.label != entry.label, &mut changes.labels);
            note(old.split != entry.split, &mut changes.moved);
        }
        changes.removed = then.into_keys().filter(|path| !now.contains_key(path)).collect();
        changes
    }

    /// Reads one that was kept; `None`: there is none.
    ///
    /// # Errors
    /// `dataset.manifest-unreadable`.
    pub fn load(path: &Path) -> Result<Option<Self>, Problem> {
        let unreadable = |error: &dyn std::error::Error| {
            Problem::new("dataset.manifest-unreadable").with("path", path).because(error)
        };
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(&error)),
        };
        serde_json::from_slice(&bytes).map(Some).map_err(|error| unreadable(&error))
    }

    /// Keeps it in a file.
    ///
    /// # Errors
    /// `file.unwritable`.
    pub fn save(&self, path: &Path) -> Result<(), Problem> {
        let text = serde_json::to_vec(self).map_err(|error| Problem::new("internal.task").because(&error))?;
        crate::write::atomically(path, &text)
    }
}
