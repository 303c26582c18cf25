//! What happens to a run, in the order it happens.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{CancelReason, Changes, EpochPoint, PauseReason, ResumeReason};
use crate::experience::TrialFigures;
use crate::finding::Finding;

/// One line of a run's `events.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct RunEvent {
    /// Counted from 0 without gaps.
    pub seq: u32,
    /// When, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// What happened.
    pub event: Event,
}

/// What happened to a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// The supervisor took it on.
    Preparing {
        /// The supervisor's process id.
        supervisor: u32,
    },
    /// The dataset's shadow tree is done.
    DatasetReady {
        /// Files linked.
        linked: u32,
        /// Files copied, because the trainer would rewrite them or links can't be had.
        copied: u32,
        /// Bytes copied.
        copied_bytes: u64,
        /// Of a run of an earlier version: another hash than that of [`Event::DatasetHashed`].
        #[serde(default)]
        fingerprint: Option<String>,
    },
    /// What the dataset holds was read through.
    DatasetHashed {
        /// Identifies it: the same images, labels, splits and classes have the same, wherever they lie.
        fingerprint: String,
    },
    /// The trainer's process was started.
    Launched {
        /// Its process id, which is that of its session too.
        pid: u32,
        /// When the system says it began, in seconds since 1970 UTC: a process id alone may be another's by now.
        began_s: u64,
    },
    /// Its supervisor died and another took it over while the trainer works on.
    Adopted {
        /// The new supervisor's process id.
        supervisor: u32,
    },
    /// The trainer said something.
    Trainer {
        /// What.
        said: TrainerEvent,
    },
    /// An epoch was finished and saved that the trainer did not come to tell of; its own table has it.
    EpochFound {
        /// What it came to.
        point: EpochPoint,
    },
    /// What the trainer's processes use.
    Usage {
        /// The use.
        usage: Usage,
    },
    /// Someone asked to end it.
    CancelRequested {
        /// Why.
        reason: CancelReason,
    },
    /// It is to rest.
    PauseRequested {
        /// Why.
        reason: PauseReason,
        /// Whether at once, without the rest of the epoch; otherwise at the end of the epoch.
        now: bool,
    },
    /// It need not rest after all.
    PauseWithdrawn,
    /// It goes on from its newest checkpoint.
    Resumed {
        /// By whom.
        by: ResumeReason,
        /// What is different from now on.
        changes: Changes,
    },
    /// The trainer's process is gone. Neither code nor signal: it was another supervisor's child.
    Exited {
        /// Its exit code.
        code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
    },
    /// Something about this run that a person should know; the state stays as it is.
    Found {
        /// What.
        finding: Finding,
    },
    /// It was ended before the trainer's process was started.
    NotStarted,
    /// It could not even be started, or its folder could not be written.
    Broken {
        /// What broke it.
        finding: Finding,
    },
    /// Its supervisor was found dead.
    Lost,
}

/// What the trainer's processes use at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Usage {
    /// CPU time per wall time; 2.0 is two busy cores.
    pub cpu: f32,
    /// RAM in bytes, over all its processes.
    pub memory: u64,
    /// GPU memory in bytes that its processes hold; `None`: no GPU, or not told.
    pub gpu_memory: Option<u64>,
    /// Of that, what they hold on the card on which they hold most; `None`: no GPU, or not told.
    #[serde(default)]
    pub gpu_most: Option<u64>,
    /// GPU utilisation in percent; `None`: no GPU, or not told.
    pub gpu_utilization: Option<u32>,
    /// Of the fullest card they are on: free bytes, and bytes in all; `None`: no GPU, or not told.
    #[serde(default)]
    pub gpu_free: Option<(u64, u64)>,
    /// How the card they are on is; `None`: no GPU, or not told.
    #[serde(default)]
    pub gpu_trouble: Option<GpuTrouble>,
    /// RAM of this computer that can still be had, and RAM in all, in bytes; `None`: not told.
    #[serde(default)]
    pub memory_free: Option<(u64, u64)>,
    /// Free bytes on the volume of the run's folder; `None`: not told.
    #[serde(default)]
    pub disk_free: Option<u64>,
}

/// What is wrong with a card that a training runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "trouble", rename_all = "snake_case")]
pub enum GpuTrouble {
    /// The driver says that it is lost: it does not answer any more.
    Lost,
    /// It slows itself down because of heat.
    Hot {
        /// In degrees Celsius; `None`: not told.
        temperature: Option<u32>,
    },
}

