//! What the dataset holds, read through while the trainer works: a large one takes minutes, and nobody waits for it.

use std::time::{Duration, Instant};

use preflight_core::run::Event;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{Supervisor, TICK, note};
use crate::dataset::manifest::Manifest;
use crate::runs::failure;
use crate::runs::folder::Folder;

/// How long a training that ended well waits for it.
const PATIENCE: Duration = Duration::from_secs(30);

/// The dataset is being read through; ends with this.
pub(super) struct Hashing {
    task: JoinHandle<Option<String>>,
    _stop: DropGuard,
}

impl Hashing {
    /// Begins to read the dataset of a run, one file at a time: the trainer needs the processor and the disk more.
    pub(super) fn begin(folder: &Folder) -> Self {
        let (folder, stop) = (folder.clone(), CancellationToken::new());
        let guard = stop.clone().drop_guard();
        let task = tokio::task::spawn_blocking(move || match read(&folder, &stop) {
            Ok(manifest) => Some(manifest.fingerprint()),
            Err(_) if stop.is_cancelled() => None,
            Err(text) => {
                note(&format!("reading the dataset through: {text}"));
                None
            }
        });
        Self { task, _stop: guard }
    }
}

/// Reads the dataset of a run through, and keeps what was read: what changed since can be told.
fn read(folder: &Folder, stop: &CancellationToken) -> Result<Manifest, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let dataset = folder.read_dataset().map_err(|problem| text(&problem))?;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| text(&error))?;
    let manifest = one.install(|| Manifest::read(&dataset, &|_, _| {}, stop)).map_err(|problem| text(&problem))?;
    manifest.save(&folder.manifest()).map_err(|problem| text(&problem))?;
    Ok(manifest)
}

impl Supervisor {
    /// Writes down what identifies the dataset once that is known.
    pub(super) async fn hashed(&mut self) {
        let Some(hashing) = self.hashing.take_if(|hashing| hashing.task.is_finished()) else { return };
        let Ok(Some(fingerprint)) = hashing.task.await else { return };
        let before = self.journal.progress().fingerprint.as_deref();
        if before == Some(&fingerprint) {
            return;
        }
        // Earlier versions had a longer one, which cannot be compared.
        if before.is_some_and(|before| before.len() == fingerprint.len()) {
            let finding = failure::other_dataset(&self.record.plan.dataset);
            self.journal.append(Event::Found { finding });
        }
        self.journal.append(Event::DatasetHashed { fingerprint });
    }

    /// The same at the end, after which nothing is written down any more. Waits for it where training ended well.
    pub(super) async fn hashed_at_last(&mut self, well: bool) {
        let began = Instant::now();
        self.hashed().await;
        while well && self.hashing.is_some() && began.elapsed() < PATIENCE {
            tokio::time::sleep(TICK).await;
            self.hashed().await;
        }
        self.hashing = None;
    }
}
