//! NVIDIA cards, through NVML, the driver's own library.
//!
//! Cards are counted as NVML counts them, in the order of the PCI bus; a trainer counts the same way when it is started
//! with [`preflight_core::machine::CUDA_ORDER`] and without `CUDA_VISIBLE_DEVICES`.

mod card;
mod end;
mod named;
mod smi;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use card::{card, fact, holders, pair, refused, slices};
pub(crate) use end::end;
use nvml_wrapper::bitmasks::device::ThrottleReasons;
use nvml_wrapper::enum_wrappers::device::TemperatureSensor;
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::{Device, Nvml, cuda_driver_version_major, cuda_driver_version_minor};
use preflight_core::machine::{Gpu, GpuLibrary, GpuSource, Gpus, slice_of};
use preflight_core::run::GpuTrouble;

/// Names another NVML library than the system's: for tests, and for developers without a card.
pub const LIBRARY_VARIABLE: &str = "PREFLIGHT_NVML";

/// Names another `nvidia-smi` than the one on the path.
pub const SMI_VARIABLE: &str = "PREFLIGHT_NVIDIA_SMI";

/// What some processes use on all cards together, and how those cards are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Use {
    /// Bytes they hold; `None`: none of them is on a card, or the driver does not tell (Windows).
    pub memory: Option<u64>,
    /// Those of them on the card on which they hold most.
    pub most: Option<u64>,
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
    /// NVIDIA's own program, asked where the library cannot be loaded; `None`: nobody is asked.
    smi: Option<OsString>,
    /// Where this app's runs are: their programs are named as theirs.
    runs: Option<PathBuf>,
    open: Option<Nvml>,
}

/// On what a run trains.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trains {
    /// NVML indices of whole cards.
    cards: Vec<u32>,
    /// A slice of one.
    slice: Option<String>,
}

impl Trains {
    /// On the device that a run's record names; `None`: on no card.
    #[must_use]
    pub fn on(device: &str) -> Option<Self> {
        let slice = slice_of(device).map(str::to_owned);
        let cards: Vec<u32> = device.split(',').filter_map(|index| index.trim().parse().ok()).collect();
        (slice.is_some() || !cards.is_empty()).then_some(Self { cards, slice })
    }
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
        let set = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty());
        let library = set(LIBRARY_VARIABLE);
        // Who names a library wants to see that one.
        let found = || library.is_none().then(|| OsString::from("nvidia-smi"));
        let smi = set(SMI_VARIABLE).or_else(found);
        Self { library, smi, runs: None, open: None }
    }

    /// A watcher of this library.
    #[must_use]
    pub fn of_library(path: &Path) -> Self {
        Self { library: Some(path.into()), smi: None, runs: None, open: None }
    }

    /// The same, and it knows the programs of the runs in this folder.
    #[must_use]
    pub fn knowing(self, runs: PathBuf) -> Self {
        Self { runs: Some(runs), ..self }
    }

    /// The same, and of this `nvidia-smi` where the library cannot be loaded.
    #[must_use]
    pub fn or_program(self, program: &Path) -> Self {
        Self { smi: Some(program.into()), ..self }
    }

    /// Observes driver and cards. Blocks; a hung driver can block for long, so callers put a time-out around it.
    #[must_use]
    pub fn observe(&mut self) -> Gpus {
        let runs = self.runs.clone();
        match self.nvml().map(|nvml| gpus(nvml, runs.as_deref())) {
            Ok(Ok(gpus)) => gpus,
            Ok(Err(error)) | Err(error) => {
                // A driver that was exchanged meanwhile is found only by a library opened anew.
                self.open = None;
                self.by_program(&error).unwrap_or_else(|| Gpus {
                    library: self.failure(&error),
                    source: GpuSource::Nvml,
                    driver: refused(&error),
                    cuda: refused(&error),
                    cards: Vec::new(),
                })
            }
        }
    }

    /// What these processes use, and how that is on which they are to train. Blocks.
    #[must_use]
    pub fn used_by(&mut self, pids: &[u32], on: &Trains) -> Use {
        let mut used = Use::default();
        let Ok(nvml) = self.nvml() else { return used };
        // What they hold on each card they are on; `None`: the driver does not tell.
        let mut held: Vec<Option<u64>> = Vec::new();
        for index in 0..nvml.device_count().unwrap_or(0) {
            let device = match nvml.device_by_index(index) {
                Ok(device) => device,
                // Which card the slice was on cannot be asked any more.
                Err(NvmlError::GpuLost) if on.cards.contains(&index) || on.slice.is_some() => {
                    used.trouble = Some(GpuTrouble::Lost);
                    continue;
                }
                Err(_) => continue,
            };
            let slice = on.slice.as_ref().and_then(|name| {
                slices(&device).ok()?.into_iter().find_map(|(uuid, slice)| (uuid == *name).then_some(slice))
            });
            if on.cards.contains(&index) || slice.is_some() {
                used.trouble = worse(used.trouble, trouble(&device));
            }
            // A slice has its own memory, and its own list.
            let device = slice.unwrap_or(device);
            let Ok(holders) = holders(&device) else { continue };
            let theirs: Vec<_> = holders.into_iter().filter(|(pid, _)| pids.contains(pid)).collect();
            if !theirs.is_empty() {
                held.push(theirs.iter().try_fold(0_u64, |sum, (_, memory)| Some(sum.saturating_add((*memory)?))));
                used.utilization = used.utilization.max(device.utilization_rates().ok().map(|rates| rates.gpu));
                let free = device.memory_info().ok().map(|memory| (memory.free, memory.total));
                used.free = [used.free, free].into_iter().flatten().min();
            }
        }
        if let Some(held) = held.into_iter().collect::<Option<Vec<u64>>>().filter(|held| !held.is_empty()) {
            used.memory = Some(held.iter().fold(0, |sum, memory| sum.saturating_add(*memory)));
            used.most = held.into_iter().max();
        }
        used
    }

    /// What NVIDIA's program shows where the library cannot even be loaded. One that answers with an error knows better.
    fn by_program(&self, error: &NvmlError) -> Option<Gpus> {
        let program: &OsStr = self.smi.as_deref()?;
        let mut gpus = matches!(error, NvmlError::LibloadingError(_)).then(|| smi::observe(program)).flatten()?;
        named::name(None, self.runs.as_deref(), &mut gpus.cards);
        Some(gpus)
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

fn gpus(nvml: &Nvml, runs: Option<&Path>) -> Result<Gpus, NvmlError> {
    let mut cards: Vec<Gpu> = (0..nvml.device_count()?).map(|index| card(nvml, index)).collect();
    named::name(Some(nvml), runs, &mut cards);
    Ok(Gpus {
        library: GpuLibrary::Answers,
        source: GpuSource::Nvml,
        driver: fact(nvml.sys_driver_version()),
        cuda: fact(nvml.sys_cuda_driver_version())
            .and_then(|version| pair(cuda_driver_version_major(version), cuda_driver_version_minor(version))),
        cards,
    })
}
