//! Where a folder is: on some drives, changes that others make are not told.

use std::path::Path;

use preflight_core::text::Message;

/// Why changes in a folder are not told; `None`: they are.
pub(super) fn reason(folder: &Path) -> Option<Message> {
    is_remote(folder).then(|| Message::new("reason-watch-network"))
}

/// Tells a folder from another one that is in its place later.
#[cfg(unix)]
pub(super) type Identity = (u64, u64);
#[cfg(not(unix))]
pub(super) type Identity = Option<std::time::SystemTime>;

/// Which folder this is; `None`: there is none.
pub(super) fn identity(folder: &Path) -> Option<Identity> {
    let found = std::fs::metadata(folder).ok().filter(std::fs::Metadata::is_dir)?;
    #[cfg(unix)]
    return Some((std::os::unix::fs::MetadataExt::dev(&found), std::os::unix::fs::MetadataExt::ino(&found)));
    #[cfg(not(unix))]
    return Some(found.created().ok());
}

#[cfg(target_os = "linux")]
fn is_remote(folder: &Path) -> bool {
    rustix::fs::statfs(folder).is_ok_and(|found| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the numbers have 32 bits")]
        let kind = found.f_type as u32;
        is_remote_kind(kind)
    })
}

/// File systems whose content others change without this system seeing it, by the numbers in Linux' `magic.h` and in
/// the sources of those that are not part of it.
#[cfg(target_os = "linux")]
fn is_remote_kind(kind: u32) -> bool {
    const REMOTE: [u32; 12] = [
        0x6969,      // NFS
        0x517B,      // SMB
        0xFF53_4D42, // CIFS
        0xFE53_4D42, // SMB 2 and 3
        0x6573_5546, // FUSE: sshfs, rclone, cloud storages
        0x0102_1997, // 9p: Windows' drives in WSL, folders shared with a virtual machine
        0x786F_4256, // VirtualBox' shared folders
        0x5346_414F, // AFS
        0x00C3_6400, // Ceph
        0x0BD0_0BD0, // Lustre
        0x4750_4653, // GPFS
        0x1983_0326, // BeeGFS
    ];
    REMOTE.contains(&kind)
}

#[cfg(windows)]
fn is_remote(folder: &Path) -> bool {
    use std::path::{Component, Prefix};
    // A drive letter of a network drive was resolved to its place before.
    matches!(
        folder.components().next(),
        Some(Component::Prefix(prefix)) if matches!(prefix.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..))
    )
}

#[cfg(not(any(target_os = "linux", windows)))]
fn is_remote(_: &Path) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_local_folder_is_told_of_and_a_network_drive_is_not() {
        assert_eq!(reason(Path::new("/proc")), None);
        // ext4, btrfs, xfs, tmpfs, overlayfs.
        for local in [0xEF53, 0x9123_683E, 0x5846_5342, 0x0102_1994, 0x794C_7630] {
            assert!(!is_remote_kind(local), "{local:x}");
        }
        assert!(is_remote_kind(0x6969) && is_remote_kind(0xFF53_4D42));
    }
}
