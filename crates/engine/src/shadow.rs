//! The shadow tree: what the trainer sees instead of a person's dataset.
//!
//! The trainer writes caches beside the labels and re-saves some JPEGs in place. So it gets real folders with a
//! link per file, and real copies of the files it would rewrite.

use std::path::{Path, PathBuf};

use preflight_core::dataset::Dataset;
use preflight_core::problem::Problem;

/// What a shadow tree is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shadow {
    /// The `data.yaml` the trainer is given.
    pub yaml: PathBuf,
    /// Files linked.
    pub linked: u32,
    /// Files copied.
    pub copied: u32,
    /// Bytes copied.
    pub copied_bytes: u64,
}

/// Makes the shadow tree of a dataset in an empty folder.
///
/// # Errors
/// `file.unwritable`, `dataset.unreadable`.
pub fn build(_dataset: &Dataset, _folder: &Path) -> Result<Shadow, Problem> {
    Err(Problem::new("file.unwritable"))
}
