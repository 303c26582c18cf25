//! What the supervisor finds: why a run failed, rests or was lost, as far as its end alone tells.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use preflight_core::finding::{Action, Applicability, Evidence, Finding, PlanChange, Remedy, Stage, Verb};
use preflight_core::problem::Problem;
use preflight_core::run::{Progress, RunRecord};

use super::log::shown;
use super::process::Exit;
use super::space::Space;
use super::supervisor::rebooted_since;

/// Lines of the log that are shown: the end of a traceback and what led to it.
const LINES: usize = 15;
/// Bytes of the log's end that are looked at. One line of them may be a bar that was redrawn for an hour.
const END: u64 = 256 * 1024;
/// Bytes of a line that are shown.
const LONGEST: usize = 2000;

/// A problem as what a finding rests on.
pub(super) fn evidence(problem: &Problem) -> Evidence {
    Evidence::Value { name: problem.message(), value: problem.causes.join("\n") }
}

/// Offers to open a log of the run.
pub(super) fn open_log(log: &Path) -> Remedy {
    let action = Action::OpenFile { path: log.to_owned(), line: None };
    let name = log.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Remedy::new("open-file", Applicability::Manual, action).with("file", name)
}

/// The trainer ended without having finished.
pub(super) fn of_trainer(progress: &Progress, exit: Exit, log: &Path) -> Finding {
    let class = progress.error.as_ref().map_or("", |(class, ..)| class);
    let text = progress.error.as_ref().map_or("", |(_, text, _)| text.lines().next().unwrap_or(""));
    let finding = match (exit.signal, class) {
        // torch's own class, raised only when a GPU has no memory left.
        (None, "OutOfMemoryError") => out_of_gpu_memory(progress),
        (Some(signal), _) => Finding::blocker(Stage::Train, "killed", Verb::Change).with("signal", number(signal)),
        (None, "") => match exit.code {
            Some(code) => Finding::blocker(Stage::Train, "ended", Verb::Change).with("code", number(code)),
            None => Finding::blocker(Stage::Train, "ended-unseen", Verb::Change),
        },
        (None, class) => Finding::blocker(Stage::Train, "failed", Verb::Change).with("class", class).with("text", text),
    };
    let finding = finding.remedy(open_log(log));
    match last_lines(log) {
        Some(evidence) => finding.seen(evidence),
        None => finding,
    }
}

/// Another supervisor took the run over.
pub(super) fn adopted(log: &Path) -> Finding {
    Finding::note(Stage::Start, "adopted").remedy(open_log(log))
}

/// Supervisor and trainer were found dead.
pub(super) fn lost(progress: &Progress) -> Finding {
    let what = if rebooted_since(progress.last_ms) { "rebooted" } else { "lost" };
    let epoch = progress.history.last().map_or(0, |point| point.epoch);
    let finding = Finding::blocker(Stage::Train, what, Verb::Change).with("epoch", epoch);
    let last_sign = jiff::Timestamp::from_millisecond(i64::try_from(progress.last_ms).unwrap_or(0)).unwrap_or_default();
    let last_sign = last_sign.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string();
    finding.seen(Evidence::value("fact-last-sign", last_sign)).remedy(Remedy::new(
        "resume-run",
        Applicability::OneClick,
        Action::ResumeRun,
    ))
}

/// The disk has no room for what comes next.
pub(super) fn disk_full(folder: &Path, space: Option<Space>) -> Finding {
    let Space { free, needed } = space.unwrap_or(Space { free: 0, needed: 0 });
    let finding = Finding::blocker(Stage::Start, "no-room", Verb::Change).with("path", folder).with("needed", needed);
    finding.seen(Evidence::value("fact-disk-free", free.to_string())).remedy(Remedy::free_disk())
}

/// The dataset is another one than the run began with.
pub(super) fn other_dataset(dataset: &Path) -> Finding {
    Finding::warning(Stage::Data, "changed-since").with("path", dataset)
}

/// The trainer's process could not be started.
pub(super) fn not_started(record: &RunRecord, error: &std::io::Error) -> Finding {
    let program = record.command.first().map_or("", String::as_str);
    let problem = Problem::new("run.trainer-not-started").with("program", program).because(error);
    let mend = if record.environment.managed {
        Remedy::new("repair-environment", Applicability::OneClick, Action::RepairEnvironment)
    } else {
        Remedy::new("mend-own-environment", Applicability::Manual, Action::Explain)
    };
    Finding::blocker(Stage::Start, "trainer-not-started", Verb::Change).seen(evidence(&problem)).remedy(mend)
}

fn number(n: i32) -> String {
    n.to_string()
}

