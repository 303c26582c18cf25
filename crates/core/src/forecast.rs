//! What a training needs and how long it takes, by the best that is known: a trial run of it, else the estimate, as the
//! trainings that finished on this card correct it.
//!
//! [`crate::memory`] knows models; this knows the computer.

use serde::{Deserialize, Serialize};

use crate::dataset::Dataset;
use crate::duration::{self, Expected};
use crate::environment::{Environment, EnvironmentState};
use crate::experience::{Calibration, Experience, Shape, Trial};
use crate::facts::{Fact, Facts};
use crate::machine::{self, Computer, Gpus, ResolvedDevice};
use crate::memory::{self, Device, Estimate, Graph, Interval, Part, Setup, Zone};
use crate::plan::{Plan, Target};

mod outlook;

pub use outlook::{Alternative, BatchRow, Card, Holder, ModelCell, ModelRow, Outlook, Precision, outlook};

/// What is known when a plan is judged.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The plan's dataset.
    pub dataset: Option<&'a Dataset>,
    /// The computer.
    pub computer: &'a Fact<Computer>,
    /// Its cards.
    pub gpus: &'a Fact<Gpus>,
    /// The environment that will train.
    pub environment: Option<&'a Environment>,
    /// What earlier trainings showed.
    pub known: &'a Experience,
    /// As [`Facts::own_model`].
    pub own_model: &'a Fact<Option<Graph>>,
}

impl<'a> Seen<'a> {
    /// What these facts say.
    #[must_use]
    pub fn of(facts: &'a Facts) -> Self {
        let environment = match facts.environment.known() {
            Some(EnvironmentState::Ready { environment }) => Some(environment),
            _ => None,
        };
        Self {
            dataset: facts.dataset.known(),
            computer: &facts.computer,
            gpus: &facts.gpus,
            environment,
            known: &facts.experience,
            own_model: &facts.own_model,
        }
    }
}

/// What a training needs, by the best that is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Forecast {
    /// Need, supply, and how they compare.
    pub estimate: Estimate,
    /// What the need rests on.
    pub source: Source,
    /// How long it takes; `None`: it cannot be told.
    pub time: Option<Expected>,
}

/// What a need rests on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Source {
    /// The model's graph alone.
    Estimate,
    /// The same, as trainings that finished on this card correct it.
    Calibration {
        /// The correction.
        calibration: Calibration,
    },
    /// A trial run of this very training measured it.
    Trial {
        /// When, in milliseconds since 1970 UTC.
        at_ms: u64,
    },
}

/// A need that a trial run measured, beside what it measured. It saw the fullest images, so that most epochs need a
/// little less; gaps between the allocator's blocks grow over the epochs. Setups that people repeat on one machine scatter
/// by a few percent.
const MEASURED: [f64; 3] = [0.95, 1.0, 1.08];
/// The same of RAM, which the system shares out more freely.
const MEASURED_RAM: [f64; 3] = [0.9, 1.0, 1.15];
/// The part that torch's allocator knows nothing of, and that no training can be calibrated by.
const OUTSIDE: &str = "memory-part-context";
/// Nobody trains with more images per step on one card.
const LARGEST_BATCH: u32 = 1024;

/// What a plan needs and how long it takes; `None`: it is not clear which device trains, or the model has no figures.
#[must_use]
pub fn forecast(plan: &Plan, seen: Seen<'_>) -> Option<Forecast> {
    Case::of(plan, seen)?.forecast()
}

/// How long a plan takes, wherever it trains; `None`: it cannot be told.
#[must_use]
pub fn time(plan: &Plan, seen: Seen<'_>) -> Option<Expected> {
    match &plan.target {
        Target::ThisComputer { .. } => Case::of(plan, seen)?.time(),
        Target::Platform { card, cards, .. } => {
            duration::elsewhere(plan, seen.dataset?, card.as_deref(), *cards, seen.known)
        }
    }
}

/// A plan with everything that does not depend on its batch.
#[derive(Debug, Clone)]
struct Case<'a> {
    plan: Plan,
    seen: Seen<'a>,
    device: ResolvedDevice,
    setup: Setup,
    /// `None`: the dataset is not known.
    shape: Option<Shape>,
    calibration: Calibration,
    supply: Option<u64>,
    capacity: Option<u64>,
}

