//! Following a run while it is looked at.

use std::path::PathBuf;

use preflight_core::problem::Problem;
use preflight_engine::dataset::DatasetChange;
use preflight_engine::runs::{self, RunUpdate};
use tauri::State;
use tauri::ipc::Channel;

use crate::shell::Shell;

/// Tells how a run goes, from the beginning, until `stop_watching` is called; then it returns.
#[tauri::command]
#[specta::specta]
pub(crate) async fn watch_run(
    shell: State<'_, Shell>,
    id: String,
    on_update: Channel<RunUpdate>,
) -> Result<(), Problem> {
    let watch = runs::watch(&shell.engine, &id, |update| on_update.send(update).is_ok());
    shell.watchers.run(on_update.id(), watch).await.unwrap_or(Ok(()))
}

/// Tells when a dataset changes, until `stop_watching` is called; then it returns.
#[tauri::command]
#[specta::specta]
pub(crate) async fn watch_dataset(
    shell: State<'_, Shell>,
    path: PathBuf,
    on_change: Channel<DatasetChange>,
) -> Result<(), Problem> {
    let watch = shell.engine.watch_dataset(&path, |change| on_change.send(change.clone()).is_ok());
    shell.watchers.run(on_change.id(), watch).await;
    Ok(())
}

/// Ends a watch, by the id of its channel.
#[tauri::command]
#[specta::specta]
pub(crate) async fn stop_watching(shell: State<'_, Shell>, channel: u32) -> Result<(), Problem> {
    shell.watchers.stop(channel);
    Ok(())
}
