//! What a dataset's files hold, as hashes: to recognise it again, and to say what changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use preflight_core::dataset::{Dataset, SplitKind, Task};
use preflight_core::problem::Problem;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::listing::Listing;
use super::scan::Pace;

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

/// The hash of a file that cannot be read, or must not be.
pub(super) const UNREAD: [u8; 16] = [0; 16];

/// Hashes a file piece by piece; also answers its length. `None`: it cannot be read.
pub(super) fn hash_file(path: &Path) -> Option<([u8; 16], u64)> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(super::opener::open(path).ok()?).ok()?;
    Some((shortened(&hasher.finalize()), hasher.count()))
}

/// The hash of what is in memory.
pub(super) fn hash(content: &[u8]) -> [u8; 16] {
    shortened(&blake3::hash(content))
}

fn shortened(hash: &blake3::Hash) -> [u8; 16] {
    let mut short = [0; 16];
    short.copy_from_slice(&hash.as_bytes()[..16]);
    short
}

fn hex(hash: &[u8; 16]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Entry {
    pub(super) fn new(
        split: SplitKind,
        image: PathBuf,
        root: &Path,
        content: &[u8; 16],
        label: Option<&[u8; 16]>,
    ) -> Self {
        let image = image.strip_prefix(root).map(Path::to_owned).unwrap_or(image);
        Self { split, image, content: hex(content), label: label.map(hex) }
    }
}

impl Manifest {
    /// Hashes every file of a dataset that was read before, without decoding any.
    ///
    /// # Errors
    /// `dataset.cancelled`.
    pub fn read(
        dataset: &Dataset,
        progress: &(dyn Fn(u32, u32) + Send + Sync),
        cancel: &CancellationToken,
    ) -> Result<Self, Problem> {
        let listings: Vec<_> =
            dataset.splits.iter().map(|split| (split.kind, Listing::of(split, &dataset.root))).collect();
        let pace = Pace::new(listings.iter().map(|(_, listing)| listing.len()).sum(), progress);
        let whole = dataset.task == Task::Classify;
        let mut manifest = Self { names: dataset.names.clone(), entries: Vec::new() };
        for (kind, listing) in listings {
            let entry = |index: usize| {
                if cancel.is_cancelled() {
                    return Err(super::cancelled());
                }
                pace.step();
                let image = listing.image(index);
                // Reading it would download it.
                let is_here = !super::health::is_elsewhere(&image);
                let content = is_here.then(|| hash_file(&image)).flatten().map_or(UNREAD, |(hash, _)| hash);
                let label = (is_here && !whole).then(|| hash_file(&listing.label(index))).flatten();
                let label = label.as_ref().map(|(hash, _)| hash);
                Ok(Entry::new(kind, image, &dataset.root, &content, label))
            };
            let entries: Vec<_> = (0..listing.len()).into_par_iter().map(entry).collect::<Result<_, _>>()?;
            manifest.entries.extend(entries);
        }
        Ok(manifest)
    }

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
