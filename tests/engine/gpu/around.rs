//! What lies around the cards, on a system made of files.

use std::path::Path;

use preflight_core::facts::Fact;
use preflight_core::machine::{KernelModule, Purpose, Surroundings, Vendor};
use preflight_engine::dirs::Dirs;
use preflight_engine::surroundings::{Root, observe};

fn put(root: &Path, path: &str, content: &[u8]) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

fn look(root: &Path) -> Surroundings {
    observe(&Root::of(root), &Dirs::new(root.join("home")), Some(&root.join("data")))
}

const RELEASE: &str = "proc/sys/kernel/osrelease";
const SECURE_BOOT: &str = "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";

#[test]
fn a_driver_that_runs_and_files_that_are_shut() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    put(
        root,
        "proc/driver/nvidia/version",
        b"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build\nGCC version: 12\n",
    );
    put(root, "dev/nvidia0", b"");
    put(root, "dev/nvidia-uvm", b"");
    put(root, "dev/nvidia-caps/nvidia-cap1", b"");
    put(root, "dev/null", b"");
    put(root, SECURE_BOOT, &[6, 0, 0, 0, 1]);
    put(root, "proc/loadavg", b"3.25 1.0 0.5 1/100 4242\n");
    put(root, "proc/sys/fs/inotify/max_user_watches", b"8192\n");
    put(
        root,
        "dev/kmsg",
        b"4,1,2,-;usb 1-1: new device\n3,2,9,-;NVRM: Xid (PCI:0000:01:00): 79, pid='<unknown>', GPU has fallen off the bus.\n",
    );
    let around = look(root);
    let expected = KernelModule::Loaded { version: "580.95.05".to_owned(), open: true };
    assert_eq!(around.kernel_module, Fact::Known(expected));
    assert_eq!(around.secure_boot, Fact::Known(true));
    let files: Vec<_> = around.device_files.known().unwrap().iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, ["/dev/nvidia-uvm", "/dev/nvidia0"]);
    assert_eq!(around.xids.known().unwrap()[0].code, 79);
    assert_eq!(around.load, Fact::Known(3.25));
    assert_eq!(around.watches, Fact::Known(8_192));
    assert!(!around.wsl && !around.container);
    assert!(around.clock_ms > 0 && around.open_files.known().is_some_and(|files| *files > 0));
    let purposes: Vec<_> = around.volumes.iter().flat_map(|volume| volume.purposes.clone()).collect();
    for purpose in [Purpose::Runs, Purpose::Environment, Purpose::Temporary, Purpose::Dataset] {
        assert_eq!(purposes.iter().filter(|other| **other == purpose).count(), 1, "{purpose:?}");
    }
}

#[test]
fn adapters_and_who_holds_them() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    for (address, class, vendor, driver) in [
        ("0000:00:02.0", "0x030000\n", "0x8086\n", Some("i915")),
        ("0000:01:00.0", "0x030200\n", "0x10de\n", Some("nouveau")),
        ("0000:03:00.0", "0x030000\n", "0x1002\n", None),
        ("0000:04:00.0", "0x020000\n", "0x8086\n", Some("e1000e")),
    ] {
        let folder = format!("sys/bus/pci/devices/{address}");
        put(root, &format!("{folder}/class"), class.as_bytes());
        put(root, &format!("{folder}/vendor"), vendor.as_bytes());
        if let Some(driver) = driver {
            std::os::unix::fs::symlink(format!("/sys/bus/pci/drivers/{driver}"), root.join(folder).join("driver"))
                .unwrap();
        }
    }
    put(root, RELEASE, b"6.8.0-45-generic\n");
    let around = look(root);
    let adapters = around.adapters.known().unwrap();
    let vendors: Vec<_> = adapters.iter().map(|adapter| adapter.vendor).collect();
    assert_eq!(vendors, [Vendor::Intel, Vendor::Nvidia, Vendor::Amd]);
    assert_eq!(adapters[2].driver, None);
    assert_eq!(around.kernel_module, Fact::Known(KernelModule::Nouveau));
    assert_eq!(around.secure_boot, Fact::Known(false), "started without UEFI");
}

#[test]
fn a_module_that_is_there_and_one_that_is_not() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    put(root, RELEASE, b"6.8.0-45-generic\n");
    assert!(look(root).kernel_module.known().is_none(), "a container does not know the host's modules");
    put(root, "lib/modules/6.8.0-45-generic/modules.dep", b"kernel/fs/ext4.ko.zst:\nkernel/nvidiafb.ko:\n");
    assert_eq!(look(root).kernel_module, Fact::Known(KernelModule::Missing));
    put(root, "lib/modules/6.8.0-45-generic/modules.dep", b"updates/dkms/nvidia.ko.zst: kernel/x.ko\n");
    assert_eq!(look(root).kernel_module, Fact::Known(KernelModule::NotLoaded));
}

#[test]
fn an_empty_system_is_unknown_and_not_zero() {
    let root = tempfile::tempdir().unwrap();
    let around = look(root.path());
    assert!(around.adapters.known().is_none());
    assert!(around.device_files.known().is_none());
    assert!(around.xids.known().is_none());
    assert!(around.shared_memory.known().is_none());
    assert!(around.load.known().is_none() && around.watches.known().is_none());
}

#[cfg(unix)]
#[test]
fn the_journal_tells_where_the_kernels_own_log_is_shut() {
    use std::os::unix::fs::PermissionsExt;
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    let journal = |script: &str| {
        put(root, "journalctl", format!("#!/bin/sh\n{script}\n").as_bytes());
        std::fs::set_permissions(root.join("journalctl"), std::fs::Permissions::from_mode(0o755)).unwrap();
        look(root).xids
    };
    let line = "NVRM: Xid (PCI:0000:01:00): 48, pid=812, name=python, DBE (double bit error)";
    let asked = "[ \"$*\" = '--dmesg --boot --output=cat --no-pager --quiet' ] || exit 1";
    let told = journal(&format!("{asked}\necho 'usb 1-1: new device'\necho '{line}'"));
    let told = told.known().unwrap();
    assert_eq!(told.iter().map(|xid| (xid.code, xid.line.as_str())).collect::<Vec<_>>(), [(48, line)]);
    let quiet = journal("echo 'usb 1-1: new device'");
    assert_eq!(quiet.known().map(Vec::len), Some(0), "the kernel spoke, and of no card");
    assert!(journal("exit 0").known().is_none(), "nothing at all is what is not shown");
    assert!(journal("echo 'no permission' >&2; exit 1").known().is_none());
}

#[test]
fn linux_inside_windows_and_containers() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), RELEASE, b"5.15.153.1-microsoft-standard-WSL2\n");
    put(root.path(), ".dockerenv", b"");
    let around = look(root.path());
    assert!(around.wsl && around.container);
    assert!(around.kernel_module.known().is_none());
}
