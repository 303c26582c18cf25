//! What the memory of a training depends on.

use super::graph::Graph;
use crate::dataset::Dataset;
use crate::facts::Fact;
use crate::machine::{Gpus, ResolvedDevice};
use crate::plan::{Plan, Scalar};

/// A training, as far as its memory depends on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// As Ultralytics names it, e.g. `yolov8s` or `yolo11m-seg`.
    pub model: String,
    /// The longest side of an image in pixels.
    pub imgsz: u32,
    /// Images per step, over all cards.
    pub batch: u32,
    /// Images there are to train on: a batch is never larger. `None`: unknown.
    pub images: Option<u32>,
    /// The device.
    pub device: Device,
    /// Whether mixed precision is asked for; the card may refuse it.
    pub amp: bool,
    /// The optimizer's name; `None`: the trainer chooses.
    pub optimizer: Option<String>,
    /// Classes of the dataset; `None`: unknown.
    pub classes: Option<u32>,
    /// How many boxes images have.
    pub boxes: Boxes,
    /// By how much images may be larger than `imgsz`, as a share of it.
    pub multi_scale: f64,
    /// Passes over the images; `None`: unknown.
    pub epochs: Option<u32>,
    /// Ultralytics' version; `None`: a recent one, as it would be installed. One that cannot be read may be any.
    pub ultralytics: Option<String>,
    /// torch's version, `2.5.1+cu121`; `None`: a recent one.
    pub torch: Option<String>,
    /// What was found out about the model; `None`: it is a published one, of which the table knows.
    pub graph: Option<Graph>,
}

/// The first three numbers of a version.
pub(super) type Version = (u32, u32, u32);

/// What trains.
#[derive(Debug, Clone, PartialEq)]
pub enum Device {
    /// The processor.
    Processor,
    /// So many cards, of this name.
    Cards {
        /// How many share the batch; at least 1.
        count: u32,
        /// The product's name; `None`: unknown.
        name: Option<String>,
    },
}

/// How many boxes the images of a batch have. Mosaic puts four images into one, so that these are not the dataset's own
/// figures.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Boxes {
    /// In the dataset's fullest image.
    pub most: Option<u32>,
    /// In an image of a batch, on average.
    pub mean: Option<f64>,
}

impl Setup {
    /// A training of a model on one card with the trainer's defaults.
    #[must_use]
    pub fn new(model: &str, imgsz: u32, batch: u32) -> Self {
        Self {
            model: model.to_owned(),
            imgsz,
            batch,
            images: None,
            device: Device::Cards { count: 1, name: None },
            amp: true,
            optimizer: None,
            classes: None,
            boxes: Boxes::default(),
            multi_scale: 0.0,
            epochs: None,
            ultralytics: None,
            torch: None,
            graph: None,
        }
    }

    /// What a plan does on a device.
    #[must_use]
    pub fn of_plan(plan: &Plan, dataset: Option<&Dataset>, device: &ResolvedDevice, gpus: &Fact<Gpus>) -> Self {
        let training = &plan.training;
        let extra = |name| training.extra.get(name);
        let device = match device {
            // Ultralytics trains in single precision on both.
            ResolvedDevice::Processor | ResolvedDevice::Mps => Device::Processor,
            ResolvedDevice::Gpus(_) | ResolvedDevice::Slice { .. } => Device::Cards {
                count: u32::try_from(device.cards().len()).unwrap_or(u32::MAX).max(1),
                // Cards of which one refuses mixed precision train without it on all.
                name: gpus
                    .known()
                    .map(|gpus| gpus.of(device))
                    .unwrap_or_default()
                    .iter()
                    .filter_map(|card| card.name.known().cloned())
                    .max_by_key(|name| refuses_mixed(name)),
            },
        };
        Self {
            images: dataset.and_then(|dataset| Some(dataset.split(crate::dataset::SplitKind::Train)?.images)),
            device,
            amp: !matches!(extra("amp"), Some(Scalar::Bool(false))),
            optimizer: match extra("optimizer") {
                Some(Scalar::Text(name)) if !name.eq_ignore_ascii_case("auto") => Some(name.clone()),
                _ => None,
            },
            classes: dataset.map(|dataset| u32::try_from(dataset.names.len()).unwrap_or(u32::MAX)),
            boxes: Boxes { most: dataset.map(|dataset| dataset.most_boxes), mean: dataset.and_then(mean_boxes) },
            multi_scale: match extra("multi_scale") {
                Some(Scalar::Bool(true)) => 0.5,
                Some(Scalar::Float(share)) if share.is_finite() => share.clamp(0.0, 1.0),
                _ => 0.0,
            },
            epochs: Some(training.epochs),
            ..Self::new(&plan.model.name, training.imgsz, training.batch)
        }
    }

    /// Whether it trains in mixed precision.
    pub(super) fn is_mixed(&self) -> bool {
        match &self.device {
            Device::Processor => false,
            Device::Cards { name, .. } => self.amp && !name.as_deref().is_some_and(refuses_mixed),
        }
    }

