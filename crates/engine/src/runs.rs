//! Runs: one folder each, owned by a supervisor of its own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_core::run::{CancelReason, Progress, RunEvent, RunRecord};

use crate::Engine;

/// How to start a supervisor: this program, and the arguments before the run's folder.
#[derive(Debug, Clone)]
pub struct SupervisorCommand {
    /// The program: the app or the command line itself.
    pub program: PathBuf,
    /// What makes it a supervisor.
    pub arguments: Vec<OsString>,
}

impl SupervisorCommand {
    /// This very program with its hidden `supervise` subcommand.
    ///
    /// # Errors
    /// `internal.no-program` when the system does not say where this program is.
    pub fn this_program() -> Result<Self, Problem> {
        let program = std::env::current_exe().map_err(|error| Problem::new("internal.no-program").because(&error))?;
        Ok(Self { program, arguments: vec!["supervise".into()] })
    }
}

/// A run as its folder tells it.
#[derive(Debug, Clone)]
pub struct Run {
    /// Its folder.
    pub folder: PathBuf,
    /// What does not change about it.
    pub record: RunRecord,
    /// As it stands.
    pub progress: Progress,
}

/// Writes a run's folder and starts its supervisor, detached: the run outlives the caller. Answers the run's id.
///
/// The caller has looked at the preflight; `accepted` are the predicted blockers a person accepted.
///
/// # Errors
/// `run.no-environment`, `file.unwritable`, `run.no-supervisor`.
pub async fn start(
    _engine: &Engine,
    _plan: &Plan,
    _accepted: &[String],
    _supervisor: &SupervisorCommand,
) -> Result<String, Problem> {
    Err(Problem::new("run.no-environment"))
}

/// All runs, newest first. Folders that are no runs are left out.
#[must_use]
pub fn list(_engine: &Engine) -> Vec<Run> {
    Vec::new()
}

/// One run. Finds out whether its supervisor is alive: a run found dead is `lost`.
///
/// # Errors
/// `run.not-found`, `run.unreadable`, `run.too-new`.
pub fn open(_engine: &Engine, _id: &str) -> Result<Run, Problem> {
    Err(Problem::new("run.not-found"))
}

/// Reads a run's events as they come. Cheap to poll; a torn last line is left for later.
#[derive(Debug)]
pub struct Follower {}

impl Follower {
    /// From the first event on.
    #[must_use]
    pub fn new(_run_folder: &Path) -> Self {
        Self {}
    }

    /// The events since the last call.
    ///
    /// # Errors
    /// `run.unreadable`.
    pub fn poll(&mut self) -> Result<Vec<RunEvent>, Problem> {
        Ok(Vec::new())
    }
}

/// Asks a run's supervisor to end it: ask, grace, kill of the whole tree.
///
/// # Errors
/// `run.not-found`, `run.over`, `file.unwritable`.
pub fn cancel(_engine: &Engine, _id: &str, _reason: CancelReason) -> Result<(), Problem> {
    Err(Problem::new("run.not-found"))
}

/// A piece of a run's raw log, for reading: control sequences taken out, of redrawn lines the last state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPage {
    /// Lines there are now.
    pub total: u32,
    /// The number of the first line here, counted from 0.
    pub first: u32,
    /// The lines.
    pub lines: Vec<String>,
}

/// The raw log of a run, with an index that grows with it.
#[derive(Debug)]
pub struct Log {}

impl Log {
    /// Opens a run's log; one that does not exist yet is empty.
    #[must_use]
    pub fn open(_run_folder: &Path) -> Self {
        Self {}
    }

    /// Some lines, from `first` on, counted from 0.
    ///
    /// # Errors
    /// `run.unreadable`.
    pub fn page(&mut self, _first: u32, _count: u32) -> Result<LogPage, Problem> {
        Ok(LogPage { total: 0, first: 0, lines: Vec::new() })
    }

    /// Numbers of lines that contain a text, whatever its case; at most `limit`.
    ///
    /// # Errors
    /// `run.unreadable`.
    pub fn search(&mut self, _text: &str, _limit: u32) -> Result<Vec<u32>, Problem> {
        Ok(Vec::new())
    }
}

/// The supervisor's whole life: owns the run in this folder until it is over. Answers the process's exit code.
pub async fn supervise(_run_folder: &Path) -> u8 {
    2
}
