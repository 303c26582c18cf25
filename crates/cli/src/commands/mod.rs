//! One file a command.

mod check;
mod confirm;
mod control;
mod dataset;
mod diagnose;
mod doctor;
mod env;
mod export;
mod follow;
mod gpu;
mod history;
mod login;
mod outcome;
mod plan;
mod quota;
mod run;
mod runs;
mod sample;
mod token;
mod trial;
mod try_model;
mod vram;
mod wait;
mod weights;

use crate::arguments::Command;
use crate::context::Context;
use crate::exit::Outcome;

/// Does what was typed.
pub(crate) async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Sample(arguments) => sample::sample(context, arguments).await,
        Command::Dataset(arguments) => dataset::dataset(context, arguments).await,
        Command::Diagnose(arguments) => diagnose::diagnose(context, arguments).await,
        Command::Plan(arguments) => plan::plan(context, arguments),
        Command::Check(arguments) => check::check(context, &arguments).await,
        Command::Trial(arguments) => trial::trial(context, &arguments).await,
        Command::Run(arguments) => run::run(context, &arguments).await,
        Command::Runs(command) => runs::runs(context, command).await,
        Command::Env(command) => env::env(context, command).await,
        Command::Weights(command) => weights::weights(context, command).await,
        Command::Gpu(arguments) => gpu::gpu(context, &arguments).await,
        Command::Doctor(arguments) => doctor::doctor(context, &arguments).await,
        Command::Login(arguments) => login::login(context, arguments).await,
        Command::Logout(arguments) => login::logout(context, &arguments).await,
        Command::Token(command) => token::token(context, &command),
        Command::Quota(arguments) => quota::quota(context, &arguments).await,
        Command::Vram(arguments) => vram::vram(context, arguments).await,
    }
}
