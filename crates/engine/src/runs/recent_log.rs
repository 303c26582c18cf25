//! The log that is being read.

use std::sync::Mutex;

use preflight_core::problem::Problem;

use super::{Log, LogLines};
use crate::Engine;
use crate::work::lock;

/// Lines that one call may ask for.
const MOST_LINES: u32 = 2_000;
/// Hits of a search.
const MOST_HITS: u32 = 10_000;

/// The log that was read last, with its run's id: its index is dear to make anew.
#[derive(Debug, Default)]
pub(crate) struct RecentLog(Mutex<Option<(String, Log)>>);

/// Some lines of a run's log, from `first` on, counted from 0. Blocks.
///
/// # Errors
/// `run.not-found`, `run.unreadable`.
pub fn log_page(engine: &Engine, id: &str, first: u32, count: u32) -> Result<LogLines, Problem> {
    with_log(engine, id, |log| log.page(first, count.min(MOST_LINES)))
}

/// Numbers of the lines of a run's log that contain a text, whatever its case. Blocks.
///
/// # Errors
/// `run.not-found`, `run.unreadable`.
pub fn search_log(engine: &Engine, id: &str, text: &str) -> Result<Vec<u32>, Problem> {
    with_log(engine, id, |log| log.search(text, MOST_HITS))
}

fn with_log<T>(engine: &Engine, id: &str, read: impl FnOnce(&mut Log) -> Result<T, Problem>) -> Result<T, Problem> {
    let mut recent = lock(&engine.recent_log().0);
    match &mut *recent {
        Some((open, log)) if open == id => read(log),
        other => {
            let folder = super::open(engine, id)?.folder;
            let (_, log) = other.insert((id.to_owned(), Log::open(&folder)));
            read(log)
        }
    }
}
