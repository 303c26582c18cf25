//! NVIDIA cards, through NVML, the driver's own library.
//!
//! Cards are counted as NVML counts them, in the order of the PCI bus; a trainer counts the same way when it is started
//! with [`preflight_core::machine::CUDA_ORDER`] and without `CUDA_VISIBLE_DEVICES`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use nvml_wrapper::bitmasks::device::ThrottleReasons;
use nvml_wrapper::enum_wrappers::device::TemperatureSensor;
use nvml_wrapper::enums::device::UsedGpuMemory;
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::{Device, Nvml, cuda_driver_version_major, cuda_driver_version_minor};
use preflight_core::facts::Fact;
use preflight_core::machine::{Gpu, GpuLibrary, GpuMemory, GpuProcess, Gpus};
use preflight_core::run::GpuTrouble;
use preflight_core::text::Message;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

/// Names another NVML library than the system's: for tests, and for developers without a card.
pub const LIBRARY_VARIABLE: &str = "PREFLIGHT_NVML";

/// Observes driver and cards once. Blocks; a hung driver can block for long, so callers put a time-out around it.
#[must_use]
pub fn observe() -> Gpus {
    Watcher::new().observe()
}

/// What some processes use on all cards together, and how those cards are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Use {
    /// Bytes they hold; `None`: none of them is on a card, or the driver does not tell (Windows).
    pub memory: Option<u64>,
    /// Utilisation of the busiest card they are on, in percent, whoever causes it; `None`: not told.
    pub utilization: Option<u32>,
    /// Free bytes, and bytes in all, of the fullest card they are on.
    pub free: Option<(u64, u64)>,
    /// The worst that is wrong with a card they are to train on.
    pub trouble: Option<GpuTrouble>,
}

/// Keeps the driver's library open between looks: opening it is what takes time.
#[derive(Debug)]
pub struct Watcher {
    library: Option<OsString>,
    open: Option<Nvml>,
}

impl Default for Watcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Watcher {
    /// A watcher of the system's driver, or of the library that [`LIBRARY_VARIABLE`] names.
    #[must_use]
    pub fn new() -> Self {
        Self { library: std::env::var_os(LIBRARY_VARIABLE).filter(|path| !path.is_empty()), open: None }
    }

    /// A watcher of this library.
    #[must_use]
    pub fn of_library(path: &Path) -> Self {
        Self { library: Some(path.into()), open: None }
    }

    /// Observes driver and cards. Blocks.
    #[must_use]
    pub fn observe(&mut self) -> Gpus {
        match self.nvml().map(gpus) {
            Ok(Ok(gpus)) => gpus,
            Ok(Err(error)) | Err(error) => {
                // A driver that was exchanged meanwhile is found only by a library opened anew.
                self.open = None;
                let library = self.failure(&error);
                Gpus { library, driver: refused(&error), cuda: refused(&error), cards: Vec::new() }
            }
        }
    }

    /// What these processes use, and how the cards with these NVML indices are, on which they are to train. Blocks.
    #[must_use]
    pub fn used_by(&mut self, pids: &[u32], cards: &[u32]) -> Use {
        let mut used = Use::default();
        let Ok(nvml) = self.nvml() else { return used };
        let mut held = Vec::new();
        for index in 0..nvml.device_count().unwrap_or(0) {
            let device = match nvml.device_by_index(index) {
                Ok(device) => device,
                Err(NvmlError::GpuLost) if cards.contains(&index) => {
                    used.trouble = Some(GpuTrouble::Lost);
                    continue;
                }
                Err(_) => continue,
            };
            if cards.contains(&index) {
                used.trouble = worse(used.trouble, trouble(&device));
            }
            let Ok(holders) = holders(&device) else { continue };
            let theirs = holders.into_iter().filter(|(pid, _)| pids.contains(pid)).map(|(_, memory)| memory);
            let before = held.len();
            held.extend(theirs);
            if held.len() > before {
                used.utilization = used.utilization.max(device.utilization_rates().ok().map(|rates| rates.gpu));
                let free = device.memory_info().ok().map(|memory| (memory.free, memory.total));
                used.free = [used.free, free].into_iter().flatten().min();
            }
        }
        if !held.is_empty() {
            used.memory = held.into_iter().try_fold(0_u64, |sum, memory| Some(sum.saturating_add(memory?)));
        }
        used
    }

    fn nvml(&mut self) -> Result<&Nvml, NvmlError> {
        let open = match self.open.take() {
            Some(open) => open,
            None => match &self.library {
                Some(path) => Nvml::builder().lib_path(path).init()?,
                None => Nvml::init()?,
            },
        };
        Ok(self.open.insert(open))
    }

    fn failure(&self, error: &NvmlError) -> GpuLibrary {
        let why = match error {
            NvmlError::LibloadingError(_) if !self.expected() => return GpuLibrary::NotInstalled,
            NvmlError::DriverNotLoaded => "driver-not-loaded",
            NvmlError::LibRmVersionMismatch => "version-mismatch",
            NvmlError::NoPermission | NvmlError::OperatingSystem => "no-permission",
            _ => "other",
        };
        GpuLibrary::Failed { why: why.to_owned(), message: error.to_string() }
    }

    /// Whether the library should be there: its driver runs, or it was named and exists.
    fn expected(&self) -> bool {
        self.library.as_ref().map_or(Path::new("/proc/driver/nvidia/version"), Path::new).exists()
    }
}

