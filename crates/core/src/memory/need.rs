//! What a training holds, part by part.
//!
//! Everything is told as three bounds: lowest, expected, highest. The constants below are few, and none is about one
//! model or one card: what differs between models is in their graphs ([`Graph`]).

use super::graph::Graph;
use super::setup::{Device, Setup};
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
/// What convolutions work in, beyond what the graph keeps, as a share of it: cuDNN's workspaces and gaps between the
/// allocator's blocks. They grow with the layers, which the graph stands for. Fitted, with [`WORKSPACE`], to public
/// trainings without crowds.
const WORKSPACE_SHARE: Bounds = [0.04, 0.165, 0.22];
/// The same, whatever the batch. cuDNN takes hundreds of MiB where a card has them free, and nothing says when.
const WORKSPACE: Bounds = [0.0, 80.0 * MIB, 900.0 * MIB];
/// What the processor's allocator holds of the graph's single-precision size, by the largest resident size of eight
/// trainings of five models at 160 to 640 px: all of them lie within the bounds.
const PROCESSOR_SHARE: Bounds = [1.21, 1.42, 1.78];
/// Anchors of an image of 640 × 640 px: 80² + 40² + 20².
const ANCHORS: f64 = 8_400.0;
/// Bytes that label assignment holds for each pair of a box and an anchor when it holds most: differences to the box's
/// sides, overlap, score, metric, masks (`TaskAlignedAssigner`).
const PAIR_BYTES: f64 = 48.0;
/// Boxes in the fullest image of an epoch's batches, against those in the dataset's fullest image: mosaic puts four images
/// together and cuts.
const MOSAIC: Bounds = [0.0, 1.0, 2.5];
/// The same against those in an average image of a batch. Counts of boxes have long tails.
const CROWD: Bounds = [0.0, 4.0, 25.0];
/// Boxes in the fullest image where nothing is known of the dataset.
const UNKNOWN_BOXES: Bounds = [0.0, 40.0, 150.0];
/// Boxes in an average image, by the same, for masks and key points.
const AVERAGE: Bounds = [0.5, 1.0, 3.0];
/// Boxes in an average image of a batch, where nothing is known, and classes where nothing is known (COCO's).
const USUAL_BOXES: f64 = 7.0;
const USUAL_CLASSES: u32 = 80;
/// Nobody trains with more images per step on one card.
pub(super) const LARGEST_BATCH: u32 = 1024;

/// What a training needs on its device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Need<'a> {
    setup: &'a Setup,
    graph: &'static Graph,
    mixed: bool,
    /// Images per step on one device.
    images: f64,
    /// Pixels of an image relative to 640 × 640.
    area: f64,
}

impl<'a> Need<'a> {
    /// `None`: the model's graph is not known.
    pub(super) fn of(setup: &'a Setup) -> Option<Self> {
        let graph = Graph::of(&setup.model)?;
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
        let graph = self.graph;
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
        let matches = f64::from(u8::from(self.graph.matches));
        boxes.map(|boxes| matches * self.images * boxes * ANCHORS * self.area * PAIR_BYTES)
    }

    /// What convolutions work in.
    fn workspace(&self) -> Bounds {
        let activations = self.activations();
        std::array::from_fn(|bound| WORKSPACE_SHARE[bound] * activations + WORKSPACE[bound])
    }

    /// The larger of workspace and assignment: matching is over before the backward pass begins, and the allocator gives
    /// its blocks to what comes then.
    fn temporary(&self) -> Bounds {
        let (workspace, assignment) = (self.workspace(), self.assignment());
        std::array::from_fn(|bound| workspace[bound].max(assignment[bound]))
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
        let (objects, temporary) = (self.objects(), self.temporary());
        interval(|bound| self.fixed() + self.activations() + objects[bound] + temporary[bound])
    }

    /// What the device shows: with CUDA's own memory on a card, the process's memory on the processor.
    pub(super) fn shown(&self) -> Interval {
        if self.on_card() {
            let reserved = self.reserved();
            let bounds = [reserved.low, reserved.expected, reserved.high];
            return interval(|bound| as_f64(bounds[bound]) + CONTEXT[bound]);
        }
        let (objects, assignment) = (self.objects(), self.assignment());
        interval(|bound| {
            let image = self.activations() * PROCESSOR_SHARE[bound];
            PROCESS[bound] + self.fixed() + image + objects[bound] + assignment[bound]
        })
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
            let workspace = (self.temporary()[1] - assignment).max(0.0);
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

#[expect(clippy::cast_precision_loss, reason = "below 2^53")]
fn as_f64(bytes: u64) -> f64 {
    bytes as f64
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
