//! One card through NVML: each question may be refused alone.

use std::collections::BTreeMap;

use nvml_wrapper::bitmasks::device::ThrottleReasons;
use nvml_wrapper::enum_wrappers::device::{
    Clock, ComputeMode as NvmlComputeMode, EccCounter, MemoryError, RetirementCause, TemperatureSensor,
    TemperatureThreshold,
};
use nvml_wrapper::enums::device::{SampleValue, UsedGpuMemory};
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::structs::device::FieldId;
use nvml_wrapper::sys_exports::field_id;
use nvml_wrapper::{Device, Nvml};
use preflight_core::facts::Fact;
use preflight_core::machine::{
    ComputeMode, Gpu, GpuDetails, GpuMemory, GpuProcess, Mig, MigSlice, PcieLink, Remapped, Retired, Throttle,
};
use preflight_core::text::Message;

/// What NVML calls the value that it cannot tell.
const NOT_TOLD: u32 = u32::MAX;

pub(super) fn card(nvml: &Nvml, index: u32) -> Gpu {
    match nvml.device_by_index(index) {
        Ok(device) => Gpu {
            index,
            uuid: fact(device.uuid()),
            name: fact(device.name()),
            memory: fact(memory(&device)),
            compute_capability: fact(device.cuda_compute_capability())
                .and_then(|capability| pair(capability.major, capability.minor)),
            utilization: fact(device.utilization_rates().map(|rates| rates.gpu)),
            temperature: fact(device.temperature(TemperatureSensor::Gpu)),
            processes: processes(&device),
            details: Box::new(details(&device)),
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
            details: Box::new(GpuDetails::unknown(&why(&error))),
        },
    }
}

fn memory(device: &Device<'_>) -> Result<GpuMemory, NvmlError> {
    device.memory_info().map(|memory| GpuMemory {
        total: memory.total,
        // What the driver reserves cannot be had either.
        used: memory.total.saturating_sub(memory.free),
        free: memory.free,
    })
}

fn processes(device: &Device<'_>) -> Fact<Vec<GpuProcess>> {
    let process = |(pid, memory): (u32, Option<u64>)| GpuProcess {
        pid,
        name: Fact::unknown("reason-process-hidden"),
        memory: memory.map_or_else(|| Fact::unknown("reason-gpu-memory-not-told"), Fact::Known),
        own: false,
        run: None,
    };
    fact(holders(device).map(|held| held.into_iter().map(process).collect()))
}

