//! `cargo xtask setup | run | test | bench | memory | dist`: everything that is done to the project, with nothing but Rust
//! and Node there to begin with.

mod bench;
mod dist;
mod failure;
mod memory;
mod project;
mod run;
mod setup;
mod stamp;
mod steps;
mod surroundings;
mod system;
mod tally;
mod test;
mod training;
mod ui;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::project::Project;
use crate::steps::Steps;

#[derive(Parser)]
#[command(bin_name = "cargo xtask", about = "Prepares, runs, tests, measures and packs YOLO Preflight")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Installs what building, running and testing need
    Setup,
    /// Builds everything and opens the app; without a display does the app's main job here
    Run {
        /// Draw the sample dataset, check, train and report in this terminal
        #[arg(long)]
        headless: bool,
    },
    /// Everything the tests need, then all of them
    Test {
        /// One part only
        #[arg(long, value_enum)]
        only: Option<test::Part>,
    },
    /// Measures start, memory, size, judging a dataset, and the way to the first training step
    Bench {
        /// One part only
        #[arg(long, value_enum)]
        only: Option<bench::Part>,
    },
    /// Makes the table of what models hold in memory anew; half an hour
    Memory,
    /// Builds packages that a person installs
    Dist,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let project = match Project::here() {
        Ok(project) => project,
        Err(failure) => {
            steps::tell_failure(&failure);
            return ExitCode::FAILURE;
        }
    };
    let mut steps = Steps::new(&project);
    let outcome = match arguments.task {
        Task::Setup => setup::setup(&project, &mut steps),
        Task::Run { headless } => run::run(&project, &mut steps, headless),
        Task::Test { only } => test::test(&project, &mut steps, only),
        Task::Bench { only } => bench::bench(&project, &mut steps, only),
        Task::Memory => memory::memory(&project, &mut steps),
        Task::Dist => dist::dist(&project, &mut steps),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            steps::tell_failure(&failure);
            ExitCode::FAILURE
        }
    }
}
