//! What lies around the cards: what decides whether a program reaches them, and what a training needs beside them.

use serde::{Deserialize, Serialize};

use super::Volume;
use crate::facts::Fact;

/// What lies around the cards and concerns a training. Each part may be unknown alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Surroundings {
    /// `CUDA_VISIBLE_DEVICES`, as this process got it; `None`: not set. A training of this app is started without it.
    pub visible_devices: Option<String>,
    /// `CUDA_DEVICE_ORDER`, as this process got it; `None`: not set.
    pub device_order: Option<String>,
    /// NVIDIA's kernel module (Linux).
    pub kernel_module: Fact<KernelModule>,
    /// Whether Secure Boot is on.
    pub secure_boot: Fact<bool>,
    /// The files through which programs reach the cards (Linux).
    pub device_files: Fact<Vec<DeviceFile>>,
    /// What NVIDIA's driver reported to the kernel's log since the computer was started, oldest first.
    pub xids: Fact<Vec<Xid>>,
    /// Whether this is Linux inside Windows.
    pub wsl: bool,
    /// Whether this is inside a container.
    pub container: bool,
    /// Display adapters on the PCI bus, NVIDIA's and others.
    pub adapters: Fact<Vec<Adapter>>,
    /// Swap, or Windows' paging file, in bytes.
    pub swap: Fact<Swap>,
    /// Memory that the trainer's processes pass images through (`/dev/shm`, Linux).
    pub shared_memory: Fact<Volume>,
    /// The volumes that a training reads from or writes to, each once.
    pub volumes: Vec<NamedVolume>,
    /// How many files this user may have open at once.
    pub open_files: Fact<u64>,
    /// How many files this user may watch for changes (Linux).
    pub watches: Fact<u64>,
    /// Programs that wait for a processor core, averaged over a minute.
    pub load: Fact<f64>,
    /// Milliseconds since 1970 UTC, as this computer believes.
    pub clock_ms: u64,
}

/// NVIDIA's kernel module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum KernelModule {
    /// It runs.
    Loaded {
        /// Its version.
        version: String,
        /// Whether it is the one with open sources.
        open: bool,
    },
    /// It is installed and does not run.
    NotLoaded,
    /// There is none for the kernel that runs.
    Missing,
    /// The open driver nouveau holds the card.
    Nouveau,
}

/// A file through which programs reach a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct DeviceFile {
    /// `/dev/nvidia0`.
    pub path: String,
    /// Whether this user may read and write it.
    pub usable: bool,
}

/// A report of NVIDIA's driver in the kernel's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Xid {
    /// Its number; <https://docs.nvidia.com/deploy/xid-errors/>.
    pub code: u32,
    /// PCI address of the card, e.g. `0000:01:00`.
    pub pci: String,
    /// The log's line.
    pub line: String,
}

/// Whose fault a report is, as far as its number tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum Blame {
    /// The card, its power or its slot.
    Card,
    /// The program that computed.
    Program,
    /// The driver.
    Driver,
    /// The number does not tell.
    Unclear,
}

impl Xid {
    /// Whose fault it is, by NVIDIA's catalogue of Xid errors, <https://docs.nvidia.com/deploy/xid-errors/> (read
    /// November 2026). Numbers that are not listed there, and those with several causes, are unclear.
    #[must_use]
    pub fn blame(&self) -> Blame {
        match self.code {
            // 48, 63, 64, 94, 95: memory that cannot be corrected, and what is done about it. 54: power cable. 61, 62, 79,
            // 119, 120: the card's own controller, or it fell off the bus. 74: NVLink. 92: many corrected errors.
            48 | 54 | 61..=64 | 74 | 79 | 92 | 94 | 95 | 119 | 120 | 140 => Blame::Card,
            // 13, 31, 43, 45: a kernel did what it must not, or was ended. 68, 69: the same of video and graphics.
            13 | 31 | 43 | 45 | 68 | 69 => Blame::Program,
            38 | 44 | 56 | 57 | 109 => Blame::Driver,
            _ => Blame::Unclear,
        }
    }

    /// Reads a line of the kernel's log: `NVRM: Xid (PCI:0000:01:00): 79, pid='<unknown>', …`. `None`: it is another line.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let (_, rest) = line.split_once("NVRM: Xid (PCI:")?;
        let (pci, rest) = rest.split_once("):")?;
        let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
        let code = digits.parse().ok()?;
        let at = line.find("NVRM:").unwrap_or(0);
        Some(Self { code, pci: pci.to_ascii_lowercase(), line: line[at..].trim_end().chars().take(400).collect() })
    }

    /// Whether it is about the card at this PCI address. NVML writes the domain with eight digits, the kernel with four.
    #[must_use]
    pub fn is_about(&self, pci: &str) -> bool {
        fn same(address: &str) -> String {
            let address = address.to_ascii_lowercase();
            let (domain, rest) = address.split_once(':').unwrap_or(("", &address));
            let rest = rest.split('.').next().unwrap_or(rest);
            format!("{}:{rest}", domain.trim_start_matches('0'))
        }
        same(&self.pci) == same(pci)
    }
}

/// A display adapter on the PCI bus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Adapter {
    /// Who made it.
    pub vendor: Vendor,
    /// PCI address, e.g. `0000:01:00.0`.
    pub pci: String,
    /// The driver that holds it; `None`: none does.
    pub driver: Option<String>,
}

/// Who makes display adapters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum Vendor {
    /// NVIDIA.
    Nvidia,
    /// AMD.
    Amd,
    /// Intel.
    Intel,
    /// Apple.
    Apple,
    /// A virtual machine's, a server's or another one.
    Other,
}

