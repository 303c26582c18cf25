//! What ended a run: its log, and everything else that its folder tells.

use serde::{Deserialize, Serialize};

use super::compare::{Difference, differences};
use super::known::Known;
use super::mending::Fix;
use super::{Cause, Confidence, Diagnosis, Other, Quote, Scan};
use crate::dataset::Dataset;
use crate::finding::{Action, Applicability, Evidence, Finding, Remedy, Severity, Stage, Verb};
use crate::report::Report;
use crate::run::{GpuTrouble, Progress, RunRecord, RunState};

/// Places in files that are shown of what is known to be wrong with a dataset.
const PLACES: usize = 3;
/// Differences from the last good run that count as evidence of a cause.
const TELLING: usize = 3;

/// Everything that is known of a run besides its log.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'a> {
    /// What it was started with.
    pub record: &'a RunRecord,
    /// How it went.
    pub progress: &'a Progress,
    /// The dataset as it was judged before; `None`: not told.
    pub dataset: Option<&'a Dataset>,
    /// What was seen when it ended.
    pub ending: &'a [Known],
    /// The last run before it that went well and is like it.
    pub good: Option<(&'a RunRecord, &'a Progress)>,
}

/// A run that went well before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Earlier {
    /// Its id.
    pub id: String,
    /// When it was made, in milliseconds since 1970 UTC.
    pub created_ms: u64,
}

/// What ended a run, and what can be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct RunDiagnosis {
    /// `cuda_oom`, or `unknown`.
    pub cause: String,
    /// How sure that is.
    pub confidence: Confidence,
    /// The same with its words, its evidence and what mends it.
    pub finding: Finding,
    /// The evidence in the log, to the byte.
    #[cfg_attr(feature = "typescript", specta(skip))]
    pub quotes: Vec<Quote>,
    /// What else it could be, likeliest first.
    pub others: Vec<Other>,
    /// What is different from the last run that went well.
    pub changes: Vec<Difference>,
    /// Which that is.
    pub good: Option<Earlier>,
    /// What remedies make of the plan.
    pub fixes: Vec<Fix>,
    /// Everything that is known besides the log.
    pub known: Vec<Evidence>,
    /// Its chain, with the broken link.
    pub report: Report,
}

