//! New datasets: out of archives, from other tools' forms, and mended.

use std::path::PathBuf;

use preflight_core::dataset::Task;
use preflight_core::problem::Problem;
use preflight_engine::dataset::making::{
    self, ConversionView, CopyPlan, FileDiff, FixChoice, FixPlan, Found, UnpackedView,
};
use tauri::{AppHandle, Runtime};

use super::dataset::{Progress, to};
use super::dialog;

/// Asks for a folder to put something into; `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_target_folder<R: Runtime>(app: AppHandle<R>) -> Result<Option<PathBuf>, Problem> {
    Ok(dialog::folder(&app, "window-dialog-target-folder").await)
}

commands! {
    /// What is at a path: a dataset, or something one can be made of.
    async fn what_is(_, path: PathBuf) -> Found { making::what_is(path).await }

    /// Unpacks an archive into a new folder.
    async fn unpack_dataset(engine, path: PathBuf, folder: PathBuf, on_progress: Progress) -> UnpackedView {
        making::unpack(engine, path, folder, to(on_progress)).await
    }

    /// Says what annotations of another tool would become.
    async fn prepare_conversion(engine, path: PathBuf, task: Task, on_progress: Progress) -> ConversionView {
        making::prepare_conversion(engine, path, task, to(on_progress)).await
    }

    /// Writes the prepared conversion; answers its `data.yaml`.
    async fn convert_dataset(engine, folder: PathBuf, on_progress: Progress) -> PathBuf {
        making::convert(engine, folder, to(on_progress)).await
    }

    /// Says what mending would do.
    async fn plan_fix(engine, path: PathBuf, choice: FixChoice, on_progress: Progress) -> FixPlan {
        making::plan_fix(engine, &path, choice, to(on_progress)).await
    }

    /// Further files that the proposed mending would change.
    async fn fix_diff(engine, offset: u32, count: u32) -> Vec<FileDiff> {
        making::fix_diff(engine, offset, count).await
    }

    /// Says what copying a dataset as it is would take.
    async fn plan_copy(engine, path: PathBuf, on_progress: Progress) -> CopyPlan {
        making::plan_copy(engine, &path, to(on_progress)).await
    }

    /// Copies a dataset as it is; answers the `data.yaml` of the copy.
    async fn copy_dataset(engine, path: PathBuf, folder: PathBuf, on_progress: Progress) -> PathBuf {
        making::copy(engine, &path, folder, to(on_progress)).await
    }

    /// Writes the mended copy; answers its `data.yaml`.
    async fn write_fix(engine, folder: PathBuf, on_progress: Progress) -> PathBuf {
        making::write_fix(engine, folder, to(on_progress)).await
    }
}
