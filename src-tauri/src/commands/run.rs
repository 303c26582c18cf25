//! Checking a plan, starting it, and the runs there are.

use std::path::PathBuf;
use std::sync::Arc;

use preflight_core::memory::Estimate;
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_core::report::{Report, Verdict};
use preflight_core::run::{CancelReason, Progress, RunRecord};
use preflight_engine::runs::{self, RunSummary, SupervisorCommand};
use serde::Serialize;
use specta::Type;
use tauri::State;

use crate::shell::{Shell, blocking};

/// A preflight and what it means for starting.
#[derive(Debug, Clone, Serialize, Type)]
pub(crate) struct Preflight {
    /// The whole chain.
    pub(crate) report: Report,
    /// What it means.
    pub(crate) verdict: Verdict,
}

/// A run.
#[derive(Debug, Clone, Serialize, Type)]
pub(crate) struct RunView {
    /// What does not change about it.
    pub(crate) record: RunRecord,
    /// As it stands.
    pub(crate) progress: Progress,
    /// Its chain.
    pub(crate) report: Report,
    /// Its folder.
    pub(crate) folder: PathBuf,
}

/// An image that a run left behind.
#[derive(Debug, Clone, Serialize, Type)]
pub(crate) struct ResultImage {
    /// Its id: `preview://localhost/<id>?side=1024`.
    pub(crate) image: String,
    /// Its file name.
    pub(crate) name: String,
}

/// Looks at the whole chain. `accepted` are the codes of predicted blockers that a person accepts.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preflight(
    shell: State<'_, Shell>,
    plan: Plan,
    accepted: Vec<String>,
) -> Result<Preflight, Problem> {
    let report = shell.engine.preflight(&plan).await;
    shell.remember(&report.findings);
    let verdict = report.verdict(&accepted, false);
    Ok(Preflight { report, verdict })
}

/// How much memory a plan needs, from what was observed lately; `null`: it cannot be told yet.
#[tauri::command]
#[specta::specta]
pub(crate) async fn estimate(shell: State<'_, Shell>, plan: Plan) -> Result<Option<Estimate>, Problem> {
    Ok(shell.engine.estimate(&plan).await)
}

/// Checks once more and starts; answers the run's id. What blocks refuses it; an unknown does not.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start_run(shell: State<'_, Shell>, plan: Plan, accepted: Vec<String>) -> Result<String, Problem> {
    let report = shell.engine.preflight(&plan).await;
    if let Verdict::Blocked | Verdict::AskFirst = report.verdict(&accepted, false) {
        let codes: Vec<_> = report.blockers().map(|finding| finding.code.as_str()).collect();
        return Err(Problem::new("run.blocked").because_text(codes.join(", ")));
    }
    runs::start(&shell.engine, &plan, &accepted, &SupervisorCommand::this_program()?).await
}

/// All runs, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn runs(shell: State<'_, Shell>) -> Result<Vec<RunSummary>, Problem> {
    let engine = Arc::clone(&shell.engine);
    blocking(move || runs::list(&engine).into_iter().map(RunSummary::from).collect()).await
}

/// One run.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run(shell: State<'_, Shell>, id: String) -> Result<RunView, Problem> {
    let engine = Arc::clone(&shell.engine);
    let run = blocking(move || runs::open(&engine, &id)).await??;
    shell.remember(&run.progress.findings);
    let report = Report::of_run(&run.record, &run.progress);
    Ok(RunView { record: run.record, progress: run.progress, report, folder: run.folder })
}

/// Asks a run to end.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_run(shell: State<'_, Shell>, id: String) -> Result<(), Problem> {
    let engine = Arc::clone(&shell.engine);
    blocking(move || runs::cancel(&engine, &id, CancelReason::User)).await?
}

/// The images in the folder that the trainer wrote.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_images(shell: State<'_, Shell>, id: String) -> Result<Vec<ResultImage>, Problem> {
    let engine = Arc::clone(&shell.engine);
    let paths = blocking(move || runs::images(&engine, &id)).await??;
    let view = |path: PathBuf| ResultImage {
        image: shell.images.id(&path),
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    };
    Ok(paths.into_iter().map(view).collect())
}
