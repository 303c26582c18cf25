//! Why a run of this app failed, by its id.

use std::path::Path;
use std::sync::Arc;

use preflight_core::diagnosis::{Confidence, Difference, Earlier, RunDiagnosis};
use preflight_core::report::{Link, Verdict};
use preflight_core::text::Message;
use preflight_engine::report::{self, Account, PageForm};
use preflight_engine::runs;
use serde::Serialize;
use serde_json::Value;

use super::super::check::findings_json;
use super::{Other, Piece, judgement, others, pieces};
use crate::context::Context;
use crate::exit::{Exit, Outcome};
use crate::page::{BOLD, PLAIN, Page};
use crate::words::visible;

/// A run's diagnosis as a program reads it.
#[derive(Debug, Serialize)]
pub(crate) struct Told<'a> {
    run: &'a str,
    verdict: Verdict,
    /// `cuda_oom` or `unknown`.
    cause: &'a str,
    confidence: Confidence,
    evidence: Vec<Piece>,
    others: Vec<Other>,
    /// What is different from the last run that went well.
    changes: &'a [Difference],
    good: Option<&'a Earlier>,
    links: &'a [Link],
    findings: Vec<Value>,
}

/// The run that is meant: a file that is there is a log.
pub(super) fn meant(log: &Path) -> Option<String> {
    let is_name = log.components().count() == 1 && log != Path::new("-") && !log.exists();
    let name = log.to_str().filter(|_| is_name)?;
    // What looks like an id rather than a file's name that is not there.
    (name == "latest"
        || name.len() > 15
            && name.as_bytes().get(8) == Some(&b'-')
            && name[..8].bytes().all(|sign| sign.is_ascii_digit()))
    .then(|| name.to_owned())
}

/// Writes the bundle about a failed run: `preflight runs bundle`.
pub(crate) async fn bundle(context: &Context, id: String, to: Option<std::path::PathBuf>) -> Outcome {
    let engine = Arc::new(context.engine()?);
    let (asked, name) = (Arc::clone(&engine), id.clone());
    let bundle = context.blocking(move || runs::bundle(&asked, &name)).await??;
    let Some(path) = to else {
        // Only what would be in it.
        if context.output.is_json() {
            context.output.json(&bundle)?;
        } else {
            let mut page = context.page();
            for piece in &bundle.files {
                let taken: u32 = piece.taken.values().sum();
                let text = Message::new("ended-bundle-piece").with("bytes", piece.bytes).with("taken", taken);
                page.table(&[(piece.name.clone(), context.words.say(&text))]);
            }
            page.blank();
            page.paragraph(0, "", PLAIN, &context.words.get("ended-bundle-how"));
            context.output.print(&page.text())?;
        }
        return Ok(Exit::Clear);
    };
    let written = path.clone();
    context.blocking(move || runs::save_bundle(&engine, &id, &written)).await??;
    context.output.path(&path)?;
    Ok(Exit::Clear)
}

pub(super) async fn diagnose(context: &Context, id: String) -> Outcome {
    let engine = Arc::new(context.engine()?);
    let id = super::super::runs::named(&engine, &id)?.record.id;
    let (asked, name) = (Arc::clone(&engine), id.clone());
    let Some(diagnosis) = context.blocking(move || runs::diagnose(&asked, &name)).await?? else {
        if context.output.is_json() {
            context.output.json(&serde_json::json!({"run": id, "cause": "none"}))?;
        } else {
            let text = Message::new("cli-diagnosis-of-none").with("id", id.as_str());
            context.output.print(&context.words.say(&text))?;
        }
        return Ok(Exit::Clear);
    };
    let verdict = diagnosis.report.verdict(&[], false);
    if context.output.is_json() {
        context.output.json(&json(context, &id, &diagnosis))?;
    } else if context.output.is_html() {
        let html = report::page(&Account::of_run(&id, &diagnosis), context.words.texts(), PageForm::Html);
        context.output.bytes(html.as_bytes())?;
    } else {
        let mut page = context.page();
        page.line(&format!("{BOLD}{}{BOLD:#}", visible(&id)));
        page.blank();
        tell(context, &mut page, &diagnosis);
        context.output.print(&page.text())?;
    }
    Ok(verdict.into())
}

/// A diagnosis as a program reads it.
pub(crate) fn json<'a>(context: &Context, id: &'a str, diagnosis: &'a RunDiagnosis) -> Told<'a> {
    Told {
        run: id,
        verdict: diagnosis.report.verdict(&[], false),
        cause: &diagnosis.cause,
        confidence: diagnosis.confidence,
        evidence: pieces(&diagnosis.quotes),
        others: others(context, &diagnosis.others),
        changes: &diagnosis.changes,
        good: diagnosis.good.as_ref(),
        links: &diagnosis.report.links,
        findings: findings_json(&context.words, &diagnosis.report.findings),
    }
}

/// A diagnosis as a person reads it.
pub(crate) fn tell(context: &Context, page: &mut Page<'_>, diagnosis: &RunDiagnosis) {
    page.chain(&diagnosis.report.links);
    page.findings(&diagnosis.report.findings);
    let confidence = (diagnosis.cause != "unknown").then_some(diagnosis.confidence);
    judgement(context, page, confidence, &diagnosis.others);
    if let Some(good) = &diagnosis.good {
        page.blank();
        let title = if diagnosis.changes.is_empty() { "ended-nothing-changed" } else { "ended-changed-since" };
        let title = context.words.say(&Message::new(title).with("id", good.id.as_str()));
        page.paragraph(0, "", PLAIN, &title);
        let change = |change: &Difference| {
            let value = format!("{} → {}", visible(&change.before), visible(&change.now));
            (context.words.say(&change.what), value)
        };
        page.table(&diagnosis.changes.iter().map(change).collect::<Vec<_>>());
    }
}
