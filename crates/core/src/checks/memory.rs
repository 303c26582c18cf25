//! Whether there is memory enough.

use super::{change, explain, use_processor};
use crate::facts::{Fact, Facts};
use crate::finding::{Evidence, Finding, PlanChange, Stage, Verb};
use crate::machine::{self, Gpus, ResolvedDevice};
use crate::memory::{self, Estimate, Zone};
use crate::plan::Plan;
use crate::text::bytes;

const STAGE: Stage = Stage::Memory;

pub(super) fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    let dataset = facts.dataset.known();
    let Some(estimate) = memory::estimate(plan, dataset, &facts.computer, &facts.gpus) else {
        // Whoever says which device trains, or that the model has no figures, says why there is no estimate.
        return Vec::new();
    };
    let on_gpu = !matches!(machine::resolve(plan.device(), &facts.gpus), Ok(ResolvedDevice::Processor));
    match (estimate.zone, estimate.supply) {
        (Some(zone), Some(supply)) => vec![judge(facts, plan, &estimate, zone, supply, on_gpu)],
        _ => {
            let reason = why_unknown(facts, plan);
            vec![about(Finding::unknown(STAGE, "unknown", &reason), &estimate)]
        }
    }
}

fn why_unknown(facts: &Facts, plan: &Plan) -> crate::text::Message {
    if let Ok(ResolvedDevice::Gpus(indices)) = machine::resolve(plan.device(), &facts.gpus) {
        let cards = indices.iter().filter_map(|index| facts.gpus.known().and_then(|gpus: &Gpus| gpus.card(*index)));
        for card in cards {
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

fn judge(facts: &Facts, plan: &Plan, estimate: &Estimate, zone: Zone, supply: u64, on_gpu: bool) -> Finding {
    // Memory that others hold now may be free later: then waiting is what helps.
    let others = on_gpu && estimate.capacity.is_some_and(|capacity| Zone::of(estimate.need, capacity) <= Zone::Tight);
    let finding = match (zone, on_gpu) {
        (Zone::Fits, _) => Finding::ok(STAGE, "fits"),
        (Zone::Tight, _) => Finding::warning(STAGE, "tight"),
        (_, true) if others => Finding::predicted(STAGE, "cuda-oom-other-process", Verb::Wait),
        (Zone::Unlikely, true) => Finding::predicted(STAGE, "cuda-oom-likely", Verb::Change),
        (Zone::Impossible, true) => Finding::blocker(STAGE, "cuda-oom-foreseen", Verb::Change),
        (Zone::Unlikely, false) => Finding::predicted(STAGE, "host-ram-oom-likely", Verb::Change),
        (Zone::Impossible, false) => Finding::blocker(STAGE, "host-ram-oom-foreseen", Verb::Change),
    };
    let mut finding = about(finding, estimate).seen(seen(estimate, on_gpu));
    if zone == Zone::Fits {
        return finding;
    }
    if let Some(batch) = estimate.largest_batch.filter(|batch| *batch > 0 && *batch < plan.training.batch) {
        finding = finding.remedy(change("smaller-batch", PlanChange::Batch(batch)).with("batch", batch));
    }
    if let Some(imgsz) = memory::fitting_image_size(plan, facts.dataset.known(), &facts.gpus, supply) {
        finding = finding.remedy(change("smaller-images", PlanChange::Imgsz(imgsz)).with("imgsz", imgsz));
    }
    if others {
        finding = finding.remedy(explain("free-gpu"));
    }
    if on_gpu { finding.remedy(use_processor()) } else { finding.remedy(explain("close-programs")) }
}

fn seen(estimate: &Estimate, on_gpu: bool) -> Evidence {
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let said = |bytes_known: Option<u64>| bytes_known.map_or_else(|| "?".to_owned(), |known| bytes(known as f64));
    let name = if on_gpu { "fact-gpu-memory-free" } else { "fact-memory-available" };
    Evidence::value(name, format!("{} / {}", said(estimate.supply), said(estimate.capacity)))
}
