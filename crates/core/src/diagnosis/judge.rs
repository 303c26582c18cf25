//! From what was seen to what it means.

use super::pattern::Pattern;
use super::rule::{Kind, Rule, Sure};
use super::rules::{Id, Pointer, RULES, Way};
use super::scan::{PROOF, Quote, Scan, Seen, Source};
use super::{Cause, Confidence, Diagnosis, Other};
use super::{known, numbers};
use crate::finding::{Evidence, Finding, Remedy, Stage};
use crate::text::Message;

/// Pieces of evidence that one cause is shown with.
const EVIDENCE: usize = 6;
/// Lines shown where the cause was not found.
const TELLING: usize = 5;
/// Causes named beside the one that was found.
const OTHERS: usize = 3;

/// A rule that what was seen agrees with.
struct Candidate {
    rule: &'static Rule,
    way: &'static Way,
    /// How sure it is, with what is different from a training that went well.
    sure: Sure,
    /// Where its own words are first and last, for the order of things. Of what is known besides: behind everything.
    first: u64,
    last: u64,
    quotes: Vec<Quote>,
}

impl Candidate {
    /// The order in which causes come into question, best first.
    fn rank(&self) -> (Kind, Sure, u64) {
        (self.way.kind, self.sure, self.first)
    }

    /// Whether its evidence is more than a word.
    fn is_proven(&self) -> bool {
        self.quotes.iter().any(|quote| quote.text.trim().len() as u64 >= PROOF)
    }
}

impl Scan {
    /// What the log so far and what is known besides say. What [`Scan::settle`] has not searched does not count.
    #[must_use]
    pub fn diagnose(&self) -> Diagnosis {
        let mut found = self.candidates();
        let explains = |one: &Candidate, other: &Candidate| one.rule.explains.contains(&other.rule.cause);
        let explained = |one: &Candidate| {
            // What is merely possible explains nothing that is surer.
            let speaks = |other: &&Candidate| other.sure < Sure::Possible || one.sure == Sure::Possible;
            // Of two that explain each other, the better one does.
            let counts = |other: &Candidate| !explains(one, other) || other.rank() < one.rank();
            let of_it = |other: &Candidate| explains(other, one) && counts(other);
            found.iter().filter(speaks).any(|other| other.way.kind <= one.way.kind && of_it(other))
        };
        let explained: Vec<bool> = found.iter().map(explained).collect();
        let mut kept = explained.iter();
        found.retain(|_| !kept.next().copied().unwrap_or_default());
        found.sort_by_key(Candidate::rank);
        let mut found = found.into_iter();
        match found.next() {
            Some(cause) => told(cause, found),
            None if self.is_healthy() => self.healthy(),
            None => self.unknown(),
        }
    }

