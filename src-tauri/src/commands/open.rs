//! Opening things outside the window: only what the backend itself named.

use std::path::PathBuf;
use std::sync::Arc;

use preflight_core::problem::Problem;
use preflight_engine::{desktop, runs};
use tauri::State;

use crate::shell::{Shell, blocking};

/// Pages that the window links to, besides the sources of the models' figures.
const PAGES: &[&str] = &["https://www.ultralytics.com/license", "https://docs.ultralytics.com/datasets/detect/"];

/// Shows a run's folder in the file manager.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_folder(shell: State<'_, Shell>, id: String) -> Result<(), Problem> {
    let engine = Arc::clone(&shell.engine);
    blocking(move || {
        let run = runs::open(&engine, &id)?;
        desktop::open(&run.progress.folder.unwrap_or(run.folder))
    })
    .await?
}

/// Opens a file that a finding named as evidence, or one in the app's own folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_file(shell: State<'_, Shell>, path: PathBuf) -> Result<(), Problem> {
    let named = shell.named(&path);
    let home = shell.engine.dirs().root().to_owned();
    blocking(move || {
        let own = || Some(path.canonicalize().ok()?.starts_with(home.canonicalize().ok()?));
        if !named && own() != Some(true) {
            return Err(Problem::new("open.refused").with("target", path.as_path()));
        }
        desktop::open(&path)
    })
    .await?
}

/// Opens one of the pages the window links to.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_url(url: String) -> Result<(), Problem> {
    let known = PAGES.contains(&url.as_str()) || preflight_core::models::ALL.iter().any(|model| model.source == url);
    if !known {
        return Err(Problem::new("open.refused").with("target", url));
    }
    blocking(move || desktop::browse(&url)).await?
}
