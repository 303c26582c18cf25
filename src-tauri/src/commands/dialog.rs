//! The system's file dialogs. The web view itself has no right to open any.

use std::path::PathBuf;

use preflight_core::text::Texts;
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tokio::sync::oneshot;

use crate::shell::Shell;
use crate::window;

/// A dialog with this title (a sentence id), over the window.
pub(crate) fn titled<R: Runtime>(app: &AppHandle<R>, title: &str) -> FileDialogBuilder<R> {
    let dialog = app.dialog().file().set_title(texts(app).get(title));
    match app.get_webview_window(window::LABEL) {
        Some(window) => dialog.set_parent(&window),
        None => dialog,
    }
}

/// The sentences in the language the app speaks.
pub(crate) fn texts<R: Runtime>(app: &AppHandle<R>) -> Texts {
    Texts::new(app.state::<Shell>().engine.settings().effective_language())
}

/// Waits for an answer; `None`: the dialog was closed without one.
pub(crate) async fn ask(open: impl FnOnce(Answer)) -> Option<PathBuf> {
    let (tell, told) = oneshot::channel();
    open(Box::new(move |path| {
        // Nobody waits any more when the window is gone.
        let _ = tell.send(path);
    }));
    told.await.ok().flatten()?.into_path().ok()
}

/// What a dialog calls with what was chosen.
pub(crate) type Answer = Box<dyn FnOnce(Option<FilePath>) + Send + 'static>;
