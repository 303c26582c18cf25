//! How the program ends. Closing the window never ends a run: runs are supervised by processes of their own.

use std::io::Write;
use std::process::ExitCode;

use preflight_core::problem::Problem;
use preflight_core::text::Texts;
use preflight_engine::dataset::DatasetWork;
use preflight_engine::settings::system_language;
use tauri::{AppHandle, Manager, RunEvent, Runtime};
use tauri_plugin_dialog::{DialogExt, MessageDialogKind};

use crate::shell::Shell;
use crate::window;

/// Leaving ends what belongs to the window: an environment being made, a dataset being read.
pub(crate) fn on_event<R: Runtime>(app: &AppHandle<R>, event: RunEvent) {
    let RunEvent::ExitRequested { api, .. } = event else { return };
    let shell = app.state::<Shell>();
    shell.watchers.stop_all();
    shell.engine.cancel_dataset_work(DatasetWork::Inspection);
    if shell.engine.is_busy() {
        api.prevent_exit();
        let app = app.clone();
        tauri::async_runtime::spawn(async move {
            app.state::<Shell>().engine.wind_down().await;
            // Not `exit`, which would ask again.
            app.cleanup_before_exit();
            leave();
        });
    }
}

#[expect(clippy::exit, reason = "the event loop was told to wait and has nothing left to do")]
fn leave() {
    std::process::exit(0);
}

/// Says why no window opens: in the terminal, and in a dialog where there is a desktop.
pub(crate) fn refuse(problem: &Problem) -> ExitCode {
    let texts = Texts::new(system_language());
    let help = texts.render(&problem.help().id, &problem.args);
    let parts = std::iter::once(problem.message().render(&texts)).chain(problem.causes.iter().cloned()).chain(help);
    let text = parts.collect::<Vec<_>>().join("\n\n");
    let _ = writeln!(std::io::stderr(), "{text}");
    if window::has_desktop() {
        let shown = tauri::Builder::default()
            .plugin(tauri_plugin_dialog::init())
            .setup(move |app| {
                let leave = app.handle().clone();
                let dialog = app.dialog().message(text).title("YOLO Preflight").kind(MessageDialogKind::Error);
                dialog.show(move |_| leave.exit(0));
                Ok(())
            })
            .build(crate::context());
        if let Ok(app) = shown {
            app.run(|_, _| {});
        }
    }
    ExitCode::from(2)
}

/// The answer of a command in the terminal.
pub(crate) fn say(text: &str) {
    // A closed pipe is the reader's choice.
    let _ = writeln!(std::io::stdout(), "{text}");
}
