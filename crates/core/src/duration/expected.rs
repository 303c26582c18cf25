//! How long a training takes, by the best that is known: a trial run, trainings like it, else a rule.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{PASSES_PER_STEP, Seconds, on_processor};
use crate::dataset::Dataset;
use crate::experience::{Experience, Finished, Shape, Trial, median};
use crate::facts::Fact;
use crate::machine::{Computer, ResolvedDevice, names};
use crate::models;
use crate::plan::Plan;

/// How long a training takes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Expected {
    /// All epochs, from the start of the trainer to the end of the final validation. A training that stops early because
    /// nothing gets better takes less.
    pub seconds: Seconds,
    /// The same in hours of cards; `None`: the processor trains.
    pub gpu_hours: Option<Hours>,
    /// What it rests on.
    pub basis: Basis,
}

/// An interval, in hours that one card is taken.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Hours {
    /// It will hardly be less.
    pub low: f64,
    /// Most likely.
    pub expected: f64,
    /// It will hardly be more.
    pub high: f64,
}

/// What a duration rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Basis {
    /// A trial run of this very training.
    Trial,
    /// Trainings of the same model and image size on the same device.
    Runs {
        /// How many.
        count: u32,
    },
    /// The model's published operations and the device's speed.
    Rule,
}

/// Lowest, expected, highest.
type Bounds = [f64; 3];

/// Starting Python, reading the labels, the final validation: seconds that do not grow with the epochs.
const AROUND: Bounds = [6.0, 20.0, 90.0];
/// Steps of a trial run see the fullest images, and those come from memory the second time.
const BY_TRIAL: Bounds = [0.75, 1.0, 1.5];
/// One card's share was tried, and the cards have to agree on each step.
const SHARED: Bounds = [1.0, 1.1, 1.5];
/// Trainings of the same dataset and batch repeat within this; others scale less well.
const BY_SAME: Bounds = [0.85, 1.0, 1.25];
const BY_OTHERS: Bounds = [0.6, 1.0, 1.8];
/// Newest trainings that count.
const WINDOW: usize = 12;
/// Share of a card's published single-precision throughput that training reaches: 2.6 for large models in mixed precision
/// on cards with many tensor cores, 0.12 for small ones that wait for images. Fastest first.
const REACHED: Bounds = [2.6, 0.5, 0.12];
/// The same without mixed precision.
const REACHED_SINGLE: Bounds = [0.9, 0.3, 0.08];
/// TFLOPS of a card of which nothing is known: between a small one and the largest.
const UNKNOWN_CARD: Bounds = [100.0, 15.0, 3.0];
/// Images a process reads, augments and hands over per second: four are put together into one of 640 px.
const READ_PER_WORKER: Bounds = [160.0, 60.0, 25.0];
/// Nobody trains on more cards at once.
const MOST_CARDS: u32 = 1024;
/// Processes that read where a plan does not say: Ultralytics' default.
const WORKERS: u32 = 8;

static CARDS: LazyLock<BTreeMap<String, f64>> =
    // The table is part of the program; a test refuses one that cannot be read.
    LazyLock::new(|| toml::from_str(include_str!("../../data/cards.toml")).unwrap_or_default());

/// How long a plan takes on a device; `None`: it cannot be told, for want of images or of figures of the model.
///
/// `computer`: `None` where it was not observed.
#[must_use]
pub fn expected(
    plan: &Plan,
    dataset: &Dataset,
    shape: &Shape,
    computer: Option<&Computer>,
    known: &Experience,
) -> Option<Expected> {
    if shape.images == 0 || shape.epochs == 0 {
        return None;
    }
    let by_trial = || Some((of_trial(shape, known.trial(shape)?, BY_TRIAL)?, Basis::Trial));
    // With other versions, or on such a card of another computer.
    let by_such_trial = || {
        let trial = known.trials.iter().rev().find(|trial| is_such(&trial.shape, shape))?;
        Some((of_trial(shape, trial, BY_OTHERS)?, Basis::Trial))
    };
    let by_runs = || of_runs(shape, &known.runs).map(|(seconds, count)| (seconds, Basis::Runs { count }));
    let by_rule = || {
        let seconds = match (shape.is_on_processor(), &shape.card) {
            (false, _) => of_rule(shape, computer)?,
            (true, None) => on_processor(plan, dataset, computer?)?,
            // Apple's GPU: there is no rule yet.
            (true, Some(_)) => return None,
        };
        Some((seconds, Basis::Rule))
    };
    let (seconds, basis) = by_trial().or_else(by_runs).or_else(by_such_trial).or_else(by_rule)?;
    let sound = [seconds.low, seconds.expected, seconds.high].iter().all(|seconds| seconds.is_finite());
    let hours = (!shape.is_on_processor()).then(|| gpu_hours(seconds, shape.cards));
    sound.then_some(Expected { seconds, gpu_hours: hours, basis })
}

