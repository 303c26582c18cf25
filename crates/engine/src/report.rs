//! Why a training failed, as a page to keep, to send and to print: HTML that needs nothing else, or Markdown.

mod html;
mod markdown;

use preflight_core::diagnosis::{Confidence, Diagnosis, Difference, Earlier, Other, RunDiagnosis};
use preflight_core::finding::{Evidence, Finding, Remedy};
use preflight_core::report::{Link, LinkState};
use preflight_core::text::{Message, Texts};
use serde::{Deserialize, Serialize};

/// What a page is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum PageForm {
    /// HTML.
    Html,
    /// Markdown.
    Markdown,
}

impl PageForm {
    /// The ending of its files' names.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Markdown => "md",
        }
    }
}

/// Everything a page tells.
#[derive(Debug)]
pub struct Account<'a> {
    name: &'a str,
    finding: &'a Finding,
    /// `None`: the cause was not found.
    confidence: Option<Confidence>,
    links: &'a [Link],
    others: &'a [Other],
    good: Option<(&'a Earlier, &'a [Difference])>,
    known: &'a [Evidence],
}

impl<'a> Account<'a> {
    /// Of a run.
    #[must_use]
    pub fn of_run(id: &'a str, diagnosis: &'a RunDiagnosis) -> Self {
        Self {
            name: id,
            finding: &diagnosis.finding,
            confidence: (diagnosis.cause != "unknown").then_some(diagnosis.confidence),
            links: &diagnosis.report.links,
            others: &diagnosis.others,
            good: diagnosis.good.as_ref().map(|good| (good, diagnosis.changes.as_slice())),
            known: &diagnosis.known,
        }
    }

    /// Of a log.
    #[must_use]
    pub fn of_log(name: &'a str, diagnosis: &'a Diagnosis, links: &'a [Link]) -> Self {
        let found = matches!(diagnosis.cause, preflight_core::diagnosis::Cause::Found(_));
        Self {
            name,
            finding: &diagnosis.finding,
            confidence: found.then_some(diagnosis.confidence),
            links,
            others: &diagnosis.others,
            good: None,
            known: &[],
        }
    }
}

/// A part of a page.
enum Part {
    Title(String),
    /// What is read first, and its explanation.
    Cause(String, String),
    Heading(String),
    Line(String),
    /// Lines of a log, from this one on.
    Log(u32, String),
    Rows(Vec<(String, String)>),
    List(Vec<String>),
    /// The chain: how a link stands, its name, and that in words.
    Chain(Vec<(LinkState, String, String)>),
}

/// The page.
#[must_use]
pub fn page(account: &Account<'_>, texts: &Texts, form: PageForm) -> String {
    let parts = parts(account, texts);
    match form {
        PageForm::Html => html::page(&parts, texts),
        PageForm::Markdown => markdown::page(&parts),
    }
}

fn parts(account: &Account<'_>, texts: &Texts) -> Vec<Part> {
    let say = |message: &Message| message.render(texts);
    let get = |id: &str| say(&Message::new(id));
    let found = |message: &Message| texts.render(&message.id, &message.args);
    let finding = account.finding;
    let mut parts = vec![Part::Title(say(&Message::new("ended-report").with("name", account.name)))];
    parts.push(Part::Cause(say(&finding.title()), found(&finding.detail()).unwrap_or_default()));
    if let Some(verb) = finding.verb {
        let verb = serde_json::to_value(verb).ok().and_then(|verb| verb.as_str().map(str::to_owned));
        let verb = verb.unwrap_or_default();
        parts.push(Part::Line(format!("{}: {}", get(&format!("verb-{verb}")), get(&format!("verb-about-{verb}")))));
    }
    let word = |link: &Link| {
        let state = serde_json::to_value(link.state).ok().and_then(|state| state.as_str().map(str::to_owned));
        let state = state.unwrap_or_default().replace('_', "-");
        let name = get(&format!("stage-{}", link.stage.name().replace('_', "-")));
        // A report tells of a training that broke off there.
        let word = if link.state == LinkState::Blocker { get("link-stopped") } else { get(&format!("link-{state}")) };
        (link.state, name, word)
    };
    parts.push(Part::Chain(account.links.iter().map(word).collect()));
    parts.push(Part::Heading(get("ended-why")));
    parts.push(Part::Line(get(match account.confidence {
        Some(Confidence::Certain) => "cli-diagnosis-certain",
        Some(Confidence::Likely) => "cli-diagnosis-likely",
        Some(Confidence::Possible) => "cli-diagnosis-possible",
        None => "ended-not-found",
    })));
    let mut rows = Vec::new();
    for evidence in &finding.evidence {
        match evidence {
            Evidence::Log { line, text } => parts.push(Part::Log(*line, text.trim_end().to_owned())),
            Evidence::Value { name, value } => rows.push((say(name), value.clone())),
            Evidence::File { path, line, text } => {
                let line = line.map(|line| format!(":{line}")).unwrap_or_default();
                rows.push((format!("{}{line}", path.display()), text.clone().unwrap_or_default()));
            }
        }
    }
    if !rows.is_empty() {
        parts.push(Part::Rows(rows));
    }
    parts.push(Part::Heading(get("ended-what-to-do")));
    parts.push(Part::List(finding.remedies.iter().map(|remedy: &Remedy| say(&remedy.message())).collect()));
    if !account.others.is_empty() {
        parts.push(Part::Heading(get("ended-what-else")));
        let other = |other: &Other| match found(&other.detail) {
            Some(detail) => format!("{}. {detail}", say(&other.title)),
            None => say(&other.title),
        };
        parts.push(Part::List(account.others.iter().map(other).collect()));
    }
    if let Some((good, changes)) = account.good {
        parts.push(Part::Heading(get("ended-what-changed")));
        let id = if changes.is_empty() { "ended-nothing-changed" } else { "ended-changed-since" };
        parts.push(Part::Line(say(&Message::new(id).with("id", good.id.as_str()))));
        let row = |change: &Difference| (say(&change.what), format!("{} → {}", change.before, change.now));
        if !changes.is_empty() {
            parts.push(Part::Rows(changes.iter().map(row).collect()));
        }
    }
    let known = account.known.iter().filter_map(|known| match known {
        Evidence::Value { name, value } => Some((say(name), value.clone())),
        _ => None,
    });
    let known: Vec<_> = known.collect();
    if !known.is_empty() {
        parts.push(Part::Heading(get("ended-what-is-known")));
        parts.push(Part::Rows(known));
    }
    parts
}
