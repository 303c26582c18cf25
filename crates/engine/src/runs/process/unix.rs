//! Sessions and signals.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::process::{Pid, Signal, kill_process_group};
use sysinfo::Process;

/// Starts a command in a session of its own, so that no terminal and no process group of ours reaches it.
pub(super) fn start(command: &mut CommandWrap) -> io::Result<Box<dyn ChildWrapper>> {
    // The wrapper's own waiting waits for the whole group and would take the status of what is adopted.
    Ok(command.wrap(ProcessSession).spawn()?.into_inner())
}

/// Starts a command that outlives this process.
pub(crate) fn detach(mut command: CommandWrap) -> io::Result<Box<dyn ChildWrapper>> {
    start(&mut command)
}

pub(super) fn signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// As Ctrl+C in a terminal does: to the whole group.
pub(super) fn interrupt(session: u32) -> bool {
    send(session, Signal::INT)
}

pub(super) fn terminate(session: u32) -> bool {
    send(session, Signal::TERM)
}

fn send(session: u32, signal: Signal) -> bool {
    let group = i32::try_from(session).ok().and_then(Pid::from_raw);
    group.is_some_and(|group| kill_process_group(group, signal).is_ok())
}

/// The memory a process holds. Workers share most of theirs with the trainer, so each counts its share only.
pub(super) fn memory(process: &Process) -> u64 {
    proportional(process.pid().as_u32()).unwrap_or_else(|| process.memory())
}

fn proportional(pid: u32) -> Option<u64> {
    let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
