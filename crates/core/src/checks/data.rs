//! The dataset: what reading it found, and whether it suits the model.

use crate::dataset::{Dataset, SplitKind, Task, suits};
use crate::facts::{Fact, Facts, WeightsState};
use crate::finding::{Action, Applicability, Evidence, Finding, Remedy, Severity, Stage, Verb};
use crate::plan::Plan;
use crate::weights::Contents;

const STAGE: Stage = Stage::Data;

pub(super) fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    let choose = || Remedy::new("choose-dataset", Applicability::NeedsChoice, Action::ChooseDataset);
    if !plan.has_dataset() {
        return vec![Finding::blocker(STAGE, "not-chosen", Verb::Change).remedy(choose())];
    }
    match &facts.dataset {
        // Reading it was tried, and there is nothing to train on.
        Fact::Unknown(reason) if reason.id.starts_with("problem-") => vec![
            Finding::blocker(STAGE, "unreadable", Verb::Change)
                .with("path", plan.dataset.as_path())
                .seen(Evidence::Value { name: reason.clone(), value: String::new() })
                .remedy(choose()),
        ],
        Fact::Unknown(reason) => vec![Finding::unknown(STAGE, "unknown", reason).with("path", plan.dataset.as_path())],
        Fact::Known(dataset) => known(facts, dataset, plan),
    }
}

fn known(facts: &Facts, dataset: &Dataset, plan: &Plan) -> Vec<Finding> {
    let mut findings = dataset.findings.clone();
    findings.extend(task(facts, dataset.task));
    let images = |kind| dataset.split(kind).map_or(0, |split| split.images);
    let train = images(SplitKind::Train);
    if plan.training.batch > train && train > 0 {
        findings.push(
            Finding::note(STAGE, "fewer-images-than-batch").with("images", train).with("batch", plan.training.batch),
        );
    }
    if findings.iter().all(|finding| finding.severity < Severity::Unknown) {
        findings.push(
            Finding::ok(STAGE, "read")
                .with("train", train)
                .with("val", images(SplitKind::Val))
                .with("classes", dataset.names.len()),
        );
    }
    findings
}

/// The models here learn boxes. Outlines and rotated boxes become boxes, key points are left out; folders have none. A
/// person's own weights may be of a model that learns just what the labels describe.
fn task(facts: &Facts, task: Task) -> Option<Finding> {
    if let Fact::Known(WeightsState::Present { holds: Contents::Model { checkpoint }, .. }) = &facts.weights
        && checkpoint.task.is_some_and(|wanted| wanted != Task::Detect && suits::learns_from(wanted, task))
        && task != Task::Classify
    {
        return None;
    }
    let choose = || Remedy::new("choose-dataset", Applicability::NeedsChoice, Action::ChooseDataset);
    match task {
        Task::Detect => None,
        Task::Segment => Some(Finding::note(STAGE, "labels-are-outlines")),
        Task::Obb => Some(Finding::note(STAGE, "labels-are-rotated-boxes")),
        Task::Pose => Some(Finding::note(STAGE, "labels-are-key-points")),
        Task::Classify => Some(Finding::blocker(STAGE, "dataset-wrong-type-for-task", Verb::Change).remedy(choose())),
    }
}
