//! All findings of one pass over the chain.

use serde::{Deserialize, Serialize};

use crate::finding::{Certainty, Finding, Severity, Stage, Verb};
use crate::run::{Progress, RunRecord, RunState};

/// All findings of one pass. Before launch it is the preflight, after a failure the diagnosis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Report {
    /// When it was made, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// The ten links of the chain, in order.
    pub links: Vec<Link>,
    /// What was found, in the order of the chain, worst first within a link.
    pub findings: Vec<Finding>,
}

/// One link of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Link {
    /// Which.
    pub stage: Stage,
    /// How it stands.
    pub state: LinkState,
}

/// How a link of the chain stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    /// This target does not need it.
    NotNeeded,
    /// Nothing was looked at yet, or it comes later.
    Pending,
    /// It is being looked at, or running.
    Active,
    /// It rests, and can go on.
    Paused,
    /// A person ended it there.
    Cancelled,
    /// Fine.
    Ok,
    /// Works, but.
    Warning,
    /// Could not be decided.
    Unknown,
    /// Broken.
    Blocker,
}

/// What a report means for starting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing blocks.
    Clear,
    /// Only predicted blockers are left: a person may start anyway.
    AskFirst,
    /// A certain blocker.
    Blocked,
    /// Nothing blocks, but a fact the decision needs stayed unknown.
    Undecided,
}

/// A report before the launch, and what it means for starting.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Preflight {
    /// The whole chain.
    pub report: Report,
    /// What it means.
    pub verdict: Verdict,
}

impl Report {
    /// Sorts findings along the chain and derives how each link stands.
    /// `not_needed` are the links this target does without.
    #[must_use]
    pub fn new(at_ms: u64, mut findings: Vec<Finding>, not_needed: &[Stage]) -> Self {
        findings.sort_by_key(|finding| (finding.stage, std::cmp::Reverse(finding.severity)));
        let links = Stage::ALL
            .into_iter()
            .map(|stage| {
                let worst =
                    findings.iter().filter(|finding| finding.stage == stage).map(|finding| finding.severity).max();
                let state = match worst {
                    _ if not_needed.contains(&stage) => LinkState::NotNeeded,
                    None => LinkState::Pending,
                    Some(Severity::Ok | Severity::Note) => LinkState::Ok,
                    Some(Severity::Warning) => LinkState::Warning,
                    Some(Severity::Unknown) => LinkState::Unknown,
                    Some(Severity::Blocker) => LinkState::Blocker,
                };
                Link { stage, state }
            })
            .collect();
        Self { at_ms, links, findings }
    }

    /// The chain of a run at a moment, in milliseconds since 1970 UTC: what came before the trainer was passed by the
    /// preflight (an accepted risk stays a warning), the rest stands as the run does. The first broken link keeps what
    /// comes after it from running.
    #[must_use]
    pub fn of_run(record: &RunRecord, progress: &Progress, now_ms: u64) -> Self {
        Self::of_findings(record, progress, progress.findings_at(now_ms))
    }

    /// The chain of a run that failed, once it is known why: the broken link in place of what its end alone told. What
    /// comes after it counts as not reached, however far the trainer had come.
    #[must_use]
    pub fn of_failure(record: &RunRecord, progress: &Progress, broken: Finding) -> Self {
        let mut findings = vec![broken];
        let others = progress.findings_at(progress.last_ms);
        findings.extend(others.into_iter().filter(|finding| finding.severity < Severity::Unknown));
        Self::of_findings(record, progress, findings)
    }

