//! One file a command.

mod check;
mod confirm;
mod control;
mod dataset;
mod env;
mod export;
mod follow;
mod gpu;
mod history;
mod outcome;
mod plan;
mod run;
mod runs;
mod sample;
mod try_model;
mod vram;
mod weights;

use crate::arguments::Command;
use crate::context::Context;
use crate::exit::Outcome;

/// Does what was typed.
pub(crate) async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Sample(arguments) => sample::sample(context, arguments).await,
        Command::Dataset(arguments) => dataset::dataset(context, arguments).await,
        Command::Plan(arguments) => plan::plan(context, arguments),
        Command::Check(arguments) => check::check(context, &arguments).await,
        Command::Run(arguments) => run::run(context, &arguments).await,
        Command::Runs(command) => runs::runs(context, command).await,
        Command::Env(command) => env::env(context, command).await,
        Command::Weights(command) => weights::weights(context, command).await,
        Command::Gpu => gpu::gpu(context).await,
        Command::Vram(arguments) => vram::vram(context, arguments).await,
    }
}
