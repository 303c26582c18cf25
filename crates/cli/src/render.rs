//! Reports and problems as text: calm, in 80 columns, readable in a log without colours.

use anstyle::{AnsiColor, Style};
use preflight_core::finding::{Action, Certainty, Evidence, Finding, PlanChange, Remedy, Severity, Stage, Verb};
use preflight_core::problem::Problem;
use preflight_core::report::{Link, LinkState, Report, Verdict};
use preflight_core::text::{Message, Value};

use crate::page::{BOLD, DIM, PLAIN, Page};
use crate::words::visible;
use crate::wrap::columns;

#[cfg(test)]
mod tests;

const GOOD: Style = AnsiColor::Green.on_default();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// More pieces of evidence than a person reads; JSON has all of them.
const MOST_EVIDENCE: u32 = 8;
/// Links in one row of the chain.
const LINKS_PER_ROW: usize = 5;

impl Page<'_> {
    /// Every link of the chain with its symbol.
    pub(crate) fn chain(&mut self, links: &[Link]) {
        let names: Vec<_> = links.iter().map(|link| self.words.get(&stage_id(link.stage))).collect();
        let widest = names.iter().map(|name| columns(name)).max().unwrap_or(0);
        let cells: Vec<_> = links.iter().zip(names).collect();
        for row in cells.chunks(LINKS_PER_ROW) {
            let mut text = String::new();
            let mut gap = 0;
            for (link, name) in row {
                let (symbol, style) = link_look(link.state);
                text.push_str(&format!("{}  {style}{symbol} {name}{style:#}", " ".repeat(gap)));
                gap = widest - columns(name);
            }
            self.line(&text);
        }
    }

    /// Findings, by link.
    pub(crate) fn findings(&mut self, findings: &[Finding]) {
        for stage in Stage::ALL {
            let of_stage: Vec<_> = findings.iter().filter(|finding| finding.stage == stage).collect();
            if of_stage.is_empty() {
                continue;
            }
            self.blank();
            let name = self.words.get(&stage_id(stage));
            self.paragraph(0, "", BOLD, &name);
            for finding in of_stage {
                self.finding(finding);
            }
        }
    }

    fn finding(&mut self, finding: &Finding) {
        let (symbol, style) = severity_look(finding.severity);
        let title = self.words.say(&finding.title());
        self.paragraph(2, &format!("{symbol} "), style, &title);
        if finding.severity == Severity::Ok {
            return;
        }
        self.label(finding);
        if let Some(detail) = self.words.find(&finding.detail()) {
            self.paragraph(4, "", PLAIN, &detail);
        }
        for evidence in finding.evidence.iter().take(MOST_EVIDENCE as usize) {
            self.evidence(evidence);
        }
        if finding.evidence.len() > MOST_EVIDENCE as usize {
            // A finding keeps examples only, and says how many there are.
            let kept = u32::try_from(finding.evidence.len()).map_or(f64::MAX, f64::from);
            let all = match finding.args.get("count") {
                Some(Value::Number(count)) => count.max(kept),
                _ => kept,
            };
            let more = all - f64::from(MOST_EVIDENCE);
            let more = self.words.say(&Message::new("cli-more-evidence").with("count", more));
            self.paragraph(6, "", DIM, &more);
        }
        for remedy in &finding.remedies {
            self.remedy(remedy);
        }
        if finding.severity == Severity::Blocker && finding.certainty == Certainty::Predicted {
            let accept = Message::new("cli-start-anyway").with("code", finding.code.as_str());
            let accept = self.words.say(&accept);
            self.paragraph(4, "→ ", PLAIN, &accept);
        }
    }

    /// What it is in words, and its code for scripts.
    fn label(&mut self, finding: &Finding) {
        let severity = match (finding.severity, finding.certainty) {
            (Severity::Blocker, Certainty::Predicted) => "cli-severity-predicted",
            (Severity::Blocker, Certainty::Certain) => "cli-severity-blocker",
            (Severity::Warning, _) => "cli-severity-warning",
            (Severity::Unknown, _) => "cli-severity-unknown",
            (Severity::Ok | Severity::Note, _) => "cli-severity-note",
        };
        let verb = finding.verb.map(|verb| match verb {
            Verb::Wait => "verb-wait",
            Verb::Change => "verb-change",
            Verb::Ask => "verb-ask",
        });
        let label: Vec<_> = [Some(severity), verb].into_iter().flatten().map(|id| self.words.get(id)).collect();
        self.paragraph(4, "", DIM, &format!("{} · {}", label.join(" · "), finding.code));
    }

    fn evidence(&mut self, evidence: &Evidence) {
        match evidence {
            Evidence::File { path, line, text } => {
                let mut place = visible(&path.to_string_lossy());
                if let Some(line) = line {
                    place.push_str(&format!(":{line}"));
                }
                match text.as_deref().filter(|text| !text.trim().is_empty()) {
                    Some(text) => self.line(&format!("{DIM}      {place}:{DIM:#} {}", visible(text.trim_end()))),
                    None => self.line(&format!("{DIM}      {place}{DIM:#}")),
                }
            }
            Evidence::Value { name, value } if value.is_empty() => {
                let name = self.words.say(name);
                self.paragraph(6, "", PLAIN, &name);
            }
            Evidence::Value { name, value } => {
                // A name can be a sentence; its full stop does not go before a colon.
                let name = self.words.say(name);
                let name = name.trim_end_matches(['.', '。']);
                let text = self.words.say(&Message::new("cli-value").with("name", name).with("value", value.as_str()));
                self.paragraph(6, "", PLAIN, &text);
            }
            Evidence::Log { line, text } => {
                for (number, text) in (*line..).zip(text.lines()) {
                    self.line(&format!("{DIM}      {number:>5} |{DIM:#} {}", visible(text.trim_end())));
                }
            }
        }
    }

    fn remedy(&mut self, remedy: &Remedy) {
        let mut text = self.words.say(&remedy.message());
        if let Some(command) = command(&remedy.action) {
            text = self.words.say(&Message::new("cli-value").with("name", text).with("value", command));
        }
        self.paragraph(4, "→ ", PLAIN, &text);
    }

    /// What could not be done, why, and what helps.
    pub(crate) fn problem(&mut self, problem: &Problem) {
        let message = self.words.say(&problem.message());
        self.paragraph(0, "✗ ", BAD, &message);
        for cause in &problem.causes {
            self.paragraph(2, "", DIM, &cause.lines().map(visible).collect::<Vec<_>>().join("\n"));
        }
        if let Some(help) = self.words.find(&problem.help()) {
            self.paragraph(2, "→ ", PLAIN, &help);
        }
    }

    /// What a report means for starting.
    pub(crate) fn verdict(&mut self, report: &Report, verdict: Verdict) {
        let count = |severity| report.findings.iter().filter(|finding| finding.severity == severity).count();
        let (id, symbol, style) = match verdict {
            Verdict::Clear => ("cli-verdict-clear", "✓", GOOD),
            Verdict::AskFirst => ("cli-verdict-ask-first", "✗", BAD),
            Verdict::Blocked => ("cli-verdict-blocked", "✗", BAD),
            Verdict::Undecided => ("cli-verdict-undecided", "?", DOUBTFUL),
        };
        let message = Message::new(id)
            .with("blockers", count(Severity::Blocker))
            .with("warnings", count(Severity::Warning))
            .with("unknowns", count(Severity::Unknown));
        let text = self.words.say(&message);
        self.paragraph(0, &format!("{symbol} "), style.bold(), &text);
    }
}

