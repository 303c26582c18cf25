//! `preflight trial`: a few real steps, then what they measured.

use preflight_core::duration::Basis;
use preflight_core::experience::Trial;
use preflight_core::forecast::Forecast;
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_core::text::{Message, duration};
use preflight_engine::runs::{self, SupervisorCommand, TriedOut, TryOutProgress};
use serde::Serialize;
use serde_json::Value;

use super::check::{findings_json, hours_of};
use super::plan;
use crate::arguments::Trial as Typed;
use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::page::{PLAIN, Page};
use crate::words::Words;

/// The answer as a program reads it.
#[derive(Debug, Serialize)]
struct Told<'a> {
    /// What it measured; `null`: it failed.
    trial: Option<&'a Trial>,
    findings: Vec<Value>,
    /// What follows for the plan.
    forecast: Option<&'a Forecast>,
}

pub(crate) async fn trial(context: &Context, arguments: &Typed) -> Outcome {
    let plan = plan::read(&arguments.plan)?;
    let engine = context.engine()?;
    if let Some(python) = plan.python().filter(|_| arguments.trust_python) {
        engine.accept_python(python)?;
    }
    let supervisor = SupervisorCommand::this_program()?;
    let tell = |progress| context.live.update(&stage(&context.words, progress));
    let trying = runs::try_out(&engine, &plan, &supervisor, tell);
    tokio::pin!(trying);
    let tried = tokio::select! {
        biased;
        tried = &mut trying => tried,
        () = context.interrupt.cancelled() => {
            context.live.line(&context.words.get("cli-run-stopping"));
            runs::cancel_try_out(&engine);
            trying.await
        }
    };
    context.live.clear();
    let tried = match tried {
        Err(problem) if problem.code == "trial.cancelled" => return Err(Failure::Interrupted),
        tried => tried?,
    };
    let forecast = engine.forecast(&plan).await;
    answer(context, &plan, &tried, forecast.as_ref())?;
    Ok(if tried.trial.is_some() { Exit::Clear } else { Exit::Blocked })
}

fn answer(context: &Context, plan: &Plan, tried: &TriedOut, forecast: Option<&Forecast>) -> Result<(), Problem> {
    if context.output.is_json() {
        let findings = findings_json(&context.words, &tried.findings);
        return context.output.json(&Told { trial: tried.trial.as_ref(), findings, forecast });
    }
    let mut page = context.page();
    match &tried.trial {
        Some(trial) => measured(&mut page, plan, trial, forecast),
        None => {
            let failed = page.words.get("trial-failed");
            page.line(&format!("✗ {failed}"));
        }
    }
    page.findings(&tried.findings);
    context.output.print(&page.text())
}

fn measured(page: &mut Page<'_>, plan: &Plan, trial: &Trial, forecast: Option<&Forecast>) {
    let said = |message: Message| page.words.say(&message);
    let name = |id: &str| page.words.get(id);
    let figures = &trial.figures;
    let bytes = |bytes: u64| said(Message::new("bytes").with("bytes", bytes));
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let seconds = |seconds: f64| said(Message::new("trial-seconds").with("seconds", format!("{seconds:.2}")));
    let title = said(
        Message::new("trial-headline")
            .with("model", plan.model.name.as_str())
            .with("imgsz", plan.training.imgsz.to_string())
            .with("batch", figures.batch)
            .with("steps", figures.steps),
    );
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut row = |id: &str, value: Option<String>| rows.extend(value.map(|value| (name(id), value)));
    row("trial-reserved", figures.reserved.map(bytes));
    row("trial-shown", trial.shown.map(bytes));
    row("trial-memory", Some(bytes(trial.memory)));
    row("trial-step", figures.step_s.map(seconds));
    row("trial-loading", figures.loading.map(percent));
    row("trial-validation", figures.validation_s.map(seconds));
    let time = forecast.and_then(|forecast| forecast.time);
    row(
        "time-all",
        time.map(|time| {
            let [low, expected, high] = [time.seconds.low, time.seconds.expected, time.seconds.high].map(duration);
            said(Message::new("time-interval").with("low", low).with("expected", expected).with("high", high))
        }),
    );
    row(
        "time-gpu-hours",
        time.and_then(|time| time.gpu_hours).map(|hours| {
            let [low, expected, high] = [hours.low, hours.expected, hours.high].map(hours_of);
            said(Message::new("time-interval").with("low", low).with("expected", expected).with("high", high))
        }),
    );
    let by = time.map(|time| said(basis(time.basis)));
    page.line(&title);
    page.table(&rows);
    if let Some(by) = by {
        page.paragraph(0, "", PLAIN, &by);
    }
}

/// What a duration rests on.
pub(crate) fn basis(basis: Basis) -> Message {
    match basis {
        Basis::Trial => Message::new("time-by-trial"),
        Basis::Runs { count } => Message::new("time-by-runs").with("count", count),
        Basis::Rule => Message::new("time-by-rule"),
    }
}

fn stage(words: &Words, progress: TryOutProgress) -> String {
    match progress {
        TryOutProgress::Preparing => words.get("trial-preparing"),
        TryOutProgress::Loading => words.get("trial-loading-model"),
        TryOutProgress::Training { step, steps } => {
            words.say(&Message::new("trial-training").with("step", step).with("steps", steps))
        }
        TryOutProgress::Validating => words.get("trial-validating"),
    }
}
