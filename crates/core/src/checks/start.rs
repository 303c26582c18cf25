//! Whether the trainer's process can start and write its results.

use super::{change, explain};
use crate::facts::{Fact, Facts};
use crate::finding::{Evidence, Finding, PlanChange, Remedy, Severity, Stage, Verb};
use crate::machine::{self, ResolvedDevice, Volume};
use crate::models;
use crate::plan::Plan;
use crate::run::{self, arguments};
use crate::text::{Value, bytes};

const STAGE: Stage = Stage::Start;

/// Below this much free space beyond the need there is little room for anything else, in bytes.
const ELBOW_ROOM: u64 = 2 << 30;
/// The last and the best one, and a new one being written.
const CHECKPOINTS: u64 = 3;

pub(super) fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    let mut findings = values(facts, plan);
    match &facts.volume {
        Fact::Unknown(reason) => findings.push(Finding::unknown(STAGE, "unknown", reason)),
        Fact::Known(volume) => findings.extend(room(volume, plan)),
    }
    if findings.iter().all(|finding| finding.severity < Severity::Unknown)
        && let Fact::Known(volume) = &facts.volume
    {
        findings.push(
            Finding::ok(STAGE, "ready")
                .with("path", volume.path.as_path())
                .with("free", volume.free)
                .seen(free(volume)),
        );
    }
    findings
}

/// Values of the plan that the trainer refuses, or silently changes.
fn values(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    let training = &plan.training;
    let mut findings = Vec::new();
    if training.epochs == 0 {
        findings.push(
            Finding::blocker(STAGE, "no-epochs", Verb::Change)
                .remedy(change("set-epochs", PlanChange::Epochs(100)).with("epochs", 100_u32)),
        );
    }
    if training.batch == 0 {
        findings.push(
            Finding::blocker(STAGE, "no-batch", Verb::Change)
                .remedy(change("set-batch", PlanChange::Batch(16)).with("batch", 16_u32)),
        );
    }
    if training.imgsz < 32 {
        findings.push(
            Finding::blocker(STAGE, "image-size-too-small", Verb::Change)
                .with("imgsz", training.imgsz)
                .remedy(change("set-image-size", PlanChange::Imgsz(640)).with("imgsz", 640_u32)),
        );
    } else if !training.imgsz.is_multiple_of(32) {
        let rounded = training.imgsz.next_multiple_of(32);
        findings.push(
            Finding::warning(STAGE, "image-size-rounded")
                .with("imgsz", training.imgsz)
                .with("rounded", rounded)
                .remedy(change("set-image-size", PlanChange::Imgsz(rounded)).with("imgsz", rounded)),
        );
    }
    if let Ok(ResolvedDevice::Gpus(cards)) = machine::resolve(plan.device(), &facts.gpus)
        && let Ok(cards) = u32::try_from(cards.len())
        && training.batch > 0
        && !training.batch.is_multiple_of(cards)
    {
        let even = training.batch.next_multiple_of(cards);
        let finding = if training.batch < cards {
            Finding::blocker(STAGE, "batch-below-cards", Verb::Change)
        } else {
            Finding::warning(STAGE, "batch-uneven")
        };
        findings.push(
            finding
                .with("batch", training.batch)
                .with("cards", cards)
                .remedy(change("set-batch", PlanChange::Batch(even)).with("batch", even)),
        );
    }
    if let Err(problem) = arguments::check(training) {
        let name = problem.args.get("name").cloned().unwrap_or_else(|| Value::from(""));
        findings.push(
            Finding::blocker(STAGE, "argument-refused", Verb::Change)
                .with("name", name.clone())
                .seen(Evidence::Value { name: problem.message(), value: String::new() })
                .remedy(explain("remove-argument").with("name", name)),
        );
    }
    findings
}

/// Whether the run can be written.
fn room(volume: &Volume, plan: &Plan) -> Option<Finding> {
    if let Some(error) = &volume.write_error {
        return Some(
            Finding::blocker(STAGE, "not-writable", Verb::Change)
                .with("path", volume.path.as_path())
                .seen(Evidence::file(&volume.path))
                .seen(Evidence::value("fact-write-error", error.clone()))
                .remedy(explain("make-writable")),
        );
    }
    let need = need(plan);
    let finding = if volume.free < need {
        Finding::blocker(STAGE, "disk-full", Verb::Change)
    } else if volume.free < need.saturating_add(ELBOW_ROOM) {
        Finding::warning(STAGE, "disk-nearly-full")
    } else {
        return None;
    };
    Some(
        finding
            .with("path", volume.path.as_path())
            .with("free", volume.free)
            .with("need", need)
            .seen(free(volume))
            .remedy(explain("free-disk"))
            .remedy(Remedy::free_disk()),
    )
}

/// Bytes a run writes, at least.
fn need(plan: &Plan) -> u64 {
    // The largest model stands in for one without figures.
    let millions = models::card(&plan.model.name).map_or(70.0, |card| card.parameters_millions);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hundred millions at most")]
    let parameters = (millions * 1e6) as u64;
    CHECKPOINTS * run::checkpoint(parameters) + run::BESIDE_CHECKPOINTS
}

fn free(volume: &Volume) -> Evidence {
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let (free, total) = (volume.free as f64, volume.total as f64);
    Evidence::value("fact-disk-free", format!("{} / {}", bytes(free), bytes(total)))
}
