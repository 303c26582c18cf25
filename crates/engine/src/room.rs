//! What of this app's takes room on the disk, and what can be cleared away.

use std::path::{Path, PathBuf};

use preflight_core::problem::Problem;
use serde::{Deserialize, Serialize};

use crate::{Engine, computer, disk, environment, runs, weights};

/// The disk of the app's folder, and what of it is the app's.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Room {
    /// The app's folder.
    pub folder: PathBuf,
    /// Bytes that are free on its disk.
    pub free: u64,
    /// Bytes that the disk has in all.
    pub total: u64,
    /// What takes room, most first.
    pub taken: Vec<TakesRoom>,
}

/// Something that takes room.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct TakesRoom {
    /// What it is.
    pub what: Belonging,
    /// Bytes that become free when it goes.
    pub bytes: u64,
    /// Whether it can go now.
    pub can_go: bool,
}

/// Something of the app's on the disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Belonging {
    /// A run.
    Run {
        /// Its id.
        id: String,
        /// Its dataset.
        dataset: PathBuf,
        /// Its model's name.
        model: String,
        /// When it was made, in milliseconds since 1970 UTC.
        created_ms: u64,
    },
    /// The training environment.
    Environment,
    /// The published weights of a model.
    Weights {
        /// The model's name.
        model: String,
    },
    /// A copy of a dataset.
    Copy {
        /// Its folder's name.
        name: String,
    },
    /// Everything else: the sample, tools, settings.
    Rest,
}

/// Looks at what takes room. Blocks for as long as looking at every file takes.
///
/// # Errors
/// `home.unusable` where the disk says nothing.
pub fn look(engine: &Engine) -> Result<Room, Problem> {
    let dirs = engine.dirs();
    let root = dirs.root();
    let (free, total) =
        computer::space(root).map_err(|error| Problem::new("home.unusable").with("path", root).because(&error))?;
    let mut taken = Vec::new();
    for run in runs::list(engine) {
        let bytes = disk::freed_by(&run.folder);
        let can_go = run.progress.state.is_over();
        let (plan, created_ms) = (run.record.plan, run.record.created_ms);
        let what = Belonging::Run { id: run.record.id, dataset: plan.dataset, model: plan.model.name, created_ms };
        taken.push(TakesRoom { what, bytes, can_go });
    }
    taken.push(TakesRoom { what: Belonging::Environment, bytes: environment::size(dirs), can_go: true });
    for entry in weights::list(dirs) {
        let bytes = entry.bytes.unwrap_or(0) + entry.part;
        taken.push(TakesRoom { what: Belonging::Weights { model: entry.model }, bytes, can_go: true });
    }
    for copy in folders(&dirs.copies()) {
        let can_go = in_use(engine, &copy).is_none();
        let name = copy.file_name().unwrap_or_default().to_string_lossy().into_owned();
        taken.push(TakesRoom { what: Belonging::Copy { name }, bytes: disk::freed_by(&copy), can_go });
    }
    let told = [dirs.runs(), dirs.environment(), dirs.weights(), dirs.copies()];
    let rest = folders(root).into_iter().filter(|folder| !told.contains(folder));
    let bytes = rest.map(|folder| disk::freed_by(&folder)).sum();
    taken.push(TakesRoom { what: Belonging::Rest, bytes, can_go: false });
    taken.retain(|taken| taken.bytes > 0);
    taken.sort_by_key(|taken| std::cmp::Reverse(taken.bytes));
    Ok(Room { folder: root.to_owned(), free, total, taken })
}

/// Clears away weights or the copy of a dataset; answers the bytes that became free. Runs and the environment have ways
/// of their own, [`runs::delete`] and [`Engine::remove_environment`]. Blocks.
///
/// # Errors
/// Those of [`weights::remove`]; `dataset.not-found`, `run.active`, `file.unwritable`.
pub fn clear(engine: &Engine, what: &Belonging) -> Result<u64, Problem> {
    match what {
        Belonging::Weights { model } => weights::remove(engine.dirs(), model),
        Belonging::Copy { name } => remove_copy(engine, name),
        Belonging::Run { .. } | Belonging::Environment | Belonging::Rest => Ok(0),
    }
}

fn remove_copy(engine: &Engine, name: &str) -> Result<u64, Problem> {
    let copies = engine.dirs().copies();
    // A name as it was told: nothing outside of the folder of copies can be meant.
    let copy = folders(&copies).into_iter().find(|copy| copy.file_name().is_some_and(|found| found == name));
    let Some(copy) = copy else {
        return Err(Problem::new("dataset.not-found").with("path", copies.join(name).as_path()));
    };
    if let Some(id) = in_use(engine, &copy) {
        return Err(Problem::new("run.active").with("id", id));
    }
    let freed = disk::freed_by(&copy);
    std::fs::remove_dir_all(&copy)
        .map_err(|error| Problem::new("file.unwritable").with("path", copy.as_path()).because(&error))?;
    Ok(freed)
}

/// The run that is not over and trains on what is in this folder.
fn in_use(engine: &Engine, folder: &Path) -> Option<String> {
    let uses = |run: &runs::Run| !run.progress.state.is_over() && run.record.plan.dataset.starts_with(folder);
    runs::list(engine).into_iter().find(uses).map(|run| run.record.id)
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()).collect()
}
