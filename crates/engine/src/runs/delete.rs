//! Deleting runs.

use std::io;
use std::path::Path;

use preflight_core::problem::Problem;

use super::{find, look, supervisor, write};
use crate::Engine;
use crate::dirs::Dirs;

/// What a run's folder is called while it is being deleted: half deleted, it must not look like a run.
const DELETED: &str = "deleted-";

/// Bytes that deleting a run would free. Blocks for as long as looking at every file takes.
///
/// # Errors
/// `run.not-found`.
pub fn size(engine: &Engine, id: &str) -> Result<u64, Problem> {
    let folder = find(engine, id)?;
    if !folder.record().exists() {
        return Err(Problem::new("run.not-found").with("id", id));
    }
    Ok(crate::disk::freed_by(folder.path()))
}

/// Deletes a run with everything in its folder; answers the bytes that became free. The dataset is elsewhere: in the
/// folder are only links to it. Of a run that was found dead, what is left running is ended first. Blocks.
///
/// # Errors
/// `run.not-found`, `run.unreadable`, `run.too-new`, `run.active`, `run.not-ended`, `file.unwritable`.
pub fn delete(engine: &Engine, id: &str) -> Result<u64, Problem> {
    let folder = find(engine, id)?;
    let active = || Problem::new("run.active").with("id", id);
    if !look(&folder)?.progress.state.is_over() {
        return Err(active());
    }
    {
        // Whoever has the lock works on it, whatever its state says.
        let mut journal = write(&folder)?.ok_or_else(active)?;
        if !journal.progress().state.is_over() {
            supervisor::bury(&mut journal, &folder)
                .map_err(|error| Problem::new("run.not-ended").with("id", id).because(&error))?;
        }
    }
    sweep(engine.dirs());
    let gone = engine.dirs().root().join(format!("{DELETED}{}", uuid::Uuid::new_v4().simple()));
    let unwritable = |path: &Path, error: &io::Error| Problem::new("file.unwritable").with("path", path).because(error);
    std::fs::rename(folder.path(), &gone).map_err(|error| unwritable(folder.path(), &error))?;
    let freed = crate::disk::freed_by(&gone);
    match std::fs::remove_dir_all(&gone) {
        // Another deletion took it for what a third one left.
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unwritable(&gone, &error)),
        _ => Ok(freed),
    }
}

/// Clears away what was left of a deletion that was cut off.
fn sweep(dirs: &Dirs) {
    let entries = std::fs::read_dir(dirs.root()).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(DELETED)) {
        // What cannot be removed now is tried again by the next deletion.
        let _ = std::fs::remove_dir_all(entry.path());
    }
}
