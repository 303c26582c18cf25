//! Datasets: choosing, reading, looking.

use std::path::PathBuf;
use std::sync::Arc;

use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_engine::dataset::closely::{self, HealthView, ReportForm};
use preflight_engine::dataset::{self, DatasetView, DatasetWork, Filter, GalleryImage, ImageView, Matches, OnProgress};
use preflight_engine::sample;
use serde::Serialize;
use specta::Type;
use tauri::ipc::Channel;
use tauri::{AppHandle, Runtime, State};

use super::dialog;
use crate::shell::Shell;

/// How far work on a dataset is.
#[derive(Debug, Clone, Copy, Serialize, Type)]
pub(crate) struct InspectionProgress {
    /// Files done.
    pub(crate) done: u32,
    /// Files in all; 0: not known yet.
    pub(crate) total: u32,
}

/// To a page, how far work is.
pub(super) type Progress = Channel<InspectionProgress>;

/// Tells a page how far work is; one that is gone needs no progress.
pub(super) fn to(channel: Progress) -> OnProgress {
    Arc::new(move |done, total| drop(channel.send(InspectionProgress { done, total })))
}

commands! {
    /// The path that was typed, as the system knows it.
    now fn typed_path(_, path: PathBuf) -> PathBuf { preflight_engine::paths::expanded(&path) }

    /// Reads and judges a dataset. An inspection that is under way is cancelled: the window shows one at a time.
    async fn inspect_dataset(engine, path: PathBuf, on_progress: Progress) -> DatasetView {
        dataset::inspect(engine, &path, to(on_progress)).await
    }

    /// Ends work on a dataset that is under way.
    now fn cancel_dataset_work(engine, work: DatasetWork) -> () { engine.cancel_dataset_work(work) }

    /// Counts the images that a filter lets through.
    async fn matching_images(engine, path: PathBuf, filter: Filter) -> Matches {
        dataset::matches(engine, &path, filter).await
    }

    /// Some of the images that a filter lets through, in the trainer's order.
    async fn dataset_images(engine, path: PathBuf, filter: Filter, offset: u32, count: u32) -> Vec<GalleryImage> {
        dataset::page(engine, &path, filter, offset, count).await
    }

    /// An image of a dataset with everything known of it, by its file or its label file.
    async fn dataset_picture(engine, path: PathBuf, file: PathBuf) -> Option<ImageView> {
        dataset::picture(engine, &path, file).await
    }

    /// Says which images are looked at now: what waits for any other is given up.
    now fn look_at_only(engine, images: Vec<String>) -> () { engine.images().look_at_only(&images) }

    /// Looks at every file of a dataset; small boxes are judged for this image size.
    async fn examine_dataset(engine, path: PathBuf, imgsz: u32, on_progress: Progress) -> HealthView {
        closely::examine(engine, &path, imgsz, to(on_progress)).await
    }

    /// Draws the sample dataset, unless it is there already; answers its `data.yaml`.
    async fn create_sample(engine) -> PathBuf { sample::own(engine).await }

    /// A plan that trains on the sample dataset within minutes, without a GPU.
    now fn sample_plan(_, path: PathBuf) -> Plan { sample::plan(&path) }
}

/// Asks for a folder; `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_dataset_folder<R: Runtime>(app: AppHandle<R>) -> Result<Option<PathBuf>, Problem> {
    Ok(dialog::folder(&app, "window-dialog-dataset-folder").await)
}

/// Asks for a `data.yaml`, an archive or an annotation file; `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_dataset_file<R: Runtime>(app: AppHandle<R>) -> Result<Option<PathBuf>, Problem> {
    let kind = ("window-dialog-dataset-files", &["yaml", "yml", "zip", "json", "xml"][..]);
    Ok(dialog::file(&app, "window-dialog-dataset-file", kind).await)
}

/// Asks where to and writes what is known of a dataset; answers the file.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_report<R: Runtime>(
    app: AppHandle<R>,
    shell: State<'_, Shell>,
    path: PathBuf,
    form: ReportForm,
) -> Result<Option<PathBuf>, Problem> {
    let kind = ("window-dialog-reports", &[form.ending()][..]);
    let name = format!("dataset-report.{}", form.ending());
    let Some(to) = dialog::new_file(&app, "window-dialog-save-report", kind, &name).await else { return Ok(None) };
    closely::save_report(&shell.engine, &path, to.clone(), form).await.map(|()| Some(to))
}
