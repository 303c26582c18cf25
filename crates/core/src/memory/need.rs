//! What a training holds, part by part.
//!
//! Everything is told as three bounds: lowest, expected, highest. The constants below are few, and none is about one
//! model or one card: what differs between models is in their graphs ([`Graph`]).

use super::graph::Graph;
use super::setup::{Device, Setup, Version};
use super::{Interval, Part};
use crate::text::Message;

/// Lowest, expected, highest.
type Bounds = [f64; 3];

const MIB: f64 = 1_048_576.0;
/// CUDA's own memory on a card, outside torch's allocator: from out-of-memory messages of public trainings, 150 MiB on a
/// T4 up to 610 MiB on cards of the 5090 class.
const CONTEXT: Bounds = [150.0 * MIB, 350.0 * MIB, 650.0 * MIB];
/// Python with torch and Ultralytics loaded, before any model.
const PROCESS: Bounds = [400.0 * MIB, 560.0 * MIB, 900.0 * MIB];
/// Gaps between the allocator's blocks and what layers need for a moment, as a share of the graph. A simulation of torch's
/// caching allocator over the traced graphs leaves 3 to 10 %; the expected share is fitted, with all constants of
/// [`WORKSPACE`] and [`CROWD`], to public trainings (`cargo xtask bench` tells how well they hold without each source).
const GAPS: Bounds = [0.03, 0.10, 0.20];
/// What cuDNN works in for one image of 640 × 640 px, in MiB, by the generation of cuDNN that a torch brings: before torch
/// 2.3, before 2.9, later. The same for small and large models, as the widest layers are alike.
const WORKSPACE: [f64; 3] = [19.0, 9.0, 4.0];
/// What comes to it on cards without tensor cores, where cuDNN takes other algorithms.
const WITHOUT_TENSOR_CORES: f64 = 20.0;
/// How sure that is.
const WORKSPACE_SHARE: Bounds = [0.2, 1.0, 1.8];
/// cuBLAS's workspace and the allocator's smallest blocks, whatever the batch. One public training in ten holds hundreds of
/// MiB more, as if it had fallen back to single precision or cuDNN had helped itself, and nothing known beforehand says which.
const FLOOR: Bounds = [0.0, 50.0 * MIB, 900.0 * MIB];
/// How much of the graph's size comes to it, at most, where masks are compared. Their tensors differ in size from image to
/// image, so that the allocator cannot use its blocks again: of 14 public trainings of segmentation 4 hold about twice what
/// the others do.
const MASKS: f64 = 1.2;
/// MiB per box from which on a model compares masks; key points and angles stay far below.
const COMPARES_MASKS: f64 = 1.0;
/// What the processor's allocator holds of the graph's single-precision size, by the largest resident size of eight
/// trainings of five models at 160 to 640 px: all of them lie within the bounds.
const PROCESSOR_SHARE: Bounds = [1.21, 1.42, 1.78];
/// Bytes that label assignment adds for each pair of a box and an anchor when it holds most: differences to the box's sides,
/// overlap, score, metric, masks (`TaskAlignedAssigner`). Traced with Ultralytics 8.0.196 to 8.4.95, which agree, and
/// with 8.4.140 to 8.4.190, which hold 11 to 14.
const PAIR_BYTES: [f64; 2] = [32.0, 14.2];
/// The first version known to hold less.
const LESS_A_PAIR: Version = (8, 4, 140);
/// Boxes in the fullest image of an epoch's batches, against those in the dataset's fullest image: mosaic puts four images
/// together and cuts.
const MOSAIC: Bounds = [0.0, 1.0, 2.5];
/// The same against those in an average image of a batch. Counts of boxes have long tails.
const CROWD: Bounds = [0.0, 6.0, 35.0];
/// Boxes in the fullest image where nothing is known of the dataset.
const UNKNOWN_BOXES: Bounds = [0.0, 40.0, 150.0];
/// Boxes in an average image, by the same, for masks and key points.
const AVERAGE: Bounds = [0.5, 1.0, 3.0];
/// Boxes in an average image of a batch, where nothing is known, and classes where nothing is known (COCO's).
const USUAL_BOXES: f64 = 7.0;
const USUAL_CLASSES: u32 = 80;
/// Nobody trains with more images per step on one card.
pub(super) const LARGEST_BATCH: u32 = 1024;

