//! Training environments.

use std::path::PathBuf;
use std::sync::Arc;

use preflight_core::environment::{Environment, EnvironmentProgress, EnvironmentState};
use preflight_core::problem::Problem;
use preflight_engine::environment::{self, EnvironmentCost};
use tauri::State;
use tauri::ipc::Channel;

use crate::shell::Shell;

/// The app's own environment first, then every other one that was found.
#[tauri::command]
#[specta::specta]
pub(crate) async fn environments(shell: State<'_, Shell>) -> Result<Vec<EnvironmentState>, Problem> {
    Ok(environment::list(shell.engine.dirs()).await)
}

/// Lets plans name a Python that is not found on this computer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn accept_python(shell: State<'_, Shell>, path: PathBuf) -> Result<(), Problem> {
    shell.blocking(move |engine| engine.accept_python(&path)).await
}

/// What making the environment will take; `cpu_only`: one that leaves the cards alone.
#[tauri::command]
#[specta::specta]
pub(crate) async fn environment_cost(shell: State<'_, Shell>, cpu_only: bool) -> Result<EnvironmentCost, Problem> {
    shell.engine.environment_cost(cpu_only).await
}

/// Makes the app's own environment; `cpu_only`: one that leaves the cards alone.
#[tauri::command]
#[specta::specta]
pub(crate) async fn create_environment(
    shell: State<'_, Shell>,
    cpu_only: bool,
    on_progress: Channel<EnvironmentProgress>,
) -> Result<Environment, Problem> {
    let progress = Arc::new(move |progress| {
        // A page that is gone needs no progress.
        let _ = on_progress.send(progress);
    });
    shell.engine.create_environment(cpu_only, progress).await
}

/// Ends the making of the environment that is under way.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_environment(shell: State<'_, Shell>) -> Result<(), Problem> {
    shell.engine.cancel_environment();
    Ok(())
}

/// Removes the app's own environment; answers the bytes that became free.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_environment(shell: State<'_, Shell>) -> Result<u64, Problem> {
    shell.engine.remove_environment().await
}
