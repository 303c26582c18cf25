//! Giving a run to a supervisor: a new one, one that goes on, and one whose supervisor died.

use std::collections::HashSet;
use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use preflight_core::problem::Problem;
use preflight_core::run::{Changes, Event, ResumeReason, RunEvent, RunState};
use process_wrap::tokio::{ChildWrapper, CommandWrap};

use super::folder::Folder;
use super::{SupervisorCommand, TAKE_ON, find, journal, list, process, supervisor, wants_supervisor};
use crate::Engine;
use crate::account::SECRETS;
use crate::work::blocking;

/// How often it is looked for runs whose supervisor died while the app is open.
const ATTEND: Duration = Duration::from_secs(5);

/// Starts a supervisor, detached, and waits until it has taken the run on or written down how it ended.
pub(super) async fn hand_over(folder: &Folder, command: &SupervisorCommand) -> Result<(), Problem> {
    let failed = |error: &dyn std::error::Error| Problem::new("run.no-supervisor").because(error);
    let (mut progress, mut follower) = journal::read(folder)?;
    let scope = process::scoped();
    let mut is_scoped = scope.is_some();
    let mut supervisor = match &scope {
        Some(scope) => spawn(folder, command, Some(scope)).or_else(|_| spawn(folder, command, None)),
        None => spawn(folder, command, None),
    }
    .map_err(|error| failed(&error))?;
    let began = Instant::now();
    loop {
        let exit = supervisor.try_wait().map_err(|error| failed(&error))?;
        let events = follower.poll()?;
        events.iter().for_each(|event| progress.apply(event));
        let is_taken = |event: &RunEvent| matches!(event.event, Event::Preparing { .. } | Event::Adopted { .. });
        // One that rests for want of room has nothing to say yet.
        let is_settled = match progress.state {
            RunState::Paused => !events.is_empty() || folder.is_locked(),
            state => state.is_over(),
        };
        if is_settled || events.iter().any(is_taken) {
            return Ok(());
        }
        if exit.is_some() && std::mem::take(&mut is_scoped) {
            supervisor = spawn(folder, command, None).map_err(|error| failed(&error))?;
        } else if exit.is_some() || began.elapsed() > TAKE_ON {
            let said = std::fs::read_to_string(folder.supervisor_log()).unwrap_or_default();
            let problem = Problem::new("run.no-supervisor");
            return Err(said.lines().last().map_or(problem.clone(), |line| problem.because_text(line)));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn spawn(
    folder: &Folder,
    command: &SupervisorCommand,
    scope: Option<&process::Scope>,
) -> std::io::Result<Box<dyn ChildWrapper>> {
    let errors = File::options().create(true).append(true).open(folder.supervisor_log())?;
    let (program, before) = match scope {
        Some(scope) => (&scope.program, scope.arguments.as_slice()),
        None => (&command.program, [].as_slice()),
    };
    let command = CommandWrap::with_new(program, |supervisor| {
        supervisor.args(before);
        if scope.is_some() {
            supervisor.arg(&command.program);
        }
        supervisor
            .args(&command.arguments)
            .arg(folder.path())
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors);
        // Nor does the trainer get what its supervisor has not.
        for name in SECRETS {
            supervisor.env_remove(name);
        }
    });
    process::detach(command)
}

/// Gives a run whose supervisor died to another one, which goes on where that one stopped: it adopts a trainer that
/// works, and finds out how one ended that does not. Answers whether there was something to do.
///
/// # Errors
/// `run.not-found`, `run.unreadable`, `run.too-new`, `run.no-supervisor`.
pub async fn recover(engine: &Engine, id: &str, supervisor: &SupervisorCommand) -> Result<bool, Problem> {
    let folder = find(engine, id)?;
    let looked = folder.clone();
    let wants = blocking(move || wants(&looked)).await?;
    if wants {
        hand_over(&folder, supervisor).await?;
    }
    Ok(wants)
}

/// Gives every run whose supervisor died to another one. Answers the runs that could not be given, with the reason.
pub async fn recover_all(engine: &Engine, supervisor: &SupervisorCommand) -> Vec<(String, Problem)> {
    let folder = engine.dirs().runs();
    let lost = blocking(move || Ok(unattended(&folder))).await.unwrap_or_default();
    let mut failed = Vec::new();
    for id in lost {
        if let Err(problem) = recover(engine, &id, supervisor).await {
            failed.push((id, problem));
        }
    }
    failed
}

/// Runs that nobody looks after and somebody should. Blocks.
fn unattended(runs: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(runs) else { return Vec::new() };
    let folders = entries.flatten().map(|entry| Folder::new(entry.path()));
    folders.filter(|folder| wants(folder).unwrap_or(false)).map(|folder| folder.id()).collect()
}

/// Whether nobody looks after a run and somebody should. Blocks.
fn wants(folder: &Folder) -> Result<bool, Problem> {
    if folder.is_locked() {
        return Ok(false);
    }
    let record = folder.read_record()?;
    Ok(wants_supervisor(&record, &journal::read(folder)?.0))
}

/// Looks after the runs for as long as the app is open: no end. At first, where the settings say so, has those go on
/// that were lost when the computer was restarted.
pub async fn attend(engine: Arc<Engine>, supervisor: SupervisorCommand) {
    tokio::join!(engine.attend_waiting(&supervisor), attend_runs(&engine, &supervisor));
}

async fn attend_runs(engine: &Engine, supervisor: &SupervisorCommand) {
    // One that could not be given to another supervisor is not tried again: it is shown as lost.
    let mut hopeless = HashSet::new();
    recover_but(engine, supervisor, &mut hopeless).await;
    if engine.settings().resume_after_restart {
        resume_after_restart(engine, supervisor).await;
    }
    loop {
        tokio::time::sleep(ATTEND).await;
        recover_but(engine, supervisor, &mut hopeless).await;
    }
}

async fn recover_but(engine: &Engine, supervisor: &SupervisorCommand, hopeless: &mut HashSet<String>) {
    let folder = engine.dirs().runs();
    let lost = blocking(move || Ok(unattended(&folder))).await.unwrap_or_default();
    for id in lost {
        if !hopeless.contains(&id) && recover(engine, &id, supervisor).await.is_err() {
            hopeless.insert(id);
        }
    }
}

/// Has the runs go on that were found lost since the computer was started. One that went on before and did not finish
/// an epoch since is left alone: it may be what brings the computer down. Answers their ids.
pub async fn resume_after_restart(engine: &Engine, supervisor: &SupervisorCommand) -> Vec<String> {
    let mut resumed = Vec::new();
    for run in list(engine) {
        let progress = &run.progress;
        let was_lost_now = progress.state == RunState::Lost
            && progress.ended_ms.is_some_and(|ended_ms| !supervisor::rebooted_since(ended_ms));
        let got_on =
            progress.resumed == 0 || progress.history.last().is_some_and(|point| point.epoch > progress.resumed_after);
        if was_lost_now && got_on {
            let id = run.record.id;
            let by = ResumeReason::Restart;
            if super::resume(engine, &id, &Changes::default(), by, supervisor).await.is_ok() {
                resumed.push(id);
            }
        }
    }
    resumed
}
