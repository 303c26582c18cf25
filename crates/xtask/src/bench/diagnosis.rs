//! How right a diagnosis is, on public reports of failed trainings, and how quickly a long log is read.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::{Row, median};
use crate::failure::{At, Failure, Outcome};
use crate::project::Project;
use crate::steps::{self, Steps};
use crate::surroundings::Surroundings;
use crate::test;

/// The log whose reading is timed, in bytes.
const LONG: usize = 1 << 30;
/// It is written in blocks of about this size.
const BLOCK: usize = 1 << 20;
/// Tries, of which the middle one counts.
const TRIES: usize = 3;

/// The scorer's lines, where there are reports, and how quickly a long log is read.
pub(super) fn measure(
    project: &Project,
    steps: &Steps,
    surroundings: &Surroundings,
    python: &Path,
) -> Outcome<Vec<Row>> {
    match test::data(project).map(|data| data.join("failures/reports.jsonl")).filter(|path| path.is_file()) {
        Some(reports) => score(project, steps, surroundings, python, &reports)?,
        None => steps.note("Diagnosis", &format!("skipped: {} does not name the data", test::DATA_VARIABLE)),
    }
    let mut rates = Vec::new();
    let mut held = 0;
    for _ in 0..TRIES {
        let (seconds, most) = read(project, surroundings)?;
        #[expect(clippy::cast_precision_loss, reason = "a thousand million")]
        rates.push(LONG as f64 / seconds / 1e6);
        held = held.max(most);
    }
    let memory = if held > 0 { format!("; at most {} held", super::mib(held)) } else { String::new() };
    Ok(vec![Row {
        what: "Diagnosis of a long log",
        value: format!("{:.0} MB/s", median(rates)),
        how: format!("1 GiB of a training that fails at its end, piped in; median of {TRIES}{memory}"),
    }])
}

/// The diagnoser sees log and context of a report, never its answer.
fn score(project: &Project, steps: &Steps, surroundings: &Surroundings, python: &Path, reports: &Path) -> Outcome {
    let folder = project.work.join("bench-diagnosis");
    std::fs::create_dir_all(&folder).at(&folder)?;
    let scorer = folder.join("score_failures.py");
    std::fs::write(&scorer, include_str!("score_failures.py")).at(&scorer)?;
    let (rows, answers, scores) = (folder.join("rows.jsonl"), folder.join("answers.jsonl"), folder.join("scores.txt"));
    let mut strip = surroundings.command(project, python);
    answer(strip.arg(&scorer).arg("--strip").arg(reports), &rows)?;
    let mut diagnose = surroundings.command(project, project.release("preflight"));
    answer(diagnose.args(["diagnose", "--rows"]).arg(&rows), &answers)?;
    let mut score = surroundings.command(project, python);
    answer(score.arg(&scorer).arg(reports).arg(&answers), &scores)?;
    for line in std::fs::read_to_string(&scores).at(&scores)?.lines() {
        steps.note("Diagnosis", line);
    }
    Ok(())
}

/// Seconds that the long log takes, and the most memory that its reader held (0: not known here).
fn read(project: &Project, surroundings: &Surroundings) -> Outcome<(f64, u64)> {
    let block = block();
    let mut command = surroundings.command(project, project.release("preflight"));
    command.args(["diagnose", "-", "--format", "json"]);
    let began = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut pipe = child.stdin.take().ok_or_else(|| Failure::new("`preflight diagnose` has no input."))?;
    let mut written = 0;
    while written < LONG {
        pipe.write_all(&block)?;
        written += block.len();
    }
    let most = most_held(child.id());
    pipe.write_all(b"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB\n")?;
    drop(pipe);
    let output = child.wait_with_output()?;
    let seconds = began.elapsed().as_secs_f64();
    if !String::from_utf8_lossy(&output.stdout).contains("\"cuda_oom\"") {
        return Err(Failure::new("`preflight diagnose` did not see what ended the long log."));
    }
    Ok((seconds, most))
}

/// What a training writes: a line a step, a table an epoch, and now and then a warning.
fn block() -> Vec<u8> {
    let mut block = String::with_capacity(BLOCK + 4096);
    for number in 0_u64.. {
        if block.len() >= BLOCK {
            break;
        }
        let (epoch, step) = (number / 400 + 1, number % 400);
        block.push_str(&format!(
            "\r      {epoch}/300      7.31G      1.{:04}      0.{:04}      1.{:04}        {:3}        640:  {:2}%|####      | {step}/400 \
             [00:{:02}<01:02,  6.{:02}it/s]",
            number * 7919 % 9973,
            number * 104_729 % 9973,
            number * 1_299_709 % 9973,
            number % 311,
            step / 4,
            step % 60,
            number % 97
        ));
        if step == 399 {
            block.push_str(
                "\n                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95)\n                   \
                 all        128        929      0.761      0.647      0.735       0.49\nlibpng warning: iCCP: known \
                 incorrect sRGB profile\nINFO:root:saved /data/runs/train/weights/last.pt in 0.21 s\n",
            );
        }
    }
    block.into_bytes()
}

/// The most memory that a process held so far, in bytes; 0 where that cannot be asked.
fn most_held(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.unwrap_or_default() * 1024
}

/// Runs a command whose answer goes to a file.
fn answer(command: &mut Command, file: &Path) -> Outcome {
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Failure::new(format!("`{}` ended with {}:\n{error}", steps::shown(command), output.status)));
    }
    std::fs::write(file, output.stdout).at(file)
}
