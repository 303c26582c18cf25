//! Checking a plan, starting it, and the runs there are.

use std::path::PathBuf;
use std::sync::Arc;

use preflight_core::memory::Estimate;
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_core::report::{Report, Verdict};
use preflight_core::run::{CancelReason, Progress, RunRecord, RunState};
use preflight_engine::runs::{self, SupervisorCommand};
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

/// A run in a list.
#[derive(Debug, Clone, Serialize, Type)]
pub(crate) struct RunSummary {
    /// Its id.
    pub(crate) id: String,
    /// When it was made, in milliseconds since 1970 UTC.
    pub(crate) created_ms: u64,
    /// When it was over.
    pub(crate) ended_ms: Option<u64>,
    /// Its state.
    pub(crate) state: RunState,
    /// Its dataset.
    pub(crate) dataset: PathBuf,
    /// Its model's name.
    pub(crate) model: String,
    /// The epoch it is in or ended in.
    pub(crate) epoch: u32,
    /// Epochs in all.
    pub(crate) epochs: u32,
    /// The last measured mAP50, 0..1.
    pub(crate) map50: Option<f64>,
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
        return Err(Problem::new("run.blocked").with("codes", codes.join(", ")));
    }
    runs::start(&shell.engine, &plan, &accepted, &SupervisorCommand::this_program()?).await
}

/// All runs, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn runs(shell: State<'_, Shell>) -> Result<Vec<RunSummary>, Problem> {
    let engine = Arc::clone(&shell.engine);
    blocking(move || runs::list(&engine).into_iter().map(summary).collect()).await
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
    let paths = blocking(move || {
        let run = runs::open(&engine, &id)?;
        let Some(folder) = run.progress.folder else { return Ok(Vec::new()) };
        let unreadable = |error| Problem::new("run.unreadable").with("path", folder.as_path()).because(&error);
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.extension().is_some_and(|kind| kind == "png" || kind == "jpg") {
                paths.push(path);
            }
        }
        paths.sort();
        Ok(paths)
    })
    .await??;
    let view = |path: PathBuf| ResultImage {
        image: shell.images.id(&path),
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    };
    Ok(paths.into_iter().map(view).collect())
}

fn summary(run: runs::Run) -> RunSummary {
    let last = run.progress.history.last().map(|point| &point.metrics);
    let metrics = if run.progress.metrics.is_empty() { last } else { Some(&run.progress.metrics) };
    RunSummary {
        map50: metrics.and_then(|metrics| metrics.get("metrics/mAP50(B)").copied()),
        id: run.record.id,
        created_ms: run.record.created_ms,
        ended_ms: run.progress.ended_ms,
        state: run.progress.state,
        dataset: run.record.plan.dataset,
        model: run.record.plan.model.name,
        epoch: run.progress.epoch,
        epochs: run.record.plan.training.epochs,
    }
}
