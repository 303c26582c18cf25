//! Training environments.

use std::sync::Arc;

use preflight_core::environment::{Environment, EnvironmentProgress, EnvironmentState, TorchBuild};
use preflight_core::problem::Problem;
use preflight_engine::environment;
use serde::Serialize;
use specta::Type;
use tauri::State;
use tauri::ipc::Channel;

use crate::shell::Shell;

/// What making the environment will take.
#[derive(Debug, Clone, Serialize, Type)]
pub(crate) struct EnvironmentCost {
    /// The torch build that fits this computer.
    pub(crate) build: TorchBuild,
    /// Bytes that come down.
    pub(crate) download: u64,
    /// Bytes on disk afterwards.
    pub(crate) disk: u64,
    /// Seconds it takes through a line of 50 Mbit/s.
    pub(crate) seconds: u64,
}

/// The app's own environment first, then every other one that was found.
#[tauri::command]
#[specta::specta]
pub(crate) async fn environments(shell: State<'_, Shell>) -> Result<Vec<EnvironmentState>, Problem> {
    Ok(environment::list(shell.engine.dirs()).await)
}

/// What making the environment will take; `cpu_only`: one that leaves the cards alone.
#[tauri::command]
#[specta::specta]
pub(crate) async fn environment_cost(shell: State<'_, Shell>, cpu_only: bool) -> Result<EnvironmentCost, Problem> {
    let build = build(&shell, cpu_only).await?;
    let cost = environment::cost(&shell.engine.settings(), &build)?;
    Ok(EnvironmentCost { build, download: cost.download, disk: cost.disk, seconds: cost.seconds() })
}

async fn build(shell: &Shell, cpu_only: bool) -> Result<TorchBuild, Problem> {
    if cpu_only { Ok(TorchBuild::Cpu) } else { shell.engine.fitting_build().await }
}

/// Makes the app's own environment; `cpu_only`: one that leaves the cards alone.
#[tauri::command]
#[specta::specta]
pub(crate) async fn create_environment(
    shell: State<'_, Shell>,
    cpu_only: bool,
    on_progress: Channel<EnvironmentProgress>,
) -> Result<Environment, Problem> {
    let Some((cancel, _under_way)) = shell.creation.begin() else {
        return Err(Problem::new("environment.busy"));
    };
    let build = build(&shell, cpu_only).await?;
    let progress = Arc::new(move |progress| {
        // A page that is gone needs no progress.
        let _ = on_progress.send(progress);
    });
    environment::create(shell.engine.dirs(), &shell.engine.settings(), &build, progress, cancel).await
}

/// Ends the making of the environment that is under way.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_environment(shell: State<'_, Shell>) -> Result<(), Problem> {
    shell.creation.cancel();
    Ok(())
}

/// Removes the app's own environment; answers the bytes that became free.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_environment(shell: State<'_, Shell>) -> Result<u64, Problem> {
    let Some(_under_way) = shell.creation.begin() else {
        return Err(Problem::new("environment.busy"));
    };
    environment::remove(shell.engine.dirs()).await
}
