//! What is learned from a run that ended well.

use preflight_core::dataset::Dataset;
use preflight_core::experience::{Finished, Shape, Trial};
use preflight_core::facts::Fact;
use preflight_core::machine::{Gpu, GpuDetails, GpuLibrary, GpuSource, Gpus, ResolvedDevice};
use preflight_core::problem::Problem;
use preflight_core::run::{Progress, RunRecord};

use super::folder::Folder;
use crate::experience;

/// Remembers what a trial run or a finished training measured. Blocks.
///
/// # Errors
/// Those of writing the file of what is known.
pub(super) fn learn(folder: &Folder, record: &RunRecord, progress: &Progress) -> Result<(), Problem> {
    if let Some(tried) = &record.trial {
        let Some(figures) = progress.trial.clone() else { return Ok(()) };
        let trial = Trial {
            at_ms: progress.last_ms,
            shape: tried.shape.clone(),
            figures,
            shown: Some(progress.peak_gpu_memory).filter(|bytes| *bytes > 0),
            memory: progress.peak_memory,
            took_s: seconds(record.created_ms, progress.last_ms),
        };
        return experience::change(&folder.dirs(), |known| known.tried(trial));
    }
    match finished(folder, record, progress) {
        Some(run) => experience::change(&folder.dirs(), |known| known.learn(run)),
        None => Ok(()),
    }
}

/// `None`: it tells nothing. One that went on may have had another batch or device before.
fn finished(folder: &Folder, record: &RunRecord, progress: &Progress) -> Option<Finished> {
    if progress.resumed > 0 || progress.history.is_empty() {
        return None;
    }
    let dataset: Dataset = serde_json::from_slice(&std::fs::read(folder.dataset()).ok()?).ok()?;
    let device = resolved(&record.device)?;
    let mut shape = Shape::of_plan(&record.plan, &dataset, &device, &cards(record), Some(&record.environment));
    // The trainer halves the batch when memory runs out.
    shape.batch = if progress.batch_size > 0 { progress.batch_size } else { shape.batch };
    Some(Finished {
        run: record.id.clone(),
        at_ms: progress.ended_ms.unwrap_or(progress.last_ms),
        reserved: Some(progress.first_gpu_reserved).filter(|bytes| *bytes > 0 && !shape.is_on_processor()),
        shape,
        amp: progress.amp,
        epoch_s: epoch_s(progress),
    })
}

/// Seconds of an epoch in the middle: the first one starts the workers, and in some the computer slept.
fn epoch_s(progress: &Progress) -> Option<f64> {
    let ends: Vec<f64> = progress.history.iter().map(|point| point.seconds).collect();
    let mut took: Vec<f64> = ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if took.is_empty() {
        took.extend(ends.first());
    }
    took.sort_by(f64::total_cmp);
    took.get(took.len() / 2).copied().filter(|seconds| seconds.is_finite() && *seconds > 0.0)
}

/// `None`: a slice, whose profile the record does not have.
fn resolved(device: &str) -> Option<ResolvedDevice> {
    match device {
        "cpu" => return Some(ResolvedDevice::Processor),
        "mps" => return Some(ResolvedDevice::Mps),
        _ => {}
    }
    device.split(',').map(|index| index.trim().parse().ok()).collect::<Option<_>>().map(ResolvedDevice::Gpus)
}

/// The cards as they were called when the run was started.
fn cards(record: &RunRecord) -> Fact<Gpus> {
    let untold = || "reason-not-observed";
    let names = record.hardware.iter().flat_map(|hardware| &hardware.gpus);
    let card = |(index, name): (u32, &String)| Gpu {
        index,
        uuid: Fact::unknown(untold()),
        name: if name.is_empty() { Fact::unknown(untold()) } else { Fact::Known(name.clone()) },
        memory: Fact::unknown(untold()),
        compute_capability: Fact::unknown(untold()),
        utilization: Fact::unknown(untold()),
        temperature: Fact::unknown(untold()),
        processes: Fact::unknown(untold()),
        details: Box::new(GpuDetails::not_asked()),
    };
    Fact::Known(Gpus {
        library: GpuLibrary::Answers,
        source: GpuSource::Nvml,
        driver: Fact::unknown(untold()),
        cuda: Fact::unknown(untold()),
        cards: (0_u32..).zip(names).map(card).collect(),
    })
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of a run are far below 2^53")]
fn seconds(from_ms: u64, to_ms: u64) -> f64 {
    to_ms.saturating_sub(from_ms) as f64 / 1000.0
}
