//! What trainings showed on this computer: how much memory they really took, and how long.
//!
//! What is kept is what was *measured*, with the training it was measured on. What follows from it is worked out anew
//! each time, so that a better estimate makes the old measurements say more.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::dataset::{Dataset, SplitKind};
use crate::environment::Environment;
use crate::facts::Fact;
use crate::machine::{Gpus, ResolvedDevice};
use crate::memory::{Boxes, Device, Setup};
use crate::plan::{Model, Plan, Scalar, Training, Weights};

mod calibration;

pub(crate) use calibration::median;
pub use calibration::{Accuracy, Calibration};

/// A training, as far as its memory and its time depend on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Shape {
    /// As Ultralytics names it.
    pub model: String,
    /// Image size in pixels.
    pub imgsz: u32,
    /// Images per step, over all cards.
    pub batch: u32,
    /// Passes over the data.
    pub epochs: u32,
    /// Cards that share the batch; 0: the processor trains, or Apple's GPU.
    pub cards: u32,
    /// Their name, `mps` for Apple's GPU; `None`: the processor, or not told.
    pub card: Option<String>,
    /// Processes that read images; `None`: the trainer's own rule.
    pub workers: Option<u32>,
    /// Other arguments of the trainer.
    pub extra: BTreeMap<String, Scalar>,
    /// What identifies the dataset ([`dataset_mark`]).
    pub dataset: String,
    /// Its classes.
    pub classes: u32,
    /// Boxes in its fullest image.
    pub most_boxes: u32,
    /// Images to train on.
    pub images: u32,
    /// Images to validate on.
    pub val_images: u32,
    /// Ultralytics' version.
    pub ultralytics: String,
    /// torch's version.
    pub torch: String,
}

/// What a trial run measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Trial {
    /// When, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// The training it tried out.
    pub shape: Shape,
    /// What the trainer told.
    pub figures: TrialFigures,
    /// Bytes the card showed for it at most; `None`: the processor, or not told.
    pub shown: Option<u64>,
    /// RAM of its processes at most, in bytes.
    pub memory: u64,
    /// Seconds it took in all.
    pub took_s: f64,
}

/// What the trainer tells at the end of a trial run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct TrialFigures {
    /// Training steps it did.
    pub steps: u32,
    /// Images per step.
    pub batch: u32,
    /// Seconds from the end of a step to the end of the next one, of the middle one; `None`: there was only one step.
    pub step_s: Option<f64>,
    /// The share of that which went into waiting for images, 0..1.
    pub loading: Option<f64>,
    /// Images of the validation step; 0: it did not validate.
    pub val_batch: u32,
    /// Seconds the validation step took.
    pub validation_s: Option<f64>,
    /// Bytes torch's allocator took of the card at most; `None`: the processor trains.
    pub reserved: Option<u64>,
    /// The same without the validation step.
    pub reserved_training: Option<u64>,
    /// Bytes of the card in use at most, without what the allocator only keeps; `None`: the processor trains.
    pub allocated: Option<u64>,
    /// Whether mixed precision was on.
    pub amp: bool,
    /// The optimizer's class.
    pub optimizer: String,
}

/// A training that finished.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Finished {
    /// The run's id.
    pub run: String,
    /// When it ended, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// What it trained, with the batch it came down to.
    pub shape: Shape,
    /// Whether mixed precision was on; `None`: not told.
    pub amp: Option<bool>,
    /// Bytes torch's allocator took of a card in the first epoch; `None`: the processor trained, or not told. Later
    /// epochs show what the allocator keeps, not what is needed.
    pub reserved: Option<u64>,
    /// Seconds an epoch took with its validation; `None`: not told.
    pub epoch_s: Option<f64>,
}

/// Everything that is known of trainings on this computer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(default)]
pub struct Experience {
    /// Trainings that finished, oldest first.
    pub runs: Vec<Finished>,
    /// Trial runs, oldest first.
    pub trials: Vec<Trial>,
}

/// Trainings that are remembered: more tell nothing new of a computer.
const MOST_RUNS: usize = 200;
/// Trial runs that are remembered.
const MOST_TRIALS: usize = 50;

