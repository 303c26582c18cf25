//! What the trainer holds while it trains, part by part.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::{Interval, Part};
use crate::dataset::Dataset;
use crate::facts::Fact;
use crate::machine::{Gpus, ResolvedDevice};
use crate::plan::{Plan, Scalar};
use crate::text::Message;

/// A model's coefficients, from `data/memory.toml`.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Coefficients {
    /// Parameters.
    parameters: u64,
    /// What one image of 640 px leaves behind for the backward pass in single precision, in MiB.
    saved_mib: f64,
}

static MODELS: LazyLock<BTreeMap<String, Coefficients>> =
    // The table is part of the program; a test below refuses one that cannot be read.
    LazyLock::new(|| toml::from_str(include_str!("../../data/memory.toml")).unwrap_or_default());

const MIB: f64 = 1_048_576.0;
/// What the allocator of a card holds for what the backward pass needs, as a share of `saved_mib`. Mixed precision keeps
/// most of it in half precision. Fitted to 34 public trainings of these models on T4, P100, A100 and GeForce cards: the
/// middle error is 5 %, and all of them lie within the bounds below.
const MIXED_SHARE: f64 = 0.58;
/// The same without mixed precision.
const SINGLE_SHARE: f64 = 1.15;
/// The same on the processor, by the largest resident size of eight trainings of five of these models at 160 to 640 px;
/// all of them lie within the bounds below.
const PROCESSOR_SHARE: f64 = 1.32;
/// CUDA's own memory on a card, outside torch's allocator: 150 MiB on a T4 up to 610 MiB on cards of the 5090 class.
const CONTEXT: [f64; 3] = [150.0 * MIB, 350.0 * MIB, 650.0 * MIB];
/// Python with torch and Ultralytics loaded, before any model.
const PROCESS: [f64; 3] = [400.0 * MIB, 560.0 * MIB, 900.0 * MIB];
/// Anchors of a 640 px image: 80² + 40² + 20².
const ANCHORS: f64 = 8_400.0;
/// Bytes that label assignment holds for each pair of a box and an anchor: overlap, metric, masks, distances.
const PAIR_BYTES: f64 = 48.0;
/// Mosaic puts four images into one, so that it can have more boxes than the fullest image.
const MOSAIC: [f64; 3] = [0.5, 1.0, 2.5];
/// Boxes assumed in the fullest image while the dataset is not known.
const USUAL_BOXES: u32 = 20;
/// The bounds of everything that grows with the batch, as shares of its expected size.
const SPREAD: [f64; 2] = [0.85, 1.25];
/// What cuDNN works with, and what the allocator rounds up, whatever the batch.
const WORKSPACE: [f64; 3] = [0.0, 80.0 * MIB, 450.0 * MIB];

/// One training on one device.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Training {
    parameters: f64,
    saved: f64,
    on_gpu: bool,
    mixed: bool,
    /// Optimizer bytes per parameter.
    optimizer: f64,
    /// Images per step on each card.
    batch: u32,
    /// Cards that share the plan's batch.
    cards: u32,
    /// Largest image side in pixels.
    imgsz: f64,
    most_boxes: f64,
}

impl Training {
    /// `None`: the model has no coefficients.
    pub(super) fn of(
        plan: &Plan,
        dataset: Option<&Dataset>,
        device: &ResolvedDevice,
        gpus: &Fact<Gpus>,
    ) -> Option<Self> {
        let Coefficients { parameters, saved_mib } = *MODELS.get(&plan.model.name)?;
        let (on_gpu, cards) = match device {
            ResolvedDevice::Processor => (false, 1),
            ResolvedDevice::Gpus(indices) => (true, u32::try_from(indices.len()).ok()?.max(1)),
        };
        let training = &plan.training;
        let side = f64::from(training.imgsz.max(1).next_multiple_of(32));
        Some(Self {
            #[expect(clippy::cast_precision_loss, reason = "millions")]
            parameters: parameters as f64,
            saved: saved_mib * MIB,
            on_gpu,
            mixed: on_gpu && asks_for_mixed(plan) && !refuses_mixed(device, gpus),
            optimizer: optimizer_bytes(plan),
            batch: training.batch.max(1).div_ceil(cards),
            cards,
            imgsz: side * (1.0 + multi_scale(plan)),
            most_boxes: f64::from(dataset.map_or(USUAL_BOXES, |dataset| dataset.most_boxes).max(1)),
        })
    }

