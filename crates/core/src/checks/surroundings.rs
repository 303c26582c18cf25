//! What lies around the cards and decides whether a training goes well: files, limits, swap, the clock.

use super::{change, explain, use_apple_gpu};
use crate::facts::Facts;
use crate::finding::{Evidence, Finding, PlanChange, Stage, Verb};
use crate::machine::{Purpose, Surroundings, Vendor, seen_by_cuda};
use crate::plan::Plan;
use crate::text::bytes;

/// Loaders keep two batches each on the way, as torch does by default.
const PREFETCHED: u64 = 2;
/// Processes that read images where the plan names no number: Ultralytics' own default.
const WORKERS: u64 = 8;
/// Docker's own size of `/dev/shm`.
const DOCKERS_SHM: u64 = 64 << 20;
/// Fewer open files than this and many loaders fail; most systems allow 1,024.
const OPEN_FILES: u64 = 512;
/// Fewer watched folders than this and large datasets are not seen changing.
const WATCHES: u64 = 8_192;
/// Temporary files of a training: an unpacked checkpoint, charts, locks.
const TEMPORARY: u64 = 1 << 30;
/// Windows gives a training's processes memory only as long as paging file and RAM together suffice: each that loads
/// CUDA's libraries reserves several GB.
const PAGING_FILE: u64 = 16 << 30;
/// The first of January 2026, in milliseconds since 1970: this app is younger.
const YOUNGEST_CLOCK: u64 = 1_767_225_600_000;

pub(super) fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    let Some(around) = facts.surroundings.known() else { return Vec::new() };
    let mut findings = Vec::new();
    findings.extend(shared_memory(facts, around, plan));
    findings.extend(paging_file(facts, around));
    findings.extend(open_files(around));
    findings.extend(clock(around));
    findings.extend(volumes(around));
    findings
}

/// What is worth knowing of the computer, whatever is trained.
pub(super) fn about_computer(facts: &Facts) -> Vec<Finding> {
    let Some(around) = facts.surroundings.known() else { return Vec::new() };
    let mut findings = Vec::new();
    findings.extend(visible_devices(facts, around));
    findings.extend(other_adapters(facts, around));
    findings.extend(apple_gpu(facts));
    findings.extend(watches(around));
    findings.extend(load(facts, around));
    findings
}

fn visible_devices(facts: &Facts, around: &Surroundings) -> Option<Finding> {
    let visible = around.visible_devices.as_deref()?;
    let cards = &facts.gpus.known()?.cards;
    let uuids: Vec<_> = cards.iter().map(|card| (card.index, card.uuid.known().cloned())).collect();
    let seen = seen_by_cuda(Some(visible), around.device_order.as_deref(), &uuids);
    let finding = match seen {
        Some(seen) if seen.is_empty() => Finding::note(Stage::GpuPool, "hidden-from-programs"),
        Some(seen) => {
            let first = cards.iter().find(|card| Some(&card.index) == seen.first());
            Finding::note(Stage::GpuPool, "other-numbers-for-programs")
                .with("first", first.map(crate::machine::Gpu::label).unwrap_or_default())
                .with("index", seen.first().copied().unwrap_or_default())
        }
        None => Finding::note(Stage::GpuPool, "numbers-unclear-for-programs"),
    };
    let order = around.device_order.as_deref().unwrap_or("FASTEST_FIRST");
    Some(
        finding
            .seen(Evidence::value("fact-cuda-visible-devices", visible))
            .seen(Evidence::value("fact-cuda-device-order", order)),
    )
}

/// Cards of other makers, where none of NVIDIA's is there.
fn other_adapters(facts: &Facts, around: &Surroundings) -> Option<Finding> {
    let has_cards = facts.gpus.known().is_some_and(|gpus| !gpus.cards.is_empty());
    let adapters = around.adapters.known()?;
    let nvidia = adapters.iter().any(|adapter| adapter.vendor == Vendor::Nvidia);
    let other = adapters.iter().find(|adapter| matches!(adapter.vendor, Vendor::Amd | Vendor::Intel | Vendor::Apple));
    let own = facts.computer.known().is_some_and(|computer| computer.apple_gpu);
    if has_cards || nvidia || own {
        return None;
    }
    let other = other?;
    Some(
        Finding::note(Stage::GpuPool, "other-maker")
            .with("vendor", other.vendor.name())
            .seen(Evidence::value("fact-display-adapter", format!("{} ({})", other.vendor.name(), other.pci))),
    )
}

/// Apple's own GPU trains where it is chosen: faster than the processor, and not tried out by as many people.
fn apple_gpu(facts: &Facts) -> Option<Finding> {
    let computer = facts.computer.known().filter(|computer| computer.apple_gpu)?;
    let finding = Finding::note(Stage::GpuPool, "apple-gpu-offered").remedy(use_apple_gpu());
    Some(finding.seen(Evidence::value("fact-processor", format!("{} × {}", computer.cores, computer.cpu))))
}

