//! What a card tells beside its memory: health, speed, and who may use it.

use serde::{Deserialize, Serialize};

use super::{Gpu, GpuMemory, GpuProcess};
use crate::facts::Fact;
use crate::text::Message;

/// What else a card tells. Each value may fail alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct GpuDetails {
    /// PCI address, e.g. `00000000:01:00.0`.
    pub pci: Fact<String>,
    /// Power drawn, in milliwatts.
    pub power: Fact<u32>,
    /// Power the card may draw now, in milliwatts.
    pub power_limit: Fact<u32>,
    /// Power it may draw by default, in milliwatts.
    pub power_default: Fact<u32>,
    /// Clock of its cores, in MHz.
    pub clock: Fact<u32>,
    /// The highest clock of its cores, in MHz.
    pub clock_max: Fact<u32>,
    /// Why it runs slower than it could; empty: nothing holds it back.
    pub throttled: Fact<Vec<Throttle>>,
    /// From this temperature on it slows itself down, in degrees Celsius.
    pub temperature_slowdown: Fact<u32>,
    /// Whether it corrects errors of its memory.
    pub ecc: Fact<bool>,
    /// Memory errors since it was made that could not be corrected.
    pub ecc_uncorrected: Fact<u64>,
    /// Pages of its memory that are no longer used because they failed (cards before Ampere).
    pub retired_pages: Fact<Retired>,
    /// Rows of its memory that spare ones stand in for (Ampere and later).
    pub remapped_rows: Fact<Remapped>,
    /// How many programs may compute on it.
    pub compute_mode: Fact<ComputeMode>,
    /// Whether the driver stays loaded while nobody uses the card (Linux).
    pub persistence: Fact<bool>,
    /// How it is divided.
    pub mig: Fact<Mig>,
    /// Its connection now. An idle card saves power by a slower one.
    pub link: Fact<PcieLink>,
    /// The fastest connection that card and slot allow together.
    pub link_max: Fact<PcieLink>,
}

impl GpuDetails {
    /// Nothing is known, for this reason.
    #[must_use]
    pub fn unknown(reason: &Message) -> Self {
        fn no<T>(reason: &Message) -> Fact<T> {
            Fact::Unknown(reason.clone())
        }
        Self {
            pci: no(reason),
            power: no(reason),
            power_limit: no(reason),
            power_default: no(reason),
            clock: no(reason),
            clock_max: no(reason),
            throttled: no(reason),
            temperature_slowdown: no(reason),
            ecc: no(reason),
            ecc_uncorrected: no(reason),
            retired_pages: no(reason),
            remapped_rows: no(reason),
            compute_mode: no(reason),
            persistence: no(reason),
            mig: no(reason),
            link: no(reason),
            link_max: no(reason),
        }
    }

    /// Nothing was asked.
    #[must_use]
    pub fn not_asked() -> Self {
        Self::unknown(&Message::new("reason-not-observed"))
    }
}

/// What holds a card's clocks back, by NVML's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum Throttle {
    /// It has nothing to do.
    Idle,
    /// Somebody set its clocks.
    ClocksSet,
    /// It draws as much power as it may.
    PowerCap,
    /// The hardware protects itself: heat, power supply or a sudden peak.
    HwSlowdown,
    /// It waits for a slower card of its group.
    SyncBoost,
    /// The driver lowers the clocks because of heat.
    SwThermal,
    /// The hardware halves the clocks because of heat.
    HwThermal,
    /// The power supply asks it to slow down.
    PowerBrake,
    /// A screen needs these clocks.
    Display,
}

impl Throttle {
    /// Its name in JSON and sentence ids.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::ClocksSet => "clocks-set",
            Self::PowerCap => "power-cap",
            Self::HwSlowdown => "hw-slowdown",
            Self::SyncBoost => "sync-boost",
            Self::SwThermal => "sw-thermal",
            Self::HwThermal => "hw-thermal",
            Self::PowerBrake => "power-brake",
            Self::Display => "display",
        }
    }

    /// Whether it is because of heat.
    #[must_use]
    pub fn is_heat(self) -> bool {
        matches!(self, Self::SwThermal | Self::HwThermal)
    }

    /// Whether the power supply or its cables are at fault.
    #[must_use]
    pub fn is_supply(self) -> bool {
        matches!(self, Self::PowerBrake)
    }
}

/// Pages of memory that are no longer used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Retired {
    /// How many.
    pub pages: u32,
    /// Whether more will be after a restart.
    pub pending: bool,
}

/// Rows of memory that spare ones stand in for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Remapped {
    /// Because of errors that were corrected.
    pub correctable: u32,
    /// Because of errors that could not be corrected.
    pub uncorrectable: u32,
    /// Whether some wait for a restart.
    pub pending: bool,
    /// Whether one failed: no spare rows are left.
    pub failed: bool,
}

/// How many programs may compute on a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum ComputeMode {
    /// Any number.
    Default,
    /// One.
    Exclusive,
    /// None.
    Prohibited,
}

/// How a card is divided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Mig {
    /// Whether it is divided; then only its slices can be used.
    pub enabled: bool,
    /// Its slices.
    pub slices: Vec<MigSlice>,
}

/// A part of a divided card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct MigSlice {
    /// `MIG-…`; what `CUDA_VISIBLE_DEVICES` takes.
    pub uuid: String,
    /// The card's name with the slice's profile, e.g. `NVIDIA A100-SXM4-80GB MIG 3g.40gb`; `None`: not told.
    pub name: Option<String>,
    /// Its memory; `None`: not told.
    pub memory: Option<GpuMemory>,
    /// Processes that hold memory of it.
    pub processes: Fact<Vec<GpuProcess>>,
}

impl MigSlice {
    /// The card of its own that it is to a program: with its own name and memory, and the rest as the card's.
    #[must_use]
    pub(super) fn of(&self, card: &Gpu) -> Gpu {
        let untold = || Message::new("reason-gpu-not-supported");
        let mut details = card.details.clone();
        details.mig = Fact::Known(Mig { enabled: false, slices: Vec::new() });
        Gpu {
            uuid: Fact::Known(self.uuid.clone()),
            name: self.name.clone().map_or_else(|| card.name.clone(), Fact::Known),
            memory: self.memory.map_or_else(|| Fact::Unknown(untold()), Fact::Known),
            // Of a divided card nobody tells how busy it is.
            utilization: Fact::Unknown(untold()),
            processes: self.processes.clone(),
            details,
            ..card.clone()
        }
    }
}

/// A PCI Express connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct PcieLink {
    /// Its generation, 1 to 7.
    pub generation: u32,
    /// Its lanes, 1 to 32.
    pub width: u32,
}

impl std::fmt::Display for PcieLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PCIe {}.0 × {}", self.generation, self.width)
    }
}
