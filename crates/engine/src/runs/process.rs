//! The trainer's processes: started, watched, ended; the workers it starts included.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::process::{ExitStatus, Stdio};

use preflight_core::run::{RunRecord, Usage};
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

use super::folder::Folder;

#[cfg(unix)]
#[path = "process/unix.rs"]
mod system;
#[cfg(windows)]
#[path = "process/windows.rs"]
mod system;

pub(super) use system::{adopt_orphans, detach};

/// How the trainer's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exit {
    /// Its exit code.
    pub(super) code: Option<i32>,
    /// The signal that ended it.
    pub(super) signal: Option<i32>,
}

/// The trainer's first process.
#[derive(Debug)]
pub(super) struct Trainer {
    child: Box<dyn ChildWrapper>,
    pid: u32,
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
            command
                .args(arguments)
                .current_dir(folder.path())
                .envs(&record.variables)
                .stdin(Stdio::null())
                .stdout(log)
                .stderr(errors);
            for name in super::launch::UNSET {
                command.env_remove(name);
            }
        });
        let child = system::start(&mut command)?;
        let pid = child.id().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(Self { child, pid })
    }

    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    /// How it ended; `None`: it is there.
    pub(super) fn exit(&mut self) -> io::Result<Option<Exit>> {
        let exit = |status: ExitStatus| Exit { code: status.code(), signal: system::signal(status) };
        Ok(self.child.try_wait()?.map(exit))
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

/// The processes of one run: the trainer, everything it started, and everything they started.
#[derive(Debug)]
pub(super) struct Tree {
    system: System,
    root: Pid,
    /// A process of the same number that began at another time is another's. `None`: the root was started just now.
    began_s: Option<u64>,
}

impl Tree {
    /// Starts the trainer of a run.
    pub(super) fn start(record: &RunRecord, folder: &Folder) -> io::Result<(Trainer, Self)> {
        // First: a trainer that cannot be watched must not be started.
        let system = System::new().map_err(io::Error::other)?;
        let trainer = Trainer::start(record, folder)?;
        let root = Pid::from_u32(trainer.pid);
        Ok((trainer, Self { system, root, began_s: None }))
    }

    /// The tree of a trainer that someone started earlier.
    pub(super) fn of_stranger(root: u32, began_s: u64) -> io::Result<Self> {
        let system = System::new().map_err(io::Error::other)?;
        Ok(Self { system, root: Pid::from_u32(root), began_s: Some(began_s) })
    }

    fn look(&mut self) {
        let what = ProcessRefreshKind::nothing().with_cpu().with_memory().without_tasks();
        self.system.refresh_processes_specifics(ProcessesToUpdate::All, true, what);
    }

    /// When the root began, in seconds since 1970 UTC.
    pub(super) fn began_s(&mut self) -> Option<u64> {
        self.look();
        self.system.process(self.root).map(Process::start_time)
    }

    /// The tree's living processes, as looked at last.
    fn members(&self) -> Vec<&Process> {
        if let (Some(began_s), Some(root)) = (self.began_s, self.system.process(self.root))
            && root.start_time() != began_s
        {
            return Vec::new();
        }
        let mut members: HashSet<Pid> = HashSet::from([self.root]);
        // What lost its parent belongs to the supervisor where the system can do that.
        let this = Pid::from_u32(std::process::id());
        let is_ours = |process: &Process, members: &HashSet<Pid>| {
            process.session_id() == Some(self.root)
                || process
                    .parent()
                    .is_some_and(|parent| members.contains(&parent) || (self.began_s.is_none() && parent == this))
        };
        loop {
            let found: Vec<Pid> = self
                .system
                .processes()
                .values()
                .filter(|process| !members.contains(&process.pid()) && is_ours(process, &members))
                .map(Process::pid)
                .collect();
            if found.is_empty() {
                break;
            }
            members.extend(found);
        }
        let lives = |process: &&Process| !matches!(process.status(), ProcessStatus::Zombie | ProcessStatus::Dead);
        members.into_iter().filter_map(|pid| self.system.process(pid)).filter(lives).collect()
    }

    /// What its processes use now, the GPU left out, and which they are.
    pub(super) fn usage(&mut self) -> (Usage, Vec<u32>) {
        self.look();
        let mut usage = Usage { cpu: 0.0, memory: 0, gpu_memory: None, gpu_utilization: None };
        let mut pids = Vec::new();
        for process in self.members() {
            usage.cpu += process.cpu_usage() / 100.0;
            usage.memory += system::memory(process);
            pids.push(process.pid().as_u32());
        }
        (usage, pids)
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
