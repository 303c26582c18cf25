//! The raw log of a run.

use std::sync::Arc;

use preflight_core::problem::Problem;
use preflight_engine::runs::{self, Log, LogLines};
use tauri::State;

use crate::shell::{Shell, blocking, lock};

/// Lines that one call may ask for.
const MOST_LINES: u32 = 2_000;
/// Hits of a search.
const MOST_HITS: u32 = 10_000;

/// Some lines of a run's log, from `first` on, counted from 0.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_log(shell: State<'_, Shell>, id: String, first: u32, count: u32) -> Result<LogLines, Problem> {
    read(&shell, id, move |log| log.page(first, count.min(MOST_LINES))).await
}

/// Numbers of the lines that contain a text, whatever its case.
#[tauri::command]
#[specta::specta]
pub(crate) async fn search_log(shell: State<'_, Shell>, id: String, text: String) -> Result<Vec<u32>, Problem> {
    read(&shell, id, move |log| log.search(&text, MOST_HITS)).await
}

async fn read<T: Send + 'static>(
    shell: &Shell,
    id: String,
    work: impl FnOnce(&mut Log) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let (engine, last) = (Arc::clone(&shell.engine), Arc::clone(&shell.log));
    blocking(move || {
        let mut last = lock(&last);
        match &mut *last {
            Some((open, log)) if *open == id => work(log),
            other => {
                let folder = runs::open(&engine, &id)?.folder;
                let (_, log) = other.insert((id, Log::open(&folder)));
                work(log)
            }
        }
    })
    .await?
}
