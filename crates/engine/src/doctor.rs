//! A look at this computer alone, for whatever will be trained.

use preflight_core::checks;
use preflight_core::environment::smoke;
use preflight_core::environment::{Environment, EnvironmentState};
use preflight_core::facts::Facts;
use preflight_core::finding::Stage;
use preflight_core::machine::{ResolvedDevice, resolve};
use preflight_core::plan::Plan;
use preflight_core::report::Report;
use serde::Serialize;

use crate::Engine;

/// What a look at this computer shows.
#[derive(Debug, Serialize)]
pub struct Examination {
    /// What was seen.
    pub facts: Facts,
    /// What came of computing; `None`: it was not tried.
    pub smoke: Option<smoke::Smoke>,
    /// What it means.
    pub report: Report,
}

impl Engine {
    /// Looks at cards, driver, the training environment and what lies around them; `compute`: also computes a little in
    /// the environment, which takes some seconds.
    pub async fn examine_computer(&self, compute: bool) -> Examination {
        let plan = Plan::default();
        // The plan is nobody's: forecasts go by what was seen of a person's own.
        let facts = crate::preflight::observe(self, &plan).await;
        let mut findings = checks::computer(&facts, &plan);
        let mut tried = None;
        if compute
            && let Some(environment) = ready(&facts)
            && let Ok(device) = resolve(plan.device(), &facts.gpus)
            && may_compute(environment, &device)
        {
            let result = crate::environment::smoke(self.dirs(), &environment.python, &device).await;
            findings.push(smoke::judge(&result, &device, environment.managed));
            tried = Some(result);
        }
        let spoken_for: Vec<Stage> = findings.iter().map(|finding| finding.stage).collect();
        let not_needed: Vec<Stage> =
            checks::NOT_OF_COMPUTER.into_iter().filter(|stage| !spoken_for.contains(stage)).collect();
        let report = Report::new(crate::preflight::now_ms(), findings, &not_needed);
        self.named().remember(&report.findings);
        Examination { facts, smoke: tried, report }
    }
}

fn ready(facts: &Facts) -> Option<&Environment> {
    match facts.environment.known() {
        Some(EnvironmentState::Ready { environment }) => Some(environment),
        _ => None,
    }
}

/// Where torch says itself that it finds no card, the check of the driver has said why already.
fn may_compute(environment: &Environment, device: &ResolvedDevice) -> bool {
    !device.is_card() || environment.cuda_available
}
