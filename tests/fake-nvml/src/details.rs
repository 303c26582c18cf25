//! NVML's C functions about a card's health, speed and division.
//!
//! Every function trusts its caller, as the real library does: pointers are valid for what the function writes.

use std::ffi::{c_int, c_uint, c_ulonglong};

use nvml_wrapper_sys::bindings::{
    field_id, nvmlClockType_t, nvmlComputeMode_t, nvmlDevice_t, nvmlEccCounterType_t, nvmlEnableState_t,
    nvmlFieldValue_t, nvmlMemoryErrorType_t, nvmlPageRetirementCause_t, nvmlPciInfo_t,
    nvmlReturn_enum_NVML_ERROR_INSUFFICIENT_SIZE, nvmlReturn_enum_NVML_ERROR_NOT_FOUND,
    nvmlReturn_enum_NVML_ERROR_NOT_SUPPORTED, nvmlReturn_enum_NVML_SUCCESS, nvmlReturn_t, nvmlTemperatureThresholds_t,
    nvmlValueType_enum_NVML_VALUE_TYPE_UNSIGNED_INT,
};

use crate::nvml::{SLICES, ask, has, put};

/// `NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR`.
const DOUBLE_BIT: nvmlPageRetirementCause_t = 1;

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetPciInfo_v3(device: nvmlDevice_t, pci: *mut nvmlPciInfo_t) -> nvmlReturn_t {
    ask(device, "pci", |card| {
        let address = has(card.pci.as_deref())?;
        // SAFETY: all fields are numbers, for which zero is a value.
        let mut info: nvmlPciInfo_t = unsafe { std::mem::zeroed() };
        for (place, byte) in info.busId.iter_mut().zip(address.bytes().take(31)) {
            *place = byte as _;
        }
        // SAFETY: as the caller promises.
        unsafe { put(pci, info) }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetPowerUsage(device: nvmlDevice_t, milliwatts: *mut c_uint) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "power", |card| unsafe { put(milliwatts, has(card.power_mw)?[0]) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetEnforcedPowerLimit(device: nvmlDevice_t, milliwatts: *mut c_uint) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "power-limit", |card| unsafe { put(milliwatts, has(card.power_mw)?[1]) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetPowerManagementDefaultLimit(
    device: nvmlDevice_t,
    milliwatts: *mut c_uint,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "power-default", |card| unsafe { put(milliwatts, has(card.power_mw)?[2]) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetClockInfo(
    device: nvmlDevice_t,
    _kind: nvmlClockType_t,
    mhz: *mut c_uint,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "clock", |card| unsafe { put(mhz, has(card.clock_mhz)?[0]) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetMaxClockInfo(
    device: nvmlDevice_t,
    _kind: nvmlClockType_t,
    mhz: *mut c_uint,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "clock-max", |card| unsafe { put(mhz, has(card.clock_mhz)?[1]) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetTemperatureThreshold(
    device: nvmlDevice_t,
    _which: nvmlTemperatureThresholds_t,
    degrees: *mut c_uint,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "slowdown", |card| unsafe { put(degrees, has(card.slowdown)?) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetEccMode(
    device: nvmlDevice_t,
    current: *mut nvmlEnableState_t,
    pending: *mut nvmlEnableState_t,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "ecc", |card| unsafe {
        let (enabled, _) = has(card.ecc)?;
        put(current, enabled.into())?;
        put(pending, enabled.into())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetTotalEccErrors(
    device: nvmlDevice_t,
    _error: nvmlMemoryErrorType_t,
    _counter: nvmlEccCounterType_t,
    count: *mut c_ulonglong,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "ecc-errors", |card| unsafe { put(count, has(card.ecc)?.1) })
}

/// # Safety
/// As NVML's own: `count` is valid and says for how many `addresses` is.
unsafe fn retired(
    device: nvmlDevice_t,
    cause: nvmlPageRetirementCause_t,
    count: *mut c_uint,
    addresses: *mut c_ulonglong,
) -> nvmlReturn_t {
    ask(device, "retired", |card| {
        let (pages, _) = has(card.retired)?;
        let pages = if cause == DOUBLE_BIT { pages } else { 0 };
        // SAFETY: as the caller promises.
        let room = unsafe { count.read() };
        // SAFETY: as the caller promises.
        unsafe { put(count, pages)? };
        if room < pages {
            return Err(nvmlReturn_enum_NVML_ERROR_INSUFFICIENT_SIZE);
        }
        for page in 0..pages {
            // SAFETY: there is room for every page, as was just seen.
            unsafe { addresses.add(page as usize).write(u64::from(page) << 12) };
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetRetiredPages(
    device: nvmlDevice_t,
    cause: nvmlPageRetirementCause_t,
    count: *mut c_uint,
    addresses: *mut c_ulonglong,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    unsafe { retired(device, cause, count, addresses) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetRetiredPages_v2(
    device: nvmlDevice_t,
    cause: nvmlPageRetirementCause_t,
    count: *mut c_uint,
    addresses: *mut c_ulonglong,
    _timestamps: *mut c_ulonglong,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    unsafe { retired(device, cause, count, addresses) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetRetiredPagesPendingStatus(
    device: nvmlDevice_t,
    pending: *mut nvmlEnableState_t,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "retired-pending", |card| unsafe { put(pending, has(card.retired)?.1.into()) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetFieldValues(
    device: nvmlDevice_t,
    count: c_int,
    values: *mut nvmlFieldValue_t,
) -> nvmlReturn_t {
    ask(device, "fields", |card| {
        for place in 0..count as usize {
            // SAFETY: the caller says that there are so many.
            let value = unsafe { &mut *values.add(place) };
            let known = match value.fieldId {
                field_id::NVML_FI_DEV_REMAPPED_COR => card.remapped.map(|rows| rows[0]),
                field_id::NVML_FI_DEV_REMAPPED_UNC => card.remapped.map(|rows| rows[1]),
                field_id::NVML_FI_DEV_REMAPPED_PENDING => card.remapped.map(|rows| rows[2]),
                field_id::NVML_FI_DEV_REMAPPED_FAILURE => card.remapped.map(|rows| rows[3]),
                _ => None,
            };
            value.valueType = nvmlValueType_enum_NVML_VALUE_TYPE_UNSIGNED_INT;
            value.value.uiVal = known.unwrap_or(0);
            value.nvmlReturn = match known {
                Some(_) => nvmlReturn_enum_NVML_SUCCESS,
                None => nvmlReturn_enum_NVML_ERROR_NOT_SUPPORTED,
            };
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetComputeMode(device: nvmlDevice_t, mode: *mut nvmlComputeMode_t) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "compute-mode", |card| unsafe { put(mode, has(card.compute_mode)?) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetPersistenceMode(device: nvmlDevice_t, mode: *mut nvmlEnableState_t) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "persistence", |card| unsafe { put(mode, has(card.persistence)?.into()) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetMigMode(
    device: nvmlDevice_t,
    current: *mut c_uint,
    pending: *mut c_uint,
) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "mig", |card| unsafe {
        let enabled = has(card.mig)?;
        put(current, enabled.into())?;
        put(pending, enabled.into())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetMaxMigDeviceCount(device: nvmlDevice_t, count: *mut c_uint) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "mig-count", |_| unsafe { put(count, 7) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetMigDeviceHandleByIndex(
    device: nvmlDevice_t,
    index: c_uint,
    slice: *mut nvmlDevice_t,
) -> nvmlReturn_t {
    ask(device, "mig-slice", |card| {
        if index as usize >= card.slices.len() {
            return Err(nvmlReturn_enum_NVML_ERROR_NOT_FOUND);
        }
        let handle = device as usize * SLICES + index as usize;
        // SAFETY: as the caller promises.
        unsafe { put(slice, std::ptr::without_provenance_mut(handle)) }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetCurrPcieLinkGeneration(device: nvmlDevice_t, value: *mut c_uint) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "link-generation", |card| unsafe { put(value, has(card.link)?[0]) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetCurrPcieLinkWidth(device: nvmlDevice_t, value: *mut c_uint) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "link-width", |card| unsafe { put(value, has(card.link)?[1]) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetMaxPcieLinkGeneration(device: nvmlDevice_t, value: *mut c_uint) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "link-generation-max", |card| unsafe { put(value, has(card.link)?[2]) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nvmlDeviceGetMaxPcieLinkWidth(device: nvmlDevice_t, value: *mut c_uint) -> nvmlReturn_t {
    // SAFETY: as the caller promises.
    ask(device, "link-width-max", |card| unsafe { put(value, has(card.link)?[3]) })
}
