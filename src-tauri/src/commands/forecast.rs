//! What a plan needs, trying it out, and what was learned from trainings.

use preflight_core::forecast::Outlook;
use preflight_core::plan::Plan;
use preflight_engine::experience::{self, Learned};
use preflight_engine::runs::{self, SupervisorCommand, TriedOut, TryOutProgress};
use tauri::ipc::Channel;

commands! {
    /// What a plan needs with each of these batches, from what was observed lately; `null`: it cannot be told yet.
    async fn outlook(engine, plan: Plan, batches: Vec<u32>) -> Option<Outlook> {
        Ok(engine.outlook(&plan, &batches).await)
    }

    /// Tries a plan out in a few steps, one at a time.
    async fn try_out(engine, plan: Plan, on_progress: Channel<TryOutProgress>) -> TriedOut {
        // A page that is gone needs no progress.
        let tell = |progress| drop(on_progress.send(progress));
        runs::try_out(engine, &plan, &SupervisorCommand::this_program()?, tell).await
    }

    /// Ends the trial that is under way.
    now fn cancel_try_out(engine) -> () { runs::cancel_try_out(engine) }

    /// What was learned from trainings on this computer.
    blocking fn learned(engine) -> Learned { experience::learned(engine) }

    /// Forgets it.
    blocking fn forget_learned(engine) -> () { experience::forget(engine) }
}
