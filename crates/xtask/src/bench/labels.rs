//! Judging a dataset: `preflight dataset`, and the trainer's own scan before its first training.

use std::path::Path;
use std::process::Stdio;

use super::{Row, median};
use crate::failure::{At, Failure, Outcome};
use crate::project::Project;
use crate::steps::{self, Steps};
use crate::surroundings::Surroundings;

const IMAGES: &str = "20000";
/// Both sides are measured in turn; the machine's mood changes.
const PAIRS: usize = 3;
const STEP: &str = "Judging a dataset";

pub(super) fn measure(
    project: &Project,
    steps: &Steps,
    surroundings: &Surroundings,
    python: &Path,
) -> Outcome<Vec<Row>> {
    let folder = project.work.join("bench-labels");
    std::fs::create_dir_all(&folder).at(&folder)?;
    let script = folder.join("labels.py");
    std::fs::write(&script, include_str!("labels.py")).at(&script)?;
    let dataset = folder.join("dataset");
    let drawn = dataset.join("data.yaml");
    let trainer = |what: &str| {
        let mut command = surroundings.command(project, python);
        command.arg(&script).arg(what).arg(&dataset).current_dir(&folder);
        command.env("YOLO_CONFIG_DIR", &folder).env("MPLCONFIGDIR", &folder).env("YOLO_OFFLINE", "true");
        command
    };
    if !drawn.is_file() {
        output(trainer("draw").arg(IMAGES))?;
        steps.note(STEP, &format!("{IMAGES} images drawn into {}", dataset.display()));
    }
    let ours = || -> Outcome<f64> {
        let mut command = surroundings.command(project, project.release("preflight"));
        command.args(["dataset", "--format", "json"]).arg(&dataset).env("PREFLIGHT_HOME", folder.join("home"));
        let told: serde_json::Value = serde_json::from_str(&output(&mut command)?)
            .map_err(|error| Failure::new(format!("`preflight dataset` did not answer in JSON: {error}")))?;
        let took = told["timing"]["took_ms"].as_f64();
        took.map(|took| took / 1000.0).ok_or_else(|| Failure::new("`preflight dataset` does not say how long it took."))
    };
    let theirs = || -> Outcome<f64> {
        let said = output(&mut trainer("scan"))?;
        let took = said.lines().find_map(|line| line.strip_prefix("took ")?.trim().parse().ok());
        took.ok_or_else(|| Failure::new("Ultralytics' scan does not say how long it took."))
    };
    // Once each for the page cache, then in turn.
    ours()?;
    theirs()?;
    let (mut our_times, mut their_times) = (Vec::new(), Vec::new());
    for pair in 1..=PAIRS {
        our_times.push(ours()?);
        their_times.push(theirs()?);
        steps.note(STEP, &format!("{pair} of {PAIRS} pairs measured"));
    }
    let (ours, theirs) = (median(our_times), median(their_times));
    let judging = Row {
        what: "Judging a dataset",
        value: format!("{:.1} x", theirs / ours),
        how: format!(
            "as fast as Ultralytics' label scan: {ours:.2} s, {theirs:.2} s; {IMAGES} JPEGs, warm, medians of {PAIRS}"
        ),
    };
    Ok(vec![judging, again(project, steps, surroundings, &dataset)?])
}

/// Reading a dataset again after one of its label files changed.
fn again(project: &Project, steps: &Steps, surroundings: &Surroundings, dataset: &Path) -> Outcome<Row> {
    let mut build = surroundings.command(project, "cargo");
    build.args(["build", "--locked", "--release", "--package", "preflight-engine", "--example", "rescan"]);
    steps.command("Reading again", &mut build)?;
    let label = dataset.join("labels/train/000000000001.txt");
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let mut command = surroundings.command(project, project.release("examples/rescan"));
        let said = output(command.arg(dataset).arg(&label))?;
        let took = |what: &str| {
            let took = said.lines().find_map(|line| line.strip_prefix(what)?.trim().parse::<f64>().ok());
            took.ok_or_else(|| Failure::new("`rescan` does not say how long it took."))
        };
        first.push(took("first ")?);
        again.push(took("again ")?);
    }
    let (first, again) = (median(first), median(again));
    Ok(Row {
        what: "Reading it again",
        value: format!("{:.1} x", first / again),
        how: format!(
            "as fast as the first time, after one label changed: {again:.2} s, {first:.2} s; medians of {PAIRS}"
        ),
    })
}

fn output(command: &mut std::process::Command) -> Outcome<String> {
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let error = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(Failure::new(format!("`{}` ended with {}:\n{error}", steps::shown(command), output.status)))
}
