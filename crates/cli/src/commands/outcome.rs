//! A run as a result.

use std::path::Path;

use preflight_core::finding::{Evidence, Finding};
use preflight_core::run::{Progress, RunRecord, RunState};
use preflight_core::text::Message;
use preflight_engine::Engine;
use preflight_engine::runs::{self, Log, Run};
use serde::Serialize;

use super::diagnose;
use super::follow::{metric, state_id};
use crate::context::Context;
use crate::exit::Failure;
use crate::page::{DIM, PLAIN, Page};
use crate::words::{Words, visible};

/// Lines of the raw log that a failed run is shown with.
const LOG_TAIL: u32 = 12;

/// A run as a program reads it.
#[derive(Debug, Serialize)]
pub(crate) struct Told<'a> {
    id: &'a str,
    state: RunState,
    /// Why it failed, in a line.
    why: Option<Why>,
    folder: &'a Path,
    record: &'a RunRecord,
    progress: &'a Progress,
    note: &'a str,
    /// Why it failed, with everything that tells it; of one run only.
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnosis: Option<diagnose::run::Told<'a>>,
}

/// Why a run failed, in a line.
#[derive(Debug, Serialize)]
struct Why {
    cause: String,
    title: String,
}

impl<'a> Told<'a> {
    pub(crate) fn of(words: &Words, run: &'a Run) -> Self {
        let Run { folder, record, progress, note } = run;
        let why = run.why().map(|why| Why { title: words.say(&why.title), cause: why.cause });
        Self { id: &record.id, state: progress.state, why, folder, record, progress, note, diagnosis: None }
    }
}

/// How a run ended, or how it stands: its figures and weights, or what broke it.
pub(crate) fn answer(context: &Context, engine: &Engine, run: &Run) -> Result<(), Failure> {
    if context.output.is_json() {
        return json(context, engine, run);
    }
    let mut page = context.page();
    match run.progress.state {
        RunState::Succeeded => results(&mut page, &run.progress),
        state => {
            let state = page.words.get(state_id(state));
            page.line(&format!("✗ {state}"));
            broken(context, &mut page, engine, run)?;
        }
    }
    context.output.print(&page.text())?;
    Ok(())
}

/// The same for a program, with why it failed.
pub(crate) fn json(context: &Context, engine: &Engine, run: &Run) -> Result<(), Failure> {
    // Worked out first: the line is taken from it.
    let diagnosis = runs::diagnose(engine, &run.record.id)?;
    let diagnosis = diagnosis.as_ref().map(|said| diagnose::run::json(context, &run.record.id, said));
    context.output.json(&Told { diagnosis, ..Told::of(&context.words, run) })?;
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

/// Whether a finding's evidence has the trainer's last words.
fn shows(finding: &Finding, text: &str) -> bool {
    let last = text.lines().next().unwrap_or(text);
    finding.evidence.iter().any(|evidence| matches!(evidence, Evidence::Log { text, .. } if text.contains(last)))
}

/// What broke a run: why it failed, as far as that is known, or else what was found and the end of its log.
pub(crate) fn broken(context: &Context, page: &mut Page<'_>, engine: &Engine, run: &Run) -> Result<(), Failure> {
    let diagnosis = runs::diagnose(engine, &run.record.id)?;
    if let Some(diagnosis) = &diagnosis {
        diagnose::run::tell(context, page, diagnosis);
        // The evidence may be what came before; what the trainer itself ended with is never left out.
        if let Some((class, text, _)) = &run.progress.error
            && !shows(&diagnosis.finding, text)
        {
            page.paragraph(2, "", PLAIN, &visible(&format!("{class}: {text}")));
        }
    } else if !run.progress.findings.is_empty() {
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
    let found = diagnosis.map(|said| said.finding);
    let evidence = found.iter().chain(&run.progress.findings).flat_map(|finding| &finding.evidence);
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
    page.blank();
    for message in more {
        let text = page.words.say(&message);
        page.paragraph(2, "→ ", PLAIN, &text);
    }
    Ok(())
}

fn page_message(id: &str, run: &Run) -> Message {
    Message::new(id).with("id", run.record.id.as_str())
}
