//! Job objects.

use std::io;
use std::process::ExitStatus;

use process_wrap::tokio::{ChildWrapper, CommandWrap, JobObject};
use sysinfo::Process;

/// `CREATE_NO_WINDOW` and `CREATE_NEW_PROCESS_GROUP` of `CreateProcessW`. What the supervisor starts shares its invisible
/// console, so no window opens for it either.
const DETACHED: u32 = 0x0800_0000 | 0x0000_0200;
/// `CREATE_BREAKAWAY_FROM_JOB`.
const OUT_OF_JOB: u32 = 0x0100_0000;

/// Starts a command in a job of its own. The job does not end with its handle: a dead supervisor must not kill it.
pub(super) fn start(command: &mut CommandWrap) -> io::Result<Box<dyn ChildWrapper>> {
    command.wrap(JobObject).spawn()
}

/// Starts a command that outlives this process and, where that is allowed, the job this process is in.
pub(crate) fn detach(mut command: CommandWrap) -> io::Result<Box<dyn ChildWrapper>> {
    command.command_mut().creation_flags(DETACHED | OUT_OF_JOB);
    command.spawn().or_else(|_| {
        command.command_mut().creation_flags(DETACHED);
        command.spawn()
    })
}

pub(super) fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// A process without a console cannot be asked.
pub(super) fn interrupt(_pid: u32) -> bool {
    false
}

pub(super) fn terminate(_pid: u32) -> bool {
    false
}

pub(super) fn memory(process: &Process) -> u64 {
    process.memory()
}
