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

commands! {
    /// What came out of a run, so far.
    blocking fn run_results(engine, id: String) -> Results { results::of(engine, &id) }

    /// Looks for objects in images, and in the images of folders, one after the other, until all are done or another
    /// call takes over. The model is loaded first where it is not there.
    async fn try_model(engine, id: String, paths: Vec<PathBuf>, on_update: Channel<TrialUpdate>) -> () {
        results::try_model(engine, &id, paths, |update| on_update.send(update).is_ok()).await
    }

    /// Keeps an image that was pasted, as base64, until the trial is closed; answers its file.
    blocking fn keep_pasted(engine, image: String) -> PathBuf { results::keep_pasted(engine, &image) }

    /// Ends the model that is being tried, and forgets what was pasted.
    async fn close_trial(engine) -> () {
        results::close_trial(engine).await;
        Ok(())
    }

    /// What exporting a run's model needs that its environment lacks.
    async fn export_needs(engine, id: String) -> Needs { results::needs(engine, &id).await }

    /// Adds what exporting needs to the app's own environment. It is cancelled as the making of one is.
    async fn add_export_packages(engine, on_progress: Channel<EnvironmentProgress>) -> () {
        results::add_packages(engine, super::environment::heard_by(on_progress)).await
    }

    /// Exports a run's model to ONNX and compares both.
    async fn export_model(engine, id: String, on_progress: Channel<ExportProgress>) -> Export {
        // A page that is gone needs no progress.
        let progress = Arc::new(move |progress| drop(on_progress.send(progress)));
        results::export_one(engine, &id, progress).await
    }

    /// Ends the export that is under way.
    now fn cancel_export(engine) -> () { results::cancel_export(engine) }
}

/// Asks for images to try a model on; empty: none were chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_trial_images<R: Runtime>(app: AppHandle<R>) -> Result<Vec<PathBuf>, Problem> {
    Ok(dialog::files(&app, "window-dialog-images", IMAGES).await)
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