    /// Images in pixels relative to 640 × 640.
    fn area(&self) -> f64 {
        (self.imgsz / 640.0).powi(2)
    }

    /// What grows with the batch: saved activations, and the images themselves.
    fn activations(&self) -> f64 {
        let share = match (self.on_gpu, self.mixed) {
            (true, true) => MIXED_SHARE,
            (true, false) => SINGLE_SHARE,
            (false, _) => PROCESSOR_SHARE,
        };
        f64::from(self.batch) * self.area() * self.saved * share
    }

    fn images(&self) -> f64 {
        // Three channels, one byte as they come and four as they are used.
        f64::from(self.batch) * self.imgsz * self.imgsz * 15.0
    }

    fn assignment(&self) -> f64 {
        f64::from(self.batch) * self.most_boxes * ANCHORS * self.area() * PAIR_BYTES
    }

    /// The weights, with the half-precision copy that mixed precision works on.
    fn weights(&self) -> f64 {
        self.parameters * if self.mixed { 6.0 } else { 4.0 }
    }

    /// What does not grow with the batch: lowest, expected, highest.
    fn base(&self) -> [f64; 3] {
        let fixed = self.weights() + self.parameters * (8.0 + self.optimizer);
        let outside = if self.on_gpu { CONTEXT } else { PROCESS };
        std::array::from_fn(|bound| outside[bound] + WORKSPACE[bound] + fixed)
    }

    pub(super) fn need(&self) -> Interval {
        let (base, growing) = (self.base(), self.activations() + self.images());
        let bound =
            |bound: usize, spread: f64| whole(base[bound] + growing * spread + self.assignment() * MOSAIC[bound]);
        Interval { low: bound(0, SPREAD[0]), expected: bound(1, 1.0), high: bound(2, SPREAD[1]) }
    }

    /// The expected need's parts, largest first.
    pub(super) fn parts(&self) -> Vec<Part> {
        let (outside, bytes) =
            if self.on_gpu { ("memory-part-context", CONTEXT) } else { ("memory-part-process", PROCESS) };
        let mut parts = vec![
            part(outside, bytes[1]),
            part("memory-part-workspace", WORKSPACE[1]),
            part("memory-part-weights", self.weights()),
            part("memory-part-gradients", self.parameters * 4.0),
            part("memory-part-average", self.parameters * 4.0),
            part("memory-part-optimizer", self.parameters * self.optimizer),
            part("memory-part-activations", self.activations()),
            part("memory-part-images", self.images()),
            part("memory-part-assignment", self.assignment() * MOSAIC[1]),
        ];
        parts.sort_by_key(|part| std::cmp::Reverse(part.bytes));
        parts
    }

    /// The largest batch, over all cards, that fits for sure; 0: none.
    pub(super) fn largest_batch(&self, supply: u64) -> u32 {
        let fits = |batch| Self { batch, ..self.clone() }.need().high <= supply;
        // The need grows with the batch: halve the interval between one that fits and one that does not.
        let (mut fitting, mut too_large) = (0, LARGEST_BATCH + 1);
        while too_large - fitting > 1 {
            let middle = fitting.midpoint(too_large);
            if fits(middle) {
                fitting = middle;
            } else {
                too_large = middle;
            }
        }
        fitting * self.cards
    }
}

/// Nobody trains with more images per step on one card.
const LARGEST_BATCH: u32 = 1024;

