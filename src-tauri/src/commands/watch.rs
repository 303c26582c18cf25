//! Following a run while it is looked at.

use std::sync::Arc;
use std::time::Duration;

use preflight_core::problem::Problem;
use preflight_core::run::{EpochPoint, Progress};
use preflight_engine::runs::{self, Follower};
use serde::Serialize;
use specta::Type;
use tauri::State;
use tauri::ipc::Channel;

use crate::shell::{Shell, blocking};

/// How long events are collected before they are told.
const PACE: Duration = Duration::from_millis(100);
/// Every so many looks it is asked whether the supervisor lives.
const LOOKS_PER_PULSE: u32 = 20;

/// What changed about a run.
#[derive(Debug, Clone, Serialize, Type)]
pub(crate) struct RunUpdate {
    /// As it stands, with an empty history.
    pub(crate) progress: Progress,
    /// The epochs that were finished since the last update; in the first one, all there are.
    pub(crate) epochs: Vec<EpochPoint>,
}

/// Tells how a run goes, from the beginning, until it is over or `stop_watching` is called; then it returns.
#[tauri::command]
#[specta::specta]
pub(crate) async fn watch_run(
    shell: State<'_, Shell>,
    id: String,
    on_update: Channel<RunUpdate>,
) -> Result<(), Problem> {
    let stop = shell.watchers.start(on_update.id());
    let watched = stop.run_until_cancelled(watch(&shell, id, &on_update)).await;
    shell.watchers.stop(on_update.id());
    watched.unwrap_or(Ok(()))
}

/// Ends a watch, by the id of its channel.
#[tauri::command]
#[specta::specta]
pub(crate) async fn stop_watching(shell: State<'_, Shell>, channel: u32) -> Result<(), Problem> {
    shell.watchers.stop(channel);
    Ok(())
}

async fn watch(shell: &Shell, id: String, on_update: &Channel<RunUpdate>) -> Result<(), Problem> {
    let mut follower = Follower::new(&open(shell, &id).await?.folder);
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
            if on_update.send(RunUpdate { progress, epochs }).is_err() {
                break;
            }
        }
        if progress.state.is_over() {
            break;
        }
        if look % LOOKS_PER_PULSE == LOOKS_PER_PULSE - 1 {
            // A supervisor that died says nothing: whoever opens the run finds out.
            let state = open(shell, &id).await?.progress.state;
            if state.is_over() && events.is_empty() && progress.state != state {
                let progress = Progress { history: Vec::new(), state, ..progress.clone() };
                let _ = on_update.send(RunUpdate { progress, epochs: Vec::new() });
                break;
            }
        }
        tokio::time::sleep(PACE).await;
    }
    Ok(())
}

async fn open(shell: &Shell, id: &str) -> Result<runs::Run, Problem> {
    let (engine, id) = (Arc::clone(&shell.engine), id.to_owned());
    blocking(move || runs::open(&engine, &id)).await?
}
