//! Cards that are divided with MIG: a training gets one slice, never the whole card.

use super::{explain, use_card, use_processor};
use crate::facts::Facts;
use crate::finding::{Evidence, Finding, Stage, Verb};
use crate::machine::{Gpu, Gpus, ResolvedDevice};
use crate::plan::{Device, Plan};
use crate::text::Message;

const STAGE: Stage = Stage::GpuPool;

/// What a divided card means for a plan.
pub(super) fn check(plan: &Plan, device: &ResolvedDevice, gpus: &Gpus) -> Vec<Finding> {
    match device {
        // Whoever names a slice knows.
        ResolvedDevice::Slice { .. } if matches!(plan.device(), Device::Slice(_)) => Vec::new(),
        ResolvedDevice::Slice { card, uuid } => {
            let Some(card) = gpus.card(*card) else { return Vec::new() };
            let others = card.slices().into_iter().filter(|slice| slice.slice_name() != Some(uuid));
            let finding = others.fold(into_slices(card, uuid), |finding, other| finding.remedy(use_card(&other)));
            vec![finding]
        }
        ResolvedDevice::Gpus(indices) => {
            let divided = indices.iter().filter_map(|index| gpus.card(*index)).filter(|card| card.is_divided());
            divided.map(|card| if card.slices().is_empty() { undivided(card) } else { among_several(card) }).collect()
        }
        ResolvedDevice::Processor | ResolvedDevice::Mps => Vec::new(),
    }
}

/// The same, whatever is trained.
pub(super) fn of_card(card: &Gpu) -> Option<Finding> {
    let roomiest = card.roomiest_slice();
    let name = roomiest.as_ref().and_then(Gpu::slice_name);
    card.is_divided().then(|| name.map_or_else(|| undivided(card), |name| into_slices(card, name)))
}

/// A training gets this slice.
fn into_slices(card: &Gpu, name: &str) -> Finding {
    told(Finding::note(STAGE, "divided").with("slice", name), card)
}

/// A slice of the same card with more free memory than this one has.
pub(super) fn roomier(slice: &Gpu, gpus: &Gpus) -> Option<Gpu> {
    slice.slice_name()?;
    gpus.card(slice.index)?.roomiest_slice().filter(|other| other.free() > slice.free())
}

pub(super) fn no_such_slice(name: &str, facts: &Facts) -> Finding {
    let mut finding = Finding::blocker(STAGE, "no-such-slice", Verb::Change).with("name", name);
    let cards = facts.gpus.known().map_or(&[][..], |gpus| &gpus.cards);
    for slice in cards.iter().flat_map(Gpu::slices) {
        finding = finding.seen(described(&slice));
    }
    if let Some(card) = facts.gpus.known().and_then(Gpus::roomiest) {
        finding = finding.remedy(use_card(&card.roomiest_slice().unwrap_or_else(|| card.clone())));
    }
    finding.remedy(use_processor())
}

/// MIG is switched on, and there is nothing to compute on.
fn undivided(card: &Gpu) -> Finding {
    told(Finding::blocker(STAGE, "divided-without-parts", Verb::Ask), card)
        .remedy(explain("make-mig-parts").with("index", card.index))
        .remedy(use_processor())
}

/// A program sees one slice and no other card beside it.
fn among_several(card: &Gpu) -> Finding {
    let finding = told(Finding::blocker(STAGE, "divided-among-several", Verb::Change), card);
    card.slices().iter().fold(finding, |finding, slice| finding.remedy(use_card(slice)))
}

fn told(finding: Finding, card: &Gpu) -> Finding {
    let slices = card.slices();
    let about = finding.with("index", card.index).with("name", card.label()).with("count", slices.len());
    slices.iter().fold(about, |finding, slice| finding.seen(described(slice)))
}

/// A slice in one line.
fn described(slice: &Gpu) -> Evidence {
    let name = match slice.memory.known() {
        Some(memory) => Message::new("fact-mig-part-memory").with("free", memory.free).with("total", memory.total),
        None => Message::new("fact-mig-part"),
    };
    Evidence::Value { name, value: format!("{} · {}", slice.slice_name().unwrap_or_default(), slice.label()) }
}
