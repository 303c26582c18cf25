//! How much memory a training needs.

use serde::{Deserialize, Serialize};

use crate::dataset::Dataset;
use crate::facts::Fact;
use crate::machine::{self, Computer, GpuMemory, Gpus, ResolvedDevice};
use crate::plan::Plan;
use crate::text::Message;

mod graph;
mod need;
mod setup;

pub use graph::Graph;
use need::Need;
pub use need::Terms;
pub use setup::{Boxes, Device, Setup};

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
    /// The largest of these that the dataset's images fill: the trainer takes no image twice for a step.
    pub useful_batch: Option<u32>,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

/// What torch's allocator takes of one card in the first epoch, as the trainer prints it; `None`: the model's graph is not
/// known.
#[must_use]
pub fn reserved(setup: &Setup) -> Option<Interval> {
    Need::of(setup).map(|need| need.reserved())
}

/// What the constants of [`reserved`] are multiplied with; `None`: the model's graph is not known.
#[must_use]
pub fn terms(setup: &Setup) -> Option<Terms> {
    Need::of(setup).map(|need| need.terms())
}

/// What a training needs on its device, CUDA's own memory included, and its parts; `None`: the model's graph is not known.
#[must_use]
pub fn need(setup: &Setup) -> Option<(Interval, Vec<Part>)> {
    Need::of(setup).map(|need| (need.shown(), need.parts()))
}

/// The largest batch over all cards that fits for sure into so many bytes; 0: none. `None`: the model's graph is not known.
#[must_use]
pub fn largest_batch(setup: &Setup, supply: u64) -> Option<u32> {
    need::largest_batch(setup, supply)
}

/// The largest image size, a multiple of 32 pixels, that fits for sure into so many bytes; 0: none. `None`: the model's graph
/// is not known.
#[must_use]
pub fn largest_image_size(setup: &Setup, supply: u64) -> Option<u32> {
    /// In multiples of 32 pixels: 8192.
    const LARGEST: u32 = 256;
    Need::of(setup)?;
    let fits = |steps| {
        let setup = Setup { imgsz: steps * 32, ..setup.clone() };
        Need::of(&setup).is_some_and(|need| need.shown().high <= supply)
    };
    Some(need::largest(LARGEST, fits) * 32)
}

/// The largest usual image size below the plan's with which its batch fits for sure; `own`: the figures of a model that is
/// not a published one.
#[must_use]
pub fn fitting_image_size(
    plan: &Plan,
    own: Option<Graph>,
    dataset: Option<&Dataset>,
    gpus: &Fact<Gpus>,
    supply: u64,
) -> Option<u32> {
    const USUAL: [u32; 9] = [1280, 1024, 960, 800, 640, 512, 416, 320, 256];
    let device = machine::resolve(plan.device(), gpus).ok()?;
    let setup = Setup { graph: own, ..Setup::of_plan(plan, dataset, &device, gpus) };
    let largest = largest_image_size(&setup, supply)?.min(plan.training.imgsz.saturating_sub(1));
    USUAL.into_iter().find(|size| *size <= largest)
}

/// The largest smaller model of the plan's family that fits for sure, everything else as planned.
#[must_use]
pub fn fitting_model(plan: &Plan, dataset: Option<&Dataset>, gpus: &Fact<Gpus>, supply: u64) -> Option<&'static str> {
    let device = machine::resolve(plan.device(), gpus).ok()?;
    let setup = Setup::of_plan(plan, dataset, &device, gpus);
    let planned = crate::models::card(&plan.model.name)?;
    let smaller = crate::models::ALL
        .iter()
        .filter(|card| card.family == planned.family && card.parameters_millions < planned.parameters_millions);
    let fits = |name: &str| {
        let setup = Setup { model: name.to_owned(), ..setup.clone() };
        Need::of(&setup).is_some_and(|need| need.shown().high <= supply)
    };
    smaller.map(|card| card.name.as_str()).rfind(|name| fits(name))
}

/// Bytes a new process could take on the device, and bytes it has in all; `None`: unknown. Of several cards, those of the
/// fullest.
pub(crate) fn supply(
    device: &ResolvedDevice,
    computer: &Fact<Computer>,
    gpus: &Fact<Gpus>,
) -> (Option<u64>, Option<u64>) {
    match device {
        // Apple's GPU has no memory of its own.
        ResolvedDevice::Processor | ResolvedDevice::Mps => {
            let computer = computer.known();
            (computer.map(|computer| computer.memory_available), computer.map(|computer| computer.memory_total))
        }
        ResolvedDevice::Gpus(_) | ResolvedDevice::Slice { .. } => {
            let cards = gpus.known().map(|gpus| gpus.of(device)).unwrap_or_default();
            let memories: Option<Vec<GpuMemory>> = cards.iter().map(|card| card.memory.known().copied()).collect();
            let fullest = memories.into_iter().flatten().min_by_key(|memory| memory.free);
            (fullest.map(|memory| memory.free), fullest.map(|memory| memory.total))
        }
    }
}
