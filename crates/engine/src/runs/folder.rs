//! A run's folder: what is in it and who may write.
//!
//! | file | who writes it | what it is |
//! |---|---|---|
//! | `run.json` | who starts or resumes it | the record: what it is started with |
//! | `run-0.json`, … | who resumes it | the records before |
//! | `plan.toml` | `start`, once | the plan, to be opened again |
//! | `dataset.json` | who starts or resumes it | the dataset as it was judged |
//! | `manifest.json` | the supervisor | what the dataset's files held, as hashes |
//! | `train.py`, `arguments.json` | who starts or resumes it | what the trainer runs, and with what |
//! | `start/` | `start`, once | the first weights, under a plain name |
//! | `lock` | the supervisor | held as long as it lives |
//! | `events.jsonl` | who holds the lock | what happened, one event a line |
//! | `state.json` | who holds the lock | what the events add up to, up to some event |
//! | `request.json`, `request-pause.json` | anyone | what the supervisor is asked to do; it removes it |
//! | `reserve` | who holds the lock | room for the last events, given up when the disk is full |
//! | `pause` | the supervisor | asks the trainer to rest at the end of the epoch |
//! | `paused` | the trainer | it rests |
//! | `checkpoint.pt` | the trainer | the newest weights to go on from, whole at any moment |
//! | `trainer.jsonl`, `trainer.log` | the trainer | what it tells, and everything it prints |
//! | `ending.json` | the supervisor | what was seen of the computer when the trainer had failed |
//! | `diagnosis.json` | the supervisor, who asks | why it failed, as long as nothing of it changes |
//! | `notes.txt` | anyone | what a person noted about it |
//! | `supervisor.log` | the supervisor | what it could not say otherwise |
//! | `dataset/` | the supervisor, the trainer | the shadow tree |
//! | `output/` | the trainer | weights, metrics, pictures |
//! | `export/` | whoever exports | exported models, and how well they agree with the weights |

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use preflight_core::dataset::Dataset;
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_core::run::{FORMAT, RunRecord};
use serde::Deserialize;

use crate::dirs::Dirs;

/// The folder of everything the trainer writes.
pub(crate) const OUTPUT: &str = "output";
/// The copy of the newest weights.
pub(super) const CHECKPOINT: &str = "checkpoint.pt";

