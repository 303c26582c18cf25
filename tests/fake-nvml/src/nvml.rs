//! NVML's C functions.
//!
//! Every function trusts its caller, as the real library does: pointers are valid for what the function writes.

use std::ffi::{c_char, c_int, c_uint, c_ulonglong};

use nvml_wrapper_sys::bindings::{
    nvmlDevice_t, nvmlMemory_v2_t, nvmlProcessInfo_t, nvmlReturn_enum_NVML_ERROR_INSUFFICIENT_SIZE,
    nvmlReturn_enum_NVML_ERROR_INVALID_ARGUMENT, nvmlReturn_enum_NVML_ERROR_NOT_FOUND,
    nvmlReturn_enum_NVML_ERROR_NOT_SUPPORTED, nvmlReturn_enum_NVML_ERROR_UNKNOWN, nvmlReturn_enum_NVML_SUCCESS,
    nvmlReturn_t, nvmlTemperatureSensors_t, nvmlUtilization_t,
};

use crate::scenario::{Card, Process, Scenario, Slice};

const MIB: u64 = 1 << 20;
/// What NVML says where a value cannot be had.
const NOT_AVAILABLE: u64 = u64::MAX;
const NO_INSTANCE: u32 = u32::MAX;

/// `nvmlClocksThrottleReasonHwThermalSlowdown`.
const HW_THERMAL_SLOWDOWN: c_ulonglong = 0x40;

/// A slice's handle: its card's, times this, plus its place.
pub(crate) const SLICES: usize = 1_000;

type Answer = Result<(), nvmlReturn_t>;

fn answer(answer: impl FnOnce(&Scenario) -> Answer) -> nvmlReturn_t {
    let Some(scenario) = Scenario::read() else { return nvmlReturn_enum_NVML_ERROR_UNKNOWN };
    if let Some(refusal) = scenario.refuses {
        return refusal.code();
    }
    answer(&scenario).err().unwrap_or(nvmlReturn_enum_NVML_SUCCESS)
}

/// Answers a question about the whole system.
fn system(question: &str, reply: impl FnOnce(&Scenario) -> Answer) -> nvmlReturn_t {
    answer(|scenario| match scenario.system_refuses.get(question) {
        Some(refusal) => Err(refusal.code()),
        None => reply(scenario),
    })
}

/// What a card does not have it does not tell.
pub(crate) fn has<T>(value: Option<T>) -> Result<T, nvmlReturn_t> {
    value.ok_or(nvmlReturn_enum_NVML_ERROR_NOT_SUPPORTED)
}

/// Answers a question to a card. A handle is the card's index plus one, never null.
pub(crate) fn ask(device: nvmlDevice_t, question: &str, reply: impl FnOnce(&Card) -> Answer) -> nvmlReturn_t {
    answer(|scenario| {
        let index = (device as usize).checked_sub(1).ok_or(nvmlReturn_enum_NVML_ERROR_INVALID_ARGUMENT)?;
        let card = scenario.cards.get(index).ok_or(nvmlReturn_enum_NVML_ERROR_INVALID_ARGUMENT)?;
        match card.refuses.get(question) {
            Some(refusal) => Err(refusal.code()),
            None => reply(card),
        }
    })
}

/// Card and place of a slice that a handle stands for; `None`: it stands for a card.
fn slice_of(device: nvmlDevice_t) -> Option<(usize, usize)> {
    let handle = device as usize;
    (handle >= SLICES).then(|| (handle / SLICES - 1, handle % SLICES))
}

fn slice((card, place): (usize, usize), reply: impl FnOnce(&Slice) -> Answer) -> nvmlReturn_t {
    answer(|scenario| {
        let slice = scenario.cards.get(card).and_then(|card| card.slices.get(place));
        reply(slice.ok_or(nvmlReturn_enum_NVML_ERROR_INVALID_ARGUMENT)?)
    })
}

/// # Safety
/// `target` is valid for one value.
pub(crate) unsafe fn put<T>(target: *mut T, value: T) -> Answer {
    if target.is_null() {
        return Err(nvmlReturn_enum_NVML_ERROR_INVALID_ARGUMENT);
    }
    // SAFETY: as the caller promises.
    unsafe { target.write(value) };
    Ok(())
}

/// # Safety
/// `target` is valid for `length` bytes.
unsafe fn put_text(target: *mut c_char, length: c_uint, text: &str) -> Answer {
    if text.len() >= length as usize {
        return Err(nvmlReturn_enum_NVML_ERROR_INSUFFICIENT_SIZE);
    }
    // SAFETY: the text and its end fit, as was just seen.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), target, text.len());
        target.add(text.len()).write(0);
    }
    Ok(())
}

#[unsafe(no_mangle)]
extern "C" fn nvmlInit_v2() -> nvmlReturn_t {
    answer(|_| Ok(()))
}

