//! Runs that were: notes about them, what they take, deleting them.

use preflight_core::problem::Problem;
use preflight_engine::room::{self, Belonging, Room};
use preflight_engine::{results, runs};
use tauri::State;

use crate::shell::Shell;

commands! {
    /// Writes a person's note about a run; an empty one takes it away.
    blocking fn note_run(engine, id: String, text: String) -> () { runs::note(engine, &id, &text) }

    /// Bytes that deleting a run would free.
    blocking fn run_size(engine, id: String) -> u64 { runs::size(engine, &id) }

    /// What of the app's takes room on its disk.
    blocking fn room(engine) -> Room { room::look(engine) }

    /// Clears away weights, or a copy of a dataset; answers the bytes that became free.
    blocking fn clear_room(engine, what: Belonging) -> u64 { room::clear(engine, &what) }
}

/// Deletes a run that is over; answers the bytes that became free.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_run(shell: State<'_, Shell>, id: String) -> Result<u64, Problem> {
    // A model that is being tried works in its run's folder.
    results::close_trial(&shell.engine).await;
    shell.blocking(move |engine| runs::delete(engine, &id)).await
}
