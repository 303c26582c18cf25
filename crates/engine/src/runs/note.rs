//! What a person notes about a run: a text in its folder that anyone may write at any time.

use std::io;

use preflight_core::problem::Problem;

use super::folder::Folder;
use crate::Engine;

/// Characters a note has at most; what is longer belongs into a document.
const LONGEST: usize = 10_000;

/// The note; empty: there is none, or it cannot be read.
pub(super) fn read(folder: &Folder) -> String {
    std::fs::read_to_string(folder.note()).map(|text| text.trim_end().to_owned()).unwrap_or_default()
}

/// Writes a person's note about a run; an empty one takes it away.
///
/// # Errors
/// `run.not-found`, `run.unreadable`, `run.too-new`, `run.note-too-long`, `file.unwritable`.
pub fn note(engine: &Engine, id: &str, text: &str) -> Result<(), Problem> {
    let folder = super::find(engine, id)?;
    folder.read_record()?;
    let text = text.trim();
    if text.chars().count() > LONGEST {
        return Err(Problem::new("run.note-too-long").with("most", LONGEST));
    }
    let path = folder.note();
    if !text.is_empty() {
        return crate::write::atomically(&path, format!("{text}\n").as_bytes());
    }
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Problem::new("file.unwritable").with("path", path.as_path()).because(&error))
        }
        _ => Ok(()),
    }
}
