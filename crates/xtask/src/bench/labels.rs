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
    let told = |more: &[&str]| -> Outcome<serde_json::Value> {
        let mut command = surroundings.command(project, project.release("preflight"));
        command.args(["dataset", "--format", "json"]).args(more).arg(&dataset);
        command.env("PREFLIGHT_HOME", folder.join("home"));
        serde_json::from_str(&output(&mut command)?)
            .map_err(|error| Failure::new(format!("`preflight dataset` did not answer in JSON: {error}")))
    };
    let seconds = |told: &serde_json::Value, part: &str| {
        let took = told[part]["took_ms"].as_f64();
        took.map(|took| took / 1000.0).ok_or_else(|| Failure::new("`preflight dataset` does not say how long it took."))
    };
    let ours = || seconds(&told(&[])?, "timing");
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
    let mut rows = vec![judging];
    rows.extend(again(project, steps, surroundings, &dataset)?);
    let closely = told(&["--deep"])?;
    let took = seconds(&closely, "health")?;
    let bytes = closely["health"]["bytes"].as_f64().unwrap_or_default();
    let images: f64 = IMAGES.parse().map_err(|_| Failure::new("The number of images is none."))?;
    rows.push(Row {
        what: "Looking at it closely",
        value: format!("{:.0} /s", images / took),
        how: format!(
            "images hashed, decoded and compared (`--deep`): {took:.1} s for {IMAGES}, {:.0} MB/s, once",
            bytes / took / 1e6
        ),
    });
    Ok(rows)
}

/// Reading a dataset again after one of its label files changed.
fn again(project: &Project, steps: &Steps, surroundings: &Surroundings, dataset: &Path) -> Outcome<Vec<Row>> {
    let mut build = surroundings.command(project, "cargo");
    build.args(["build", "--locked", "--release", "--package", "preflight-engine", "--example", "rescan"]);
    // The release build's packages, too: alone, its dependencies would have other features and be built once more.
    build.args(["--package", "yolo-preflight", "--package", "preflight-cli"]);
    build.args(["--features", "yolo-preflight/custom-protocol"]);
    steps.command("Reading again", &mut build)?;
    let label = dataset.join("labels/train/000000000001.txt");
    let (mut first, mut again, mut told) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let mut command = surroundings.command(project, project.release("examples/rescan"));
        let said = output(command.arg(dataset).arg(&label))?;
        let took = |what: &str| {
            let took = said.lines().find_map(|line| line.strip_prefix(what)?.trim().parse::<f64>().ok());
            took.ok_or_else(|| Failure::new("`rescan` does not say how long it took."))
        };
        first.push(took("first ")?);
        again.push(took("again ")?);
        told.push(took("told ")?);
    }
    let (first, again, told) = (median(first), median(again), median(told));
    let again_row = Row {
        what: "Reading it again",
        value: format!("{:.1} x", first / again),
        how: format!(
            "as fast as the first time, after one label changed: {again:.2} s, {first:.2} s; medians of {PAIRS}"
        ),
    };
    let told_row = Row {
        what: "Reading what was told",
        value: format!("{:.0} ms", told * 1e3),
        how: format!("after one label changed in folders that are watched; {IMAGES} images, median of {PAIRS}"),
    };
    Ok(vec![again_row, told_row])
}

fn output(command: &mut std::process::Command) -> Outcome<String> {
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let error = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(Failure::new(format!("`{}` ended with {}:\n{error}", steps::shown(command), output.status)))
}
