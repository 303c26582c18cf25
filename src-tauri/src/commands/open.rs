//! Opening things outside the window: only what the backend itself named.

use std::path::PathBuf;

use preflight_core::problem::Problem;
use preflight_engine::desktop;
use tauri::State;

use crate::shell::Shell;

/// Shows a run's folder in the file manager.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_folder(shell: State<'_, Shell>, id: String) -> Result<(), Problem> {
    shell.blocking(move |engine| desktop::open_run(engine, &id)).await
}

/// Opens a file that a finding named as evidence, or one in the app's own folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_file(shell: State<'_, Shell>, path: PathBuf) -> Result<(), Problem> {
    shell.blocking(move |engine| desktop::open_file(engine, &path)).await
}

/// Opens one of the pages the window links to.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_url(shell: State<'_, Shell>, url: String) -> Result<(), Problem> {
    shell.blocking(move |_| desktop::open_page(&url)).await
}