    /// Cards that share the batch.
    pub(super) fn cards(&self) -> u32 {
        match self.device {
            Device::Processor => 1,
            Device::Cards { count, .. } => count.max(1),
        }
    }
}

impl Setup {
    /// Values that the optimizer keeps for each parameter: SGD one, Adam and its kin and Ultralytics' own mixture two.
    ///
    /// Where the trainer chooses, it was always SGD before 8.0.120, and SGD for trainings of more than 10,000 steps before
    /// 8.4.5 (`engine/trainer.py`, `build_optimizer`).
    pub(super) fn optimizer_values(&self) -> f64 {
        const NOMINAL_BATCH: u32 = 64;
        let one = match self.optimizer.as_deref().filter(|name| !name.is_empty()) {
            Some(name) => ["sgd", "rmsprop"].iter().any(|one| name.eq_ignore_ascii_case(one)),
            None => self.ultralytics().is_some_and(|version| {
                let steps = self.images.zip(self.epochs).map(|(images, epochs)| {
                    u64::from(images.div_ceil(self.batch.max(NOMINAL_BATCH))) * u64::from(epochs)
                });
                version < (8, 0, 120) || version < (8, 4, 5) && steps.is_some_and(|steps| steps > 10_000)
            }),
        };
        if one { 1.0 } else { 2.0 }
    }

    pub(super) fn ultralytics(&self) -> Option<Version> {
        version(self.ultralytics.as_deref()?)
    }

    pub(super) fn torch(&self) -> Option<Version> {
        version(self.torch.as_deref()?)
    }

    /// Whether the card multiplies matrices in half precision; unknown cards do.
    pub(super) fn has_tensor_cores(&self) -> bool {
        /// Cards before Volta, and Turing's GTX.
        const WITHOUT: [&str; 9] =
            ["GTX", "TITAN X", "Quadro P", "Quadro M", "Quadro K", "Tesla P", "Tesla M", "Tesla K", "MX"];
        match &self.device {
            Device::Cards { name: Some(name), .. } => !WITHOUT.iter().any(|without| name.contains(without)),
            _ => true,
        }
    }
}

fn version(text: &str) -> Option<Version> {
    let mut numbers = text.split('.').map(|number| {
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        number[..digits].parse().ok()
    });
    Some((numbers.next()??, numbers.next()??, numbers.next().flatten().unwrap_or(0)))
}

/// Boxes in an average image of a batch: mosaic puts four images on four times the area, and shows about the middle of it.
fn mean_boxes(dataset: &Dataset) -> Option<f64> {
    const SHOWN: f64 = 1.7;
    let train = dataset.split(crate::dataset::SplitKind::Train)?;
    (train.images > 0).then(|| f64::from(train.instances) / f64::from(train.images) * SHOWN)
}

/// Cards on which the trainer finds mixed precision broken and goes without, by their names: Ultralytics'
/// `utils/checks.py`, `check_amp`.
fn refuses_mixed(card: &str) -> bool {
    const WITHOUT: [&str; 10] = ["1660", "1650", "1630", "T400", "T550", "T600", "T1000", "T1200", "T2000", "K40m"];
    WITHOUT.iter().any(|without| card.contains(without))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_trainer_chooses_depends_on_its_version_and_on_the_steps() {
        let values = |version: Option<&str>, images, epochs, optimizer: Option<&str>| {
            let setup = Setup {
                images: Some(images),
                epochs: Some(epochs),
                optimizer: optimizer.map(str::to_owned),
                ultralytics: version.map(str::to_owned),
                ..Setup::new("yolov8n", 640, 16)
            };
            setup.optimizer_values()
        };
        assert_eq!(values(Some("8.0.58"), 100, 10, None), 1.0);
        assert_eq!(values(Some("8.3.40"), 100, 10, None), 2.0);
        assert_eq!(values(Some("8.3.40"), 64_000, 101, None), 1.0);
        assert_eq!(values(Some("8.4.190"), 64_000, 101, None), 2.0);
        assert_eq!(values(None, 64_000, 101, None), 2.0);
        assert_eq!(values(Some("8.4.190"), 100, 10, Some("SGD")), 1.0);
        assert_eq!(values(Some("strange"), 100, 10, Some("AdamW")), 2.0);
    }

    #[test]
    fn some_cards_train_without_mixed_precision() {
        let on = |name: &str| Setup {
            device: Device::Cards { count: 1, name: Some(name.into()) },
            ..Setup::new("yolov8n", 640, 16)
        };
        assert!(on("NVIDIA GeForce RTX 3060").is_mixed());
        assert!(!on("NVIDIA GeForce GTX 1660 Ti").is_mixed());
        assert!(!Setup { amp: false, ..on("Tesla T4") }.is_mixed());
        assert!(!Setup { device: Device::Processor, ..on("") }.is_mixed());
    }
}
