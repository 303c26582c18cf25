//! What programs on cards are called, whose they are, and for which run they work.

use std::ffi::OsString;
use std::path::Path;

use nvml_wrapper::Nvml;
use preflight_core::facts::Fact;
use preflight_core::machine::{Gpu, GpuProcess};
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

use crate::runs::MARK;

/// Fills in names, whose programs they are, and for which of the runs in a folder they work: from the system's list of
/// processes, else what the driver says.
pub(super) fn name(nvml: Option<&Nvml>, runs: Option<&Path>, cards: &mut [Gpu]) {
    let mut processes: Vec<&mut GpuProcess> = cards.iter_mut().flat_map(of_card).collect();
    if processes.is_empty() {
        return;
    }
    let this = Pid::from_u32(std::process::id());
    let mut pids: Vec<Pid> = processes.iter().map(|process| Pid::from_u32(process.pid)).collect();
    pids.push(this);
    let system = System::new().ok().map(|mut system| {
        let what = ProcessRefreshKind::nothing()
            .with_exe(UpdateKind::Always)
            .with_user(UpdateKind::Always)
            .with_environ(UpdateKind::Always);
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&pids), false, what);
        system
    });
    let user = system.as_ref().and_then(|system| system.process(this)?.user_id());
    for process in &mut processes {
        let seen = system.as_ref().and_then(|system| system.process(Pid::from_u32(process.pid)));
        // The program's file: the process's own name is cut to 15 characters on Linux.
        let name = seen
            .and_then(|process| process.exe().and_then(Path::file_name).or_else(|| Some(process.name())))
            .map(|name| name.to_string_lossy().into_owned())
            .or_else(|| nvml?.sys_process_name(process.pid, 256).ok())
            .filter(|name| !name.is_empty());
        process.own = user.is_some() && seen.is_some_and(|process| process.user_id() == user);
        process.run = seen.and_then(|process| run(process, runs?));
        if let Some(name) = name {
            process.name = Fact::Known(name);
        }
    }
}

/// The programs on a card and on its slices.
fn of_card(card: &mut Gpu) -> Vec<&mut GpuProcess> {
    let mut held = vec![&mut card.processes];
    if let Fact::Known(mig) = &mut card.details.mig {
        held.extend(mig.slices.iter_mut().map(|slice| &mut slice.processes));
    }
    let known = held.into_iter().filter_map(|held| match held {
        Fact::Known(processes) => Some(processes),
        Fact::Unknown(_) => None,
    });
    known.flatten().collect()
}

/// The run in this folder that a process bears the mark of.
fn run(process: &Process, runs: &Path) -> Option<String> {
    let mark = |variable: &OsString| {
        let (name, folder) = variable.to_str()?.split_once('=')?;
        (name == MARK).then(|| Path::new(folder).to_owned())
    };
    let folder = process.environ().iter().find_map(mark)?;
    // Trials have no page, and runs of another copy of the app cannot be opened here.
    (folder.parent() == Some(runs)).then(|| folder.file_name()?.to_str().map(str::to_owned)).flatten()
}
