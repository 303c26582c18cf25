//! Datasets read lately, kept with what tells whether they changed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use preflight_core::dataset::{Dataset, Task};
use preflight_core::problem::Problem;
use tokio_util::sync::CancellationToken;

use super::OnProgress;
use super::scan::{self, Before, Files, Snapshot, Unread};
use super::told::Changes;
use super::watch::Watch;
use crate::work::lock;

/// Datasets read lately.
#[derive(Debug, Default)]
pub struct Cache {
    /// The one used last comes last.
    slots: Mutex<Vec<(Key, Arc<Slot>)>>,
}

/// A dataset's path, and what it is read for.
type Key = (PathBuf, Task);

/// One dataset.
#[derive(Debug, Default)]
struct Slot {
    /// Held while it is read, so that whoever asks meanwhile waits for the same answer.
    reading: Arc<tokio::sync::Mutex<Option<Kept>>>,
    /// As it was read last, for those who would rather not wait.
    last: Mutex<Option<Arc<Snapshot>>>,
    /// What was judged when its first reading was cancelled.
    begun: Mutex<Option<Box<Files>>>,
}

#[derive(Debug)]
struct Kept {
    snapshot: Arc<Snapshot>,
    /// How often it was found to be another than before.
    version: u64,
    /// Files that were found to have changed since it was first read.
    changed: u64,
    /// When it was last known to be current, and how long finding that out took.
    seen: Instant,
    took: Duration,
    /// Who tells of its changes.
    watch: Weak<Watch>,
}

/// A dataset as it is now.
#[derive(Debug, Clone)]
pub(super) struct Current {
    pub(super) dataset: Arc<Dataset>,
    /// How often it was found to be another than before.
    pub(super) version: u64,
    /// Files that were found to have changed since it was first read.
    pub(super) changed: u64,
    /// How long looking for changes took.
    pub(super) took: Duration,
}

/// Datasets kept. A person goes back and forth between two or three.
const KEPT: usize = 3;
/// A dataset of fewer files is looked through every time it is asked for: that takes milliseconds.
const LARGE: usize = 5_000;
/// A large one is taken to be current for a while after it was looked through, so that looking for changes takes at
/// most half of the time, and never longer than [`LONGEST`].
const WHILE: u32 = 2;
const LONGEST: Duration = Duration::from_secs(2);

/// Folders that come in while others are read are read once more, this often at most. The rest is told later.
const ROUNDS: usize = 4;

impl Kept {
    fn is_fresh(&self) -> bool {
        self.snapshot.len() >= LARGE && self.seen.elapsed() < (self.took * WHILE).min(LONGEST)
    }

    fn current(&self) -> Current {
        Current {
            dataset: Arc::clone(&self.snapshot.dataset),
            version: self.version,
            changed: self.changed,
            took: self.took,
        }
    }

    /// Reads a dataset anew, and has its folders watched by who watches it. `before`: as it was read, or what a reading
    /// that was cancelled left.
    fn read(
        path: &Path,
        task: Task,
        before: Result<&Self, Option<&Files>>,
        watch: Option<&Arc<Watch>>,
        changes: Option<&Changes>,
        progress: scan::Progress<'_>,
        cancel: &CancellationToken,
    ) -> Result<Self, Unread> {
        let began = Instant::now();
        // Boxes can be had from every kind of label: nothing has to be said of what is there.
        let wanted = (task != Task::Detect).then_some(task);
        let mut made: Option<Self> = None;
        let mut changes = changes;
        let mut added;
        for _ in 0..ROUNDS {
            let known = made.as_ref().or(before.ok());
            let before = match (known, changes) {
                (None, _) => before.err().flatten().map_or(Before::Nothing, Before::Begun),
                (Some(kept), Some(changes)) if !changes.all => Before::Told(&kept.snapshot, changes),
                (Some(kept), _) => Before::Looked(&kept.snapshot),
            };
            let snapshot = Arc::new(scan::read(path, wanted, before, progress, cancel)?);
            let (version, changed) = match known {
                Some(before) => {
                    let is_other = snapshot.changed > 0 || !same(&before.snapshot.dataset, &snapshot.dataset);
                    (before.version + u64::from(is_other), before.changed + snapshot.changed)
                }
                None => (0, 0),
            };
            let told = watch.map(|watch| watch.follow(&snapshot));
            let watch = watch.map(Arc::downgrade).unwrap_or_default();
            let (seen, took) = (Instant::now(), began.elapsed());
            made = Some(Self { snapshot, version, changed, seen, took, watch });
            // What was put into a new folder before it was watched was not told.
            match told.filter(|changes| !changes.is_empty()) {
                Some(more) => {
                    added = more;
                    changes = Some(&added);
                }
                None => break,
            }
        }
        made.ok_or_else(|| super::cancelled().into())
    }
}

