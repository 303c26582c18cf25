//! A launched plan: its events, its state, and what both add up to.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::environment::Environment;
use crate::finding::Finding;
use crate::plan::Plan;

pub mod arguments;
mod health;
mod pace;
mod progress;

pub(crate) use health::{BESIDE_CHECKPOINTS, checkpoint};
pub use health::{Health, room_to_go_on};
pub use pace::Pace;
pub use progress::{EpochPoint, Progress};

/// The version of the run folder this build writes.
pub const FORMAT: u32 = 1;

/// The life of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Written down, not begun.
    Queued,
    /// The dataset's shadow tree is made and the trainer is starting.
    Preparing,
    /// The trainer works.
    Running,
    /// Stopped on purpose in a way that can go on.
    Paused,
    /// It finished.
    Succeeded,
    /// It ended by itself without finishing.
    Failed,
    /// A person ended it.
    Cancelled,
    /// It was found dead: nobody wrote down how it ended.
    Lost,
}

impl RunState {
    /// Whether nothing more will happen by itself.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled | Self::Lost)
    }
}

/// Why a run was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum CancelReason {
    /// A person asked for it.
    User,
    /// The command that follows it was interrupted.
    Interrupted,
}

/// What does not change about a run: `run.json` of its folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct RunRecord {
    /// Version of the folder's format, [`FORMAT`].
    pub format: u32,
    /// Names the folder; sorts by time.
    pub id: String,
    /// When it was made, in milliseconds since 1970 UTC.
    pub created_ms: u64,
    /// What is run.
    pub plan: Plan,
    /// Codes of the predicted blockers a person accepted.
    pub accepted: Vec<String>,
    /// The environment that trains.
    pub environment: Environment,
    /// The device as Ultralytics is told: `cpu` or `0,1`.
    pub device: String,
    /// The command, as an argument vector.
    pub command: Vec<String>,
    /// What the trainer's process has in its environment beyond what the app has in its own.
    pub variables: BTreeMap<String, String>,
    /// Version of the app that made it.
    pub app_version: String,
}

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
    },
    /// The trainer's process was started.
    Launched {
        /// Its process id, which is that of its session too.
        pid: u32,
        /// When the system says it began, in seconds since 1970 UTC: a process id alone may be another's by now.
        began_s: u64,
    },
    /// The trainer said something.
    Trainer {
        /// What.
        said: TrainerEvent,
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
    /// The trainer's process is gone.
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
        /// Seconds since training began.
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

/// What was said before that decides how an end is to be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Before {
    /// Someone asked to end it.
    pub cancelling: bool,
    /// The trainer said that it finished.
    pub done: bool,
}

/// The state after an event. Pure; the supervisor, the app and the CLI agree because they all use it.
///
/// An event that makes no sense in a state (a trainer's word after the end) leaves it as it is: the log of a
/// run must stay readable whatever happened. A state never goes back.
#[must_use]
pub fn next(state: RunState, before: Before, event: &Event) -> RunState {
    if state.is_over() {
        return state;
    }
    match event {
        Event::Preparing { .. } | Event::DatasetReady { .. } | Event::Launched { .. } if state == RunState::Queued => {
            RunState::Preparing
        }
        Event::Trainer { said: TrainerEvent::Start { .. } } => RunState::Running,
        Event::Preparing { .. }
        | Event::DatasetReady { .. }
        | Event::Launched { .. }
        | Event::Trainer { .. }
        | Event::Usage { .. }
        | Event::CancelRequested { .. }
        | Event::Found { .. } => state,
        // A training that was done before the request to end it arrived is done.
        Event::Exited { code: Some(0), .. } if before.done => RunState::Succeeded,
        Event::Exited { .. } | Event::NotStarted | Event::Lost if before.cancelling => RunState::Cancelled,
        Event::Exited { .. } | Event::NotStarted | Event::Broken { .. } => RunState::Failed,
        Event::Lost => RunState::Lost,
    }
}

#[cfg(test)]
mod tests;
