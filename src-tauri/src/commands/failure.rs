//! Why a run failed, and what is sent to whoever is to help.

use std::path::PathBuf;

use preflight_core::diagnosis::RunDiagnosis;
use preflight_core::problem::Problem;
use preflight_engine::report::PageForm;
use preflight_engine::runs::{self, Bundle};
use tauri::{AppHandle, Runtime, State};

use super::dialog;
use crate::shell::Shell;

commands! {
    /// Why a run failed; `null`: it did not.
    blocking fn diagnose_run(engine, id: String) -> Option<RunDiagnosis> { runs::diagnose(engine, &id) }

    /// What a bundle about a failed run would hold.
    blocking fn bundle(engine, id: String) -> Bundle { runs::bundle(engine, &id) }

    /// A message to whoever can mend it.
    blocking fn letter(engine, id: String) -> String { runs::letter(engine, &id) }
}

/// Asks where to and writes the bundle; answers the file, `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_bundle<R: Runtime>(
    app: AppHandle<R>,
    shell: State<'_, Shell>,
    id: String,
) -> Result<Option<PathBuf>, Problem> {
    let kind = ("window-dialog-bundles", &["zip"][..]);
    let path = dialog::new_file(&app, "window-dialog-save-bundle", kind, &format!("{id}.zip")).await;
    let Some(path) = path else { return Ok(None) };
    shell.blocking(move |engine| runs::save_bundle(engine, &id, &path).map(|()| Some(path))).await
}

/// Asks where to and writes the report about a failed run; answers the file, `null`: none was chosen.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_failure_report<R: Runtime>(
    app: AppHandle<R>,
    shell: State<'_, Shell>,
    id: String,
    form: PageForm,
) -> Result<Option<PathBuf>, Problem> {
    let kind = ("window-dialog-reports", &[form.ending()][..]);
    let name = format!("{id}.{}", form.ending());
    let path = dialog::new_file(&app, "window-dialog-save-report", kind, &name).await;
    let Some(path) = path else { return Ok(None) };
    shell.blocking(move |engine| runs::save_report(engine, &id, form, &path).map(|()| Some(path))).await
}
