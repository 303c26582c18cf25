//! What comes out of a run: weights, figures, pictures; trying the model, and exporting it.
//!
//! Everything is found in the run's folder by name rather than by the paths that the trainer said, so that a home that
//! was moved keeps its results.

use std::path::{Path, PathBuf};

use preflight_core::problem::Problem;
use serde::Serialize;

use crate::Engine;
use crate::runs::{self, Run};

mod export;
mod pasted;
mod pictures;
mod script;
mod trial;
mod trials;

pub use export::{
    Export, ExportProgress, Needs, OnExport, add_packages, cancel_export, export, export_one, needs, save,
};
pub use pasted::keep_pasted;
pub use pictures::PictureKind;
pub use trial::{Chosen, OnProcessor, Prediction, Trial, chosen};
pub use trials::{TrialUpdate, Trials, close_trial, try_model};

/// What came out of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Results {
    /// Where the trainer wrote it.
    pub folder: PathBuf,
    /// Its weights, the best ones first.
    pub weights: Vec<WeightsFile>,
    /// Pictures that the trainer drew, the most telling first.
    pub pictures: Vec<PictureView>,
    /// The exported model.
    pub export: Option<Export>,
}

/// A picture that the trainer drew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct PictureView {
    /// Its id, for [`crate::images::Images`].
    pub image: String,
    /// Its file name.
    pub name: String,
    /// What it shows.
    pub kind: PictureKind,
    /// Of several of a kind, which.
    pub number: Option<u32>,
}

/// Which weights of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum WeightsKind {
    /// Those of the epoch that did best on the validation images.
    Best,
    /// Those of the last finished epoch.
    Last,
}

/// A file of weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct WeightsFile {
    /// Which.
    pub kind: WeightsKind,
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
}

/// What is there of a run's results; of a run that goes on, what there is so far. Blocks.
///
/// # Errors
/// Those of [`runs::open`].
pub fn of(engine: &Engine, id: &str) -> Result<Results, Problem> {
    let run = runs::open(engine, id)?;
    let folder = output(&run);
    let view = |picture: pictures::Picture| PictureView {
        image: engine.images().id(&picture.path),
        name: name(&picture.path),
        kind: picture.kind,
        number: picture.number,
    };
    let pictures = pictures::of(&folder).into_iter().map(view).collect();
    Ok(Results { weights: weights(&folder), pictures, export: export::of(&run.folder), folder })
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn output(run: &Run) -> PathBuf {
    run.folder.join(runs::OUTPUT)
}

fn weights(output: &Path) -> Vec<WeightsFile> {
    [(WeightsKind::Best, "best.pt"), (WeightsKind::Last, "last.pt")]
        .into_iter()
        .filter_map(|(kind, name)| {
            let path = output.join("weights").join(name);
            let bytes = path.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
            Some(WeightsFile { kind, path, bytes })
        })
        .collect()
}

/// The weights that a run is tried and exported by: the best ones, else the last ones.
///
/// # Errors
/// `results.no-weights`.
fn model(run: &Run) -> Result<WeightsFile, Problem> {
    let missing = || Problem::new("results.no-weights").with("path", output(run).join("weights").as_path());
    weights(&output(run)).into_iter().next().ok_or_else(missing)
}

/// The image size that a run was trained with.
fn image_size(run: &Run) -> u32 {
    if run.progress.imgsz > 0 { run.progress.imgsz } else { run.record.plan.training.imgsz }
}
