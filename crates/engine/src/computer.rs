//! Processor, memory, system and disks.

use std::io::Write;
use std::path::Path;

use preflight_core::facts::Fact;
use preflight_core::machine::{Computer, Volume};
use preflight_core::text::Message;
use sysinfo::{CpuRefreshKind, Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Observes processor, memory and system. Blocks for some milliseconds.
#[must_use]
pub fn observe() -> Fact<Computer> {
    let mut system = match System::new() {
        Ok(system) => system,
        Err(error) => return Fact::Unknown(Message::new("reason-system-error").with("error", error.to_string())),
    };
    system.refresh_cpu_list(CpuRefreshKind::nothing());
    let Some((available, total)) = memory(&mut system) else { return Fact::unknown("reason-memory-not-told") };
    let cpu = system.cpus().first().map(|cpu| cpu.brand().trim().to_owned()).unwrap_or_default();
    Fact::Known(Computer {
        os: std::env::consts::OS.to_owned(),
        os_name: System::long_os_version().unwrap_or_else(|_| std::env::consts::OS.to_owned()),
        apple_gpu: Computer::has_apple_gpu(std::env::consts::OS, &cpu),
        cpu,
        // Honours affinity and a container's share, which the number of processors does not.
        cores: std::thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(u32::MAX)),
        memory_total: total,
        memory_available: available,
    })
}

/// RAM in bytes that can be had without swapping, and RAM in all; inside a container, of its limit.
pub(crate) fn memory(system: &mut System) -> Option<(u64, u64)> {
    system.refresh_memory();
    let (mut total, mut available) = (system.total_memory(), system.available_memory());
    if total == 0 {
        return None;
    }
    if let Some(limits) = container_limits(system) {
        total = total.min(limits.total_memory);
        // The container's own count of free memory leaves out what its file cache would give back.
        available = available.min(limits.total_memory.saturating_sub(limits.rss));
    }
    Some((available, total))
}

/// The memory limits of the container or service this process runs in.
fn container_limits(system: &mut System) -> Option<sysinfo::CGroupLimits> {
    let this = Pid::from_u32(std::process::id());
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[this]), false, ProcessRefreshKind::nothing());
    system.process(this)?.cgroup_limits()
}

/// Observes the volume of a folder (or of its nearest existing ancestor) and tries to write there.
#[must_use]
pub fn volume(folder: &Path) -> Fact<Volume> {
    let Some(existing) = folder.ancestors().find(|ancestor| ancestor.is_dir()) else {
        return Fact::Unknown(Message::new("reason-folder-not-found").with("path", folder));
    };
    match space(existing) {
        Ok((free, total)) => Fact::Known(Volume {
            path: existing.to_owned(),
            free,
            total,
            write_error: probe(existing).err().map(|error| error.to_string()),
        }),
        Err(error) => Fact::Unknown(Message::new("reason-system-error").with("error", error.to_string())),
    }
}

/// Decides by trying: rights, read-only mounts, quotas and full disks all show only in a write.
fn probe(folder: &Path) -> std::io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".preflight-").tempfile_in(folder)?;
    file.write_all(&[0; 4096])?;
    file.as_file().sync_all()
}

/// Bytes free for this user, and bytes in all.
#[cfg(unix)]
pub(crate) fn space(folder: &Path) -> std::io::Result<(u64, u64)> {
    let volume = rustix::fs::statvfs(folder)?;
    Ok((volume.f_bavail.saturating_mul(volume.f_frsize), volume.f_blocks.saturating_mul(volume.f_frsize)))
}

/// Bytes free for this user, and bytes in all.
#[cfg(not(unix))]
pub(crate) fn space(folder: &Path) -> std::io::Result<(u64, u64)> {
    let folder = folder.canonicalize()?;
    sysinfo::Disks::new_with_refreshed_list()
        .iter()
        .filter_map(|disk| Some((disk.mount_point().canonicalize().ok()?, disk)))
        .filter(|(mount, _)| folder.starts_with(mount))
        .max_by_key(|(mount, _)| mount.components().count())
        .map(|(_, disk)| (disk.available_space(), disk.total_space()))
        .ok_or_else(|| std::io::Error::from(std::io::ErrorKind::NotFound))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_computer_has_a_processor_and_memory() {
        let Fact::Known(computer) = observe() else { panic!("not observed") };
        assert!(computer.cores >= 1);
        assert!(computer.memory_total >= computer.memory_available);
        assert!(computer.memory_available > 0);
        assert!(!computer.os_name.is_empty());
    }

    #[test]
    fn a_folder_that_does_not_exist_yet_is_judged_by_its_parent() {
        let parent = tempfile::tempdir().unwrap();
        let Fact::Known(volume) = volume(&parent.path().join("runs/not yet")) else { panic!("not observed") };
        assert_eq!(volume.path, parent.path());
        assert_eq!(volume.write_error, None);
        assert!(volume.free > 0 && volume.total >= volume.free);
        assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0, "the probe is gone");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn says_why_nothing_can_be_written() {
        // Even root cannot create files in /proc.
        let Fact::Known(volume) = volume(Path::new("/proc/self")) else { panic!("not observed") };
        assert!(volume.write_error.is_some());
    }
}