    fn of_findings(record: &RunRecord, progress: &Progress, findings: Vec<Finding>) -> Self {
        let broken = findings.iter().filter(|finding| finding.severity == Severity::Blocker).map(|f| f.stage).min();
        // A run that is under way in spite of it has come past that link; one that is not has stopped there.
        let stopped = progress.state != RunState::Running;
        let (start, train, results) = match (progress.state, progress.started_ms.is_some()) {
            (RunState::Queued, _) => (LinkState::Pending, LinkState::Pending, LinkState::Pending),
            (RunState::Succeeded, _) => (LinkState::Ok, LinkState::Ok, LinkState::Ok),
            (RunState::Preparing, _) => (LinkState::Active, LinkState::Pending, LinkState::Pending),
            (RunState::Running, _) => (LinkState::Ok, LinkState::Active, LinkState::Pending),
            (RunState::Failed, true) => (LinkState::Ok, LinkState::Blocker, LinkState::Pending),
            (RunState::Failed, false) => (LinkState::Blocker, LinkState::Pending, LinkState::Pending),
            (RunState::Lost, true) => (LinkState::Ok, LinkState::Unknown, LinkState::Pending),
            (RunState::Lost, false) => (LinkState::Unknown, LinkState::Pending, LinkState::Pending),
            (RunState::Paused, true) => (LinkState::Ok, LinkState::Paused, LinkState::Pending),
            (RunState::Paused, false) => (LinkState::Paused, LinkState::Pending, LinkState::Pending),
            (RunState::Cancelled, true) => (LinkState::Ok, LinkState::Cancelled, LinkState::Pending),
            (RunState::Cancelled, false) => (LinkState::Cancelled, LinkState::Pending, LinkState::Pending),
        };
        let links = Stage::ALL
            .into_iter()
            .map(|stage| {
                let accepted = record.accepted.iter().any(|code| code.split('.').next() == Some(stage.name()));
                let warned = findings.iter().any(|found| found.stage == stage && found.severity == Severity::Warning);
                let state = match stage {
                    Stage::Auth | Stage::Quota => LinkState::NotNeeded,
                    Stage::Driver if record.device == "cpu" || record.device == "mps" => LinkState::NotNeeded,
                    _ if broken == Some(stage) => LinkState::Blocker,
                    _ if stopped && broken.is_some_and(|broken| stage > broken) => LinkState::Pending,
                    _ if warned => LinkState::Warning,
                    Stage::Start if broken.is_none() || !stopped => start,
                    Stage::Train if broken.is_none() || !stopped => train,
                    Stage::Results if broken.is_none() || !stopped => results,
                    _ if accepted => LinkState::Warning,
                    _ => LinkState::Ok,
                };
                Link { stage, state }
            })
            .collect();
        Self { at_ms: progress.last_ms, links, findings }
    }

    /// What it means for starting, once a person accepted the predicted blockers named in `accepted`.
    /// A blocker wins over an unknown. With `strict`, warnings count as certain blockers.
    #[must_use]
    pub fn verdict(&self, accepted: &[String], strict: bool) -> Verdict {
        let mut verdict = Verdict::Clear;
        for finding in &self.findings {
            let this = match (finding.severity, finding.certainty) {
                (Severity::Blocker, Certainty::Predicted) if accepted.contains(&finding.code) => Verdict::Clear,
                (Severity::Blocker, Certainty::Predicted) => Verdict::AskFirst,
                (Severity::Blocker, Certainty::Certain) => Verdict::Blocked,
                (Severity::Warning, _) if strict => Verdict::Blocked,
                (Severity::Unknown, _) => Verdict::Undecided,
                _ => Verdict::Clear,
            };
            verdict = match (verdict, this) {
                (Verdict::Blocked, _) | (_, Verdict::Blocked) => Verdict::Blocked,
                (Verdict::AskFirst, _) | (_, Verdict::AskFirst) => Verdict::AskFirst,
                (Verdict::Undecided, _) | (_, Verdict::Undecided) => Verdict::Undecided,
                (Verdict::Clear, Verdict::Clear) => Verdict::Clear,
            };
        }
        verdict
    }

    /// What stops a start once a person accepted the predicted blockers named in `accepted`.
    pub fn against(&self, accepted: &[String]) -> impl Iterator<Item = &Finding> {
        let is_accepted =
            move |finding: &Finding| finding.certainty == Certainty::Predicted && accepted.contains(&finding.code);
        self.blockers().filter(move |finding| !is_accepted(finding))
    }

    /// Whether something stops a start, and waiting is all that helps.
    #[must_use]
    pub fn only_waits(&self, accepted: &[String]) -> bool {
        let mut against = self.against(accepted).peekable();
        against.peek().is_some() && against.all(|finding| finding.verb == Some(Verb::Wait))
    }

    /// With its [`Report::verdict`].
    #[must_use]
    pub fn judged(self, accepted: &[String], strict: bool) -> Preflight {
        Preflight { verdict: self.verdict(accepted, strict), report: self }
    }

    /// The findings that stop a start, worst first.
    pub fn blockers(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity == Severity::Blocker)
    }
}
