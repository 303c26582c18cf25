//! Measures the app as people get it, and prints what was measured.

mod diagnosis;
mod labels;
mod memory;
#[cfg(target_os = "linux")]
mod run;
#[cfg(target_os = "linux")]
mod start;
mod training;
#[cfg(target_os = "linux")]
mod watching;
#[cfg(target_os = "linux")]
mod window;

use crate::failure::{At, Outcome};
use crate::project::Project;
use crate::steps::{self, Steps};
use crate::surroundings::Surroundings;
use crate::system::Use;
use crate::{dist, setup};

/// A row of the table.
#[derive(Debug)]
struct Row {
    what: &'static str,
    value: String,
    how: String,
}

/// What can be measured by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// From the start to the first content, and what the app holds then
    Start,
    /// The log page, a day of events, the supervisor
    Run,
    /// Watching cards
    Watching,
    /// Judging a dataset
    Labels,
    /// The estimate of GPU memory against measured trainings
    Memory,
    /// Diagnoses of public reports, and of a long log
    Diagnosis,
    /// The way to the first training step
    Training,
}

/// Cold start, memory, size, a run as it is looked at and looked after, judging a dataset, and the way to the first
/// training step.
pub(crate) fn bench(project: &Project, steps: &mut Steps, only: Option<Part>) -> Outcome {
    let wants = |part| only.is_none_or(|only| only == part);
    setup::tools(project, steps, Use::Test)?;
    let own = Surroundings::own();
    dist::release(project, steps, &own)?;
    let surroundings = Surroundings::hermetic(project)?;

    let mut rows = Vec::new();
    for name in ["yolo-preflight", "preflight"] {
        let program = project.release(name);
        let size = std::fs::metadata(&program).at(&program)?.len();
        let what = if name == "preflight" { "Size of the command line" } else { "Size of the app" };
        rows.push(Row { what, value: mib(size), how: "release build, stripped".into() });
    }
    #[cfg(target_os = "linux")]
    {
        let display = window::Display::open(project, &surroundings)?;
        if wants(Part::Start) {
            rows.extend(start::measure(project, steps, &surroundings, &display)?);
        }
        if wants(Part::Run) {
            rows.extend(run::measure(project, steps, &surroundings, &display)?);
        }
        if wants(Part::Watching) {
            rows.push(watching::measure(project, steps, &surroundings)?);
        }
    }
    if [Part::Labels, Part::Memory, Part::Diagnosis, Part::Training].into_iter().any(wants) {
        let python = crate::training::for_tests(project, steps, &own, &project.release("preflight"))?;
        if wants(Part::Labels) {
            rows.extend(labels::measure(project, steps, &surroundings, &python)?);
        }
        if wants(Part::Memory) {
            rows.extend(memory::measure(project, steps, &surroundings, &python)?);
        }
        if wants(Part::Diagnosis) {
            rows.extend(diagnosis::measure(project, steps, &surroundings, &python)?);
        }
        if wants(Part::Training) {
            rows.push(training::measure(project, steps, &surroundings, &python)?);
        }
    }

    steps::result("");
    for row in rows {
        steps::result(&format!("{:<28} {:>12}   {}", row.what, row.value, row.how));
    }
    Ok(())
}

fn mib(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let mib = bytes as f64 / 1024.0 / 1024.0;
    format!("{mib:.1} MiB")
}

/// The middle of some measurements.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
