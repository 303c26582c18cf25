//! NVIDIA cards, through NVML.

use preflight_core::facts::Fact;
use preflight_core::machine::Gpus;

/// Observes driver and cards. Blocks; a hung driver can block for long, so callers put a time-out around it.
#[must_use]
pub fn observe() -> Fact<Gpus> {
    Fact::unknown("reason-not-observed")
}
