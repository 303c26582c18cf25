//! `preflight dataset`: what is in a dataset, and what is wrong with it.

use std::sync::Arc;

use preflight_core::dataset::{Dataset, Split, SplitKind};
use preflight_core::report::Report;
use preflight_core::text::Message;
use serde_json::json;

use super::check::findings_json;
use super::sample::absolute;
use crate::arguments;
use crate::context::Context;
use crate::exit::{Failure, Outcome};
use crate::page::{BOLD, PLAIN, Page};
use crate::words::visible;

/// More class names than a person reads; JSON has all of them.
const MOST_CLASSES: usize = 100;

pub(crate) async fn dataset(context: &Context, arguments: arguments::Dataset) -> Outcome {
    let path = absolute(arguments.path)?;
    let engine = context.engine()?;
    let live = Arc::clone(&context.live);
    let reading = context.words.get("cli-reading");
    let progress = Arc::new(move |done, all| {
        live.update(&if all == 0 { reading.clone() } else { format!("{reading} {done} / {all}") });
    });
    let answer = engine.dataset(&path, progress, context.interrupt.clone()).await;
    context.live.clear();
    let dataset = match answer {
        Err(_) if context.interrupt.is_cancelled() => return Err(Failure::Interrupted),
        answer => answer?,
    };
    // Its links are not looked at: only the findings count here.
    let report = Report::new(0, dataset.findings.clone(), &[]);
    let verdict = report.verdict(&[], arguments.strict);
    if context.output.is_json() {
        let mut value = json!(*dataset);
        value["verdict"] = json!(verdict);
        value["findings"] = json!(findings_json(&context.words, &report.findings));
        context.output.json(&value)?;
    } else {
        let mut page = context.page();
        describe(&mut page, &dataset);
        page.findings(&report.findings);
        page.blank();
        page.verdict(&report, verdict);
        context.output.print(&page.text())?;
    }
    Ok(verdict.into())
}

fn describe(page: &mut Page<'_>, dataset: &Dataset) {
    let place = dataset.yaml.as_ref().unwrap_or(&dataset.root);
    page.line(&format!("{BOLD}{}{BOLD:#}", visible(&place.to_string_lossy())));
    let mut names = dataset.names.iter().take(MOST_CLASSES).map(String::as_str).collect::<Vec<_>>();
    if names.len() < dataset.names.len() {
        names.push("…");
    }
    let classes = Message::new("cli-classes").with("count", dataset.names.len()).with("names", names.join(", "));
    let text = page.words.say(&classes);
    page.paragraph(0, "", PLAIN, &text);
    if !dataset.splits.is_empty() {
        page.blank();
    }
    let rows: Vec<_> = dataset.splits.iter().map(|split| row(page, split)).collect();
    page.table(&rows);
}

fn row(page: &Page<'_>, split: &Split) -> (String, String) {
    let name = match split.kind {
        SplitKind::Train => "cli-split-train",
        SplitKind::Val => "cli-split-val",
        SplitKind::Test => "cli-split-test",
    };
    let counts = Message::new("cli-split-counts")
        .with("images", split.images)
        .with("background", split.background)
        .with("corrupt", split.corrupt)
        .with("instances", split.instances);
    (page.words.get(name), page.words.say(&counts))
}