impl Experience {
    /// Adds a training that finished; one that is known is replaced.
    pub fn learn(&mut self, run: Finished) {
        self.runs.retain(|known| known.run != run.run);
        self.runs.push(run);
        let surplus = self.runs.len().saturating_sub(MOST_RUNS);
        self.runs.drain(..surplus);
    }

    /// Adds a trial run, in place of an earlier one of the same training.
    pub fn tried(&mut self, trial: Trial) {
        self.trials.retain(|known| !known.shape.is_same(&trial.shape));
        self.trials.push(trial);
        let surplus = self.trials.len().saturating_sub(MOST_TRIALS);
        self.trials.drain(..surplus);
    }

    /// The trial run of this very training.
    #[must_use]
    pub fn trial(&self, shape: &Shape) -> Option<&Trial> {
        self.trials.iter().rev().find(|trial| trial.shape.is_same(shape))
    }

    /// What the trainings on this card say of estimates for it.
    #[must_use]
    pub fn calibration(&self, card: &str) -> Calibration {
        Calibration::of(calibration::errors(&self.runs, card))
    }

    /// How good the estimates were: each training against what would have been said before it. `None`: none was
    /// measured.
    #[must_use]
    pub fn accuracy(&self) -> Option<Accuracy> {
        calibration::accuracy(&self.runs)
    }
}

impl Shape {
    /// What a plan does on a device, in an environment; `None`: it is not known.
    #[must_use]
    pub fn of_plan(
        plan: &Plan,
        dataset: &Dataset,
        device: &ResolvedDevice,
        gpus: &Fact<Gpus>,
        environment: Option<&Environment>,
    ) -> Self {
        let setup = Setup::of_plan(plan, Some(dataset), device, gpus);
        let (cards, card) = match setup.device {
            Device::Cards { count, name } => (count, name),
            // Its times are not the processor's.
            Device::Processor => (0, (*device == ResolvedDevice::Mps).then(|| device.to_string())),
        };
        let images = |kind| dataset.split(kind).map_or(0, |split| split.images);
        Self {
            model: plan.model.name.clone(),
            imgsz: plan.training.imgsz,
            batch: plan.training.batch,
            epochs: plan.training.epochs,
            cards,
            card,
            workers: plan.training.workers,
            extra: plan.training.extra.clone(),
            dataset: dataset_mark(dataset),
            classes: setup.classes.unwrap_or(0),
            most_boxes: dataset.most_boxes,
            images: images(SplitKind::Train),
            val_images: images(SplitKind::Val),
            ultralytics: environment.map(|environment| environment.ultralytics.clone()).unwrap_or_default(),
            torch: environment.map(|environment| environment.torch.clone()).unwrap_or_default(),
        }
    }

    /// Whether both are the same training, however long it goes on.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Self { epochs: other.epochs, ..self.clone() } == *other
    }

    /// Whether the processor trains.
    #[must_use]
    pub fn is_on_processor(&self) -> bool {
        self.cards == 0
    }

    /// What its memory depends on.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let plan = Plan {
            model: Model { name: self.model.clone(), weights: Weights::Scratch, file: std::path::PathBuf::new() },
            training: Training {
                imgsz: self.imgsz,
                batch: self.batch,
                epochs: self.epochs,
                workers: self.workers,
                seed: 0,
                extra: self.extra.clone(),
            },
            ..Plan::default()
        };
        let processor = Setup::of_plan(&plan, None, &ResolvedDevice::Processor, &Fact::unknown("reason-not-observed"));
        let device = match self.cards {
            0 => processor.device.clone(),
            count => Device::Cards { count, name: self.card.clone() },
        };
        Setup {
            device,
            images: Some(self.images).filter(|images| *images > 0),
            classes: Some(self.classes).filter(|classes| *classes > 0),
            boxes: Boxes { most: Some(self.most_boxes), mean: None },
            ultralytics: Some(self.ultralytics.clone()).filter(|version| !version.is_empty()),
            ..processor
        }
    }
}

