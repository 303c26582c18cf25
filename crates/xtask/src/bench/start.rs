//! The window's start and what it holds when nothing happens.

use std::time::Duration;

use super::window::{Display, Window, pause};
use super::{Row, median, mib};
use crate::failure::Outcome;
use crate::project::Project;
use crate::steps::Steps;
use crate::surroundings::Surroundings;

/// Starts that are measured.
const STARTS: usize = 7;
/// How long the window is left alone before its memory is read.
const SETTLE: Duration = Duration::from_secs(5);
/// When the page's first content was painted, in milliseconds since 1970 UTC; null before.
const PAINTED: &str = "const paint = performance.getEntriesByName('first-contentful-paint')[0]; \
                       return paint ? performance.timeOrigin + paint.startTime : null";

pub(super) fn measure(
    project: &Project,
    steps: &Steps,
    surroundings: &Surroundings,
    display: &Display,
) -> Outcome<Vec<Row>> {
    let home = project.work.join("bench-window");
    let mut starts = Vec::new();
    let mut memory = None;
    for number in 1..=STARTS {
        let window = Window::open(project, surroundings, display, &home)?;
        starts.push(first_content(&window)?);
        if number == STARTS {
            pause(SETTLE);
            memory = Some(window.memory()?);
        }
        window.close()?;
        steps.note("Start of the window", &format!("{number} of {STARTS} measured"));
    }
    let slowest = starts.iter().copied().fold(0.0, f64::max);
    let mut rows = vec![Row {
        what: "Start to first content",
        value: format!("{:.2} s", median(starts)),
        how: format!("process start to first contentful paint, median of {STARTS}, slowest {slowest:.2} s"),
    }];
    if let Some((bytes, processes)) = memory {
        rows.push(Row {
            what: "Memory when idle",
            value: mib(bytes),
            how: format!("PSS of all {processes} processes, {} s after the start", SETTLE.as_secs()),
        });
    }
    Ok(rows)
}

/// Seconds from the app's process start to the first content.
fn first_content(window: &Window) -> Outcome<f64> {
    let painted = window.wait_for(PAINTED, "The window showed nothing.")?.as_f64().unwrap_or(f64::NAN);
    Ok(painted / 1000.0 - window.started()?)
}
