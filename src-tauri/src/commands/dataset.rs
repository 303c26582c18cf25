//! Datasets: choosing, reading, looking.

use std::path::PathBuf;
use std::sync::Arc;

use preflight_core::dataset::SplitKind;
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_engine::dataset::{self, DatasetView, PreviewImage};
use preflight_engine::sample;
use serde::Serialize;
use specta::Type;
use tauri::ipc::Channel;
use tauri::{AppHandle, Runtime, State};

use super::dialog;
use crate::shell::Shell;

/// How far reading a dataset is.
#[derive(Debug, Clone, Copy, Serialize, Type)]
pub(crate) struct InspectionProgress {
    /// Files read.
    pub(crate) done: u32,
    /// Files in all; 0: not known yet.
    pub(crate) total: u32,
}

/// The path that was typed, as the system knows it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn typed_path(path: PathBuf) -> Result<PathBuf, Problem> {
    Ok(preflight_engine::paths::expanded(&path))
}

/// Asks for a folder; `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_dataset_folder<R: Runtime>(app: AppHandle<R>) -> Result<Option<PathBuf>, Problem> {
    Ok(dialog::folder(&app, "window-dialog-dataset-folder").await)
}

/// Asks for a `data.yaml`; `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_dataset_file<R: Runtime>(app: AppHandle<R>) -> Result<Option<PathBuf>, Problem> {
    Ok(dialog::file(&app, "window-dialog-dataset-file", ("window-dialog-dataset-files", &["yaml", "yml"])).await)
}

/// Reads and judges a dataset. An inspection that is under way is cancelled: the window shows one at a time.
#[tauri::command]
#[specta::specta]
pub(crate) async fn inspect_dataset(
    shell: State<'_, Shell>,
    path: PathBuf,
    on_progress: Channel<InspectionProgress>,
) -> Result<DatasetView, Problem> {
    let progress = Arc::new(move |done, total| {
        // A page that is gone needs no progress.
        let _ = on_progress.send(InspectionProgress { done, total });
    });
    dataset::inspect(&shell.engine, &path, progress).await
}

/// Ends the inspection that is under way.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_inspection(shell: State<'_, Shell>) -> Result<(), Problem> {
    shell.engine.cancel_inspection();
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
    dataset::gallery(&shell.engine, &path, split, offset, count).await
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
