//! This computer.

use std::time::Duration;

use preflight_core::facts::Fact;
use preflight_core::machine::{Computer, Gpus, Machine};
use preflight_core::problem::Problem;
use preflight_engine::preflight::load;
use serde::Serialize;
use specta::Type;
use tauri::State;
use tauri::ipc::Channel;

use crate::shell::Shell;

/// How often someone who watches is told.
const PACE: Duration = Duration::from_secs(1);

/// What changes from second to second.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub(crate) struct Load {
    /// Processor, memory, system.
    pub(crate) computer: Fact<Computer>,
    /// NVIDIA cards and driver.
    pub(crate) gpus: Fact<Gpus>,
}

/// Observes this computer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn machine(shell: State<'_, Shell>) -> Result<Machine, Problem> {
    Ok(shell.engine.machine().await)
}

/// Observes memory and cards about once a second, and tells when something changed, until `stop_watching`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn watch_machine(shell: State<'_, Shell>, on_update: Channel<Load>) -> Result<(), Problem> {
    let stop = shell.watchers.start(on_update.id());
    let watch = async {
        let mut before = None;
        loop {
            // One at a time: a driver that hangs must not collect observers.
            let (computer, gpus) = load().await;
            let load = Load { computer, gpus };
            if before.as_ref() != Some(&load) {
                if on_update.send(load.clone()).is_err() {
                    break;
                }
                before = Some(load);
            }
            tokio::time::sleep(PACE).await;
        }
    };
    stop.run_until_cancelled(watch).await;
    shell.watchers.stop(on_update.id());
    Ok(())
}
