//! New datasets made for the window: out of archives, from other tools' forms, and mended.
//!
//! What is made appears whole: it is written beside its place and then put there, so that what was cancelled leaves
//! nothing behind.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use preflight_core::dataset::{SplitKind, Task};
use preflight_core::finding::Finding;
use preflight_core::problem::Problem;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::convert::{self, Form, Prepared};
use super::fix::{self, Planned, Tiling};
use super::{OnProgress, archive};
use crate::Engine;
use crate::work::{UnderWay, blocking, lock};

mod copying;

pub use copying::{CopyPlan, copy, plan_copy};

/// What was prepared and waits for a person to say yes.
#[derive(Debug, Default)]
pub(crate) struct Proposed {
    conversion: Mutex<Option<Arc<Prepared>>>,
    fix: Mutex<Option<Arc<Planned>>>,
}

/// What is at a path that a person chose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Found {
    /// Something to be read as it is, if it is a dataset at all.
    Dataset,
    /// A zip archive.
    Archive {
        /// Its size in bytes.
        bytes: u64,
        /// Where it would be unpacked to.
        to: PathBuf,
    },
    /// Annotations of another tool.
    Foreign {
        /// Whose.
        form: Form,
        /// Where it would be converted to.
        to: PathBuf,
    },
}

/// Says what is at a path: a dataset, or something one can be made of.
///
/// # Errors
/// `internal.task`.
pub async fn what_is(path: PathBuf) -> Result<Found, Problem> {
    blocking(move || {
        if path.is_file() && archive::is_zip(&path) {
            let bytes = std::fs::metadata(&path).map_or(0, |found| found.len());
            return Ok(Found::Archive { bytes, to: free(&path, "") });
        }
        let form = match path.is_file() {
            true if is_annotation(&path) => convert::recognise(&path),
            true => None,
            false => convert::glance(&path),
        };
        let folder = if path.is_file() { path.parent().unwrap_or(&path) } else { &path };
        Ok(form.map_or(Found::Dataset, |form| Found::Foreign { form, to: free(folder, "-yolo") }))
    })
    .await
}

fn is_annotation(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["json", "xml"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// A folder beside this path whose name is free.
fn free(path: &Path, suffix: &str) -> PathBuf {
    let stem = if path.is_dir() { path.file_name() } else { path.file_stem() };
    let stem = format!("{}{suffix}", stem.unwrap_or_default().to_string_lossy());
    let names = std::iter::once(stem.clone()).chain((2..).map(|number| format!("{stem}-{number}")));
    names.map(|name| path.with_file_name(name)).find(|free| !free.exists()).unwrap_or_default()
}

/// What came out of an archive.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct UnpackedView {
    /// The folder to read.
    pub folder: PathBuf,
    /// Entries that were left out.
    pub findings: Vec<Finding>,
}

/// Unpacks an archive into a new folder.
///
/// # Errors
/// `dataset.busy`, and those of [`archive::unpack`].
pub async fn unpack(
    engine: &Engine,
    path: PathBuf,
    to: PathBuf,
    progress: OnProgress,
) -> Result<UnpackedView, Problem> {
    let (cancel, _under_way) = begin(engine)?;
    blocking(move || {
        let bounds = archive::Bounds::default();
        let (unpacked, place) = put(&to, |new| archive::unpack(&path, new, bounds, &*progress, &cancel))?;
        Ok(UnpackedView { folder: place.of(&unpacked.folder), findings: unpacked.findings })
    })
    .await
}

/// What a conversion would make, or made.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct ConversionView {
    /// Whose annotations they are.
    pub form: Form,
    /// Images in each split.
    pub splits: Vec<(SplitKind, u32)>,
    /// Objects in them.
    pub objects: u32,
    /// Class names by id.
    pub names: Vec<String>,
    /// Images that no split lists; they are kept apart.
    pub unlisted: u32,
    /// What cannot be converted, or not as it is.
    pub findings: Vec<Finding>,
}

/// Reads annotations of another tool and says what they would become.
///
/// # Errors
/// `dataset.busy`, and those of [`convert::prepare`].
pub async fn prepare_conversion(
    engine: &Engine,
    path: PathBuf,
    task: Task,
    progress: OnProgress,
) -> Result<ConversionView, Problem> {
    let (cancel, _under_way) = begin(engine)?;
    let prepared = blocking(move || convert::prepare(&path, task, &*progress, &cancel)).await?;
    engine.named().remember(&prepared.findings);
    let view = ConversionView {
        form: prepared.form,
        splits: prepared.splits.clone(),
        objects: prepared.objects,
        names: prepared.names.clone(),
        unlisted: prepared.unlisted,
        findings: prepared.findings.clone(),
    };
    *lock(&engine.proposed().conversion) = Some(Arc::new(prepared));
    Ok(view)
}

