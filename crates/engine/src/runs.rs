//! Runs: one folder each, owned by a supervisor of its own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use preflight_core::environment::{Environment, EnvironmentState};
use preflight_core::facts::{Fact, Facts, WeightsState};
use preflight_core::finding::{Finding, Stage, Verb};
use preflight_core::machine::{self, Gpus, Unresolved};
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_core::report::Verdict;
use preflight_core::run::{Event, Hardware, PauseReason, Progress, RunRecord, RunState, arguments};
use tokio_util::sync::CancellationToken;

use crate::Engine;
use crate::dataset::manifest::Manifest;
use crate::dirs::Dirs;
use crate::preflight::now_ms;
use crate::work::blocking;

mod aftermath;
mod awake;
mod bundle;
mod checkpoint;
mod command;
mod control;
mod delete;
mod desk;
mod diagnosis;
mod failure;
mod folder;
mod hand_over;
mod journal;
mod launch;
mod lessons;
mod log;
mod meter;
mod note;
mod process;
mod recent_log;
mod request;
mod space;
mod summary;
mod supervisor;
mod tryout;
mod view;
mod watch;

pub use bundle::{Bundle, Piece, bundle, letter, save_bundle, save_report};
pub use command::{TrainingCommand, command};
pub use control::{Resumed, cancel, keep_on, pause, resume};
pub use delete::{delete, size};
pub use diagnosis::{Why, diagnose};
pub use hand_over::{attend, recover, recover_all, resume_after_restart};
pub use journal::Follower;
pub use log::{Log, LogLines};
pub use note::note;
pub(crate) use recent_log::RecentLog;
pub use recent_log::{log_page, search_log};
pub use summary::RunSummary;
pub use supervisor::supervise;
pub use tryout::{TriedOut, TryOutProgress, cancel_try_out, try_out};
pub use view::{RunView, view};
pub use watch::{RunUpdate, watch};

pub(crate) use desk::tell as notify;
pub(crate) use folder::{OUTPUT, dataset_name};
pub(crate) use launch::{UNSET, variables};
pub(crate) use process::MARK;

use folder::Folder;
use hand_over::hand_over;
use journal::Journal;
use launch::Launch;

/// How long a supervisor may take to take its run on: starting a program from a cold, slow disk takes seconds.
const TAKE_ON: Duration = Duration::from_secs(30);

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
        Ok(Self { program: as_replaced(program), arguments: vec!["supervise".into()] })
    }
}

/// Where a program is now. Linux calls the file of one that an update replaced while it ran `… (deleted)`.
fn as_replaced(program: PathBuf) -> PathBuf {
    let newer = program.to_str().and_then(|path| path.strip_suffix(" (deleted)")).map(PathBuf::from);
    newer.filter(|newer| !program.exists() && newer.exists()).unwrap_or(program)
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
    /// What a person noted about it; empty: nothing.
    pub note: String,
}

/// Looks at the chain once more and starts; answers the run's id. What blocks refuses it, unless it is predicted and
/// `accepted`; an unknown does not.
///
/// # Errors
/// `run.blocked` with the codes of what blocks, and those of [`start`].
pub async fn start_checked(
    engine: &Engine,
    plan: &Plan,
    accepted: &[String],
    supervisor: &SupervisorCommand,
) -> Result<String, Problem> {
    let report = engine.preflight(plan).await;
    if let Verdict::Blocked | Verdict::AskFirst = report.verdict(accepted, false) {
        let codes: Vec<_> = report.blockers().map(|finding| finding.code.as_str()).collect();
        return Err(Problem::new("run.blocked").because_text(codes.join(", ")));
    }
    start(engine, plan, accepted, supervisor).await
}

/// Writes a run's folder and starts its supervisor, detached: the run outlives the caller. Answers the run's id.
///
/// The caller has looked at the preflight; `accepted` are the predicted blockers a person accepted.
///
/// # Errors
/// `plan.reserved-argument`, `plan.unknown-argument`, `run.no-environment`, `run.no-device`, `run.no-weights`, those of
/// [`Engine::dataset`], `file.unwritable`, `run.no-supervisor`.
pub async fn start(
    engine: &Engine,
    plan: &Plan,
    accepted: &[String],
    supervisor: &SupervisorCommand,
) -> Result<String, Problem> {
    only_local(plan)?;
    arguments::check(&plan.training)?;
    let facts = engine.gather(plan).await;
    let weights = weights(&facts.weights)?;
    let launch = launch(engine, plan, accepted, facts, weights).await?;
    let folder = blocking(move || launch.write()).await?;
    give_to(&folder, supervisor).await?;
    Ok(folder.id())
}

