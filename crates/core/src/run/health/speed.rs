//! How long a training step takes, and how much of that is waiting for images.

use serde::{Deserialize, Serialize};

/// How long a stretch of steps is, in milliseconds of training. A single step is a stretch where it takes longer.
const STRETCH_MS: u64 = 30_000;
/// Stretches that tell how it is now: three minutes.
const NEWEST: usize = 6;

/// Some steps in a row.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Stretch {
    steps: u32,
    /// What they took.
    ms: u64,
    /// Of it, what is known to be of a trainer that measures its waiting.
    measured_ms: u64,
    /// Of that, what went into waiting for images.
    waited_ms: f64,
}

impl Stretch {
    #[expect(clippy::cast_precision_loss, reason = "a stretch is about half a minute")]
    fn step_s(&self) -> f64 {
        self.ms as f64 / 1000.0 / f64::from(self.steps.max(1))
    }
}

/// How fast steps are, over the newest minutes of training. Validation and gaps are no part of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Speed {
    growing: Stretch,
    newest: Vec<Stretch>,
    /// The best pace held over as many stretches, in seconds a step.
    best_s: Option<f64>,
}

impl Speed {
    /// Steps took this long, this share of it waiting for images. Answers whether a stretch is full.
    pub(super) fn add(&mut self, steps: u32, ms: u64, loading: Option<f64>) -> bool {
        let growing = &mut self.growing;
        growing.steps = growing.steps.saturating_add(steps);
        growing.ms = growing.ms.saturating_add(ms);
        if let Some(share) = loading.filter(|share| share.is_finite()) {
            growing.measured_ms = growing.measured_ms.saturating_add(ms);
            #[expect(clippy::cast_precision_loss, reason = "milliseconds of a run are far below 2^53")]
            let waited = ms as f64 * share.clamp(0.0, 1.0);
            growing.waited_ms += waited;
        }
        if growing.ms < STRETCH_MS {
            return false;
        }
        if self.newest.len() == NEWEST {
            self.newest.remove(0);
        }
        self.newest.push(std::mem::take(growing));
        if let Some(now) = self.now_s() {
            self.best_s = Some(self.best_s.map_or(now, |best| best.min(now)));
        }
        true
    }

    /// Seconds that a step takes now; `None` until some minutes were seen.
    pub(super) fn now_s(&self) -> Option<f64> {
        (self.newest.len() == NEWEST).then(|| self.median_s()).flatten()
    }

    /// Seconds that a step took when it was fastest.
    pub(super) fn best_s(&self) -> Option<f64> {
        self.best_s
    }

    /// Seconds that a step usually takes, as far as that can be told yet.
    pub(super) fn usual_s(&self) -> Option<f64> {
        self.median_s().or_else(|| (self.growing.steps >= 3).then(|| self.growing.step_s()))
    }

    fn median_s(&self) -> Option<f64> {
        let mut steps: Vec<f64> = self.newest.iter().map(Stretch::step_s).collect();
        steps.sort_by(f64::total_cmp);
        steps.get(steps.len() / 2).copied()
    }

    /// The share of the newest minutes that went into waiting for images; `None`: not measured.
    pub(super) fn loading(&self) -> Option<f64> {
        let (measured, waited) = self.newest.iter().chain([&self.growing]).fold((0, 0.0), |(measured, waited), one| {
            (one.measured_ms.saturating_add(measured), waited + one.waited_ms)
        });
        #[expect(clippy::cast_precision_loss, reason = "a few minutes")]
        let share = waited / measured as f64;
        (measured > 0).then(|| share.clamp(0.0, 1.0))
    }

    /// Whether what is known covers minutes rather than moments.
    pub(super) fn is_settled(&self) -> bool {
        self.newest.len() == NEWEST
    }
}
