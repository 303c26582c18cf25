//! What is left of a budget, by the platform's answer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::amount::Amount;
use super::connector::{Beside, Connector, LevelPlace, Pointer, Unit};
use super::finish::Need;
use super::look::{Body, Look, Reply};
use super::{finish, refusal};
use crate::finding::{Action, Applicability, Evidence, Finding, Remedy, Stage, Verb};
use crate::machine::names;
use crate::text::Message;

const STAGE: Stage = Stage::Quota;

/// Levels that are read of one answer.
const MOST_LEVELS: usize = 64;

/// What is left.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Quota {
    /// What is counted.
    pub unit: Unit,
    /// What one of it is called.
    pub symbol: String,
    /// Every budget that a training is taken off, the widest first; at least one.
    pub levels: Vec<Level>,
    /// What an hour of a card costs, by a part of its name.
    pub prices: BTreeMap<String, Amount>,
}

/// One budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Level {
    /// What the platform calls it; empty: the only one, or the person's own.
    pub name: String,
    /// What is left.
    pub remaining: Amount,
    /// What is promised, and not yet taken off.
    pub reserved: Amount,
    /// What there was to begin with; `None`: not told.
    pub limit: Option<Amount>,
    /// Whether it can be used.
    pub state: LevelState,
    /// When there is more, in seconds since 1970 UTC; `None`: not told.
    pub renews_s: Option<f64>,
    /// When what is left is lost, in seconds since 1970 UTC; `None`: not told.
    pub expires_s: Option<f64>,
}

/// Whether a budget can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum LevelState {
    /// It can.
    Open,
    /// The platform's own accounts are in trouble.
    Incident,
    /// The key has a limit of its own, which is reached.
    KeyLimit,
    /// What is left is no longer valid.
    Expired,
    /// The organisation has stopped it.
    Suspended,
    /// Someone has closed it.
    Locked,
}

/// Why an answer tells no budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// Nothing is there.
    Missing(String),
    /// Something is there that is no amount.
    NoAmount(String, String),
}

impl Level {
    /// What a training can use.
    #[must_use]
    pub fn available(&self) -> Amount {
        self.remaining.minus(self.reserved)
    }
}

impl Quota {
    /// The level that binds: a closed one, else the one with the least.
    #[must_use]
    pub fn binding(&self) -> Option<&Level> {
        self.levels.iter().min_by_key(|level| (std::cmp::Reverse(level.state), level.available()))
    }

    /// Units that an hour of a card costs; `None`: not told. `card`: its name; `None`: any.
    #[must_use]
    pub fn price(&self, card: Option<&str>) -> Option<Amount> {
        let factor = match card {
            _ if self.prices.is_empty() => self.unit.per_hour().map(|_| Amount::ONE),
            Some(card) => {
                let named = names::longest(card, &self.prices).map(|(_, price)| *price);
                named.or_else(|| self.prices.get("default").copied())
            }
            None => self.prices.get("default").copied().or_else(|| {
                let mut all = self.prices.values();
                all.next().copied().filter(|first| all.all(|other| other == first))
            }),
        };
        // Where time is counted, a price is a factor of it.
        Some(factor?.times(self.unit.per_hour().unwrap_or(Amount::ONE)))
    }

    /// With its unit, for a person.
    #[must_use]
    pub fn shown(&self, amount: Amount) -> String {
        format!("{} {}", amount.shown(), self.symbol)
    }
}

impl Connector {
    /// Reads an answer.
    ///
    /// # Errors
    /// Where it does not hold what this connector expects.
    pub fn read(&self, body: &Value) -> Result<Quota, Unread> {
        let mut levels = Vec::new();
        let place = &self.quota;
        for level in &self.levels {
            self.read_level(level, body, &mut levels)?;
        }
        if let Some(remaining) = &place.remaining {
            // Where only the levels tell, a level that is missing here is no loss.
            match self.level(String::new(), remaining, place.beside(), body) {
                Err(Unread::Missing(_)) if !levels.is_empty() => {}
                level => levels.push(level?),
            }
        }
        if levels.is_empty() {
            return Err(Unread::Missing(
                self.levels.first().map_or(String::new(), |level| level.remaining.as_str().to_owned()),
            ));
        }
        let mut prices = self.prices.cards.clone();
        let told = self.prices.pointer.as_ref().and_then(|pointer| pointer.of(body)).and_then(Value::as_object);
        prices.extend(
            told.into_iter().flatten().filter_map(|(card, price)| Some((card.clone(), Amount::of_json(price)?))),
        );
        prices.retain(|_, price| *price >= Amount::ZERO);
        Ok(Quota { unit: place.unit, symbol: self.symbol().to_owned(), levels, prices })
    }

