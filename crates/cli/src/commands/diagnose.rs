//! `preflight diagnose`: what ended a training, from its log and what is known besides.

mod rows;
pub(crate) mod run;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use preflight_core::diagnosis::{Cause, Confidence, Diagnosis, Scan, Source};
use preflight_core::problem::Problem;
use preflight_core::report::{Link, Verdict};
use preflight_core::text::Message;
use preflight_engine::report::{Account, PageForm, page};
use serde::Serialize;
use serde_json::Value;

use super::check::findings_json;
use crate::arguments::Diagnose;
use crate::context::Context;
use crate::exit::{Exit, Outcome};
use crate::page::{BOLD, PLAIN, Page};
use crate::words::visible;

/// How much of a log is read at once.
const BLOCK: usize = 1 << 18;

/// A diagnosis as a program reads it.
#[derive(Debug, Serialize)]
struct Told {
    verdict: Verdict,
    /// `cuda_oom`, `none` or `unknown`.
    cause: String,
    confidence: Confidence,
    /// The proof, to the byte.
    evidence: Vec<Piece>,
    others: Vec<Other>,
    links: Vec<Link>,
    findings: Vec<Value>,
}

/// A piece of evidence.
#[derive(Debug, Serialize)]
pub(crate) struct Piece {
    /// `log` or `facts`.
    of: &'static str,
    /// Its first byte, and the one behind its last, counted from 0.
    start: u64,
    end: u64,
    /// Counted from 1.
    line: u64,
    text: String,
}

/// What else it could be.
#[derive(Debug, Serialize)]
pub(crate) struct Other {
    cause: String,
    title: String,
}

pub(crate) async fn diagnose(context: &Context, arguments: Diagnose) -> Outcome {
    if let Some(file) = arguments.rows {
        let answers = context.blocking(move || rows::diagnose(&file)).await??;
        context.output.bytes(answers.trim_end().as_bytes())?;
        return Ok(Exit::Clear);
    }
    let Diagnose { log, facts, .. } = arguments;
    if let Some(id) = log.as_deref().and_then(run::meant) {
        return run::diagnose(context, id).await;
    }
    let name = log.clone().unwrap_or_default();
    let work = move || read(&log.unwrap_or_default(), facts.as_deref());
    let diagnosis = context.blocking(work).await??;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let report = diagnosis.report(u64::try_from(now.as_millis()).unwrap_or_default());
    let verdict = report.verdict(&[], false);
    if context.output.is_json() {
        let told = Told {
            verdict,
            cause: diagnosis.cause.label(),
            confidence: diagnosis.confidence,
            evidence: pieces(&diagnosis.quotes),
            others: others(context, &diagnosis.others),
            links: report.links,
            findings: findings_json(&context.words, &report.findings),
        };
        context.output.json(&told)?;
    } else if context.output.is_html() {
        let name = name.to_string_lossy();
        let account = Account::of_log(&name, &diagnosis, &report.links);
        context.output.bytes(page(&account, context.words.texts(), PageForm::Html).as_bytes())?;
    } else {
        let mut page = context.page();
        page.line(&format!("{BOLD}{}{BOLD:#}", visible(&name.to_string_lossy())));
        page.blank();
        page.chain(&report.links);
        page.findings(&report.findings);
        let confidence = matches!(diagnosis.cause, Cause::Found(_)).then_some(diagnosis.confidence);
        judgement(context, &mut page, confidence, &diagnosis.others);
        context.output.print(&page.text())?;
    }
    Ok(verdict.into())
}

/// How sure a cause is, and what else it could be.
fn judgement(
    context: &Context,
    page: &mut Page<'_>,
    confidence: Option<Confidence>,
    alike: &[preflight_core::diagnosis::Other],
) {
    if let Some(confidence) = confidence {
        page.blank();
        let sure = context.words.get(match confidence {
            Confidence::Certain => "cli-diagnosis-certain",
            Confidence::Likely => "cli-diagnosis-likely",
            Confidence::Possible => "cli-diagnosis-possible",
        });
        page.paragraph(0, "", PLAIN, &sure);
    }
    for other in others(context, alike) {
        let text = Message::new("cli-diagnosis-other").with("title", other.title).with("cause", other.cause);
        let text = context.words.say(&text);
        page.paragraph(0, "", PLAIN, &text);
    }
}

fn pieces(quotes: &[preflight_core::diagnosis::Quote]) -> Vec<Piece> {
    let piece = |quote: &preflight_core::diagnosis::Quote| Piece {
        of: if quote.source == Source::Log { "log" } else { "facts" },
        start: quote.start,
        end: quote.end,
        line: quote.line,
        text: quote.text.clone(),
    };
    quotes.iter().map(piece).collect()
}

fn others(context: &Context, others: &[preflight_core::diagnosis::Other]) -> Vec<Other> {
    let others = others.iter();
    let other = |other: &preflight_core::diagnosis::Other| Other {
        cause: other.cause.replace('-', "_"),
        title: context.words.say(&other.title),
    };
    others.map(other).collect()
}

/// Reads a log of any length, `-` for what is piped in, and what is known besides.
fn read(log: &Path, facts: Option<&Path>) -> Result<Diagnosis, Problem> {
    let unreadable = |error: std::io::Error| Problem::new("diagnosis.log-unreadable").with("path", log).because(&error);
    let mut scan = Scan::new();
    let mut source: Box<dyn Read> = if log == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(log).map_err(unreadable)?)
    };
    let mut block = vec![0; BLOCK];
    loop {
        match source.read(&mut block) {
            Ok(0) => break,
            Ok(read) => scan.feed(&block[..read]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unreadable(error)),
        }
    }
    scan.settle();
    if let Some(facts) = facts {
        scan.know(&known(facts)?);
    }
    Ok(scan.diagnose())
}

/// Facts as lines: JSON with a line for each value and its path, any other text as it is.
fn known(file: &Path) -> Result<String, Problem> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Problem::new("diagnosis.facts-unreadable").with("path", file).because(&error))?;
    let Ok(value) = serde_json::from_str::<Value>(&text) else { return Ok(text) };
    let mut lines = String::new();
    flatten("", &value, &mut lines);
    Ok(lines)
}

fn flatten(name: &str, value: &Value, lines: &mut String) {
    let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| flatten(&below(key), value, lines)),
        Value::Array(values) => values.iter().for_each(|value| flatten(name, value, lines)),
        Value::Null => {}
        Value::String(text) => lines.push_str(&format!("{name}: {text}\n")),
        other => lines.push_str(&format!("{name}: {other}\n")),
    }
}
