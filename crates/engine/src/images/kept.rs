//! Small images that were made lately, within a bound of memory.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// What a small image was made from: another content has another time or length.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Source {
    path: PathBuf,
    side: u32,
    length: u64,
    modified: Option<SystemTime>,
}

impl Source {
    /// The file as it is now; `None`: it is not there.
    pub(super) fn now(path: &Path, side: u32) -> Option<Self> {
        let found = std::fs::metadata(path).ok()?;
        Some(Self { path: path.to_owned(), side, length: found.len(), modified: found.modified().ok() })
    }
}

/// Small images by what they were made from.
#[derive(Debug)]
pub(super) struct Kept {
    most: usize,
    bytes: usize,
    clock: u64,
    images: HashMap<Source, (u64, Arc<Vec<u8>>)>,
    /// By when each was wanted last.
    order: BTreeMap<u64, Source>,
}

impl Kept {
    /// Keeps up to so many bytes.
    pub(super) fn new(most: usize) -> Self {
        Self { most, bytes: 0, clock: 0, images: HashMap::new(), order: BTreeMap::new() }
    }

    pub(super) fn get(&mut self, source: &Source) -> Option<Arc<Vec<u8>>> {
        self.clock += 1;
        let (wanted, image) = self.images.get_mut(source)?;
        self.order.remove(wanted);
        *wanted = self.clock;
        self.order.insert(self.clock, source.clone());
        Some(Arc::clone(image))
    }

    /// Keeps an image; those wanted longest ago make room.
    pub(super) fn put(&mut self, source: Source, image: Arc<Vec<u8>>) {
        self.forget(&source);
        self.clock += 1;
        self.bytes += image.len();
        self.order.insert(self.clock, source.clone());
        self.images.insert(source, (self.clock, image));
        while self.bytes > self.most {
            let Some((_, oldest)) = self.order.pop_first() else { return };
            self.forget(&oldest);
        }
    }

    fn forget(&mut self, source: &Source) {
        if let Some((wanted, image)) = self.images.remove(source) {
            self.bytes -= image.len();
            self.order.remove(&wanted);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str) -> Source {
        Source { path: name.into(), side: 160, length: 1, modified: None }
    }

    #[test]
    fn it_never_holds_more_and_forgets_what_was_wanted_longest_ago() {
        let mut kept = Kept::new(100);
        for name in ["a", "b", "c"] {
            kept.put(source(name), Arc::new(vec![0; 30]));
        }
        assert!(kept.get(&source("a")).is_some());
        kept.put(source("d"), Arc::new(vec![0; 30]));
        let there: Vec<_> = ["a", "b", "c", "d"].into_iter().filter(|name| kept.get(&source(name)).is_some()).collect();
        assert_eq!((there, kept.bytes()), (vec!["a", "c", "d"], 90));
        kept.put(source("large"), Arc::new(vec![0; 101]));
        assert_eq!((kept.bytes(), kept.images.len(), kept.order.len()), (0, 0, 0));
        kept.put(source("a"), Arc::new(vec![0; 10]));
        kept.put(source("a"), Arc::new(vec![0; 20]));
        assert_eq!((kept.bytes(), kept.order.len()), (20, 1));
    }
}