    fn read_level(&self, level: &LevelPlace, body: &Value, into: &mut Vec<Level>) -> Result<(), Unread> {
        let name = |at: &Value| {
            let told = level.name_at.as_ref().and_then(|pointer| pointer.of(at)).and_then(Value::as_str);
            told.map(str::to_owned).or_else(|| level.name.clone()).unwrap_or_default()
        };
        let Some(each) = &level.each else {
            into.push(self.level(name(body), &level.remaining, level.beside(), body)?);
            return Ok(());
        };
        // A list that is not there is an empty one.
        let all = each.of(body).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for at in all.iter().take(MOST_LEVELS) {
            into.push(self.level(name(at), &level.remaining, level.beside(), at)?);
        }
        Ok(())
    }

    fn level(&self, name: String, remaining: &Pointer, beside: Beside<'_>, at: &Value) -> Result<Level, Unread> {
        let amount = |pointer: &Pointer| match pointer.of(at) {
            None => Err(Unread::Missing(pointer.as_str().to_owned())),
            Some(value) => {
                Amount::of_json(value).ok_or_else(|| Unread::NoAmount(pointer.as_str().to_owned(), excerpt(value)))
            }
        };
        let optional = |pointer: Option<&Pointer>| match pointer.map(amount) {
            None | Some(Err(Unread::Missing(_))) => Ok(None),
            Some(amount) => amount.map(Some),
        };
        let found = |pointer: Option<&Pointer>| pointer.and_then(|pointer| pointer.of(at));
        let word = found(beside.state).and_then(|state| match state {
            Value::String(word) => self.state_of(word),
            _ => None,
        });
        let locked = found(beside.locked) == Some(&Value::Bool(true));
        Ok(Level {
            name,
            remaining: amount(remaining)?,
            reserved: optional(beside.reserved)?.unwrap_or(Amount::ZERO),
            limit: optional(beside.limit)?,
            state: word.unwrap_or(if locked { LevelState::Locked } else { LevelState::Open }),
            renews_s: found(beside.renews).and_then(time),
            expires_s: found(beside.expires).and_then(time),
        })
    }
}

/// Seconds since 1970 UTC of an ISO 8601 time or date, or of seconds or milliseconds.
fn time(value: &Value) -> Option<f64> {
    match value {
        // No budget was renewed in 1973, and none will be in the year 5000.
        Value::Number(number) => {
            number.as_f64().map(|n| if n > 1e11 { n / 1000.0 } else { n }).filter(|n| (0.0..1e11).contains(n))
        }
        Value::String(text) => {
            let instant = text.trim().parse::<jiff::Timestamp>().ok();
            let day = || {
                let date: jiff::civil::Date = text.trim().parse().ok()?;
                jiff::tz::Offset::UTC.to_timestamp(date.at(0, 0, 0, 0)).ok()
            };
            #[expect(clippy::cast_precision_loss, reason = "exact below 2^53")]
            instant.or_else(day).map(|instant| instant.as_second() as f64)
        }
        _ => None,
    }
}

/// The beginning of a value.
pub(super) fn excerpt(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 120 { text } else { text.chars().take(119).chain(['…']).collect() }
}

