//! What a run's events add up to.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{
    Before, CancelReason, ClassFigures, Confusion, Event, Health, Pace, RunEvent, RunState, TrainerEvent, Usage, next,
};
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
#[serde(default)]
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
    /// Trainer's process id, and when it began in seconds since 1970 UTC.
    pub trainer: Option<(u32, u64)>,
    /// Bytes of the dataset that had to be copied.
    pub copied_bytes: u64,
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
    /// The share of the newest minutes of training that went into waiting for images, 0..1; `None`: not measured.
    pub loading_share: Option<f64>,
    /// The most RAM its processes held at one moment, in bytes.
    pub peak_memory: u64,
    /// The most GPU memory the allocator held, in bytes.
    pub peak_gpu_reserved: u64,
    /// The best weights, once there are any.
    pub best: Option<PathBuf>,
    /// The trainer's output folder, once it is done.
    pub folder: Option<PathBuf>,
    /// What the final validation measured.
    pub metrics: BTreeMap<String, f64>,
    /// The same for each class.
    pub classes: Vec<ClassFigures>,
    /// Which classes are taken for which.
    pub confusion: Option<Confusion>,
    /// The trainer's last error: class, text and traceback.
    pub error: Option<(String, String, String)>,
    /// Exit code and signal of the trainer.
    pub exit: Option<(Option<i32>, Option<i32>)>,
    /// The trainer said that it finished.
    pub done: bool,
    /// What a person should know: why it failed, what is unusual about it.
    pub findings: Vec<Finding>,
    /// Versions the trainer said: Ultralytics and torch.
    pub versions: Option<(String, String)>,
    /// How fast it goes.
    pub pace: Pace,
    /// What tells how it goes.
    #[cfg_attr(feature = "typescript", specta(skip))]
    pub health: Health,
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
            copied_bytes: 0,
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
            loading_share: None,
            peak_memory: 0,
            peak_gpu_reserved: 0,
            best: None,
            folder: None,
            metrics: BTreeMap::new(),
            classes: Vec::new(),
            confusion: None,
            error: None,
            exit: None,
            done: false,
            findings: Vec::new(),
            versions: None,
            pace: Pace::default(),
            health: Health::default(),
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
        self.next_seq = event.seq.saturating_add(1);
        self.last_ms = event.at_ms;
        let was_over = self.state.is_over();
        self.state = next(self.state, Before { cancelling: self.cancelling.is_some(), done: self.done }, &event.event);
        match &event.event {
            Event::Preparing { supervisor } => self.supervisor = Some(*supervisor),
            Event::DatasetReady { copied_bytes, .. } => self.copied_bytes = *copied_bytes,
            Event::NotStarted | Event::Lost => {}
            Event::Launched { pid, began_s } => self.trainer = Some((*pid, *began_s)),
            Event::Trainer { said } => self.hear(said, event.at_ms),
            Event::Usage { usage } => {
                self.usage = Some(*usage);
                self.peak_memory = self.peak_memory.max(usage.memory);
            }
            Event::CancelRequested { reason } => {
                self.cancelling.get_or_insert(*reason);
            }
            Event::Exited { code, signal } => self.exit = Some((*code, *signal)),
            Event::Found { finding } | Event::Broken { finding } => self.findings.push(finding.clone()),
        }
        self.health.apply(event, self.remaining_s);
        self.loading_share = self.health.loading_share();
        if self.state.is_over() {
            if !was_over {
                self.ended_ms = Some(event.at_ms);
            }
            self.remaining_s = None;
            self.validation = None;
        }
    }

    fn hear(&mut self, said: &TrainerEvent, at_ms: u64) {
        match said {
            TrainerEvent::Boot { .. } | TrainerEvent::Stopped => {}
            TrainerEvent::Imported { ultralytics, torch } => {
                self.versions = Some((ultralytics.clone(), torch.clone()));
            }
            TrainerEvent::Start { epochs, first_epoch, batch, batches, imgsz, device, val_images, .. } => {
                self.started_ms.get_or_insert(at_ms);
                if (self.batches, self.batch_size, self.imgsz) != (*batches, *batch, *imgsz) {
                    self.pace.start(*batches, *batch, *val_images);
                }
                self.epochs = *epochs;
                self.batch_size = *batch;
                self.batches = *batches;
                self.imgsz = *imgsz;
                self.device.clone_from(device);
                self.epoch = *first_epoch;
                self.batch = 0;
                self.validation = None;
            }
            TrainerEvent::Batch { epoch, batch, batches, losses, gpu_reserved, .. } => {
                self.epoch = *epoch;
                self.batch = *batch;
                self.batches = *batches;
                self.losses.clone_from(losses);
                self.peak_gpu_reserved = self.peak_gpu_reserved.max(*gpu_reserved);
                self.validation = None;
                self.pace.step(*batch, *batches, at_ms);
                self.estimate_remaining();
            }
            TrainerEvent::Validation { batch, batches, .. } => {
                self.validation = Some((*batch, *batches));
                self.pace.validation(*batch, *batches);
                self.estimate_remaining();
            }
            TrainerEvent::Epoch { epoch, losses, metrics, seconds, .. } => {
                self.epoch = *epoch;
                self.batch = self.batches;
                self.validation = None;
                // A resumed training repeats the epoch that was cut off.
                self.history.retain(|point| point.epoch < *epoch);
                self.history.push(EpochPoint {
                    epoch: *epoch,
                    losses: losses.clone(),
                    metrics: metrics.clone(),
                    seconds: *seconds,
                });
                self.pace.epoch(*seconds, at_ms);
                self.estimate_remaining();
            }
            TrainerEvent::Saved { best, is_best, .. } => {
                if *is_best {
                    self.best = Some(best.clone());
                }
            }
            TrainerEvent::Done { metrics, best, folder, classes, confusion, .. } => {
                self.metrics.clone_from(metrics);
                self.classes.clone_from(classes);
                self.confusion.clone_from(confusion);
                self.best = Some(best.clone());
                self.folder = Some(folder.clone());
                self.done = true;
                self.remaining_s = None;
            }
            // The first error is the cause; those after it are its consequences in other processes.
            TrainerEvent::Error { class, text, traceback } => {
                self.error.get_or_insert_with(|| (class.clone(), text.clone(), traceback.clone()));
            }
        }
    }

    fn estimate_remaining(&mut self) {
        let finished = self.history.last().is_some_and(|point| point.epoch == self.epoch);
        let all = finished && self.epoch >= self.epochs;
        let left = self.epochs.saturating_sub(self.epoch);
        let remaining = self.pace.remaining(left, finished, all && self.validation.is_some());
        // An absurd clock must not make a time that JSON cannot hold.
        self.remaining_s = remaining.filter(|seconds| seconds.is_finite());
    }
}
