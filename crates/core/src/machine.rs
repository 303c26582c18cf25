//! This computer, as observed.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::facts::Fact;
use crate::plan::Device;
use crate::text::Message;

/// This computer at one moment. What one part does not answer is no reason to know nothing of the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Machine {
    /// Processor, memory, system.
    pub computer: Fact<Computer>,
    /// NVIDIA cards and driver.
    pub gpus: Fact<Gpus>,
    /// The volume that holds runs.
    pub volume: Fact<Volume>,
}

/// Processor, memory and system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Computer {
    /// `linux`, `windows` or `macos`.
    pub os: String,
    /// The system's own name and version.
    pub os_name: String,
    /// The processor's name.
    pub cpu: String,
    /// Logical cores this process may use.
    pub cores: u32,
    /// Memory in bytes; inside a container, its limit.
    pub memory_total: u64,
    /// Memory in bytes that can be had without swapping.
    pub memory_available: u64,
}

/// A volume the run writes to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Volume {
    /// The folder that was looked at.
    pub path: PathBuf,
    /// Bytes free for this user.
    pub free: u64,
    /// Bytes in all.
    pub total: u64,
    /// Why a file could not be written there, in the system's words; `None`: it could.
    pub write_error: Option<String>,
}

/// What NVML says, at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Gpus {
    /// Whether the driver's library answers.
    pub library: GpuLibrary,
    /// Driver version, e.g. `550.54.14`.
    pub driver: Fact<String>,
    /// The newest CUDA version this driver serves, as (major, minor).
    pub cuda: Fact<(u32, u32)>,
    /// The cards, by NVML index.
    pub cards: Vec<Gpu>,
}

/// Whether NVIDIA's library answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum GpuLibrary {
    /// It answers.
    Answers,
    /// No NVIDIA driver is installed.
    NotInstalled,
    /// It is installed and cannot work.
    Failed {
        /// `driver-not-loaded`, `version-mismatch`, `no-permission` or `other`.
        why: String,
        /// The library's own words.
        message: String,
    },
}

/// One card. Each value may fail alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Gpu {
    /// NVML index (in PCI bus order).
    pub index: u32,
    /// `GPU-…`, stable over reboots.
    pub uuid: Fact<String>,
    /// Product name.
    pub name: Fact<String>,
    /// Memory in bytes.
    pub memory: Fact<GpuMemory>,
    /// Compute capability as (major, minor).
    pub compute_capability: Fact<(u32, u32)>,
    /// Share of the last sample in which a kernel ran, in percent.
    pub utilization: Fact<u32>,
    /// Temperature in degrees Celsius.
    pub temperature: Fact<u32>,
    /// Processes that hold memory on it.
    pub processes: Fact<Vec<GpuProcess>>,
}

/// A card's memory in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct GpuMemory {
    /// In all.
    pub total: u64,
    /// Held by any process, or reserved by the driver.
    pub used: u64,
    /// What a new process could take.
    pub free: u64,
}

/// A process on a card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct GpuProcess {
    /// Process id.
    pub pid: u32,
    /// Its name, where the system tells.
    pub name: Fact<String>,
    /// Bytes it holds; unknown where the driver does not tell (Windows).
    pub memory: Fact<u64>,
}

impl Gpus {
    /// The card with this NVML index.
    #[must_use]
    pub fn card(&self, index: u32) -> Option<&Gpu> {
        self.cards.iter().find(|card| card.index == index)
    }

    /// The card with most free memory; of equal ones the first.
    #[must_use]
    pub fn roomiest(&self) -> Option<&Gpu> {
        self.cards.iter().max_by_key(|card| (card.free(), std::cmp::Reverse(card.index)))
    }
}

impl Gpu {
    /// Bytes a new process could take; 0 where the card does not tell.
    #[must_use]
    pub fn free(&self) -> u64 {
        self.memory.known().map_or(0, |memory| memory.free)
    }

    /// What a person calls it: its product name, or its number.
    #[must_use]
    pub fn label(&self) -> String {
        self.name.known().cloned().unwrap_or_else(|| format!("GPU {}", self.index))
    }
}

/// The variable, and its value, that make CUDA count cards as NVML does. Without it CUDA puts the fastest card first,
/// and `gpu:0` of a plan would be another card for the trainer.
pub const CUDA_ORDER: (&str, &str) = ("CUDA_DEVICE_ORDER", "PCI_BUS_ID");

/// The device that will train.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResolvedDevice {
    /// The processor.
    Processor,
    /// GPUs by NVML index; at least one.
    Gpus(Vec<u32>),
}

impl std::fmt::Display for ResolvedDevice {
    /// As Ultralytics is told: `cpu`, `0` or `0,1`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Processor => f.write_str("cpu"),
            Self::Gpus(indices) => {
                let indices: Vec<String> = indices.iter().map(u32::to_string).collect();
                f.write_str(&indices.join(","))
            }
        }
    }
}

/// Why it is not clear which device will train.
#[derive(Debug, Clone, PartialEq)]
pub enum Unresolved {
    /// The cards could not be looked at.
    NotObserved(Message),
    /// A GPU was chosen, and NVIDIA's driver is not there or does not work.
    NoDriver,
    /// A GPU was chosen that does not exist.
    NoSuchGpu(u32),
}

/// Which device a plan's choice means on this computer.
///
/// # Errors
/// Says why it is not clear.
pub fn resolve(device: &Device, gpus: &Fact<Gpus>) -> Result<ResolvedDevice, Unresolved> {
    let gpus = match (device, gpus) {
        (Device::Cpu, _) => return Ok(ResolvedDevice::Processor),
        (_, Fact::Unknown(reason)) => return Err(Unresolved::NotObserved(reason.clone())),
        (_, Fact::Known(gpus)) => gpus,
    };
    let Device::Gpus(indices) = device else {
        return Ok(gpus.roomiest().map_or(ResolvedDevice::Processor, |card| ResolvedDevice::Gpus(vec![card.index])));
    };
    if gpus.library != GpuLibrary::Answers {
        return Err(Unresolved::NoDriver);
    }
    match indices.iter().find(|index| gpus.card(**index).is_none()) {
        Some(index) => Err(Unresolved::NoSuchGpu(*index)),
        None => Ok(ResolvedDevice::Gpus(indices.clone())),
    }
}
