//! Which device a plan's choice means on this computer.

use super::{Gpu, GpuLibrary, Gpus};
use crate::facts::Fact;
use crate::plan::{Device, SLICE};
use crate::text::Message;

/// The variable that says which cards a program sees. CUDA shows a program one slice of a divided card: the one that is
/// named here.
pub const VISIBLE_DEVICES: &str = "CUDA_VISIBLE_DEVICES";

/// The variable, and its value, that make CUDA count cards as NVML does. Without it CUDA puts the fastest card first,
/// and `gpu:0` of a plan would be another card for the trainer.
pub const CUDA_ORDER: (&str, &str) = ("CUDA_DEVICE_ORDER", "PCI_BUS_ID");

/// The device that will train.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResolvedDevice {
    /// The processor.
    Processor,
    /// Apple's own GPU.
    Mps,
    /// GPUs by NVML index; at least one.
    Gpus(Vec<u32>),
    /// A slice of a divided card.
    Slice {
        /// NVML index of the card.
        card: u32,
        /// The slice's name, `MIG-…`.
        uuid: String,
    },
}

impl std::fmt::Display for ResolvedDevice {
    /// As a run's record has it: `cpu`, `mps`, `0` or `0,1`, as Ultralytics is told; of a slice its name, which CUDA is
    /// told instead.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Processor => f.write_str("cpu"),
            Self::Mps => f.write_str("mps"),
            Self::Gpus(indices) => {
                let indices: Vec<String> = indices.iter().map(u32::to_string).collect();
                f.write_str(&indices.join(","))
            }
            Self::Slice { uuid, .. } => f.write_str(uuid),
        }
    }
}

impl ResolvedDevice {
    /// What a card, or a slice as a card of its own, is as a device. A divided card stands for its roomiest slice.
    #[must_use]
    pub fn of(card: &Gpu) -> Self {
        let slice = card.roomiest_slice();
        match slice.as_ref().unwrap_or(card).slice_name() {
            Some(name) => Self::Slice { card: card.index, uuid: name.to_owned() },
            None => Self::Gpus(vec![card.index]),
        }
    }

    /// NVML indices of the cards that train; empty: none does.
    #[must_use]
    pub fn cards(&self) -> Vec<u32> {
        match self {
            Self::Processor | Self::Mps => Vec::new(),
            Self::Gpus(indices) => indices.clone(),
            Self::Slice { card, .. } => vec![*card],
        }
    }

    /// Whether one of NVIDIA's cards trains.
    #[must_use]
    pub fn is_card(&self) -> bool {
        !matches!(self, Self::Processor | Self::Mps)
    }
}

/// The slice that a run's record names as its device.
#[must_use]
pub fn slice_of(device: &str) -> Option<&str> {
    device.starts_with(SLICE).then_some(device)
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
    /// A slice was chosen that does not exist.
    NoSuchSlice(String),
}

