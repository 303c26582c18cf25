//! A person's account on a platform: the token that opens it, and the budget that is left.
//!
//! Everything here is decided from what was seen: a [`Look`] comes in, findings of the stages `auth` and `quota` go out.
//! What could not be seen is unknown, never zero.

mod amount;
mod auth;
mod claims;
mod connector;
mod finish;
mod look;
mod quota;
mod refusal;

#[cfg(test)]
mod tests;

pub use amount::Amount;
pub use claims::{Claims, Token, TokenFault};
pub use connector::{Auth, Connector, EXAMPLES, Prices, SignIn, Style, Unit};
pub use finish::{Cheaper, Finish, Need};
pub use look::{Answer, Body, Look, Portrait, Reply, Source, TokenSeen, TokenState, Trouble};
pub use quota::{Level, LevelState, Quota, Unread};

use crate::finding::Finding;

/// GPU hours below which a person is warned, unless they set something else.
pub const THRESHOLD: &str = "1.0";

/// What there is to say about an account: sign-in first, then the budget. `need`: what the plan takes; `None`: there is no
/// plan, and the threshold decides.
#[must_use]
pub fn judge(look: &Look, connector: &Connector, need: Option<&Need>, threshold: Amount) -> Vec<Finding> {
    let mut findings = auth::judge(look, connector, need);
    findings.extend(quota::judge(look, connector, need, threshold));
    findings
}
