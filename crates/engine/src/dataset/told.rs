//! What the system told of changes in a dataset's folders.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind};
use preflight_core::dataset::paths;

use super::listing::Listing;

/// Changes since the dataset was read.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// More happened than was told: everything has to be looked at.
    pub(super) all: bool,
    /// Images or folders came or went: folders have to be listed.
    pub(super) images: bool,
    /// Label files came or went.
    pub(super) labels: bool,
    /// Files whose content may be another.
    pub(super) files: HashSet<PathBuf>,
    /// Folders in which any file may be another.
    pub(super) folders: HashSet<PathBuf>,
}

/// Files that are remembered one by one. When more change, looking at all of them is as quick.
const MOST_FILES: usize = 20_000;

impl Changes {
    /// Everything may have changed.
    pub(super) fn everything() -> Self {
        Self { all: true, ..Self::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.all && !self.images && !self.labels && self.files.is_empty() && self.folders.is_empty()
    }

    fn limit(&mut self) {
        if self.all || self.files.len() + self.folders.len() > MOST_FILES {
            *self = Self::everything();
        }
    }

    /// Takes in what the system told.
    pub(super) fn hear(&mut self, event: &Event) {
        // Files are read all the time, by us and by a training.
        let comes_or_goes = match event.kind {
            _ if event.need_rescan() => {
                *self = Self::everything();
                return;
            }
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
            EventKind::Access(_) => return,
            EventKind::Modify(ModifyKind::Name(_)) => true,
            EventKind::Modify(_) => false,
            EventKind::Any | EventKind::Other | EventKind::Create(_) | EventKind::Remove(_) => true,
        };
        for path in &event.paths {
            self.note(path, comes_or_goes);
        }
        self.limit();
    }

    fn note(&mut self, path: &Path, comes_or_goes: bool) {
        let Some(name) = path.file_name() else {
            self.all = true;
            return;
        };
        // The trainer does not see hidden files; editors write them while they save.
        if paths::is_hidden(name) {
            return;
        }
        let is_label = path.extension().is_some_and(|ending| ending == "txt");
        if comes_or_goes {
            if is_label { self.labels = true } else { self.images = true }
        }
        self.files.insert(path.to_owned());
    }

    /// What was told of each folder of a listing.
    pub(super) fn of(&self, listing: &Listing) -> Vec<Told> {
        let mut names: HashMap<&Path, HashSet<OsString>> = HashMap::new();
        for file in &self.files {
            if let (Some(folder), Some(stem)) = (file.parent(), file.file_stem()) {
                names.entry(folder).or_default().insert(stem.to_owned());
            }
        }
        let told = |(labels, images): (&Path, &Path)| {
            if [labels, images].iter().any(|folder| self.folders.contains(*folder)) {
                return Told::Anything;
            }
            match (names.get(labels), names.get(images)) {
                (None, None) => Told::Nothing,
                (one, other) => Told::Files(one.into_iter().chain(other).flatten().cloned().collect()),
            }
        };
        listing.folders().map(told).collect()
    }
}

/// What was told of a folder of images and its folder of labels.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    Nothing,
    /// Names of files without their endings.
    Files(HashSet<OsString>),
    Anything,
}

impl Told {
    /// Whether an image or its label file may have changed.
    pub(super) fn concerns(&self, image: &OsStr) -> bool {
        match self {
            Self::Nothing => false,
            Self::Files(stems) => stems.contains(Path::new(image).file_stem().unwrap_or(image)),
            Self::Anything => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use notify::event::{CreateKind, DataChange, Flag, RenameMode};

    use super::*;

    fn heard(kind: EventKind, path: &str) -> Changes {
        let mut changes = Changes::default();
        changes.hear(&Event::new(kind).add_path(PathBuf::from(path)));
        changes
    }

    #[test]
    fn what_is_only_read_did_not_change() {
        let read = EventKind::Access(AccessKind::Open(AccessMode::Any));
        assert!(heard(read, "/d/images/a.jpg").is_empty());
        assert!(heard(EventKind::Create(CreateKind::File), "/d/labels/.a.txt.swp").is_empty());
    }

    #[test]
    fn a_label_that_is_written_is_one_file() {
        let changes = heard(EventKind::Modify(ModifyKind::Data(DataChange::Any)), "/d/labels/a.txt");
        assert!(!changes.all && !changes.images && !changes.labels);
        assert_eq!(changes.files, HashSet::from([PathBuf::from("/d/labels/a.txt")]));
    }

    #[test]
    fn what_comes_or_goes_is_told_from_what_is_written() {
        let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::To));
        assert!(heard(renamed, "/d/labels/a.txt").labels && !heard(renamed, "/d/labels/a.txt").images);
        assert!(heard(renamed, "/d/images/a.jpg").images);
    }

    #[test]
    fn where_too_much_happened_everything_is_looked_at() {
        let mut changes = Changes::default();
        changes.hear(&Event::new(EventKind::Other).set_flag(Flag::Rescan));
        assert!(changes.all);
        let mut changes = Changes::default();
        for number in 0..=MOST_FILES {
            changes.note(Path::new(&format!("/d/{number}.jpg")), false);
            changes.limit();
        }
        assert!(changes.all && changes.files.is_empty());
    }
}
