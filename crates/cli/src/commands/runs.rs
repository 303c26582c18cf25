//! `preflight runs`: what was started and how it stands.

use std::time::Duration;

use preflight_core::plan::{Model, Weights};
use preflight_core::problem::Problem;
use preflight_core::run::RunState;
use preflight_core::text::{Message, duration};
use preflight_engine::Engine;
use preflight_engine::runs::{self, Log, Run, SupervisorCommand};
use serde_json::json;

use super::control;
use super::follow::state_id;
use super::outcome;
use super::{export, history, try_model};
use crate::arguments::Runs;
use crate::context::Context;
use crate::exit::{Exit, Outcome};
use crate::page::{BOLD, Page};
use crate::words::visible;

/// How often a log is read while it is followed, and a run that was asked to end is looked at.
pub(super) const POLL: Duration = Duration::from_millis(300);
/// What stands for the newest run.
const LATEST: &str = "latest";
/// Lines of a log that are read at once.
const LINES: u32 = 1000;

pub(crate) async fn runs(context: &Context, command: Runs) -> Outcome {
    let engine = context.engine()?;
    let supervisor = SupervisorCommand::this_program()?;
    // Whoever looks sees to the runs whose supervisor died. Where that cannot be done, they are shown as lost.
    runs::recover_all(&engine, &supervisor).await;
    match command {
        Runs::List { search, states } => history::list(context, &engine, search.as_deref(), &states),
        Runs::Show { id } => show(context, &engine, &named(&engine, &id)?),
        Runs::Logs { id, follow } => logs(context, &engine, &named(&engine, &id)?, follow).await,
        Runs::Pause { id, now } => control::pause(context, &engine, &named(&engine, &id)?, now).await,
        Runs::Resume(arguments) => {
            let run = named(&engine, &arguments.id)?;
            control::resume(context, &engine, &run, arguments, &supervisor).await
        }
        Runs::Cancel { id } => control::cancel(context, &engine, &named(&engine, &id)?.record.id).await,
        Runs::Try { id, images, conf } => {
            try_model::try_model(context, &engine, &named(&engine, &id)?.record.id, &images, conf).await
        }
        Runs::Export { id, to, yes } => {
            export::export(context, &engine, &named(&engine, &id)?.record.id, to.as_deref(), yes).await
        }
        Runs::Bundle { id, to } => {
            let id = named(&engine, &id)?.record.id;
            super::diagnose::run::bundle(context, id, to).await
        }
        Runs::Note { id, text } => history::note(context, &engine, &named(&engine, &id)?, text.as_deref()),
        Runs::Delete { ids, yes } => history::delete(context, engine, &ids, yes).await,
    }
}

/// The run with this id, or the only one whose id has this in it, or the newest.
pub(crate) fn named(engine: &Engine, name: &str) -> Result<Run, Problem> {
    let missing = match runs::open(engine, name) {
        Err(problem) if problem.code == "run.not-found" => problem,
        answer => return answer,
    };
    let mut runs = runs::list(engine);
    if name == LATEST {
        runs.truncate(1);
    } else {
        runs.retain(|run| run.record.id.contains(name));
    }
    match (runs.pop(), runs.len()) {
        (None, _) => Err(missing),
        (Some(run), 0) => Ok(run),
        (Some(_), more) => Err(Problem::new("run.ambiguous").with("id", name).with("count", more + 1)),
    }
}

fn show(context: &Context, engine: &Engine, run: &Run) -> Outcome {
    if context.output.is_json() {
        outcome::json(context, engine, run)?;
        return Ok(Exit::Clear);
    }
    let mut page = context.page();
    describe(&mut page, run);
    match run.progress.state {
        RunState::Succeeded => {
            page.blank();
            outcome::results(&mut page, &run.progress);
        }
        RunState::Failed | RunState::Lost | RunState::Cancelled | RunState::Paused => {
            outcome::broken(context, &mut page, engine, run)?;
        }
        _ => {}
    }
    context.output.print(&page.text())?;
    Ok(Exit::Clear)
}

fn describe(page: &mut Page<'_>, run: &Run) {
    let (record, progress, training) = (&run.record, &run.progress, &run.record.plan.training);
    page.line(&format!("{BOLD}{}{BOLD:#}", record.id));
    let words = page.words;
    let settings = Message::new("cli-run-settings")
        .with("imgsz", training.imgsz.to_string())
        .with("batch", training.batch.to_string())
        .with("seed", training.seed.to_string())
        .with("device", record.device.as_str());
    let mut rows = vec![
        (words.get("cli-field-state"), words.get(state_id(progress.state))),
        (words.get("cli-field-created"), local_time(record.created_ms)),
        (words.get("cli-field-dataset"), visible(&record.plan.dataset.to_string_lossy())),
        (words.get("cli-field-model"), model(&record.plan.model)),
        (words.get("cli-field-training"), words.say(&settings)),
        (words.get("cli-field-epochs"), format!("{} / {}", progress.history.len(), training.epochs)),
    ];
    if !progress.state.is_active() && progress.trained_s > 0.0 {
        rows.push((words.get("cli-field-took"), duration(progress.trained_s)));
    }
    if !record.accepted.is_empty() {
        rows.push((words.get("cli-field-accepted"), record.accepted.join(", ")));
    }
    if !run.note.is_empty() {
        rows.push((words.get("cli-field-note"), visible(&run.note.replace('\n', " "))));
    }
    rows.push((words.get("cli-field-folder"), visible(&run.folder.to_string_lossy())));
    page.table(&rows);
}

/// The model and where its weights come from, as in the plan.
fn model(model: &Model) -> String {
    let weights = match model.weights {
        Weights::Pretrained => "pretrained".to_owned(),
        Weights::Scratch => "scratch".to_owned(),
        Weights::File => visible(&model.file.to_string_lossy()),
    };
    format!("{} · {weights}", model.name)
}

/// A moment as the person's clock shows it.
fn local_time(ms: u64) -> String {
    i64::try_from(ms)
        .ok()
        .and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok())
        .map(|moment| moment.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string())
        .unwrap_or_default()
}

async fn logs(context: &Context, engine: &Engine, run: &Run, follow: bool) -> Outcome {
    let mut log = Log::open(&run.folder);
    let mut next = 0;
    loop {
        // Asked before reading: what comes after the last look of a run that is over is nothing.
        let is_over = !follow || runs::open(engine, &run.record.id)?.progress.state.is_over();
        loop {
            let page = log.page(next, LINES)?;
            // The last line of a run that goes on may still grow.
            let whole = page.total.saturating_sub(u32::from(!is_over));
            for (number, line) in (page.first + 1..=whole).zip(&page.lines) {
                if context.output.is_json() {
                    context.output.bytes(json!({ "line": number, "text": line }).to_string().as_bytes())?;
                } else {
                    context.output.bytes(visible(line).as_bytes())?;
                }
                next = number;
            }
            if next >= whole || context.output.is_closed() {
                break;
            }
        }
        if is_over || context.output.is_closed() {
            return Ok(Exit::Clear);
        }
        context.interruptible(tokio::time::sleep(POLL)).await?;
    }
}
