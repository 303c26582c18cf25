//! Exporting a trained model to ONNX, and comparing what comes out with the weights on real images.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use preflight_core::dataset::{Dataset, SplitKind};
use preflight_core::problem::Problem;
use preflight_core::results::{Agreement, FoundBox, Pair, compare};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::script::{Script, relative};
use crate::Engine;
use crate::environment::{self, Cost};
use crate::preflight::now_ms;
use crate::runs::{self, Run};

/// Validation images that both forms are shown.
const COMPARED: usize = 16;
/// Where exported models land in a run's folder.
const FOLDER: &str = "export";
const MODEL: &str = "best.onnx";
const RECORD: &str = "best.json";

/// Called as an export goes on.
pub type OnExport = Arc<dyn Fn(ExportProgress) + Send + Sync>;

/// How far an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum ExportProgress {
    /// The libraries are loaded.
    Loading,
    /// The model is being converted.
    Converting,
    /// Both forms look at validation images.
    Comparing {
        /// Images done.
        done: u32,
        /// Images in all.
        total: u32,
    },
}

/// An exported model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Export {
    /// The file.
    #[serde(default)]
    pub path: PathBuf,
    /// Its size in bytes.
    #[serde(default)]
    pub bytes: u64,
    /// When it was made, in milliseconds since 1970 UTC.
    pub made_ms: u64,
    /// Width and height of the images that it takes, in pixels.
    pub imgsz: u32,
    /// How well it agrees with the weights; `None`: the validation images are not there any more, or the model finds
    /// nothing in them.
    pub agreement: Option<Agreement>,
}

/// What exporting needs that the run's environment lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Needs {
    /// Packages that are missing; none: it can begin.
    pub packages: Vec<String>,
    /// Whether the environment is the app's own, so that they can be added.
    pub managed: bool,
    /// Bytes that come down.
    pub download: u64,
    /// Bytes on disk afterwards.
    pub disk: u64,
    /// The environment's Python.
    pub python: PathBuf,
}

impl Needs {
    /// Why it cannot begin; `None`: it can.
    #[must_use]
    pub fn problem(&self) -> Option<Problem> {
        let code = if self.managed { "results.packages-missing" } else { "results.packages-missing-elsewhere" };
        let problem = Problem::new(code).with("packages", self.packages.join(", ")).with("python", &*self.python);
        (!self.packages.is_empty()).then(|| problem.with("names", self.packages.join(" ")))
    }
}

/// What exporting a run's model needs that its environment lacks. Looks at the environment's folders only.
///
/// # Errors
/// Those of [`runs::open`], `results.no-environment`.
pub async fn needs(engine: &Engine, id: &str) -> Result<Needs, Problem> {
    let run = runs::open(engine, id)?;
    let python = run.record.environment.python.clone();
    if !python.is_file() {
        return Err(Problem::new("results.no-environment").with("path", &*python));
    }
    let packages = environment::missing(engine.dirs(), &python, &environment::ONNX).await?;
    let Cost { download, disk } = environment::ONNX_COST;
    Ok(Needs { packages, managed: environment::python::is_managed(engine.dirs(), &python), download, disk, python })
}

/// A line of the script's.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Said {
    Missing { packages: Vec<String> },
    Converting,
    Comparing { done: u32, total: u32 },
    Pair { weights: Vec<FoundBox>, exported: Vec<FoundBox>, most: usize },
    Exported { file: PathBuf },
}

/// Exports a run's best weights to ONNX, on the processor, and compares both on validation images. What was exported
/// before is replaced once the new one is whole.
///
/// # Errors
/// Those of [`runs::open`], `results.no-weights`, `results.no-environment`, `results.packages-missing`,
/// `results.packages-missing-elsewhere`, `results.model-failed`, `results.cancelled`, `file.unwritable`.
pub async fn export(
    engine: &Engine,
    id: &str,
    progress: OnExport,
    cancel: CancellationToken,
) -> Result<Export, Problem> {
    let run = runs::open(engine, id)?;
    let work = async {
        let needs = needs(engine, id).await?;
        if let Some(problem) = needs.problem() {
            return Err(problem);
        }
        progress(ExportProgress::Loading);
        into(engine, &run, &needs, &progress).await
    };
    cancel.run_until_cancelled(work).await.unwrap_or_else(|| Err(Problem::new("results.cancelled")))
}

/// As [`export`], one at a time, until [`cancel_export`] is called.
///
/// # Errors
/// Those of [`export`], `results.busy`.
pub async fn export_one(engine: &Engine, id: &str, progress: OnExport) -> Result<Export, Problem> {
    let (cancel, _under_way) = engine.exporting().begin().ok_or_else(|| Problem::new("results.busy"))?;
    export(engine, id, progress, cancel).await
}

/// Ends the export that is under way.
pub fn cancel_export(engine: &Engine) {
    engine.exporting().cancel();
}

