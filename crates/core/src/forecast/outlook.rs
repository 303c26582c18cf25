//! Everything a person compares when they choose batch, image size, model and card: worked out at once, so that moving a
//! slider asks nobody.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Case, Forecast, Seen, calibrated, calibration, largest_image_size};
use crate::experience::{Accuracy, Trial};
use crate::finding::PlanChange;
use crate::machine::{Gpu, ResolvedDevice};
use crate::memory::{Device as Trains, Interval, Setup, Zone};
use crate::models::{self, ModelCard};
use crate::plan::{self, Plan, Scalar};
use crate::text::Message;

/// What a plan needs, and what changing it would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Outlook {
    /// Whether a card trains, rather than the processor.
    pub on_card: bool,
    /// Whether the driver moves what does not fit into the computer's memory, which makes training crawl instead of fail:
    /// Windows does.
    pub spills: bool,
    /// What the plan needs with each of the batches that were asked for, its own among them.
    pub batches: Vec<BatchRow>,
    /// The largest image size with which the plan's batch fits for sure; `None`: the supply is not known. 0: none.
    pub largest_imgsz: Option<u32>,
    /// With and without mixed precision; `None`: the processor trains.
    pub precision: Option<Precision>,
    /// Which batches fit with which models, on the same device.
    pub fits: Vec<ModelRow>,
    /// Every card, the best choice first.
    pub cards: Vec<Card>,
    /// Who else holds memory of the card, most first.
    pub holders: Vec<Holder>,
    /// What helps where the plan does not fit for sure, what costs least first.
    pub alternatives: Vec<Alternative>,
    /// The trial run of this very plan, if there was one.
    pub trial: Option<Trial>,
    /// How good estimates were on this computer; `None`: none was measured.
    pub accuracy: Option<Accuracy>,
}

/// A batch and what it needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct BatchRow {
    /// Images per step, over all cards.
    pub batch: u32,
    /// What it needs.
    pub forecast: Forecast,
}

/// With and without mixed precision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Precision {
    /// What mixed precision needs.
    pub mixed: Interval,
    /// How that compares; `None`: the supply is not known.
    pub mixed_zone: Option<Zone>,
    /// What single precision needs.
    pub single: Interval,
    /// How that compares.
    pub single_zone: Option<Zone>,
    /// Whether the plan asks for mixed precision.
    pub asked: bool,
    /// Whether the trainer goes without it on this card, whatever is asked.
    pub refused: bool,
}

/// Which batches fit with a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct ModelRow {
    /// As Ultralytics names it.
    pub model: String,
    /// For each usual batch, and the plan's own.
    pub cells: Vec<ModelCell>,
    /// The largest batch that fits for sure; `None`: the supply is not known. 0: none.
    pub largest_batch: Option<u32>,
}

/// One batch of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct ModelCell {
    /// Images per step.
    pub batch: u32,
    /// What it needs.
    pub need: Interval,
    /// How that compares; `None`: the supply is not known.
    pub zone: Option<Zone>,
}

/// A card that could train.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Card {
    /// NVML index; of a slice, its card's.
    pub index: u32,
    /// As a plan names it.
    pub device: plan::Device,
    /// What a person calls it.
    pub name: String,
    /// Free bytes and bytes in all; `None`: it does not tell.
    pub memory: Option<(u64, u64)>,
    /// How the plan's need compares with what is free.
    pub zone: Option<Zone>,
    /// The largest batch that fits for sure.
    pub largest_batch: Option<u32>,
    /// Whether the plan trains on it.
    pub chosen: bool,
    /// Why it stands where it does (`card-…`).
    pub why: Message,
}

/// Who holds memory of a card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Holder {
    /// The program, or the run of this app that it works for; `None`: the driver does not tell who.
    pub name: Option<String>,
    /// Its process id; `None`: everything nobody is named for, the driver's own share included.
    pub pid: Option<u32>,
    /// Bytes.
    pub bytes: u64,
}

/// Something to change about the plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Alternative {
    /// What is done (`remedy-…`).
    pub what: Message,
    /// What it costs in accuracy and time (`cost-…`).
    pub cost: Message,
    /// The change.
    pub change: PlanChange,
    /// What the plan needs then; of another device, of that.
    pub need: Interval,
    /// How that compares.
    pub zone: Zone,
}

