//! Reading datasets from disk.
//!
//! Files are opened, their headers and labels read, and nothing is ever written: a person's dataset is theirs.

pub mod archive;
mod browse;
mod cache;
mod classify;
pub mod closely;
pub mod convert;
pub mod fix;
mod header;
pub mod health;
mod judge;
mod listing;
pub mod making;
pub mod manifest;
mod near;
mod opener;
mod orphans;
mod output;
#[cfg(any(test, feature = "testing"))]
pub mod parsers;
mod picture;
mod pictures;
mod places;
pub mod report;
mod scan;
mod told;
mod view;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use preflight_core::dataset::{Dataset, SplitKind, Task};
use preflight_core::problem::Problem;
use tokio_util::sync::CancellationToken;

pub use browse::{Filter, GalleryImage, Matches, matches, page};
pub use cache::Cache;
pub use picture::{ImageView, picture};
pub use pictures::{Preview, previews, thumbnail};
pub use view::{DatasetView, inspect};
pub use watch::{DatasetChange, watch};

pub(crate) use browse::Browsing;
pub(crate) use closely::LastLook;
pub(crate) use making::Proposed;

use listing::Listing;

/// Work on a dataset that can be ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum DatasetWork {
    /// Reading and judging.
    Inspection,
    /// The second look.
    Examination,
    /// Making a new one: unpacking, converting, mending. What was made is gone.
    Making,
}

/// Called now and then while reading, with files done and files in all (0: not known yet).
pub type OnProgress = Arc<dyn Fn(u32, u32) + Send + Sync>;

/// Reads and judges a dataset: a `data.yaml`, or a folder with `images/` and `labels/`.
///
/// # Errors
/// `dataset.not-found`, `dataset.unreadable`, `dataset.not-a-dataset`, `dataset.cancelled`; what is wrong *with* a
/// dataset is in its findings.
pub fn scan(
    path: &Path,
    progress: &(dyn Fn(u32, u32) + Send + Sync),
    cancel: &CancellationToken,
) -> Result<Dataset, Problem> {
    scan::read(path, None, scan::Before::Nothing, progress, cancel)
        .map_err(|unread| unread.problem)
        .map(|snapshot| Arc::unwrap_or_clone(snapshot.dataset))
}

/// Reads and judges a dataset for a task, as the trainer would before training such a model.
///
/// # Errors
/// As [`scan`].
pub fn scan_for(
    path: &Path,
    task: Task,
    progress: &(dyn Fn(u32, u32) + Send + Sync),
    cancel: &CancellationToken,
) -> Result<Dataset, Problem> {
    if task == Task::Classify {
        return classify::read(path, progress, cancel);
    }
    scan::read(path, Some(task), scan::Before::Nothing, progress, cancel)
        .map_err(|unread| unread.problem)
        .map(|snapshot| Arc::unwrap_or_clone(snapshot.dataset))
}

fn cancelled() -> Problem {
    Problem::new("dataset.cancelled")
}

/// An image and where its label file is, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageFiles {
    /// The image.
    pub image: PathBuf,
    /// Its label file, whether there is one or not.
    pub label: PathBuf,
}

/// The images of a split in the trainer's order. Looks at the disk: files may have come or gone since the scan.
#[must_use]
pub fn images(dataset: &Dataset, kind: SplitKind) -> Vec<ImageFiles> {
    let Some(split) = dataset.split(kind) else { return Vec::new() };
    let listing = Listing::of(split, &dataset.root);
    (0..listing.len()).map(|index| ImageFiles { image: listing.image(index), label: listing.label(index) }).collect()
}