impl Vendor {
    /// By the number that the PCI bus tells.
    #[must_use]
    pub fn of_pci(vendor: u16) -> Self {
        match vendor {
            0x10de => Self::Nvidia,
            0x1002 => Self::Amd,
            0x8086 => Self::Intel,
            0x106b => Self::Apple,
            _ => Self::Other,
        }
    }

    /// As it calls itself; the same in every language.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nvidia => "NVIDIA",
            Self::Amd => "AMD",
            Self::Intel => "Intel",
            Self::Apple => "Apple",
            Self::Other => "?",
        }
    }
}

/// Swap in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Swap {
    /// In all.
    pub total: u64,
    /// Free.
    pub free: u64,
}

/// A volume, and what a training does there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct NamedVolume {
    /// What it is for.
    pub purposes: Vec<Purpose>,
    /// The volume.
    pub volume: Volume,
}

/// What a training does on a volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Runs are kept there.
    Runs,
    /// The training environment is there.
    Environment,
    /// Temporary files are put there.
    Temporary,
    /// The dataset is there.
    Dataset,
}

impl Purpose {
    /// Its name in JSON and sentence ids.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Environment => "environment",
            Self::Temporary => "temporary",
            Self::Dataset => "dataset",
        }
    }
}

/// What the numbers of `CUDA_VISIBLE_DEVICES` mean to a program that is started with it: the NVML indices it sees, in its
/// own order; `None`: they cannot be told, because they name slices or count in another order than NVML's.
///
/// CUDA stops at the first name it does not know, so `0,7,1` on two cards is card 0 alone.
#[must_use]
pub fn seen_by_cuda(visible: Option<&str>, order: Option<&str>, uuids: &[(u32, Option<String>)]) -> Option<Vec<u32>> {
    let Some(visible) = visible else {
        return (uuids.len() < 2 || order == Some("PCI_BUS_ID"))
            .then(|| uuids.iter().map(|(index, _)| *index).collect());
    };
    let mut seen = Vec::new();
    for name in visible.split(',').map(str::trim) {
        if name.starts_with("MIG-") {
            return None;
        }
        let card = match name.parse::<u32>() {
            Ok(_) if uuids.len() > 1 && order != Some("PCI_BUS_ID") => return None,
            Ok(number) => uuids.iter().find(|(index, _)| *index == number),
            // A UUID may be shortened as long as it is clear.
            Err(_) if name.starts_with("GPU-") => {
                uuids.iter().find(|(_, uuid)| uuid.as_ref().is_some_and(|uuid| uuid.starts_with(name)))
            }
            Err(_) => None,
        };
        match card {
            Some((index, _)) if !seen.contains(index) => seen.push(*index),
            // CUDA sees nothing at all where a card is named twice.
            Some(_) => return Some(Vec::new()),
            None => break,
        }
    }
    Some(seen)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_of_the_kernel_log() {
        let line = "Nov 30 11:02:01 plant kernel: NVRM: Xid (PCI:0000:0A:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.";
        let xid = Xid::parse(line).unwrap();
        assert_eq!((xid.code, xid.pci.as_str()), (79, "0000:0a:00"));
        assert!(xid.line.starts_with("NVRM: Xid"));
        assert_eq!(xid.blame(), Blame::Card);
        assert!(xid.is_about("00000000:0A:00.0"));
        assert!(!xid.is_about("00000000:01:00.0"));
        assert_eq!(Xid::parse("NVRM: loading NVIDIA UNIX x86_64 Kernel Module"), None);
        assert_eq!(Xid::parse("NVRM: Xid (PCI:0000:01:00): x"), None);
        let program = Xid::parse("NVRM: Xid (PCI:0000:01:00): 31, pid=812, name=python").unwrap();
        assert_eq!(program.blame(), Blame::Program);
    }

    #[test]
    fn what_the_numbers_of_cuda_mean() {
        let uuids = [(0, Some("GPU-aa11".to_owned())), (1, Some("GPU-bb22".to_owned()))];
        let pci = Some("PCI_BUS_ID");
        assert_eq!(seen_by_cuda(None, pci, &uuids), Some(vec![0, 1]));
        assert_eq!(seen_by_cuda(None, None, &uuids), None, "the fastest first, whichever that is");
        assert_eq!(seen_by_cuda(None, None, &uuids[..1]), Some(vec![0]));
        assert_eq!(seen_by_cuda(Some("1"), pci, &uuids), Some(vec![1]));
        assert_eq!(seen_by_cuda(Some("1"), None, &uuids), None);
        assert_eq!(seen_by_cuda(Some("GPU-bb"), None, &uuids), Some(vec![1]));
        assert_eq!(seen_by_cuda(Some("0,7,1"), pci, &uuids), Some(vec![0]));
        assert_eq!(seen_by_cuda(Some(""), pci, &uuids), Some(vec![]));
        assert_eq!(seen_by_cuda(Some("-1"), pci, &uuids), Some(vec![]));
        assert_eq!(seen_by_cuda(Some("0,0"), pci, &uuids), Some(vec![]));
        assert_eq!(seen_by_cuda(Some("MIG-1"), pci, &uuids), None);
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(line in ".{0,200}", visible in "[0-9,GPUMI a-]{0,30}") {
            let _ = Xid::parse(&line);
            let _ = Xid::parse(&format!("NVRM: Xid (PCI:{line}"));
            let seen = seen_by_cuda(Some(&visible), Some("PCI_BUS_ID"), &[(0, None), (1, None)]);
            prop_assert!(seen.is_none_or(|seen| seen.len() <= 2));
        }
    }
}
