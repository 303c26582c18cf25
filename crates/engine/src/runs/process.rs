//! The trainer's processes: started, watched, ended; the workers it starts included.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::process::{ExitStatus, Stdio};

use preflight_core::run::RunRecord;
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System, UpdateKind};

use super::folder::Folder;

#[cfg(unix)]
#[path = "process/unix.rs"]
mod system;
#[cfg(windows)]
#[path = "process/windows.rs"]
mod system;

#[path = "process/scope.rs"]
mod scope;

pub(super) use scope::{Scope, scoped};
pub(super) use system::detach;

/// How the trainer's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exit {
    /// Its exit code.
    pub(super) code: Option<i32>,
    /// The signal that ended it.
    pub(super) signal: Option<i32>,
}

impl Exit {
    /// Of a trainer that was another supervisor's child.
    pub(super) const UNSEEN: Self = Self { code: None, signal: None };

    /// Whether nothing speaks against that it ended well.
    pub(super) fn may_be_well(self) -> bool {
        matches!(self, Self { code: Some(0), .. } | Self::UNSEEN)
    }
}

/// The trainer's first process.
#[derive(Debug)]
pub(super) struct Trainer {
    /// `None`: an earlier supervisor's child.
    child: Option<Box<dyn ChildWrapper>>,
    pid: u32,
    began_s: u64,
}

impl Trainer {
    /// Starts it in a session of its own. What it prints goes to a file rather than a pipe: the
    /// supervisor's end must not be the trainer's.
    fn start(record: &RunRecord, folder: &Folder) -> io::Result<Self> {
        let (program, arguments) =
            record.command.split_first().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let log = File::options().create(true).append(true).open(folder.trainer_log())?;
        let errors = log.try_clone()?;
        let mut command = CommandWrap::with_new(program, |command| {
            for name in super::launch::UNSET {
                command.env_remove(name);
            }
            command
                .args(arguments)
                .current_dir(folder.path())
                .envs(&record.variables)
                .env(MARK, folder.path())
                .stdin(Stdio::null())
                .stdout(log)
                .stderr(errors);
        });
        let child = system::start(&mut command)?;
        let pid = child.id().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(Self { child: Some(child), pid, began_s: 0 })
    }

    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    /// When the system says it began, in seconds since 1970 UTC; 0: it ended at once.
    pub(super) fn began_s(&self) -> u64 {
        self.began_s
    }

    /// How it ended; `None`: it is there.
    pub(super) fn exit(&mut self, tree: &mut Tree) -> io::Result<Option<Exit>> {
        let exit = |status: ExitStatus| Exit { code: status.code(), signal: system::signal(status) };
        match &mut self.child {
            Some(child) => Ok(child.try_wait()?.map(exit)),
            None => Ok((!tree.root_lives()).then_some(Exit::UNSEEN)),
        }
    }

    /// Asks it to end. Answers whether there is a way to ask.
    pub(super) fn interrupt(&self) -> bool {
        system::interrupt(self.pid)
    }

    /// Tells it to end. Answers whether there is a way to tell.
    pub(super) fn terminate(&self) -> bool {
        system::terminate(self.pid)
    }
}

/// Marks every process of a run: what the trainer starts inherits it, whatever becomes of parents and sessions.
/// Its value is the run's folder.
pub(crate) const MARK: &str = "PREFLIGHT_RUN";

/// The processes of one run: the trainer, everything it started, and everything they started.
#[derive(Debug)]
pub(super) struct Tree {
    system: System,
    /// The trainer's first process and when it began: one of the same number that began at another time is another's.
    /// `None`: it was never written down.
    root: Option<(Pid, u64)>,
    /// Whether it was started here. Otherwise it must bear the mark: the folder may be a copy of another run's.
    is_own: bool,
    /// The marking variable as the system shows it.
    mark: OsString,
}

impl Tree {
    /// Starts the trainer of a run.
    pub(super) fn start(record: &RunRecord, folder: &Folder) -> io::Result<(Trainer, Self)> {
        // First: a trainer that cannot be watched must not be started.
        let mut tree = Self::of(None, folder)?;
        let mut trainer = Trainer::start(record, folder)?;
        let root = Pid::from_u32(trainer.pid);
        tree.look();
        trainer.began_s = tree.system.process(root).map_or(0, Process::start_time);
        tree.root = Some((root, trainer.began_s));
        tree.is_own = true;
        Ok((trainer, tree))
    }

