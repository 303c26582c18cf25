//! What a person asks of a run that is there: end it, let it rest, have it go on.

use std::time::{Duration, Instant};

use preflight_core::dataset::Dataset;
use preflight_core::problem::Problem;
use preflight_core::run::{CancelReason, Changes, Event, ResumeReason, RunState};
use serde::Serialize;

use super::folder::Folder;
use super::journal::{self, Journal};
use super::request::Request;
use super::{SupervisorCommand, find, give_to, launch, supervisor, weights, write};
use crate::Engine;
use crate::work::blocking;

/// How long a supervisor that waits for room has to let go.
const LET_GO: Duration = Duration::from_secs(10);

/// A run that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Resumed {
    /// The finished epochs it goes on after; 0: it begins again, for none was.
    pub after_epoch: u32,
}

/// Asks a run's supervisor to end it: ask, grace, kill of the whole tree. Where the supervisor is dead, ends what is left
/// of the run; that blocks for as long as it takes.
///
/// # Errors
/// `run.not-found`, `run.over`, `run.not-ended`, `file.unwritable`.
pub fn cancel(engine: &Engine, id: &str, reason: CancelReason) -> Result<(), Problem> {
    let folder = find(engine, id)?;
    let over = || Problem::new("run.over").with("id", id);
    folder.read_record()?;
    if journal::read(&folder)?.0.state.is_over() {
        return Err(over());
    }
    let Some(mut journal) = write(&folder)? else {
        return Request::Cancel { reason, grace_s: engine.settings().effective_stop_grace_s() }.send(&folder);
    };
    let state = journal.progress().state;
    if state.is_over() {
        return Err(over());
    }
    journal.append(Event::CancelRequested { reason });
    if state == RunState::Paused {
        journal.append(Event::NotStarted);
        return Ok(());
    }
    supervisor::bury(&mut journal, &folder)
        .map_err(|error| Problem::new("run.not-ended").with("id", id).because(&error))
}

/// Asks a run's supervisor to let it rest: at the end of its epoch, or at once, which costs what is done of the epoch.
/// A run in its last epoch finishes instead. One that rests already stays so.
///
/// # Errors
/// `run.not-found`, `run.over`, `run.no-supervisor`, `file.unwritable`.
pub fn pause(engine: &Engine, id: &str, now: bool) -> Result<(), Problem> {
    let grace_s = now.then(|| engine.settings().effective_stop_grace_s());
    match state(engine, id)? {
        (_, RunState::Paused) => Ok(()),
        (folder, _) => Request::Pause { grace_s }.send(&folder),
    }
}

/// Takes back that a run is to rest at the end of its epoch. Where the trainer has seen it already, it rests.
///
/// # Errors
/// As [`pause`], and `run.not-pausing` for one that rests.
pub fn keep_on(engine: &Engine, id: &str) -> Result<(), Problem> {
    match state(engine, id)? {
        (_, RunState::Paused) => Err(Problem::new("run.not-pausing").with("id", id)),
        (folder, _) => Request::KeepOn.send(&folder),
    }
}

/// The state of a run that is not over, and that has a supervisor unless it rests.
fn state(engine: &Engine, id: &str) -> Result<(Folder, RunState), Problem> {
    let folder = find(engine, id)?;
    folder.read_record()?;
    // Looked at before it is read: a supervisor that ends in between has written the end.
    let has_owner = folder.is_locked();
    match journal::read(&folder)?.0.state {
        state if state.is_over() => Err(Problem::new("run.over").with("id", id)),
        state if state.is_active() && state != RunState::Queued && !has_owner => Err(Problem::new("run.no-supervisor")),
        state => Ok((folder, state)),
    }
}

/// Has a run go on from its newest whole checkpoint, with what is changed about it. A run that rests or was lost before
/// an epoch was done begins again.
///
/// # Errors
/// `run.not-found`, `run.too-new`; why it cannot: `run.finished`, `run.under-way`, `run.no-checkpoint`, `run.busy`,
/// `run.classes-changed`; those of [`Changes::check`] and of [`super::start`].
pub async fn resume(
    engine: &Engine,
    id: &str,
    changes: &Changes,
    by: ResumeReason,
    supervisor: &SupervisorCommand,
) -> Result<Resumed, Problem> {
    changes.check()?;
    let folder = find(engine, id)?;
    folder.read_record()?;
    resumable(&folder, journal::read(&folder)?.0.state)?;
    let mut journal = take(&folder).await?;
    let progress = journal.progress().clone();
    resumable(&folder, progress.state)?;
    let record = folder.read_record()?;
    let plan = changes.applied_to(&record.plan);
    let facts = engine.gather(&plan).await;
    // The weights it began with are in its folder; only a run that begins again needs them, and then looks there first.
    let begun_with = weights(&facts.weights).ok().flatten();
    let launch = launch(engine, &plan, &record.accepted, facts, begun_with).await?;
    same_classes(&folder, &launch.dataset)?;
    let may_begin_again = matches!(progress.state, RunState::Paused | RunState::Lost);
    let (written, place, changed) = (folder.clone(), record, changes.clone());
    let from_checkpoint = blocking(move || {
        if !may_begin_again && super::checkpoint::whole(&written).is_empty() {
            return Err(Problem::new("run.no-checkpoint").with("id", written.id()));
        }
        Request::drop_all(&written);
        launch.write_again(&written, &place, progress.resumed, &changed)
    })
    .await?;
    journal.append(Event::Resumed { by, changes: changes.clone() });
    if !journal.flush() {
        return Err(Problem::new("file.unwritable").with("path", folder.path()));
    }
    let after_epoch = if from_checkpoint { journal.progress().resumed_after } else { 0 };
    drop(journal);
    give_to(&folder, supervisor).await?;
    Ok(Resumed { after_epoch })
}

fn resumable(folder: &Folder, state: RunState) -> Result<(), Problem> {
    let problem = match state {
        RunState::Succeeded => "run.finished",
        state if state.is_resumable() => return Ok(()),
        _ => "run.under-way",
    };
    Err(Problem::new(problem).with("id", folder.id()))
}

/// The right to write to a run that rests or is over. A supervisor that waits for room is asked to let go.
async fn take(folder: &Folder) -> Result<Journal, Problem> {
    let began = Instant::now();
    loop {
        if let Some(journal) = write(folder)? {
            return Ok(journal);
        }
        if began.elapsed() > LET_GO {
            return Err(Problem::new("run.busy").with("path", folder.path()));
        }
        Request::LetGo.send(folder)?;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The model's head was made for the classes it began with.
fn same_classes(folder: &Folder, now: &Dataset) -> Result<(), Problem> {
    let before = std::fs::read(folder.dataset()).ok().and_then(|text| serde_json::from_slice::<Dataset>(&text).ok());
    match before {
        Some(before) if before.names.len() != now.names.len() => {
            Err(Problem::new("run.classes-changed").with("before", before.names.len()).with("now", now.names.len()))
        }
        _ => Ok(()),
    }
}
