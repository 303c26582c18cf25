//! The account on a platform, and whether its budget lasts.

use super::change;
use crate::account::{self, Cheaper, Need};
use crate::duration::{self, Expected};
use crate::facts::{AccountSeen, Fact, Facts};
use crate::finding::{Finding, PlanChange, Remedy, Stage};
use crate::models;
use crate::plan::Plan;

/// Image sizes that cost less, largest first.
const SIZES: [u32; 7] = [1280, 960, 800, 640, 512, 416, 320];

/// Cards that a plan asks a platform for.
pub(super) struct Order<'a> {
    /// As the platform's prices name it; `None`: any.
    pub(super) card: Option<&'a str>,
    /// How many.
    pub(super) cards: u32,
}

pub(super) fn check(facts: &Facts, plan: &Plan, order: &Order<'_>) -> Vec<Finding> {
    match &facts.account {
        // The plan says where; nobody looked there.
        None => {
            vec![Finding::unknown(Stage::Auth, "not-looked", &crate::text::Message::new("reason-no-platform-chosen"))]
        }
        Some(Fact::Unknown(reason)) => vec![Finding::unknown(Stage::Auth, "not-looked", reason)],
        Some(Fact::Known(seen)) => {
            let need = need(facts, plan, order, seen);
            let mut findings = account::judge(&seen.look, &seen.connector, need.as_ref(), seen.threshold);
            // What is wrong with the dataset says so itself.
            let has_images =
                facts.dataset.known().is_some_and(|dataset| dataset.splits.iter().any(|split| split.images > 0));
            if need.is_none() && has_images && matches!(seen.look.quota(&seen.connector), Ok(Some(_))) {
                findings.push(Finding::note(Stage::Quota, "cost-unknown").with("model", plan.model.name.as_str()));
            }
            findings
        }
    }
}

/// What the plan takes; `None`: it cannot be told.
fn need(facts: &Facts, plan: &Plan, order: &Order<'_>, seen: &AccountSeen) -> Option<Need> {
    let Expected { seconds, gpu_hours, basis } = expected(facts, plan, order)?;
    let mut cheaper = Vec::new();
    let quota = seen.look.quota(&seen.connector).ok().flatten();
    // Another card loses nothing, and the prices say which there are.
    for card in quota.iter().flat_map(|quota| quota.prices.keys()).filter(|card| *card != "default") {
        let other = Order { card: Some(card), ..*order };
        let remedy = change("use-card", PlanChange::Card(card.clone())).with("card", card.as_str());
        cheaper.extend(with(facts, plan, &other, remedy).filter(|_| order.card != Some(card)));
    }
    for imgsz in SIZES.into_iter().filter(|size| *size < plan.training.imgsz) {
        let mut other = plan.clone();
        other.training.imgsz = imgsz;
        let remedy = change("smaller-images", PlanChange::Imgsz(imgsz)).with("imgsz", imgsz);
        cheaper.extend(with(facts, &other, order, remedy));
    }
    let now = models::card(&plan.model.name);
    let smaller = models::ALL
        .iter()
        .rev()
        .filter(|model| now.is_some_and(|now| now.family == model.family && model.gflops < now.gflops));
    for model in smaller {
        let mut other = plan.clone();
        other.model.name.clone_from(&model.name);
        let remedy = change("smaller-model", PlanChange::Model(model.name.clone())).with("model", model.name.as_str());
        cheaper.extend(with(facts, &other, order, remedy));
    }
    let card = order.card.map(str::to_owned);
    Some(Need { hours: gpu_hours?, seconds, basis, epochs: plan.training.epochs, card, cheaper })
}

fn with(facts: &Facts, plan: &Plan, order: &Order<'_>, remedy: Remedy) -> Option<Cheaper> {
    let hours = expected(facts, plan, order)?.gpu_hours?;
    Some(Cheaper { hours, card: order.card.map(str::to_owned), remedy })
}

fn expected(facts: &Facts, plan: &Plan, order: &Order<'_>) -> Option<Expected> {
    duration::elsewhere(plan, facts.dataset.known()?, order.card, order.cards, &facts.experience)
}
