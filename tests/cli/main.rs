//! The command line, as a person or a script meets it: the real binary, its exit codes, stdout and stderr.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(clippy::print_stdout, reason = "a skipped test says so")]

#[cfg(unix)]
mod account;
mod causes;
mod check;
#[cfg(unix)]
mod control;
mod dataset;
mod diagnose;
mod environment;
mod gpu;
mod plan;
mod plates;
mod reports;
mod results;
mod run;
mod sample;
#[cfg(unix)]
mod stand_in;
mod trial;
mod usage;
mod vram;
#[cfg(unix)]
mod wait;
mod weights;
mod world;