/// Whether two answers say the same, however long they took.
fn same(a: &Dataset, b: &Dataset) -> bool {
    *a == Dataset { took_ms: a.took_ms, ..b.clone() }
}

impl Cache {
    /// Reads a dataset, or takes it from memory when nothing changed. Of a dataset that was read before, only files
    /// that changed are read again.
    ///
    /// # Errors
    /// As [`scan`](super::scan).
    pub async fn get(
        &self,
        path: &Path,
        progress: OnProgress,
        cancel: CancellationToken,
    ) -> Result<Arc<Dataset>, Problem> {
        self.get_for(path, Task::Detect, progress, cancel).await
    }

    /// As [`Self::get`], judged for a task.
    ///
    /// # Errors
    /// As [`scan_for`](super::scan_for).
    pub async fn get_for(
        &self,
        path: &Path,
        task: Task,
        progress: OnProgress,
        cancel: CancellationToken,
    ) -> Result<Arc<Dataset>, Problem> {
        if task != Task::Classify {
            return Ok(self.current(path, task, None, progress, cancel).await?.dataset);
        }
        let path = path.to_owned();
        let read = move || super::classify::read(&path, &*progress, &cancel).map(Arc::new);
        crate::work::blocking(read).await
    }

    /// As [`Self::get`]; from now on, `watch` tells what changes.
    pub(super) async fn current(
        &self,
        path: &Path,
        task: Task,
        watch: Option<&Arc<Watch>>,
        progress: OnProgress,
        cancel: CancellationToken,
    ) -> Result<Current, Problem> {
        let place = self.slot(path, task);
        let mut slot = tokio::select! {
            slot = Arc::clone(&place.reading).lock_owned() => slot,
            () = cancel.cancelled() => return Err(super::cancelled()),
        };
        let known = slot.as_ref().and_then(|kept| kept.watch.upgrade());
        let is_new = watch.is_some_and(|watch| !known.as_ref().is_some_and(|known| Arc::ptr_eq(known, watch)));
        let watch = watch.cloned().or(known);
        // What happened before it was watched was not told.
        let changes = watch.as_ref().map(|watch| if is_new { Changes::everything() } else { watch.take() });
        if let Some(kept) = &*slot {
            let is_current = changes.as_ref().map_or_else(|| kept.is_fresh(), Changes::is_empty);
            if is_current {
                return Ok(kept.current());
            }
        }
        let path = path.to_owned();
        let read = move || {
            if is_new && let (Some(watch), Some(kept)) = (&watch, &*slot) {
                // Before the look at everything, so that nothing happens in between.
                watch.follow(&kept.snapshot);
            }
            let begun = lock(&place.begun).take();
            let before = slot.as_ref().ok_or(begun.as_deref());
            match Kept::read(&path, task, before, watch.as_ref(), changes.as_ref(), &*progress, &cancel) {
                Ok(kept) => {
                    *lock(&place.last) = Some(Arc::clone(&kept.snapshot));
                    Ok(slot.insert(kept).current())
                }
                Err(unread) => {
                    // What was taken from the watch is not told twice.
                    watch.iter().for_each(|watch| watch.doubt());
                    *lock(&place.begun) = unread.begun.filter(|_| slot.is_none()).or(begun);
                    Err(unread.problem)
                }
            }
        };
        match tokio::task::spawn_blocking(read).await {
            Ok(current) => current,
            Err(error) => Err(Problem::new("internal.task").because(&error)),
        }
    }

    /// A dataset as it was read last, without looking at the disk; `None`: it was not read lately.
    pub(super) fn last(&self, path: &Path) -> Option<Arc<Snapshot>> {
        let slots = lock(&self.slots);
        let (_, slot) = slots.iter().find(|((known, task), _)| known == path && *task == Task::Detect)?;
        lock(&slot.last).clone()
    }

    fn slot(&self, path: &Path, task: Task) -> Arc<Slot> {
        let mut slots = lock(&self.slots);
        let slot = match slots.iter().position(|((known, of), _)| known == path && *of == task) {
            Some(at) => slots.remove(at),
            None => ((path.to_owned(), task), Arc::default()),
        };
        slots.push(slot);
        let surplus = slots.len().saturating_sub(KEPT);
        slots.drain(..surplus);
        Arc::clone(&slots[slots.len() - 1].1)
    }
}