/// What identifies a dataset as far as memory and time depend on it: its classes, and how many images and boxes of each
/// are in which split. Whoever adds, removes or relabels images has another one; where it lies does not matter.
#[must_use]
pub fn dataset_mark(dataset: &Dataset) -> String {
    // FNV-1a: short, and nobody wants to deceive anybody here.
    let mut mark = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for byte in bytes.iter().chain(&[0xff]) {
            mark = (mark ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    add(dataset.task.name().as_bytes());
    dataset.names.iter().for_each(|name| add(name.as_bytes()));
    add(format!("{:?} {} {}", dataset.keypoints, dataset.channels, dataset.most_boxes).as_bytes());
    for split in &dataset.splits {
        add(split.kind.name().as_bytes());
        let counts = [split.images, split.labelled, split.background, split.corrupt, split.instances];
        counts.iter().chain(&split.class_instances).for_each(|count| add(&count.to_le_bytes()));
        add(format!("{:?}", split.sides).as_bytes());
    }
    format!("{mark:016x}")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A training on a card.
    pub(crate) fn shape() -> Shape {
        Shape {
            model: "yolov8s".to_owned(),
            imgsz: 640,
            batch: 16,
            epochs: 100,
            cards: 1,
            card: Some("NVIDIA GeForce RTX 3060".to_owned()),
            workers: None,
            extra: BTreeMap::new(),
            dataset: "0123456789abcdef".to_owned(),
            classes: 2,
            most_boxes: 12,
            images: 1000,
            val_images: 200,
            ultralytics: "8.4.190".to_owned(),
            torch: "2.15.0+cu130".to_owned(),
        }
    }

    /// A trial run that needed so many bytes of the allocator.
    pub(crate) fn trial(shape: Shape, reserved: Option<u64>) -> Trial {
        let figures = TrialFigures {
            steps: 8,
            batch: shape.batch,
            step_s: Some(0.25),
            loading: Some(0.1),
            val_batch: shape.batch * 2,
            validation_s: Some(0.2),
            reserved,
            reserved_training: reserved,
            allocated: reserved,
            amp: reserved.is_some(),
            optimizer: "AdamW".to_owned(),
        };
        Trial {
            at_ms: 1,
            shape,
            figures,
            shown: reserved.map(|bytes| bytes + (200 << 20)),
            memory: 2 << 30,
            took_s: 9.0,
        }
    }

    #[test]
    fn how_long_a_training_goes_on_makes_no_other_of_it_and_anything_else_does() {
        let one = shape();
        assert!(one.is_same(&Shape { epochs: 3, ..shape() }));
        assert!(!one.is_same(&Shape { batch: 8, ..shape() }));
        assert!(!one.is_same(&Shape { dataset: String::new(), ..shape() }));
        assert!(!one.is_same(&Shape { cards: 0, card: None, ..shape() }));
        let mut extra = shape();
        extra.extra.insert("amp".to_owned(), Scalar::Bool(false));
        assert!(!one.is_same(&extra));
    }

    #[test]
    fn a_shape_has_the_setup_of_its_plan() {
        let mut shape = shape();
        shape.extra.insert("amp".to_owned(), Scalar::Bool(false));
        shape.extra.insert("optimizer".to_owned(), Scalar::Text("SGD".to_owned()));
        let setup = shape.setup();
        assert!(!setup.amp);
        assert_eq!(setup.optimizer.as_deref(), Some("SGD"));
        assert_eq!(setup.device, Device::Cards { count: 1, name: shape.card.clone() });
        assert_eq!((setup.images, setup.classes, setup.boxes.most), (Some(1000), Some(2), Some(12)));
        let processor = Shape { cards: 0, card: None, ..shape }.setup();
        assert_eq!(processor.device, Device::Processor);
    }

    #[test]
    fn the_newest_trial_of_a_training_counts_and_few_are_kept() {
        let mut known = Experience::default();
        known.tried(trial(shape(), Some(1)));
        known.tried(trial(Shape { batch: 8, ..shape() }, Some(2)));
        known.tried(trial(shape(), Some(3)));
        assert_eq!(known.trials.len(), 2);
        assert_eq!(known.trial(&shape()).and_then(|trial| trial.figures.reserved), Some(3));
        assert_eq!(known.trial(&Shape { imgsz: 320, ..shape() }), None);
        for batch in 1..200 {
            known.tried(trial(Shape { batch, ..shape() }, None));
        }
        assert_eq!(known.trials.len(), MOST_TRIALS);
        assert_eq!(known.trials.last().map(|trial| trial.shape.batch), Some(199));
    }
}
