//! What the window may call, by area. Each command is a few lines over the engine.

pub(crate) mod app;
pub(crate) mod dataset;
pub(crate) mod environment;
pub(crate) mod history;
pub(crate) mod log;
pub(crate) mod machine;
pub(crate) mod open;
pub(crate) mod plan;
pub(crate) mod results;
pub(crate) mod run;
pub(crate) mod watch;
pub(crate) mod weights;

mod dialog;
