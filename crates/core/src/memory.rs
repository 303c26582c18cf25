//! How much memory a training needs.

use serde::{Deserialize, Serialize};

use crate::dataset::{Dataset, SplitKind};
use crate::facts::Fact;
use crate::machine::{self, Computer, GpuMemory, Gpus, ResolvedDevice};
use crate::plan::Plan;
use crate::text::Message;

mod training;

use training::Training;

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

/// How much memory a plan needs on the device that will train it, and how that compares with what is there.
///
/// `None`: it is not clear which device trains, or the model has no figures.
#[must_use]
pub fn estimate(
    plan: &Plan,
    dataset: Option<&Dataset>,
    computer: &Fact<Computer>,
    gpus: &Fact<Gpus>,
) -> Option<Estimate> {
    let device = machine::resolve(plan.device(), gpus).ok()?;
    let training = Training::of(plan, dataset, &device, gpus)?;
    let (supply, capacity) = supply(&device, computer, gpus);
    let need = training.need();
    let largest_batch = supply.map(|supply| training.largest_batch(supply));
    let images = dataset.and_then(|dataset| dataset.split(SplitKind::Train)).map(|split| split.images);
    let filled = |batch: u32| images.filter(|images| *images > 0).map_or(batch, |images| batch.min(images));
    Some(Estimate {
        need,
        parts: training.parts(),
        supply,
        capacity,
        zone: supply.map(|supply| Zone::of(need, supply)),
        largest_batch,
        useful_batch: largest_batch.map(filled),
    })
}

/// The largest usual image size below the plan's with which its batch fits for sure.
#[must_use]
pub fn fitting_image_size(plan: &Plan, dataset: Option<&Dataset>, gpus: &Fact<Gpus>, supply: u64) -> Option<u32> {
    const USUAL: [u32; 9] = [1280, 1024, 960, 800, 640, 512, 416, 320, 256];
    let device = machine::resolve(plan.device(), gpus).ok()?;
    USUAL.into_iter().filter(|size| *size < plan.training.imgsz).find(|size| {
        let mut smaller = plan.clone();
        smaller.training.imgsz = *size;
        Training::of(&smaller, dataset, &device, gpus).is_some_and(|training| training.need().high <= supply)
    })
}

/// Bytes a new process could take on the device, and bytes it has in all. Of several cards, those of the fullest.
fn supply(device: &ResolvedDevice, computer: &Fact<Computer>, gpus: &Fact<Gpus>) -> (Option<u64>, Option<u64>) {
    match device {
        ResolvedDevice::Processor => {
            let computer = computer.known();
            (computer.map(|computer| computer.memory_available), computer.map(|computer| computer.memory_total))
        }
        ResolvedDevice::Gpus(indices) => {
            let memories: Option<Vec<GpuMemory>> = indices
                .iter()
                .map(|index| gpus.known().and_then(|gpus| gpus.card(*index)?.memory.known().copied()))
                .collect();
            let fullest = memories.into_iter().flatten().min_by_key(|memory| memory.free);
            (fullest.map(|memory| memory.free), fullest.map(|memory| memory.total))
        }
    }
}
