//! Pretrained weights.

use std::sync::Arc;

use preflight_core::problem::Problem;
use preflight_core::weights::WeightsProgress;
use preflight_engine::weights::{Outcome, WeightsEntry};
use tauri::State;
use tauri::ipc::Channel;

use crate::shell::Shell;

/// The published weights of every model, as they are on this computer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn weights(shell: State<'_, Shell>) -> Result<Vec<WeightsEntry>, Problem> {
    shell.engine.weights().await
}

/// Fetches the published weights of a model; `again`: even where a whole file is here.
#[tauri::command]
#[specta::specta]
pub(crate) async fn fetch_weights(
    shell: State<'_, Shell>,
    model: String,
    again: bool,
    on_progress: Channel<WeightsProgress>,
) -> Result<Outcome, Problem> {
    let progress = Arc::new(move |progress| {
        // A page that is gone needs no progress.
        let _ = on_progress.send(progress);
    });
    shell.engine.fetch_weights(&model, again, progress).await
}

/// Ends the fetching that is under way; what came down stays.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_weights(shell: State<'_, Shell>) -> Result<(), Problem> {
    shell.engine.cancel_weights();
    Ok(())
}
