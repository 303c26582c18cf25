//! Following a run while it is looked at.

use std::sync::Arc;
use std::time::Duration;

use preflight_core::problem::Problem;
use preflight_core::report::Report;
use preflight_core::run::{EpochPoint, Progress, RunRecord};
use serde::Serialize;

use super::{Follower, Run};
use crate::Engine;

/// How long events are collected before they are told.
const PACE: Duration = Duration::from_millis(PACE_MS);
const PACE_MS: u64 = 100;
/// How often it is told that nothing is told.
const SILENCE_MS: u64 = 10_000;
/// The same while a run rests or is over: it may go on.
const RESTING: Duration = Duration::from_millis(500);
/// Every so many looks it is asked whether the supervisor lives.
const LOOKS_PER_PULSE: u32 = 20;
/// So many times it must be dead until that is told: the app has another one take over meanwhile.
const DEAD_PULSES: u32 = 5;

/// What changed about a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct RunUpdate {
    /// As it stands, without its history and what its findings come from.
    pub progress: Progress,
    /// The epochs that were finished since the last update; in the first one, all there are.
    pub epochs: Vec<EpochPoint>,
    /// Its chain.
    pub report: Report,
}

/// Tells how a run goes, from the beginning, until `tell` answers that nobody listens. A run that is over may go on.
///
/// # Errors
/// Those of [`super::open`].
pub async fn watch(engine: &Arc<Engine>, id: &str, mut tell: impl FnMut(RunUpdate) -> bool) -> Result<(), Problem> {
    let Run { folder, record, .. } = open(engine, id).await?;
    let mut follower = Follower::new(&folder);
    let mut progress = Progress::default();
    let mut told = 0;
    // Counted in looks: a computer that slept through the night was not silent.
    let mut silent_ms = 0;
    let mut dead = 0;
    for look in 0_u32.. {
        let (back, events) = blocking(move || {
            let events = follower.poll();
            (follower, events)
        })
        .await?;
        follower = back;
        let events = events?;
        for event in &events {
            progress.apply(event);
            // A run that went on from an older checkpoint trains epochs again.
            told = told.min(progress.history.len());
        }
        let is_active = progress.state.is_active();
        silent_ms = if events.is_empty() && is_active { silent_ms + PACE_MS } else { 0 };
        // Where nothing at all is told, that becomes the news.
        let is_silent = silent_ms > 0 && silent_ms % SILENCE_MS == 0;
        if !events.is_empty() || look == 0 || is_silent {
            let epochs = progress.history.get(told..).unwrap_or_default().to_vec();
            told = progress.history.len();
            if !tell(update(engine, &record, &mut progress, epochs, silent_ms)) {
                break;
            }
        }
        if is_active && look % LOOKS_PER_PULSE == LOOKS_PER_PULSE - 1 {
            // A supervisor that died says nothing: whoever opens the run finds out.
            let state = open(engine, id).await?.progress.state;
            dead = if state.is_over() && events.is_empty() { dead + 1 } else { 0 };
            if dead == DEAD_PULSES {
                let mut dead = Progress { state, ..progress.clone() };
                if !tell(update(engine, &record, &mut dead, Vec::new(), 0)) {
                    break;
                }
            }
        }
        tokio::time::sleep(if is_active { PACE } else { RESTING }).await;
    }
    Ok(())
}

fn update(
    engine: &Engine,
    record: &RunRecord,
    progress: &mut Progress,
    epochs: Vec<EpochPoint>,
    silent_ms: u64,
) -> RunUpdate {
    let report = Report::of_run(record, progress, progress.last_ms.saturating_add(silent_ms));
    engine.named().remember(&report.findings);
    // What grows with the run is not copied several times a second.
    let (history, health) = (std::mem::take(&mut progress.history), std::mem::take(&mut progress.health));
    let told = progress.clone();
    (progress.history, progress.health) = (history, health);
    RunUpdate { progress: told, epochs, report }
}

async fn open(engine: &Arc<Engine>, id: &str) -> Result<Run, Problem> {
    let (engine, id) = (Arc::clone(engine), id.to_owned());
    blocking(move || super::open(&engine, &id)).await?
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Problem::new("internal.task").because(&error))
}
