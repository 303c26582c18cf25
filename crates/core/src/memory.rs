//! How much memory a training needs.

use serde::{Deserialize, Serialize};

use crate::dataset::Dataset;
use crate::facts::Fact;
use crate::machine::{Computer, Gpus};
use crate::plan::Plan;
use crate::text::Message;

/// An interval, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Interval {
    /// It will hardly be less.
    pub low: u64,
    /// Most likely.
    pub expected: u64,
    /// It will hardly be more.
    pub high: u64,
}

/// What a training needs, and of what it is made up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Estimate {
    /// GPU memory on each card, or RAM when the CPU trains.
    pub need: Interval,
    /// The expected value's parts, largest first.
    pub parts: Vec<Part>,
    /// What is there to take: free memory of the card, or available RAM; `None`: unknown.
    pub supply: Option<u64>,
    /// All of the card's memory, or of the RAM; `None`: unknown.
    pub capacity: Option<u64>,
    /// How need and supply compare; `None`: the supply is unknown.
    pub zone: Option<Zone>,
    /// The largest batch that fits for sure; `None`: the supply is unknown. 0: none.
    pub largest_batch: Option<u32>,
}

/// A part of the need.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Part {
    /// What it is (`memory-part-…`).
    pub name: Message,
    /// Bytes.
    pub bytes: u64,
}

/// How need and supply compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Zone {
    /// Supply ≥ high.
    Fits,
    /// Expected ≤ supply < high.
    Tight,
    /// Low ≤ supply < expected.
    Unlikely,
    /// Supply < low.
    Impossible,
}

impl Zone {
    /// Where a supply lies in the need's interval.
    #[must_use]
    pub fn of(need: Interval, supply: u64) -> Self {
        if supply >= need.high {
            Self::Fits
        } else if supply >= need.expected {
            Self::Tight
        } else if supply >= need.low {
            Self::Unlikely
        } else {
            Self::Impossible
        }
    }
}

/// How much memory a plan needs.
#[must_use]
pub fn estimate(
    _plan: &Plan,
    _dataset: Option<&Dataset>,
    _computer: &Fact<Computer>,
    _gpus: &Fact<Gpus>,
) -> Option<Estimate> {
    None
}