fn shared_memory(facts: &Facts, around: &Surroundings, plan: &Plan) -> Option<Finding> {
    let shm = around.shared_memory.known()?;
    // The trainer starts no more than there are cores or images in a batch.
    let cores = facts.computer.known().map_or(WORKERS, |computer| u64::from(computer.cores));
    let workers = plan.training.workers.map_or(WORKERS, u64::from).min(cores).min(u64::from(plan.training.batch));
    if workers == 0 {
        return None;
    }
    let side = u64::from(plan.training.imgsz);
    let batch = u64::from(plan.training.batch).saturating_mul(side.saturating_mul(side)).saturating_mul(3);
    let need = batch.saturating_mul(PREFETCHED).saturating_mul(workers);
    if shm.free >= need {
        return None;
    }
    // Docker's default has made trainings fail again and again; a larger one that is still short may do.
    let finding = if shm.total <= DOCKERS_SHM {
        Finding::predicted(Stage::Data, "shared-memory-too-small", Verb::Change)
    } else {
        Finding::warning(Stage::Data, "shared-memory-short")
    };
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let (free, total) = (bytes(shm.free as f64), bytes(shm.total as f64));
    let mut finding = finding
        .with("need", need)
        .with("free", shm.free)
        .seen(Evidence::value("fact-shared-memory", format!("{free} / {total}")))
        .remedy(change("no-workers", PlanChange::Workers(0)));
    if around.container {
        finding = finding.remedy(explain("larger-shared-memory"));
    }
    Some(finding)
}

fn paging_file(facts: &Facts, around: &Surroundings) -> Option<Finding> {
    let computer = facts.computer.known()?;
    let swap = around.swap.known()?;
    if computer.os != "windows" || computer.memory_available.saturating_add(swap.free) >= PAGING_FILE {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let (free, total) = (bytes(swap.free as f64), bytes(swap.total as f64));
    Some(
        Finding::warning(Stage::Memory, "paging-file-small")
            .seen(Evidence::value("fact-paging-file", format!("{free} / {total}")))
            .remedy(explain("enlarge-paging-file"))
            .remedy(change("no-workers", PlanChange::Workers(0))),
    )
}

fn open_files(around: &Surroundings) -> Option<Finding> {
    let files = around.open_files.known().filter(|files| **files < OPEN_FILES)?;
    Some(
        Finding::warning(Stage::Start, "few-open-files")
            .with("files", files.to_string())
            .seen(Evidence::value("fact-open-files", files.to_string()))
            .remedy(explain("raise-open-files")),
    )
}

fn watches(around: &Surroundings) -> Option<Finding> {
    let watches = around.watches.known().filter(|watches| **watches < WATCHES)?;
    Some(
        Finding::note(Stage::Data, "few-watches")
            .seen(Evidence::value("fact-watches", watches.to_string()))
            .remedy(explain("raise-watches")),
    )
}

fn load(facts: &Facts, around: &Surroundings) -> Option<Finding> {
    let cores = facts.computer.known()?.cores;
    let load = *around.load.known()?;
    (load > f64::from(cores) * 1.5).then(|| {
        Finding::note(Stage::Start, "processor-busy").seen(Evidence::value("fact-load", format!("{load:.1} / {cores}")))
    })
}

fn clock(around: &Surroundings) -> Option<Finding> {
    (around.clock_ms < YOUNGEST_CLOCK).then(|| {
        Finding::warning(Stage::Start, "clock-wrong")
            .seen(Evidence::value("fact-clock", (around.clock_ms / 1_000).to_string()))
            .remedy(explain("set-clock"))
    })
}

/// Runs' own volume is looked at by the check of the start.
fn volumes(around: &Surroundings) -> Vec<Finding> {
    let short = around.volumes.iter().filter(|named| {
        named.purposes.contains(&Purpose::Temporary)
            && !named.purposes.contains(&Purpose::Runs)
            && (named.volume.free < TEMPORARY || named.volume.write_error.is_some())
    });
    short
        .map(|named| {
            #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
            let (free, total) = (bytes(named.volume.free as f64), bytes(named.volume.total as f64));
            let mut finding = Finding::warning(Stage::Start, "temporary-space-short")
                .with("path", named.volume.path.as_path())
                .with("free", named.volume.free)
                .seen(Evidence::value("fact-disk-free", format!("{free} / {total}")));
            if let Some(error) = &named.volume.write_error {
                finding = finding.seen(Evidence::value("fact-write-error", error.clone()));
            }
            finding.remedy(explain("free-disk"))
        })
        .collect()
}
