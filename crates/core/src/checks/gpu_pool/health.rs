//! Whether a card is well: is a failure the training's, or the card's?

use super::{explain, use_gpu, use_processor};
use crate::finding::{Action, Applicability, Evidence, Finding, Remedy, Stage, Verb};
use crate::machine::{Blame, ComputeMode, Gpu, GpuDetails, Gpus, Surroundings, Throttle, Xid};

const STAGE: Stage = Stage::GpuPool;

/// A card that may draw less than this share of its usual power is noticeably slower, in percent.
const POWER_SET_LOW: u64 = 80;
/// Above this utilisation a card uses the fastest connection it has; below, it saves power.
const WORKING: u32 = 50;

/// What is wrong with a card, or could be.
pub(super) fn check(card: &Gpu, gpus: &Gpus, around: Option<&Surroundings>) -> Vec<Finding> {
    let details = &card.details;
    if card.is_lost() {
        return vec![lost(card, gpus, around)];
    }
    let mut findings = Vec::new();
    findings.extend(memory_errors(card, details));
    findings.extend(slowed(card, details));
    findings.extend(power_set_low(card, details));
    findings.extend(slow_link(card, details));
    findings.extend(reported(card, around));
    findings
}

fn about(finding: Finding, card: &Gpu) -> Finding {
    finding.with("index", card.index).with("name", card.label())
}

/// No further program may compute on it.
pub(super) fn closed(card: &Gpu, gpus: &Gpus, chosen: &[u32]) -> Option<Finding> {
    if !card.is_closed() {
        return None;
    }
    let finding = match card.details.compute_mode.known() {
        Some(ComputeMode::Prohibited) => Finding::blocker(STAGE, "compute-prohibited", Verb::Ask)
            .seen(Evidence::value("fact-compute-mode", "Prohibited"))
            .remedy(explain("set-compute-mode").with("index", card.index)),
        _ => Finding::blocker(STAGE, "held-exclusively", Verb::Wait)
            .seen(Evidence::value("fact-compute-mode", "Exclusive Process"))
            .remedy(Remedy::new("look-again", Applicability::OneClick, Action::Recheck)),
    };
    let other = gpus.roomiest().filter(|other| !chosen.contains(&other.index) && !other.is_closed());
    let finding = match other {
        Some(other) => finding.remedy(use_gpu(other.index)),
        None => finding.remedy(use_processor()),
    };
    Some(about(finding, card))
}

fn lost(card: &Gpu, gpus: &Gpus, around: Option<&Surroundings>) -> Finding {
    let mut finding = about(Finding::blocker(STAGE, "card-lost", Verb::Change), card);
    let of_card = xids(card, around).filter(|xid| matches!(xid.blame(), Blame::Card));
    for xid in of_card.take(3) {
        finding = finding.seen(Evidence::value("fact-kernel-log", xid.line.clone()));
    }
    finding = finding.remedy(explain("restart-computer"));
    let other = gpus.roomiest().filter(|other| other.index != card.index && !other.is_lost());
    if let Some(other) = other {
        finding = finding.remedy(use_gpu(other.index));
    }
    finding.remedy(use_processor())
}

/// The kernel's reports about this card. Where a lost card does not tell its address, all are looked at.
fn xids<'a>(card: &'a Gpu, around: Option<&'a Surroundings>) -> impl Iterator<Item = &'a Xid> {
    let xids = around.and_then(|around| around.xids.known()).into_iter().flatten();
    xids.filter(move |xid| card.details.pci.known().is_none_or(|pci| xid.is_about(pci)))
}

