//! Facts in parallel, then the checks.

use std::sync::Arc;
use std::time::Duration;

use preflight_core::environment::EnvironmentState;
use preflight_core::facts::{Fact, Facts};
use preflight_core::machine::{Computer, Gpus, Machine};
use preflight_core::memory::Estimate;
use preflight_core::plan::{Plan, Target};
use preflight_core::report::Report;
use preflight_core::text::Message;
use tokio_util::sync::CancellationToken;

use crate::Engine;

/// How long a fact may take that normally takes milliseconds: a hung driver or network drive must not hold up the rest.
const QUICK: Duration = Duration::from_secs(10);
/// How long trying an environment may take: importing torch from a cold, slow disk takes most of a minute.
const IMPORT: Duration = Duration::from_secs(120);
/// How long reading a dataset may take before the answer is that it is still being read.
const DATASET: Duration = Duration::from_secs(600);

/// Observes everything a plan depends on, in parallel, each with its own time-out.
pub async fn gather(engine: &Engine, plan: &Plan) -> Facts {
    let (dirs, weights_plan) = (engine.dirs().clone(), plan.clone());
    let (dataset, Machine { computer, gpus, volume }, environment, weights) = tokio::join!(
        dataset(engine, plan),
        machine(engine),
        environment(engine, plan),
        blocking(QUICK, move || crate::weights::locate(&dirs, &weights_plan)),
    );
    Facts { dataset, gpus, computer, volume, environment, weights }
}

/// Observes this computer.
pub async fn machine(engine: &Engine) -> Machine {
    let runs = engine.dirs().runs();
    let ((computer, gpus), volume) = tokio::join!(load(), blocking(QUICK, move || crate::computer::volume(&runs)));
    Machine { computer, gpus, volume }
}

/// Observes what changes from second to second, without touching a disk.
pub async fn load() -> (Fact<Computer>, Fact<Gpus>) {
    tokio::join!(blocking(QUICK, crate::computer::observe), blocking(QUICK, crate::gpu::observe))
}

/// Observes, then checks every link of the chain.
pub async fn preflight(engine: &Engine, plan: &Plan) -> Report {
    let facts = gather(engine, plan).await;
    let not_needed = preflight_core::checks::not_needed(&facts, plan);
    Report::new(now_ms(), preflight_core::checks::check(&facts, plan), &not_needed)
}

async fn dataset(engine: &Engine, plan: &Plan) -> Fact<preflight_core::dataset::Dataset> {
    if !plan.has_dataset() {
        return Fact::unknown("reason-no-dataset-chosen");
    }
    let cancel = CancellationToken::new();
    // Whoever drops this future (a newer plan) no longer wants the answer.
    let _cancelled = cancel.clone().drop_guard();
    match tokio::time::timeout(DATASET, engine.dataset(&plan.dataset, Arc::new(|_, _| {}), cancel)).await {
        Ok(Ok(dataset)) => Fact::Known(Arc::unwrap_or_clone(dataset)),
        Ok(Err(problem)) => Fact::Unknown(problem.message()),
        Err(_) => Fact::unknown("reason-still-looking"),
    }
}

async fn environment(engine: &Engine, plan: &Plan) -> Fact<EnvironmentState> {
    let Target::ThisComputer { python, .. } = &plan.target;
    let look = async {
        match python {
            Some(python) => crate::environment::inspect(engine.dirs(), python).await,
            None => crate::environment::own(engine.dirs()).await,
        }
    };
    match tokio::time::timeout(IMPORT, look).await {
        Ok(state) => Fact::Known(state),
        Err(_) => timed_out(IMPORT),
    }
}

/// Looks on a thread of its own. A look that never ends keeps its thread; the answer does not wait for it.
async fn blocking<T: Send + 'static>(limit: Duration, look: impl FnOnce() -> Fact<T> + Send + 'static) -> Fact<T> {
    match tokio::time::timeout(limit, tokio::task::spawn_blocking(look)).await {
        Ok(Ok(fact)) => fact,
        Ok(Err(error)) => Fact::Unknown(Message::new("reason-system-error").with("error", error.to_string())),
        Err(_) => timed_out(limit),
    }
}

fn timed_out<T>(limit: Duration) -> Fact<T> {
    Fact::Unknown(Message::new("reason-no-answer").with("seconds", limit.as_secs()))
}

/// How much memory a plan needs, from what was observed lately; `None`: it cannot be told yet.
pub async fn estimate(_engine: &Engine, _plan: &Plan) -> Option<Estimate> {
    None
}

/// Milliseconds since 1970 UTC.
#[must_use]
pub fn now_ms() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or(0)
}
