//! What lies around the cards: kernel module, device files, the kernel's log, shared memory, limits, volumes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use preflight_core::facts::Fact;
use preflight_core::machine::{
    Adapter, DeviceFile, KernelModule, NamedVolume, Purpose, Surroundings, Swap, Vendor, Volume,
};
use preflight_core::text::Message;

use crate::dirs::Dirs;

mod kernel_log;

/// How long a volume may take to say how full it is: a network drive that hangs must not hide the rest.
const VOLUME: Duration = Duration::from_secs(2);

/// Where a Linux system shows itself: `/` for the one this runs on, a folder for tests.
#[derive(Debug, Clone)]
pub struct Root {
    folder: PathBuf,
    /// The program that reads the system's journal.
    journal: PathBuf,
}

impl Default for Root {
    fn default() -> Self {
        Self { folder: PathBuf::from("/"), journal: PathBuf::from("journalctl") }
    }
}

impl Root {
    /// A folder that holds `proc`, `sys`, `dev` and so on, and `journalctl` where there is a journal.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), journal: folder.join("journalctl") }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    fn text(&self, path: &str) -> std::io::Result<String> {
        std::fs::read_to_string(self.at(path))
    }
}

/// Observes what lies around the cards, and the volumes of the app and of a dataset. Blocks for some milliseconds, a few
/// seconds where a volume hangs.
#[must_use]
pub fn observe(root: &Root, dirs: &Dirs, dataset: Option<&Path>) -> Surroundings {
    let adapters = adapters(root);
    Surroundings {
        visible_devices: std::env::var("CUDA_VISIBLE_DEVICES").ok(),
        device_order: std::env::var("CUDA_DEVICE_ORDER").ok(),
        kernel_module: kernel_module(root, adapters.known().map_or(&[], Vec::as_slice)),
        secure_boot: secure_boot(root),
        device_files: device_files(root),
        xids: kernel_log::xids(root),
        wsl: is_wsl(root),
        container: is_container(root),
        adapters,
        swap: swap(),
        shared_memory: shared_memory(root),
        volumes: volumes(dirs, dataset),
        open_files: open_files(),
        watches: number(root, "proc/sys/fs/inotify/max_user_watches"),
        load: load(root),
        clock_ms: crate::preflight::now_ms(),
    }
}

fn elsewhere<T>() -> Fact<T> {
    Fact::unknown("reason-not-on-this-system")
}

fn failed<T>(error: &std::io::Error) -> Fact<T> {
    if cfg!(target_os = "linux") {
        Fact::Unknown(Message::new("reason-system-error").with("error", error.to_string()))
    } else {
        elsewhere()
    }
}

fn is_wsl(root: &Root) -> bool {
    root.text("proc/sys/kernel/osrelease").is_ok_and(|release| release.to_ascii_lowercase().contains("microsoft"))
}

fn is_container(root: &Root) -> bool {
    root.at(".dockerenv").exists() || root.at("run/.containerenv").exists()
}

fn kernel_module(root: &Root, adapters: &[Adapter]) -> Fact<KernelModule> {
    if let Ok(text) = root.text("proc/driver/nvidia/version") {
        // NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22 …
        let line = text.lines().next().unwrap_or_default();
        let version = line.split_whitespace().find(|word| {
            word.contains('.') && word.chars().all(|character| character.is_ascii_digit() || character == '.')
        });
        let version = version.unwrap_or_default().to_owned();
        return Fact::Known(KernelModule::Loaded { version, open: line.contains("Open Kernel Module") });
    }
    if is_wsl(root) || !cfg!(target_os = "linux") {
        return elsewhere();
    }
    let of_nvidia = |adapter: &&Adapter| adapter.vendor == Vendor::Nvidia;
    if adapters.iter().filter(of_nvidia).any(|adapter| adapter.driver.as_deref() == Some("nouveau")) {
        return Fact::Known(KernelModule::Nouveau);
    }
    let release = match root.text("proc/sys/kernel/osrelease") {
        Ok(release) => release.trim().to_owned(),
        Err(error) => return failed(&error),
    };
    match root.text(&format!("lib/modules/{release}/modules.dep")) {
        Ok(modules) => {
            let has = modules
                .lines()
                .filter_map(|line| line.split(':').next())
                .any(|path| path.rsplit('/').next().is_some_and(|name| name.split('.').next() == Some("nvidia")));
            Fact::Known(if has { KernelModule::NotLoaded } else { KernelModule::Missing })
        }
        // A container has the host's kernel and not its modules.
        Err(error) => failed(&error),
    }
}

fn secure_boot(root: &Root) -> Fact<bool> {
    if !cfg!(target_os = "linux") {
        return elsewhere();
    }
    let variable = root.at("sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c");
    match std::fs::read(&variable) {
        // Four bytes of attributes, then the value.
        Ok(bytes) => bytes.get(4).map_or_else(elsewhere, |value| Fact::Known(*value == 1)),
        // A computer that started without UEFI has no Secure Boot.
        Err(_) if root.at("sys").exists() && !root.at("sys/firmware/efi").exists() => Fact::Known(false),
        Err(error) => failed(&error),
    }
}

#[cfg(unix)]
fn device_files(root: &Root) -> Fact<Vec<DeviceFile>> {
    use rustix::fs::Access;

    let entries = match std::fs::read_dir(root.at("dev")) {
        Ok(entries) => entries,
        Err(error) => return failed(&error),
    };
    let mut files: Vec<DeviceFile> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("nvidia") && !entry.path().is_dir())
        .map(|entry| DeviceFile {
            path: format!("/dev/{}", entry.file_name().to_string_lossy()),
            usable: rustix::fs::access(entry.path(), Access::READ_OK | Access::WRITE_OK).is_ok(),
        })
        .collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Fact::Known(files)
}

