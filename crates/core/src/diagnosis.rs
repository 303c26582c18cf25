//! What ended a training, and the lines that prove it.
//!
//! [`Scan`] takes in a log of any length and any encoding, piece by piece, and what is known besides it.
//! [`Scan::diagnose`] answers what it means so far: a cause with its evidence, that nothing is wrong, or that the cause
//! was not found. Without evidence there is no cause.
//!
//! What is recognised is in `crates/core/diagnosis`, one file a cause. Adding one is described in
//! `docs/guide/diagnosis.md`.

mod compare;
mod judge;
mod known;
mod lines;
mod mending;
mod numbers;
mod of_run;
mod pattern;
mod rule;
mod rules;
mod scan;
mod wordy;

use serde::{Deserialize, Serialize};

pub use self::compare::{Difference, differences, of_plans};
pub use self::known::Known;
pub use self::mending::Fix;
pub use self::of_run::{Circumstances, Earlier, RunDiagnosis};
pub use self::rules::edition;
pub use self::scan::{Quote, Scan, Source};
use crate::finding::{Finding, Stage};
use crate::report::Report;
use crate::text::Message;

/// What a diagnosis says.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// What ended the training.
    pub cause: Cause,
    /// How sure that is.
    pub confidence: Confidence,
    /// The same with its words, its evidence and what mends it.
    pub finding: Finding,
    /// The evidence, to the byte.
    pub quotes: Vec<Quote>,
    /// What else it could be, likeliest first.
    pub others: Vec<Other>,
}

/// What else it could be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Other {
    /// As [`Cause::Found`] has it.
    pub cause: String,
    /// What a person reads.
    pub title: Message,
    /// Its explanation.
    pub detail: Message,
}

/// What ended a training.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// The second half of its finding's code: `cuda-oom`.
    Found(String),
    /// It goes well, whatever it warned of.
    None,
    /// What was seen does not tell.
    Unknown,
}

impl Cause {
    /// What a finding is about.
    fn of(finding: &Finding) -> Self {
        let (_, what) = finding.code.split_once('.').unwrap_or_default();
        Self::Found(what.to_owned())
    }

    /// The name used in tables: `cuda_oom`, `none`, `unknown`.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Found(cause) => cause.replace('-', "_"),
            Self::None => "none".to_owned(),
            Self::Unknown => "unknown".to_owned(),
        }
    }
}

/// How sure a cause is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// What was seen means nothing else.
    Certain,
    /// It mostly means this.
    Likely,
    /// It may mean this.
    Possible,
}

impl Diagnosis {
    /// Of a whole log, with what is known besides.
    #[must_use]
    pub fn of(log: &[u8], context: &str) -> Self {
        let mut scan = Scan::new();
        scan.feed(log);
        scan.settle();
        scan.know(context);
        scan.diagnose()
    }

    /// The link that is broken.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.finding.stage
    }

    /// As a report of the chain: links before the broken one are not known to be fine, so they stay open.
    #[must_use]
    pub fn report(&self, at_ms: u64) -> Report {
        Report::new(at_ms, vec![self.finding.clone()], &[])
    }
}

#[cfg(test)]
mod tests;
