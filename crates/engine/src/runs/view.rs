//! A run as it is shown.

use std::path::PathBuf;

use preflight_core::command::line;
use preflight_core::problem::Problem;
use preflight_core::report::Report;
use preflight_core::run::{Progress, RunRecord};
use serde::Serialize;

use crate::Engine;
use crate::preflight::now_ms;

/// A run.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct RunView {
    /// What does not change about it.
    pub record: RunRecord,
    /// As it stands.
    pub progress: Progress,
    /// Its chain.
    pub report: Report,
    /// Its folder.
    pub folder: PathBuf,
    /// The command that trains, as a POSIX shell reads it; it is run in the folder.
    pub command: String,
    /// What a person noted about it; empty: nothing.
    pub note: String,
}

/// One run, with its chain. Blocks.
///
/// # Errors
/// Those of [`super::open`].
pub fn view(engine: &Engine, id: &str) -> Result<RunView, Problem> {
    let super::Run { folder, record, progress, note } = super::open(engine, id)?;
    let report = Report::of_run(&record, &progress, now_ms());
    engine.named().remember(&report.findings);
    let command = line(&record.command);
    Ok(RunView { record, progress, report, folder, command, note })
}
