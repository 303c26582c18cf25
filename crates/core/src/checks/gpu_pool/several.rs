//! Several cards for one training.

use std::borrow::Cow;

use super::use_gpu;
use crate::facts::Facts;
use crate::finding::{Evidence, Finding, Stage};
use crate::machine::Gpu;

const STAGE: Stage = Stage::GpuPool;

/// Whether cards go together: each gets the same share of a batch, so the smallest and the slowest decide.
pub(super) fn check(cards: &[Cow<'_, Gpu>], facts: &Facts) -> Vec<Finding> {
    let [first, rest @ ..] = cards else { return Vec::new() };
    if rest.is_empty() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let total = |card: &Gpu| card.memory.known().map(|memory| memory.total);
    let differs = |card: &Gpu| {
        let capability = |card: &Gpu| card.compute_capability.known().copied();
        let other = |one: Option<u64>, other: Option<u64>| one.zip(other).is_some_and(|(one, other)| one != other);
        other(total(card), total(first))
            || capability(card).zip(capability(first)).is_some_and(|(one, other)| one != other)
    };
    if rest.iter().any(|card| differs(card)) {
        let mut finding = Finding::warning(STAGE, "cards-differ");
        for card in cards {
            #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
            let size = total(card).map_or_else(|| "?".to_owned(), |total| crate::text::bytes(total as f64));
            finding = finding.seen(Evidence::value("fact-gpu", format!("{}: {} ({size})", card.index, card.label())));
        }
        if let Some(best) = cards.iter().max_by_key(|card| card.free()) {
            finding = finding.remedy(use_gpu(best.index));
        }
        findings.push(finding);
    }
    if facts.computer.known().is_some_and(|computer| computer.os == "windows") {
        findings.push(Finding::warning(STAGE, "several-on-windows").remedy(use_gpu(first.index)));
    }
    findings
}
