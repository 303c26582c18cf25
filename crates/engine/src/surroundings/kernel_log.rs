//! What NVIDIA's driver reported to the kernel's log.

use std::time::Duration;

use preflight_core::facts::Fact;
use preflight_core::machine::Xid;

use super::Root;
use crate::program::printed;

/// More reports than a person reads; the newest tell most.
const KEPT: usize = 50;

/// The reports since the computer was started, oldest first.
pub(super) fn xids(root: &Root) -> Fact<Vec<Xid>> {
    let Some(text) = log(root).or_else(|| journal(root)) else {
        return Fact::unknown(if cfg!(target_os = "linux") {
            "reason-kernel-log-closed"
        } else {
            "reason-not-on-this-system"
        });
    };
    let mut found: Vec<Xid> = text.lines().filter_map(Xid::parse).collect();
    let cut = found.len().saturating_sub(KEPT);
    found.drain(..cut);
    Fact::Known(found)
}

/// What the system's journal keeps of the kernel's log since the computer was started; `None`: there is none, or this user
/// may not read it.
fn journal(root: &Root) -> Option<String> {
    /// A journal on a slow disk takes a while.
    const PATIENCE: Duration = Duration::from_secs(3);
    let arguments = ["--dmesg", "--boot", "--output=cat", "--no-pager", "--quiet"];
    let text = printed(root.journal.as_os_str(), &arguments, PATIENCE)?;
    // A kernel always has something to say: whoever is shown nothing may not read it.
    Some(text).filter(|text| !text.trim().is_empty())
}

/// The kernel's own buffer; `None`: this user may not read it.
#[cfg(target_os = "linux")]
fn log(root: &Root) -> Option<String> {
    use std::io::Read;
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    /// As long as a record can be.
    const RECORD: usize = 8_192;
    /// The buffer holds less than this.
    const MOST: usize = 64 << 20;
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).ok()?;
    let mut device = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(root.at("dev/kmsg")).ok()?;
    let (mut text, mut record) = (String::new(), vec![0; RECORD]);
    while text.len() < MOST {
        match device.read(&mut record) {
            Ok(0) => break,
            Ok(length) => text.push_str(&String::from_utf8_lossy(&record[..length])),
            // A record that was overwritten meanwhile.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
            // Every record was read.
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => break,
            Err(_) => return None,
        }
    }
    Some(text)
}

#[cfg(not(target_os = "linux"))]
fn log(_root: &Root) -> Option<String> {
    None
}