/// What the constants of the expected figure are multiplied with, for fitting them: in MiB, but `images` and
/// `without_tensor_cores`, which count images of 640 × 640 px.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Terms {
    /// What no constant is fitted for: weights and their copies, the graph, masks.
    pub kept: f64,
    /// The graph: with the share of gaps.
    pub graph: f64,
    /// Images: with cuDNN's workspace.
    pub images: f64,
    /// The same where the card has no tensor cores, else 0.
    pub without_tensor_cores: f64,
    /// Label assignment if every image were an average one: with how much fuller the fullest is.
    pub crowd: f64,
}

/// What a training needs on its device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Need<'a> {
    setup: &'a Setup,
    graph: Graph,
    mixed: bool,
    /// Images per step on one device.
    images: f64,
    /// Pixels of an image relative to 640 × 640.
    area: f64,
}

impl<'a> Need<'a> {
    /// `None`: the model's graph is not known.
    pub(super) fn of(setup: &'a Setup) -> Option<Self> {
        let graph = setup.graph.or_else(|| Graph::of(&setup.model).copied())?;
        let side = f64::from(setup.imgsz.clamp(1, 1 << 20).next_multiple_of(32)) * (1.0 + setup.multi_scale);
        let batch = setup.batch.max(1).div_ceil(setup.cards());
        let batch = setup.images.map_or(batch, |images| batch.min(images.max(1)));
        Some(Self { setup, graph, mixed: setup.is_mixed(), images: f64::from(batch), area: (side / 640.0).powi(2) })
    }

    fn on_card(&self) -> bool {
        matches!(self.setup.device, Device::Cards { .. })
    }

    /// What every layer leaves behind for the backward pass.
    fn activations(&self) -> f64 {
        let graph = &self.graph;
        let classes = f64::from(self.setup.classes.unwrap_or(USUAL_CLASSES).max(1));
        let mixed = graph.mixed + classes * graph.class;
        let image = if self.mixed { mixed } else { mixed * graph.single / graph.mixed };
        self.images * self.area * image * MIB
    }

    /// Masks, key points and angles of the boxes.
    fn objects(&self) -> Bounds {
        let mean = self.setup.boxes.mean.unwrap_or(USUAL_BOXES).max(1.0);
        AVERAGE.map(|share| self.images * self.area * self.graph.object * mean * share * MIB)
    }

    /// Matching boxes to predictions.
    fn assignment(&self) -> Bounds {
        let boxes = match (self.setup.boxes.most, self.setup.boxes.mean) {
            (Some(most), _) => MOSAIC.map(|share| f64::from(most) * share),
            (None, Some(mean)) => CROWD.map(|share| mean.max(1.0) * share),
            (None, None) => UNKNOWN_BOXES,
        };
        let [lowest, expected, highest] = boxes;
        // A version that cannot be told is a recent one as a rule, and at worst one that holds more.
        let [recent, worst] = [true, false].map(|or| self.pairs_of_a_box(or));
        [lowest * recent, expected * recent, highest * worst]
    }

    /// Bytes that one more box in every image adds to label assignment; `recent`: what a version that cannot be told is
    /// taken for.
    fn pairs_of_a_box(&self, recent: bool) -> f64 {
        let untold = self.setup.ultralytics.is_none() || recent;
        let less = self.setup.ultralytics().map_or(untold, |version| version >= LESS_A_PAIR);
        let matches = f64::from(u8::from(self.graph.matches));
        matches * self.images * self.graph.anchors * self.area * PAIR_BYTES[usize::from(less)]
    }

    /// What cuDNN works in.
    fn workspace(&self) -> f64 {
        let generation = match self.setup.torch() {
            Some(version) if version < (2, 3, 0) => 0,
            Some(version) if version < (2, 9, 0) => 1,
            _ => 2,
        };
        let plain = if self.setup.has_tensor_cores() { 0.0 } else { WITHOUT_TENSOR_CORES };
        self.images * self.area * (WORKSPACE[generation] + plain) * MIB
    }