fn part(name: &str, bytes: f64) -> Part {
    Part { name: Message::new(name), bytes: whole(bytes) }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and saturates")]
fn whole(bytes: f64) -> u64 {
    bytes as u64
}

fn asks_for_mixed(plan: &Plan) -> bool {
    !matches!(plan.training.extra.get("amp"), Some(Scalar::Bool(false)))
}

/// Cards on which the trainer finds mixed precision broken and goes without, by their names.
fn refuses_mixed(device: &ResolvedDevice, gpus: &Fact<Gpus>) -> bool {
    const WITHOUT: [&str; 10] = ["1660", "1650", "1630", "T400", "T550", "T600", "T1000", "T1200", "T2000", "K40m"];
    let ResolvedDevice::Gpus(indices) = device else { return false };
    let mut names = indices.iter().filter_map(|index| gpus.known()?.card(*index)?.name.known());
    names.any(|name| WITHOUT.iter().any(|without| name.contains(without)))
}

/// SGD keeps one value a parameter; Adam and its kin, and the mixture that Ultralytics chooses by itself, keep two.
fn optimizer_bytes(plan: &Plan) -> f64 {
    match plan.training.extra.get("optimizer") {
        Some(Scalar::Text(name)) if name.eq_ignore_ascii_case("sgd") || name.eq_ignore_ascii_case("rmsprop") => 4.0,
        _ => 8.0,
    }
}

/// By how much images may be larger than the plan's size, as a share of it.
fn multi_scale(plan: &Plan) -> f64 {
    match plan.training.extra.get("multi_scale") {
        Some(Scalar::Bool(true)) => 0.5,
        Some(Scalar::Float(share)) if share.is_finite() => share.clamp(0.0, 1.0),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn training() -> impl Strategy<Value = Training> {
        let models: Vec<String> = MODELS.keys().cloned().collect();
        (proptest::sample::select(models), any::<bool>(), 1_u32..600, 1_u32..60, 0_u32..4000).prop_map(
            |(model, on_gpu, batch, strides, boxes)| Training {
                #[expect(clippy::cast_precision_loss, reason = "millions")]
                parameters: MODELS[&model].parameters as f64,
                saved: MODELS[&model].saved_mib * MIB,
                on_gpu,
                mixed: on_gpu,
                optimizer: 8.0,
                batch,
                cards: 1,
                imgsz: f64::from(strides * 32),
                most_boxes: f64::from(boxes),
            },
        )
    }

    #[test]
    fn every_model_has_coefficients() {
        let models: Vec<&str> = crate::models::ALL.iter().map(|card| card.name.as_str()).collect();
        assert_eq!(MODELS.len(), models.len());
        for card in crate::models::ALL.iter() {
            let coefficients = MODELS[&card.name];
            // YOLO26 is published without the second head that only training has.
            #[expect(clippy::cast_precision_loss, reason = "millions")]
            let millions = coefficients.parameters as f64 / 1e6;
            assert!((0.97..1.1).contains(&(millions / card.parameters_millions)), "{}: {millions}", card.name);
        }
    }

    proptest! {
        #[test]
        fn more_of_anything_never_needs_less(training in training()) {
            let need = training.need();
            prop_assert!(need.low <= need.expected && need.expected <= need.high);
            for more in [
                Training { batch: training.batch + 1, ..training.clone() },
                Training { imgsz: training.imgsz + 32.0, ..training.clone() },
                Training { most_boxes: training.most_boxes + 1.0, ..training.clone() },
            ] {
                let more = more.need();
                prop_assert!(more.low >= need.low && more.expected >= need.expected && more.high >= need.high);
            }
        }

        #[test]
        fn parts_add_up_to_the_expected_need(training in training()) {
            let sum: u64 = training.parts().iter().map(|part| part.bytes).sum();
            prop_assert!(sum.abs_diff(training.need().expected) < 16, "only rounding may differ");
        }

        #[test]
        fn the_largest_batch_fits_and_one_more_does_not(training in training(), supply in 0_u64..200 << 30) {
            let largest = training.largest_batch(supply);
            let need = |batch| Training { batch, ..training.clone() }.need().high;
            prop_assert!(largest == 0 || need(largest) <= supply);
            prop_assert!(largest == LARGEST_BATCH || need(largest + 1) > supply);
        }
    }
}
