//! Processor, memory, system and disks.

use std::path::Path;

use preflight_core::facts::Fact;
use preflight_core::machine::{Computer, Volume};

/// Observes processor, memory and system. Blocks for some milliseconds.
#[must_use]
pub fn observe() -> Fact<Computer> {
    Fact::unknown("reason-not-observed")
}

/// Observes the volume of a folder (or of its nearest existing ancestor) and tries to write there.
#[must_use]
pub fn volume(_folder: &Path) -> Fact<Volume> {
    Fact::unknown("reason-not-observed")
}