impl<'a> Case<'a> {
    fn of(plan: &Plan, seen: Seen<'a>) -> Option<Self> {
        let device = machine::resolve(plan.device(), seen.gpus).ok().filter(|_| plan.is_local())?;
        let mut setup = Setup::of_plan(plan, seen.dataset, &device, seen.gpus);
        setup.graph = *seen.own_model.known()?;
        setup.ultralytics = seen.environment.map(|environment| environment.ultralytics.clone());
        setup.torch = seen.environment.map(|environment| environment.torch.clone());
        let shape = seen.dataset.map(|dataset| Shape::of_plan(plan, dataset, &device, seen.gpus, seen.environment));
        let calibration = calibration(&setup, seen.known);
        let (supply, capacity) = memory::supply(&device, seen.computer, seen.gpus);
        Some(Self { plan: plan.clone(), seen, device, setup, shape, calibration, supply, capacity })
    }

    /// The same with another batch.
    fn with_batch(&self, batch: u32) -> Self {
        let mut case = self.clone();
        case.plan.training.batch = batch;
        case.setup.batch = batch;
        if let Some(shape) = &mut case.shape {
            shape.batch = batch;
        }
        case
    }

    /// Whether a card trains.
    fn on_card(&self) -> bool {
        self.device.is_card()
    }

    fn trial(&self) -> Option<&'a Trial> {
        self.seen.known.trial(self.shape.as_ref()?)
    }

    fn zone(&self, need: Interval) -> Option<Zone> {
        self.supply.map(|supply| Zone::of(need, supply))
    }

    fn forecast(&self) -> Option<Forecast> {
        let (estimated, parts) = calibrated(&self.setup, self.calibration.factor)?;
        let measured = self.trial().and_then(|trial| Some((measured(trial, &self.setup, estimated)?, trial.at_ms)));
        let need = measured.map_or(estimated, |(need, _)| need);
        let zone = self.zone(need);
        let mut largest_batch = self.supply.and_then(|supply| self.largest_batch(supply));
        if zone == Some(Zone::Fits) {
            largest_batch = largest_batch.map(|largest| largest.max(self.plan.training.batch));
        }
        let filled =
            |batch: u32| self.setup.images.filter(|images| *images > 0).map_or(batch, |images| batch.min(images));
        let source = match (measured, self.calibration.runs) {
            (Some((_, at_ms)), _) => Source::Trial { at_ms },
            (None, 0) => Source::Estimate,
            (None, _) => Source::Calibration { calibration: self.calibration },
        };
        Some(Forecast {
            estimate: Estimate {
                need,
                parts: scaled_to(parts, need.expected),
                supply: self.supply,
                capacity: self.capacity,
                zone,
                largest_batch,
                useful_batch: largest_batch.map(filled),
            },
            source,
            time: self.time(),
        })
    }

    fn time(&self) -> Option<Expected> {
        let (shape, dataset) = (self.shape.as_ref()?, self.seen.dataset?);
        duration::expected(&self.plan, dataset, shape, self.seen.computer.known(), self.seen.known)
    }

    /// The largest batch over all cards that fits for sure, as far as it was not measured; 0: none.
    fn largest_batch(&self, supply: u64) -> Option<u32> {
        largest_batch(&self.setup, self.calibration, supply)
    }
}

/// What a setup needs, corrected.
#[derive(Debug, Clone, PartialEq)]
pub struct Corrected {
    /// What the device shows.
    pub shown: Interval,
    /// What torch's allocator takes of it in the first epoch, which is what the trainer prints.
    pub reserved: Interval,
    /// What the expected figure of `shown` is made of.
    pub parts: Vec<Part>,
}

/// What a setup needs as finished trainings correct it; `None`: the model's graph is not known.
#[must_use]
pub fn corrected(setup: &Setup, calibration: Calibration) -> Option<Corrected> {
    let (shown, parts) = calibrated(setup, calibration.factor)?;
    let Interval { low, expected, high } = memory::reserved(setup)?;
    let [low, expected, high] = [low, expected, high].map(|bytes| scaled(bytes, calibration.factor));
    Some(Corrected { shown, reserved: Interval { low, expected, high }, parts })
}

/// The largest batch over all cards that fits for sure into so many bytes; 0: none. `None`: the model's graph is not known.
#[must_use]
pub fn largest_batch(setup: &Setup, calibration: Calibration, supply: u64) -> Option<u32> {
    if calibration.runs == 0 {
        return memory::largest_batch(setup, supply);
    }
    memory::need(setup)?;
    let cards = cards(setup);
    let fits = |batch: u32| {
        let setup = Setup { batch: batch * cards, images: None, ..setup.clone() };
        calibrated(&setup, calibration.factor).is_some_and(|(need, _)| need.high <= supply)
    };
    Some(largest(LARGEST_BATCH, fits) * cards)
}