/// How long a plan takes on so many cards of a platform, of which no more than a name is known. Trainings that this
/// computer did on such a card tell, less surely than for the card here; else the rule. `None`: as [`expected`].
#[must_use]
pub fn elsewhere(
    plan: &Plan,
    dataset: &Dataset,
    card: Option<&str>,
    cards: u32,
    known: &Experience,
) -> Option<Expected> {
    let device = ResolvedDevice::Gpus((0..cards.clamp(1, MOST_CARDS)).collect());
    let shape = Shape::of_plan(plan, dataset, &device, &Fact::unknown("reason-elsewhere"), None);
    expected(plan, dataset, &Shape { card: card.map(str::to_owned), ..shape }, None, known)
}

/// Hours of cards that a training takes: each card is taken for as long as it lasts.
#[must_use]
pub fn gpu_hours(seconds: Seconds, cards: u32) -> Hours {
    let hours = |seconds: f64| seconds * f64::from(cards) / 3600.0;
    Hours { low: hours(seconds.low), expected: hours(seconds.expected), high: hours(seconds.high) }
}

/// All epochs, where one takes so long.
fn all(shape: &Shape, epoch_s: Bounds) -> Seconds {
    let [low, expected, high] = std::array::from_fn(|bound| f64::from(shape.epochs) * epoch_s[bound] + AROUND[bound]);
    Seconds { low, expected, high }
}

/// What an epoch asks for, in forward passes of one image.
fn passes(shape: &Shape) -> f64 {
    PASSES_PER_STEP * f64::from(shape.images) + f64::from(shape.val_images)
}

fn of_trial(shape: &Shape, trial: &Trial, bounds: Bounds) -> Option<Seconds> {
    let figures = &trial.figures;
    let step_s = figures.step_s?;
    let steps = f64::from(shape.images.div_ceil(shape.batch.max(1)));
    let per_image = figures.validation_s.filter(|_| figures.val_batch > 0).map(|s| s / f64::from(figures.val_batch));
    // A forward pass where validation was not tried.
    let per_image = per_image.unwrap_or(step_s / f64::from(figures.batch.max(1)) / PASSES_PER_STEP);
    let epoch = steps * step_s + f64::from(shape.val_images) * per_image / f64::from(shape.cards.max(1));
    let shared = if shape.cards > 1 { SHARED } else { [1.0; 3] };
    Some(all(shape, std::array::from_fn(|bound| epoch * bounds[bound] * shared[bound])))
}

fn of_runs(shape: &Shape, runs: &[Finished]) -> Option<(Seconds, u32)> {
    let is_like = |other: &Shape| {
        (&other.model, other.imgsz, other.cards, &other.extra) == (&shape.model, shape.imgsz, shape.cards, &shape.extra)
            && kind_of(other) == kind_of(shape)
    };
    // A platform names the kind of its cards, and what else its computers are is not known.
    let is_same =
        |other: &Shape| (other.batch, &other.dataset, &other.card) == (shape.batch, &shape.dataset, &shape.card);
    let rate = |run: &Finished| {
        let passes = passes(&run.shape);
        let epoch_s = run.epoch_s.filter(|_| passes > 0.0 && is_like(&run.shape))?;
        Some((is_same(&run.shape), epoch_s / passes))
    };
    let newest: Vec<_> = runs.iter().rev().filter_map(rate).take(WINDOW).collect();
    let same: Vec<f64> = newest.iter().filter(|(same, _)| *same).map(|(_, rate)| *rate).collect();
    let (rates, spread) = match same.is_empty() {
        false => (same, BY_SAME),
        true => (newest.into_iter().map(|(_, rate)| rate).collect(), BY_OTHERS),
    };
    let count = u32::try_from(rates.len()).unwrap_or(u32::MAX);
    let epoch_s = median(rates)? * passes(shape);
    Some((all(shape, spread.map(|share| epoch_s * share)), count))
}

fn of_rule(shape: &Shape, computer: Option<&Computer>) -> Option<Seconds> {
    let side = f64::from(shape.imgsz) / 640.0;
    let work = passes(shape) * models::card(&shape.model)?.gflops / 1000.0 * side * side;
    let reached = if shape.setup().amp { REACHED } else { REACHED_SINGLE };
    let cards = f64::from(shape.cards.max(1));
    let workers = shape.workers.unwrap_or(WORKERS).min(computer.map_or(WORKERS, |computer| computer.cores)).max(1);
    let epoch = std::array::from_fn(|bound| {
        let tflops = shape.card.as_deref().and_then(throughput).unwrap_or(UNKNOWN_CARD[bound]);
        let computing = work / (tflops * reached[bound] * cards);
        let reading = f64::from(shape.images) / (READ_PER_WORKER[bound] * f64::from(workers) * cards);
        // Both go on at the same time: the slower one counts.
        computing.max(reading)
    });
    Some(all(shape, epoch))
}