impl Circumstances<'_> {
    /// What is known besides the log, by name.
    #[must_use]
    pub fn known(&self) -> Vec<Known> {
        let (record, progress) = (self.record, self.progress);
        let mut known = Vec::new();
        let mut add = |name: &str, value: &str| {
            if !value.is_empty() {
                known.push(Known::new(name, value));
            }
        };
        if let Some(hardware) = &record.hardware {
            add("system", &hardware.system);
            add("driver", &hardware.driver);
            add("gpus", &hardware.gpus.join(", "));
        }
        add("python", &record.environment.python_version);
        add("torch", &record.environment.torch);
        add("ultralytics", &record.environment.ultralytics);
        add("device", &record.device);
        add("model", &record.plan.model.name);
        let training = &record.plan.training;
        let batch = if progress.batch_size > 0 { progress.batch_size } else { training.batch };
        add("batch", &batch.to_string());
        add("imgsz", &training.imgsz.to_string());
        add("workers", &training.workers.map(|workers| workers.to_string()).unwrap_or_default());
        for name in ["amp", "cache", "optimizer"] {
            add(name, &training.extra.get(name).map(ToString::to_string).unwrap_or_default());
        }
        add("trained-epochs", &progress.history.len().to_string());
        let lost = progress.usage.and_then(|usage| usage.gpu_trouble) == Some(GpuTrouble::Lost);
        add("gpu-state", if lost { "GPU is lost" } else { "" });
        if let Some((code, signal)) = progress.exit {
            add("exit-code", &code.map(|code| code.to_string()).unwrap_or_default());
            add("ended-by", &signal.map(signal_name).unwrap_or_default());
        }
        // Of several processes, the first one's words.
        if let Some((class, text, _)) = &progress.error {
            add("error", &format!("{class}: {}", text.replace('\n', " ")));
        }
        for finding in self.dataset.iter().flat_map(|dataset| &dataset.findings) {
            if finding.severity >= Severity::Warning {
                add("dataset-finding", &finding.code);
            }
        }
        // The last look before the end: what ended gave its memory back.
        if let Some((free, all)) = progress.usage.and_then(|usage| usage.memory_free) {
            known.push(Known::left("memory-left", free, all));
        }
        if let Some((free, all)) = progress.usage.and_then(|usage| usage.gpu_free) {
            known.push(Known::left("gpu-memory-left", free, all));
        }
        known.extend(self.ending.iter().cloned());
        known
    }

    /// What ended this run, from its log as far as it was read.
    #[must_use]
    pub fn diagnose(&self, scan: &mut Scan) -> RunDiagnosis {
        let changes = match self.good {
            Some(good) => differences(good, (self.record, self.progress)),
            None => Vec::new(),
        };
        let known = self.known();
        scan.given(&known, changes.iter().map(|change| change.name.clone()).collect());
        let said = scan.diagnose();
        let Diagnosis { cause, confidence, finding, quotes, others, .. } = said;
        let (cause, confidence, mut finding) = match cause {
            Cause::Found(cause) => {
                let finding = self.told(&cause, finding, &changes);
                (Cause::Found(cause), confidence, finding)
            }
            // A run that did not go well is not well, however its log looks.
            Cause::None | Cause::Unknown => match self.seen_at_the_end() {
                Some(seen) if is_a_cause(seen) && !seen.evidence.is_empty() => {
                    (Cause::of(seen), Confidence::Certain, seen.clone())
                }
                seen => (Cause::Unknown, confidence, untold(seen, finding)),
            },
        };
        if cause != Cause::Unknown && finding.verb == Some(Verb::Ask) {
            finding = finding.remedy(Remedy::new("run-write-to", Applicability::NeedsChoice, Action::WriteTo));
        }
        finding.remedies.retain(|remedy| self.applies(remedy));
        let known = known.iter().map(Known::evidence).collect();
        let fixes = finding.remedies.iter().filter_map(|remedy| Fix::of(remedy, &self.record.plan)).collect();
        let report = Report::of_failure(self.record, self.progress, finding.clone());
        let good = self.good.map(|(record, _)| Earlier { id: record.id.clone(), created_ms: record.created_ms });
        RunDiagnosis { cause: cause.label(), confidence, finding, quotes, others, changes, good, fixes, known, report }
    }

    /// A cause that was found, with what this run knows of it: its remedies, the files that are to blame, what changed.
    fn told(&self, cause: &str, mut finding: Finding, changes: &[Difference]) -> Finding {
        let rule = super::rules::RULES.rules.iter().map(|(rule, _)| rule).find(|rule| rule.cause == cause);
        let Some(rule) = rule else { return finding };
        let acts: Vec<Remedy> = rule.acts.iter().filter_map(|act| act.remedy(self)).collect();
        let explained = std::mem::take(&mut finding.remedies);
        let same = |remedy: &Remedy, others: &[Remedy]| {
            let acts = remedy.action != Action::Explain;
            others.iter().any(|other| other.id == remedy.id || (acts && other.action == remedy.action))
        };
        // Advice stays; a button that goes the same way is there already.
        let explained = explained.into_iter().map(|remedy| match &remedy.action {
            Action::ResumeRun
                if same(&remedy, &acts) || acts.iter().any(|act| Fix::of(act, &self.record.plan).is_some()) =>
            {
                Remedy { action: Action::Explain, applicability: Applicability::Manual, ..remedy }
            }
            _ => remedy,
        });
        let explained: Vec<Remedy> = explained.filter(|remedy| !same(remedy, &acts)).collect();
        // Tables of public reports know fewer links than this app.
        finding.stage = rule.link.unwrap_or(finding.stage);
        finding.remedies = acts.into_iter().chain(explained).collect();
        if finding.stage == Stage::Data {
            let (places, opening) = self.places();
            finding.evidence.extend(places);
            finding.remedies.extend(opening);
        }
        for change in changes.iter().filter(|change| rule.changed.contains(&change.name)).take(TELLING) {
            let value = format!("{} → {}", change.before, change.now);
            finding.evidence.push(Evidence::Value { name: change.what.clone(), value });
        }
        finding
    }

    /// The files and lines that were found to be wrong when the dataset was judged, and a way to open the first.
    fn places(&self) -> (Vec<Evidence>, Option<Remedy>) {
        let findings = self.dataset.iter().flat_map(|dataset| &dataset.findings);
        let wrong = findings.filter(|finding| finding.severity >= Severity::Warning);
        let places = wrong.flat_map(|finding| &finding.evidence);
        let places: Vec<Evidence> =
            places.filter(|seen| matches!(seen, Evidence::File { line: Some(_), .. })).take(PLACES).cloned().collect();
        let opening = places.iter().find_map(|seen| match seen {
            Evidence::File { path, line, .. } => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let action = Action::OpenFile { path: path.clone(), line: *line };
                Some(Remedy::new("open-file", Applicability::Manual, action).with("file", name))
            }
            _ => None,
        });
        (places, opening)
    }

    /// What the supervisor saw of the end.
    fn seen_at_the_end(&self) -> Option<&Finding> {
        self.progress.findings.iter().rfind(|finding| finding.severity == Severity::Blocker)
    }

    /// Whether a remedy can be had here.
    fn applies(&self, remedy: &Remedy) -> bool {
        match remedy.action {
            Action::ResumeRun => self.progress.state.is_resumable(),
            Action::Recheck => false,
            _ => true,
        }
    }

    /// Whether there is something to explain.
    #[must_use]
    pub fn is_due(progress: &Progress) -> bool {
        matches!(progress.state, RunState::Failed | RunState::Lost)
            || (progress.state == RunState::Paused
                && progress.findings.iter().any(|finding| finding.severity == Severity::Blocker))
    }
}

/// Whether what the supervisor saw says why, rather than only that the trainer ended.
fn is_a_cause(seen: &Finding) -> bool {
    !matches!(seen.code.as_str(), "train.failed" | "train.ended" | "train.ended-unseen" | "train.killed")
}

/// No cause was recognised: what the supervisor saw of the end says more than nothing.
fn untold(seen: Option<&Finding>, unknown: Finding) -> Finding {
    let Some(seen) = seen else { return unknown };
    let mut finding = seen.clone();
    // The link that is lit is the one that is known to have failed; what the log's lines speak of is said beside it.
    if unknown.stage != Stage::Train {
        finding.evidence.push(Evidence::Value { name: unknown.detail(), value: String::new() });
    }
    if seen.evidence.is_empty() {
        finding.evidence.extend(unknown.evidence);
    }
    for remedy in unknown.remedies {
        if !finding.remedies.iter().any(|other| other.id == remedy.id) {
            finding.remedies.push(remedy);
        }
    }
    finding
}

/// A signal as people know it.
fn signal_name(signal: i32) -> String {
    match signal {
        2 => "SIGINT (2)".to_owned(),
        6 => "SIGABRT (6)".to_owned(),
        7 => "SIGBUS (7)".to_owned(),
        9 => "SIGKILL (9)".to_owned(),
        11 => "SIGSEGV (11)".to_owned(),
        15 => "SIGTERM (15)".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
