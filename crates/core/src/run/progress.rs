//! What a run's events add up to.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{
    Before, CancelReason, ClassFigures, Confusion, Event, Health, Pace, PauseReason, RunEvent, RunState, TrainerEvent,
    Usage, next,
};
use crate::experience::TrialFigures;
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
    /// Seconds of training until then; times of rest do not count.
    pub seconds: f64,
}

/// A request to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Pausing {
    /// Why.
    pub reason: PauseReason,
    /// Whether at once, rather than at the end of the epoch.
    pub now: bool,
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
    /// Set once it is to rest, and while it rests.
    pub pausing: Option<Pausing>,
    /// The trainer said that it ended in order to rest.
    pub paused: bool,
    /// The next event's number.
    pub next_seq: u32,
    /// When the last event came, in milliseconds since 1970 UTC.
    pub last_ms: u64,
    /// When the trainer's first epoch began.
    pub started_ms: Option<u64>,
    /// Since when its epochs go on without a rest; `None`: they do not.
    pub since_ms: Option<u64>,
    /// Seconds it trained before that.
    pub trained_s: f64,
    /// When it came to rest; `None`: it does not rest.
    pub paused_ms: Option<u64>,
    /// When it was over.
    pub ended_ms: Option<u64>,
    /// How often it went on.
    pub resumed: u32,
    /// The last finished epoch when it went on.
    pub resumed_after: u32,
    /// Supervisor's process id.
    pub supervisor: Option<u32>,
    /// Trainer's process id, and when it began in seconds since 1970 UTC.
    pub trainer: Option<(u32, u64)>,
    /// Events the trainer told so far.
    pub heard: u64,
    /// Bytes of the dataset that had to be copied.
    pub copied_bytes: u64,
    /// What identifies the dataset it trains on.
    pub fingerprint: Option<String>,
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
    /// The last epoch is done, and the best weights are measured once more.
    pub finishing: bool,
    /// The running losses of the current epoch.
    pub losses: BTreeMap<String, f64>,
    /// Finished epochs.
    pub history: Vec<EpochPoint>,
    /// Seconds until everything, validation included, is done; `None`: cannot be told yet.
    pub remaining_s: Option<f64>,
    /// Seconds until the current epoch, its validation included, is done; `None`: cannot be told yet.
    pub epoch_remaining_s: Option<f64>,
    /// The newest use of the machine.
    pub usage: Option<Usage>,
    /// The share of the newest minutes of training that went into waiting for images, 0..1; `None`: not measured.
    pub loading_share: Option<f64>,
    /// The most RAM its processes held at one moment, in bytes.
    pub peak_memory: u64,
    /// The most GPU memory the allocator held, in bytes; on several cards, of the first.
    pub peak_gpu_reserved: u64,
    /// The same in the first epoch: what is needed, while later ones also show what the allocator keeps.
    pub first_gpu_reserved: u64,
    /// The most GPU memory that its processes held on one card at one moment, in bytes, as the driver tells; 0: never
    /// told.
    pub peak_gpu_memory: u64,
    /// Whether mixed precision is on; `None`: not told.
    pub amp: Option<bool>,
    /// What a trial run measured.
    pub trial: Option<TrialFigures>,
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
            pausing: None,
            paused: false,
            next_seq: 0,
            last_ms: 0,
            started_ms: None,
            since_ms: None,
            trained_s: 0.0,
            paused_ms: None,
            ended_ms: None,
            resumed: 0,
            resumed_after: 0,
            supervisor: None,
            trainer: None,
            heard: 0,
            copied_bytes: 0,
            fingerprint: None,
            epochs: 0,
            epoch: 0,
            batch: 0,
            batches: 0,
            batch_size: 0,
            imgsz: 0,
            device: String::new(),
            validation: None,
            finishing: false,
            losses: BTreeMap::new(),
            history: Vec::new(),
            remaining_s: None,
            epoch_remaining_s: None,
            usage: None,
            loading_share: None,
            peak_memory: 0,
            peak_gpu_reserved: 0,
            first_gpu_reserved: 0,
            peak_gpu_memory: 0,
            amp: None,
            trial: None,
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
        let was = self.state;
        self.state = next(was, self.before(), &event.event);
        match &event.event {
            Event::Preparing { supervisor } | Event::Adopted { supervisor } => self.supervisor = Some(*supervisor),
            Event::DatasetReady { copied_bytes, fingerprint, .. } => {
                self.copied_bytes = *copied_bytes;
                if fingerprint.is_some() {
                    self.fingerprint.clone_from(fingerprint);
                }
            }
            Event::DatasetHashed { fingerprint } => self.fingerprint = Some(fingerprint.clone()),
            Event::EpochFound { point } => {
                self.history.retain(|before| before.epoch < point.epoch);
                self.history.push(point.clone());
            }
            Event::NotStarted | Event::Lost => {}
            Event::Launched { pid, began_s } => self.trainer = Some((*pid, *began_s)),
            Event::Trainer { said } => {
                self.heard += 1;
                self.hear(said, event.at_ms);
            }
            Event::Usage { usage } => {
                self.usage = Some(*usage);
                self.peak_memory = self.peak_memory.max(usage.memory);
                self.peak_gpu_memory = self.peak_gpu_memory.max(usage.gpu_most.unwrap_or(0));
            }
            Event::CancelRequested { reason } => {
                self.cancelling.get_or_insert(*reason);
            }
            Event::PauseRequested { reason, now } => self.pausing = Some(Pausing { reason: *reason, now: *now }),
            Event::PauseWithdrawn => self.pausing = None,
            Event::Resumed { .. } if was.is_resumable() => self.go_on(),
            Event::Resumed { .. } => {}
            Event::Exited { code, signal } => self.exit = Some((*code, *signal)),
            Event::Found { finding } | Event::Broken { finding } => self.findings.push(finding.clone()),
        }
        self.health.apply(event, self.remaining_s);
        self.loading_share = self.health.loading_share();
        if self.state != was && !self.state.is_active() {
            self.rest(event.at_ms);
        }
    }

    fn before(&self) -> Before {
        Before {
            cancelling: self.cancelling.is_some(),
            pausing: self.pausing.is_some(),
            pausing_now: self.pausing.is_some_and(|pausing| pausing.now),
            paused: self.paused,
            done: self.done,
        }
    }

    /// It rests, or is over.
    fn rest(&mut self, at_ms: u64) {
        if let Some(since_ms) = self.since_ms.take() {
            self.trained_s += seconds(since_ms, at_ms);
        }
        let is_paused = self.state == RunState::Paused;
        self.paused_ms = is_paused.then_some(at_ms);
        self.ended_ms = (!is_paused).then_some(at_ms);
        self.remaining_s = None;
        self.epoch_remaining_s = None;
        self.validation = None;
    }

    /// It goes on: what was said of its end no longer holds.
    fn go_on(&mut self) {
        let epoch = self.history.last().map_or(0, |point| point.epoch);
        let old = std::mem::take(self);
        *self = Self {
            state: old.state,
            next_seq: old.next_seq,
            last_ms: old.last_ms,
            started_ms: old.started_ms,
            trained_s: old.trained_s,
            resumed: old.resumed + 1,
            resumed_after: epoch,
            heard: old.heard,
            fingerprint: old.fingerprint,
            epochs: old.epochs,
            epoch,
            batch: old.batches,
            batches: old.batches,
            batch_size: old.batch_size,
            imgsz: old.imgsz,
            device: old.device,
            history: old.history,
            peak_memory: old.peak_memory,
            peak_gpu_reserved: old.peak_gpu_reserved,
            first_gpu_reserved: old.first_gpu_reserved,
            peak_gpu_memory: old.peak_gpu_memory,
            amp: old.amp,
            best: old.best,
            versions: old.versions,
            health: old.health,
            ..Self::default()
        };
    }

    fn hear(&mut self, said: &TrainerEvent, at_ms: u64) {
        match said {
            TrainerEvent::Boot { .. } | TrainerEvent::Stopped => {}
            TrainerEvent::Paused { .. } => self.paused = true,
            TrainerEvent::Imported { ultralytics, torch } => {
                self.versions = Some((ultralytics.clone(), torch.clone()));
            }
            TrainerEvent::Trial { figures } => {
                self.trial = Some(figures.clone());
                self.done = true;
            }
            TrainerEvent::Start {
                epochs, first_epoch, batch, batches, imgsz, device, val_images, amp, plots, ..
            } => {
                self.started_ms.get_or_insert(at_ms);
                self.since_ms.get_or_insert(at_ms);
                // What went on from an older checkpoint trains the epochs after it again.
                self.history.retain(|point| point.epoch < *first_epoch);
                if (self.batches, self.batch_size, self.imgsz) != (*batches, *batch, *imgsz) {
                    self.pace.start(*batches, *batch, *val_images, *plots);
                }
                if self.batch_size != *batch {
                    // What a larger batch took before memory ran out is not what this one needs.
                    self.first_gpu_reserved = 0;
                }
                self.epochs = *epochs;
                self.batch_size = *batch;
                self.batches = *batches;
                self.imgsz = *imgsz;
                self.device.clone_from(device);
                self.amp = Some(*amp);
                self.epoch = *first_epoch;
                self.batch = 0;
                self.validation = None;
                self.finishing = false;
            }
            TrainerEvent::Batch { epoch, batch, batches, losses, gpu_reserved, seconds, .. } => {
                self.epoch = *epoch;
                self.batch = *batch;
                self.batches = *batches;
                self.losses.clone_from(losses);
                self.peak_gpu_reserved = self.peak_gpu_reserved.max(*gpu_reserved);
                if *epoch == 1 {
                    self.first_gpu_reserved = self.first_gpu_reserved.max(*gpu_reserved);
                }
                self.validation = None;
                self.pace.step(*batch, *batches, *seconds, at_ms);
                self.estimate_remaining();
            }
            TrainerEvent::Validation { epoch, batch, batches } => {
                self.validation = Some((*batch, *batches));
                self.finishing = *epoch > self.epochs;
                self.pace.validation(*batch, *batches);
                self.estimate_remaining();
            }
            TrainerEvent::Epoch { epoch, losses, metrics, seconds, .. } => {
                self.epoch = *epoch;
                self.batch = self.batches;
                self.validation = None;
                self.history.retain(|point| point.epoch < *epoch);
                self.history.push(EpochPoint {
                    epoch: *epoch,
                    losses: losses.clone(),
                    metrics: metrics.clone(),
                    seconds: self.trained_s + *seconds,
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
                self.epoch_remaining_s = None;
            }
            // The first error is the cause; those after it are its consequences in other processes.
            TrainerEvent::Error { class, text, traceback } => {
                self.error.get_or_insert_with(|| (class.clone(), text.clone(), traceback.clone()));
            }
        }
    }

    fn estimate_remaining(&mut self) {
        let finished = self.history.last().is_some_and(|point| point.epoch == self.epoch);
        let left = self.epochs.saturating_sub(self.epoch);
        let (remaining, epoch) = self.pace.remaining(left, finished, self.finishing);
        // An absurd clock must not make a time that JSON cannot hold.
        self.remaining_s = remaining.filter(|seconds| seconds.is_finite());
        self.epoch_remaining_s = epoch.filter(|seconds| seconds.is_finite());
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of a run are far below 2^53")]
pub(super) fn seconds(from_ms: u64, to_ms: u64) -> f64 {
    to_ms.saturating_sub(from_ms) as f64 / 1000.0
}