    /// What is held beyond the graph, each by its own bounds: masks and key points, label assignment, what layers work in.
    fn beyond(&self) -> [Bounds; 6] {
        let activations = self.activations();
        let masks = if self.graph.object >= COMPARES_MASKS { MASKS * activations } else { 0.0 };
        [
            self.objects(),
            self.assignment(),
            GAPS.map(|share| share * activations),
            WORKSPACE_SHARE.map(|share| share * self.workspace()),
            FLOOR,
            [0.0, 0.0, masks],
        ]
    }

    /// The weights, with the half-precision copy that mixed precision works on.
    fn weights(&self) -> f64 {
        self.graph.parameters * if self.mixed { 6.0 } else { 4.0 }
    }

    fn optimizer(&self) -> f64 {
        self.graph.parameters * 4.0 * self.setup.optimizer_values()
    }

    /// Weights, gradients, averaged weights, optimizer.
    fn fixed(&self) -> f64 {
        self.weights() + self.graph.parameters * 8.0 + self.optimizer()
    }

    /// What torch's allocator takes of a card: what the trainer prints.
    pub(super) fn reserved(&self) -> Interval {
        together(self.fixed() + self.activations(), &self.beyond())
    }

    /// What the device shows: with CUDA's own memory on a card, the process's memory on the processor.
    pub(super) fn shown(&self) -> Interval {
        if self.on_card() {
            let [objects, assignment, gaps, workspace, floor, masks] = self.beyond();
            let beyond = [objects, assignment, gaps, workspace, floor, masks, CONTEXT];
            return together(self.fixed() + self.activations(), &beyond);
        }
        let (objects, assignment) = (self.objects(), self.assignment());
        interval(|bound| {
            let image = self.activations() * PROCESSOR_SHARE[bound];
            PROCESS[bound] + self.fixed() + image + objects[bound] + assignment[bound]
        })
    }

    /// The figures that the expected one of [`Self::reserved`] is a sum of, each without its constant, in MiB.
    pub(super) fn terms(&self) -> Terms {
        let mean = self.setup.boxes.mean.unwrap_or(USUAL_BOXES).max(1.0);
        let images = self.images * self.area;
        Terms {
            kept: (self.fixed() + self.activations() + self.objects()[1]) / MIB,
            graph: self.activations() / MIB,
            images,
            without_tensor_cores: if self.setup.has_tensor_cores() { 0.0 } else { images },
            crowd: mean * self.pairs_of_a_box(true) / MIB,
        }
    }

    /// The expected need's parts, largest first; what is nothing is left out.
    pub(super) fn parts(&self) -> Vec<Part> {
        let (objects, assignment) = (self.objects()[1], self.assignment()[1]);
        let activations = self.activations();
        let mut parts = vec![
            part("memory-part-weights", self.weights()),
            part("memory-part-gradients", self.graph.parameters * 4.0),
            part("memory-part-average", self.graph.parameters * 4.0),
            part("memory-part-optimizer", self.optimizer()),
            part("memory-part-objects", objects),
        ];
        if self.on_card() {
            let workspace = GAPS[1] * activations + self.workspace() + FLOOR[1];
            parts.extend([
                part("memory-part-context", CONTEXT[1]),
                part("memory-part-activations", activations),
                part("memory-part-workspace", workspace),
                part("memory-part-assignment", assignment),
            ]);
        } else {
            parts.extend([
                part("memory-part-process", PROCESS[1]),
                part("memory-part-activations", activations * PROCESSOR_SHARE[1]),
                part("memory-part-assignment", assignment),
            ]);
        }
        parts.retain(|part| part.bytes > 0);
        parts.sort_by_key(|part| std::cmp::Reverse(part.bytes));
        parts
    }
}

/// The largest batch, over all cards, that fits for sure, however many images there are; 0: none.
pub(super) fn largest_batch(setup: &Setup, supply: u64) -> Option<u32> {
    let cards = setup.cards();
    let largest = largest(LARGEST_BATCH, |batch| {
        let setup = Setup { batch: batch * cards, images: None, ..setup.clone() };
        Need::of(&setup).is_some_and(|need| need.shown().high <= supply)
    });
    Need::of(setup).map(|_| largest * cards)
}

