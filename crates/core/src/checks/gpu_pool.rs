//! Which device trains, and whether it is free.

mod apple;
mod divided;
mod health;
mod several;

use std::collections::BTreeSet;

use super::{change, explain, use_apple_gpu, use_card, use_gpu, use_processor};
use crate::duration;
use crate::facts::{Fact, Facts};
use crate::finding::{Action, Applicability, Evidence, Finding, PlanChange, Remedy, Stage, Verb};
use crate::machine::{self, Gpu, GpuMemory, GpuProcess, Gpus, ResolvedDevice, Unresolved};
use crate::plan::{Device, Plan};
use crate::text::bytes;

const STAGE: Stage = Stage::GpuPool;

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
        Ok(ResolvedDevice::Mps) => vec![apple::check(facts)],
        Ok(device) => {
            let Some(gpus) = facts.gpus.known() else { return Vec::new() };
            let cards = gpus.of(&device);
            let chosen = device.cards();
            let mut findings: Vec<Finding> =
                cards.iter().filter_map(|card| judge(card, gpus, &chosen, facts.busy_above)).collect();
            findings.extend(divided::check(plan, &device, gpus));
            findings.extend(cards.iter().flat_map(|card| health::check(card, gpus, facts.surroundings.known())));
            findings.extend(several::check(&cards, facts));
            findings
        }
        Err(Unresolved::NotObserved(reason)) => {
            vec![Finding::unknown(STAGE, "unknown", &reason).remedy(use_processor())]
        }
        // The driver link says what is wrong.
        Err(Unresolved::NoDriver) => Vec::new(),
        Err(Unresolved::NoSuchGpu(index)) => vec![no_such_gpu(index, facts)],
        Err(Unresolved::NoSuchSlice(name)) => vec![divided::no_such_slice(&name, facts)],
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

/// How one card is, whatever is trained. A divided card is as free as its roomiest slice.
pub(super) fn of_card(card: &Gpu, gpus: &Gpus, busy_above: u32) -> Vec<Finding> {
    let slice = card.roomiest_slice();
    let free = judge(slice.as_ref().unwrap_or(card), gpus, &[card.index], busy_above);
    free.into_iter().chain(divided::of_card(card)).chain(health::check(card, gpus, None)).collect()
}

/// Whether a training could begin on a card now.
pub(super) fn is_free(card: &Gpu, busy_above: u32) -> bool {
    let full = |memory: &GpuMemory| exceeds(*memory, u64::from(busy_above));
    let computing = card.utilization.known().is_some_and(|utilization| *utilization >= COMPUTING);
    !card.is_closed() && !computing && card.memory.known().is_some_and(|memory| !full(memory))
}

/// Whether a card is free; `None`: it cannot be used at all, and its health says why.
fn judge(card: &Gpu, gpus: &Gpus, chosen: &[u32], busy_above: u32) -> Option<Finding> {
    if card.is_lost() {
        return None;
    }
    if let Some(closed) = health::closed(card, gpus, chosen) {
        return Some(holders(closed, card));
    }
    Some(share_of(card, gpus, chosen, busy_above))
}

fn share_of(card: &Gpu, gpus: &Gpus, chosen: &[u32], busy_above: u32) -> Finding {
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
    if exceeds(memory, u64::from(busy_above)) {
        let mut finding = holders(about(Finding::predicted(STAGE, "memory-busy", Verb::Wait)), card);
        finding = finding.remedy(Remedy::new("look-again", Applicability::OneClick, Action::Recheck));
        if let Some(slice) = divided::roomier(card, gpus) {
            finding = finding.remedy(use_card(&slice));
        }
        let other = gpus.roomiest().filter(|other| !chosen.contains(&other.index) && other.free() > memory.free);
        if let Some(other) = other {
            finding = finding.remedy(use_gpu(other.index));
        }
        for remedy in make_room(card) {
            finding = finding.remedy(remedy);
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

/// What a person can do about what holds a card: look at or cancel a run of their own, end a program of their own.
fn make_room(card: &Gpu) -> Vec<Remedy> {
    let held = || card.processes.known().into_iter().flatten();
    // On several cards, or with helpers, a run has several processes.
    let runs: BTreeSet<&String> = held().filter_map(|process| process.run.as_ref()).collect();
    let of_runs = runs.into_iter().flat_map(|run| {
        let open = Remedy::new("open-run", Applicability::OneClick, Action::OpenRun { run: run.clone() });
        let cancel = Remedy::new("cancel-run", Applicability::NeedsChoice, Action::CancelRun { run: run.clone() });
        [open, cancel].map(|remedy| remedy.with("run", run.as_str()))
    });
    let end = |process: &GpuProcess| {
        Remedy::new("end-process", Applicability::NeedsChoice, Action::EndProcess { pid: process.pid })
            .with("name", process.label())
            .with("pid", process.pid.to_string())
    };
    of_runs.chain(held().filter(|process| process.own && process.run.is_none()).map(end)).collect()
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
        let what = if process.run.is_some() { "fact-gpu-run" } else { "fact-gpu-process" };
        #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
        let memory = process.memory.known().map_or_else(|| "?".to_owned(), |memory| bytes(*memory as f64));
        finding = finding.seen(Evidence::value(what, format!("{} ({}): {memory}", process.label(), process.pid)));
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
    } else if computer.is_some_and(|computer| computer.apple_gpu) {
        finding = finding.remedy(use_apple_gpu());
    }
    if plan.training.imgsz > 320 {
        finding = finding.remedy(change("smaller-images", PlanChange::Imgsz(320)).with("imgsz", 320_u32));
    }
    finding.remedy(explain("get-graphics-card"))
}
