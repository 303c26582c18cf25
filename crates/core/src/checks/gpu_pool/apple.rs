//! Apple's own GPU, on which torch computes through Metal (MPS).

use super::use_processor;
use crate::facts::{Fact, Facts};
use crate::finding::{Evidence, Finding, Stage, Verb};

const STAGE: Stage = Stage::GpuPool;

/// Whether it is there. It has no memory of its own, and nobody tells who else computes on it.
pub(super) fn check(facts: &Facts) -> Finding {
    let computer = match &facts.computer {
        Fact::Known(computer) => computer,
        Fact::Unknown(reason) => return Finding::unknown(STAGE, "unknown", reason).remedy(use_processor()),
    };
    let finding = if computer.apple_gpu {
        Finding::ok(STAGE, "apple-gpu")
    } else {
        Finding::blocker(STAGE, "no-apple-gpu", Verb::Change).remedy(use_processor())
    };
    finding.seen(Evidence::value("fact-processor", format!("{} × {}", computer.cores, computer.cpu)))
}
