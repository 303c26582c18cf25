//! What trainings showed on this computer: one file, written by whoever saw a training end.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use preflight_core::experience::{Accuracy, Experience};
use preflight_core::problem::Problem;
use serde::{Deserialize, Serialize};

use crate::Engine;
use crate::dirs::Dirs;
use crate::work::lock;

/// The version of the file that this build writes.
const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    format: u32,
    #[serde(flatten)]
    experience: Experience,
}

/// What was learned on this computer, in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Learned {
    /// Trainings it rests on.
    pub runs: u32,
    /// Trial runs that are remembered.
    pub trials: u32,
    /// How good the estimates were; `None`: no training on a card was measured.
    pub accuracy: Option<Accuracy>,
    /// For each card that trained, by what the estimates for it are multiplied.
    pub cards: Vec<LearnedCard>,
}

/// What was learned of a card.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct LearnedCard {
    /// Its name.
    pub card: String,
    /// The correction.
    pub calibration: preflight_core::experience::Calibration,
}

/// The file as it was read last.
#[derive(Debug, Default)]
pub(crate) struct Remembered(Mutex<Option<(Mark, Arc<Experience>)>>);

/// What changes when the file does.
type Mark = Option<(u64, SystemTime)>;

fn file(dirs: &Dirs) -> PathBuf {
    dirs.root().join("experience.json")
}

impl Remembered {
    /// What is known; nothing where the file cannot be read: estimates are then as they are without it. Blocks for as
    /// long as reading a small file takes, and only when it changed.
    pub(crate) fn get(&self, dirs: &Dirs) -> Arc<Experience> {
        let seen = |metadata: std::fs::Metadata| Some((metadata.len(), metadata.modified().ok()?));
        let mark = file(dirs).metadata().ok().and_then(seen);
        let mut last = lock(&self.0);
        match &*last {
            Some((of, experience)) if *of == mark => Arc::clone(experience),
            _ => {
                let experience = Arc::new(load(dirs).unwrap_or_default());
                *last = Some((mark, Arc::clone(&experience)));
                experience
            }
        }
    }
}

/// Reads what is known; nothing was learned yet: nothing.
///
/// # Errors
/// `experience.unreadable`, `experience.too-new`.
pub fn load(dirs: &Dirs) -> Result<Experience, Problem> {
    #[derive(Deserialize)]
    struct Header {
        format: u32,
    }
    let path = file(dirs);
    let unreadable = |error: &dyn std::error::Error| {
        Problem::new("experience.unreadable").with("path", path.as_path()).because(error)
    };
    let text = match std::fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Experience::default()),
        Err(error) => return Err(unreadable(&error)),
    };
    let header: Header = serde_json::from_slice(&text).map_err(|error| unreadable(&error))?;
    if header.format > FORMAT {
        return Err(Problem::new("experience.too-new").with("path", path.as_path()));
    }
    let stored: Stored = serde_json::from_slice(&text).map_err(|error| unreadable(&error))?;
    Ok(stored.experience)
}

/// Changes what is known. Several supervisors may end at once: one after the other. Blocks.
///
/// # Errors
/// `experience.too-new`: a later version knows more, which is not thrown away; `file.unwritable`.
pub(crate) fn change(dirs: &Dirs, how: impl FnOnce(&mut Experience)) -> Result<(), Problem> {
    let path = file(dirs);
    let unwritable =
        |error: &dyn std::error::Error| Problem::new("file.unwritable").with("path", path.as_path()).because(error);
    let turn = File::options()
        .create(true)
        .append(true)
        .open(dirs.root().join("experience.lock"))
        .map_err(|error| unwritable(&error))?;
    turn.lock().map_err(|error| unwritable(&error))?;
    let mut experience = match load(dirs) {
        Ok(experience) => experience,
        Err(problem) if problem.code == "experience.too-new" => return Err(problem),
        Err(_) => {
            // Kept aside: whoever wonders can look.
            let _ = std::fs::rename(&path, path.with_extension("json.unreadable"));
            Experience::default()
        }
    };
    how(&mut experience);
    let stored = Stored { format: FORMAT, experience };
    let text = serde_json::to_vec_pretty(&stored).map_err(|error| unwritable(&error))?;
    crate::write::atomically(&path, &text)
}

/// What was learned on this computer, in short. Blocks.
///
/// # Errors
/// Those of [`load`].
pub fn learned(engine: &Engine) -> Result<Learned, Problem> {
    let known = load(engine.dirs())?;
    let mut cards: Vec<&str> = known.runs.iter().filter_map(|run| run.shape.card.as_deref()).collect();
    cards.sort_unstable();
    cards.dedup();
    let cards = cards
        .into_iter()
        .map(|card| LearnedCard { card: card.to_owned(), calibration: known.calibration(card) })
        .filter(|learned| learned.calibration.runs > 0);
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(Learned {
        runs: count(known.runs.len()),
        trials: count(known.trials.len()),
        accuracy: known.accuracy(),
        cards: cards.collect(),
    })
}

/// Forgets everything that was learned: estimates are as they are on a new computer. Blocks.
///
/// # Errors
/// Those of writing the file.
pub fn forget(engine: &Engine) -> Result<(), Problem> {
    change(engine.dirs(), |experience| *experience = Experience::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dirs() -> (tempfile::TempDir, Dirs) {
        let folder = tempfile::tempdir().unwrap();
        let dirs = Dirs::new(folder.path());
        (folder, dirs)
    }

    #[test]
    fn a_later_versions_file_is_left_alone_and_a_broken_one_is_kept_aside() {
        let (_folder, dirs) = dirs();
        std::fs::write(file(&dirs), r#"{"format":2,"runs":7}"#).unwrap();
        assert_eq!(load(&dirs).unwrap_err().code, "experience.too-new");
        assert_eq!(change(&dirs, |_| ()).unwrap_err().code, "experience.too-new");
        assert_eq!(std::fs::read_to_string(file(&dirs)).unwrap(), r#"{"format":2,"runs":7}"#);

        std::fs::write(file(&dirs), "{\"format\":1,\"ru").unwrap();
        assert_eq!(load(&dirs).unwrap_err().code, "experience.unreadable");
        assert_eq!(*Remembered::default().get(&dirs), Experience::default(), "estimates go on without it");
        change(&dirs, |_| ()).unwrap();
        assert_eq!(load(&dirs), Ok(Experience::default()));
        assert!(dirs.root().join("experience.json.unreadable").is_file());
    }
}
