//! A launched plan: its events, its state, and what both add up to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::environment::Environment;
use crate::experience::Shape;
use crate::plan::Plan;

pub mod arguments;
mod changes;
mod event;
mod health;
mod pace;
mod progress;
mod state;
pub mod table;

pub use changes::Changes;
pub use event::{ClassFigures, Confusion, Event, GpuTrouble, RunEvent, TrainerEvent, Usage};
pub(crate) use health::{BESIDE_CHECKPOINTS, checkpoint};
pub use health::{Health, room_to_go_on};
pub use pace::Pace;
pub use progress::{EpochPoint, Pausing, Progress};
pub use state::{Before, CancelReason, PauseReason, ResumeReason, RunState, next};

/// The version of the run folder this build writes. 2: a run can be paused and go on; what it ran on is written down.
pub const FORMAT: u32 = 2;

/// What a run is started with: `run.json` of its folder. Written anew when it goes on with something changed; those
/// before are kept beside it.
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
    /// Variables it has from the app's own environment that bear on training.
    #[serde(default)]
    pub inherited: BTreeMap<String, String>,
    /// What it runs on; `None`: a run of format 1.
    #[serde(default)]
    pub hardware: Option<Hardware>,
    /// Version of the app that made it.
    pub app_version: String,
    /// The plan is only tried out; `None`: it is a training.
    #[serde(default)]
    pub trial: Option<TryOut>,
}

/// How a plan is tried out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct TryOut {
    /// The training it stands for.
    pub shape: Shape,
    /// Images per step on the one card, or the processor, that is tried.
    pub batch: u32,
    /// Images to train on, those with most boxes. Where there are fewer, they count several times.
    pub train: u32,
    /// Images to validate on, those with most boxes; never more than there are.
    pub val: u32,
}

/// The machine as it was when a run was started: what could not be seen is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(default)]
pub struct Hardware {
    /// The system's own name and version.
    pub system: String,
    /// The processor's name.
    pub cpu: String,
    /// Memory in bytes.
    pub memory: u64,
    /// Version of the NVIDIA driver.
    pub driver: String,
    /// Names of the cards, by NVML index.
    pub gpus: Vec<String>,
}

#[cfg(test)]
mod tests;