#[unsafe(no_mangle)]
extern "C" fn nvmlShutdown() -> nvmlReturn_t {
    nvmlReturn_enum_NVML_SUCCESS
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlSystemGetDriverVersion(version: *mut c_char, length: c_uint) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    system("driver", |scenario| unsafe { put_text(version, length, &scenario.driver) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlSystemGetCudaDriverVersion_v2(version: *mut c_int) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    system("cuda", |scenario| unsafe { put(version, scenario.cuda) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlSystemGetProcessName(pid: c_uint, name: *mut c_char, length: c_uint) -> nvmlReturn_t {
    system("process-name", |scenario| {
        let of_slices =
            |card: &'_ Card| card.slices.iter().flat_map(|slice| slice.processes.clone()).collect::<Vec<_>>();
        let mut processes =
            scenario.cards.iter().flat_map(|card| card.processes.iter().cloned().chain(of_slices(card)));
        let process = processes.find(|process| process.id() == pid).ok_or(nvmlReturn_enum_NVML_ERROR_NOT_FOUND)?;
        // SAFETY: as the caller promises.
        unsafe { put_text(name, length, &process.name) }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetCount_v2(count: *mut c_uint) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    system("count", |scenario| unsafe { put(count, scenario.cards.len() as c_uint) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetHandleByIndex_v2(index: c_uint, device: *mut nvmlDevice_t) -> nvmlReturn_t {
    let handle = std::ptr::without_provenance_mut(index as usize + 1);
    // SAFETY: as the caller promises.
    ask(handle, "handle", |_| unsafe { put(device, handle) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetName(device: nvmlDevice_t, name: *mut c_char, length: c_uint) -> nvmlReturn_t {
    match slice_of(device) {
        // SAFETY: as the caller promises.
        Some(place) => slice(place, |slice| unsafe { put_text(name, length, has(slice.name.as_deref())?) }),
        // SAFETY: as the caller promises.
        None => ask(device, "name", |card| unsafe { put_text(name, length, &card.name) }),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetUUID(device: nvmlDevice_t, uuid: *mut c_char, length: c_uint) -> nvmlReturn_t {
    match slice_of(device) {
        // SAFETY: as the caller promises.
        Some(place) => slice(place, |slice| unsafe { put_text(uuid, length, &slice.uuid) }),
        // SAFETY: as the caller promises.
        None => ask(device, "uuid", |card| unsafe { put_text(uuid, length, &card.uuid) }),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetMemoryInfo_v2(device: nvmlDevice_t, memory: *mut nvmlMemory_v2_t) -> nvmlReturn_t {
    if let Some(place) = slice_of(device) {
        return slice(place, |slice| {
            let (total, used) = (slice.memory_mib * MIB, slice.used_mib * MIB);
            // SAFETY: as the caller promises; the caller fills in the version.
            let version = unsafe { (*memory).version };
            let free = total.saturating_sub(used);
            // SAFETY: as the caller promises.
            unsafe { put(memory, nvmlMemory_v2_t { version, total, reserved: 0, free, used }) }
        });
    }
    ask(device, "memory", |card| {
        // SAFETY: as the caller promises; the caller fills in the version.
        let version = unsafe { (*memory).version };
        let (total, reserved, used) = (card.memory_mib * MIB, card.reserved_mib * MIB, card.used_mib * MIB);
        let free = total.saturating_sub(reserved).saturating_sub(used);
        // SAFETY: as the caller promises.
        unsafe { put(memory, nvmlMemory_v2_t { version, total, reserved, free, used }) }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetUtilizationRates(
    device: nvmlDevice_t,
    rates: *mut nvmlUtilization_t,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "utilization", |card| unsafe { put(rates, nvmlUtilization_t { gpu: card.utilization, memory: 0 }) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetTemperature(
    device: nvmlDevice_t,
    _sensor: nvmlTemperatureSensors_t,
    temperature: *mut c_uint,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "temperature", |card| unsafe { put(temperature, has(card.temperature)?) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetCurrentClocksThrottleReasons(
    device: nvmlDevice_t,
    reasons: *mut c_ulonglong,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "throttle-reasons", |card| unsafe {
        put(reasons, card.throttle | if card.too_hot { HW_THERMAL_SLOWDOWN } else { 0 })
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetCudaComputeCapability(
    device: nvmlDevice_t,
    major: *mut c_int,
    minor: *mut c_int,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "capability", |card| unsafe {
        put(major, card.capability.0)?;
        put(minor, card.capability.1)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetComputeRunningProcesses_v3(
    device: nvmlDevice_t,
    count: *mut c_uint,
    list: *mut nvmlProcessInfo_t,
) -> nvmlReturn_t {
    match slice_of(device) {
        // SAFETY: as the caller promises.
        Some(place) => slice(place, |slice| unsafe { put_processes(&slice.processes, false, count, list) }),
        // SAFETY: as the caller promises.
        None => ask(device, "compute-processes", |card| unsafe { put_processes(&card.processes, false, count, list) }),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetGraphicsRunningProcesses_v3(
    device: nvmlDevice_t,
    count: *mut c_uint,
    list: *mut nvmlProcessInfo_t,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "graphics-processes", |card| unsafe { put_processes(&card.processes, true, count, list) })
}

/// # Safety
/// `count` is valid and says for how many entries `list` is.
unsafe fn put_processes(all: &[Process], drawing: bool, count: *mut c_uint, list: *mut nvmlProcessInfo_t) -> Answer {
    let processes: Vec<&Process> = all.iter().filter(|process| process.draws == drawing).collect();
    // SAFETY: as the caller promises.
    let room = unsafe { count.read() } as usize;
    // SAFETY: as the caller promises.
    unsafe { put(count, processes.len() as c_uint)? };
    if room < processes.len() {
        return Err(nvmlReturn_enum_NVML_ERROR_INSUFFICIENT_SIZE);
    }
    for (place, process) in processes.iter().enumerate() {
        let info = nvmlProcessInfo_t {
            pid: process.id(),
            usedGpuMemory: process.memory_mib.map_or(NOT_AVAILABLE, |memory| memory * MIB),
            gpuInstanceId: NO_INSTANCE,
            computeInstanceId: NO_INSTANCE,
        };
        // SAFETY: there is room for every process, as was just seen.
        unsafe { list.add(place).write(info) };
    }
    Ok(())
}