/// Which device a plan's choice means on this computer.
///
/// # Errors
/// Says why it is not clear.
pub fn resolve(device: &Device, gpus: &Fact<Gpus>) -> Result<ResolvedDevice, Unresolved> {
    let gpus = match (device, gpus) {
        (Device::Cpu, _) => return Ok(ResolvedDevice::Processor),
        (Device::Mps, _) => return Ok(ResolvedDevice::Mps),
        (_, Fact::Unknown(reason)) => return Err(Unresolved::NotObserved(reason.clone())),
        (_, Fact::Known(gpus)) => gpus,
    };
    if *device == Device::Auto {
        return Ok(gpus.roomiest().map_or(ResolvedDevice::Processor, ResolvedDevice::of));
    }
    if gpus.library != GpuLibrary::Answers {
        return Err(Unresolved::NoDriver);
    }
    match device {
        Device::Slice(name) => {
            gpus.slice(name).map(|slice| ResolvedDevice::of(&slice)).ok_or(Unresolved::NoSuchSlice(name.clone()))
        }
        Device::Gpus(indices) => {
            if let Some(index) = indices.iter().find(|index| gpus.card(**index).is_none()) {
                return Err(Unresolved::NoSuchGpu(*index));
            }
            let one = if let [index] = indices.as_slice() { gpus.card(*index) } else { None };
            Ok(one.map_or_else(|| ResolvedDevice::Gpus(indices.clone()), ResolvedDevice::of))
        }
        Device::Auto | Device::Cpu | Device::Mps => Ok(ResolvedDevice::Processor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{GpuDetails, GpuMemory, GpuSource, Mig, MigSlice};

    fn slice(uuid: &str, free: u64) -> MigSlice {
        MigSlice {
            uuid: uuid.to_owned(),
            name: Some("A100 MIG 3g.40gb".to_owned()),
            memory: Some(GpuMemory { total: 40, used: 40 - free, free }),
            processes: Fact::Known(Vec::new()),
        }
    }

    fn card(index: u32, free: u64, slices: Option<Vec<MigSlice>>) -> Gpu {
        let untold = || "reason-not-observed";
        let mut details = GpuDetails::not_asked();
        if let Some(slices) = slices {
            details.mig = Fact::Known(Mig { enabled: true, slices });
        }
        Gpu {
            index,
            uuid: Fact::Known(format!("GPU-{index}")),
            name: Fact::Known("A100".to_owned()),
            memory: Fact::Known(GpuMemory { total: 80, used: 80 - free, free }),
            compute_capability: Fact::Known((8, 0)),
            utilization: Fact::unknown(untold()),
            temperature: Fact::unknown(untold()),
            processes: Fact::Known(Vec::new()),
            details: Box::new(details),
        }
    }

    fn gpus(cards: Vec<Gpu>) -> Fact<Gpus> {
        Fact::Known(Gpus {
            library: GpuLibrary::Answers,
            source: GpuSource::Nvml,
            driver: Fact::unknown("reason-not-observed"),
            cuda: Fact::unknown("reason-not-observed"),
            cards,
        })
    }

    fn is(device: &str, gpus: &Fact<Gpus>) -> String {
        resolve(&device.parse().unwrap(), gpus).map_or_else(|why| format!("{why:?}"), |device| device.to_string())
    }

    #[test]
    fn a_divided_card_means_its_roomiest_slice_and_a_slice_is_named() {
        let divided = gpus(vec![card(0, 80, Some(vec![slice("MIG-a", 10), slice("MIG-b", 39)])), card(1, 20, None)]);
        assert_eq!(is("auto", &divided), "MIG-b", "39 of a slice are more than 20 of a card");
        assert_eq!(is("gpu:0", &divided), "MIG-b");
        assert_eq!(is("MIG-a", &divided), "MIG-a");
        assert_eq!(is("gpu:1", &divided), "1");
        assert_eq!(is("gpu:0,1", &divided), "0,1", "the check refuses it");
        assert_eq!(is("MIG-c", &divided), "NoSuchSlice(\"MIG-c\")");
        assert_eq!(resolve(&Device::Slice("MIG-a".to_owned()), &divided).unwrap().cards(), [0]);
        let full = gpus(vec![card(0, 80, Some(vec![slice("MIG-a", 10)])), card(1, 20, None)]);
        assert_eq!(is("auto", &full), "1", "what is free on the whole card cannot be had");
        let empty = gpus(vec![card(0, 80, Some(Vec::new())), card(1, 20, None)]);
        assert_eq!(is("auto", &empty), "1");
        assert_eq!(is("gpu:0", &empty), "0", "the check says that no slice was made");
    }

    #[test]
    fn devices_are_written_as_they_are_read() {
        for text in ["auto", "cpu", "mps", "gpu:0,1", "MIG-aa-0", "MIG-GPU-aa/1/0"] {
            assert_eq!(text.parse::<Device>().unwrap().to_string(), text);
        }
        for text in ["MIG-", "MIG-$(rm)", "MIG-a b", "mig-a", "gpu:MIG-a", "gpu:0,0", ""] {
            assert!(text.parse::<Device>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_slice_is_a_card_of_its_own() {
        let divided = gpus(vec![card(0, 80, Some(vec![slice("MIG-a", 10)]))]);
        let device = resolve(&Device::Slice("MIG-a".to_owned()), &divided).unwrap();
        let seen = divided.known().unwrap().of(&device);
        let [seen] = seen.as_slice() else { panic!("one card") };
        assert_eq!(
            (seen.label(), seen.free(), seen.compute_capability.known()),
            ("A100 MIG 3g.40gb".into(), 10, Some(&(8, 0)))
        );
        assert!(!seen.is_divided() && seen.slices().is_empty());
        assert_eq!(seen.device(), Device::Slice("MIG-a".to_owned()));
    }
}
