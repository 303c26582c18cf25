//! The Python environment that trains, made by the project's own command line.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::stamp;
use crate::steps::Steps;
use crate::surroundings::Surroundings;
use crate::system;

/// The recipe that tests use: torch without its CUDA libraries, from PyPI alone.
const RECIPE: &str = "tests/environment";
/// Names a file with another recipe than the one that fits this computer.
const RECIPE_VARIABLE: &str = "PREFLIGHT_ENVIRONMENT_RECIPE";
/// Names the Python that tests train with.
pub(crate) const PYTHON_VARIABLE: &str = "PREFLIGHT_TEST_PYTHON";

/// Builds the command line.
pub(crate) fn build_cli(project: &Project, steps: &Steps, surroundings: &Surroundings) -> Outcome {
    let mut command = surroundings.command(project, "cargo");
    command.args(["build", "--locked", "--package", "preflight-cli"]);
    steps.command("Command line", &mut command).map(drop)
}

/// The app's own environment; makes it when there is none that works.
pub(crate) fn own(project: &Project, steps: &Steps, surroundings: &Surroundings) -> Outcome {
    const STEP: &str = "Training environment";
    if ready(project, surroundings)?.is_some() {
        steps.note(STEP, "works");
        return Ok(());
    }
    let mut create = surroundings.command(project, project.debug("preflight"));
    create.args(["env", "create", "--yes"]);
    if !has_nvidia_gpu() {
        create.env(RECIPE_VARIABLE, project.root.join(RECIPE).join("cpu.toml"));
    }
    steps.command(STEP, &mut create).map(drop).map_err(mirrors)
}

/// The environment that tests train with: the person's choice, else one of the project's own, made anew when its
/// recipe changed. `preflight` is the command line that makes it.
pub(crate) fn for_tests(
    project: &Project,
    steps: &Steps,
    surroundings: &Surroundings,
    preflight: &Path,
) -> Outcome<PathBuf> {
    const STEP: &str = "Test environment";
    if let Some(python) = std::env::var_os(PYTHON_VARIABLE) {
        steps.note(STEP, &format!("{} ({PYTHON_VARIABLE})", python.display()));
        return Ok(python.into());
    }
    let hash = stamp::hash(&project.root, &[RECIPE])?;
    let home = project.work.join("environment");
    let command = |arguments: &[&str]| {
        let mut command = surroundings.command(project, preflight);
        command.args(arguments).env("PREFLIGHT_HOME", &home);
        command.env(RECIPE_VARIABLE, project.root.join(RECIPE).join("cpu.toml"));
        command
    };
    if stamp::is_fresh(project, "environment", &hash)
        && let Some(python) = find(command(&["env", "list", "--format", "json"]))?
    {
        steps.note(STEP, "works");
        return Ok(python);
    }
    steps.command(STEP, &mut command(&["env", "create", "--yes"])).map_err(mirrors)?;
    let python = find(command(&["env", "list", "--format", "json"]))?
        .ok_or_else(|| Failure::new("The test environment was made, but `preflight env list` does not show it."))?;
    stamp::write(project, "environment", &hash)?;
    Ok(python)
}

fn mirrors(failure: Failure) -> Failure {
    failure.remedy("behind a proxy or a mirror, see docs/guide/environment.md; then run this again")
}

fn ready(project: &Project, surroundings: &Surroundings) -> Outcome<Option<PathBuf>> {
    let mut list = surroundings.command(project, project.debug("preflight"));
    list.args(["env", "list", "--format", "json"]);
    find(list)
}

/// The Python of the environment the app made, when it works.
fn find(mut list: std::process::Command) -> Outcome<Option<PathBuf>> {
    let output = list.output()?;
    let environments: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|error| {
        Failure::new(format!(
            "`preflight env list` did not answer in JSON ({error}):\n{}",
            String::from_utf8_lossy(&output.stderr).trim()
        ))
    })?;
    let ready = environments
        .as_array()
        .into_iter()
        .flatten()
        .find(|environment| environment["state"] == "ready" && environment["environment"]["managed"] == true);
    Ok(ready.and_then(|environment| environment["environment"]["python"].as_str()).map(PathBuf::from))
}

fn has_nvidia_gpu() -> bool {
    system::answers("nvidia-smi", &["-L"])
}
