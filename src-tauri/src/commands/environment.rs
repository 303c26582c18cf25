//! Training environments.

use std::path::PathBuf;
use std::sync::Arc;

use preflight_core::environment::{Environment, EnvironmentProgress, EnvironmentState};
use preflight_core::problem::Problem;
use preflight_engine::environment::{self, EnvironmentCost, OnProgress};
use tauri::ipc::Channel;
use tauri::{AppHandle, Runtime, State};

use super::dialog;
use crate::shell::Shell;

/// Progress for a page; one that is gone needs none.
pub(super) fn heard_by(page: Channel<EnvironmentProgress>) -> OnProgress {
    Arc::new(move |progress| drop(page.send(progress)))
}

/// What kits are called.
const KITS: dialog::Kind<'static> = ("window-dialog-kits", &["zip"]);

commands! {
    /// The app's own environment first, then every other one that was found.
    async fn environments(engine) -> Vec<EnvironmentState> { Ok(environment::list(engine.dirs()).await) }

    /// Lets plans name a Python that is not found on this computer.
    blocking fn accept_python(engine, path: PathBuf) -> () { engine.accept_python(&path) }

    /// What making the environment will take; `cpu_only`: one that leaves the cards alone.
    async fn environment_cost(engine, cpu_only: bool) -> EnvironmentCost { engine.environment_cost(cpu_only).await }

    /// Makes the app's own environment; `cpu_only`: one that leaves the cards alone.
    async fn create_environment(engine, cpu_only: bool, on_progress: Channel<EnvironmentProgress>) -> Environment {
        engine.create_environment(cpu_only, heard_by(on_progress)).await
    }

    /// Ends what is done to the environment now: making, packing, installing from a file.
    now fn cancel_environment(engine) -> () { engine.cancel_environment() }

    /// Removes the app's own environment; answers the bytes that became free.
    async fn remove_environment(engine) -> u64 { engine.remove_environment().await }
}

/// Asks where to and writes the app's own environment with all weights that are here; answers the file.
#[tauri::command]
#[specta::specta]
pub(crate) async fn export_kit<R: Runtime>(
    app: AppHandle<R>,
    shell: State<'_, Shell>,
    on_progress: Channel<EnvironmentProgress>,
) -> Result<Option<PathBuf>, Problem> {
    let to = dialog::new_file(&app, "window-dialog-export-kit", KITS, "training-environment.zip").await;
    let Some(to) = to else { return Ok(None) };
    shell.engine.export_kit(&to, None, heard_by(on_progress)).await.map(|_| Some(to))
}

/// Asks for such a file and makes the app's own environment of it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn import_kit<R: Runtime>(
    app: AppHandle<R>,
    shell: State<'_, Shell>,
    on_progress: Channel<EnvironmentProgress>,
) -> Result<Option<Environment>, Problem> {
    let Some(kit) = dialog::file(&app, "window-dialog-import-kit", KITS).await else { return Ok(None) };
    shell.engine.import_kit(&kit, heard_by(on_progress)).await.map(Some)
}