/// The largest image size, a multiple of 32 pixels, that fits for sure into so many bytes; 0: none. `None`: the model's
/// graph is not known.
#[must_use]
pub fn largest_image_size(setup: &Setup, calibration: Calibration, supply: u64) -> Option<u32> {
    /// In multiples of 32 pixels: 8192.
    const LARGEST: u32 = 256;
    memory::need(setup)?;
    let fits = |steps: u32| {
        let setup = Setup { imgsz: steps * 32, ..setup.clone() };
        calibrated(&setup, calibration.factor).is_some_and(|(need, _)| need.high <= supply)
    };
    Some(largest(LARGEST, fits) * 32)
}

/// What trainings that finished say of estimates for this setup.
#[must_use]
pub fn calibration(setup: &Setup, known: &Experience) -> Calibration {
    match &setup.device {
        Device::Cards { name: Some(card), .. } => known.calibration(card),
        _ => Calibration::NONE,
    }
}

fn cards(setup: &Setup) -> u32 {
    match setup.device {
        Device::Cards { count, .. } => count.max(1),
        _ => 1,
    }
}

/// What a setup needs when what the allocator takes is so many times the estimate, and its parts.
fn calibrated(setup: &Setup, factor: f64) -> Option<(Interval, Vec<Part>)> {
    let (shown, mut parts) = memory::need(setup)?;
    let is_plain = (factor - 1.0).abs() < f64::EPSILON || !matches!(setup.device, Device::Cards { .. });
    if is_plain {
        return Some((shown, parts));
    }
    let reserved = memory::reserved(setup)?;
    let bound = |shown: u64, reserved: u64| shown.saturating_sub(reserved).saturating_add(scaled(reserved, factor));
    let need = Interval {
        low: bound(shown.low, reserved.low),
        expected: bound(shown.expected, reserved.expected),
        high: bound(shown.high, reserved.high),
    };
    for part in parts.iter_mut().filter(|part| part.name.id != OUTSIDE) {
        part.bytes = scaled(part.bytes, factor);
    }
    Some((need, parts))
}

/// What a trial run says of the need; `None`: nothing, since it measured something else.
fn measured(trial: &Trial, setup: &Setup, estimated: Interval) -> Option<Interval> {
    if !matches!(setup.device, Device::Cards { .. }) {
        return Some(around(trial.memory, MEASURED_RAM)).filter(|_| trial.shape.is_on_processor() && trial.memory > 0);
    }
    let reserved = trial.figures.reserved.filter(|bytes| *bytes > 0)?;
    if let Some(shown) = trial.shown.filter(|shown| *shown >= reserved) {
        return Some(around(shown, MEASURED));
    }
    // The driver did not tell: what the allocator knows nothing of stays an estimate.
    let by_allocator = memory::reserved(setup)?;
    let outside = |shown: u64, reserved: u64| shown.saturating_sub(reserved);
    let plain = memory::need(setup).map_or(estimated, |(shown, _)| shown);
    let Interval { low, expected, high } = around(reserved, MEASURED);
    Some(Interval {
        low: low + outside(plain.low, by_allocator.low),
        expected: expected + outside(plain.expected, by_allocator.expected),
        high: high + outside(plain.high, by_allocator.high),
    })
}

fn around(bytes: u64, shares: [f64; 3]) -> Interval {
    let [low, expected, high] = shares.map(|share| scaled(bytes, share));
    Interval { low, expected, high }
}

/// The same parts, adding up to so many bytes.
fn scaled_to(mut parts: Vec<Part>, bytes: u64) -> Vec<Part> {
    let sum: u64 = parts.iter().map(|part| part.bytes).sum();
    if sum > 0 && sum.abs_diff(bytes) > bytes / 1000 {
        #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
        let factor = bytes as f64 / sum as f64;
        parts.iter_mut().for_each(|part| part.bytes = scaled(part.bytes, factor));
    }
    parts
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "not negative, and saturates"
)]
fn scaled(bytes: u64, factor: f64) -> u64 {
    (bytes as f64 * factor).round() as u64
}

/// The largest number up to `most` that fits, where everything below one that fits does too; 0: none.
fn largest(most: u32, fits: impl Fn(u32) -> bool) -> u32 {
    let (mut fitting, mut too_large) = (0, most + 1);
    while too_large - fitting > 1 {
        let middle = fitting.midpoint(too_large);
        if fits(middle) {
            fitting = middle;
        } else {
            too_large = middle;
        }
    }
    fitting
}

#[cfg(test)]
mod tests;
