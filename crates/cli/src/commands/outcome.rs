//! A run as a result.

use std::path::Path;

use preflight_core::finding::Evidence;
use preflight_core::run::{Progress, RunRecord, RunState};
use preflight_core::text::Message;
use preflight_engine::runs::{Log, Run};
use serde::Serialize;

use super::follow::{metric, state_id};
use crate::context::Context;
use crate::exit::Failure;
use crate::page::{DIM, PLAIN, Page};
use crate::words::visible;

/// Lines of the raw log that a failed run is shown with.
const LOG_TAIL: u32 = 12;

/// A run as a program reads it.
#[derive(Debug, Serialize)]
pub(crate) struct Told<'a> {
    id: &'a str,
    state: RunState,
    folder: &'a Path,
    record: &'a RunRecord,
    progress: &'a Progress,
    note: &'a str,
}

impl<'a> From<&'a Run> for Told<'a> {
    fn from(run: &'a Run) -> Self {
        let Run { folder, record, progress, note } = run;
        Self { id: &record.id, state: progress.state, folder, record, progress, note }
    }
}

/// How a run ended: its figures and weights, or what broke it.
pub(crate) fn answer(context: &Context, run: &Run) -> Result<(), Failure> {
    if context.output.is_json() {
        context.output.json(&Told::from(run))?;
        return Ok(());
    }
    let mut page = context.page();
    match run.progress.state {
        RunState::Succeeded => results(&mut page, &run.progress),
        state => {
            let state = page.words.get(state_id(state));
            page.line(&format!("✗ {state}"));
            broken(&mut page, run)?;
        }
    }
    context.output.print(&page.text())?;
    Ok(())
}

/// The final figures and the best weights.
pub(crate) fn results(page: &mut Page<'_>, progress: &Progress) {
    let figures = ["mAP50", "mAP50-95"].into_iter().filter_map(|name| {
        let value = metric(&progress.metrics, name)?;
        Some((name.to_owned(), format!("{value:.3}")))
    });
    let mut rows: Vec<_> = figures.collect();
    rows.extend(progress.best.iter().map(|best| ("best.pt".to_owned(), visible(&best.to_string_lossy()))));
    page.table(&rows);
}

/// What broke a run: what was found, or else the trainer's own words and the end of its log.
pub(crate) fn broken(page: &mut Page<'_>, run: &Run) -> Result<(), Failure> {
    if !run.progress.findings.is_empty() {
        page.findings(&run.progress.findings);
    } else if let Some((class, text, _)) = &run.progress.error {
        page.paragraph(2, "", PLAIN, &visible(&format!("{class}: {text}")));
    }
    let resume = || page_message("cli-run-resume", run);
    if matches!(run.progress.state, RunState::Cancelled | RunState::Paused) {
        if run.progress.state == RunState::Paused || !run.progress.history.is_empty() {
            let more = page.words.say(&resume());
            page.paragraph(2, "→ ", PLAIN, &more);
        }
        return Ok(());
    }
    let evidence = run.progress.findings.iter().flat_map(|finding| &finding.evidence);
    if !evidence.into_iter().any(|evidence| matches!(evidence, Evidence::Log { .. })) {
        let mut log = Log::open(&run.folder);
        let total = log.page(0, 0)?.total;
        let tail = log.page(total.saturating_sub(LOG_TAIL), LOG_TAIL)?;
        for (number, line) in (tail.first + 1..).zip(&tail.lines) {
            page.line(&format!("{DIM}  {number:>5} |{DIM:#} {}", visible(line)));
        }
    }
    let mut more = vec![page_message("cli-run-logs", run)];
    if !run.progress.history.is_empty() || run.progress.state == RunState::Lost {
        more.insert(0, resume());
    }
    for message in more {
        let text = page.words.say(&message);
        page.paragraph(2, "→ ", PLAIN, &text);
    }
    Ok(())
}

fn page_message(id: &str, run: &Run) -> Message {
    Message::new(id).with("id", run.record.id.as_str())
}
