//! What was observed before deciding.

use serde::{Deserialize, Serialize};

use crate::account::{Amount, Connector, Look};
use crate::dataset::Dataset;
use crate::environment::EnvironmentState;
use crate::experience::Experience;
use crate::machine::{Computer, Gpus, Surroundings, Volume};
use crate::memory::Graph;
use crate::text::Message;
use crate::weights::Contents;

/// One observed thing about the world, or why it could not be observed. "Could not ask" is never "zero".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Fact<T> {
    /// It was seen.
    Known(T),
    /// It was not seen, for this reason.
    Unknown(Message),
}

impl<T> Fact<T> {
    /// The value, if it was seen.
    #[must_use]
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Unknown(_) => None,
        }
    }

    /// What follows from the value, if it was seen.
    #[must_use]
    pub fn and_then<U>(self, next: impl FnOnce(T) -> Fact<U>) -> Fact<U> {
        match self {
            Self::Known(value) => next(value),
            Self::Unknown(reason) => Fact::Unknown(reason),
        }
    }

    /// Not seen, for the reason with this sentence id (`reason-…`).
    #[must_use]
    pub fn unknown(reason: &str) -> Self {
        Self::Unknown(Message::new(reason))
    }
}

/// Everything the checks may look at for one plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The plan's dataset, read and judged.
    pub dataset: Fact<Dataset>,
    /// NVIDIA cards and driver.
    pub gpus: Fact<Gpus>,
    /// Processor, memory, system.
    pub computer: Fact<Computer>,
    /// The volume that holds runs.
    pub volume: Fact<Volume>,
    /// The training environment.
    pub environment: Fact<EnvironmentState>,
    /// Where the plan's first weights are.
    pub weights: Fact<WeightsState>,
    /// What the plan's own weights keep in memory while they learn; `None`: the model is a published one.
    pub own_model: Fact<Option<Graph>>,
    /// What earlier trainings showed on this computer.
    pub experience: Experience,
    /// What lies around the cards.
    pub surroundings: Fact<Surroundings>,
    /// From this share of used memory on a card counts as busy, in percent.
    pub busy_above: u32,
    /// The account on the plan's platform; `None`: the plan needs none.
    pub account: Option<Fact<AccountSeen>>,
}

/// An account that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AccountSeen {
    /// What was seen.
    pub look: Look,
    /// How its answer is read.
    pub connector: Connector,
    /// GPU hours below which a person is warned.
    pub threshold: Amount,
}

/// The share of used memory from which on a card counts as busy, in percent, where nobody set another.
pub const BUSY_ABOVE: u32 = 90;

/// Whether the first weights are at hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum WeightsState {
    /// None are needed: training starts from scratch.
    NotNeeded,
    /// They are on this computer.
    Present {
        /// The file.
        path: std::path::PathBuf,
        /// Its size in bytes.
        bytes: u64,
        /// What it holds.
        holds: Contents,
        /// It was downloaded, and is no longer what came down.
        changed: bool,
    },
    /// They are not on this computer.
    Missing {
        /// Where they would be.
        path: std::path::PathBuf,
    },
    /// A file is there that is no checkpoint.
    Unreadable {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it, e.g. `reason-not-a-checkpoint`.
        why: Message,
    },
}
