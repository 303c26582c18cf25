//! The raw log of a run.

use std::sync::Arc;

use preflight_core::problem::Problem;
use preflight_engine::runs::{self, Log};
use serde::Serialize;
use specta::Type;
use tauri::State;

use crate::shell::{Shell, blocking, lock};

/// Lines that one call may ask for.
const MOST_LINES: u32 = 2_000;
/// Hits of a search.
const MOST_HITS: u32 = 10_000;

/// A piece of a raw log.
#[derive(Debug, Clone, Serialize, Type)]
pub(crate) struct LogLines {
    /// Lines there are now.
    pub(crate) total: u32,
    /// The number of the first line here, counted from 0.
    pub(crate) first: u32,
    /// The lines.
    pub(crate) lines: Vec<String>,
}

/// Some lines of a run's log, from `first` on, counted from 0.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_log(shell: State<'_, Shell>, id: String, first: u32, count: u32) -> Result<LogLines, Problem> {
    let page = read(&shell, id, move |log| log.page(first, count.min(MOST_LINES))).await?;
    Ok(LogLines { total: page.total, first: page.first, lines: page.lines })
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
