//! `preflight check`: can this plan start?

use preflight_core::finding::{Certainty, Finding, Severity};
use preflight_core::plan::{Plan, Target};
use preflight_core::report::{Link, Report, Verdict};
use preflight_core::text::Message;
use preflight_engine::Engine;
use preflight_engine::runs::{self, TrainingCommand};
use serde::Serialize;
use serde_json::{Value, json};

use super::plan;
use crate::arguments::{Check, Judgement};
use crate::context::Context;
use crate::exit::{Failure, Outcome};
use crate::page::{BOLD, Page};
use crate::words::{Words, visible};

pub(crate) async fn check(context: &Context, arguments: &Check) -> Outcome {
    let plan = plan::read(&arguments.plan)?;
    let engine = context.engine()?;
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
    /// What was asked to be accepted and cannot be, because it is certain.
    refused: Vec<String>,
}

/// A report as a program reads it.
#[derive(Debug, Serialize)]
struct Told<'a> {
    verdict: Verdict,
    accepted: &'a [String],
    command: &'a TrainingCommand,
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
    let Target::ThisComputer { python, .. } = &plan.target;
    if let Some(python) = python.as_ref().filter(|_| judgement.trust_python) {
        engine.accept_python(python)?;
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
    Ok(Judged { report, verdict, accepted, command, refused })
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
        for code in &self.refused {
            let text = page.words.say(&Message::new("cli-start-anyway-refused").with("code", code.as_str()));
            page.paragraph(0, "", BOLD, &text);
        }
        page.verdict(&self.report, self.verdict);
    }

    fn told(&self, words: &Words) -> Told<'_> {
        let Self { report, verdict, accepted, command, .. } = self;
        let findings = findings_json(words, &report.findings);
        Told { verdict: *verdict, accepted, command, at_ms: report.at_ms, links: &report.links, findings }
    }
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
    let Target::ThisComputer { device, .. } = &plan.target;
    let training = &plan.training;
    let message = Message::new("cli-headline")
        .with("model", plan.model.name.as_str())
        // As in the plan, without separators.
        .with("imgsz", training.imgsz.to_string())
        .with("batch", training.batch)
        .with("epochs", training.epochs)
        .with("device", device.to_string());
    let text = page.words.say(&message);
    page.line(&format!("{BOLD}{}{BOLD:#}", visible(&plan.dataset.to_string_lossy())));
    page.line(&text);
}
