//! From start to the first training step: through `preflight run`, and with Ultralytics alone.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use super::{Row, median};
use crate::failure::{At, Failure, Outcome};
use crate::project::Project;
use crate::steps::{self, Steps};
use crate::surroundings::Surroundings;

/// Pairs of measurements; the machine's mood changes, so both are taken in turn.
const PAIRS: usize = 3;

pub(super) fn measure(project: &Project, steps: &Steps, surroundings: &Surroundings, python: &Path) -> Outcome<Row> {
    let mut ours = Vec::new();
    let mut plain = Vec::new();
    for pair in 1..=PAIRS {
        ours.push(through_preflight(project, surroundings, python)?);
        plain.push(ultralytics_alone(project, surroundings, python)?);
        steps.note("First training step", &format!("{pair} of {PAIRS} pairs measured"));
    }
    let (ours, plain) = (median(ours), median(plain));
    Ok(Row {
        what: "Start to first step",
        value: format!("{:.2} x", ours / plain),
        how: format!("{ours:.1} s, Ultralytics alone {plain:.1} s; sample dataset, CPU, medians of {PAIRS}"),
    })
}

fn through_preflight(project: &Project, surroundings: &Surroundings, python: &Path) -> Outcome<f64> {
    let folder = fresh(project, "bench-preflight")?;
    let dataset = sample(project, surroundings, &folder)?;
    let plan = folder.join("plan.toml");
    let preflight = |arguments: &[&std::ffi::OsStr]| {
        let mut command = surroundings.command(project, project.release("preflight"));
        command.args(arguments).env("PREFLIGHT_HOME", folder.join("home"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let mut write = preflight(&["plan".as_ref(), "--dataset".as_ref(), dataset.as_ref()]);
    write.args(["--weights", "scratch", "--imgsz", "160", "--batch", "8", "--epochs", "1", "--device", "cpu"]);
    write.arg("--python").arg(python).arg("--output").arg(&plan);
    succeed(write)?;
    let began = SystemTime::now();
    succeed(preflight(&["run".as_ref(), plan.as_ref(), "--follow".as_ref()]))?;
    first_batch(&folder.join("home/runs"), began)
}

/// Seconds from `began` to the first step that the only run here tells of.
fn first_batch(runs: &Path, began: SystemTime) -> Outcome<f64> {
    let run = std::fs::read_dir(runs).at(runs)?.flatten().next().map(|entry| entry.path());
    let events = run.ok_or_else(|| Failure::new("`preflight run` left no run."))?.join("events.jsonl");
    let text = std::fs::read_to_string(&events).at(&events)?;
    let batch = text.lines().find_map(|line| {
        let event: serde_json::Value = serde_json::from_str(line).ok()?;
        (event["event"]["said"]["event"] == "batch").then(|| event["at_ms"].as_f64())?
    });
    let at = batch.ok_or_else(|| Failure::new(format!("{} tells of no training step.", events.display())))?;
    let began = began.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
    Ok(at / 1000.0 - began)
}

fn ultralytics_alone(project: &Project, surroundings: &Surroundings, python: &Path) -> Outcome<f64> {
    let folder = fresh(project, "bench-plain")?;
    let dataset = sample(project, surroundings, &folder)?;
    let script = folder.join("plain.py");
    std::fs::write(&script, include_str!("plain.py")).at(&script)?;
    let config = folder.join("config");
    // Without look-ups in the network on either side: what is compared is the work.
    copy_fonts(&project.work.join("bench-preflight/home/trainer"), &config.join("Ultralytics"))?;
    let began = Instant::now();
    let mut child = surroundings
        .command(project, python)
        .arg(&script)
        .arg(dataset.join("data.yaml"))
        .arg(folder.join("runs"))
        .env("YOLO_CONFIG_DIR", &config)
        .env("MPLCONFIGDIR", &config)
        .env("YOLO_OFFLINE", "true")
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let output = child.stdout.take().map(BufReader::new);
    let seen =
        output.into_iter().flat_map(BufRead::lines).map_while(Result::ok).any(|line| line.contains("first batch"));
    let took = began.elapsed().as_secs_f64();
    child.wait()?;
    if seen { Ok(took) } else { Err(Failure::new("Ultralytics alone ended before its first step.")) }
}

/// The fonts that our trainer was given, so that Ultralytics alone looks for none either.
fn copy_fonts(from: &Path, to: &Path) -> Outcome {
    std::fs::create_dir_all(to).at(to)?;
    let mut folders = vec![from.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).at(&folder)? {
            let path = entry.at(&folder)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ttf") {
                let copy = to.join(path.file_name().unwrap_or_default());
                std::fs::copy(&path, &copy).at(&copy)?;
            }
        }
    }
    Ok(())
}

pub(super) fn sample(project: &Project, surroundings: &Surroundings, folder: &Path) -> Outcome<std::path::PathBuf> {
    let dataset = folder.join("dataset");
    let mut command = surroundings.command(project, project.release("preflight"));
    command.arg("sample").arg(&dataset).env("PREFLIGHT_HOME", folder.join("home"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    succeed(command).map(|()| dataset)
}

pub(super) fn succeed(mut command: std::process::Command) -> Outcome {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let error = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(Failure::new(format!("`{}` ended with {}:\n{error}", steps::shown(&command), output.status)))
}

pub(super) fn fresh(project: &Project, name: &str) -> Outcome<std::path::PathBuf> {
    let folder = project.work.join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).at(&folder)?;
    }
    std::fs::create_dir_all(&folder).at(&folder)?;
    Ok(folder)
}
