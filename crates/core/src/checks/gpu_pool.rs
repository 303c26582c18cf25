//! Which device trains, and whether it is free.

use super::{change, explain, use_gpu, use_processor};
use crate::duration;
use crate::facts::{Fact, Facts};
use crate::finding::{Action, Applicability, Evidence, Finding, PlanChange, Remedy, Stage, Verb};
use crate::machine::{self, Gpu, GpuMemory, GpuProcess, Gpus, ResolvedDevice, Unresolved};
use crate::plan::{Device, Plan};
use crate::text::bytes;

const STAGE: Stage = Stage::GpuPool;

/// Above this share of used memory a card counts as busy, in percent.
const BUSY: u64 = 90;
/// Above this share of used memory it is worth saying who else is there, in percent.
const SHARED: u64 = 10;
/// Above this utilisation another program computes on the card, in percent.
const COMPUTING: u32 = 50;
/// From this many expected seconds on, training on the processor deserves a warning.
const LONG: f64 = 3_600.0;
/// When even the lowest estimate is longer than this, in seconds, a person is asked first.
const TOO_LONG: f64 = 86_400.0;

pub(super) fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    match machine::resolve(plan.device(), &facts.gpus) {
        Ok(ResolvedDevice::Processor) => vec![processor(facts, plan)],
        Ok(ResolvedDevice::Gpus(indices)) => {
            let Some(gpus) = facts.gpus.known() else { return Vec::new() };
            indices.iter().filter_map(|index| gpus.card(*index)).map(|card| judge(card, gpus, &indices)).collect()
        }
        Err(Unresolved::NotObserved(reason)) => {
            vec![Finding::unknown(STAGE, "unknown", &reason).remedy(use_processor())]
        }
        // The driver link says what is wrong.
        Err(Unresolved::NoDriver) => Vec::new(),
        Err(Unresolved::NoSuchGpu(index)) => vec![no_such_gpu(index, facts)],
    }
}

fn no_such_gpu(index: u32, facts: &Facts) -> Finding {
    let mut finding = Finding::blocker(STAGE, "invalid-device-id", Verb::Change).with("index", index);
    let cards = facts.gpus.known().map_or(&[][..], |gpus| &gpus.cards);
    for card in cards {
        finding = finding.seen(Evidence::value("fact-gpu", format!("{}: {}", card.index, card.label())));
    }
    if let Some(card) = facts.gpus.known().and_then(Gpus::roomiest) {
        finding = finding.remedy(use_gpu(card.index));
    }
    finding.remedy(use_processor())
}

fn judge(card: &Gpu, gpus: &Gpus, chosen: &[u32]) -> Finding {
    let about = |finding: Finding| finding.with("index", card.index).with("name", card.label());
    let memory = match &card.memory {
        Fact::Known(memory) => *memory,
        Fact::Unknown(reason) => return about(Finding::unknown(STAGE, "memory-unknown", reason)),
    };
    let about = |finding: Finding| {
        about(finding)
            .with("free", memory.free)
            .with("total", memory.total)
            .with("used", memory.used)
            .seen(Evidence::value("fact-gpu-memory-used", share(memory)))
    };
    if exceeds(memory, BUSY) {
        let mut finding = holders(about(Finding::predicted(STAGE, "memory-busy", Verb::Wait)), card);
        finding = finding.remedy(Remedy::new("look-again", Applicability::OneClick, Action::Recheck));
        let other = gpus.roomiest().filter(|other| !chosen.contains(&other.index) && other.free() > memory.free);
        if let Some(other) = other {
            finding = finding.remedy(use_gpu(other.index));
        }
        return finding.remedy(explain("free-gpu"));
    }
    if let Some(utilization) = card.utilization.known().filter(|utilization| **utilization >= COMPUTING) {
        let finding = about(Finding::warning(STAGE, "computing")).with("utilization", f64::from(*utilization) / 100.0);
        let finding = finding.seen(Evidence::value("fact-gpu-utilization", format!("{utilization} %")));
        return holders(finding, card);
    }
    if exceeds(memory, SHARED) {
        return holders(about(Finding::note(STAGE, "memory-shared")), card);
    }
    about(Finding::ok(STAGE, "free"))
}

fn exceeds(memory: GpuMemory, percent: u64) -> bool {
    memory.used.saturating_mul(100) > memory.total.saturating_mul(percent)
}

fn share(memory: GpuMemory) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let (used, total) = (memory.used as f64, memory.total as f64);
    format!("{} / {}", bytes(used), bytes(total))
}

/// Names who holds the card's memory, largest first.
fn holders(mut finding: Finding, card: &Gpu) -> Finding {
    let mut processes: Vec<&GpuProcess> = card.processes.known().into_iter().flatten().collect();
    processes.sort_by_key(|process| (std::cmp::Reverse(process.memory.known().copied()), process.pid));
    for process in processes {
        let name = process.name.known().map_or("?", String::as_str);
        #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
        let memory = process.memory.known().map_or_else(|| "?".to_owned(), |memory| bytes(*memory as f64));
        finding = finding.seen(Evidence::value("fact-gpu-process", format!("{name} ({}): {memory}", process.pid)));
    }
    finding
}

fn processor(facts: &Facts, plan: &Plan) -> Finding {
    let computer = facts.computer.known();
    let time = facts
        .dataset
        .known()
        .zip(computer)
        .and_then(|(dataset, computer)| duration::on_processor(plan, dataset, computer));
    let mut finding = match time {
        None => Finding::note(STAGE, "processor"),
        Some(time) => {
            let finding = if time.low > TOO_LONG {
                Finding::predicted(STAGE, "processor-takes-days", Verb::Change)
            } else if time.expected > LONG {
                Finding::warning(STAGE, "processor-slow")
            } else {
                Finding::note(STAGE, "processor-quick")
            };
            finding.with("low", time.low).with("high", time.high)
        }
    };
    if let Some(computer) = computer {
        finding = finding.seen(Evidence::value("fact-processor", format!("{} × {}", computer.cores, computer.cpu)));
    }
    if matches!(finding.severity, crate::finding::Severity::Note) {
        return finding;
    }
    if facts.gpus.known().and_then(Gpus::roomiest).is_some() {
        finding = finding.remedy(change("use-graphics-card", PlanChange::Device(Device::Auto)));
    }
    if plan.training.imgsz > 320 {
        finding = finding.remedy(change("smaller-images", PlanChange::Imgsz(320)).with("imgsz", 320_u32));
    }
    finding.remedy(explain("get-graphics-card"))
}
