//! This computer.

use preflight_core::machine::Machine;
use preflight_core::problem::Problem;
use tauri::State;
use tauri::ipc::Channel;

use crate::shell::Shell;

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
    let watch = shell.engine.watch_machine(|machine| on_update.send(machine.clone()).is_ok());
    shell.watchers.run(on_update.id(), watch).await;
    Ok(())
}
