//! Checking a plan, starting it, and the runs there are.

use preflight_core::memory::Estimate;
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_core::report::Preflight;
use preflight_core::run::{CancelReason, Changes, ResumeReason};
use preflight_engine::runs::{self, Resumed, RunSummary, RunView, SupervisorCommand};
use tauri::State;

use crate::shell::Shell;

/// Looks at the whole chain. `accepted` are the codes of predicted blockers that a person accepts; `anew`: also at what
/// was seen lately and seems not to have changed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preflight(
    shell: State<'_, Shell>,
    plan: Plan,
    accepted: Vec<String>,
    anew: bool,
) -> Result<Preflight, Problem> {
    if anew {
        shell.engine.forget_observations();
    }
    Ok(shell.engine.preflight(&plan).await.judged(&accepted, false))
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
    runs::start_checked(&shell.engine, &plan, &accepted, &SupervisorCommand::this_program()?).await
}

/// All runs, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn runs(shell: State<'_, Shell>) -> Result<Vec<RunSummary>, Problem> {
    shell.blocking(|engine| Ok(runs::list(engine).into_iter().map(RunSummary::from).collect())).await
}

/// One run.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run(shell: State<'_, Shell>, id: String) -> Result<RunView, Problem> {
    shell.blocking(move |engine| runs::view(engine, &id)).await
}

/// Asks a run to end.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_run(shell: State<'_, Shell>, id: String) -> Result<(), Problem> {
    shell.blocking(move |engine| runs::cancel(engine, &id, CancelReason::User)).await
}

/// Asks a run to rest: at the end of its epoch, or at once.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pause_run(shell: State<'_, Shell>, id: String, now: bool) -> Result<(), Problem> {
    shell.blocking(move |engine| runs::pause(engine, &id, now)).await
}

/// Takes back that a run is to rest.
#[tauri::command]
#[specta::specta]
pub(crate) async fn keep_run_on(shell: State<'_, Shell>, id: String) -> Result<(), Problem> {
    shell.blocking(move |engine| runs::keep_on(engine, &id)).await
}

/// Has a run go on from its newest checkpoint, with what is changed about it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn resume_run(shell: State<'_, Shell>, id: String, changes: Changes) -> Result<Resumed, Problem> {
    let supervisor = SupervisorCommand::this_program()?;
    runs::resume(&shell.engine, &id, &changes, ResumeReason::User, &supervisor).await
}
