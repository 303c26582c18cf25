//! Datasets: choosing, reading, looking.

use std::path::PathBuf;
use std::sync::Arc;

use preflight_core::dataset::{Dataset, LabelBox, SplitKind};
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_engine::sample;
use serde::Serialize;
use specta::Type;
use tauri::ipc::Channel;
use tauri::{AppHandle, Runtime, State};
use tokio_util::sync::CancellationToken;

use super::dialog;
use crate::shell::{Shell, blocking};

/// Images that come with an inspection.
const FIRST_PREVIEWS: u32 = 24;
/// Images that one call may ask for.
const MOST_PREVIEWS: u32 = 200;

/// How far reading a dataset is.
#[derive(Debug, Clone, Copy, Serialize, Type)]
pub(crate) struct InspectionProgress {
    /// Files read.
    pub(crate) done: u32,
    /// Files in all; 0: not known yet.
    pub(crate) total: u32,
}

/// A dataset, with the first images of its first split.
#[derive(Debug, Clone, Serialize, Type)]
pub(crate) struct DatasetView {
    /// What was read.
    pub(crate) dataset: Dataset,
    /// Some images.
    pub(crate) previews: Vec<PreviewImage>,
}

/// An image of a dataset.
#[derive(Debug, Clone, Serialize, Type)]
pub(crate) struct PreviewImage {
    /// Its id: `preview://localhost/<id>?side=256`.
    pub(crate) image: String,
    /// Its file name.
    pub(crate) name: String,
    /// Pixels.
    pub(crate) width: u32,
    /// Pixels.
    pub(crate) height: u32,
    /// Its boxes.
    pub(crate) boxes: Vec<LabelBox>,
}

/// Asks for a folder; `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_dataset_folder<R: Runtime>(app: AppHandle<R>) -> Result<Option<PathBuf>, Problem> {
    let title = dialog::titled(&app, "window-dialog-dataset-folder");
    Ok(dialog::ask(|answer| title.pick_folder(answer)).await)
}

/// Asks for a `data.yaml`; `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_dataset_file<R: Runtime>(app: AppHandle<R>) -> Result<Option<PathBuf>, Problem> {
    let title = dialog::titled(&app, "window-dialog-dataset-file");
    let filter = dialog::texts(&app).get("window-dialog-dataset-files");
    Ok(dialog::ask(|answer| title.add_filter(filter, &["yaml", "yml"]).pick_file(answer)).await)
}

/// Reads and judges a dataset. An inspection that is under way is cancelled: the window shows one at a time.
#[tauri::command]
#[specta::specta]
pub(crate) async fn inspect_dataset(
    shell: State<'_, Shell>,
    path: PathBuf,
    on_progress: Channel<InspectionProgress>,
) -> Result<DatasetView, Problem> {
    let cancel = shell.inspection.replace();
    let progress = Arc::new(move |done, total| {
        // A page that is gone needs no progress.
        let _ = on_progress.send(InspectionProgress { done, total });
    });
    let dataset = shell.engine.dataset(&path, progress, cancel).await?;
    shell.remember(&dataset.findings);
    shell.engine.remember_dataset(&path)?;
    let previews = match dataset.splits.first().map(|split| split.kind) {
        Some(split) => look(&shell, Arc::clone(&dataset), split, 0, FIRST_PREVIEWS).await?,
        None => Vec::new(),
    };
    Ok(DatasetView { dataset: Arc::unwrap_or_clone(dataset), previews })
}

/// Ends the inspection that is under way.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_inspection(shell: State<'_, Shell>) -> Result<(), Problem> {
    shell.inspection.cancel();
    Ok(())
}

/// Some images of a split, in the trainer's order.
#[tauri::command]
#[specta::specta]
pub(crate) async fn previews(
    shell: State<'_, Shell>,
    path: PathBuf,
    split: SplitKind,
    offset: u32,
    count: u32,
) -> Result<Vec<PreviewImage>, Problem> {
    let dataset = shell.engine.dataset(&path, Arc::new(|_, _| {}), CancellationToken::new()).await?;
    look(&shell, dataset, split, offset, count.min(MOST_PREVIEWS)).await
}

/// Draws the sample dataset, unless it is there already; answers its `data.yaml`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn create_sample(shell: State<'_, Shell>) -> Result<PathBuf, Problem> {
    sample::own(&shell.engine).await
}

/// A plan that trains on the sample dataset within minutes, without a GPU.
#[tauri::command]
#[specta::specta]
pub(crate) async fn sample_plan(path: PathBuf) -> Result<Plan, Problem> {
    Ok(sample::plan(&path))
}

async fn look(
    shell: &Shell,
    dataset: Arc<Dataset>,
    split: SplitKind,
    offset: u32,
    count: u32,
) -> Result<Vec<PreviewImage>, Problem> {
    let found = blocking(move || preflight_engine::dataset::previews(&dataset, split, offset, count)).await??;
    let view = |preview: preflight_engine::dataset::Preview| PreviewImage {
        image: shell.images.id(&preview.path),
        name: preview.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        width: preview.size.0,
        height: preview.size.1,
        boxes: preview.boxes,
    };
    Ok(found.into_iter().map(view).collect())
}
