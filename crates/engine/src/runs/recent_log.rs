//! The log that is being read.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

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
pub(crate) struct RecentLog {
    log: Mutex<Option<(String, Log)>>,
    /// The number of the newest search: those before it are no longer waited for.
    search: AtomicU64,
}

/// Some lines of a run's log, from `first` on, counted from 0; `None`: the last ones. Blocks.
///
/// # Errors
/// `run.not-found`, `run.unreadable`.
pub fn log_page(engine: &Engine, id: &str, first: Option<u32>, count: u32) -> Result<LogLines, Problem> {
    let count = count.min(MOST_LINES);
    with_log(engine, id, |log| match first {
        Some(first) => log.page(first, count),
        None => log.end(count),
    })
}

/// Numbers of the lines of a run's log that contain a text, whatever its case. Ends without all of them when another
/// search begins. Blocks, but nobody who reads pages meanwhile.
///
/// # Errors
/// `run.not-found`, `run.unreadable`.
pub fn search_log(engine: &Engine, id: &str, text: &str) -> Result<Vec<u32>, Problem> {
    let newest = &engine.recent_log().search;
    let number = newest.fetch_add(1, Ordering::Relaxed) + 1;
    let mut found = Vec::new();
    let mut next = Some(0);
    while let Some(from) = next
        && newest.load(Ordering::Relaxed) == number
    {
        next = with_log(engine, id, |log| log.search_on(text, MOST_HITS, from, &mut found))?;
    }
    Ok(found)
}

fn with_log<T>(engine: &Engine, id: &str, read: impl FnOnce(&mut Log) -> Result<T, Problem>) -> Result<T, Problem> {
    let mut recent = lock(&engine.recent_log().log);
    match &mut *recent {
        Some((open, log)) if open == id => read(log),
        other => {
            let folder = super::open(engine, id)?.folder;
            let (_, log) = other.insert((id.to_owned(), Log::open(&folder)));
            read(log)
        }
    }
}