/// A card's published throughput in TFLOPS, by its name; `None`: it is not in the table.
pub(crate) fn throughput(card: &str) -> Option<f64> {
    names::longest(card, CARDS.iter()).map(|(_, tflops)| *tflops * share(card))
}

/// What kind of card trains: `A100` and `NVIDIA A100-SXM4-40GB` are one. `None`: the processor, or not told.
fn kind_of(shape: &Shape) -> Option<String> {
    let card = shape.card.as_deref()?;
    // A slice is not as fast as its card.
    if card.contains(" MIG ") {
        return Some(names::plain(card));
    }
    Some(names::longest(card, CARDS.iter()).map_or_else(|| names::plain(card), |(kind, _)| kind.to_owned()))
}

/// Whether both are the same training on cards of one kind, with whatever versions.
fn is_such(other: &Shape, shape: &Shape) -> bool {
    let Shape { card, ultralytics, torch, .. } = shape.clone();
    kind_of(other) == kind_of(shape) && Shape { card, ultralytics, torch, ..other.clone() }.is_same(shape)
}

/// A slice's share of its card's processors, which its name tells: `… MIG 3g.40gb` has three of seven.
fn share(card: &str) -> f64 {
    const OF: f64 = 7.0;
    let profile = card.split_once(" MIG ").and_then(|(_, profile)| profile.split('g').next()?.parse::<f64>().ok());
    profile.map_or(1.0, |parts| (parts / OF).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::experience::tests::{shape, trial};

    fn runs(shape: &Shape, seconds: &[f64]) -> Experience {
        let run = |(number, epoch_s): (usize, &f64)| Finished {
            run: number.to_string(),
            at_ms: 0,
            shape: shape.clone(),
            amp: Some(true),
            reserved: None,
            epoch_s: Some(*epoch_s),
        };
        Experience { runs: seconds.iter().enumerate().map(run).collect(), trials: Vec::new() }
    }

    fn time(shape: &Shape, known: &Experience) -> Option<Expected> {
        let dataset = Dataset {
            root: std::path::PathBuf::new(),
            yaml: None,
            task: crate::dataset::Task::Detect,
            names: Vec::new(),
            keypoints: None,
            channels: 3,
            splits: Vec::new(),
            most_boxes: 0,
            findings: Vec::new(),
            took_ms: 0,
        };
        expected(&Plan::default(), &dataset, shape, None, known)
    }

    #[test]
    fn the_best_that_is_known_counts() {
        let shape = shape();
        let rule = time(&shape, &Experience::default()).unwrap();
        assert_eq!(rule.basis, Basis::Rule);
        assert!(rule.seconds.high > 4.0 * rule.seconds.low, "a rule has wide bounds: {rule:?}");

        let mut known = runs(&shape, &[20.0, 21.0, 200.0]);
        let by_runs = time(&shape, &known).unwrap();
        assert_eq!(by_runs.basis, Basis::Runs { count: 3 });
        assert!((2100.0..2140.0).contains(&by_runs.seconds.expected), "{by_runs:?}");
        let other = time(&Shape { batch: 8, ..shape.clone() }, &known).unwrap();
        assert!(other.seconds.high > by_runs.seconds.high, "other trainings tell less surely");
        assert_eq!(time(&Shape { imgsz: 320, ..shape.clone() }, &known).unwrap().basis, Basis::Rule);

        known.tried(trial(shape.clone(), Some(1 << 30)));
        let by_trial = time(&shape, &known).unwrap();
        assert_eq!(by_trial.basis, Basis::Trial);
        // 63 steps of 0.25 s, 200 validation images at 32 in 0.2 s, 100 times.
        assert!((by_trial.seconds.expected - 20.0 - 100.0 * (63.0 * 0.25 + 200.0 * 0.2 / 32.0)).abs() < 1e-6);
        let hours = by_trial.gpu_hours.unwrap();
        assert!((hours.expected * 3600.0 - by_trial.seconds.expected).abs() < 1e-6);
    }

    #[test]
    fn what_a_card_showed_here_tells_of_such_a_card_elsewhere_less_surely() {
        let here = Shape { card: Some("NVIDIA A100-SXM4-40GB".to_owned()), ..shape() };
        let known = runs(&here, &[20.0]);
        let there = |card: &str| time(&Shape { card: Some(card.to_owned()), ..here.clone() }, &known).unwrap();
        let (same, such) = (time(&here, &known).unwrap(), there("A100"));
        assert_eq!((same.basis, such.basis), (Basis::Runs { count: 1 }, Basis::Runs { count: 1 }));
        assert!(such.seconds.low < same.seconds.low && same.seconds.high < such.seconds.high, "{such:?}");
        let mut tried = Experience::default();
        tried.tried(trial(here.clone(), None));
        let such = Shape { card: Some("a100".to_owned()), torch: String::new(), ..here.clone() };
        let (same, such) = (time(&here, &tried).unwrap(), time(&such, &tried).unwrap());
        assert_eq!((same.basis, such.basis), (Basis::Trial, Basis::Trial));
        assert!(such.seconds.high > same.seconds.high, "{such:?}");
        assert_eq!(there("A10").basis, Basis::Rule);
        assert_eq!(there("RTX 3060").basis, Basis::Rule);
    }

    #[test]
    fn of_apples_gpu_only_what_was_measured_counts() {
        let apple = Shape { cards: 0, card: Some("mps".to_owned()), ..shape() };
        let processor = Shape { card: None, ..apple.clone() };
        assert_eq!(time(&apple, &Experience::default()), None);
        assert_eq!(time(&apple, &runs(&processor, &[10.0])), None, "the processor's times are not its own");
        assert_eq!(time(&apple, &runs(&apple, &[10.0])).unwrap().basis, Basis::Runs { count: 1 });
    }

    #[test]
    fn the_processor_takes_no_card() {
        let processor = Shape { cards: 0, card: None, ..shape() };
        let time = time(&processor, &runs(&processor, &[10.0])).unwrap();
        assert_eq!(time.gpu_hours, None);
    }

    #[test]
    fn nothing_to_learn_from_or_an_unknown_model_has_no_duration() {
        let none = Experience::default();
        assert_eq!(time(&Shape { images: 0, ..shape() }, &none), None);
        assert_eq!(time(&Shape { epochs: 0, ..shape() }, &none), None);
        assert_eq!(time(&Shape { model: "mine".to_owned(), ..shape() }, &none), None);
    }

    #[test]
    fn cards_are_found_by_their_names() {
        assert_eq!(throughput("NVIDIA GeForce RTX 3060"), Some(12.7));
        assert_eq!(throughput("NVIDIA GeForce RTX 3060 Ti"), Some(16.2));
        assert_eq!(throughput("NVIDIA A100-SXM4-40GB"), Some(19.5));
        assert_eq!(throughput("NVIDIA A10"), Some(31.2));
        assert_eq!(throughput("NVIDIA L40S"), Some(91.6));
        assert_eq!(throughput("Something"), None);
        // As platforms write them.
        assert_eq!(throughput("a100-80gb"), Some(19.5));
        assert_eq!(throughput("rtx_4090"), Some(82.6));
        // A slice has a share of its card.
        assert_eq!(throughput("NVIDIA A100-SXM4-80GB MIG 7g.80gb"), Some(19.5));
        assert_eq!(throughput("NVIDIA A100-SXM4-80GB MIG 1g.10gb"), Some(19.5 / 7.0));
        assert!(CARDS.len() > 40, "the table can be read");
    }

    proptest! {
        #[test]
        fn more_of_anything_never_takes_less(
            images in 1_u32..200_000, val_images in 0_u32..50_000, batch in 1_u32..256, epochs in 1_u32..1000,
            cards in 1_u32..9, side in 1_u32..60, epoch_s in proptest::option::of(0.01..1e5_f64), tried in any::<bool>(),
        ) {
            let shape = Shape { images, val_images, batch, epochs, cards, imgsz: side * 32, ..shape() };
            let mut known = epoch_s.map_or_else(Experience::default, |epoch_s| runs(&shape, &[epoch_s]));
            if tried {
                known.tried(trial(shape.clone(), None));
            }
            let one = time(&shape, &known).unwrap();
            let Seconds { low, expected, high } = one.seconds;
            prop_assert!(0.0 < low && low <= expected && expected <= high && high.is_finite());
            let more = time(&Shape { epochs: epochs + 1, ..shape.clone() }, &known).unwrap();
            prop_assert!(more.seconds.low >= low && more.seconds.expected >= expected && more.seconds.high >= high);
            prop_assert!(more.basis == one.basis);
            let hours = one.gpu_hours.unwrap();
            prop_assert!((hours.high * 3600.0 / f64::from(cards) - high).abs() < 1e-6 * high);
        }
    }
}