/// Batches of the table of what fits, beside the plan's own.
const USUAL_BATCHES: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
/// Image sizes a person would choose.
const USUAL_SIZES: [u32; 9] = [1280, 1024, 960, 800, 640, 512, 416, 320, 256];

/// What a plan needs with each of these batches, and what changing it would do; `None`: it is not clear which device
/// trains, or the model has no figures.
#[must_use]
pub fn outlook(plan: &Plan, seen: Seen<'_>, batches: &[u32]) -> Option<Outlook> {
    let case = Case::of(plan, seen)?;
    let mut asked: Vec<u32> = batches.iter().copied().chain([plan.training.batch]).filter(|batch| *batch > 0).collect();
    asked.sort_unstable();
    asked.dedup();
    let rows =
        asked.into_iter().filter_map(|batch| Some(BatchRow { batch, forecast: case.with_batch(batch).forecast()? }));
    Some(Outlook {
        on_card: case.on_card(),
        spills: case.on_card() && seen.computer.known().is_some_and(|computer| computer.os == "windows"),
        batches: rows.collect(),
        largest_imgsz: case.supply.and_then(|supply| largest_image_size(&case.setup, case.calibration, supply)),
        precision: precision(&case),
        fits: models::ALL.iter().filter_map(|model| fits(&case, model)).collect(),
        cards: cards(&case),
        holders: holders(&case),
        alternatives: alternatives(&case),
        trial: case.trial().cloned(),
        accuracy: seen.known.accuracy(),
    })
}

fn precision(case: &Case<'_>) -> Option<Precision> {
    let with = |amp| {
        let setup = Setup { amp, ..case.setup.clone() };
        calibrated(&setup, case.calibration.factor).map(|(need, _)| need)
    };
    let (mixed, single) = (with(true)?, with(false)?);
    case.on_card().then(|| Precision {
        mixed,
        mixed_zone: case.zone(mixed),
        single,
        single_zone: case.zone(single),
        asked: case.setup.amp,
        refused: mixed == single,
    })
}

fn fits(case: &Case<'_>, model: &ModelCard) -> Option<ModelRow> {
    // The chosen model's task: `yolov8n-seg` is compared with other models of its kind.
    let suffix = case.plan.model.name.split_once('-').map_or("", |(_, task)| task);
    let name = if suffix.is_empty() { model.name.clone() } else { format!("{}-{suffix}", model.name) };
    let setup = Setup { model: name.clone(), graph: None, images: None, ..case.setup.clone() };
    let cell = |batch| {
        let (need, _) = calibrated(&Setup { batch, ..setup.clone() }, case.calibration.factor)?;
        Some(ModelCell { batch, need, zone: case.zone(need) })
    };
    let mut batches = USUAL_BATCHES.to_vec();
    if let Err(place) = batches.binary_search(&case.plan.training.batch.max(1)) {
        batches.insert(place, case.plan.training.batch.max(1));
    }
    let cells = batches.into_iter().map(cell).collect::<Option<Vec<_>>>()?;
    let other = Case { setup, ..case.clone() };
    Some(ModelRow { model: name, cells, largest_batch: case.supply.and_then(|supply| other.largest_batch(supply)) })
}

