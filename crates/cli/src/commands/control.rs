//! `preflight runs pause`, `resume` and `cancel`.

use preflight_core::problem::Problem;
use preflight_core::run::{CancelReason, Changes, Progress, ResumeReason, RunState};
use preflight_core::text::{Message, duration};
use preflight_engine::Engine;
use preflight_engine::runs::{self, Run, SupervisorCommand};
use serde_json::json;

use super::follow::{self, state_id};
use super::outcome::{self, Told};
use super::runs::POLL;
use crate::arguments::Resume;
use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::words::Words;

pub(super) async fn cancel(context: &Context, engine: &Engine, id: &str) -> Outcome {
    runs::cancel(engine, id, CancelReason::User)?;
    let run = until(context, engine, id, &context.words.get("cli-run-ending"), RunState::is_over).await?;
    told(context, &run)?;
    Ok(Exit::Clear)
}

pub(super) async fn pause(context: &Context, engine: &Engine, run: &Run, now: bool) -> Outcome {
    let id = run.record.id.as_str();
    runs::pause(engine, id, now)?;
    let waiting = if now { context.words.get("cli-run-pausing-now") } else { when(&context.words, &run.progress) };
    let run = until(context, engine, id, &waiting, |state| !state.is_active()).await?;
    told(context, &run)?;
    match run.progress.state {
        RunState::Paused => Ok(Exit::Clear),
        RunState::Succeeded => {
            context.output.tell(&context.words.get("cli-run-finished-instead"));
            Ok(Exit::Clear)
        }
        state => Ok(state.into()),
    }
}

/// When a run will rest.
fn when(words: &Words, progress: &Progress) -> String {
    match progress.epoch_remaining_s {
        _ if progress.epochs > 0 && progress.epoch >= progress.epochs => words.get("cli-run-pausing-last"),
        Some(left) => words.say(&Message::new("cli-run-pausing-in").with("left", duration(left))),
        None => words.get("cli-run-pausing"),
    }
}

pub(super) async fn resume(
    context: &Context,
    engine: &Engine,
    run: &Run,
    arguments: Resume,
    supervisor: &SupervisorCommand,
) -> Outcome {
    let id = run.record.id.as_str();
    let say = |what: &str| context.output.tell(&context.words.say(&Message::new(what).with("id", id)));
    if arguments.epochs.is_some() {
        return Err(Problem::new("run.epochs-fixed").into());
    }
    let follow = arguments.follow;
    let changes = Changes {
        batch: arguments.batch,
        imgsz: arguments.imgsz,
        workers: arguments.workers,
        device: arguments.device,
        dataset: arguments.dataset,
        extra: arguments.extra.into_iter().collect(),
    };
    if run.progress.state.is_active() && run.progress.pausing.is_some() && changes.is_empty() {
        runs::keep_on(engine, id)?;
        say("cli-run-keeps-on");
    } else {
        let resumed = runs::resume(engine, id, &changes, ResumeReason::User, supervisor);
        let resumed = context.waiting("cli-checking", resumed).await??;
        if resumed.after_epoch == 0 {
            say("cli-run-begins-again");
        } else {
            let message = Message::new("cli-run-resumed").with("id", id).with("epoch", resumed.after_epoch);
            context.output.tell(&context.words.say(&message));
        }
    }
    if follow {
        let state = follow::to_the_end(context, engine, id, run.progress.next_seq, supervisor).await?;
        outcome::answer(context, engine, &runs::open(engine, id)?)?;
        return Ok(state.into());
    }
    if context.output.is_json() {
        context.output.json(&json!({ "id": id, "state": runs::open(engine, id)?.progress.state }))?;
    } else {
        context.output.print(id)?;
    }
    Ok(Exit::Clear)
}

/// Waits for a state.
async fn until(
    context: &Context,
    engine: &Engine,
    id: &str,
    waiting: &str,
    is: impl Fn(RunState) -> bool,
) -> Result<Run, Failure> {
    let reached = async {
        loop {
            let run = runs::open(engine, id)?;
            if is(run.progress.state) {
                return Ok::<_, Problem>(run);
            }
            tokio::time::sleep(POLL).await;
        }
    };
    Ok(context.waiting_for(waiting, reached).await??)
}

fn told(context: &Context, run: &Run) -> Result<(), Failure> {
    if context.output.is_json() {
        context.output.json(&Told::of(&context.words, run))?;
    } else {
        context.output.print(&context.words.get(state_id(run.progress.state)))?;
    }
    Ok(())
}
