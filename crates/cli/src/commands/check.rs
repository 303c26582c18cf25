//! `preflight check`: can this plan start?

use preflight_core::duration::Expected;
use preflight_core::finding::{Certainty, Finding, Severity};
use preflight_core::forecast::Forecast;
use preflight_core::plan::{Plan, Target};
use preflight_core::report::{Link, Report, Verdict};
use preflight_core::text::{Message, duration};
use preflight_engine::Engine;
use preflight_engine::account;
use preflight_engine::runs::{self, TrainingCommand};
use serde::Serialize;
use serde_json::{Value, json};

use super::{login, plan};
use crate::arguments::{Check, Judgement};
use crate::context::Context;
use crate::exit::{Failure, Outcome};
use crate::page::{BOLD, PLAIN, Page};
use crate::words::{Words, visible};

pub(crate) async fn check(context: &Context, arguments: &Check) -> Outcome {
    let plan = plan::read(&arguments.plan)?;
    let engine = context.engine()?;
    if let Some(url) = &arguments.url {
        let connector = account::connector(arguments.connector.as_deref())?;
        account::ask_at(&engine, account::address(url)?, connector);
    }
    let judged = judge(context, &engine, &plan, &arguments.judgement).await?;
    judged.answer(context, &plan)?;
    Ok(judged.verdict.into())
}

/// A report and what it means for starting.
pub(crate) struct Judged {
    pub(crate) report: Report,
    pub(crate) verdict: Verdict,
    /// The predicted blockers that were there and accepted.
    pub(crate) accepted: Vec<String>,
    /// What the plan would start.
    command: TrainingCommand,
    /// What it needs and how long it takes on this computer; `None`: it cannot be told, or is not for here.
    forecast: Option<Forecast>,
    /// How long it takes, wherever it trains; `None`: it cannot be told.
    time: Option<Expected>,
    /// What was asked to be accepted and cannot be, because it is certain.
    refused: Vec<String>,
}

/// A report as a program reads it.
#[derive(Debug, Serialize)]
struct Told<'a> {
    verdict: Verdict,
    accepted: &'a [String],
    command: &'a TrainingCommand,
    forecast: Option<&'a Forecast>,
    time: Option<Expected>,
    at_ms: u64,
    links: &'a [Link],
    findings: Vec<Value>,
}

/// Looks at everything the plan depends on.
pub(crate) async fn judge(
    context: &Context,
    engine: &Engine,
    plan: &Plan,
    judgement: &Judgement,
) -> Result<Judged, Failure> {
    if let Some(python) = plan.python().filter(|_| judgement.trust_python) {
        engine.accept_python(python)?;
    }
    if let Target::Platform { profile, .. } = &plan.target
        && account::account(engine, profile).is_ok()
    {
        login::passphrase(context, engine, profile)?;
    }
    let report = context.waiting("cli-checking", engine.preflight(plan)).await?;
    let verdict = report.verdict(&judgement.start_anyway, judgement.strict);
    let asked = |certainty| {
        let mut codes: Vec<_> = report
            .blockers()
            .filter(|finding| finding.certainty == certainty && judgement.start_anyway.contains(&finding.code))
            .map(|finding| finding.code.clone())
            .collect();
        codes.dedup();
        codes
    };
    let (accepted, refused) = (asked(Certainty::Predicted), asked(Certainty::Certain));
    let command = runs::command(engine, plan).await;
    let (forecast, time) = (engine.forecast(plan).await, engine.time(plan).await);
    Ok(Judged { report, verdict, accepted, command, forecast, time, refused })
}

impl Judged {
    /// The whole report as the result.
    pub(crate) fn answer(&self, context: &Context, plan: &Plan) -> Result<(), Failure> {
        if context.output.is_json() {
            context.output.json(&self.told(&context.words))?;
        } else {
            let mut page = context.page();
            self.write(&mut page, plan);
            context.output.print(&page.text())?;
        }
        Ok(())
    }

    /// What is left to know before a run starts: the chain and what is not as it should be.
    pub(crate) fn remark(&self, context: &Context) {
        let mut page = context.remarks();
        page.chain(&self.report.links);
        let doubts: Vec<_> =
            self.report.findings.iter().filter(|finding| finding.severity > Severity::Note).cloned().collect();
        page.findings(&doubts);
        context.output.tell(&page.text());
    }

    fn write(&self, page: &mut Page<'_>, plan: &Plan) {
        headline(page, plan);
        page.blank();
        page.chain(&self.report.links);
        page.findings(&self.report.findings);
        page.blank();
        // What the processor takes is said among the findings.
        if let Some((time, hours)) = self.time.and_then(|time| Some((time, time.gpu_hours?))) {
            let [low, high] = [time.seconds.low, time.seconds.high].map(duration);
            let [least, most] = [hours.low, hours.high].map(hours_of);
            let text = Message::new("time-about").with("low", low).with("high", high);
            let text = page.words.say(&text.with("least", least).with("most", most));
            page.paragraph(0, "", PLAIN, &text);
        }
        for code in &self.refused {
            let text = page.words.say(&Message::new("cli-start-anyway-refused").with("code", code.as_str()));
            page.paragraph(0, "", BOLD, &text);
        }
        page.verdict(&self.report, self.verdict);
    }

    fn told(&self, words: &Words) -> Told<'_> {
        let Self { report, verdict, accepted, command, forecast, time, .. } = self;
        let findings = findings_json(words, &report.findings);
        let forecast = forecast.as_ref();
        let (verdict, time, at_ms, links) = (*verdict, *time, report.at_ms, report.links.as_slice());
        Told { verdict, accepted, command, forecast, time, at_ms, links, findings }
    }
}

/// Hours of a card; below an hour, one digit would tell nothing.
pub(crate) fn hours_of(hours: f64) -> String {
    if hours < 1.0 { format!("{hours:.2}") } else { format!("{hours:.1}") }
}

/// Findings with their words.
pub(crate) fn findings_json(words: &Words, findings: &[Finding]) -> Vec<Value> {
    let with_words = |finding: &Finding| {
        let mut value = json!(finding);
        value["title"] = json!(words.say(&finding.title()));
        value["detail"] = json!(words.find(&finding.detail()));
        for (remedy, value) in finding.remedies.iter().zip(value["remedies"].as_array_mut().into_iter().flatten()) {
            value["title"] = json!(words.say(&remedy.message()));
        }
        value
    };
    findings.iter().map(with_words).collect()
}

/// What is checked, in one line.
fn headline(page: &mut Page<'_>, plan: &Plan) {
    let device = match &plan.target {
        Target::ThisComputer { device, .. } => device.to_string(),
        Target::Platform { profile, card, cards } => {
            format!("{profile}: {cards} × {}", card.as_deref().unwrap_or("GPU"))
        }
    };
    let training = &plan.training;
    let message = Message::new("cli-headline")
        .with("model", plan.model.name.as_str())
        // As in the plan, without separators.
        .with("imgsz", training.imgsz.to_string())
        .with("batch", training.batch)
        .with("epochs", training.epochs)
        .with("device", device);
    let text = page.words.say(&message);
    page.line(&format!("{BOLD}{}{BOLD:#}", visible(&plan.dataset.to_string_lossy())));
    page.line(&text);
}