/// Every card, those first on which the plan fits; of those, the fastest.
fn cards(case: &Case<'_>) -> Vec<Card> {
    let Some(gpus) = case.seen.gpus.known() else { return Vec::new() };
    let taken = gpus.of(&case.device);
    let mut ranked: Vec<(Card, f64)> = gpus
        .cards
        .iter()
        .flat_map(Gpu::usable)
        .map(|gpu| {
            let other = on(case, &gpu);
            let zone = other.as_ref().and_then(|other| {
                let (need, _) = calibrated(&other.setup, other.calibration.factor)?;
                other.zone(need)
            });
            let largest_batch = other.as_ref().and_then(|other| other.largest_batch(other.supply?));
            let speed = gpu.name.known().and_then(|name| crate::duration::throughput(name)).unwrap_or(0.0);
            let card = Card {
                index: gpu.index,
                device: gpu.device(),
                name: gpu.label(),
                memory: gpu.memory.known().map(|memory| (memory.free, memory.total)),
                zone,
                largest_batch,
                chosen: taken.iter().any(|taken| taken.device() == gpu.device()),
                why: Message::new("card-untold"),
            };
            (card, speed)
        })
        .collect();
    let rank = |zone: Option<Zone>| zone.map_or(4, |zone| zone as u8);
    ranked.sort_by(|(one, speed), (other, other_speed)| {
        rank(one.zone)
            .cmp(&rank(other.zone))
            .then(other_speed.total_cmp(speed))
            .then(other.memory.cmp(&one.memory))
            .then(one.index.cmp(&other.index))
    });
    let fitting = ranked.iter().filter(|(card, _)| card.zone == Some(Zone::Fits)).count();
    let fastest = ranked.first().map_or(0.0, |(_, speed)| *speed);
    let mut cards: Vec<Card> = Vec::with_capacity(ranked.len());
    for (place, (mut card, speed)) in ranked.into_iter().enumerate() {
        card.why = match card.zone {
            None => Message::new("card-untold"),
            Some(Zone::Fits) if place == 0 && fitting == 1 => Message::new("card-only-one"),
            Some(Zone::Fits) if place == 0 && speed > 0.0 => Message::new("card-fastest"),
            Some(Zone::Fits) if place == 0 => Message::new("card-roomiest"),
            Some(Zone::Fits) if speed > 0.0 && speed < fastest => {
                Message::new("card-slower").with("times", fastest / speed)
            }
            Some(Zone::Fits) => Message::new("card-fits-too"),
            Some(Zone::Tight) => Message::new("card-tight"),
            Some(Zone::Unlikely | Zone::Impossible) => {
                // Memory that others hold may be free later.
                let total = card.memory.map_or(0, |(_, total)| total);
                let alone = named(case, &card.device).and_then(|gpu| {
                    let other = on(case, &gpu)?;
                    calibrated(&other.setup, other.calibration.factor)
                });
                let would = alone.is_some_and(|(need, _)| need.expected <= total);
                Message::new(if would { "card-taken" } else { "card-too-small" })
            }
        };
        cards.push(card);
    }
    cards
}

/// The card, or the slice as a card, that a plan names so.
fn named<'a>(case: &Case<'a>, device: &plan::Device) -> Option<Cow<'a, Gpu>> {
    case.seen.gpus.known()?.cards.iter().flat_map(Gpu::usable).find(|gpu| gpu.device() == *device)
}

/// The same on one card alone; `None`: the model has no figures.
fn on<'a>(case: &Case<'a>, gpu: &Gpu) -> Option<Case<'a>> {
    let plan = with_device(&case.plan, gpu.device());
    let setup = Setup { device: Trains::Cards { count: 1, name: gpu.name.known().cloned() }, ..case.setup.clone() };
    let memory = gpu.memory.known();
    Some(Case {
        calibration: calibration(&setup, case.seen.known),
        device: ResolvedDevice::of(gpu),
        supply: memory.map(|memory| memory.free),
        capacity: memory.map(|memory| memory.total),
        shape: None,
        plan,
        setup,
        seen: case.seen,
    })
}

fn with_device(plan: &Plan, device: plan::Device) -> Plan {
    Plan { target: plan::Target::ThisComputer { device, python: plan.python().cloned() }, ..plan.clone() }
}

/// Who holds memory of the fullest of the plan's cards.
fn holders(case: &Case<'_>) -> Vec<Holder> {
    let cards = case.seen.gpus.known().map(|gpus| gpus.of(&case.device)).unwrap_or_default();
    let Some(card) = cards.iter().min_by_key(|card| card.free()) else { return Vec::new() };
    let Some(memory) = card.memory.known() else { return Vec::new() };
    let mut holders: Vec<Holder> = card
        .processes
        .known()
        .into_iter()
        .flatten()
        .filter_map(|process| {
            let bytes = *process.memory.known()?;
            let name = process.run.as_ref().or(process.name.known()).cloned();
            Some(Holder { name, pid: Some(process.pid), bytes })
        })
        .collect();
    holders.sort_by_key(|holder| std::cmp::Reverse(holder.bytes));
    let named: u64 = holders.iter().map(|holder| holder.bytes).sum();
    let rest = memory.total.saturating_sub(memory.free).saturating_sub(named);
    if rest > 0 {
        holders.push(Holder { name: None, pid: None, bytes: rest });
    }
    holders
}

