//! A dataset as it is shown.

use std::path::Path;
use std::sync::Arc;

use preflight_core::dataset::{Dataset, LabelBox, SplitKind};
use preflight_core::problem::Problem;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::{OnProgress, Preview};
use crate::Engine;
use crate::work::blocking;

/// Images that come with an inspection.
const FIRST: u32 = 24;
/// Images that one call may ask for.
const MOST: u32 = 200;

/// A dataset, with the first images of its first split.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct DatasetView {
    /// What was read.
    pub dataset: Dataset,
    /// Some images.
    pub previews: Vec<PreviewImage>,
}

/// An image of a dataset.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct PreviewImage {
    /// Its id, for [`crate::images::Images`].
    pub image: String,
    /// Its file name.
    pub name: String,
    /// Pixels; 0: it cannot be read.
    pub width: u32,
    /// Pixels; 0: it cannot be read.
    pub height: u32,
    /// Its boxes.
    pub boxes: Vec<LabelBox>,
}

/// Reads and judges the dataset that a person chose, and remembers that they did. An inspection that is under way is
/// cancelled: a person looks at one at a time.
///
/// # Errors
/// Those of [`Engine::dataset`], `file.unwritable`.
pub async fn inspect(engine: &Engine, path: &Path, progress: OnProgress) -> Result<DatasetView, Problem> {
    let dataset = engine.dataset(path, progress, engine.inspection().replace()).await?;
    engine.named().remember(&dataset.findings);
    engine.remember_dataset(path)?;
    let previews = match dataset.splits.first().map(|split| split.kind) {
        Some(split) => look(engine, Arc::clone(&dataset), split, 0, FIRST).await?,
        None => Vec::new(),
    };
    Ok(DatasetView { dataset: Arc::unwrap_or_clone(dataset), previews })
}

/// Some images of a split, in the trainer's order.
///
/// # Errors
/// Those of [`Engine::dataset`], `dataset.no-split`.
pub async fn gallery(
    engine: &Engine,
    path: &Path,
    split: SplitKind,
    offset: u32,
    count: u32,
) -> Result<Vec<PreviewImage>, Problem> {
    let dataset = engine.dataset(path, Arc::new(|_, _| {}), CancellationToken::new()).await?;
    look(engine, dataset, split, offset, count.min(MOST)).await
}

async fn look(
    engine: &Engine,
    dataset: Arc<Dataset>,
    split: SplitKind,
    offset: u32,
    count: u32,
) -> Result<Vec<PreviewImage>, Problem> {
    let found = blocking(move || super::previews(&dataset, split, offset, count)).await?;
    let view = |Preview { path, size: (width, height), boxes }| PreviewImage {
        image: engine.images().id(&path),
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        width,
        height,
        boxes,
    };
    Ok(found.into_iter().map(view).collect())
}
