//! A run in a line.

use std::path::PathBuf;

use preflight_core::run::{Pausing, RunState};
use serde::Serialize;

use super::{Run, Why};

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct RunSummary {
    /// Its id.
    pub id: String,
    /// When it was made, in milliseconds since 1970 UTC.
    pub created_ms: u64,
    /// When it was over.
    pub ended_ms: Option<u64>,
    /// Its state.
    pub state: RunState,
    /// Whether it is to rest, or why it rests.
    pub pausing: Option<Pausing>,
    /// When it came to rest.
    pub paused_ms: Option<u64>,
    /// Since when its epochs go on without a rest.
    pub since_ms: Option<u64>,
    /// Seconds it trained before that.
    pub trained_s: f64,
    /// Its dataset.
    pub dataset: PathBuf,
    /// Its model's name.
    pub model: String,
    /// The epoch it is in or ended in.
    pub epoch: u32,
    /// Epochs in all.
    pub epochs: u32,
    /// The last measured mAP50, 0..1.
    pub map50: Option<f64>,
    /// Why it failed; `None`: it did not, or it is not known yet.
    pub why: Option<Why>,
    /// What a person noted about it; empty: nothing.
    pub note: String,
}

impl RunSummary {
    /// Of a run. Reads what its folder keeps of why it failed.
    #[must_use]
    pub fn of(run: Run) -> Self {
        let last = run.progress.history.last().map(|point| &point.metrics);
        let metrics = if run.progress.metrics.is_empty() { last } else { Some(&run.progress.metrics) };
        Self {
            why: run.why(),
            map50: metrics.and_then(|metrics| metrics.get("metrics/mAP50(B)").copied()),
            id: run.record.id,
            created_ms: run.record.created_ms,
            ended_ms: run.progress.ended_ms,
            state: run.progress.state,
            pausing: run.progress.pausing,
            paused_ms: run.progress.paused_ms,
            since_ms: run.progress.since_ms,
            trained_s: run.progress.trained_s,
            dataset: run.record.plan.dataset,
            model: run.record.plan.model.name,
            epoch: run.progress.epoch,
            epochs: run.record.plan.training.epochs,
            note: run.note,
        }
    }
}