/// What helps, what costs nothing in accuracy first, then what costs little, then what costs much; in the end the
/// processor, which costs time alone, but very much of it.
fn alternatives(case: &Case<'_>) -> Vec<Alternative> {
    let Some((need, supply)) = case.forecast().map(|now| now.estimate.need).zip(case.supply) else { return Vec::new() };
    if Zone::of(need, supply) == Zone::Fits {
        return Vec::new();
    }
    let mut found = Vec::new();
    found.extend(other_card(case));
    found.extend(without(case, "amp", ["remedy-mixed-precision", "cost-mixed-precision"], need));
    found.extend(without(case, "multi_scale", ["remedy-one-size", "cost-one-size"], need));
    found.extend(smaller_batch(case, supply));
    found.extend(smaller_images(case, supply));
    found.extend(smaller_model(case));
    found.extend(processor(case));
    found
}

fn alternative(case: &Case<'_>, what: Message, cost: Message, change: PlanChange) -> Option<Alternative> {
    let (need, _) = calibrated(&case.setup, case.calibration.factor)?;
    Some(Alternative { what, cost, change, need, zone: case.zone(need)? })
}

fn other_card(case: &Case<'_>) -> Option<Alternative> {
    if !case.on_card() {
        return None;
    }
    let best = cards(case).into_iter().find(|card| card.zone == Some(Zone::Fits) && !card.chosen)?;
    let gpu = named(case, &best.device)?;
    let what = match gpu.slice_name() {
        Some(name) => Message::new("remedy-use-slice").with("name", name),
        None => Message::new("remedy-use-gpu").with("index", best.index),
    };
    let cost = Message::new("cost-other-card").with("card", best.name);
    alternative(&on(case, &gpu)?, what, cost, PlanChange::Device(best.device))
}

/// An argument that makes the training larger, left out.
fn without(case: &Case<'_>, name: &str, [what, cost]: [&str; 2], need: Interval) -> Option<Alternative> {
    let is_costly = match case.plan.training.extra.get(name)? {
        Scalar::Bool(on) => *on != (name == "amp"),
        Scalar::Float(share) => *share > 0.0,
        _ => false,
    };
    let mut plan = case.plan.clone();
    plan.training.extra.remove(name);
    let case = Case::of(&plan, case.seen).filter(|_| is_costly && case.on_card())?;
    let found = alternative(&case, Message::new(what), Message::new(cost), PlanChange::Default(name.to_owned()))?;
    (found.need.expected < need.expected).then_some(found)
}

fn smaller_batch(case: &Case<'_>, supply: u64) -> Option<Alternative> {
    let batch = case.largest_batch(supply).filter(|batch| (1..case.plan.training.batch).contains(batch))?;
    let what = Message::new("remedy-smaller-batch").with("batch", batch);
    alternative(&case.with_batch(batch), what, Message::new("cost-smaller-batch"), PlanChange::Batch(batch))
}

fn smaller_images(case: &Case<'_>, supply: u64) -> Option<Alternative> {
    let now = case.plan.training.imgsz;
    let largest = largest_image_size(&case.setup, case.calibration, supply)?.min(now.saturating_sub(1));
    let imgsz = USUAL_SIZES.into_iter().find(|size| *size <= largest)?;
    let mut other = case.clone();
    other.setup.imgsz = imgsz;
    let what = Message::new("remedy-smaller-images").with("imgsz", imgsz);
    let share = f64::from(imgsz) / f64::from(now);
    let cost = Message::new("cost-smaller-images").with("share", share * share);
    alternative(&other, what, cost, PlanChange::Imgsz(imgsz))
}

/// The largest model of the same family that fits.
fn smaller_model(case: &Case<'_>) -> Option<Alternative> {
    let now = models::card(&case.plan.model.name)?;
    let smaller = |model: &&ModelCard| model.family == now.family && model.gflops < now.gflops;
    models::ALL.iter().rev().filter(smaller).find_map(|model| {
        let mut other = case.clone();
        other.setup.model.clone_from(&model.name);
        let what = Message::new("remedy-smaller-model").with("model", model.name.as_str());
        let cost = Message::new("cost-smaller-model")
            .with("points", now.map50_95 - model.map50_95)
            .with("share", model.gflops / now.gflops);
        alternative(&other, what, cost, PlanChange::Model(model.name.clone())).filter(|found| found.zone == Zone::Fits)
    })
}

fn processor(case: &Case<'_>) -> Option<Alternative> {
    if !case.on_card() {
        return None;
    }
    let plan = with_device(&case.plan, plan::Device::Cpu);
    let other = Case::of(&plan, case.seen)?;
    let change = PlanChange::Device(plan::Device::Cpu);
    alternative(&other, Message::new("remedy-use-processor"), Message::new("cost-use-processor"), change)
}