/// Adds what exporting needs to the app's own environment. It is cancelled as the making of one is.
///
/// # Errors
/// Those of [`environment::add_onnx`].
pub async fn add_packages(engine: &Engine, progress: environment::OnProgress) -> Result<(), Problem> {
    let (cancel, _under_way) = engine.creation().begin().ok_or_else(|| Problem::new("environment.busy"))?;
    environment::add_onnx(engine.dirs(), &engine.settings(), progress, cancel).await
}

async fn into(engine: &Engine, run: &Run, needs: &Needs, progress: &OnExport) -> Result<Export, Problem> {
    let weights = super::model(run)?;
    let folder = run.folder.join(FOLDER);
    let unwritable =
        |error: &dyn std::error::Error| Problem::new("file.unwritable").with("path", folder.as_path()).because(error);
    std::fs::create_dir_all(&folder).map_err(|error| unwritable(&error))?;
    // The trainer writes beside the weights; what is half done must not be taken for done. It goes when dropped.
    let partial =
        tempfile::Builder::new().prefix(".partial-").tempdir_in(&folder).map_err(|error| unwritable(&error))?;
    let here = partial.path().join("best.pt");
    crate::shadow::link_or_copy(&weights.path, &here).map_err(|error| unwritable(&error))?;
    let imgsz = super::image_size(run);
    let dataset = run.folder.clone();
    let images = tokio::task::spawn_blocking(move || validation_images(&dataset)).await.unwrap_or_default();
    let asked = json!({
        "do": "export",
        "weights": relative(&here, run),
        "imgsz": imgsz,
        "images": images,
    });
    let mut script = Script::start(engine, run, &asked).await?;
    let mut pairs = Vec::new();
    let made = loop {
        match script.hear().await? {
            Said::Missing { packages } => {
                let needs = Needs { packages, ..needs.clone() };
                return Err(needs.problem().unwrap_or_else(|| Problem::new("results.model-failed")));
            }
            Said::Converting => progress(ExportProgress::Converting),
            Said::Comparing { done, total } => progress(ExportProgress::Comparing { done, total }),
            Said::Pair { weights, exported, most } => pairs.push(Pair { weights, exported, most }),
            Said::Exported { file } => break file,
        }
    };
    let agreement = Some(compare(&pairs)).filter(|agreement| agreement.boxes > 0);
    let path = folder.join(MODEL);
    let bytes = made.metadata().map_err(|error| unwritable(&error))?.len();
    let export = Export { path: path.clone(), bytes, made_ms: now_ms(), imgsz, agreement };
    let record = serde_json::to_vec_pretty(&export).map_err(|error| unwritable(&error))?;
    std::fs::rename(&made, &path).map_err(|error| unwritable(&error))?;
    crate::write::atomically(&folder.join(RECORD), &record)?;
    Ok(export)
}

/// Some of a run's validation images that are still there, spread over all of them.
fn validation_images(run: &Path) -> Vec<PathBuf> {
    let dataset = std::fs::read(run.join("dataset.json")).ok();
    let Some(dataset) = dataset.and_then(|text| serde_json::from_slice::<Dataset>(&text).ok()) else {
        return Vec::new();
    };
    let images = crate::dataset::images(&dataset, SplitKind::Val);
    let step = images.len().div_ceil(COMPARED).max(1);
    // What no text can name cannot be handed over.
    let images = images.into_iter().step_by(step).map(|files| files.image);
    images.filter(|image| image.is_file() && image.to_str().is_some()).collect()
}

/// What was exported of a run.
pub(super) fn of(run: &Path) -> Option<Export> {
    let folder = run.join(FOLDER);
    let path = folder.join(MODEL);
    let bytes = path.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    let export: Export = serde_json::from_slice(&std::fs::read(folder.join(RECORD)).ok()?).ok()?;
    Some(Export { path, bytes, ..export })
}

/// Copies an exported model elsewhere; into a folder under the run's name. Answers the file.
///
/// # Errors
/// Those of [`runs::open`], `results.no-export`, `file.unwritable`.
pub fn save(engine: &Engine, id: &str, to: &Path) -> Result<PathBuf, Problem> {
    let run = runs::open(engine, id)?;
    let export = of(&run.folder).ok_or_else(|| Problem::new("results.no-export").with("id", id))?;
    let to = if to.is_dir() { to.join(format!("{id}.onnx")) } else { to.to_owned() };
    let unwritable = |error: std::io::Error| Problem::new("file.unwritable").with("path", to.as_path()).because(&error);
    let to = std::path::absolute(&to).map_err(unwritable)?;
    let copy = || -> std::io::Result<()> {
        let folder = to.parent().unwrap_or(&to);
        let mut beside = tempfile::NamedTempFile::new_in(folder)?;
        std::io::copy(&mut std::fs::File::open(&export.path)?, &mut beside)?;
        readable(beside.as_file())?;
        beside.persist(&to)?;
        Ok(())
    };
    copy().map_err(unwritable)?;
    Ok(to)
}

/// A temporary file is its owner's only; a model is passed on.
#[cfg(unix)]
fn readable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_file: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}