/// What is for a platform is checked, and not submitted yet.
pub(crate) fn only_local(plan: &Plan) -> Result<(), Problem> {
    if plan.is_local() { Ok(()) } else { Err(Problem::new("run.check-only")) }
}

/// What a plan is run with on this machine.
async fn launch(
    engine: &Engine,
    plan: &Plan,
    accepted: &[String],
    facts: Facts,
    weights: Option<PathBuf>,
) -> Result<Launch, Problem> {
    let hardware = hardware(&facts);
    let device = device(plan, &facts.gpus)?;
    let environment = environment(facts.environment)?;
    let dataset = engine.dataset(&plan.dataset, Arc::new(|_, _| {}), CancellationToken::new()).await?;
    let (dirs, plan, accepted) = (engine.dirs().clone(), plan.clone(), accepted.to_vec());
    Ok(Launch { dirs, plan, accepted, environment, device, weights, dataset, hardware, trial: None })
}

/// Gives a queued run to a supervisor; where none can be had, the run has failed.
async fn give_to(folder: &Folder, supervisor: &SupervisorCommand) -> Result<(), Problem> {
    let Err(problem) = hand_over(folder, supervisor).await else { return Ok(()) };
    if let Some(mut journal) = write(folder)?
        && journal.progress().state == RunState::Queued
    {
        let finding = Finding::blocker(Stage::Start, "no-supervisor", Verb::Change);
        let finding = finding.seen(failure::evidence(&problem)).remedy(failure::open_log(&folder.supervisor_log()));
        journal.append(Event::Broken { finding });
    }
    Err(problem)
}

fn hardware(facts: &Facts) -> Hardware {
    let mut hardware = Hardware::default();
    if let Fact::Known(computer) = &facts.computer {
        hardware.system.clone_from(&computer.os_name);
        hardware.cpu.clone_from(&computer.cpu);
        hardware.memory = computer.memory_total;
    }
    if let Fact::Known(gpus) = &facts.gpus {
        hardware.driver = gpus.driver.known().cloned().unwrap_or_default();
        hardware.gpus = gpus.cards.iter().map(|card| card.name.known().cloned().unwrap_or_default()).collect();
    }
    hardware
}

/// The right to write to a run; `None` while another has it.
fn write(folder: &Folder) -> Result<Option<Journal>, Problem> {
    let unwritable =
        |error: std::io::Error| Problem::new("file.unwritable").with("path", folder.path()).because(&error);
    match folder.lock().map_err(unwritable)? {
        Some(lock) => Journal::open(folder, lock).map(Some).map_err(unwritable),
        None => Ok(None),
    }
}

fn environment(state: Fact<EnvironmentState>) -> Result<Environment, Problem> {
    let problem = Problem::new("run.no-environment");
    match state {
        Fact::Known(EnvironmentState::Ready { environment }) => Ok(environment),
        Fact::Known(EnvironmentState::Missing) => Err(problem),
        Fact::Known(EnvironmentState::Broken { problem: broken, .. }) => Err(problem.because(&broken)),
        Fact::Unknown(reason) => Err(problem.because_text(reason.id)),
    }
}

/// The device as Ultralytics is told.
fn device(plan: &Plan, gpus: &Fact<Gpus>) -> Result<String, Problem> {
    machine::resolve(plan.device(), gpus).map(|device| device.to_string()).map_err(|unresolved| {
        let problem = Problem::new("run.no-device").with("device", plan.device().to_string());
        match unresolved {
            Unresolved::NotObserved(reason) => problem.because_text(reason.id),
            Unresolved::NoDriver | Unresolved::NoSuchGpu(_) | Unresolved::NoSuchSlice(_) => problem,
        }
    })
}

/// The file of the first weights; `None`: there are none.
fn weights(state: &Fact<WeightsState>) -> Result<Option<PathBuf>, Problem> {
    let problem = |path: &Path| Problem::new("run.no-weights").with("path", path);
    match state {
        Fact::Known(WeightsState::NotNeeded) => Ok(None),
        Fact::Known(WeightsState::Present { path, .. }) => {
            std::path::absolute(path).map(Some).map_err(|error| problem(path).because(&error))
        }
        Fact::Known(WeightsState::Missing { path } | WeightsState::Unreadable { path, .. }) => Err(problem(path)),
        Fact::Unknown(reason) => Err(problem(Path::new("")).because_text(reason.id.as_str())),
    }
}

/// All runs, newest first. Folders that are no runs are left out.
#[must_use]
pub fn list(engine: &Engine) -> Vec<Run> {
    all(engine.dirs())
}

