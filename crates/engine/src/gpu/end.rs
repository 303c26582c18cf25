//! Ending a program that is on a card.

use std::time::{Duration, Instant};

use preflight_core::facts::Fact;
use preflight_core::machine::Gpus;
use preflight_core::problem::Problem;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, Signal, System};

/// How long a program has to end by itself.
const GRACE: Duration = Duration::from_secs(5);

/// Ends a program of this person that is on a card now: asks it to, and makes it after some seconds. Blocks.
///
/// # Errors
/// `gpu.not-your-program` where it is somebody else's, or not on a card; `gpu.does-not-end`.
#[expect(clippy::disallowed_methods, reason = "blocks, and says so: it is called where that may be")]
pub(crate) fn end(gpus: &Fact<Gpus>, pid: u32) -> Result<(), Problem> {
    let processes = gpus.known().map_or(&[][..], |gpus| &gpus.cards).iter().filter_map(|card| card.processes.known());
    // Only what a person was shown as their own: a number alone could be any program by now.
    let is_own = processes.flatten().any(|process| process.pid == pid && process.own);
    if !is_own || pid == std::process::id() {
        return Err(Problem::new("gpu.not-your-program").with("pid", pid.to_string()));
    }
    let does_not_end = || Problem::new("gpu.does-not-end").with("pid", pid.to_string());
    let mut system = System::new().map_err(|error| does_not_end().because(&error))?;
    let id = Pid::from_u32(pid);
    let look = |system: &mut System| {
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[id]), true, ProcessRefreshKind::nothing());
    };
    look(&mut system);
    let Some(process) = system.process(id) else { return Ok(()) };
    // Windows knows no way of asking.
    if process.kill_with(Signal::Term) != Some(true) && !process.kill() {
        return Err(does_not_end());
    }
    let mut made = false;
    let began = Instant::now();
    while began.elapsed() < GRACE * 2 {
        look(&mut system);
        match system.process(id) {
            None => return Ok(()),
            // One whose parent did not ask how it ended holds nothing any more.
            Some(process) if process.status() == sysinfo::ProcessStatus::Zombie => return Ok(()),
            Some(process) if !made && began.elapsed() >= GRACE => {
                made = true;
                process.kill();
            }
            Some(_) => {}
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(does_not_end())
}
