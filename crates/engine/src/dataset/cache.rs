//! Datasets read lately, kept with what tells whether they changed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use preflight_core::dataset::Dataset;
use preflight_core::problem::Problem;
use tokio_util::sync::CancellationToken;

use super::OnProgress;
use super::scan::{self, Snapshot};

/// Datasets read lately.
#[derive(Debug, Default)]
pub struct Cache {
    /// The one used last comes last.
    slots: Mutex<Vec<(PathBuf, Arc<Slot>)>>,
}

/// One dataset. Held while it is read, so that whoever asks meanwhile waits for the same answer.
type Slot = tokio::sync::Mutex<Option<Kept>>;

#[derive(Debug)]
struct Kept {
    snapshot: Snapshot,
    /// When it was last known to be current, and how long finding that out took.
    seen: Instant,
    took: Duration,
}

/// Datasets kept. A person goes back and forth between two or three.
const KEPT: usize = 3;
/// A dataset of fewer files is looked through every time it is asked for: that takes milliseconds.
const LARGE: usize = 5_000;
/// A large one is taken to be current for a while after it was looked through, so that looking for changes takes at
/// most half of the time, and never longer than [`LONGEST`].
const WHILE: u32 = 2;
const LONGEST: Duration = Duration::from_secs(2);

impl Kept {
    fn is_fresh(&self) -> bool {
        self.snapshot.len() >= LARGE && self.seen.elapsed() < (self.took * WHILE).min(LONGEST)
    }
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
        let slot = self.slot(path);
        let mut kept = tokio::select! {
            kept = slot.lock_owned() => kept,
            () = cancel.cancelled() => return Err(super::cancelled()),
        };
        if let Some(kept) = &*kept
            && kept.is_fresh()
        {
            return Ok(Arc::clone(&kept.snapshot.dataset));
        }
        let path = path.to_owned();
        let read = move || {
            let began = Instant::now();
            let snapshot = scan::read(&path, None, kept.as_ref().map(|kept| &kept.snapshot), &*progress, &cancel)?;
            let dataset = Arc::clone(&snapshot.dataset);
            *kept = Some(Kept { snapshot, seen: Instant::now(), took: began.elapsed() });
            Ok(dataset)
        };
        match tokio::task::spawn_blocking(read).await {
            Ok(dataset) => dataset,
            Err(error) => Err(Problem::new("internal.task").because(&error)),
        }
    }

    fn slot(&self, path: &Path) -> Arc<Slot> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = match slots.iter().position(|(known, _)| known == path) {
            Some(at) => slots.remove(at),
            None => (path.to_owned(), Arc::default()),
        };
        slots.push(slot);
        let surplus = slots.len().saturating_sub(KEPT);
        slots.drain(..surplus);
        Arc::clone(&slots[slots.len() - 1].1)
    }
}
