//! The user interface: packages, build, checks.

use std::process::Command;

use crate::failure::{At, Failure, Outcome};
use crate::project::Project;
use crate::stamp;
use crate::steps::Steps;
use crate::surroundings::Surroundings;
use crate::tally::{self, Tally};

/// npm, as the system starts it.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// What the built user interface is made of.
const SOURCES: [&str; 2] = ["ui", "locales"];

fn npm(project: &Project, surroundings: &Surroundings, arguments: &[&str]) -> Command {
    let mut command = surroundings.command(project, NPM);
    command.current_dir(project.ui()).args(arguments);
    command
}

/// Installs the packages that the user interface's lock file names, when it changed.
pub(crate) fn packages(project: &Project, steps: &Steps, surroundings: &Surroundings) -> Outcome {
    locked(project, steps, surroundings, "npm packages", "ui", "npm")
}

/// The same of the platform that tests sign in to.
pub(crate) fn test_packages(project: &Project, steps: &Steps, surroundings: &Surroundings) -> Outcome {
    locked(project, steps, surroundings, "npm packages for tests", "tests/oidc", "npm-oidc")
}

fn locked(
    project: &Project,
    steps: &Steps,
    surroundings: &Surroundings,
    step: &'static str,
    folder: &str,
    stamp: &str,
) -> Outcome {
    let [package, lock] = ["package.json", "package-lock.json"].map(|file| format!("{folder}/{file}"));
    let hash = stamp::hash(&project.root, &[&package, &lock])?;
    let place = project.root.join(folder);
    if place.join("node_modules/.package-lock.json").exists() && stamp::is_fresh(project, stamp, &hash) {
        steps.note(step, "as locked");
        return Ok(());
    }
    let mut command = npm(project, surroundings, &["ci", "--no-audit", "--no-fund"]);
    command.current_dir(place);
    steps.command(step, &mut command).map_err(|failure| {
        failure.remedy("look at the registry and proxy that `npm config list` shows, then run this again")
    })?;
    stamp::write(project, stamp, &hash)
}

/// Builds what the app embeds, when its sources changed.
pub(crate) fn build(project: &Project, steps: &Steps, surroundings: &Surroundings) -> Outcome {
    const STEP: &str = "User interface";
    let hash = stamp::hash(&project.root, &SOURCES)?;
    if project.ui().join("dist/index.html").exists() && stamp::is_fresh(project, "ui", &hash) {
        steps.note(STEP, "up to date");
        return Ok(());
    }
    steps.command(STEP, &mut npm(project, surroundings, &["run", "build"]))?;
    stamp::write(project, "ui", &hash)
}

/// A script of the user interface's `package.json`.
fn script(project: &Project, surroundings: &Surroundings, name: &str, arguments: &[&str]) -> Command {
    let mut command = npm(project, surroundings, &["run", name, "--"]);
    command.args(arguments);
    command
}

/// Types, style, tests.
pub(crate) fn test(project: &Project, steps: &Steps, surroundings: &Surroundings) -> Outcome<Tally> {
    steps.command("User interface: types", &mut script(project, surroundings, "check", &[]))?;
    steps
        .command("User interface: style", &mut script(project, surroundings, "lint", &[]))
        .map_err(|failure| failure.remedy("npm --prefix ui run format"))?;
    let report = project.work.join("vitest.json");
    let to = format!("--outputFile.json={}", report.display());
    let arguments = ["--reporter=default", "--reporter=json", &to];
    steps.command("User interface: tests", &mut script(project, surroundings, "test", &arguments))?;
    let content = std::fs::read_to_string(&report).at(&report)?;
    let content = serde_json::from_str(&content)
        .map_err(|error| Failure::new(format!("{} is not JSON: {error}", report.display())))?;
    Ok(tally::of_vitest(&content))
}
