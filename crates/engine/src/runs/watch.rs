//! Following a run while it is looked at.

use std::sync::Arc;
use std::time::Duration;

use preflight_core::problem::Problem;
use preflight_core::run::{EpochPoint, Progress};
use serde::Serialize;

use super::{Follower, Run};
use crate::Engine;

/// How long events are collected before they are told.
const PACE: Duration = Duration::from_millis(100);
/// Every so many looks it is asked whether the supervisor lives.
const LOOKS_PER_PULSE: u32 = 20;

/// What changed about a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct RunUpdate {
    /// As it stands, with an empty history.
    pub progress: Progress,
    /// The epochs that were finished since the last update; in the first one, all there are.
    pub epochs: Vec<EpochPoint>,
}

/// Tells how a run goes, from the beginning, until it is over or `tell` answers that nobody listens.
///
/// # Errors
/// Those of [`super::open`].
pub async fn watch(engine: &Arc<Engine>, id: &str, mut tell: impl FnMut(RunUpdate) -> bool) -> Result<(), Problem> {
    let mut follower = Follower::new(&open(engine, id).await?.folder);
    let mut progress = Progress::default();
    let mut told = 0;
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
        }
        if !events.is_empty() || look == 0 {
            let epochs = progress.history.get(told..).unwrap_or_default().to_vec();
            told = progress.history.len();
            let progress = Progress { history: Vec::new(), ..progress.clone() };
            if !tell(RunUpdate { progress, epochs }) {
                break;
            }
        }
        if progress.state.is_over() {
            break;
        }
        if look % LOOKS_PER_PULSE == LOOKS_PER_PULSE - 1 {
            // A supervisor that died says nothing: whoever opens the run finds out.
            let state = open(engine, id).await?.progress.state;
            if state.is_over() && events.is_empty() && progress.state != state {
                tell(RunUpdate { progress: Progress { history: Vec::new(), state, ..progress }, epochs: Vec::new() });
                break;
            }
        }
        tokio::time::sleep(PACE).await;
    }
    Ok(())
}

async fn open(engine: &Arc<Engine>, id: &str) -> Result<Run, Problem> {
    let (engine, id) = (Arc::clone(engine), id.to_owned());
    blocking(move || super::open(&engine, &id)).await?
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Problem::new("internal.task").because(&error))
}
