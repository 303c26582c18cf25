//! How right the estimate of GPU memory is, on measured trainings, and how quick.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::{Row, median};
use crate::failure::{At, Failure, Outcome};
use crate::project::Project;
use crate::steps::{self, Steps};
use crate::surroundings::Surroundings;
use crate::test;

/// Setups in the file whose reading is timed.
const MANY: usize = 20_000;
/// Tries, of which the middle one counts.
const TRIES: usize = 5;

/// The scorer's lines, and the time of one estimate. Nothing where there are no measured trainings.
pub(super) fn measure(
    project: &Project,
    steps: &Steps,
    surroundings: &Surroundings,
    python: &Path,
) -> Outcome<Vec<Row>> {
    let Some(measured) = test::data(project).map(|data| data.join("vram/measured.csv")).filter(|path| path.is_file())
    else {
        steps.note("Estimate of GPU memory", &format!("skipped: {} does not name the data", test::DATA_VARIABLE));
        return Ok(Vec::new());
    };
    let folder = project.work.join("bench-memory");
    std::fs::create_dir_all(&folder).at(&folder)?;
    let scorer = folder.join("score_vram.py");
    std::fs::write(&scorer, include_str!("score_vram.py")).at(&scorer)?;
    let (setups, estimates) = (folder.join("setups.csv"), folder.join("estimates.csv"));
    // The estimator sees what a person knows before a training, never what was measured.
    let mut strip = surroundings.command(project, python);
    answer(strip.arg(&scorer).arg("--strip").arg(&measured), &setups)?;
    let mut estimate = surroundings.command(project, project.release("preflight"));
    answer(estimate.args(["vram", "--rows"]).arg(&setups), &estimates)?;
    let mut score = surroundings.command(project, python);
    let scores = folder.join("scores.txt");
    answer(score.arg(&scorer).arg(&measured).arg(&estimates), &scores)?;
    for line in std::fs::read_to_string(&scores).at(&scores)?.lines() {
        steps.note("Estimate of GPU memory", line);
    }
    // How well the constants hold for trainings they were not fitted to.
    let (fitter, terms, fitted) = (folder.join("fit_vram.py"), folder.join("terms.csv"), folder.join("fitted.txt"));
    std::fs::write(&fitter, include_str!("fit_vram.py")).at(&fitter)?;
    let mut term = surroundings.command(project, project.release("preflight"));
    answer(term.args(["vram", "--terms", "--rows"]).arg(&setups), &terms)?;
    let mut fit = surroundings.command(project, python);
    answer(fit.arg(&fitter).arg(&measured).arg(&terms).arg(&estimates), &fitted)?;
    for line in std::fs::read_to_string(&fitted).at(&fitted)?.lines() {
        steps.note("Constants of the estimate", line);
    }
    let seconds = each(project, surroundings, &setups, &folder)?;
    let mut rows = vec![Row {
        what: "One memory estimate",
        value: format!("{:.1} µs", seconds * 1e6),
        how: format!("of {MANY} read from a file, with reading and writing; median of {TRIES}"),
    }];
    rows.extend(table(project, steps, surroundings)?);
    Ok(rows)
}

/// The table of all models against batches, and one estimate, inside one process.
fn table(project: &Project, steps: &Steps, surroundings: &Surroundings) -> Outcome<[Row; 2]> {
    let mut build = surroundings.command(project, "cargo");
    build.args(["build", "--locked", "--release", "--package", "preflight-engine", "--example", "fits"]);
    steps.command("Table of what fits", &mut build)?;
    let output = surroundings.command(project, project.release("examples/fits")).output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let took = |what: &str| {
        let took = said.lines().find_map(|line| line.strip_prefix(what)?.trim().parse::<f64>().ok());
        took.ok_or_else(|| Failure::new("`fits` does not say how long it took."))
    };
    let how = || "median of 101, in one process".to_owned();
    Ok([
        Row { what: "The same alone", value: format!("{:.1} µs", took("estimate ")? * 1e6), how: how() },
        Row { what: "Table of what fits", value: format!("{:.2} ms", took("table ")? * 1e3), how: how() },
    ])
}

/// Seconds that one more setup in a file costs.
fn each(project: &Project, surroundings: &Surroundings, setups: &Path, folder: &Path) -> Outcome<f64> {
    let text = std::fs::read_to_string(setups).at(setups)?;
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let rows: Vec<&str> = lines.collect();
    let few = folder.join("few.csv");
    std::fs::write(&few, format!("{header}\n{}\n", rows.first().copied().unwrap_or_default())).at(&few)?;
    let many = folder.join("many.csv");
    let repeated: Vec<&str> = rows.iter().copied().cycle().take(MANY).collect();
    std::fs::write(&many, format!("{header}\n{}\n", repeated.join("\n"))).at(&many)?;
    let mut differences = Vec::new();
    for _ in 0..TRIES {
        let mut took = [0.0; 2];
        for (took, file) in took.iter_mut().zip([&few, &many]) {
            let began = Instant::now();
            let mut command = surroundings.command(project, project.release("preflight"));
            answer(command.args(["vram", "--rows"]).arg(file), &folder.join("timed.csv"))?;
            *took = began.elapsed().as_secs_f64();
        }
        differences.push(took[1] - took[0]);
    }
    #[expect(clippy::cast_precision_loss, reason = "thousands")]
    Ok(median(differences) / (MANY - 1) as f64)
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
