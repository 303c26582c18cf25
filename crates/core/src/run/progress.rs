//! What a run's events add up to.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{CancelReason, Event, RunEvent, RunState, TrainerEvent, Usage, next};
use crate::finding::Finding;

/// One epoch of the charts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct EpochPoint {
    /// Counted from 1.
    pub epoch: u32,
    /// Mean losses of training, by name.
    pub losses: BTreeMap<String, f64>,
    /// What validation measured.
    pub metrics: BTreeMap<String, f64>,
    /// Seconds since training began.
    pub seconds: f64,
}

/// A run as it stands: fold [`Progress::apply`] over its events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Progress {
    /// Its state.
    pub state: RunState,
    /// Set once someone asked to end it.
    pub cancelling: Option<CancelReason>,
    /// The next event's number.
    pub next_seq: u32,
    /// When the last event came, in milliseconds since 1970 UTC.
    pub last_ms: u64,
    /// When the trainer's first epoch began.
    pub started_ms: Option<u64>,
    /// When it was over.
    pub ended_ms: Option<u64>,
    /// Supervisor's process id.
    pub supervisor: Option<u32>,
    /// Trainer's process id.
    pub trainer: Option<u32>,
    /// Passes over the data, effective; 0: not known yet.
    pub epochs: u32,
    /// The epoch it is in, counted from 1; 0: none yet.
    pub epoch: u32,
    /// The step of that epoch, counted from 1; 0: none yet.
    pub batch: u32,
    /// Steps per epoch; 0: not known yet.
    pub batches: u32,
    /// Effective images per step; 0: not known yet.
    pub batch_size: u32,
    /// Effective image size; 0: not known yet.
    pub imgsz: u32,
    /// The device, as torch names it.
    pub device: String,
    /// The validation step it is in, and how many there are.
    pub validation: Option<(u32, u32)>,
    /// The running losses of the current epoch.
    pub losses: BTreeMap<String, f64>,
    /// Finished epochs.
    pub history: Vec<EpochPoint>,
    /// Seconds until everything, validation included, is done; `None`: cannot be told yet.
    pub remaining_s: Option<f64>,
    /// The newest use of the machine.
    pub usage: Option<Usage>,
    /// The most GPU memory the allocator held, in bytes.
    pub peak_gpu_reserved: u64,
    /// The best weights, once there are any.
    pub best: Option<PathBuf>,
    /// The trainer's output folder, once it is done.
    pub folder: Option<PathBuf>,
    /// What the final validation measured.
    pub metrics: BTreeMap<String, f64>,
    /// The trainer's last error: class, text and traceback.
    pub error: Option<(String, String, String)>,
    /// Exit code and signal of the trainer.
    pub exit: Option<(Option<i32>, Option<i32>)>,
    /// What broke it outside the trainer.
    pub finding: Option<Finding>,
    /// Versions the trainer said: Ultralytics and torch.
    pub versions: Option<(String, String)>,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            state: RunState::Queued,
            cancelling: None,
            next_seq: 0,
            last_ms: 0,
            started_ms: None,
            ended_ms: None,
            supervisor: None,
            trainer: None,
            epochs: 0,
            epoch: 0,
            batch: 0,
            batches: 0,
            batch_size: 0,
            imgsz: 0,
            device: String::new(),
            validation: None,
            losses: BTreeMap::new(),
            history: Vec::new(),
            remaining_s: None,
            usage: None,
            peak_gpu_reserved: 0,
            best: None,
            folder: None,
            metrics: BTreeMap::new(),
            error: None,
            exit: None,
            finding: None,
            versions: None,
        }
    }
}

