//! This computer, as observed.

mod details;
mod device;
pub(crate) mod names;
pub mod smi;
mod surroundings;

use std::borrow::Cow;
use std::path::PathBuf;

pub use details::{ComputeMode, GpuDetails, Mig, MigSlice, PcieLink, Remapped, Retired, Throttle};
pub use device::{CUDA_ORDER, ResolvedDevice, Unresolved, VISIBLE_DEVICES, resolve, slice_of};
pub use surroundings::{
    Adapter, Blame, DeviceFile, KernelModule, NamedVolume, Purpose, Surroundings, Swap, Vendor, Xid, seen_by_cuda,
};

use serde::{Deserialize, Serialize};

use crate::facts::Fact;
use crate::finding::Finding;
use crate::plan::Device;

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
    /// How every card is, and the driver where it fails.
    pub findings: Vec<Finding>,
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
    /// Whether it has Apple's own GPU, on which torch computes through Metal (MPS).
    #[serde(default)]
    pub apple_gpu: bool,
}

impl Computer {
    /// Whether a computer with this system and processor has Apple's own GPU. One with an Intel processor has another's.
    #[must_use]
    pub fn has_apple_gpu(os: &str, cpu: &str) -> bool {
        os == "macos" && cpu.starts_with("Apple")
    }
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
    /// Who was asked.
    pub source: GpuSource,
    /// Driver version, e.g. `550.54.14`.
    pub driver: Fact<String>,
    /// The newest CUDA version this driver serves, as (major, minor).
    pub cuda: Fact<(u32, u32)>,
    /// The cards, by NVML index.
    pub cards: Vec<Gpu>,
}

/// Who told about the cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum GpuSource {
    /// The driver's library.
    #[default]
    Nvml,
    /// The program `nvidia-smi`, because the library could not be loaded.
    NvidiaSmi,
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
    /// Health, speed, and who may use it.
    pub details: Box<GpuDetails>,
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
    /// Whether it is this person's own program, which they may end.
    pub own: bool,
    /// The run of this app that it works for, by its id; `None`: none.
    #[serde(default)]
    pub run: Option<String>,
}

impl GpuProcess {
    /// What a person calls it: its run, else its program; `?` where the system does not tell.
    #[must_use]
    pub fn label(&self) -> &str {
        self.run.as_deref().or_else(|| self.name.known().map(String::as_str)).unwrap_or("?")
    }
}

impl Gpus {
    /// The card with this NVML index.
    #[must_use]
    pub fn card(&self, index: u32) -> Option<&Gpu> {
        self.cards.iter().find(|card| card.index == index)
    }

    /// A slice of a divided card by its name, as the card of its own that it is to a program.
    #[must_use]
    pub fn slice(&self, uuid: &str) -> Option<Gpu> {
        self.cards.iter().find_map(|card| card.slices().into_iter().find(|slice| slice.is_slice(uuid)))
    }

    /// The cards that a device means, in its order, a slice as a card of its own. Those that are not there are left out.
    #[must_use]
    pub fn of(&self, device: &ResolvedDevice) -> Vec<Cow<'_, Gpu>> {
        match device {
            ResolvedDevice::Processor | ResolvedDevice::Mps => Vec::new(),
            ResolvedDevice::Gpus(indices) => {
                indices.iter().filter_map(|index| self.card(*index)).map(Cow::Borrowed).collect()
            }
            ResolvedDevice::Slice { uuid, .. } => self.slice(uuid).map(Cow::Owned).into_iter().collect(),
        }
    }

    /// The card with most free memory of those that a new program may use; of equal ones the first.
    #[must_use]
    pub fn roomiest(&self) -> Option<&Gpu> {
        self.cards.iter().max_by_key(|card| (!card.is_closed(), card.free(), std::cmp::Reverse(card.index)))
    }
}

impl Gpu {
    /// Bytes a new process could take; 0 where the card does not tell. Of a divided card, those of its roomiest slice.
    #[must_use]
    pub fn free(&self) -> u64 {
        let free = |card: &Self| card.memory.known().map_or(0, |memory| memory.free);
        if self.is_divided() { self.roomiest_slice().map_or(0, |slice| free(&slice)) } else { free(self) }
    }

    /// Whether it is divided with MIG: then a program gets one of its slices, never the whole card.
    #[must_use]
    pub fn is_divided(&self) -> bool {
        self.details.mig.known().is_some_and(|mig| mig.enabled)
    }

    /// Its slices, each as the card of its own that it is to a program; empty: it is not divided, or no slice was made.
    #[must_use]
    pub fn slices(&self) -> Vec<Self> {
        let mig = self.details.mig.known().filter(|mig| mig.enabled);
        mig.map_or(&[][..], |mig| &mig.slices).iter().map(|slice| slice.of(self)).collect()
    }

    /// The slice with most free memory; of equal ones the first.
    #[must_use]
    pub fn roomiest_slice(&self) -> Option<Self> {
        self.slices().into_iter().rev().max_by_key(Self::free)
    }

    /// What programs can compute on: its slices where it is divided, else itself.
    #[must_use]
    pub fn usable(&self) -> Vec<Cow<'_, Self>> {
        if self.is_divided() { self.slices().into_iter().map(Cow::Owned).collect() } else { vec![Cow::Borrowed(self)] }
    }

    /// Whether it is the slice with this name.
    fn is_slice(&self, uuid: &str) -> bool {
        self.uuid.known().is_some_and(|own| own == uuid)
    }

    /// The name of the slice that it stands for; `None`: it is a whole card.
    #[must_use]
    pub fn slice_name(&self) -> Option<&str> {
        self.uuid.known().map(String::as_str).filter(|uuid| uuid.starts_with(crate::plan::SLICE))
    }

    /// As a plan names it.
    #[must_use]
    pub fn device(&self) -> Device {
        self.slice_name().map_or_else(|| Device::Gpus(vec![self.index]), |name| Device::Slice(name.to_owned()))
    }

    /// Whether no further program may compute on it now: it is set so, or another one has it for itself.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        match self.details.compute_mode.known() {
            Some(ComputeMode::Prohibited) => true,
            Some(ComputeMode::Exclusive) => self.processes.known().is_some_and(|held| !held.is_empty()),
            Some(ComputeMode::Default) | None => false,
        }
    }

    /// Whether it fell off the bus.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        matches!(&self.memory, Fact::Unknown(reason) if reason.id == "reason-gpu-lost")
    }

    /// What a person calls it: its product name, or its number.
    #[must_use]
    pub fn label(&self) -> String {
        self.name.known().cloned().unwrap_or_else(|| format!("GPU {}", self.index))
    }
}
