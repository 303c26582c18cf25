//! New folders for what is made from a dataset. The dataset itself is never written to.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use preflight_core::dataset::SplitKind;
use preflight_core::problem::Problem;

/// The part of a dataset that no split lists.
pub(super) const UNLISTED: &str = "unlisted";

/// A new dataset that is being written: `images/<split>`, `labels/<split>`, and a `data.yaml` at the end.
#[derive(Debug)]
pub(super) struct NewDataset {
    folder: PathBuf,
    /// Names that are taken, with their split, in lower case and without ending.
    taken: HashSet<(&'static str, String)>,
    splits: Vec<SplitKind>,
}

/// Where an image of a new dataset and its label file go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) image: PathBuf,
    pub(super) label: PathBuf,
}

impl NewDataset {
    /// Begins one in a folder that is empty or not there yet, outside of `source`.
    ///
    /// # Errors
    /// `dataset.folder-not-empty`, `dataset.inside-source`, `file.unwritable`.
    pub(super) fn begin(folder: &Path, source: &Path) -> Result<Self, Problem> {
        let folder = new_folder(folder, source)?;
        Ok(Self { folder, taken: HashSet::new(), splits: Vec::new() })
    }

    /// Where an image with this name goes; `None`: to the images that no split lists.
    ///
    /// # Errors
    /// `file.unwritable`.
    pub(super) fn place(&mut self, split: Option<SplitKind>, name: &OsStr) -> Result<Place, Problem> {
        let (images, labels) = match split {
            Some(kind) => (format!("images/{}", kind.name()), format!("labels/{}", kind.name())),
            None => (format!("{UNLISTED}/images"), format!("{UNLISTED}/labels")),
        };
        if let Some(kind) = split
            && !self.splits.contains(&kind)
        {
            self.splits.push(kind);
        }
        let group = split.map_or(UNLISTED, SplitKind::name);
        let name = Path::new(name);
        let stem = name.file_stem().unwrap_or(name.as_os_str());
        let ending = name.extension().unwrap_or(OsStr::new("jpg"));
        let mut shown = stem.to_owned();
        let mut count = 1;
        // Names that differ only in their ending or their case would share a label file.
        while !self.taken.insert((group, shown.to_string_lossy().to_lowercase())) {
            count += 1;
            shown = stem.to_owned();
            shown.push(format!("~{count}"));
        }
        let folders = [self.folder.join(images), self.folder.join(labels)];
        if self.taken.insert(("", group.to_owned())) {
            folders.iter().try_for_each(|folder| make_folder(folder))?;
        }
        let [images, labels] = folders;
        let file = |ending: &OsStr| {
            let mut name = shown.clone();
            name.push(".");
            name.push(ending);
            name
        };
        Ok(Place { image: images.join(file(ending)), label: labels.join(file(OsStr::new("txt"))) })
    }

    /// Writes the `data.yaml` and answers where it is.
    ///
    /// # Errors
    /// `file.unwritable`.
    pub(super) fn finish(
        self,
        names: &[String],
        keypoints: Option<(u32, u32)>,
        channels: u32,
    ) -> Result<PathBuf, Problem> {
        let mut yaml = String::new();
        for kind in [SplitKind::Train, SplitKind::Val, SplitKind::Test] {
            if self.splits.contains(&kind) {
                let _ = writeln!(yaml, "{0}: images/{0}", kind.name());
            }
        }
        yaml.push_str("names:\n");
        for (id, name) in names.iter().enumerate() {
            let _ = writeln!(yaml, "  {id}: {}", crate::shadow::quoted(name));
        }
        if let Some((count, values)) = keypoints {
            let _ = writeln!(yaml, "kpt_shape: [{count}, {values}]");
        }
        if channels != 3 {
            let _ = writeln!(yaml, "channels: {channels}");
        }
        let path = self.folder.join("data.yaml");
        write(&path, yaml.as_bytes())?;
        Ok(path)
    }
}

/// A folder that is empty or not there yet, outside of `source`; made where it is not there.
///
/// # Errors
/// `dataset.folder-not-empty`, `dataset.inside-source`, `file.unwritable`.
pub(super) fn new_folder(folder: &Path, source: &Path) -> Result<PathBuf, Problem> {
    let folder = std::path::absolute(folder).map_err(|error| unwritable(folder, &error))?;
    let inside = Problem::new("dataset.inside-source").with("path", folder.as_path()).with("source", source);
    // Before anything is made: whatever part of the path is there tells where the rest will be.
    let real = |path: &Path| path.ancestors().find_map(|part| part.canonicalize().ok());
    let source = source.canonicalize().unwrap_or_else(|_| source.to_owned());
    if real(&folder).is_some_and(|real| source.is_dir() && real.starts_with(&source)) {
        return Err(inside);
    }
    match std::fs::read_dir(&folder) {
        Ok(mut entries) => {
            if entries.next().is_some() {
                return Err(Problem::new("dataset.folder-not-empty").with("path", folder.as_path()));
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => make_folder(&folder)?,
        Err(error) => return Err(unwritable(&folder, &error)),
    }
    Ok(folder)
}

pub(super) fn make_folder(folder: &Path) -> Result<(), Problem> {
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))
}

/// Writes a new file.
pub(super) fn write(path: &Path, content: &[u8]) -> Result<(), Problem> {
    std::fs::write(path, content).map_err(|error| unwritable(path, &error))
}

/// A copy of a file that shares its blocks where the file system can do that. Never a link: what is done to the copy
/// must not reach the original.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), Problem> {
    reflink_copy::reflink_or_copy(from, to).map(drop).map_err(|error| unwritable(to, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Problem {
    Problem::new("file.unwritable").with("path", path).because(error)
}