/// The processes that hold memory on a card, by process id, with the bytes they hold where the driver tells.
pub(super) fn holders(device: &Device<'_>) -> Result<BTreeMap<u32, Option<u64>>, NvmlError> {
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

fn details(device: &Device<'_>) -> GpuDetails {
    GpuDetails {
        pci: fact(device.pci_info().map(|pci| pci.bus_id)),
        power: fact(device.power_usage()),
        power_limit: fact(device.enforced_power_limit()),
        power_default: fact(device.power_management_limit_default()),
        clock: fact(device.clock_info(Clock::Graphics)),
        clock_max: fact(device.max_clock_info(Clock::Graphics)),
        throttled: fact(device.current_throttle_reasons().map(throttled)),
        temperature_slowdown: fact(device.temperature_threshold(TemperatureThreshold::Slowdown)),
        ecc: fact(device.is_ecc_enabled().map(|state| state.currently_enabled)),
        ecc_uncorrected: fact(device.total_ecc_errors(MemoryError::Uncorrected, EccCounter::Aggregate)),
        retired_pages: fact(retired(device)),
        remapped_rows: remapped(device),
        compute_mode: fact(device.compute_mode().map(|mode| match mode {
            NvmlComputeMode::Default => ComputeMode::Default,
            NvmlComputeMode::ExclusiveThread | NvmlComputeMode::ExclusiveProcess => ComputeMode::Exclusive,
            NvmlComputeMode::Prohibited => ComputeMode::Prohibited,
        })),
        persistence: fact(device.is_in_persistent_mode()),
        mig: fact(mig(device)),
        link: link(device.current_pcie_link_gen(), device.current_pcie_link_width()),
        link_max: link(device.max_pcie_link_gen(), device.max_pcie_link_width()),
    }
}

fn throttled(reasons: ThrottleReasons) -> Vec<Throttle> {
    let table = [
        (ThrottleReasons::GPU_IDLE, Throttle::Idle),
        (ThrottleReasons::APPLICATIONS_CLOCKS_SETTING, Throttle::ClocksSet),
        (ThrottleReasons::SW_POWER_CAP, Throttle::PowerCap),
        (ThrottleReasons::HW_SLOWDOWN, Throttle::HwSlowdown),
        (ThrottleReasons::SYNC_BOOST, Throttle::SyncBoost),
        (ThrottleReasons::SW_THERMAL_SLOWDOWN, Throttle::SwThermal),
        (ThrottleReasons::HW_THERMAL_SLOWDOWN, Throttle::HwThermal),
        (ThrottleReasons::HW_POWER_BRAKE_SLOWDOWN, Throttle::PowerBrake),
        (ThrottleReasons::DISPLAY_CLOCK_SETTING, Throttle::Display),
    ];
    table.into_iter().filter(|(flag, _)| reasons.contains(*flag)).map(|(_, reason)| reason).collect()
}

fn retired(device: &Device<'_>) -> Result<Retired, NvmlError> {
    let several = device.retired_pages(RetirementCause::MultipleSingleBitEccErrors)?.len();
    let double = device.retired_pages(RetirementCause::DoubleBitEccError)?.len();
    let pages = u32::try_from(several + double).unwrap_or(u32::MAX);
    Ok(Retired { pages, pending: device.are_pages_pending_retired()? })
}

fn remapped(device: &Device<'_>) -> Fact<Remapped> {
    let fields = [
        field_id::NVML_FI_DEV_REMAPPED_COR,
        field_id::NVML_FI_DEV_REMAPPED_UNC,
        field_id::NVML_FI_DEV_REMAPPED_PENDING,
        field_id::NVML_FI_DEV_REMAPPED_FAILURE,
    ]
    .map(FieldId);
    let samples = match device.field_values_for(&fields) {
        Ok(samples) => samples,
        Err(error) => return refused(&error),
    };
    let mut values = Vec::new();
    for sample in samples {
        match sample.and_then(|sample| sample.value) {
            Ok(value) => values.push(whole(&value)),
            Err(error) => return refused(&error),
        }
    }
    match values.as_slice() {
        [Some(correctable), Some(uncorrectable), Some(pending), Some(failed)] => Fact::Known(Remapped {
            correctable: *correctable,
            uncorrectable: *uncorrectable,
            pending: *pending != 0,
            failed: *failed != 0,
        }),
        _ => Fact::unknown("reason-gpu-answer-unreadable"),
    }
}

fn whole(value: &SampleValue) -> Option<u32> {
    match value {
        SampleValue::U32(value) => Some(*value),
        SampleValue::U64(value) => u32::try_from(*value).ok(),
        SampleValue::I64(value) => u32::try_from(*value).ok(),
        SampleValue::F64(_) => None,
    }
}

fn mig(device: &Device<'_>) -> Result<Mig, NvmlError> {
    let enabled = device.mig_mode()?.current == 1;
    if !enabled {
        return Ok(Mig { enabled, slices: Vec::new() });
    }
    let named = |(uuid, slice): (String, Device<'_>)| MigSlice {
        uuid,
        name: slice.name().ok(),
        memory: memory(&slice).ok(),
        processes: processes(&slice),
    };
    Ok(Mig { enabled, slices: slices(device)?.into_iter().map(named).collect() })
}

/// A divided card's slices that tell their names.
pub(super) fn slices<'n>(device: &Device<'n>) -> Result<Vec<(String, Device<'n>)>, NvmlError> {
    // The count is what there may be; places without a slice answer that nothing is there.
    let places = (0..device.mig_device_count()?).filter_map(|index| device.mig_device_by_index(index).ok());
    Ok(places.filter_map(|slice| Some((slice.uuid().ok()?, slice))).collect())
}

fn link(generation: Result<u32, NvmlError>, width: Result<u32, NvmlError>) -> Fact<PcieLink> {
    match (generation, width) {
        (Ok(NOT_TOLD), _) | (_, Ok(NOT_TOLD)) => Fact::unknown("reason-gpu-not-supported"),
        (Ok(generation), Ok(width)) => Fact::Known(PcieLink { generation, width }),
        (Err(error), _) | (_, Err(error)) => refused(&error),
    }
}

pub(super) fn fact<T>(answer: Result<T, NvmlError>) -> Fact<T> {
    answer.map_or_else(|error| refused(&error), Fact::Known)
}

pub(super) fn pair(major: i32, minor: i32) -> Fact<(u32, u32)> {
    match (u32::try_from(major), u32::try_from(minor)) {
        (Ok(major), Ok(minor)) => Fact::Known((major, minor)),
        _ => Fact::unknown("reason-gpu-answer-unreadable"),
    }
}

/// Why the driver did not tell.
pub(super) fn refused<T>(error: &NvmlError) -> Fact<T> {
    Fact::Unknown(why(error))
}

fn why(error: &NvmlError) -> Message {
    match error {
        NvmlError::NotSupported | NvmlError::FailedToLoadSymbol(_) | NvmlError::FunctionNotFound => {
            Message::new("reason-gpu-not-supported")
        }
        NvmlError::NoPermission | NvmlError::OperatingSystem => Message::new("reason-gpu-no-permission"),
        NvmlError::GpuLost => Message::new("reason-gpu-lost"),
        NvmlError::InsufficientPower => Message::new("reason-gpu-no-power"),
        error => Message::new("reason-gpu-error").with("error", error.to_string()),
    }
}
