//! How long a training takes, roughly, before anything was measured.

use serde::{Deserialize, Serialize};

use crate::dataset::{Dataset, SplitKind};
use crate::machine::Computer;
use crate::models;
use crate::plan::Plan;

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

/// Billions of operations one processor thread does per second in training. Measured with YOLOv8n on a 2-core server
/// (60 images of 160 px, 60 epochs in 100 s of epochs); desktop processors lie between half and three times of it.
const GFLOPS_PER_THREAD: f64 = 45.0;
/// The trainer leaves one core alone and never uses more threads than this.
const MOST_THREADS: u32 = 8;
/// Each further thread adds a little less than the one before.
const THREAD_SCALING: f64 = 0.85;
/// A training step costs a forward pass and about two more for going backward.
const PASSES_PER_STEP: f64 = 3.0;

/// How long the processor needs for all epochs; `None` for a model without published figures.
#[must_use]
pub fn on_processor(plan: &Plan, dataset: &Dataset, computer: &Computer) -> Option<Seconds> {
    let card = models::card(&plan.model.name)?;
    let images = |kind| dataset.split(kind).map_or(0.0, |split| f64::from(split.images));
    let scale = f64::from(plan.training.imgsz) / 640.0;
    let per_epoch = (PASSES_PER_STEP * images(SplitKind::Train) + images(SplitKind::Val)) * card.gflops * scale * scale;
    let threads = f64::from(computer.cores.saturating_sub(1).clamp(1, MOST_THREADS)).powf(THREAD_SCALING);
    let expected = f64::from(plan.training.epochs) * per_epoch / (GFLOPS_PER_THREAD * threads);
    Some(Seconds { low: expected / 3.0, expected, high: expected * 2.5 })
}
