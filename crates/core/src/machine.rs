//! This computer, as observed.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::facts::Fact;

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
