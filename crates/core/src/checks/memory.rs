//! Whether there is memory enough.

use crate::facts::Facts;
use crate::finding::Finding;
use crate::plan::Plan;

pub(super) fn check(_facts: &Facts, _plan: &Plan) -> Vec<Finding> {
    Vec::new()
}
