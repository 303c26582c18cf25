//! The first weights: whether they are here, whole, and of the right model.

use super::change;
use crate::dataset::{Task, suits};
use crate::facts::{Fact, Facts, WeightsState};
use crate::finding::{Action, Applicability, Evidence, Finding, PlanChange, Remedy, Severity, Stage, Verb};
use crate::models;
use crate::plan::{Plan, Weights};
use crate::text::Message;
use crate::weights::{Checkpoint, Contents, published_bytes};

/// They are part of what trains.
const STAGE: Stage = Stage::Image;

pub(super) fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    let own = plan.model.weights == Weights::File;
    match &facts.weights {
        Fact::Unknown(reason) => vec![Finding::unknown(STAGE, "weights-unknown", reason)],
        Fact::Known(WeightsState::NotNeeded) => Vec::new(),
        Fact::Known(WeightsState::Missing { path }) => vec![missing(path, plan, own)],
        Fact::Known(WeightsState::Unreadable { path, why }) => {
            let finding = about("weights-corrupt", path).seen(reason(why));
            vec![elsewhere(finding, plan, own)]
        }
        Fact::Known(WeightsState::Present { path, bytes, holds, changed }) => {
            let mut findings = judged(holds, path, facts, plan);
            if *changed {
                findings.push(
                    Finding::warning(STAGE, "weights-changed")
                        .with("path", path.as_path())
                        .seen(Evidence::file(path))
                        .remedy(fetch(plan, true)),
                );
            }
            if findings.iter().all(|finding| finding.severity < Severity::Unknown) {
                findings.push(
                    Finding::ok(STAGE, "weights-ready")
                        .with("path", path.as_path())
                        .with("bytes", *bytes)
                        .seen(Evidence::file(path)),
                );
            }
            findings
        }
    }
}

fn missing(path: &std::path::Path, plan: &Plan, own: bool) -> Finding {
    if own && path.as_os_str().is_empty() {
        return elsewhere(Finding::blocker(STAGE, "weights-not-chosen", Verb::Change), plan, own);
    }
    let finding = about(if own { "weights-missing" } else { "weights-not-here" }, path);
    elsewhere(finding.with("model", plan.model.name.as_str()), plan, own)
}

fn judged(contents: &Contents, path: &std::path::Path, facts: &Facts, plan: &Plan) -> Vec<Finding> {
    let own = plan.model.weights == Weights::File;
    let checkpoint = match contents {
        Contents::Model { checkpoint } => checkpoint,
        Contents::NoModel => return vec![elsewhere(about("weights-no-model", path), plan, own)],
        Contents::Foreign { names } => {
            // A person may know what it is, and who made it.
            let finding = Finding::predicted(STAGE, "weights-foreign", Verb::Change)
                .with("path", path)
                .with("names", names.join(", "))
                .seen(Evidence::file(path));
            return vec![elsewhere(finding, plan, own)];
        }
    };
    let described = |finding: Finding| {
        let millions = checkpoint.parameters.div_ceil(100_000);
        let named = checkpoint.model.as_ref().map(|model| Evidence::value("fact-weights-model", model.as_str()));
        named
            .into_iter()
            .fold(finding.with("name", plan.model.name.as_str()), Finding::seen)
            .seen(Evidence::value("fact-weights-parameters", format!("{}.{} M", millions / 10, millions % 10)))
            .seen(Evidence::value("fact-weights-classes", checkpoint.classes.to_string()))
    };
    let mut findings: Vec<Finding> = wrong_task(checkpoint, facts).into_iter().collect();
    for finding in &mut findings {
        *finding = elsewhere(finding.clone().with("path", path).seen(Evidence::file(path)), plan, own);
    }
    if !own && checkpoint.is_other_than(&plan.model.name) {
        findings.push(elsewhere(described(about("weights-other-model", path)), plan, own));
    }
    if own && let Some(model) = checkpoint.model.as_ref().filter(|model| **model != plan.model.name) {
        findings.push(
            described(Finding::note(STAGE, "weights-like-another"))
                .with("model", model.as_str())
                .remedy(change("take-model", PlanChange::Model(model.clone())).with("model", model.as_str())),
        );
    }
    if own && checkpoint.unfinished {
        findings.push(Finding::note(STAGE, "weights-unfinished").with("path", path));
    }
    findings
}

/// A model that needs other labels than the dataset has.
fn wrong_task(checkpoint: &Checkpoint, facts: &Facts) -> Option<Finding> {
    let Some(task) = checkpoint.task else {
        return Some(Finding::blocker(STAGE, "weights-of-other-task", Verb::Change));
    };
    let dataset = facts.dataset.known()?;
    // Folders of images say themselves that they have no boxes.
    let fits = task == Task::Detect || suits::learns_from(task, dataset.task);
    (!fits).then(|| Finding::blocker(STAGE, "weights-of-other-task", Verb::Change))
}

fn about(what: &str, path: &std::path::Path) -> Finding {
    Finding::blocker(STAGE, what, Verb::Change).with("path", path).seen(Evidence::file(path))
}

fn reason(why: &Message) -> Evidence {
    Evidence::Value { name: why.clone(), value: String::new() }
}

/// The published weights once more, another file, or none.
fn elsewhere(finding: Finding, plan: &Plan, own: bool) -> Finding {
    let choose = Remedy::new("choose-weights", Applicability::NeedsChoice, Action::ChooseWeights);
    let finding = if own {
        finding.remedy(choose)
    } else {
        // Nobody publishes what is no known model.
        let again = finding.code != "image.weights-not-here";
        let known = models::card(&plan.model.name).is_some();
        if known { finding.remedy(fetch(plan, again)) } else { finding }.remedy(choose)
    };
    finding.remedy(change("from-scratch", PlanChange::FromScratch))
}

fn fetch(plan: &Plan, again: bool) -> Remedy {
    let model = plan.model.name.as_str();
    let id = if again { "fetch-weights-again" } else { "fetch-weights" };
    let action = Action::FetchWeights { model: model.to_owned(), again };
    let bytes = models::card(model).map_or(0, published_bytes);
    Remedy::new(id, Applicability::OneClick, action).with("model", model).with("bytes", bytes)
}
