//! Following a run to its end.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use preflight_core::run::{CancelReason, Progress, RunState};
use preflight_core::text::{Message, duration};
use preflight_engine::Engine;
use preflight_engine::runs::{self, Follower, SupervisorCommand};

use crate::context::Context;
use crate::exit::Failure;
use crate::words::Words;

/// How often the run's events are read.
const POLL: Duration = Duration::from_millis(200);
/// How often it is made sure that the run's supervisor is alive.
const ALIVE: Duration = Duration::from_secs(2);
/// Cells of the progress bar.
const BAR: usize = 10;

/// Shows a run until it is over; what happened before the event of this number is not told. Ctrl-C asks the run to end
/// and waits for that; one that rests is left alone.
pub(crate) async fn to_the_end(
    context: &Context,
    engine: &Engine,
    id: &str,
    from_seq: u32,
    supervisor: &SupervisorCommand,
) -> Result<RunState, Failure> {
    let mut follower = Follower::new(&runs::open(engine, id)?.folder);
    let mut progress = Progress::default();
    let mut asked = Instant::now();
    let mut cancelled = false;
    let began = Instant::now();
    loop {
        for event in follower.poll()? {
            let epochs = progress.history.len();
            let state = progress.state;
            progress.apply(&event);
            if event.seq >= from_seq {
                remark(context, &progress, epochs, state, id);
            }
        }
        if progress.state.is_over() {
            break;
        }
        context.live.update(&line(&context.words, &progress, began.elapsed()));
        if asked.elapsed() >= ALIVE {
            asked = Instant::now();
            // A supervisor that died says nothing; another finds out what became of the run, and says it.
            if let Err(problem) = runs::recover(engine, id, supervisor).await {
                context.live.clear();
                return Err(problem.into());
            }
        }
        tokio::select! {
            () = tokio::time::sleep(POLL) => {}
            () = context.interrupt.cancelled(), if !cancelled => {
                if progress.state == RunState::Paused {
                    context.live.clear();
                    return Err(Failure::Interrupted);
                }
                cancelled = true;
                context.live.line(&context.words.get("cli-run-stopping"));
                // A run that is over by now needs no asking.
                let _ = runs::cancel(engine, id, CancelReason::Interrupted);
            }
        }
    }
    context.live.clear();
    if cancelled && progress.state != RunState::Succeeded { Err(Failure::Interrupted) } else { Ok(progress.state) }
}

/// What a log has of it: a new state, a finished epoch.
fn remark(context: &Context, progress: &Progress, epochs: usize, state: RunState, id: &str) {
    let words = &context.words;
    if progress.state != state && !progress.state.is_over() {
        context.live.step(&words.get(state_id(progress.state)), true);
        if progress.state == RunState::Paused {
            context.live.step(&words.say(&Message::new("cli-run-resume").with("id", id)), true);
        }
    }
    if let Some(point) = progress.history.get(epochs) {
        let figures = ["mAP50", "mAP50-95"].map(|name| figure(&point.metrics, name));
        let parts = [Some(epoch(words, point.epoch, progress.epochs)), losses(&point.losses)];
        let parts: Vec<_> = parts.into_iter().chain(figures).chain([remaining(words, progress)]).flatten().collect();
        let matters = point.epoch == 1 || point.epoch == progress.epochs;
        context.live.step(&parts.join(" · "), matters);
    }
}

/// Where the run is now, in one line; what matters least comes last and is cut first.
fn line(words: &Words, progress: &Progress, since: Duration) -> String {
    if progress.cancelling.is_some() {
        return words.get("cli-run-ending");
    }
    if progress.epoch == 0 || !progress.state.is_active() {
        return format!("{} · {}", words.get(state_id(progress.state)), duration(since.as_secs_f64()));
    }
    let (step, validates) = match progress.validation {
        Some((step, steps)) => (format!("{} {step}/{steps}", bar(step, steps)), Some(words.get("cli-run-validating"))),
        None => {
            let (step, steps) = (progress.batch, progress.batches);
            (format!("{} {step}/{steps}", bar(step, steps)), None)
        }
    };
    let parts = [
        Some(epoch(words, progress.epoch, progress.epochs)),
        Some(step),
        validates,
        remaining(words, progress),
        progress.history.last().and_then(|point| figure(&point.metrics, "mAP50")),
        losses(&progress.losses),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn figure(metrics: &BTreeMap<String, f64>, name: &str) -> Option<String> {
    Some(format!("{name} {:.3}", metric(metrics, name)?))
}

/// `box_loss` is `box` to everyone who trains.
fn losses(losses: &BTreeMap<String, f64>) -> Option<String> {
    let losses = losses.iter().map(|(name, value)| {
        let name = name.trim_start_matches("train/").trim_end_matches("_loss");
        format!("{name} {value:.2}")
    });
    Some(losses.collect::<Vec<_>>().join(" ")).filter(|losses| !losses.is_empty())
}

fn epoch(words: &Words, epoch: u32, epochs: u32) -> String {
    words.say(&Message::new("cli-run-epoch").with("epoch", epoch.to_string()).with("epochs", epochs.to_string()))
}

fn remaining(words: &Words, progress: &Progress) -> Option<String> {
    let left = duration(progress.remaining_s.filter(|seconds| *seconds >= 0.5)?);
    Some(words.say(&Message::new("cli-run-remaining").with("left", left)))
}

fn bar(step: u32, steps: u32) -> String {
    let full = BAR * usize::try_from(step).unwrap_or(0) / usize::try_from(steps.max(1)).unwrap_or(1);
    format!("{}{}", "█".repeat(full.min(BAR)), "░".repeat(BAR.saturating_sub(full)))
}

/// The sentence of a state.
pub(crate) fn state_id(state: RunState) -> &'static str {
    match state {
        RunState::Queued => "run-state-queued",
        RunState::Preparing => "run-state-preparing",
        RunState::Running => "run-state-running",
        RunState::Paused => "run-state-paused",
        RunState::Succeeded => "run-state-succeeded",
        RunState::Failed => "run-state-failed",
        RunState::Cancelled => "run-state-cancelled",
        RunState::Lost => "run-state-lost",
    }
}

/// A metric by its short name: Ultralytics says `metrics/mAP50(B)`.
pub(crate) fn metric(metrics: &BTreeMap<String, f64>, name: &str) -> Option<f64> {
    let is_it = |key: &str| key.trim_start_matches("metrics/").split('(').next() == Some(name);
    metrics.iter().find(|(key, _)| is_it(key)).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_found_by_their_short_name() {
        let metrics = BTreeMap::from([("metrics/mAP50(B)".to_owned(), 0.5), ("metrics/mAP50-95(B)".to_owned(), 0.3)]);
        assert_eq!(metric(&metrics, "mAP50"), Some(0.5));
        assert_eq!(metric(&metrics, "mAP50-95"), Some(0.3));
        assert_eq!(metric(&metrics, "recall"), None);
    }

    #[test]
    fn the_bar_never_leaves_its_cells() {
        for (step, steps) in [(0, 0), (1, 3), (3, 3), (9, 3)] {
            assert_eq!(bar(step, steps).chars().count(), BAR);
        }
    }
}
