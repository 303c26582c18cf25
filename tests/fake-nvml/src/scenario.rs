//! What a scenario file says.

use std::collections::BTreeMap;
use std::path::PathBuf;

use nvml_wrapper_sys::bindings::{
    nvmlReturn_enum_NVML_ERROR_DRIVER_NOT_LOADED, nvmlReturn_enum_NVML_ERROR_GPU_IS_LOST,
    nvmlReturn_enum_NVML_ERROR_INSUFFICIENT_POWER, nvmlReturn_enum_NVML_ERROR_LIB_RM_VERSION_MISMATCH,
    nvmlReturn_enum_NVML_ERROR_NO_PERMISSION, nvmlReturn_enum_NVML_ERROR_NOT_SUPPORTED,
    nvmlReturn_enum_NVML_ERROR_UNKNOWN, nvmlReturn_t,
};
use serde::Deserialize;

/// A driver and its cards.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Scenario {
    /// Driver version.
    #[serde(default)]
    pub(crate) driver: String,
    /// The newest CUDA version it serves, as NVML tells it: 12060 is 12.6.
    #[serde(default)]
    pub(crate) cuda: i32,
    /// Makes the library refuse to start.
    pub(crate) refuses: Option<Refusal>,
    /// The cards, in NVML's order.
    #[serde(default, rename = "card")]
    pub(crate) cards: Vec<Card>,
}

/// A card.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Card {
    /// Product name.
    pub(crate) name: String,
    /// `GPU-…`.
    pub(crate) uuid: String,
    /// Memory.
    pub(crate) memory_mib: u64,
    /// Of it, what the driver keeps for itself.
    #[serde(default)]
    pub(crate) reserved_mib: u64,
    /// Of it, what processes hold, listed or not.
    #[serde(default)]
    pub(crate) used_mib: u64,
    /// Compute capability.
    pub(crate) capability: (i32, i32),
    /// In percent.
    #[serde(default)]
    pub(crate) utilization: u32,
    /// In degrees Celsius.
    #[serde(default)]
    pub(crate) temperature: u32,
    /// Whether it slows itself down because of heat.
    #[serde(default)]
    pub(crate) too_hot: bool,
    /// Questions it refuses to answer: `handle`, `name`, `uuid`, `memory`, `capability`, `utilization`, `temperature`,
    /// `throttle-reasons`, `compute-processes`, `graphics-processes`.
    #[serde(default)]
    pub(crate) refuses: BTreeMap<String, Refusal>,
    /// Processes on it.
    #[serde(default, rename = "process")]
    pub(crate) processes: Vec<Process>,
}

/// A process on a card.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Process {
    /// Process id; without one, the process that asks.
    pub(crate) pid: Option<u32>,
    /// What the driver says its name is.
    #[serde(default)]
    pub(crate) name: String,
    /// What it holds; without a value, the driver does not tell.
    pub(crate) memory_mib: Option<u64>,
    /// It draws instead of computing.
    #[serde(default)]
    pub(crate) draws: bool,
}

impl Process {
    pub(crate) fn id(&self) -> u32 {
        self.pid.unwrap_or_else(std::process::id)
    }
}

/// An error code of NVML.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Refusal {
    /// The kernel module is not loaded.
    DriverNotLoaded,
    /// Kernel module and library have different versions.
    VersionMismatch,
    /// This user may not.
    NoPermission,
    /// This card cannot.
    NotSupported,
    /// The card fell off the bus.
    GpuLost,
    /// The power cables are not attached.
    InsufficientPower,
    /// Anything else.
    Unknown,
}

impl Refusal {
    pub(crate) fn code(self) -> nvmlReturn_t {
        match self {
            Self::DriverNotLoaded => nvmlReturn_enum_NVML_ERROR_DRIVER_NOT_LOADED,
            Self::VersionMismatch => nvmlReturn_enum_NVML_ERROR_LIB_RM_VERSION_MISMATCH,
            Self::NoPermission => nvmlReturn_enum_NVML_ERROR_NO_PERMISSION,
            Self::NotSupported => nvmlReturn_enum_NVML_ERROR_NOT_SUPPORTED,
            Self::GpuLost => nvmlReturn_enum_NVML_ERROR_GPU_IS_LOST,
            Self::InsufficientPower => nvmlReturn_enum_NVML_ERROR_INSUFFICIENT_POWER,
            Self::Unknown => nvmlReturn_enum_NVML_ERROR_UNKNOWN,
        }
    }
}

impl Scenario {
    /// Reads the scenario. A file that cannot be read is told on standard error: whoever writes one wants to know.
    pub(crate) fn read() -> Option<Self> {
        let path = std::env::var_os(crate::SCENARIO_VARIABLE).map(PathBuf::from).or_else(beside_library)?;
        let read = std::fs::read_to_string(&path).map_err(|error| error.to_string());
        match read.and_then(|text| toml::from_str(&text).map_err(|error| error.to_string())) {
            Ok(scenario) => Some(scenario),
            Err(error) => {
                eprintln!("fake NVML: {}: {error}", path.display());
                None
            }
        }
    }
}

/// The file beside the library that this code is in.
#[cfg(unix)]
fn beside_library() -> Option<PathBuf> {
    use std::ffi::{CStr, OsStr};
    use std::os::unix::ffi::OsStrExt;

    let mut place = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: the address is of a function of this library, and the place to fill in is valid.
    let found = unsafe { libc::dladdr(beside_library as *const () as *const libc::c_void, &raw mut place) };
    if found == 0 || place.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the loader's own string, which lives as long as the library is loaded.
    let library = unsafe { CStr::from_ptr(place.dli_fname) };
    Some(PathBuf::from(OsStr::from_bytes(library.to_bytes())).with_extension("toml"))
}

/// Only the variable names a scenario here.
#[cfg(not(unix))]
fn beside_library() -> Option<PathBuf> {
    None
}
