//! Plans: the unfinished one, those in files, and what they are made of.

use std::path::PathBuf;

use preflight_core::models::ModelCard;
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_engine::draft::{self, Draft};
use preflight_engine::plans;
use preflight_engine::runs::{self, TrainingCommand};
use tauri::{AppHandle, Runtime, State};

use super::dialog;
use crate::shell::Shell;

const PLANS: dialog::Kind<'static> = ("window-dialog-plans", &["toml"]);

commands! {
    /// The unfinished wizard; `null`: there is none. One that cannot be read is kept aside as `draft.toml.broken`, and
    /// said.
    blocking fn draft(engine) -> Option<Draft> { draft::read(engine.dirs()) }

    /// Keeps the unfinished wizard; `null` forgets it.
    blocking fn save_draft(engine, draft: Option<Draft>) -> () { draft::write(engine.dirs(), draft.as_ref()) }

    /// A plan with every value at its default, and no dataset.
    now fn new_plan(_) -> Plan { Plan::default() }

    /// The plan as its file would say it.
    async fn plan_toml(_, plan: Plan) -> String { plan.to_toml() }

    /// What the plan would start.
    async fn plan_command(engine, plan: Plan) -> TrainingCommand { Ok(runs::command(engine, &plan).await) }

    /// The models there are to choose.
    now fn models(_) -> Vec<ModelCard> { preflight_core::models::ALL.clone() }
}

/// Asks for a plan file and reads it; `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_plan<R: Runtime>(app: AppHandle<R>, shell: State<'_, Shell>) -> Result<Option<Plan>, Problem> {
    match dialog::file(&app, "window-dialog-open-plan", PLANS).await {
        Some(path) => shell.blocking(move |_| plans::read(&path).map(Some)).await,
        None => Ok(None),
    }
}

/// Asks where to and writes the plan; answers the file, `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_plan<R: Runtime>(
    app: AppHandle<R>,
    shell: State<'_, Shell>,
    plan: Plan,
) -> Result<Option<PathBuf>, Problem> {
    match dialog::new_file(&app, "window-dialog-save-plan", PLANS, "plan.toml").await {
        Some(path) => shell.blocking(move |_| plans::write(&path, &plan).map(|()| Some(path))).await,
        None => Ok(None),
    }
}

/// Asks for a `.pt` file; `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_weights<R: Runtime>(app: AppHandle<R>) -> Result<Option<PathBuf>, Problem> {
    Ok(dialog::file(&app, "window-dialog-weights", ("window-dialog-weights-files", &["pt"])).await)
}
