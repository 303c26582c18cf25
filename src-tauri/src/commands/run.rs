//! Checking a plan, starting it, and the runs there are.

use preflight_core::plan::Plan;
use preflight_core::report::Preflight;
use preflight_core::run::{CancelReason, Changes, ResumeReason};
use preflight_engine::runs::{self, Resumed, RunSummary, RunView, SupervisorCommand};

commands! {
    /// Looks at the whole chain. `accepted` are the codes of predicted blockers that a person accepts; `anew`: also at
    /// what was seen lately and seems not to have changed.
    async fn preflight(engine, plan: Plan, accepted: Vec<String>, anew: bool) -> Preflight {
        if anew {
            engine.forget_observations();
        }
        Ok(engine.preflight(&plan).await.judged(&accepted, false))
    }

    /// Checks once more and starts; answers the run's id. What blocks refuses it; an unknown does not.
    async fn start_run(engine, plan: Plan, accepted: Vec<String>) -> String {
        runs::start_checked(engine, &plan, &accepted, &SupervisorCommand::this_program()?).await
    }

    /// All runs, newest first.
    blocking fn runs(engine) -> Vec<RunSummary> { Ok(runs::list(engine).into_iter().map(RunSummary::of).collect()) }

    /// One run.
    blocking fn run(engine, id: String) -> RunView { runs::view(engine, &id) }

    /// Asks a run to end.
    blocking fn cancel_run(engine, id: String) -> () { runs::cancel(engine, &id, CancelReason::User) }

    /// Asks a run to rest: at the end of its epoch, or at once.
    blocking fn pause_run(engine, id: String, now: bool) -> () { runs::pause(engine, &id, now) }

    /// Takes back that a run is to rest.
    blocking fn keep_run_on(engine, id: String) -> () { runs::keep_on(engine, &id) }

    /// Has a run go on from its newest checkpoint, with what is changed about it.
    async fn resume_run(engine, id: String, changes: Changes) -> Resumed {
        let supervisor = SupervisorCommand::this_program()?;
        runs::resume(engine, &id, &changes, ResumeReason::User, &supervisor).await
    }
}
