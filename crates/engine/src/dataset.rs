//! Reading datasets from disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use preflight_core::dataset::{Dataset, LabelBox, SplitKind};
use preflight_core::problem::Problem;
use tokio_util::sync::CancellationToken;

/// Called now and then while reading, with files done and files in all (0: not known yet).
pub type OnProgress = Arc<dyn Fn(u32, u32) + Send + Sync>;

/// Datasets read lately.
#[derive(Debug, Default)]
pub struct Cache {}

impl Cache {
    /// Reads a dataset, or takes it from memory when nothing changed.
    ///
    /// # Errors
    /// As [`scan`].
    pub async fn get(
        &self,
        path: &Path,
        progress: OnProgress,
        cancel: CancellationToken,
    ) -> Result<Arc<Dataset>, Problem> {
        let path = path.to_owned();
        match tokio::task::spawn_blocking(move || scan(&path, &*progress, &cancel)).await {
            Ok(dataset) => dataset.map(Arc::new),
            Err(error) => Err(Problem::new("internal.task").because(&error)),
        }
    }
}

/// Reads and judges a dataset: a `data.yaml`, or a folder with `images/` and `labels/`.
///
/// # Errors
/// `dataset.not-found`, `dataset.unreadable`, `dataset.cancelled`; what is wrong *with* a dataset is in its findings.
pub fn scan(
    _path: &Path,
    _progress: &(dyn Fn(u32, u32) + Send + Sync),
    _cancel: &CancellationToken,
) -> Result<Dataset, Problem> {
    Err(Problem::new("dataset.not-found"))
}

/// An image with its boxes, for the gallery.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// The image.
    pub path: PathBuf,
    /// Width and height in pixels, as the trainer sees it.
    pub size: (u32, u32),
    /// Its boxes.
    pub boxes: Vec<LabelBox>,
}

/// Some images of a split, in the trainer's order.
///
/// # Errors
/// `dataset.unreadable`.
pub fn previews(_dataset: &Dataset, _split: SplitKind, _offset: u32, _count: u32) -> Result<Vec<Preview>, Problem> {
    Ok(Vec::new())
}

/// A PNG or JPEG no larger than `side` pixels, upright.
///
/// # Errors
/// `image.unreadable`.
pub fn thumbnail(_image: &Path, _side: u32) -> Result<Vec<u8>, Problem> {
    Err(Problem::new("image.unreadable"))
}
