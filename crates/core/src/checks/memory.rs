//! Whether there is memory enough.

use super::{change, explain, use_card, use_processor};
use crate::facts::{Fact, Facts};
use crate::finding::{Evidence, Finding, PlanChange, Stage, Verb};
use crate::forecast::{self, Forecast, Seen, Source};
use crate::machine::{self, Gpu};
use crate::memory::{self, Estimate, Zone};
use crate::plan::{Plan, Weights};
use crate::text::bytes;

const STAGE: Stage = Stage::Memory;

pub(super) fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    if let Fact::Unknown(reason) = &facts.own_model {
        return vec![Finding::unknown(STAGE, "own-model-unknown", reason)];
    }
    let Some(forecast) = forecast::forecast(plan, Seen::of(facts)) else {
        // Whoever says which device trains, or that the model has no figures, says why there is no estimate.
        return Vec::new();
    };
    let estimate = &forecast.estimate;
    let on_gpu = machine::resolve(plan.device(), &facts.gpus).is_ok_and(|device| device.is_card());
    match (estimate.zone, estimate.supply) {
        (Some(zone), Some(supply)) => vec![judge(facts, plan, &forecast, zone, supply, on_gpu)],
        _ => {
            let reason = why_unknown(facts, plan);
            vec![about(Finding::unknown(STAGE, "unknown", &reason), estimate)]
        }
    }
}

fn why_unknown(facts: &Facts, plan: &Plan) -> crate::text::Message {
    if let (Ok(device), Some(gpus)) = (machine::resolve(plan.device(), &facts.gpus), facts.gpus.known()) {
        for card in gpus.of(&device) {
            if let Fact::Unknown(reason) = &card.memory {
                return reason.clone();
            }
        }
    }
    match &facts.computer {
        Fact::Unknown(reason) => reason.clone(),
        Fact::Known(_) => crate::text::Message::new("reason-not-observed"),
    }
}

fn about(finding: Finding, estimate: &Estimate) -> Finding {
    finding
        .with("low", estimate.need.low)
        .with("expected", estimate.need.expected)
        .with("high", estimate.need.high)
        .with("supply", estimate.supply.unwrap_or_default())
}

fn judge(facts: &Facts, plan: &Plan, forecast: &Forecast, zone: Zone, supply: u64, on_gpu: bool) -> Finding {
    let estimate = &forecast.estimate;
    let is_measured = matches!(forecast.source, Source::Trial { .. });
    // Windows' driver moves what does not fit into the computer's memory.
    let spills = on_gpu && facts.computer.known().is_some_and(|computer| computer.os == "windows");
    // Memory that others hold now may be free later: then waiting is what helps.
    let others = on_gpu && estimate.capacity.is_some_and(|capacity| Zone::of(estimate.need, capacity) <= Zone::Tight);
    let finding = match (zone, on_gpu) {
        (Zone::Fits, _) if is_measured => Finding::ok(STAGE, "fits-measured"),
        (Zone::Fits, _) => Finding::ok(STAGE, "fits"),
        (Zone::Tight, _) => Finding::warning(STAGE, "tight"),
        (_, true) if others => Finding::predicted(STAGE, "cuda-oom-other-process", Verb::Wait),
        (Zone::Unlikely | Zone::Impossible, true) if spills => Finding::predicted(STAGE, "will-crawl", Verb::Change),
        (Zone::Unlikely, true) => Finding::predicted(STAGE, "cuda-oom-likely", Verb::Change),
        (Zone::Impossible, true) => Finding::blocker(STAGE, "cuda-oom-foreseen", Verb::Change),
        (Zone::Unlikely, false) => Finding::predicted(STAGE, "host-ram-oom-likely", Verb::Change),
        (Zone::Impossible, false) => Finding::blocker(STAGE, "host-ram-oom-foreseen", Verb::Change),
    };
    let mut finding = about(finding, estimate).seen(seen(estimate, on_gpu));
    match forecast.source {
        Source::Trial { .. } => finding = finding.seen(measured(estimate)),
        Source::Calibration { calibration } => {
            let factor = format!("× {:.2} ({})", calibration.factor, calibration.runs);
            finding = finding.seen(Evidence::value("fact-calibration", factor));
        }
        Source::Estimate => {}
    }
    if zone == Zone::Fits {
        return finding;
    }
    // What costs nothing first, then what costs some accuracy, then what costs much of it, and time last.
    if let Some(other) = on_gpu.then(|| other_card(facts, plan, estimate)).flatten() {
        finding = finding.remedy(use_card(&other));
    }
    if others {
        finding = finding.remedy(explain("free-gpu"));
    }
    if !on_gpu {
        finding = finding.remedy(explain("close-programs"));
    }
    if let Some(batch) = estimate.largest_batch.filter(|batch| *batch > 0 && *batch < plan.training.batch) {
        finding = finding.remedy(change("smaller-batch", PlanChange::Batch(batch)).with("batch", batch));
    }
    let own = facts.own_model.known().copied().flatten();
    if let Some(imgsz) = memory::fitting_image_size(plan, own, facts.dataset.known(), &facts.gpus, supply) {
        finding = finding.remedy(change("smaller-images", PlanChange::Imgsz(imgsz)).with("imgsz", imgsz));
    }
    if plan.model.weights != Weights::File
        && let Some(model) = memory::fitting_model(plan, facts.dataset.known(), &facts.gpus, supply)
    {
        let remedy = change("smaller-model", PlanChange::Model(model.to_owned()));
        finding = finding.remedy(remedy.with("model", model));
    }
    if on_gpu { finding.remedy(use_processor()) } else { finding }
}

/// A card, or a slice of one, that is not the plan's, and on which the training fits for sure.
fn other_card(facts: &Facts, plan: &Plan, estimate: &Estimate) -> Option<Gpu> {
    let gpus = facts.gpus.known()?;
    let device = machine::resolve(plan.device(), &facts.gpus).ok()?;
    let taken = gpus.of(&device);
    let [taken] = taken.as_slice() else { return None };
    let roomiest = gpus.roomiest()?;
    let roomiest = roomiest.roomiest_slice().unwrap_or_else(|| roomiest.clone());
    (roomiest.uuid != taken.uuid && roomiest.free() >= estimate.need.high).then_some(roomiest)
}

/// What a trial run measured.
fn measured(estimate: &Estimate) -> Evidence {
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let said = bytes(estimate.need.expected as f64);
    Evidence::value("fact-memory-measured", said)
}

fn seen(estimate: &Estimate, on_gpu: bool) -> Evidence {
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let said = |bytes_known: Option<u64>| bytes_known.map_or_else(|| "?".to_owned(), |known| bytes(known as f64));
    let name = if on_gpu { "fact-gpu-memory-free" } else { "fact-memory-available" };
    Evidence::value(name, format!("{} / {}", said(estimate.supply), said(estimate.capacity)))
}