impl Look {
    /// What is left; `None`: the platform did not say.
    ///
    /// # Errors
    /// Where its answer does not hold what the connector expects.
    pub fn quota(&self, connector: &Connector) -> Result<Option<Quota>, Unread> {
        match &self.reply {
            Reply::Answered { answer } if (200..300).contains(&answer.status) => match &answer.body {
                Body::Json { value } => connector.read(value).map(Some),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }
}

/// Why the budget is not known.
pub(super) fn unknown(what: &str) -> Finding {
    Finding::unknown(STAGE, what, &Message::new("reason-budget-unknown"))
}

pub(super) fn look_again() -> Remedy {
    Remedy::new("look-again", Applicability::OneClick, Action::Recheck)
}

pub(super) fn explain(id: &str) -> Remedy {
    Remedy::new(id, Applicability::Manual, Action::Explain)
}

pub(super) fn judge(look: &Look, connector: &Connector, need: Option<&Need>, threshold: Amount) -> Vec<Finding> {
    let about = |finding: Finding| finding.with("platform", look.platform.as_str());
    match &look.reply {
        Reply::NotAsked => vec![about(Finding::unknown(STAGE, "not-asked", &Message::new("reason-no-token")))],
        Reply::Failed { trouble, causes } => vec![refusal::of_trouble(look, *trouble, causes)],
        Reply::Answered { answer } => match look.quota(connector) {
            Err(unread) => vec![about(of_unread(&unread))],
            Ok(None) => refusal::of_answer(look, connector, answer)
                .into_iter()
                .filter(|finding| finding.stage == STAGE)
                .collect(),
            Ok(Some(quota)) => of_quota(look, &quota, need, threshold).into_iter().map(about).collect(),
        },
    }
}

fn of_unread(unread: &Unread) -> Finding {
    let (finding, pointer) = match unread {
        Unread::Missing(pointer) => (unknown("field-missing"), pointer),
        Unread::NoAmount(pointer, found) => {
            (unknown("not-an-amount").seen(Evidence::value("fact-answer", found.as_str())), pointer)
        }
    };
    finding.with("pointer", pointer.as_str()).verb(Verb::Change).remedy(explain("write-connector"))
}

fn of_quota(look: &Look, quota: &Quota, need: Option<&Need>, threshold: Amount) -> Vec<Finding> {
    let now = look.now_s();
    let mut quota = quota.clone();
    for level in &mut quota.levels {
        if level.state == LevelState::Open && level.expires_s.is_some_and(|expires| expires <= now) {
            level.state = LevelState::Expired;
        }
    }
    let Some(level) = quota.binding() else {
        return vec![unknown("field-missing").with("pointer", "").verb(Verb::Change)];
    };
    if let Some(finding) = of_state(level, &quota) {
        return vec![seen(finding, &quota, level, now)];
    }
    let mut findings = Vec::new();
    if level.remaining.is_spent() {
        let renews = level.renews_s.filter(|renews| *renews > now);
        let mut finding = Finding::blocker(STAGE, "empty", if renews.is_some() { Verb::Wait } else { Verb::Ask });
        if renews.is_some() {
            finding = finding.remedy(explain("wait-for-renewal"));
        }
        findings.push(finding.remedy(explain("ask-for-budget")).remedy(look_again()));
    } else if level.available().is_spent() {
        let finding = Finding::blocker(STAGE, "reserved", Verb::Wait).with("reserved", quota.shown(level.reserved));
        findings.push(finding.remedy(look_again()).remedy(explain("cancel-others")));
    } else if let Some(need) = need {
        findings.extend(finish::judge(&quota, level, need, threshold));
    } else if is_below(&quota, level, threshold) {
        let finding = Finding::blocker(STAGE, "below-threshold", Verb::Ask).with("threshold", threshold.shown());
        findings
            .push(finding.remedy(explain("ask-for-budget")).remedy(explain("change-threshold")).remedy(look_again()));
    } else {
        findings.push(Finding::ok(STAGE, "left"));
    }
    findings.into_iter().map(|finding| seen(finding, &quota, level, now)).collect()
}

/// Whether less is left than the hours a person wants left at least.
pub(super) fn is_below(quota: &Quota, level: &Level, threshold: Amount) -> bool {
    // Credits are compared as hours of the cheapest card.
    let price = quota.price(None).or_else(|| quota.prices.values().min().copied());
    price.is_some_and(|price| level.available() < threshold.times(price))
}

fn of_state(level: &Level, quota: &Quota) -> Option<Finding> {
    let finding = match level.state {
        LevelState::Open => return None,
        LevelState::Locked => Finding::blocker(STAGE, "locked", Verb::Ask).remedy(explain("ask-to-unlock")),
        LevelState::Suspended => Finding::blocker(STAGE, "suspended", Verb::Ask).remedy(explain("ask-to-unlock")),
        LevelState::Expired => Finding::blocker(STAGE, "expired", Verb::Ask).remedy(explain("ask-for-budget")),
        LevelState::KeyLimit => Finding::blocker(STAGE, "key-limit", Verb::Ask).remedy(explain("raise-key-limit")),
        LevelState::Incident => Finding::blocker(STAGE, "billing-incident", Verb::Wait),
    };
    Some(finding.with("balance", quota.shown(level.remaining)).remedy(look_again()))
}

/// Adds what every finding about a budget rests on.
fn seen(finding: Finding, quota: &Quota, level: &Level, now: f64) -> Finding {
    let mut finding = finding
        .with("level", level.name.as_str())
        .with("named", if level.name.is_empty() { "no" } else { "yes" })
        .with("available", quota.shown(level.available()))
        .seen(Evidence::value("fact-balance", balance(quota, level)));
    for other in quota.levels.iter().filter(|other| !std::ptr::eq(*other, level)) {
        finding = finding.seen(Evidence::value("fact-balance-other", balance(quota, other)));
    }
    if let Some(renews) = level.renews_s.filter(|renews| *renews > now) {
        finding = finding.with("renews", renews - now).seen(Evidence::value("fact-renews", moment(renews)));
    } else {
        finding = finding.with("renews", 0.0);
    }
    finding
}

/// `Line 3: 12.5 GPU-h (− 4 reserved, of 100)`, the same in both languages.
fn balance(quota: &Quota, level: &Level) -> String {
    let mut text = if level.name.is_empty() { String::new() } else { format!("{}: ", level.name) };
    if level.reserved.is_spent() {
        text.push_str(&quota.shown(level.remaining));
    } else {
        text.push_str(&format!(
            "{} − {} = {}",
            level.remaining.shown(),
            level.reserved.shown(),
            quota.shown(level.available())
        ));
    }
    if let Some(limit) = level.limit {
        text.push_str(&format!(" / {}", limit.shown()));
    }
    text
}

/// `2026-12-08 03:00 UTC`
pub(super) fn moment(seconds: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "a time that is out of range is none")]
    let instant = jiff::Timestamp::from_second(seconds as i64);
    instant.map_or_else(|_| "?".to_owned(), |instant| instant.strftime("%Y-%m-%d %H:%M UTC").to_string())
}