    /// A rule is told once, in its best way that still holds.
    fn candidates(&self) -> Vec<Candidate> {
        let best = |(rule, ways): &'static (Rule, Vec<Way>)| {
            let seen = ways.iter().filter_map(|way| self.candidate(rule, way));
            seen.filter(|way| !self.is_overcome(way) && way.is_proven()).min_by_key(Candidate::rank)
        };
        RULES.rules.iter().filter_map(best).collect()
    }

    fn candidate(&self, rule: &'static Rule, way: &'static Way) -> Option<Candidate> {
        if way.not.iter().any(|id| self.first(*id).is_some()) {
            return None;
        }
        let agrees = |quote: &&Quote| way.numbers.is_none_or(|numbers| numbers::agree(numbers, &quote.seen));
        let own = |of: fn(&Self, Id) -> &Seen| {
            way.any.iter().flat_map(move |id| of(self, *id).first.iter()).filter(agrees).min_by_key(|quote| quote.start)
        };
        let primary = own(Self::in_log).or_else(|| own(Self::in_context))?;
        let in_log = primary.source == Source::Log;
        let earlier = |id: &Id| {
            let quote = self.in_log(*id).first.first();
            quote.is_some_and(|quote| !in_log || quote.start < primary.start)
        };
        if !way.after.is_empty() && !way.after.iter().any(earlier) {
            return None;
        }
        let mut quotes = vec![primary.clone()];
        for one_of in &way.and {
            quotes.push(one_of.iter().find_map(|id| self.first(*id))?.clone());
        }
        let others = way.any.iter().filter_map(|id| self.first(*id)).cloned();
        quotes.extend(others);
        let mut distinct: Vec<Quote> = Vec::new();
        for quote in quotes {
            let same = |other: &Quote| other.source == quote.source && other.start == quote.start;
            if distinct.len() < EVIDENCE && !distinct.iter().any(same) {
                distinct.push(quote);
            }
        }
        let last = way.any.iter().map(|id| self.in_log(*id).last).max().unwrap_or_default();
        let (first, last) = if in_log { (primary.start, last) } else { (u64::MAX, u64::MAX) };
        let is_changed = rule.changed.iter().any(|name| self.changed.contains(name));
        let sure = if is_changed { way.sure.more() } else { way.sure };
        Some(Candidate { rule, way, sure, first, last, quotes: distinct })
    }

    fn in_log(&self, id: Id) -> &Seen {
        &self.log.seen[id]
    }

    fn in_context(&self, id: Id) -> &Seen {
        &self.context.seen[id]
    }

    fn first(&self, id: Id) -> Option<&Quote> {
        self.in_log(id).first.first().or_else(|| self.in_context(id).first.first())
    }

    /// Whether the training went on after it, so that it was not what ended it.
    fn is_overcome(&self, candidate: &Candidate) -> bool {
        let later = |id: &Id| {
            let seen = self.in_log(*id);
            !seen.first.is_empty() && seen.last > candidate.last
        };
        if candidate.way.until.iter().any(later) {
            return true;
        }
        let completed = RULES.marks.completed.iter().any(later);
        let mut after = self.log.recent.iter().filter(|(at, _)| *at > candidate.last).map(|(_, epoch)| *epoch);
        match candidate.way.kind {
            Kind::Lasting => false,
            Kind::Warning => completed || after.next().is_some(),
            // A line of progress that was on its way comes after the error; a further epoch does not.
            Kind::Error | Kind::Consequence => {
                let first = after.next();
                completed || after.any(|epoch| Some(epoch) != first)
            }
        }
    }

    fn is_healthy(&self) -> bool {
        let marks = &RULES.marks;
        let last = |ids: &[Id]| {
            ids.iter().map(|id| self.in_log(*id)).filter(|seen| !seen.first.is_empty()).map(|seen| seen.last).max()
        };
        let good = last(&marks.completed).max(last(&marks.progress)).max(last(&marks.harmless));
        let bad = last(&marks.failed);
        let ended_badly = marks.failed.iter().any(|id| !self.in_context(*id).first.is_empty());
        good.is_some() && bad <= good && !ended_badly
    }

    fn healthy(&self) -> Diagnosis {
        let marks = &RULES.marks;
        let seen = |ids: &'static [Id]| ids.iter().filter_map(|id| self.in_log(*id).first.first()).cloned();
        let good = seen(&marks.completed).chain(seen(&marks.progress)).take(1);
        let mut quotes: Vec<Quote> = good.chain(seen(&marks.harmless)).take(EVIDENCE).collect();
        quotes.dedup_by_key(|quote| quote.start);
        let finding = with(Finding::ok(Stage::Train, "nothing-wrong"), &quotes);
        Diagnosis { cause: Cause::None, confidence: Confidence::Likely, finding, quotes, others: Vec::new() }
    }

    fn unknown(&self) -> Diagnosis {
        let mut quotes: Vec<Quote> = Vec::new();
        let harmless = |quote: &Quote| {
            let mut seen = RULES.marks.harmless.iter().flat_map(|id| &self.in_log(*id).first);
            seen.any(|other| other.start == quote.start && quote.source == Source::Log)
        };
        for id in RULES.marks.telling.iter().chain(&RULES.marks.failed) {
            for quote in self.in_log(*id).first.iter().chain(&self.in_context(*id).first) {
                let is_there = quotes.iter().any(|other| other.start == quote.start);
                if quotes.len() < TELLING && !is_there && !harmless(quote) {
                    quotes.push(quote.clone());
                }
            }
        }
        if quotes.is_empty() {
            quotes = self.end();
        }
        let stage = self.pointed_to(&quotes);
        quotes.sort_by_key(|quote| quote.start);
        let reason = Message::new("reason-nothing-recognised");
        let mut finding = with(Finding::unknown(stage, "cause-not-found", &reason), &quotes);
        finding.remedies = vec![Remedy::explain("read-log")];
        Diagnosis { cause: Cause::Unknown, confidence: Confidence::Possible, finding, quotes, others: Vec::new() }
    }

    /// The link that a failure of unknown cause has to do with, by its telling lines, the most telling one first.
    fn pointed_to(&self, telling: &[Quote]) -> Stage {
        let says = |quote: &Quote| {
            let says = |pattern: &Pattern| pattern.regex().is_some_and(|regex| regex.is_match(quote.text.as_bytes()));
            RULES.pointers.iter().find(|pointer| pointer.says.iter().any(says))
        };
        let passed = |pointer: &&Pointer| {
            let seen = pointer.passes.iter().map(|id| self.in_log(*id)).filter(|seen| !seen.first.is_empty());
            seen.map(|seen| seen.last).max()
        };
        let said = telling.iter().find_map(says);
        let last = || RULES.pointers.iter().filter(|pointer| passed(pointer).is_some()).max_by_key(passed);
        said.or_else(last).map_or(Stage::Train, |pointer| pointer.stage)
    }
}

fn told(candidate: Candidate, rest: impl Iterator<Item = Candidate>) -> Diagnosis {
    let Candidate { rule, way, sure, quotes, .. } = candidate;
    let finding = with(Finding::blocker(way.stage, rule.code(), rule.verb), &quotes);
    let finding = rule.remedies.iter().fold(finding, |finding, mend| finding.remedy(mend.remedy()));
    let seen = rest.filter(|other| other.way.kind <= Kind::Warning).map(|other| (other.rule, other.way.stage));
    // What means nothing else is not said to be like something else.
    let alike = rule.or_else.iter().filter(|_| sure != Sure::Certain);
    let alike = alike.filter_map(|cause| RULES.rules.iter().find(|(other, _)| other.cause == *cause));
    let mut others: Vec<Other> = Vec::new();
    for (other, stage) in alike.map(|(other, _)| (other, other.stage)).chain(seen) {
        if others.len() < OTHERS && !others.iter().any(|there| there.cause == other.cause) {
            let finding = Finding::blocker(stage, other.code(), other.verb);
            others.push(Other { cause: other.cause.clone(), title: finding.title(), detail: finding.detail() });
        }
    }
    let confidence = match sure {
        Sure::Certain => Confidence::Certain,
        Sure::Likely => Confidence::Likely,
        Sure::Possible => Confidence::Possible,
    };
    Diagnosis { cause: Cause::Found(rule.cause.clone()), confidence, finding, quotes, others }
}

fn with(finding: Finding, quotes: &[Quote]) -> Finding {
    quotes.iter().fold(finding, |finding, quote| {
        finding.seen(match quote.source {
            Source::Log => {
                let line = u32::try_from(quote.line).unwrap_or(u32::MAX);
                Evidence::Log { line, text: quote.text.clone() }
            }
            Source::Context => known::evidence(&quote.text),
        })
    })
}
