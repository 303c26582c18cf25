//! What a scenario file says.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use nvml_wrapper_sys::bindings::{
    nvmlReturn_enum_NVML_ERROR_DRIVER_NOT_LOADED, nvmlReturn_enum_NVML_ERROR_GPU_IS_LOST,
    nvmlReturn_enum_NVML_ERROR_INSUFFICIENT_POWER, nvmlReturn_enum_NVML_ERROR_LIB_RM_VERSION_MISMATCH,
    nvmlReturn_enum_NVML_ERROR_NO_PERMISSION, nvmlReturn_enum_NVML_ERROR_NOT_SUPPORTED,
    nvmlReturn_enum_NVML_ERROR_UNKNOWN, nvmlReturn_t,
};
use serde::Deserialize;

/// A driver and its cards.
#[derive(Debug, Clone, Deserialize)]
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
    /// Questions about the whole system it refuses to answer: `driver`, `cuda`, `count`, `process-name`.
    #[serde(default)]
    pub(crate) system_refuses: BTreeMap<String, Refusal>,
    /// What happens to the cards while a program looks.
    #[serde(default, rename = "change")]
    changes: Vec<Change>,
    /// The cards, in NVML's order.
    #[serde(default, rename = "card")]
    pub(crate) cards: Vec<Card>,
}

/// What happens to a card some seconds after the library was first asked.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Change {
    /// When, in seconds.
    after_s: u64,
    /// To which card.
    card: usize,
    used_mib: Option<u64>,
    utilization: Option<u32>,
    temperature: Option<u32>,
    /// From then on it refuses these questions.
    #[serde(default)]
    refuses: BTreeMap<String, Refusal>,
    /// From then on no process is on it.
    #[serde(default)]
    ends_processes: bool,
}

/// A card.
#[derive(Debug, Clone, Deserialize)]
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
    pub(crate) temperature: Option<u32>,
    /// Whether it slows itself down because of heat.
    #[serde(default)]
    pub(crate) too_hot: bool,
    /// PCI address.
    pub(crate) pci: Option<String>,
    /// Power in milliwatts: drawn, allowed now, allowed by default.
    pub(crate) power_mw: Option<[u32; 3]>,
    /// Clock in MHz, and the highest.
    pub(crate) clock_mhz: Option<[u32; 2]>,
    /// The bits of NVML's throttle reasons, beside heat.
    #[serde(default)]
    pub(crate) throttle: u64,
    /// From where it slows itself down, in degrees Celsius.
    pub(crate) slowdown: Option<u32>,
    /// Whether it corrects errors, and how many it could not.
    pub(crate) ecc: Option<(bool, u64)>,
    /// Retired pages, and whether more will be.
    pub(crate) retired: Option<(u32, bool)>,
    /// Remapped rows: correctable, uncorrectable, pending, failed.
    pub(crate) remapped: Option<[u32; 4]>,
    /// `nvmlComputeMode_t`: 0 default, 2 prohibited, 3 one process.
    pub(crate) compute_mode: Option<u32>,
    /// Whether the driver stays loaded.
    pub(crate) persistence: Option<bool>,
    /// Whether it is divided.
    pub(crate) mig: Option<bool>,
    /// PCI Express: generation and lanes now, and at most.
    pub(crate) link: Option<[u32; 4]>,
    /// Questions it refuses to answer; [`crate::QUESTIONS`] has them all.
    #[serde(default)]
    pub(crate) refuses: BTreeMap<String, Refusal>,
    /// Processes on it.
    #[serde(default, rename = "process")]
    pub(crate) processes: Vec<Process>,
    /// Its parts, where it is divided.
    #[serde(default, rename = "slice")]
    pub(crate) slices: Vec<Slice>,
}

/// A part of a divided card.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Slice {
    /// `MIG-…`.
    pub(crate) uuid: String,
    /// Memory.
    pub(crate) memory_mib: u64,
    /// Of it, what is in use.
    #[serde(default)]
    pub(crate) used_mib: u64,
    /// Product name with the profile; without one, it is not told.
    pub(crate) name: Option<String>,
    /// Processes on it.
    #[serde(default, rename = "process")]
    pub(crate) processes: Vec<Process>,
}

/// A process on a card.
#[derive(Debug, Clone, Deserialize)]
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
    /// Reads the scenario as it is now. A file that cannot be read is told on standard error: whoever writes one wants to
    /// know.
    pub(crate) fn read() -> Option<Arc<Self>> {
        let path = std::env::var_os(crate::SCENARIO_VARIABLE).map(PathBuf::from).or_else(beside_library)?;
        let mark =
            std::fs::metadata(&path).ok().and_then(|file| Some((path.clone(), file.len(), file.modified().ok()?)));
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let scenario = match &*last {
            Some((known, scenario)) if Some(known) == mark.as_ref() => Arc::clone(scenario),
            _ => {
                let read = std::fs::read_to_string(&path).map_err(|error| error.to_string());
                match read.and_then(|text| toml::from_str::<Self>(&text).map_err(|error| error.to_string())) {
                    Ok(scenario) => {
                        let scenario = Arc::new(scenario);
                        *last = mark.map(|mark| (mark, Arc::clone(&scenario)));
                        scenario
                    }
                    Err(error) => {
                        eprintln!("fake NVML: {}: {error}", path.display());
                        return None;
                    }
                }
            }
        };
        if scenario.changes.is_empty() { Some(scenario) } else { Some(Arc::new(scenario.as_it_is_now())) }
    }

    fn as_it_is_now(&self) -> Self {
        let seconds = BEGAN.elapsed().as_secs();
        let mut now = self.clone();
        for change in self.changes.iter().filter(|change| change.after_s <= seconds) {
            let Some(card) = now.cards.get_mut(change.card) else { continue };
            card.used_mib = change.used_mib.unwrap_or(card.used_mib);
            card.utilization = change.utilization.unwrap_or(card.utilization);
            card.temperature = change.temperature.or(card.temperature);
            card.refuses.extend(change.refuses.iter().map(|(question, refusal)| (question.clone(), *refusal)));
            if change.ends_processes {
                card.processes.clear();
            }
        }
        now
    }
}

type Mark = (PathBuf, u64, SystemTime);

/// The file that was read last, as it was then: reading it at every call would be most of what a look costs.
static LAST: Mutex<Option<(Mark, Arc<Scenario>)>> = Mutex::new(None);

/// When the library was first asked.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

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
