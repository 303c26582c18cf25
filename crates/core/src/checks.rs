//! What each link of the chain must show. One file a stage; every check is `(&Facts, &Plan) -> Vec<Finding>`.

use crate::facts::Facts;
use crate::finding::Finding;
use crate::plan::Plan;

/// A check.
pub type Check = fn(&Facts, &Plan) -> Vec<Finding>;

/// Every check, in the order of the chain.
pub const ALL: &[Check] = &[];

/// Looks at the whole chain.
#[must_use]
pub fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    ALL.iter().flat_map(|check| check(facts, plan)).collect()
}
