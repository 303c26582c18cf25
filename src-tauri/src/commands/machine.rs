//! This computer.

use std::time::Duration;

use preflight_core::machine::Machine;
use preflight_core::problem::Problem;
use tauri::State;
use tauri::ipc::Channel;

use crate::shell::Shell;

/// How often someone who watches is told.
const PACE: Duration = Duration::from_secs(1);

/// Observes this computer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn machine(shell: State<'_, Shell>) -> Result<Machine, Problem> {
    Ok(shell.engine.machine().await)
}

/// Observes memory and cards about once a second, and tells when something changed, until `stop_watching`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn watch_machine(shell: State<'_, Shell>, on_update: Channel<Machine>) -> Result<(), Problem> {
    let stop = shell.watchers.start(on_update.id());
    let watch = async {
        // The volume is written to when it is observed: once is enough.
        let mut before = shell.engine.machine().await;
        if on_update.send(before.clone()).is_err() {
            return;
        }
        loop {
            tokio::time::sleep(PACE).await;
            // One at a time: a driver that hangs must not collect observers.
            let (computer, gpus) = shell.engine.load().await;
            let now = Machine { computer, gpus, volume: before.volume.clone() };
            if now != before {
                if on_update.send(now.clone()).is_err() {
                    break;
                }
                before = now;
            }
        }
    };
    stop.run_until_cancelled(watch).await;
    shell.watchers.stop(on_update.id());
    Ok(())
}
