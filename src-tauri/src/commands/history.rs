//! Runs that were: notes about them, what they take, deleting them.

use preflight_core::problem::Problem;
use preflight_engine::{results, runs};
use tauri::State;

use crate::shell::Shell;

/// Writes a person's note about a run; an empty one takes it away.
#[tauri::command]
#[specta::specta]
pub(crate) async fn note_run(shell: State<'_, Shell>, id: String, text: String) -> Result<(), Problem> {
    shell.blocking(move |engine| runs::note(engine, &id, &text)).await
}

/// Bytes that deleting a run would free.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_size(shell: State<'_, Shell>, id: String) -> Result<u64, Problem> {
    shell.blocking(move |engine| runs::size(engine, &id)).await
}

/// Deletes a run that is over; answers the bytes that became free.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_run(shell: State<'_, Shell>, id: String) -> Result<u64, Problem> {
    // A model that is being tried works in its run's folder.
    results::close_trial(&shell.engine).await;
    shell.blocking(move |engine| runs::delete(engine, &id)).await
}
