//! What decides. Everything here is pure: facts and time come in as values, findings go out as values.
//!
//! No file system, no network, no clock, no async runtime: a rule that lives here is tested without a GPU.
//!
//! | word | here |
//! |---|---|
//! | account | [`account`]: a token and a budget on a platform, and what they allow |
//! | plan | [`plan::Plan`]: what a person chose |
//! | fact | [`facts::Fact`]: one observed thing, or why it could not be observed |
//! | check | a function in [`checks`]: `(&Facts, &Plan) -> Vec<Finding>` |
//! | finding | [`finding::Finding`]: stage, code, severity, evidence, remedies |
//! | diagnosis | [`diagnosis`]: what ended a training, and the lines that prove it |
//! | report | [`report::Report`]: all findings of one pass over the chain |
//! | run | [`run`]: a launched plan, its events and its state |

pub mod account;
pub mod checks;
pub mod command;
pub mod dataset;
pub mod diagnosis;
pub mod duration;
pub mod environment;
pub mod experience;
pub mod facts;
pub mod finding;
pub mod forecast;
mod format;
pub mod machine;
pub mod memory;
pub mod models;
pub mod plan;
pub mod problem;
pub mod redact;
pub mod report;
pub mod results;
pub mod run;
pub mod secret;
pub mod text;
pub mod weights;
