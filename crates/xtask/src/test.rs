//! Everything the tests need, then all of them; the cheapest first, ended by the first failure.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::steps::{self, Finished, Steps};
use crate::surroundings::Surroundings;
use crate::system::{self, Use};
use crate::tally::{self, Tally};
use crate::{setup, training, ui};

/// A part of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Formatting, clippy, and all Rust tests but the window's
    Rust,
    /// The user interface's types, style and tests
    Ui,
    /// The real window, end to end
    Window,
}

/// The window's tests, as cargo names them.
const WINDOW: &str = "window";
/// Where the real datasets are.
pub(crate) const DATA_VARIABLE: &str = "PREFLIGHT_DATA";
/// What the window's tests see: big enough for the app's window.
const SCREEN: &str = "-screen 0 1400x1000x24 -nolisten tcp";
/// With it the app embeds the built user interface.
const FEATURES: [&str; 2] = ["--features", "yolo-preflight/custom-protocol"];

/// Installs what is missing and runs the tests.
pub(crate) fn test(project: &Project, steps: &mut Steps, only: Option<Part>) -> Outcome {
    let wants = |part| only.is_none_or(|only| only == part);
    setup::tools(project, steps, if only == Some(Part::Ui) { Use::Window } else { Use::Test })?;
    let mut surroundings = Surroundings::hermetic(project)?;
    let before = work_tree(project, &surroundings)?;
    let mut tally = Tally::default();

    if wants(Part::Rust) {
        cargo(project, steps, &surroundings, "Formatting", &["fmt", "--all", "--check"])
            .map_err(|failure| failure.remedy("cargo fmt --all"))?;
    }
    ui::packages(project, steps, &surroundings)?;
    if wants(Part::Ui) {
        tally.add(&ui::test(project, steps, &surroundings)?);
    }
    ui::build(project, steps, &surroundings)?;
    if wants(Part::Rust) {
        let all = ["clippy", "--locked", "--workspace", "--all-targets", FEATURES[0], FEATURES[1]];
        cargo(project, steps, &surroundings, "Clippy", &[&all[..], &["--", "--deny", "warnings"]].concat())?;
    }
    if wants(Part::Rust) || wants(Part::Window) {
        ui::test_packages(project, steps, &surroundings)?;
        let tests = RustTests::new(only);
        tests.build(project, steps, &surroundings)?;
        let python = training::for_tests(project, steps, &surroundings, &project.debug("preflight"))?;
        surroundings.set(training::PYTHON_VARIABLE, python);
        if let Some(data) = data(project) {
            surroundings.set(DATA_VARIABLE, data);
        } else {
            steps.note("Real datasets", &format!("none: {DATA_VARIABLE} does not name their folder"));
        }
        tally.add(&tests.run(project, steps, &surroundings)?);
    }
    if wants(Part::Rust) {
        let doc = ["test", "--locked", "--doc", "--workspace", FEATURES[0], FEATURES[1]];
        let finished = cargo(project, steps, &surroundings, "Examples in the documentation", &doc)?;
        tally.add(&tally::of_cargo_test(&finished.lines));
    }
    if work_tree(project, &surroundings)? != before {
        return Err(
            Failure::new("The tests changed files of the repository.").remedy("look with: git status; git diff")
        );
    }
    surroundings.check_home()?;
    conclude(steps, &tally)
}

/// Cargo as a step.
fn cargo(
    project: &Project,
    steps: &Steps,
    surroundings: &Surroundings,
    title: &str,
    arguments: &[&str],
) -> Outcome<Finished> {
    steps.command(title, surroundings.command(project, "cargo").args(arguments))
}

/// The Rust tests, by nextest where it is installed.
struct RustTests {
    only: Option<Part>,
    nextest: bool,
}

impl RustTests {
    fn new(only: Option<Part>) -> Self {
        Self { only, nextest: system::answers("cargo", &["nextest", "--version"]) }
    }

    fn arguments(&self) -> Vec<&'static str> {
        let mut arguments = if self.nextest { vec!["nextest", "run"] } else { vec!["test"] };
        arguments.extend(["--locked", FEATURES[0], FEATURES[1]]);
        match self.only {
            Some(Part::Window) => arguments.extend(["--package", "yolo-preflight", "--test", WINDOW]),
            _ => arguments.push("--workspace"),
        }
        arguments
    }

    /// Builds the tests, and the programs they start.
    fn build(&self, project: &Project, steps: &Steps, surroundings: &Surroundings) -> Outcome {
        cargo(project, steps, surroundings, "Building the tests", &[&self.arguments()[..], &["--no-run"]].concat())?;
        if self.only == Some(Part::Window) { training::build_cli(project, steps, surroundings) } else { Ok(()) }
    }

    /// Runs them, on a display of their own where that can be had.
    fn run(&self, project: &Project, steps: &Steps, surroundings: &Surroundings) -> Outcome<Tally> {
        let mut arguments = self.arguments();
        // All failures of one go, not the first.
        arguments.push("--no-fail-fast");
        match (self.only, self.nextest) {
            (Some(Part::Rust), true) => arguments.extend(["-E", "not binary(window)"]),
            (Some(Part::Rust), false) => arguments.extend(["--exclude", "yolo-preflight"]),
            _ => {}
        }
        if !self.nextest {
            if self.only != Some(Part::Window) {
                arguments.push("--all-targets");
            }
            arguments.extend(["--", "--show-output"]);
        }
        let mut command = if cfg!(target_os = "linux") {
            let mut command = surroundings.command(project, "xvfb-run");
            command.args(["--auto-servernum", "--server-args", SCREEN, "cargo"]);
            command
        } else {
            surroundings.command(project, "cargo")
        };
        // What a passed test printed tells which tests left something out. A snapshot that differs fails, and stays as
        // it is.
        command.args(&arguments).env("NEXTEST_SUCCESS_OUTPUT", "final").env("INSTA_UPDATE", "no");
        let finished = steps.command("Tests", &mut command)?;
        let tally = if self.nextest { tally::of_nextest } else { tally::of_cargo_test };
        Ok(tally(&finished.lines))
    }
}

/// The folder with real datasets: the person's choice, else beside the repository.
pub(crate) fn data(project: &Project) -> Option<PathBuf> {
    let named = std::env::var_os(DATA_VARIABLE).map(PathBuf::from);
    named.or_else(|| project.root.parent().map(|beside| beside.join("shared/data"))).filter(|folder| folder.is_dir())
}

/// The state of the work tree, by git; nothing where there is no git.
fn work_tree(project: &Project, surroundings: &Surroundings) -> Outcome<String> {
    let status =
        surroundings.command(project, "git").args(["status", "--porcelain", "--untracked-files=all"]).output()?;
    let diff = surroundings.command(project, "git").arg("diff").output()?;
    Ok(String::from_utf8_lossy(&[status.stdout, diff.stdout].concat()).into_owned())
}

fn conclude(steps: &Steps, tally: &Tally) -> Outcome {
    steps::line(&format!("\nAll done in {}.", steps::duration(steps.elapsed())));
    for reason in &tally.skipped_because {
        steps::line(&format!("  skipped: {reason}"));
    }
    steps::result(&tally.to_string());
    if tally.passed == 0 {
        return Err(Failure::new("No test was run."));
    }
    Ok(())
}
