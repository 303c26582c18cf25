//! Where first weights are.

use preflight_core::facts::{Fact, WeightsState};
use preflight_core::plan::Plan;

use crate::dirs::Dirs;

/// Looks for the plan's first weights, without loading them.
#[must_use]
pub fn locate(_dirs: &Dirs, _plan: &Plan) -> Fact<WeightsState> {
    Fact::unknown("reason-not-observed")
}
