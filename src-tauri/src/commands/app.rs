//! The app itself and its settings.

use std::path::PathBuf;

use preflight_core::problem::Problem;
use preflight_core::text::Language;
use preflight_engine::settings::Settings;
use serde::Serialize;
use specta::Type;
use tauri::{AppHandle, Runtime, State};

use crate::shell::Shell;
use crate::window;

/// What the window is told about the app.
#[derive(Debug, Clone, Serialize, Type)]
pub(crate) struct AppInfo {
    /// Its version.
    pub(crate) version: String,
    /// The language it speaks: the one set, else the system's.
    pub(crate) language: Language,
    /// `linux`, `macos` or `windows`.
    pub(crate) platform: String,
    /// The folder that holds all of its files.
    pub(crate) home: PathBuf,
}

commands! {
    /// What the app is.
    async fn app_info(engine) -> AppInfo {
        Ok(AppInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            language: engine.settings().effective_language(),
            platform: std::env::consts::OS.to_owned(),
            home: engine.dirs().root().to_owned(),
        })
    }

    /// What a person set.
    now fn settings(engine) -> Settings { engine.settings() }
}

/// Stores other settings. The recent datasets and accepted Pythons are kept by the backend and stay as they are.
#[tauri::command]
#[specta::specta]
pub(crate) async fn change_settings<R: Runtime>(
    app: AppHandle<R>,
    shell: State<'_, Shell>,
    settings: Settings,
) -> Result<Settings, Problem> {
    let Settings { recent_datasets, accepted_pythons, .. } = shell.engine.settings();
    let settings = Settings { recent_datasets, accepted_pythons, ..settings };
    shell.engine.change_settings(settings.clone())?;
    window::follow(&app, &settings);
    Ok(settings)
}
