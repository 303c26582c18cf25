//! How long a training takes, roughly, before anything was measured.

use serde::{Deserialize, Serialize};

use crate::dataset::{Dataset, SplitKind};
use crate::machine::Computer;
use crate::models;
use crate::plan::Plan;

mod expected;

pub(crate) use expected::throughput;
pub use expected::{Basis, Expected, Hours, elsewhere, expected, gpu_hours};

/// An interval, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Seconds {
    /// It will hardly be less.
    pub low: f64,
    /// Most likely.
    pub expected: f64,
    /// It will hardly be more.
    pub high: f64,
}

/// Billions of operations one processor thread does per second in training. Measured on one core of a server with AVX-512,
/// from 50 (YOLOv8n) to 130 (YOLOv8x).
const GFLOPS_PER_THREAD: f64 = 80.0;
/// Seconds that reading and augmenting one image takes; on the processor the trainer does it between the steps.
const READING: f64 = 0.015;
/// The trainer leaves one core alone and never uses more threads than this.
const MOST_THREADS: u32 = 8;
/// Each further thread adds a little less than the one before.
const THREAD_SCALING: f64 = 0.85;
/// A training step costs a forward pass and about two more for going backward.
const PASSES_PER_STEP: f64 = 3.0;

/// How long the processor needs for all epochs; `None` where there is nothing to learn, and for a model without
/// published figures.
#[must_use]
pub fn on_processor(plan: &Plan, dataset: &Dataset, computer: &Computer) -> Option<Seconds> {
    let card = models::card(&plan.model.name)?;
    let images = |kind| dataset.split(kind).map_or(0.0, |split| f64::from(split.images));
    let scale = f64::from(plan.training.imgsz) / 640.0;
    let (train, val) = (images(SplitKind::Train), images(SplitKind::Val));
    if train == 0.0 || plan.training.epochs == 0 {
        return None;
    }
    let threads = f64::from(computer.cores.saturating_sub(1).clamp(1, MOST_THREADS)).powf(THREAD_SCALING);
    let computing = (PASSES_PER_STEP * train + val) * card.gflops * scale * scale / (GFLOPS_PER_THREAD * threads);
    let expected = f64::from(plan.training.epochs) * (computing + (train + val) * READING);
    Some(Seconds { low: expected / 3.0, expected, high: expected * 2.5 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Split, Task};

    /// 60 images of 160 px, 60 epochs with YOLOv8n on 2 cores took 100 s.
    #[test]
    fn a_measured_training_is_within_the_bounds() {
        let split = |kind, images| Split {
            kind,
            sources: Vec::new(),
            images,
            labelled: images,
            background: 0,
            corrupt: 0,
            instances: images,
            class_instances: Vec::new(),
            sides: None,
        };
        let dataset = Dataset {
            root: std::path::PathBuf::new(),
            yaml: None,
            task: Task::Detect,
            names: Vec::new(),
            keypoints: None,
            channels: 3,
            splits: vec![split(SplitKind::Train, 48), split(SplitKind::Val, 12)],
            most_boxes: 4,
            findings: Vec::new(),
            took_ms: 0,
        };
        let mut plan = Plan::default();
        plan.training.imgsz = 160;
        plan.training.epochs = 60;
        let computer = Computer {
            os: "linux".to_owned(),
            os_name: String::new(),
            cpu: String::new(),
            cores: 2,
            memory_total: 0,
            memory_available: 0,
            apple_gpu: false,
        };
        let time = on_processor(&plan, &dataset, &computer).unwrap();
        assert!(time.low < 100.0 && 100.0 < time.high, "{time:?}");
        assert!((60.0..160.0).contains(&time.expected), "{time:?}");
        plan.model.name = "unknown".to_owned();
        assert_eq!(on_processor(&plan, &dataset, &computer), None);
    }
}
