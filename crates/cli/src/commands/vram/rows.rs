//! Many setups at once: a CSV file in, estimates out.

use std::path::Path;

use preflight_core::memory::{self, Boxes, Device, Interval, Setup};
use preflight_core::problem::Problem;
use serde::{Deserialize, Serialize};

/// A setup. What is empty is not known.
#[derive(Debug, Deserialize)]
struct Row {
    id: String,
    model: String,
    imgsz: Option<u32>,
    /// Images per step, over all cards.
    batch: Option<u32>,
    n_gpus: Option<u32>,
    amp: Option<String>,
    optimizer: Option<String>,
    nc: Option<u32>,
    train_images: Option<u32>,
    /// Boxes in the last batch of an epoch on the first card; it may not be a full one.
    boxes_last_batch: Option<u32>,
    max_boxes_per_image: Option<u32>,
    ultralytics: Option<String>,
    torch: Option<String>,
    gpu: Option<String>,
}

/// What it needs of a card, in MiB; empty: not known.
#[derive(Debug, Serialize)]
struct Estimated {
    id: String,
    low_mib: Option<u64>,
    expected_mib: Option<u64>,
    high_mib: Option<u64>,
}

/// What the constants of its estimate are multiplied with.
#[derive(Debug, Serialize)]
struct Termed {
    id: String,
    kept: f64,
    graph: f64,
    images: f64,
    without_tensor_cores: f64,
    crowd: f64,
}

/// Reads setups and answers the estimates as CSV: what torch's allocator takes of one card in the first epoch.
///
/// # Errors
/// `memory.rows-unreadable` with the line.
pub(super) fn estimate(file: &Path) -> Result<String, Problem> {
    answer(file, |id, setup| {
        let need = setup.and_then(|setup| memory::reserved(&setup));
        let mib = |of: fn(Interval) -> u64| need.map(|need| of(need) >> 20);
        Some(Estimated {
            id,
            low_mib: mib(|need| need.low),
            expected_mib: mib(|need| need.expected),
            high_mib: mib(|need| need.high),
        })
    })
}

/// Reads setups and answers what the constants are multiplied with; those without an estimate are left out.
///
/// # Errors
/// `memory.rows-unreadable` with the line.
pub(super) fn terms(file: &Path) -> Result<String, Problem> {
    answer(file, |id, setup| {
        let memory::Terms { kept, graph, images, without_tensor_cores, crowd } = memory::terms(&setup?)?;
        Some(Termed { id, kept, graph, images, without_tensor_cores, crowd })
    })
}

fn answer<T: Serialize>(file: &Path, of: impl Fn(String, Option<Setup>) -> Option<T>) -> Result<String, Problem> {
    let unreadable =
        |error: &dyn std::error::Error| Problem::new("memory.rows-unreadable").with("path", file).because(error);
    let mut reader = csv::Reader::from_path(file).map_err(|error| unreadable(&error))?;
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in reader.deserialize() {
        let row: Row = row.map_err(|error| unreadable(&error))?;
        if let Some(answer) = of(row.id.clone(), setup(row)) {
            writer.serialize(answer).map_err(|error| unreadable(&error))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| unreadable(error.error()))?;
    String::from_utf8(bytes).map_err(|error| unreadable(&error))
}

/// `None`: image size or batch is not known.
fn setup(row: Row) -> Option<Setup> {
    let (imgsz, batch) = row.imgsz.zip(row.batch)?;
    let count = row.n_gpus.unwrap_or(1).max(1);
    let mean = row.boxes_last_batch.map(|boxes| {
        let rest = row.train_images.map_or(0, |images| images % batch.max(1));
        let last = if rest == 0 { batch } else { rest };
        f64::from(boxes) / f64::from(last.div_ceil(count).max(1))
    });
    Some(Setup {
        images: row.train_images,
        device: Device::Cards { count, name: row.gpu },
        amp: !row.amp.is_some_and(|amp| amp.eq_ignore_ascii_case("false")),
        optimizer: row.optimizer,
        classes: row.nc,
        boxes: Boxes { most: row.max_boxes_per_image, mean },
        // What was trained elsewhere was trained with some version, told or not.
        ultralytics: Some(row.ultralytics.unwrap_or_default()),
        torch: row.torch,
        ..Setup::new(&row.model, imgsz, batch)
    })
}
