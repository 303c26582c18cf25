//! This computer.

use preflight_core::machine::Machine;
use preflight_core::problem::Problem;
use preflight_core::report::Report;
use preflight_engine::waiting::{Goal, Waiting};
use tauri::State;
use tauri::ipc::Channel;

use crate::shell::Shell;

commands! {
    /// Observes this computer.
    async fn machine(engine) -> Machine { Ok(engine.machine().await) }

    /// Looks at the computer as a whole, and computes a little in the training environment.
    async fn examine_computer(engine) -> Report { Ok(engine.examine_computer(true).await.report) }

    /// Ends a program of this person that is on a card.
    async fn end_process(engine, pid: u32) -> () { engine.end_process(pid).await }

    /// What waits for a card, or how waiting ended.
    now fn waiting(engine) -> Option<Waiting> { engine.waiting() }

    /// Waits for a card from now on, in place of what waited before.
    blocking fn wait_for(engine, goal: Goal) -> Waiting { engine.wait_for(goal) }

    /// Waits no longer, and forgets how it went.
    blocking fn stop_waiting(engine) -> () { engine.stop_waiting() }
}

/// Observes memory and cards about once a second, and tells when something changed, until `stop_watching`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn watch_machine(shell: State<'_, Shell>, on_update: Channel<Machine>) -> Result<(), Problem> {
    let watch = shell.engine.watch_machine(|machine| on_update.send(machine.clone()).is_ok());
    shell.watchers.run(on_update.id(), watch).await;
    Ok(())
}