fn out_of_gpu_memory(progress: &Progress) -> Finding {
    let mut finding = Finding::blocker(Stage::Memory, "cuda-oom", Verb::Change);
    let batch = progress.batch_size / 2;
    if batch > 0 {
        let remedy =
            Remedy::new("set-batch", Applicability::OneClick, Action::ChangePlan { change: PlanChange::Batch(batch) });
        finding = finding.remedy(remedy.with("batch", batch));
    }
    finding
}

/// The log's last telling lines: those of the last traceback, else simply the last ones.
fn last_lines(log: &Path) -> Option<Evidence> {
    let mut file = std::fs::File::open(log).ok()?;
    let length = file.metadata().ok()?.len();
    let skipped = length.saturating_sub(END);
    let before = count_lines(&mut file.try_clone().ok()?, skipped)?;
    file.seek(SeekFrom::Start(skipped)).ok()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let end = lines.iter().rposition(|line| !line.trim().is_empty())? + 1;
    let traceback = lines[..end].iter().rposition(|line| line.starts_with("Traceback (most recent call last)"));
    let start = traceback.unwrap_or(0).max(end.saturating_sub(LINES));
    let line = u32::try_from(before + start + 1).ok()?;
    Some(Evidence::Log { line, text: lines[start..end].iter().map(|line| seen(line)).collect() })
}

/// A line with its end, without colours; of a redrawn one the last state, of a long one the beginning.
fn seen(line: &str) -> String {
    let text = line.trim_end_matches(['\r', '\n']);
    let text = shown(text.rsplit('\r').next().unwrap_or(text).as_bytes());
    let cut = text.floor_char_boundary(LONGEST);
    format!("{}{}", &text[..cut], if line.ends_with('\n') { "\n" } else { "" })
}

/// Line ends in a file's first bytes.
fn count_lines(file: &mut std::fs::File, bytes: u64) -> Option<usize> {
    file.seek(SeekFrom::Start(0)).ok()?;
    let mut lines = 0;
    let mut reader = std::io::BufReader::with_capacity(1024 * 1024, file.take(bytes));
    loop {
        let chunk = std::io::BufRead::fill_buf(&mut reader).ok()?;
        if chunk.is_empty() {
            return Some(lines);
        }
        lines += chunk.iter().filter(|byte| **byte == b'\n').count();
        let read = chunk.len();
        std::io::BufRead::consume(&mut reader, read);
    }
}

#[cfg(test)]
mod tests {
    use preflight_core::run::{Event, RunEvent, TrainerEvent};

    use super::*;

    fn finding(error: Option<&str>, exit: Exit, log: &str) -> Finding {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trainer.log");
        std::fs::write(&path, log).unwrap();
        let said = error.map(|class| TrainerEvent::Error {
            class: class.into(),
            text: "what it said\nmore".into(),
            traceback: String::new(),
        });
        let events = said.map(|said| RunEvent { seq: 0, at_ms: 0, event: Event::Trainer { said } });
        of_trainer(&Progress::of(&events), exit, &path)
    }

    const LEFT_WITH_1: Exit = Exit { code: Some(1), signal: None };

    #[test]
    fn evidence_is_the_end_of_the_last_traceback_with_its_lines() {
        let log = "a\nTraceback (most recent call last):\n  old\nOld: 1\n\nTraceback (most recent call last):\n  File x\nNew: 2\n\n";
        let found = finding(Some("New"), LEFT_WITH_1, log);
        assert_eq!(found.code, "train.failed");
        let text = "Traceback (most recent call last):\n  File x\nNew: 2\n".to_owned();
        assert_eq!(found.evidence, [Evidence::Log { line: 6, text }]);
    }

    #[test]
    fn lines_are_counted_from_the_start_of_a_long_log() {
        let log = format!("{}the end\n", "0123456789\n".repeat(100_000));
        let found = finding(None, LEFT_WITH_1, &log);
        let [Evidence::Log { line, text }] = &found.evidence[..] else { panic!("{found:?}") };
        assert_eq!(*line as usize, 100_001 - LINES + 1);
        assert!(text.ends_with("0123456789\nthe end\n"));
    }

    #[test]
    fn a_redrawn_line_is_shown_as_it_was_last() {
        let found = finding(None, LEFT_WITH_1, "\rbar 1%\rbar 2%\r\nend");
        let text = "bar 2%\nend".to_owned();
        assert_eq!(found.evidence, [Evidence::Log { line: 1, text }]);
    }

    #[test]
    fn what_is_certain_has_a_code_of_its_own() {
        assert_eq!(finding(Some("OutOfMemoryError"), LEFT_WITH_1, "x").code, "memory.cuda-oom");
        assert_eq!(finding(None, Exit { code: None, signal: Some(9) }, "x").code, "train.killed");
        assert_eq!(finding(None, LEFT_WITH_1, "").code, "train.ended");
        assert!(finding(None, LEFT_WITH_1, "").evidence.is_empty());
    }
}