fn stage_id(stage: Stage) -> String {
    format!("stage-{}", stage.name().replace('_', "-"))
}

fn link_look(state: LinkState) -> (&'static str, Style) {
    match state {
        LinkState::NotNeeded => ("–", DIM),
        LinkState::Pending => ("·", DIM),
        LinkState::Active => ("…", PLAIN),
        LinkState::Paused => ("‖", PLAIN),
        LinkState::Cancelled => ("■", DIM),
        LinkState::Ok => ("✓", GOOD),
        LinkState::Warning => ("!", DOUBTFUL),
        LinkState::Unknown => ("?", DOUBTFUL),
        LinkState::Blocker => ("✗", BAD),
    }
}

fn severity_look(severity: Severity) -> (&'static str, Style) {
    match severity {
        Severity::Ok => ("✓", PLAIN),
        Severity::Note => ("i", PLAIN),
        Severity::Warning => ("!", DOUBTFUL),
        Severity::Unknown => ("?", DOUBTFUL),
        Severity::Blocker => ("✗", BAD),
    }
}

/// What to type for a remedy, where there is something to type: a command, or a line of the plan.
fn command(action: &Action) -> Option<String> {
    match action {
        Action::AcceptPython { .. } => Some("--trust-python".to_owned()),
        Action::CreateEnvironment => Some("preflight env create".to_owned()),
        Action::RepairEnvironment => Some("preflight env repair".to_owned()),
        Action::ChangePlan { change } => match change {
            PlanChange::Batch(batch) => Some(format!("batch = {batch}")),
            PlanChange::Imgsz(imgsz) => Some(format!("imgsz = {imgsz}")),
            PlanChange::Epochs(epochs) => Some(format!("epochs = {epochs}")),
            PlanChange::Device(device) => Some(format!("device = \"{device}\"")),
            PlanChange::FromScratch => Some("weights = \"scratch\"".to_owned()),
            PlanChange::Model(name) => Some(format!("name = \"{name}\"")),
            PlanChange::Workers(workers) => Some(format!("workers = {workers}")),
            PlanChange::Argument { name, value } => Some(format!("{name} = {value}")),
            PlanChange::Card(card) => Some(format!("card = \"{card}\"")),
            PlanChange::OwnEnvironment | PlanChange::Default(_) => None,
        },
        Action::FetchWeights { model, again } => {
            Some(format!("preflight weights fetch {model}{}", if *again { " --again" } else { "" }))
        }
        Action::EndProcess { pid } => Some(format!("kill {pid}")),
        Action::FreeDisk => Some("preflight runs delete ID".to_owned()),
        Action::OpenRun { run } => Some(format!("preflight runs show {run}")),
        Action::CancelRun { run } => Some(format!("preflight runs cancel {run}")),
        Action::SignIn { profile } => Some(format!("preflight login {profile}")),
        Action::ChooseDataset
        | Action::ChooseModel
        | Action::ChooseWeights
        | Action::OpenFile { .. }
        | Action::ResumeRun
        | Action::Recheck
        | Action::StartAgain
        | Action::MendDataset
        | Action::CopyDataset
        | Action::WriteTo
        | Action::Explain => None,
    }
}
