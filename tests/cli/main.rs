//! The command line, as a person or a script meets it: the real binary, its exit codes, stdout and stderr.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(clippy::print_stdout, reason = "a skipped test says so")]

mod check;
mod dataset;
mod environment;
mod gpu;
mod plan;
mod plates;
mod results;
mod run;
mod sample;
mod usage;
mod vram;
mod weights;
mod world;