/// Paths in a run's folder.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The app's folders: a run is in one of them.
    pub(super) fn dirs(&self) -> Dirs {
        Dirs::new(self.path.ancestors().nth(2).unwrap_or(&self.path))
    }

    /// The run's id.
    pub(super) fn id(&self) -> String {
        name(&self.path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(super) fn record(&self) -> PathBuf {
        self.file("run.json")
    }

    pub(super) fn plan(&self) -> PathBuf {
        self.file("plan.toml")
    }

    pub(super) fn dataset(&self) -> PathBuf {
        self.file("dataset.json")
    }

    pub(super) fn manifest(&self) -> PathBuf {
        self.file("manifest.json")
    }

    pub(super) fn script(&self) -> PathBuf {
        self.file("train.py")
    }

    pub(super) fn arguments(&self) -> PathBuf {
        self.file("arguments.json")
    }

    pub(super) fn events(&self) -> PathBuf {
        self.file("events.jsonl")
    }

    pub(super) fn state(&self) -> PathBuf {
        self.file("state.json")
    }

    /// The record before the run went on for the `nth` time.
    pub(super) fn earlier_record(&self, nth: u32) -> PathBuf {
        self.file(&format!("run-{nth}.json"))
    }

    pub(super) fn cancel_request(&self) -> PathBuf {
        self.file("request.json")
    }

    pub(super) fn note(&self) -> PathBuf {
        self.file("notes.txt")
    }

    pub(super) fn pause_request(&self) -> PathBuf {
        self.file("request-pause.json")
    }

    pub(super) fn reserve(&self) -> PathBuf {
        self.file("reserve")
    }

    pub(super) fn pause(&self) -> PathBuf {
        self.file("pause")
    }

    pub(super) fn paused(&self) -> PathBuf {
        self.file("paused")
    }

    pub(super) fn checkpoint(&self) -> PathBuf {
        self.file(CHECKPOINT)
    }

    pub(super) fn trainer_events(&self) -> PathBuf {
        self.file("trainer.jsonl")
    }

    pub(super) fn trainer_log(&self) -> PathBuf {
        self.file("trainer.log")
    }

    pub(super) fn ending(&self) -> PathBuf {
        self.file("ending.json")
    }

    pub(super) fn diagnosis(&self) -> PathBuf {
        self.file("diagnosis.json")
    }

    pub(super) fn supervisor_log(&self) -> PathBuf {
        self.file("supervisor.log")
    }

    pub(super) fn shadow(&self) -> PathBuf {
        self.file("dataset")
    }

    /// Reads the record.
    ///
    /// # Errors
    /// `run.not-found`, `run.unreadable`, `run.too-new`.
    pub(super) fn read_record(&self) -> Result<RunRecord, Problem> {
        #[derive(Deserialize)]
        struct Header {
            format: u32,
        }
        let path = self.record();
        let unreadable =
            |error: &dyn std::error::Error| Problem::new("run.unreadable").with("path", path.as_path()).because(error);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Err(Problem::new("run.not-found").with("id", self.id()));
            }
            Err(error) => return Err(unreadable(&error)),
        };
        // A later format may have other fields: say "too new" instead of naming one of them.
        let header: Header = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        if header.format > FORMAT {
            return Err(Problem::new("run.too-new").with("id", self.id()));
        }
        serde_json::from_str(&text).map_err(|error| unreadable(&error))
    }

    /// Reads the dataset as it was judged.
    ///
    /// # Errors
    /// `file.unreadable`.
    pub(super) fn read_dataset(&self) -> Result<Dataset, Problem> {
        let path = self.dataset();
        let unreadable =
            |error: &dyn std::error::Error| Problem::new("file.unreadable").with("path", path.as_path()).because(error);
        let text = std::fs::read(&path).map_err(|error| unreadable(&error))?;
        serde_json::from_slice(&text).map_err(|error| unreadable(&error))
    }

    /// Becomes the one who may write; `None` while another is.
    pub(super) fn lock(&self) -> io::Result<Option<Lock>> {
        let file = File::options().create(true).append(true).open(self.file("lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Whether someone may write. Looking takes a shared lock for a moment, so lookers do not see each other.
    pub(super) fn is_locked(&self) -> bool {
        let Ok(file) = File::open(self.file("lock")) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

/// The right to write to a run's folder. The system takes it back when its holder dies, however that happens.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// An id that sorts by time and says what it is: `20261130-142233-plates-yolov8n-4f2a`. The time is UTC: local time
/// goes back once a year.
pub(super) fn new_id(plan: &Plan, now_ms: u64, random: u16) -> String {
    let time = i64::try_from(now_ms)
        .ok()
        .and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok())
        .unwrap_or_default()
        .strftime("%Y%m%d-%H%M%S");
    let dataset = slug(&dataset_name(&plan.dataset)).unwrap_or_else(|| "dataset".to_owned());
    let model = slug(&plan.model.name).unwrap_or_else(|| "model".to_owned());
    format!("{time}-{dataset}-{model}-{random:04x}")
}

/// What a person calls a dataset: its folder's name, or the yaml's where that is not the same for every dataset.
pub(crate) fn dataset_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let is_yaml = path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
    if is_yaml && matches!(stem.as_str(), "data" | "dataset") { path.parent().map_or(stem, name) } else { stem }
}

/// Lower-case ASCII letters and digits with single dashes between, at most 24; `None`: nothing is left.
fn slug(text: &str) -> Option<String> {
    let mut slug = String::new();
    for c in text.chars() {
        if slug.len() >= 24 {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    (!slug.is_empty()).then(|| slug.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(dataset: &str) -> String {
        let plan = Plan { dataset: dataset.into(), ..Plan::default() };
        new_id(&plan, 1_796_048_553_000, 0x4f2a)
    }

    #[test]
    fn ids_say_when_and_what() {
        assert_eq!(id("/d/plates/data.yaml"), "20261130-142233-plates-yolov8n-4f2a");
        assert_eq!(id("/d/Steel Plates (v2)"), "20261130-142233-steel-plates-v2-yolov8n-4f2a");
        assert_eq!(id("/d/coco128.yaml"), "20261130-142233-coco128-yolov8n-4f2a");
        assert_eq!(id("/d/钢板/data.yaml"), "20261130-142233-dataset-yolov8n-4f2a");
        assert_eq!(id("/d/--help"), "20261130-142233-help-yolov8n-4f2a");
    }

    #[test]
    fn only_one_may_write_and_looking_is_no_writing() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Folder::new(folder.path());
        assert!(!folder.is_locked());
        let lock = folder.lock().unwrap();
        assert!(lock.is_some());
        assert!(folder.is_locked());
        assert!(folder.lock().unwrap().is_none());
        drop(lock);
        assert!(!folder.is_locked());
        assert!(folder.lock().unwrap().is_some());
    }
}
