//! What building, running and testing need.

use std::process::Command;

use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::steps::Steps;
use crate::surroundings::Surroundings;
use crate::system::{self, Use};
use crate::{training, ui};

/// The oldest Node the user interface is built with.
const NODE: u32 = 20;

/// Everything for building, running and testing.
pub(crate) fn setup(project: &Project, steps: &mut Steps) -> Outcome {
    tools(project, steps, Use::Test)?;
    ui::packages(project, steps, &Surroundings::own())?;
    ui::test_packages(project, steps, &Surroundings::own())?;
    training::build_cli(project, steps, &Surroundings::own())?;
    training::for_tests(project, steps, &Surroundings::own(), &project.debug("preflight")).map(drop)
}

/// System packages, and the tools that a person brings: Node, and for tests Rust's own checks.
pub(crate) fn tools(project: &Project, steps: &Steps, used: Use) -> Outcome {
    if used >= Use::Window {
        node()?;
    }
    if used == Use::Test {
        component("rustfmt", "fmt")?;
        component("clippy", "clippy")?;
    }
    system::packages(project, steps, used)
}

fn node() -> Outcome {
    let remedy = format!("install Node.js {NODE} or newer with npm: https://nodejs.org/en/download");
    let output = Command::new("node").arg("--version").output();
    let version = output.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    match major {
        None => Err(Failure::new("Node.js is not installed, or `node` is not on the PATH.").remedy(remedy)),
        Some(major) if major < NODE => {
            Err(Failure::new(format!("Node.js {} is too old; the user interface needs {NODE}.", version.trim()))
                .remedy(remedy))
        }
        Some(_) if !system::answers(ui::NPM, &["--version"]) => {
            Err(Failure::new("npm is not installed, or not on the PATH.").remedy(remedy))
        }
        Some(_) => Ok(()),
    }
}

fn component(name: &str, subcommand: &str) -> Outcome {
    if system::answers("cargo", &[subcommand, "--version"]) {
        return Ok(());
    }
    Err(Failure::new(format!("Rust's `{name}` is not installed.")).remedy(format!("rustup component add {name}")))
}
