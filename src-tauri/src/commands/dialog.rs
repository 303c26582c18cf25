//! The system's file dialogs. The web view itself has no right to open any. Titles are sentence ids; `None`: the
//! dialog was closed without an answer.

use std::path::PathBuf;

use preflight_core::text::Texts;
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tokio::sync::oneshot;

use crate::shell::Shell;
use crate::window;

/// What files are called (a sentence id), and how their names end.
pub(crate) type Kind<'a> = (&'a str, &'a [&'a str]);

/// Asks for a folder.
pub(crate) async fn folder<R: Runtime>(app: &AppHandle<R>, title: &str) -> Option<PathBuf> {
    let dialog = titled(app, title);
    ask(|answer| dialog.pick_folder(answer)).await
}

/// Asks for a file that is there.
pub(crate) async fn file<R: Runtime>(app: &AppHandle<R>, title: &str, (name, ends): Kind<'_>) -> Option<PathBuf> {
    let dialog = titled(app, title).add_filter(texts(app).get(name), ends);
    ask(|answer| dialog.pick_file(answer)).await
}

/// Asks for files that are there; none: the dialog was closed without an answer.
pub(crate) async fn files<R: Runtime>(app: &AppHandle<R>, title: &str, (name, ends): Kind<'_>) -> Vec<PathBuf> {
    let dialog = titled(app, title).add_filter(texts(app).get(name), ends);
    let (tell, told) = oneshot::channel();
    dialog.pick_files(move |paths| {
        // Nobody waits any more when the window is gone.
        let _ = tell.send(paths);
    });
    let paths = told.await.ok().flatten().unwrap_or_default();
    paths.into_iter().filter_map(|path| path.into_path().ok()).collect()
}

/// Asks where to write a file.
pub(crate) async fn new_file<R: Runtime>(
    app: &AppHandle<R>,
    title: &str,
    (name, ends): Kind<'_>,
    proposed: &str,
) -> Option<PathBuf> {
    let dialog = titled(app, title).set_file_name(proposed).add_filter(texts(app).get(name), ends);
    ask(|answer| dialog.save_file(answer)).await
}

/// A dialog over the window.
fn titled<R: Runtime>(app: &AppHandle<R>, title: &str) -> FileDialogBuilder<R> {
    let dialog = app.dialog().file().set_title(texts(app).get(title));
    match app.get_webview_window(window::LABEL) {
        Some(window) => dialog.set_parent(&window),
        None => dialog,
    }
}

/// The sentences in the language the app speaks.
fn texts<R: Runtime>(app: &AppHandle<R>) -> Texts {
    Texts::new(app.state::<Shell>().engine.settings().effective_language())
}

async fn ask(open: impl FnOnce(Answer)) -> Option<PathBuf> {
    let (tell, told) = oneshot::channel();
    open(Box::new(move |path| {
        // Nobody waits any more when the window is gone.
        let _ = tell.send(path);
    }));
    told.await.ok().flatten()?.into_path().ok()
}

/// What a dialog calls with what was chosen.
type Answer = Box<dyn FnOnce(Option<FilePath>) + Send + 'static>;