/// Writes what [`prepare_conversion`] read into a new folder; answers its `data.yaml`.
///
/// # Errors
/// `dataset.busy`, `dataset.nothing-proposed`, and those of [`Prepared::write`].
pub async fn convert(engine: &Engine, to: PathBuf, progress: OnProgress) -> Result<PathBuf, Problem> {
    let (cancel, _under_way) = begin(engine)?;
    let prepared = lock(&engine.proposed().conversion).clone().ok_or_else(nothing_proposed)?;
    let yaml = blocking(move || {
        let (made, place) = put(&to, |new| prepared.write(new, &*progress, &cancel))?;
        Ok(place.of(&made.yaml))
    })
    .await?;
    *lock(&engine.proposed().conversion) = None;
    Ok(yaml)
}

/// What a person wants to have mended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct FixChoice {
    /// Mend label files.
    pub labels: bool,
    /// Leave out images that the trainer refuses.
    pub leave_out: bool,
    /// Percent of the training images to keep for validation where there are none; 0: none.
    pub val_percent: u32,
    /// The same seed chooses the same images.
    pub seed: u32,
    /// Cut larger images into tiles of this side in pixels.
    pub tile: Option<u32>,
}

/// How far neighbouring tiles overlap: objects up to a fifth of a tile are whole on one of them. The usual value
/// (SAHI's `overlap_height_ratio`).
const OVERLAP: f64 = 0.2;

impl FixChoice {
    fn wanted(self) -> fix::Wanted {
        fix::Wanted {
            val_share: f64::from(self.val_percent.min(90)) / 100.0,
            seed: u64::from(self.seed),
            tiling: self.tile.map(|side| Tiling { side: side.clamp(64, 8192), overlap: OVERLAP }),
            labels: self.labels,
            leave_out: self.leave_out,
        }
    }
}

/// What mending would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct FixPlan {
    /// Label files that would change.
    pub files: u32,
    /// Rows that would change, by what is done to them.
    pub rows: Vec<(String, u32)>,
    /// Images that would be left out.
    pub left_out: Vec<PathBuf>,
    /// How many these are; the list may be shorter.
    pub left_out_count: u32,
    /// Images that would go from training to validation.
    pub to_val: u32,
    /// Images that would be cut.
    pub cut: u32,
    /// The tiles they become.
    pub tiles: u32,
    /// Images that would be in the new dataset.
    pub images: u32,
    /// The first files that would change.
    pub diff: Vec<FileDiff>,
    /// Where the mended copy would be written to.
    pub to: PathBuf,
}

/// A label file before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct FileDiff {
    /// The file.
    pub label: PathBuf,
    /// Its first rows that would change.
    pub rows: Vec<RowDiff>,
    /// Further rows of it.
    pub more: u32,
}

/// A row before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct RowDiff {
    /// Counted from 1; 0: the whole file.
    pub line: u32,
    /// As it is.
    pub before: String,
    /// As it would be; `None`: it would be gone.
    pub after: Option<String>,
    /// What would be done: a name of [`preflight_core::dataset::mend::Why`].
    pub why: String,
}

/// Files of a difference that one call may ask for, and rows of each that are shown.
const MOST_FILES: u32 = 50;
const MOST_ROWS: usize = 20;
/// Images left out that are named.
const MOST_NAMED: usize = 50;
/// The image size for which the second look is made when only its look-alikes matter.
const ANY_IMGSZ: u32 = 640;

/// Says what mending would do.
///
/// # Errors
/// Those of [`Engine::dataset`] and [`fix::plan`], `dataset.busy`.
pub async fn plan_fix(
    engine: &Engine,
    path: &Path,
    choice: FixChoice,
    progress: OnProgress,
) -> Result<FixPlan, Problem> {
    let (cancel, _under_way) = begin(engine)?;
    let snapshot = super::browse::current(engine, path).await?;
    let needs_split = snapshot.dataset.split(SplitKind::Val).is_none_or(|split| split.images + split.corrupt == 0);
    let known = super::closely::fresh(engine, path, &snapshot);
    let examined = match known {
        // What looks the same has to stay together; without a split to make, nobody asks.
        None if needs_split && choice.val_percent > 0 => {
            Some(super::closely::look(engine, path, ANY_IMGSZ, Arc::clone(&progress), cancel.clone()).await?)
        }
        known => known,
    };
    let planned = blocking(move || {
        let alike = examined.as_ref().map_or(&[][..], |examined| &examined.health.alike);
        fix::plan(&snapshot.dataset, choice.wanted(), alike, &*progress, &cancel)
    })
    .await?;
    engine.named().remember_files(planned.files.iter().take(MOST_FILES as usize).map(|file| file.label.clone()));
    let view = plan_view(&planned, path);
    *lock(&engine.proposed().fix) = Some(Arc::new(planned));
    Ok(view)
}