/// A JSON line of `train.py`, the same for every target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TrainerEvent {
    /// Python runs.
    Boot {
        /// Its process id.
        pid: u32,
        /// Python version.
        python: String,
    },
    /// The libraries are imported.
    Imported {
        /// Ultralytics version.
        ultralytics: String,
        /// torch version.
        torch: String,
    },
    /// An epoch is about to begin with these effective values. Told before the first epoch, and again when the
    /// trainer changed one of them (it halves the batch when the GPU's memory runs out).
    Start {
        /// Passes over the data.
        epochs: u32,
        /// The first epoch of this process, counted from 1.
        first_epoch: u32,
        /// Images per step, after the trainer's own changes.
        batch: u32,
        /// Steps per epoch.
        batches: u32,
        /// Image size in pixels, after the trainer's own changes.
        imgsz: u32,
        /// The device, as torch names it.
        device: String,
        /// Whether mixed precision is on.
        amp: bool,
        /// The optimizer's class.
        optimizer: String,
        /// Parameters of the model.
        parameters: u64,
        /// Images it trains on.
        train_images: u32,
        /// Images it validates on.
        val_images: u32,
        /// Whether curves are drawn at the end.
        #[serde(default)]
        plots: bool,
    },
    /// A step is done. Not every step is told: at most four a second, fewer once training has gone on for minutes,
    /// and the last of an epoch always.
    Batch {
        /// Counted from 1.
        epoch: u32,
        /// Counted from 1.
        batch: u32,
        /// Steps per epoch.
        batches: u32,
        /// Running means of the losses, by name; one that is no finite number is left out.
        losses: BTreeMap<String, f64>,
        /// Bytes the GPU allocator holds; 0 on the CPU.
        gpu_reserved: u64,
        /// Seconds since this process began to train, on a clock that nobody sets.
        #[serde(default)]
        seconds: Option<f64>,
        /// Names of the losses that are no finite number any more.
        #[serde(default)]
        not_finite: Vec<String>,
        /// Share of the time since the step told before that went into waiting for images, 0..1; `None`: the first
        /// step of an epoch, which starts the workers, or a trainer that does not measure it.
        #[serde(default)]
        loading: Option<f64>,
    },
    /// A validation step is done; told as often as training steps are.
    Validation {
        /// Counted from 1; one more than `epochs` for the final validation of the best weights.
        epoch: u32,
        /// Counted from 1.
        batch: u32,
        /// Steps in all.
        batches: u32,
    },
    /// An epoch, with its validation, is done.
    Epoch {
        /// Counted from 1.
        epoch: u32,
        /// Mean losses of training, by name; one that is no finite number is left out.
        losses: BTreeMap<String, f64>,
        /// Names of those losses that are left out.
        #[serde(default)]
        not_finite: Vec<String>,
        /// What validation measured, as Ultralytics names it: `metrics/mAP50(B)`, …
        metrics: BTreeMap<String, f64>,
        /// Learning rates by parameter group.
        learning_rates: BTreeMap<String, f64>,
        /// Seconds since this process began to train.
        seconds: f64,
    },
    /// Weights were written.
    Saved {
        /// Counted from 1.
        epoch: u32,
        /// The newest weights.
        last: PathBuf,
        /// The best weights so far.
        best: PathBuf,
        /// Whether this epoch's are the best so far.
        is_best: bool,
    },
    /// Training finished.
    Done {
        /// What the final validation of the best weights measured.
        metrics: BTreeMap<String, f64>,
        /// The best weights.
        best: PathBuf,
        /// The folder that holds everything the trainer wrote.
        folder: PathBuf,
        /// Seconds since training began.
        seconds: f64,
        /// The same for each class, where the trainer tells it.
        #[serde(default)]
        classes: Vec<ClassFigures>,
        /// Which classes are taken for which, where the trainer tells it and they are not too many to be shown.
        #[serde(default)]
        confusion: Option<Confusion>,
    },
    /// A trial run is done.
    Trial {
        /// What it measured.
        figures: TrialFigures,
    },
    /// It ended after this epoch in order to go on later.
    Paused {
        /// Counted from 1.
        epoch: u32,
    },
    /// It ended early because it was asked to.
    Stopped,
    /// It failed.
    Error {
        /// The exception's class.
        class: String,
        /// Its text.
        text: String,
        /// Where it was raised.
        traceback: String,
    },
}

/// What the final validation measured of one class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct ClassFigures {
    /// The class.
    pub name: String,
    /// Validation images that show it.
    pub images: u32,
    /// Its boxes in them.
    pub instances: u32,
    /// Of the boxes drawn, the share that is right.
    pub precision: f64,
    /// Of the objects there, the share that is found.
    pub recall: f64,
    /// Mean average precision at an overlap of 0.5.
    pub map50: f64,
    /// The same, averaged over overlaps from 0.5 to 0.95.
    pub map50_95: f64,
}

/// Which classes the final validation saw taken for which.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Confusion {
    /// The classes; after the last one comes what is no object.
    pub names: Vec<String>,
    /// For each class that the model saw, how often it was which class really.
    pub counts: Vec<Vec<u32>>,
}
