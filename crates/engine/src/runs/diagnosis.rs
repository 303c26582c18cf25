//! Why a run failed, from everything in its folder. Worked out by its supervisor at its end and kept beside it; by
//! whoever looks, where that is missing or something of it changed.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use preflight_core::diagnosis::{Circumstances, Known, RunDiagnosis, Scan, edition};
use preflight_core::finding::Finding;
use preflight_core::problem::Problem;
use preflight_core::run::{Progress, RunRecord, RunState};
use preflight_core::text::Message;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::folder::Folder;
use super::{Run, all, find, look};
use crate::Engine;

/// How much of a log is read at once.
const BLOCK: usize = 1 << 18;

/// A diagnosis as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    of: Print,
    diagnosis: T,
}

/// What a diagnosis was made of. Where this is the same, so is the diagnosis.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Print {
    edition: u64,
    events: u32,
    log_bytes: u64,
}

/// Why a run failed, in a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Why {
    /// `cuda_oom` or `unknown`.
    pub cause: String,
    /// What a person reads.
    pub title: Message,
}

impl Run {
    /// Why it failed, in a line; `None`: it did not, or it is not known yet. What was concluded when it ended counts,
    /// whichever version of this program that was: a list waits for nothing.
    #[must_use]
    pub fn why(&self) -> Option<Why> {
        #[derive(Deserialize)]
        struct Line {
            cause: String,
            finding: Finding,
        }
        if !Circumstances::is_due(&self.progress) {
            return None;
        }
        let Kept { of, diagnosis } = kept::<Line>(&Folder::new(&self.folder))?;
        let why = Why { title: diagnosis.finding.title(), cause: diagnosis.cause };
        (of.events == self.progress.next_seq).then_some(why)
    }
}

/// Why a run failed; `None`: it did not fail. Instant where it is known already. Blocks.
///
/// # Errors
/// `run.not-found`, `run.unreadable`, `run.too-new`.
pub fn diagnose(engine: &Engine, id: &str) -> Result<Option<RunDiagnosis>, Problem> {
    let folder = find(engine, id)?;
    let Run { record, progress, .. } = look(&folder)?;
    if !Circumstances::is_due(&progress) {
        return Ok(None);
    }
    let diagnosis = of(&folder, &record, &progress)?;
    engine.named().remember(std::slice::from_ref(&diagnosis.finding));
    Ok(Some(diagnosis))
}

/// Why a run failed that stands like this: as it is kept, else worked out and kept. Blocks.
pub(super) fn of(folder: &Folder, record: &RunRecord, progress: &Progress) -> Result<RunDiagnosis, Problem> {
    let log_bytes = std::fs::metadata(folder.trainer_log()).map_or(0, |file| file.len());
    let print = Print { edition: edition(), events: progress.next_seq, log_bytes };
    if let Some(kept) = kept(folder).filter(|kept| kept.of == print) {
        return Ok(kept.diagnosis);
    }
    let kept = Kept { of: print, diagnosis: anew(folder, record, progress)? };
    // Where it cannot be kept, it is worked out again.
    if let Ok(text) = serde_json::to_vec(&kept) {
        let _ = crate::write::atomically(&folder.diagnosis(), &text);
    }
    Ok(kept.diagnosis)
}

fn kept<T: DeserializeOwned>(folder: &Folder) -> Option<Kept<T>> {
    serde_json::from_slice(&std::fs::read(folder.diagnosis()).ok()?).ok()
}

fn anew(folder: &Folder, record: &RunRecord, progress: &Progress) -> Result<RunDiagnosis, Problem> {
    let mut scan = Scan::new();
    let path = folder.trainer_log();
    feed(&mut scan, &path)
        .map_err(|error| Problem::new("run.unreadable").with("path", path.as_path()).because(&error))?;
    let dataset = folder.read_dataset().ok();
    let ending = std::fs::read(folder.ending()).ok();
    let ending = ending.and_then(|text| serde_json::from_slice::<Vec<Known>>(&text).ok()).unwrap_or_default();
    let good = last_good(folder, record);
    let circumstances = Circumstances {
        record,
        progress,
        dataset: dataset.as_ref(),
        ending: &ending,
        good: good.as_ref().map(|good| (&good.record, &good.progress)),
    };
    Ok(circumstances.diagnose(&mut scan))
}

/// Reads a run's log; one that was never written says nothing.
fn feed(scan: &mut Scan, log: &Path) -> std::io::Result<()> {
    let mut file = match File::open(log) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut block = vec![0; BLOCK];
    loop {
        match file.read(&mut block) {
            Ok(0) => break,
            Ok(read) => scan.feed(&block[..read]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    scan.settle();
    Ok(())
}

/// The run before this one that went well and is most like it: the same dataset and model, else the same dataset, else
/// the same model, else any; of those the newest.
fn last_good(folder: &Folder, record: &RunRecord) -> Option<Run> {
    let is_good = |other: &Run| {
        other.progress.state == RunState::Succeeded
            && other.record.trial.is_none()
            && other.record.created_ms < record.created_ms
    };
    let likeness = |other: &Run| {
        let (plan, now) = (&other.record.plan, &record.plan);
        (plan.dataset == now.dataset, plan.model.name == now.model.name)
    };
    let good = all(&folder.dirs()).into_iter().filter(is_good);
    good.max_by_key(|other| (likeness(other), other.record.created_ms))
}
