//! Plans: the unfinished one, those in files, and what they are made of.

use std::path::PathBuf;
use std::sync::Arc;

use preflight_core::models::ModelCard;
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_engine::draft::{self, Draft};
use preflight_engine::{plans, write};
use tauri::{AppHandle, Runtime, State};

use super::dialog;
use crate::shell::{Shell, blocking};

/// The unfinished wizard; `null`: there is none. One that cannot be read is kept aside as `draft.toml.broken`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn draft(shell: State<'_, Shell>) -> Result<Option<Draft>, Problem> {
    let engine = Arc::clone(&shell.engine);
    blocking(move || draft::read(engine.dirs())).await
}

/// Keeps the unfinished wizard; `null` forgets it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_draft(shell: State<'_, Shell>, draft: Option<Draft>) -> Result<(), Problem> {
    let engine = Arc::clone(&shell.engine);
    blocking(move || draft::write(engine.dirs(), draft.as_ref())).await?
}

/// Asks for a plan file and reads it; `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_plan<R: Runtime>(app: AppHandle<R>) -> Result<Option<Plan>, Problem> {
    let title = dialog::titled(&app, "window-dialog-open-plan");
    let filter = dialog::texts(&app).get("window-dialog-plans");
    let Some(path) = dialog::ask(|answer| title.add_filter(filter, &["toml"]).pick_file(answer)).await else {
        return Ok(None);
    };
    blocking(move || plans::read(&path).map(Some)).await?
}

/// Asks where to and writes the plan; answers the file, `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_plan<R: Runtime>(app: AppHandle<R>, plan: Plan) -> Result<Option<PathBuf>, Problem> {
    let text = plan.to_toml()?;
    let title = dialog::titled(&app, "window-dialog-save-plan").set_file_name("plan.toml");
    let filter = dialog::texts(&app).get("window-dialog-plans");
    let Some(path) = dialog::ask(|answer| title.add_filter(filter, &["toml"]).save_file(answer)).await else {
        return Ok(None);
    };
    blocking(move || write::atomically(&path, text.as_bytes()).map(|()| Some(path))).await?
}

/// A plan with every value at its default, and no dataset.
#[tauri::command]
#[specta::specta]
pub(crate) async fn new_plan() -> Result<Plan, Problem> {
    Ok(Plan::default())
}

/// The plan as its file would say it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn plan_toml(plan: Plan) -> Result<String, Problem> {
    plan.to_toml()
}

/// The models there are to choose.
#[tauri::command]
#[specta::specta]
pub(crate) async fn models() -> Result<Vec<ModelCard>, Problem> {
    Ok(preflight_core::models::ALL.clone())
}

/// Asks for a `.pt` file; `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_weights<R: Runtime>(app: AppHandle<R>) -> Result<Option<PathBuf>, Problem> {
    let title = dialog::titled(&app, "window-dialog-weights");
    let filter = dialog::texts(&app).get("window-dialog-weights-files");
    Ok(dialog::ask(|answer| title.add_filter(filter, &["pt"]).pick_file(answer)).await)
}