impl Progress {
    /// What these events add up to.
    #[must_use]
    pub fn of<'a>(events: impl IntoIterator<Item = &'a RunEvent>) -> Self {
        let mut progress = Self::default();
        for event in events {
            progress.apply(event);
        }
        progress
    }

    /// Takes in the next event. An event seen before is ignored.
    pub fn apply(&mut self, event: &RunEvent) {
        if event.seq < self.next_seq {
            return;
        }
        self.next_seq = event.seq + 1;
        self.last_ms = event.at_ms;
        let was_over = self.state.is_over();
        self.state = next(self.state, self.cancelling.is_some(), &event.event);
        if !was_over && self.state.is_over() {
            self.ended_ms = Some(event.at_ms);
            self.remaining_s = None;
            self.validation = None;
        }
        match &event.event {
            Event::Preparing { supervisor } => self.supervisor = Some(*supervisor),
            Event::DatasetReady { .. } | Event::Lost => {}
            Event::Launched { pid } => self.trainer = Some(*pid),
            Event::Trainer { said } => self.hear(said, event.at_ms),
            Event::Usage { usage } => self.usage = Some(*usage),
            Event::CancelRequested { reason } => self.cancelling = Some(*reason),
            Event::Exited { code, signal } => self.exit = Some((*code, *signal)),
            Event::Broken { finding } => self.finding = Some(finding.clone()),
        }
    }

    fn hear(&mut self, said: &TrainerEvent, at_ms: u64) {
        match said {
            TrainerEvent::Boot { pid, .. } => self.trainer = Some(*pid),
            TrainerEvent::Imported { ultralytics, torch } => {
                self.versions = Some((ultralytics.clone(), torch.clone()));
            }
            TrainerEvent::Start { epochs, batch, batches, imgsz, device, .. } => {
                self.started_ms = Some(at_ms);
                self.epochs = *epochs;
                self.batch_size = *batch;
                self.batches = *batches;
                self.imgsz = *imgsz;
                self.device.clone_from(device);
            }
            TrainerEvent::Batch { epoch, batch, batches, losses, gpu_reserved } => {
                self.epoch = *epoch;
                self.batch = *batch;
                self.batches = *batches;
                self.losses.clone_from(losses);
                self.peak_gpu_reserved = self.peak_gpu_reserved.max(*gpu_reserved);
                self.validation = None;
                self.estimate_remaining(at_ms);
            }
            TrainerEvent::Validation { batch, batches, .. } => {
                self.validation = Some((*batch, *batches));
                self.estimate_remaining(at_ms);
            }
            TrainerEvent::Epoch { epoch, losses, metrics, seconds, .. } => {
                self.epoch = *epoch;
                self.batch = self.batches;
                self.validation = None;
                self.history.push(EpochPoint {
                    epoch: *epoch,
                    losses: losses.clone(),
                    metrics: metrics.clone(),
                    seconds: *seconds,
                });
                self.estimate_remaining(at_ms);
            }
            TrainerEvent::Saved { best, .. } => self.best = Some(best.clone()),
            TrainerEvent::Done { metrics, best, folder, .. } => {
                self.metrics.clone_from(metrics);
                self.best = Some(best.clone());
                self.folder = Some(folder.clone());
                self.remaining_s = None;
            }
            TrainerEvent::Stopped => {}
            TrainerEvent::Error { class, text, traceback } => {
                self.error = Some((class.clone(), text.clone(), traceback.clone()));
            }
        }
    }

    /// Finished epochs, validation included, tell how long the others take. Until one is finished the running
    /// epoch's steps do, which leaves validation out; so nothing is said before the first epoch is done.
    fn estimate_remaining(&mut self, at_ms: u64) {
        let (Some(last), Some(started)) = (self.history.last(), self.started_ms) else { return };
        // The last few epochs: the first is slower (caches, warm-up), and a batch change alters the pace.
        const WINDOW: usize = 5;
        let before = self.history.len().checked_sub(WINDOW + 1).map(|index| &self.history[index]);
        let (from, count) = before.map_or((0.0, self.history.len()), |point| (point.seconds, WINDOW));
        #[expect(clippy::cast_precision_loss, reason = "small counts and times")]
        let (per_epoch, elapsed) =
            ((last.seconds - from) / count as f64, at_ms.saturating_sub(started) as f64 / 1000.0);
        // One more for the final validation of the best weights is a fraction of an epoch; it is left to the pace.
        let end = last.seconds + per_epoch * f64::from(self.epochs.saturating_sub(last.epoch));
        self.remaining_s = Some((end - elapsed).max(0.0));
    }
}
