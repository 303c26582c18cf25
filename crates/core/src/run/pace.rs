//! How fast a run goes, and so how long it still takes.

use serde::{Deserialize, Serialize};

use super::progress::seconds;

/// Epochs that tell the pace: enough to even out, few enough to follow a change.
const WINDOW: usize = 5;

/// What a validation step costs in training steps. It takes twice the images but only the forward pass, which is about
/// a third of a training step. Used until a validation was seen.
const VALIDATION_STEP: f64 = 2.0 / 3.0;

/// Seconds that drawing the curves, the confusion matrix and the table of results takes at the end. Measured with
/// Ultralytics 8.4.190 on two cores of a server: 8 s, whatever the dataset.
const DRAWING_S: f64 = 8.0;

/// How fast a run goes: what was seen of its steps, epochs and validations.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(default)]
pub struct Pace {
    /// Training steps of an epoch.
    steps: u32,
    /// Validation steps of an epoch, from the number of images until one was seen.
    validation_steps: u32,
    /// Whether times are the trainer's own clock, which neither a set clock nor a suspended computer changes.
    clocked: bool,
    /// The first step told of the first epoch, and when: steps before it include the start of the workers.
    first_step: Option<(u32, u64)>,
    /// The newest training step of the current epoch, and when.
    step: Option<(u32, u64)>,
    /// The newest validation step of the current epoch.
    validation_step: Option<u32>,
    /// Seconds a training step takes, seen in the first epoch.
    step_s: Option<f64>,
    /// Seconds the newest epochs took, validation included.
    epochs_s: Vec<f64>,
    /// Seconds the newest validations took.
    validations_s: Vec<f64>,
    /// The trainer's clock at the end of the last epoch.
    clock_s: f64,
    /// Whether curves are drawn at the end.
    draws: bool,
    /// Whether the oldest epoch here is the first one, which starts the workers and is slower.
    has_first: bool,
}

impl Pace {
    /// An epoch is about to begin, for the first time or with other values than before.
    pub(super) fn start(&mut self, steps: u32, batch: u32, val_images: u32, draws: bool) {
        let clock_s = self.clock_s;
        *self = Self {
            steps,
            draws,
            validation_steps: val_images.div_ceil(batch.saturating_mul(2).max(1)),
            clock_s,
            has_first: true,
            ..Self::default()
        };
    }

    /// A training step is done; `clock_s` is the trainer's clock where it tells it.
    pub(super) fn step(&mut self, step: u32, steps: u32, clock_s: Option<f64>, at_ms: u64) {
        self.clocked = clock_s.is_some();
        let at_ms = clock_s.map_or(at_ms, milliseconds);
        self.steps = steps;
        self.step = Some((step, at_ms));
        self.validation_step = None;
        if self.epochs_s.is_empty() {
            let (first, began_ms) = *self.first_step.get_or_insert((step, at_ms));
            if step > first {
                self.step_s = Some(seconds(began_ms, at_ms) / f64::from(step - first));
            }
        }
    }

    /// A validation step is done.
    pub(super) fn validation(&mut self, step: u32, steps: u32) {
        self.validation_steps = steps;
        self.validation_step = Some(step);
    }

    /// An epoch with its validation is done; `clock_s` is the trainer's clock.
    pub(super) fn epoch(&mut self, clock_s: f64, at_ms: u64) {
        if let Some((step, last_ms)) = self.step
            && step == self.steps
        {
            let at_ms = if self.clocked { milliseconds(clock_s) } else { at_ms };
            remember(&mut self.validations_s, seconds(last_ms, at_ms));
        }
        let took = clock_s - self.clock_s;
        if took > 0.0 && took.is_finite() {
            if self.has_first && self.epochs_s.len() == 1 {
                self.epochs_s.clear();
                self.has_first = false;
            }
            remember(&mut self.epochs_s, took);
        }
        self.clock_s = clock_s;
        self.step = None;
        self.validation_step = None;
    }

    /// Seconds until all is done (the rest of the current epoch, `epochs_left` whole ones, and the final validation of
    /// the best weights with its curves), and until the current epoch is. `None`: nothing was seen yet that tells.
    pub(super) fn remaining(
        &self,
        epochs_left: u32,
        between_epochs: bool,
        final_validation: bool,
    ) -> (Option<f64>, Option<f64>) {
        let validation_s = median(&self.validations_s)
            .or_else(|| Some(self.step_s? * VALIDATION_STEP * f64::from(self.validation_steps)));
        let first_epoch_s = || Some(self.step_s? * f64::from(self.steps) + validation_s?);
        let Some(epoch_s) = median(&self.epochs_s).or_else(first_epoch_s) else { return (None, None) };
        let validation_s = validation_s.unwrap_or(0.0).min(epoch_s);
        let done = |step: u32, steps: u32| f64::from(step.min(steps)) / f64::from(steps.max(1));
        let validation_left =
            validation_s * (1.0 - self.validation_step.map_or(0.0, |step| done(step, self.validation_steps)));
        let drawing_s = if self.draws { DRAWING_S } else { 0.0 };
        if final_validation {
            return (Some(validation_left + drawing_s), None);
        }
        let current = match (self.validation_step, self.step) {
            _ if between_epochs => 0.0,
            (Some(_), _) => validation_left,
            (None, Some((step, _))) => (epoch_s - validation_s) * (1.0 - done(step, self.steps)) + validation_s,
            (None, None) => epoch_s,
        };
        (Some(current + epoch_s * f64::from(epochs_left) + validation_s + drawing_s), Some(current))
    }
}

fn remember(values: &mut Vec<f64>, value: f64) {
    values.push(value);
    if values.len() > WINDOW {
        values.remove(0);
    }
}

/// The middle one: a computer that slept through one epoch does not change it.
fn median(values: &[f64]) -> Option<f64> {
    let mut sorted: Vec<f64> = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast that is too large or negative stays at the end of the range"
)]
fn milliseconds(clock_s: f64) -> u64 {
    (clock_s * 1000.0) as u64
}
