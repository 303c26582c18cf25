//! What is seen of the computer when a trainer has failed: later it is another.

use preflight_core::diagnosis::Known;

use super::folder::Folder;
use crate::computer;

/// Where Linux keeps the memory that processes share.
const SHARED: &str = "/dev/shm";

/// Programs that the system ended for lack of memory since it was started, in containers too; `None`: it does not tell.
pub(super) fn killed_for_memory() -> Option<u64> {
    let counters = std::fs::read_to_string("/proc/vmstat").ok()?;
    counters.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}

/// Writes down what is seen. What cannot be seen or written is left out: a run that failed has failed all the same.
pub(super) fn note(folder: &Folder, killed_before: Option<u64>) {
    let mut known = Vec::new();
    if let (Some(before), Some(now)) = (killed_before, killed_for_memory()) {
        known.push(Known::new("oom-kills", now.saturating_sub(before)));
    }
    if let Ok((free, all)) = computer::space(folder.path()) {
        known.push(Known::left("room-for-outputs", free, all));
    }
    if cfg!(target_os = "linux")
        && let Ok((free, all)) = computer::space(std::path::Path::new(SHARED))
    {
        known.push(Known::left("room-for-workers", free, all));
    }
    if let Ok(text) = serde_json::to_vec(&known) {
        let _ = crate::write::atomically(&folder.ending(), &text);
    }
}
