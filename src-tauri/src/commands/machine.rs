//! This computer.

use std::time::Duration;

use preflight_core::facts::Fact;
use preflight_core::machine::{Computer, Gpus, Volume};
use preflight_core::problem::Problem;
use preflight_engine::{computer, gpu};
use serde::Serialize;
use specta::Type;
use tauri::State;
use tauri::ipc::Channel;

use crate::shell::Shell;

/// A driver that hangs, or a network volume that does not answer, is not waited for any longer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often someone who watches is told.
const PACE: Duration = Duration::from_secs(1);

/// This computer, as observed.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub(crate) struct Machine {
    /// Processor, memory, system.
    pub(crate) computer: Fact<Computer>,
    /// NVIDIA cards and driver.
    pub(crate) gpus: Fact<Gpus>,
    /// The volume that holds runs.
    pub(crate) volume: Fact<Volume>,
}

/// Observes this computer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn machine(shell: State<'_, Shell>) -> Result<Machine, Problem> {
    Ok(observe(&shell).await)
}

/// Observes this computer about once a second, and tells when something changed, until `stop_watching`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn watch_machine(shell: State<'_, Shell>, on_update: Channel<Machine>) -> Result<(), Problem> {
    let stop = shell.watchers.start(on_update.id());
    let watch = async {
        let mut before = None;
        loop {
            // One at a time: a driver that hangs must not collect observers.
            let machine = observe(&shell).await;
            if before.as_ref() != Some(&machine) {
                if on_update.send(machine.clone()).is_err() {
                    break;
                }
                before = Some(machine);
            }
            tokio::time::sleep(PACE).await;
        }
    };
    stop.run_until_cancelled(watch).await;
    shell.watchers.stop(on_update.id());
    Ok(())
}

/// What NVML says, within bounds.
pub(crate) async fn gpus() -> Fact<Gpus> {
    within(gpu::observe).await
}

async fn observe(shell: &Shell) -> Machine {
    let runs = shell.engine.dirs().runs();
    let (computer, gpus, volume) =
        tokio::join!(within(computer::observe), gpus(), within(move || computer::volume(&runs)));
    Machine { computer, gpus, volume }
}

async fn within<T: Send + 'static>(look: impl FnOnce() -> Fact<T> + Send + 'static) -> Fact<T> {
    match tokio::time::timeout(PATIENCE, crate::shell::blocking(look)).await {
        Ok(Ok(fact)) => fact,
        Ok(Err(_)) => Fact::unknown("reason-not-observed"),
        Err(_) => Fact::unknown("reason-no-answer"),
    }
}