fn plan_view(planned: &Planned, path: &Path) -> FixPlan {
    let mut rows: Vec<(String, u32)> = Vec::new();
    for change in planned.files.iter().flat_map(|file| &file.changes) {
        match rows.iter_mut().find(|(why, _)| why == change.why.name()) {
            Some((_, count)) => *count += 1,
            None => rows.push((change.why.name().to_owned(), 1)),
        }
    }
    let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    FixPlan {
        files: count(planned.files.len()),
        rows,
        left_out: planned.left_out.iter().take(MOST_NAMED).cloned().collect(),
        left_out_count: count(planned.left_out.len()),
        to_val: planned.to_val,
        cut: planned.tiled.0,
        tiles: planned.tiled.1,
        images: planned.kept + planned.tiled.1,
        diff: diff(planned, 0, MOST_FILES),
        to: free(if path.is_file() { path.parent().unwrap_or(path) } else { path }, "-fixed"),
    }
}

fn diff(planned: &Planned, offset: u32, count: u32) -> Vec<FileDiff> {
    let files = planned.files.iter().skip(offset as usize).take(count.min(MOST_FILES) as usize);
    let row = |change: &preflight_core::dataset::mend::Change| RowDiff {
        line: change.line,
        before: change.before.clone(),
        after: change.after.clone(),
        why: change.why.name().to_owned(),
    };
    let view = |file: &fix::FileChanges| FileDiff {
        label: file.label.clone(),
        rows: file.changes.iter().take(MOST_ROWS).map(row).collect(),
        more: u32::try_from(file.changes.len().saturating_sub(MOST_ROWS)).unwrap_or(u32::MAX),
    };
    files.map(view).collect()
}

/// Further files that the proposed mending would change.
///
/// # Errors
/// `dataset.nothing-proposed`.
pub async fn fix_diff(engine: &Engine, offset: u32, count: u32) -> Result<Vec<FileDiff>, Problem> {
    let planned = lock(&engine.proposed().fix).clone().ok_or_else(nothing_proposed)?;
    Ok(diff(&planned, offset, count))
}

/// Writes what [`plan_fix`] proposed into a new folder; answers its `data.yaml`.
///
/// # Errors
/// `dataset.busy`, `dataset.nothing-proposed`, and those of [`Planned::write`].
pub async fn write_fix(engine: &Engine, to: PathBuf, progress: OnProgress) -> Result<PathBuf, Problem> {
    let (cancel, _under_way) = begin(engine)?;
    let planned = lock(&engine.proposed().fix).clone().ok_or_else(nothing_proposed)?;
    let yaml = blocking(move || {
        let (made, place) = put(&to, |new| planned.write(new, &*progress, &cancel))?;
        Ok(place.of(&made.yaml))
    })
    .await?;
    *lock(&engine.proposed().fix) = None;
    Ok(yaml)
}

fn begin(engine: &Engine) -> Result<(CancellationToken, UnderWay<'_>), Problem> {
    engine.making().begin().ok_or_else(|| Problem::new("dataset.busy"))
}

fn nothing_proposed() -> Problem {
    Problem::new("dataset.nothing-proposed")
}

/// Where something was made, and where it is now.
struct Put {
    made: PathBuf,
    now: PathBuf,
}

impl Put {
    fn of(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.made) {
            // Joined with nothing, it would end in a slash, which is another text to whoever compares.
            Ok(inside) if inside.as_os_str().is_empty() => self.now.clone(),
            Ok(inside) => self.now.join(inside),
            Err(_) => path.to_owned(),
        }
    }
}

/// Makes something beside a place and puts it there once it is whole.
fn put<T>(to: &Path, make: impl FnOnce(&Path) -> Result<T, Problem>) -> Result<(T, Put), Problem> {
    let unwritable = |error: &std::io::Error| Problem::new("file.unwritable").with("path", to).because(error);
    let to = std::path::absolute(to).map_err(|error| unwritable(&error))?;
    if std::fs::read_dir(&to).is_ok_and(|mut entries| entries.next().is_some()) || to.is_file() {
        return Err(Problem::new("dataset.folder-not-empty").with("path", to.as_path()));
    }
    let beside = to.parent().unwrap_or(&to);
    std::fs::create_dir_all(beside).map_err(|error| unwritable(&error))?;
    let temporary =
        tempfile::Builder::new().prefix(".preflight-").tempdir_in(beside).map_err(|error| unwritable(&error))?;
    let made = temporary.path().join("new");
    let answer = make(&made)?;
    // Only ever an empty one.
    let _ = std::fs::remove_dir(&to);
    std::fs::rename(&made, &to).map_err(|error| unwritable(&error))?;
    Ok((answer, Put { made, now: to }))
}