/// The largest number up to `most` that fits, where everything below one that fits does too; 0: none.
pub(super) fn largest(most: u32, fits: impl Fn(u32) -> bool) -> u32 {
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

/// What is certain and what is not, as one interval. The uncertain figures are independent of each other: it is unlikely
/// that all of them are high at once, so that their distances add up as squares do.
fn together(certain: f64, uncertain: &[Bounds]) -> Interval {
    let expected = certain + uncertain.iter().map(|bounds| bounds[1]).sum::<f64>();
    let distance = |bound: usize| {
        let squares = uncertain.iter().map(|bounds| (bounds[bound] - bounds[1]).powi(2));
        squares.sum::<f64>().sqrt()
    };
    interval(|bound| match bound {
        0 => expected - distance(0),
        1 => expected,
        _ => expected + distance(2),
    })
}

fn interval(bound: impl Fn(usize) -> f64) -> Interval {
    let (low, expected, high) = (whole(bound(0)), whole(bound(1)), whole(bound(2)));
    Interval { low, expected: expected.max(low), high: high.max(expected).max(low) }
}

fn part(name: &str, bytes: f64) -> Part {
    Part { name: Message::new(name), bytes: whole(bytes) }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and saturates")]
fn whole(bytes: f64) -> u64 {
    bytes as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::setup::Boxes;
    use super::*;

    fn setup() -> impl Strategy<Value = Setup> {
        let models: Vec<&str> = Graph::names().collect();
        let boxes = (proptest::option::of(0_u32..4000), proptest::option::of(0.0..2000.0))
            .prop_map(|(most, mean)| Boxes { most, mean });
        let device =
            prop_oneof![Just(Device::Processor), (1_u32..9).prop_map(|count| Device::Cards { count, name: None })];
        let sizes = (1_u32..2000, 1_u32..4000, proptest::option::of(1_u32..5000));
        (proptest::sample::select(models), sizes, device, any::<bool>(), proptest::option::of(1_u32..2000), boxes)
            .prop_map(|(model, (batch, imgsz, images), device, amp, classes, boxes)| Setup {
                images,
                device,
                amp,
                classes,
                boxes,
                ..Setup::new(model, imgsz, batch)
            })
    }

    fn shown(setup: &Setup) -> Interval {
        Need::of(setup).unwrap().shown()
    }

    proptest! {
        #[test]
        fn more_of_anything_never_needs_less(setup in setup()) {
            let need = shown(&setup);
            prop_assert!(0 < need.low && need.low <= need.expected && need.expected <= need.high);
            let more = |number: Option<u32>| number.map(|number| number + 1);
            for more in [
                Setup { batch: setup.batch + 1, ..setup.clone() },
                Setup { imgsz: setup.imgsz + 32, ..setup.clone() },
                Setup { classes: more(setup.classes), ..setup.clone() },
                Setup { boxes: Boxes { most: more(setup.boxes.most), ..setup.boxes }, ..setup.clone() },
                Setup { boxes: Boxes { mean: setup.boxes.mean.map(|mean| mean + 1.0), ..setup.boxes }, ..setup.clone() },
                Setup { multi_scale: 0.5, ..setup.clone() },
            ] {
                let more = shown(&more);
                prop_assert!(more.low >= need.low && more.expected >= need.expected && more.high >= need.high);
            }
        }

        #[test]
        fn parts_add_up_to_the_expected_need(setup in setup()) {
            let need = Need::of(&setup).unwrap();
            let sum: u64 = need.parts().iter().map(|part| part.bytes).sum();
            prop_assert!(sum.abs_diff(need.shown().expected) < 16, "only rounding may differ");
        }

        #[test]
        fn the_largest_batch_fits_and_one_more_does_not(setup in setup(), supply in 0_u64..200 << 30) {
            let largest = largest_batch(&setup, supply).unwrap();
            let need = |batch| shown(&Setup { batch, images: None, ..setup.clone() }).high;
            prop_assert!(largest == 0 || need(largest) <= supply);
            let cards = setup.cards();
            prop_assert!(largest == LARGEST_BATCH * cards || need(largest + cards) > supply);
        }
    }
}