/// What is wrong with a card; not every card tells whether it is too hot.
fn trouble(device: &Device<'_>) -> Option<GpuTrouble> {
    let heat = ThrottleReasons::HW_THERMAL_SLOWDOWN | ThrottleReasons::SW_THERMAL_SLOWDOWN;
    match device.current_throttle_reasons() {
        Err(NvmlError::GpuLost) => Some(GpuTrouble::Lost),
        Ok(reasons) if reasons.intersects(heat) => {
            Some(GpuTrouble::Hot { temperature: device.temperature(TemperatureSensor::Gpu).ok() })
        }
        _ => None,
    }
}

fn worse(one: Option<GpuTrouble>, other: Option<GpuTrouble>) -> Option<GpuTrouble> {
    if one == Some(GpuTrouble::Lost) { one } else { other.or(one) }
}

fn gpus(nvml: &Nvml) -> Result<Gpus, NvmlError> {
    let mut cards: Vec<Gpu> = (0..nvml.device_count()?).map(|index| card(nvml, index)).collect();
    name_processes(nvml, &mut cards);
    Ok(Gpus {
        library: GpuLibrary::Answers,
        driver: fact(nvml.sys_driver_version()),
        cuda: fact(nvml.sys_cuda_driver_version())
            .and_then(|version| pair(cuda_driver_version_major(version), cuda_driver_version_minor(version))),
        cards,
    })
}

fn card(nvml: &Nvml, index: u32) -> Gpu {
    match nvml.device_by_index(index) {
        Ok(device) => Gpu {
            index,
            uuid: fact(device.uuid()),
            name: fact(device.name()),
            memory: fact(device.memory_info().map(|memory| GpuMemory {
                total: memory.total,
                // What the driver reserves cannot be had either.
                used: memory.total.saturating_sub(memory.free),
                free: memory.free,
            })),
            compute_capability: fact(device.cuda_compute_capability())
                .and_then(|capability| pair(capability.major, capability.minor)),
            utilization: fact(device.utilization_rates().map(|rates| rates.gpu)),
            temperature: fact(device.temperature(TemperatureSensor::Gpu)),
            processes: fact(holders(&device).map(|held| {
                held.into_iter()
                    .map(|(pid, memory)| GpuProcess {
                        pid,
                        name: Fact::unknown("reason-process-hidden"),
                        memory: memory.map_or_else(|| Fact::unknown("reason-gpu-memory-not-told"), Fact::Known),
                    })
                    .collect()
            })),
        },
        Err(error) => Gpu {
            index,
            uuid: refused(&error),
            name: refused(&error),
            memory: refused(&error),
            compute_capability: refused(&error),
            utilization: refused(&error),
            temperature: refused(&error),
            processes: refused(&error),
        },
    }
}

/// The processes that hold memory on a card, by process id, with the bytes they hold where the driver tells.
fn holders(device: &Device<'_>) -> Result<BTreeMap<u32, Option<u64>>, NvmlError> {
    let mut held = BTreeMap::new();
    // Cards without a display answer only the first question.
    let drawing = device.running_graphics_processes().unwrap_or_default();
    for process in device.running_compute_processes()?.into_iter().chain(drawing) {
        let memory = match process.used_gpu_memory {
            UsedGpuMemory::Used(bytes) => Some(bytes),
            UsedGpuMemory::Unavailable => None,
        };
        // A process that computes and draws is in both lists, each time with all it holds.
        let known = held.entry(process.pid).or_insert(memory);
        *known = (*known).max(memory);
    }
    Ok(held)
}

/// Fills in names: from the system's list of processes, else what the driver says.
fn name_processes(nvml: &Nvml, cards: &mut [Gpu]) {
    let mut processes: Vec<&mut GpuProcess> = cards
        .iter_mut()
        .filter_map(|card| match &mut card.processes {
            Fact::Known(processes) => Some(processes),
            Fact::Unknown(_) => None,
        })
        .flatten()
        .collect();
    if processes.is_empty() {
        return;
    }
    let pids: Vec<Pid> = processes.iter().map(|process| Pid::from_u32(process.pid)).collect();
    let system = System::new().ok().map(|mut system| {
        let what = ProcessRefreshKind::nothing().with_exe(UpdateKind::Always);
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&pids), false, what);
        system
    });
    for process in &mut processes {
        let seen = system.as_ref().and_then(|system| system.process(Pid::from_u32(process.pid)));
        // The program's file: the process's own name is cut to 15 characters on Linux.
        let name = seen
            .and_then(|process| process.exe().and_then(Path::file_name).or_else(|| Some(process.name())))
            .map(|name| name.to_string_lossy().into_owned())
            .or_else(|| nvml.sys_process_name(process.pid, 256).ok())
            .filter(|name| !name.is_empty());
        if let Some(name) = name {
            process.name = Fact::Known(name);
        }
    }
}

fn fact<T>(answer: Result<T, NvmlError>) -> Fact<T> {
    answer.map_or_else(|error| refused(&error), Fact::Known)
}

fn pair(major: i32, minor: i32) -> Fact<(u32, u32)> {
    match (u32::try_from(major), u32::try_from(minor)) {
        (Ok(major), Ok(minor)) => Fact::Known((major, minor)),
        _ => Fact::unknown("reason-gpu-answer-unreadable"),
    }
}

/// Why the driver did not tell.
fn refused<T>(error: &NvmlError) -> Fact<T> {
    Fact::Unknown(match error {
        NvmlError::NotSupported | NvmlError::FailedToLoadSymbol(_) | NvmlError::FunctionNotFound => {
            Message::new("reason-gpu-not-supported")
        }
        NvmlError::NoPermission | NvmlError::OperatingSystem => Message::new("reason-gpu-no-permission"),
        NvmlError::GpuLost => Message::new("reason-gpu-lost"),
        NvmlError::InsufficientPower => Message::new("reason-gpu-no-power"),
        error => Message::new("reason-gpu-error").with("error", error.to_string()),
    })
}