#[cfg(not(unix))]
fn device_files(_root: &Root) -> Fact<Vec<DeviceFile>> {
    elsewhere()
}

/// Display adapters: PCI class 03.
fn adapters(root: &Root) -> Fact<Vec<Adapter>> {
    if cfg!(all(target_os = "macos", target_arch = "aarch64")) {
        return Fact::Known(vec![Adapter { vendor: Vendor::Apple, pci: String::new(), driver: None }]);
    }
    let devices = match std::fs::read_dir(root.at("sys/bus/pci/devices")) {
        Ok(devices) => devices,
        Err(error) => return failed(&error),
    };
    let mut found: Vec<Adapter> = devices
        .flatten()
        .filter_map(|device| {
            let read = |name: &str| std::fs::read_to_string(device.path().join(name)).ok();
            let class = read("class")?;
            if !class.trim().starts_with("0x03") {
                return None;
            }
            let vendor = u16::from_str_radix(read("vendor")?.trim().trim_start_matches("0x"), 16).ok()?;
            let driver = std::fs::read_link(device.path().join("driver")).ok();
            let driver = driver.and_then(|link| Some(link.file_name()?.to_string_lossy().into_owned()));
            let pci = device.file_name().to_string_lossy().into_owned();
            Some(Adapter { vendor: Vendor::of_pci(vendor), pci, driver })
        })
        .collect();
    found.sort_by(|one, other| one.pci.cmp(&other.pci));
    Fact::Known(found)
}

fn swap() -> Fact<Swap> {
    match sysinfo::System::new() {
        Ok(mut system) => {
            system.refresh_memory();
            Fact::Known(Swap { total: system.total_swap(), free: system.free_swap() })
        }
        Err(error) => Fact::Unknown(Message::new("reason-system-error").with("error", error.to_string())),
    }
}

fn shared_memory(root: &Root) -> Fact<Volume> {
    if cfg!(target_os = "linux") { space(&root.at("dev/shm")) } else { elsewhere() }
}

/// How full a volume is, without writing there.
fn space(path: &Path) -> Fact<Volume> {
    match crate::computer::space(path) {
        Ok((free, total)) => Fact::Known(Volume { path: path.to_owned(), free, total, write_error: None }),
        Err(error) => Fact::Unknown(Message::new("reason-system-error").with("error", error.to_string())),
    }
}

/// Every volume that a training touches, once. What does not answer is left out; the checks of its own stage say so.
fn volumes(dirs: &Dirs, dataset: Option<&Path>) -> Vec<NamedVolume> {
    let mut places = vec![
        (Purpose::Runs, dirs.runs()),
        (Purpose::Environment, dirs.environment()),
        (Purpose::Temporary, std::env::temp_dir()),
    ];
    places.extend(dataset.map(|dataset| (Purpose::Dataset, dataset.to_owned())));
    let mut seen: Vec<(Option<u64>, NamedVolume)> = Vec::new();
    for (purpose, path) in places {
        let Some((device, volume)) = within(move || look_at(purpose, &path)).flatten() else { continue };
        let known = seen
            .iter_mut()
            .find(|(other, named)| if device.is_some() { *other == device } else { named.volume.path == volume.path });
        match known {
            Some((_, named)) => named.purposes.push(purpose),
            None => seen.push((device, NamedVolume { purposes: vec![purpose], volume })),
        }
    }
    seen.into_iter().map(|(_, named)| named).collect()
}

fn look_at(purpose: Purpose, path: &Path) -> Option<(Option<u64>, Volume)> {
    let existing = path.ancestors().find(|ancestor| ancestor.is_dir())?;
    let device = device(existing);
    let volume = match purpose {
        // A person's data is only read; whether runs can be written is observed where they start.
        Purpose::Dataset | Purpose::Runs | Purpose::Environment => space(existing),
        Purpose::Temporary => crate::computer::volume(existing),
    };
    Some((device, volume.known()?.clone()))
}

#[cfg(unix)]
fn device(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().ok().map(|metadata| metadata.dev())
}

#[cfg(not(unix))]
fn device(_path: &Path) -> Option<u64> {
    None
}

/// What a look answers in time. One that hangs keeps its thread.
fn within<T: Send + 'static>(look: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let _ = tell.send(look());
    });
    told.recv_timeout(VOLUME).ok()
}

#[cfg(unix)]
fn open_files() -> Fact<u64> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    // No limit is as good as a very high one.
    Fact::Known(limit.current.unwrap_or(1 << 40).min(1 << 40))
}

#[cfg(not(unix))]
fn open_files() -> Fact<u64> {
    elsewhere()
}

fn number(root: &Root, path: &str) -> Fact<u64> {
    match root.text(path).map(|text| text.trim().parse()) {
        Ok(Ok(number)) => Fact::Known(number),
        Ok(Err(_)) => Fact::unknown("reason-gpu-answer-unreadable"),
        Err(error) => failed(&error),
    }
}

fn load(root: &Root) -> Fact<f64> {
    match root.text("proc/loadavg") {
        Ok(text) => match text.split_whitespace().next().and_then(|number| number.parse::<f64>().ok()) {
            Some(load) if load.is_finite() => Fact::Known(load),
            _ => Fact::unknown("reason-gpu-answer-unreadable"),
        },
        Err(error) => failed(&error),
    }
}