/// The devices of runs that are at work, as Ultralytics is told.
pub(crate) fn devices_in_use(dirs: &Dirs) -> Vec<String> {
    let works = |run: &Run| !run.progress.state.is_over() && run.progress.state != RunState::Paused;
    all(dirs).into_iter().filter(works).map(|run| run.record.device).collect()
}

/// The newest run that trained with a dataset, by its id, and what the dataset held then. Blocks.
pub(crate) fn trained_with(dirs: &Dirs, dataset: &Path) -> Option<(String, Manifest)> {
    let is_training = |run: &Run| run.record.trial.is_none() && run.record.plan.dataset == dataset;
    all(dirs).into_iter().filter(is_training).find_map(|run| {
        // One that ended early did not hash it; one that cannot be read compares with nothing.
        let manifest = Manifest::load(&Folder::new(run.folder).manifest()).ok().flatten()?;
        Some((run.record.id, manifest))
    })
}

/// The newest training of a plan that was begun since a time, by its id. Blocks.
pub(crate) fn begun_since(dirs: &Dirs, plan: &Plan, since_ms: u64) -> Option<String> {
    let is_of_plan =
        |run: &Run| run.record.trial.is_none() && run.record.created_ms >= since_ms && run.record.plan == *plan;
    all(dirs).into_iter().find(is_of_plan).map(|run| run.record.id)
}

fn all(dirs: &Dirs) -> Vec<Run> {
    let Ok(entries) = std::fs::read_dir(dirs.runs()) else { return Vec::new() };
    let mut runs: Vec<Run> = entries.flatten().filter_map(|entry| look(&Folder::new(entry.path())).ok()).collect();
    runs.sort_by(|a, b| (b.record.created_ms, &b.record.id).cmp(&(a.record.created_ms, &a.record.id)));
    runs
}

/// One run. Finds out whether its supervisor is alive: a run found dead is `lost`.
///
/// # Errors
/// `run.not-found`, `run.unreadable`, `run.too-new`.
pub fn open(engine: &Engine, id: &str) -> Result<Run, Problem> {
    look(&find(engine, id)?)
}

/// The folder of a run.
fn find(engine: &Engine, id: &str) -> Result<Folder, Problem> {
    // An id is one name: nothing outside of the runs' folder can be meant.
    let is_name = Path::new(id).components().eq([std::path::Component::Normal(id.as_ref())]);
    if is_name {
        Ok(Folder::new(engine.dirs().runs().join(id)))
    } else {
        Err(Problem::new("run.not-found").with("id", id))
    }
}

fn look(folder: &Folder) -> Result<Run, Problem> {
    // A folder that was copied or renamed is a run of its own.
    let record = RunRecord { id: folder.id(), ..folder.read_record()? };
    // Looked at before it is read: a supervisor that ends in between has written the end.
    let has_owner = folder.is_locked();
    let (mut progress, _) = journal::read(folder)?;
    if !has_owner && progress.state.is_active() && !is_new(&record, &progress) {
        progress.state = RunState::Lost;
        progress.ended_ms = Some(progress.last_ms);
        progress.remaining_s = None;
    }
    Ok(Run { folder: folder.path().to_owned(), record, progress, note: note::read(folder) })
}

/// Whether a run is between the one who queued it and its supervisor's first event.
fn is_new(record: &RunRecord, progress: &Progress) -> bool {
    let queued_ms = record.created_ms.max(progress.last_ms);
    progress.state == RunState::Queued
        && now_ms().saturating_sub(queued_ms) < u64::try_from(TAKE_ON.as_millis()).unwrap_or(u64::MAX)
}

/// Whether a supervisor should be there: a run is under way, or waits for room on the disk.
fn wants_supervisor(record: &RunRecord, progress: &Progress) -> bool {
    match progress.state {
        RunState::Paused => {
            progress.pausing.is_some_and(|pausing| pausing.reason == PauseReason::DiskFull)
                && !supervisor::rebooted_since(progress.last_ms)
        }
        state => state.is_active() && !is_new(record, progress),
    }
}

/// Whether the folder is where it was when its run was started: what the trainer is given names it.
fn is_from_here(folder: &Folder, record: &RunRecord) -> bool {
    record.command.iter().any(|part| Path::new(part) == folder.arguments())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_was_replaced_while_it_ran_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let (program, gone) = (folder.path().join("app"), folder.path().join("app (deleted)"));
        assert_eq!(as_replaced(gone.clone()), gone, "it is nowhere");
        std::fs::write(&program, "").unwrap();
        assert_eq!(as_replaced(program.clone()), program);
        assert_eq!(as_replaced(gone.clone()), program);
        std::fs::write(&gone, "").unwrap();
        assert_eq!(as_replaced(gone.clone()), gone, "it is called so");
    }
}
