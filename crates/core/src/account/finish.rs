//! Is there enough budget to finish?

use super::amount::Amount;
use super::quota::{Level, Quota, explain, is_below};
use crate::duration::{Basis, Hours, Seconds};
use crate::finding::{Action, Applicability, Evidence, Finding, PlanChange, Remedy, Stage, Verb};
use crate::text::{Message, duration};

const STAGE: Stage = Stage::Quota;

/// What a plan takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Need {
    /// Hours of cards, all cards together.
    pub hours: Hours,
    /// How long it lasts.
    pub seconds: Seconds,
    /// What both rest on.
    pub basis: Basis,
    /// Passes over the data.
    pub epochs: u32,
    /// The card's name, for its price; `None`: not chosen.
    pub card: Option<String>,
    /// What would cost less, the least loss first.
    pub cheaper: Vec<Cheaper>,
}

/// A change of the plan that costs less.
#[derive(Debug, Clone, PartialEq)]
pub struct Cheaper {
    /// Hours of cards then.
    pub hours: Hours,
    /// The card then.
    pub card: Option<String>,
    /// What to press.
    pub remedy: Remedy,
}

/// Whether a budget lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// Even if it takes long.
    Enough,
    /// If it takes as long as expected.
    EnoughIfAllGoesWell,
    /// Only if it is much faster than expected.
    MayRunOut {
        /// At about this epoch.
        epoch: u32,
    },
    /// Not even then.
    RunsOut {
        /// At about this epoch.
        epoch: u32,
    },
}

/// What a plan costs, in the budget's units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cost {
    low: Amount,
    expected: Amount,
    high: Amount,
}

impl Cost {
    fn of(hours: Hours, price: Amount) -> Option<Self> {
        let cost = |hours| Amount::of_float(hours).map(|hours| hours.times(price));
        Some(Self { low: cost(hours.low)?, expected: cost(hours.expected)?, high: cost(hours.high)? })
    }

    fn finish(self, available: Amount, epochs: u32) -> Finish {
        // The last epoch that is paid for: each costs the same.
        let epoch = || {
            let all = Amount::of_float(f64::from(epochs)).unwrap_or(Amount::ZERO);
            let paid = available.over(self.expected).unwrap_or(Amount::ZERO).times(all).floor();
            u32::try_from(paid).unwrap_or(u32::MAX).min(epochs)
        };
        if self.high <= available {
            Finish::Enough
        } else if self.expected <= available {
            Finish::EnoughIfAllGoesWell
        } else if self.low <= available {
            Finish::MayRunOut { epoch: epoch() }
        } else {
            Finish::RunsOut { epoch: epoch() }
        }
    }

    /// `6.5–12 GPU-h`
    fn shown(self, quota: &Quota) -> String {
        format!("{}–{} {}", self.low.roughly(), self.high.roughly(), quota.symbol)
    }
}

impl Need {
    /// Whether what is available lasts; `None`: what an hour of the card costs is not known.
    #[must_use]
    pub fn finish(&self, quota: &Quota, available: Amount) -> Option<Finish> {
        Some(self.cost(quota)?.finish(available, self.epochs))
    }

    /// `2 h – 9 h`, and what that rests on.
    fn time(&self) -> Evidence {
        let by = |by: &str| Message::new("fact-plan-time").with("by", by);
        let name = match self.basis {
            Basis::Trial => by("trial"),
            Basis::Runs { count } => by("runs").with("count", count),
            Basis::Rule => by("rule"),
        };
        let [low, high] = [self.seconds.low, self.seconds.high].map(duration);
        Evidence::Value { name, value: format!("{low} – {high}") }
    }

    fn cost(&self, quota: &Quota) -> Option<Cost> {
        Cost::of(self.hours, quota.price(self.card.as_deref())?)
    }

    /// What costs least in accuracy and fits for sure.
    fn cheapest(&self, quota: &Quota, available: Amount) -> Option<Remedy> {
        let fits = |cheaper: &&Cheaper| {
            let cost = quota.price(cheaper.card.as_deref()).and_then(|price| Cost::of(cheaper.hours, price));
            cost.is_some_and(|cost| cost.high <= available)
        };
        let other = || self.cheaper.iter().find(fits).map(|cheaper| cheaper.remedy.clone());
        let shorter = self.shorter(quota, available);
        // Another card loses nothing; half the epochs lose little; beyond that a smaller training loses less.
        let free = self.cheaper.iter().filter(|cheaper| cheaper.card != self.card).find(fits);
        let free = free.map(|cheaper| cheaper.remedy.clone());
        let gentle = shorter.filter(|epochs| epochs.saturating_mul(2) >= self.epochs);
        free.or_else(|| gentle.map(fewer)).or_else(other).or_else(|| shorter.map(fewer))
    }

    /// Epochs that are paid for even if they take long; `None`: not one.
    fn shorter(&self, quota: &Quota, available: Amount) -> Option<u32> {
        let all = Amount::of_float(f64::from(self.epochs))?;
        let paid = available.over(self.cost(quota)?.high)?.times(all).floor();
        u32::try_from(paid).ok().filter(|epochs| (1..self.epochs).contains(epochs))
    }
}

fn fewer(epochs: u32) -> Remedy {
    let action = Action::ChangePlan { change: PlanChange::Epochs(epochs) };
    Remedy::new("fewer-epochs", Applicability::OneClick, action).with("epochs", epochs)
}

/// What a plan's cost means for a budget that is open and not empty.
pub(super) fn judge(quota: &Quota, level: &Level, need: &Need, threshold: Amount) -> Vec<Finding> {
    let available = level.available();
    let Some(cost) = need.cost(quota) else {
        let card = need.card.as_deref().unwrap_or("any");
        let finding = super::quota::unknown("price-unknown").with("card", card).verb(Verb::Change);
        return vec![finding.remedy(explain("write-connector"))];
    };
    let told = |finding: Finding| {
        let paid = Evidence::value("fact-plan-cost", cost.shown(quota));
        finding
            .with("low", cost.low.roughly())
            .with("high", cost.high.roughly())
            .with("cost", cost.shown(quota))
            .seen(paid)
            .seen(need.time())
    };
    let at = |finding: Finding, epoch: u32| told(finding.with("epoch", epoch).with("epochs", need.epochs));
    let mended = |mut finding: Finding| {
        if let Some(remedy) = need.cheapest(quota, available) {
            finding = finding.remedy(remedy);
        }
        finding.remedy(explain("ask-for-budget"))
    };
    let mut findings = vec![match cost.finish(available, need.epochs) {
        Finish::Enough => told(Finding::ok(STAGE, "enough")),
        Finish::EnoughIfAllGoesWell => told(Finding::note(STAGE, "enough-if-all-goes-well")),
        Finish::MayRunOut { epoch } => mended(at(Finding::warning(STAGE, "may-run-out").verb(Verb::Change), epoch)),
        Finish::RunsOut { epoch } => mended(at(Finding::blocker(STAGE, "too-little", Verb::Change), epoch)),
    }];
    if is_below(quota, level, threshold) {
        let finding = Finding::warning(STAGE, "little-left").with("threshold", threshold.shown()).verb(Verb::Ask);
        findings.push(finding.remedy(explain("ask-for-budget")).remedy(explain("change-threshold")));
    }
    findings
}
