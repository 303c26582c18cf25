//! The sample dataset: drawn metal plates with scratches, dents and holes.
//!
//! A bare machine has something to train on, and every machine has the same: nothing here depends on the platform,
//! the language or the time.

mod draw;
mod random;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use image::codecs::jpeg::JpegEncoder;
use preflight_core::dataset::SplitKind;
use preflight_core::finding::Severity;
use preflight_core::plan::{Model, Plan, Scalar, Training, Weights};
use preflight_core::problem::Problem;
use preflight_core::text::{Language, Texts};
use rayon::prelude::*;
use tokio_util::sync::CancellationToken;

use crate::Engine;
use draw::{Defect, HEIGHT, Picture, WIDTH};
use random::Random;

/// Images to learn from, and to validate with.
const COUNTS: [(SplitKind, u32); 2] = [(SplitKind::Train, 48), (SplitKind::Val, 12)];
/// Every so many plates there is one without a defect: a background, with an empty label file.
const CLEAN_EVERY: u32 = 16;
const JPEG_QUALITY: u8 = 92;

/// Draws the sample dataset into a folder that is empty or not there yet; answers its `data.yaml`.
/// Every byte is the same each time.
///
/// # Errors
/// `sample.folder-not-empty`, `file.unwritable`.
pub fn write(folder: &Path) -> Result<PathBuf, Problem> {
    let unwritable =
        |path: &Path, error: std::io::Error| Problem::new("file.unwritable").with("path", path).because(&error);
    let folder = std::path::absolute(folder).map_err(|error| unwritable(folder, error))?;
    std::fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
    let mut entries = std::fs::read_dir(&folder).map_err(|error| unwritable(&folder, error))?;
    if entries.next().is_some() {
        return Err(Problem::new("sample.folder-not-empty").with("path", folder.as_path()));
    }
    let put = |name: PathBuf, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(|error| unwritable(&path, error))
    };
    let mut plates = Vec::new();
    for (kind, count) in COUNTS {
        let (images, labels) = (Path::new("images").join(kind.name()), Path::new("labels").join(kind.name()));
        for made in [&images, &labels] {
            let made = folder.join(made);
            std::fs::create_dir_all(&made).map_err(|error| unwritable(&made, error))?;
        }
        plates.extend((0..count).map(|_| (images.clone(), labels.clone())));
    }
    (1..).zip(plates).par_bridge().try_for_each(|(number, (images, labels))| {
        let (picture, text) = plate(number)?;
        put(images.join(format!("plate_{number:03}.jpg")), &picture)?;
        put(labels.join(format!("plate_{number:03}.txt")), text.as_bytes())
    })?;
    let readme: Vec<_> = Language::ALL.map(|language| Texts::new(language).get("sample-readme")).into();
    put("README.txt".into(), format!("{}\n", readme.join("\n\n")).as_bytes())?;
    // Last, so that a dataset that was not drawn to the end does not look like one that was.
    put("data.yaml".into(), declaration().as_bytes())?;
    Ok(folder.join("data.yaml"))
}

/// The sample dataset in the app's own folder: drawn, unless it is there already; answers its `data.yaml`.
///
/// # Errors
/// `file.unwritable`.
pub async fn own(engine: &Engine) -> Result<PathBuf, Problem> {
    let folder = engine.dirs().sample();
    let yaml = folder.join("data.yaml");
    if let Ok(dataset) = engine.dataset(&yaml, Arc::new(|_, _| {}), CancellationToken::new()).await
        && !dataset.splits.is_empty()
        && dataset.findings.iter().all(|finding| finding.severity != Severity::Blocker)
    {
        return Ok(yaml);
    }
    let draw = move || {
        // Our own folder, half written or damaged: everything in it can be drawn again.
        match std::fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Problem::new("file.unwritable").with("path", folder.as_path()).because(&error))
            }
            _ => write(&folder),
        }
    };
    crate::work::blocking(draw).await
}

fn declaration() -> String {
    let mut text = String::from("train: images/train\nval: images/val\n\nnames:\n");
    for (id, name) in Defect::NAMES.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {id}: {name}");
    }
    text
}

/// A plate's JPEG and its label file.
fn plate(number: u32) -> Result<(Vec<u8>, String), Problem> {
    let seed = u64::from(number) << 32;
    let mut picture = Picture::plate(seed);
    let mut text = String::new();
    if !number.is_multiple_of(CLEAN_EVERY) {
        let mut random = Random::new(!seed);
        // The first of a kind in turn, so that all occur about as often; one to three more of any.
        let more = 1 + random.below(3);
        for index in 0..=more {
            let turn = if index == 0 { number } else { random.below(Defect::ALL.len() as u64) as u32 };
            let defect = Defect::ALL[turn as usize % Defect::ALL.len()];
            if let Some(found) = picture.add(defect) {
                let _ = writeln!(text, "{} {:.6} {:.6} {:.6} {:.6}", found.class, found.x, found.y, found.w, found.h);
            }
        }
    }
    let mut bytes = Vec::new();
    let (width, height) = (u32::try_from(WIDTH).unwrap_or(0), u32::try_from(HEIGHT).unwrap_or(0));
    JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY)
        .encode(&picture.rgb(), width, height, image::ExtendedColorType::Rgb8)
        .map_err(|error| Problem::new("internal.task").because(&error))?;
    Ok((bytes, text))
}

/// A plan that learns the sample dataset within minutes on two CPU cores.
#[must_use]
pub fn plan(yaml: &Path) -> Plan {
    let plan = Plan::default();
    let extra = [
        // With so few images, as many steps as can be had: one per batch, at a steady rate, from undistorted pictures.
        ("nbs", Scalar::Integer(8)),
        ("optimizer", Scalar::Text("AdamW".to_owned())),
        ("lr0", Scalar::Float(0.002)),
        ("warmup_epochs", Scalar::Float(1.0)),
        ("mosaic", Scalar::Float(0.0)),
    ];
    Plan {
        dataset: yaml.to_owned(),
        model: Model { weights: Weights::Scratch, ..plan.model },
        training: Training {
            imgsz: 160,
            batch: 8,
            epochs: 60,
            extra: extra.map(|(name, value)| (name.to_owned(), value)).into(),
            ..plan.training
        },
        ..plan
    }
}