fn memory_errors(card: &Gpu, details: &GpuDetails) -> Option<Finding> {
    let remapped = details.remapped_rows.known();
    let retired = details.retired_pages.known();
    let errors = details.ecc_uncorrected.known().copied().unwrap_or(0);
    if remapped.is_some_and(|rows| rows.failed) {
        let finding = Finding::predicted(STAGE, "memory-defective", Verb::Ask)
            .seen(Evidence::value("fact-remapped-rows", "failed"))
            .remedy(explain("replace-card"));
        return Some(about(finding, card));
    }
    if remapped.is_some_and(|rows| rows.pending) || retired.is_some_and(|retired| retired.pending) {
        let finding = Finding::warning(STAGE, "memory-repair-pending").remedy(explain("restart-computer"));
        return Some(about(finding, card));
    }
    let rows = remapped.map_or(0, |rows| rows.uncorrectable);
    let pages = retired.map_or(0, |retired| retired.pages);
    if errors == 0 && rows == 0 && pages == 0 {
        return None;
    }
    let mut finding = Finding::note(STAGE, "memory-errors-before");
    for (name, count) in
        [("fact-ecc-uncorrected", errors), ("fact-remapped-rows", rows.into()), ("fact-retired-pages", pages.into())]
    {
        if count > 0 {
            finding = finding.seen(Evidence::value(name, count.to_string()));
        }
    }
    Some(about(finding, card))
}

fn slowed(card: &Gpu, details: &GpuDetails) -> Option<Finding> {
    let reasons = details.throttled.known()?;
    let seen = |mut finding: Finding| {
        let names: Vec<&str> = reasons.iter().map(|reason| reason.name()).collect();
        finding = finding.seen(Evidence::value("fact-throttled", names.join(", ")));
        if let Some(temperature) = card.temperature.known() {
            let limit = details.temperature_slowdown.known().map(|limit| format!(" / {limit} °C"));
            let text = format!("{temperature} °C{}", limit.unwrap_or_default());
            finding = finding.seen(Evidence::value("fact-temperature", text));
        }
        about(finding, card)
    };
    if reasons.iter().any(|reason| reason.is_heat()) {
        return Some(seen(Finding::warning(STAGE, "throttled-by-heat").remedy(explain("improve-cooling"))));
    }
    if reasons.iter().any(|reason| reason.is_supply()) {
        return Some(seen(Finding::warning(STAGE, "power-brake").remedy(explain("check-power"))));
    }
    // Without a reason beside it, the hardware protects itself from a peak of power: supply or cables.
    let peak = reasons.contains(&Throttle::HwSlowdown);
    peak.then(|| seen(Finding::warning(STAGE, "power-brake").remedy(explain("check-power"))))
}

fn power_set_low(card: &Gpu, details: &GpuDetails) -> Option<Finding> {
    let (limit, usual) = (*details.power_limit.known()?, *details.power_default.known()?);
    if u64::from(limit) * 100 >= u64::from(usual) * POWER_SET_LOW {
        return None;
    }
    let watts = |milliwatts: u32| f64::from(milliwatts) / 1_000.0;
    let text = format!("{:.0} W / {:.0} W", watts(limit), watts(usual));
    Some(about(Finding::note(STAGE, "power-set-low").seen(Evidence::value("fact-power-limit", text)), card))
}

fn slow_link(card: &Gpu, details: &GpuDetails) -> Option<Finding> {
    let (link, most) = (details.link.known()?, details.link_max.known()?);
    let working = card.utilization.known().is_some_and(|utilization| *utilization >= WORKING);
    // Lanes stay as they are found at start; the generation goes down with an idle card.
    let narrow = link.width.saturating_mul(2) <= most.width;
    let slowed = working && link.generation < most.generation;
    if !(narrow || slowed) {
        return None;
    }
    let finding = Finding::warning(STAGE, "slow-link")
        .seen(Evidence::value("fact-pcie-link", format!("{link} / {most}")))
        .remedy(explain("reseat-card"));
    Some(about(finding, card))
}

/// What the driver reported about the card since the computer was started. A program's own faults say nothing of it.
fn reported(card: &Gpu, around: Option<&Surroundings>) -> Option<Finding> {
    let of = |blame: Blame| xids(card, around).filter(move |xid| xid.blame() == blame);
    let (what, blame) = if of(Blame::Card).next().is_some() {
        ("card-reported-faults", Blame::Card)
    } else if of(Blame::Program).next().is_some() {
        ("program-reported-faults", Blame::Program)
    } else {
        return None;
    };
    let mut finding = if blame == Blame::Card {
        Finding::warning(STAGE, what).remedy(explain("check-power"))
    } else {
        Finding::note(STAGE, what)
    };
    for xid in of(blame).take(3) {
        finding = finding.seen(Evidence::value("fact-kernel-log", xid.line.clone()));
    }
    Some(about(finding.with("count", of(blame).count()), card))
}
