//! The raw log of a run.

use preflight_core::problem::Problem;
use preflight_engine::runs::{self, LogLines};
use tauri::State;

use crate::shell::Shell;

/// Some lines of a run's log, from `first` on, counted from 0.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_log(shell: State<'_, Shell>, id: String, first: u32, count: u32) -> Result<LogLines, Problem> {
    shell.blocking(move |engine| runs::log_page(engine, &id, first, count)).await
}

/// Numbers of the lines that contain a text, whatever its case.
#[tauri::command]
#[specta::specta]
pub(crate) async fn search_log(shell: State<'_, Shell>, id: String, text: String) -> Result<Vec<u32>, Problem> {
    shell.blocking(move |engine| runs::search_log(engine, &id, &text)).await
}
