//! Whether what trains is there: the Python environment and the model. The first weights are in `weights`.

use super::{change, mend_environment};
use crate::environment::{Environment, EnvironmentState, NOT_ACCEPTED};
use crate::facts::{Fact, Facts};
use crate::finding::{Action, Applicability, Evidence, Finding, PlanChange, Remedy, Stage, Verb};
use crate::models;
use crate::plan::{Plan, Weights};

const STAGE: Stage = Stage::Image;

pub(super) fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    let mut findings = vec![environment(&facts.environment, plan)];
    findings.extend(model(plan));
    findings
}

fn create_environment() -> Remedy {
    Remedy::new("create-environment", Applicability::OneClick, Action::CreateEnvironment)
}

fn own_environment() -> Remedy {
    change("own-environment", PlanChange::OwnEnvironment)
}

fn environment(fact: &Fact<EnvironmentState>, plan: &Plan) -> Finding {
    match (fact, plan.python()) {
        (Fact::Unknown(reason), _) => Finding::unknown(STAGE, "unknown", reason),
        (Fact::Known(EnvironmentState::Missing), None) => {
            Finding::blocker(STAGE, "missing", Verb::Change).remedy(create_environment())
        }
        (Fact::Known(EnvironmentState::Missing), Some(python)) => {
            Finding::blocker(STAGE, "python-missing", Verb::Change)
                .with("path", python.as_path())
                .seen(Evidence::file(python))
                .remedy(own_environment())
        }
        (Fact::Known(EnvironmentState::Broken { python, problem, .. }), _) if problem.code == NOT_ACCEPTED => {
            let accept = Action::AcceptPython { path: python.clone() };
            Finding::blocker(STAGE, "python-not-accepted", Verb::Change)
                .with("path", python.as_path())
                .seen(Evidence::file(python))
                .remedy(Remedy::new("accept-python", Applicability::NeedsChoice, accept))
                .remedy(own_environment())
        }
        (Fact::Known(EnvironmentState::Broken { python, managed, problem }), _) => {
            let mut finding = Finding::blocker(STAGE, "broken", Verb::Change)
                .with("path", python.as_path())
                .seen(Evidence::Value { name: problem.message(), value: problem.causes.join("\n") })
                .remedy(mend_environment(*managed));
            if !managed {
                finding = finding.remedy(own_environment());
            }
            finding
        }
        (Fact::Known(EnvironmentState::Ready { environment }), _) => ready(environment, plan),
    }
}

fn ready(environment: &Environment, plan: &Plan) -> Finding {
    let about = |finding: Finding| {
        finding
            .with("ultralytics", environment.ultralytics.as_str())
            .with("torch", environment.torch.as_str())
            .with("python", environment.python_version.as_str())
            .seen(Evidence::file(&environment.python))
    };
    let too_old = models::card(&plan.model.name)
        .and_then(|card| models::first_version(&card.family))
        .filter(|first| version(&environment.ultralytics) < version(first));
    match too_old {
        Some(first) => about(Finding::blocker(STAGE, "ultralytics-too-old", Verb::Change))
            .with("model", plan.model.name.as_str())
            .with("needed", first)
            .remedy(mend_environment(environment.managed)),
        None => about(Finding::ok(STAGE, "ready")),
    }
}

/// The numbers of a version, for comparing.
fn version(text: &str) -> Vec<u32> {
    text.split(['.', '+', '-']).map_while(|part| part.parse().ok()).collect()
}

fn model(plan: &Plan) -> Option<Finding> {
    if models::card(&plan.model.name).is_some() {
        return None;
    }
    // An own file brings its architecture with it; the name only serves estimates.
    Some(match plan.model.weights {
        Weights::File => Finding::note(STAGE, "model-without-figures").with("model", plan.model.name.as_str()),
        Weights::Pretrained | Weights::Scratch => Finding::blocker(STAGE, "model-unknown", Verb::Change)
            .with("model", plan.model.name.as_str())
            .remedy(Remedy::new("choose-model", Applicability::NeedsChoice, Action::ChooseModel)),
    })
}
