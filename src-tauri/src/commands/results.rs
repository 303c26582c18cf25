//! What comes out of a run: results, trying the model, exporting it.

use std::path::PathBuf;
use std::sync::Arc;

use preflight_core::environment::EnvironmentProgress;
use preflight_core::problem::Problem;
use preflight_engine::results::{self, Export, ExportProgress, Needs, Results, TrialUpdate};
use tauri::ipc::Channel;
use tauri::{AppHandle, Runtime, State};

use super::dialog;
use crate::shell::Shell;

/// Images in the file dialog; any file can be dropped.
const IMAGES: dialog::Kind<'_> = ("window-dialog-images-files", &["jpg", "jpeg", "png", "bmp", "webp", "tif", "tiff"]);

/// What came out of a run, so far.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_results(shell: State<'_, Shell>, id: String) -> Result<Results, Problem> {
    shell.blocking(move |engine| results::of(engine, &id)).await
}

/// Asks for images to try a model on; empty: none were chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_trial_images<R: Runtime>(app: AppHandle<R>) -> Result<Vec<PathBuf>, Problem> {
    Ok(dialog::files(&app, "window-dialog-images", IMAGES).await)
}

/// Looks for objects in images, and in the images of folders, one after the other, until all are done or another call
/// takes over. The model is loaded first where it is not there.
#[tauri::command]
#[specta::specta]
pub(crate) async fn try_model(
    shell: State<'_, Shell>,
    id: String,
    paths: Vec<PathBuf>,
    on_update: Channel<TrialUpdate>,
) -> Result<(), Problem> {
    results::try_model(&shell.engine, &id, paths, |update| on_update.send(update).is_ok()).await
}

/// Keeps an image that was pasted, as base64, until the trial is closed; answers its file.
#[tauri::command]
#[specta::specta]
pub(crate) async fn keep_pasted(shell: State<'_, Shell>, image: String) -> Result<PathBuf, Problem> {
    shell.blocking(move |engine| results::keep_pasted(engine, &image)).await
}

/// Ends the model that is being tried, and forgets what was pasted.
#[tauri::command]
#[specta::specta]
pub(crate) async fn close_trial(shell: State<'_, Shell>) -> Result<(), Problem> {
    results::close_trial(&shell.engine).await;
    Ok(())
}

/// What exporting a run's model needs that its environment lacks.
#[tauri::command]
#[specta::specta]
pub(crate) async fn export_needs(shell: State<'_, Shell>, id: String) -> Result<Needs, Problem> {
    results::needs(&shell.engine, &id).await
}

/// Adds what exporting needs to the app's own environment. It is cancelled as the making of one is.
#[tauri::command]
#[specta::specta]
pub(crate) async fn add_export_packages(
    shell: State<'_, Shell>,
    on_progress: Channel<EnvironmentProgress>,
) -> Result<(), Problem> {
    // A page that is gone needs no progress.
    let progress = Arc::new(move |progress| drop(on_progress.send(progress)));
    results::add_packages(&shell.engine, progress).await
}

/// Exports a run's model to ONNX and compares both.
#[tauri::command]
#[specta::specta]
pub(crate) async fn export_model(
    shell: State<'_, Shell>,
    id: String,
    on_progress: Channel<ExportProgress>,
) -> Result<Export, Problem> {
    // A page that is gone needs no progress.
    let progress = Arc::new(move |progress| drop(on_progress.send(progress)));
    results::export_one(&shell.engine, &id, progress).await
}

/// Ends the export that is under way.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_export(shell: State<'_, Shell>) -> Result<(), Problem> {
    results::cancel_export(&shell.engine);
    Ok(())
}

/// Asks where to and copies the exported model there; answers the file, `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_export<R: Runtime>(
    app: AppHandle<R>,
    shell: State<'_, Shell>,
    id: String,
) -> Result<Option<PathBuf>, Problem> {
    let kind = ("window-dialog-exports", &["onnx"][..]);
    let Some(path) = dialog::new_file(&app, "window-dialog-save-export", kind, &format!("{id}.onnx")).await else {
        return Ok(None);
    };
    shell.blocking(move |engine| results::save(engine, &id, &path).map(Some)).await
}
