//! A dataset as it is shown.

use std::path::Path;
use std::sync::Arc;

use preflight_core::dataset::Dataset;
use preflight_core::problem::Problem;
use serde::Serialize;

use super::OnProgress;
use super::closely::HealthView;
use crate::Engine;

/// A dataset that a person chose.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct DatasetView {
    /// What was read.
    pub dataset: Dataset,
    /// What a second look found, where one was made and nothing changed since.
    pub health: Option<HealthView>,
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
    let health = super::closely::health(engine, path).await?;
    Ok(DatasetView { dataset: Arc::unwrap_or_clone(dataset), health })
}