    /// The tree of a run whose trainer someone started earlier, as process `pid` at `began_s`.
    pub(super) fn of(trainer: Option<(u32, u64)>, folder: &Folder) -> io::Result<Self> {
        let system = System::new().map_err(io::Error::other)?;
        let root = trainer.map(|(pid, began_s)| (Pid::from_u32(pid), began_s));
        Ok(Self { system, root, is_own: false, mark: mark(folder) })
    }

    /// The trainer that works on although its supervisor is dead; `None`: it does not.
    pub(super) fn orphan(&mut self) -> Option<Trainer> {
        self.look();
        let is_first = |process: &&Process| {
            let parent = process.parent().and_then(|parent| self.system.process(parent));
            self.is_marked(process) && !parent.is_some_and(|parent| self.is_marked(parent))
        };
        let first = match self.root {
            Some(_) => self.root(),
            // It was started and not yet written down: it is the one that no other of them started.
            None => self.system.processes().values().filter(|process| is_alive(process)).find(is_first),
        };
        let first = first.filter(|first| is_alive(first))?;
        let (pid, began_s) = (first.pid(), first.start_time());
        self.root = Some((pid, began_s));
        Some(Trainer { child: None, pid: pid.as_u32(), began_s })
    }

    /// The trainer's first process, as looked at last.
    fn root(&self) -> Option<&Process> {
        let (pid, began_s) = self.root?;
        let is_it = |process: &&Process| process.start_time() == began_s && (self.is_own || self.is_marked(process));
        self.system.process(pid).filter(is_it)
    }

    fn is_marked(&self, process: &Process) -> bool {
        process.environ().contains(&self.mark)
    }

    /// Whether the trainer's first process is there.
    fn root_lives(&mut self) -> bool {
        let Some((pid, began_s)) = self.root else { return false };
        let what = ProcessRefreshKind::nothing().without_tasks();
        self.system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), true, what);
        self.system.process(pid).is_some_and(|process| process.start_time() == began_s && is_alive(process))
    }

    fn look(&mut self) {
        let what = ProcessRefreshKind::nothing()
            .with_cpu()
            .with_memory()
            .with_environ(UpdateKind::OnlyIfNotSet)
            .without_tasks();
        self.system.refresh_processes_specifics(ProcessesToUpdate::All, true, what);
    }

    /// The tree's living processes, as looked at last.
    fn members(&self) -> Vec<&Process> {
        let processes = self.system.processes();
        let mut members: HashSet<Pid> = self.root().map(Process::pid).into_iter().collect();
        members.extend(processes.values().filter(|process| self.is_marked(process)).map(Process::pid));
        // A process may have overwritten its variables: then its parent or its session tells.
        loop {
            let is_theirs = |process: &&Process| {
                !members.contains(&process.pid())
                    && [process.parent(), process.session_id()].iter().flatten().any(|theirs| members.contains(theirs))
            };
            let found: Vec<Pid> = processes.values().filter(is_theirs).map(Process::pid).collect();
            if found.is_empty() {
                break;
            }
            members.extend(found);
        }
        members.into_iter().filter_map(|pid| processes.get(&pid)).filter(|process| is_alive(process)).collect()
    }

    /// What its processes use now: CPU time per wall time, and RAM in bytes; and which they are.
    pub(super) fn usage(&mut self) -> (f32, u64, Vec<u32>) {
        self.look();
        let (mut cpu, mut memory, mut pids) = (0.0, 0, Vec::new());
        for process in self.members() {
            cpu += process.cpu_usage() / 100.0;
            memory += system::memory(process);
            pids.push(process.pid().as_u32());
        }
        (cpu, memory, pids)
    }

    /// Whether any of it is there.
    pub(super) fn lives(&mut self) -> bool {
        self.look();
        !self.members().is_empty()
    }

    /// Kills what is there of it.
    pub(super) fn kill(&mut self) {
        self.look();
        for process in self.members() {
            process.kill();
        }
    }
}

fn is_alive(process: &Process) -> bool {
    !matches!(process.status(), ProcessStatus::Zombie | ProcessStatus::Dead)
}

fn mark(folder: &Folder) -> OsString {
    let mut mark = OsString::from(MARK);
    mark.push("=");
    mark.push(folder.path());
    mark
}
