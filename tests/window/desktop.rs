//! What is done outside the page: in the system's own dialogs, and with things that are dragged from elsewhere.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::key::Key;
use preflight_core::plan::Plan;

use crate::app::{App, World};

const SOON: Duration = Duration::from_secs(30);

impl App {
    /// Presses keys and moves the pointer as `xdotool` is told. Answers whether it found what it looked for.
    pub(crate) fn xdotool(&self, arguments: &[&str]) -> bool {
        let mut command = Command::new("xdotool");
        command.args(arguments).env("DISPLAY", self.display()).stdout(Stdio::null());
        command.status().expect("xdotool, of the package of that name").success()
    }

    /// Answers the system's file dialog with this title. Without a window manager it has to be given the focus.
    pub(crate) async fn answer_dialog(&self, title: &str, path: &Path) {
        let title = format!("^{title}$");
        let dialog = ["search", "--onlyvisible", "--name", &title];
        let began = Instant::now();
        while !self.xdotool(&[&dialog[..], &["windowfocus", "--sync"]].concat()) {
            assert!(began.elapsed() < SOON, "no dialog {title}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // A field for the whole path, in either kind of dialog.
        for keys in [["key", "ctrl+l"], ["key", "ctrl+a"], ["type", path.to_str().unwrap()]] {
            assert!(self.xdotool(&keys));
        }
        // It has to look at the file before it can be opened.
        while self.xdotool(&dialog) {
            assert!(began.elapsed() < SOON, "the dialog {title} stays");
            self.xdotool(&["key", "Return"]);
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_saved_and_opened_again_through_the_systems_dialogs() {
    let app = World::default().open().await;
    app.press("use-sample").await;
    app.find_within("dataset-summary", Duration::from_secs(120)).await;
    app.press("step-batch").await;
    app.fill("epochs", "7").await;
    app.press("step-review").await;
    app.find("plan-toml").await;

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plates.toml");
    app.press("save-plan").await;
    app.answer_dialog("Save the plan", &file).await;
    app.until("it is said to be saved", "document.body.innerText.includes('plates.toml')", SOON).await;
    let saved = Plan::from_toml(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!((saved.training.epochs, saved.training.imgsz), (7, 160));

    app.press("step-batch").await;
    app.fill("epochs", "9").await;
    app.press("step-review").await;
    assert!(app.read("review-epochs").await.contains('9'));
    app.press("open-plan").await;
    app.answer_dialog("Open a plan", &file).await;
    let opened = "document.querySelector('[data-testid=\"review-epochs\"] .path').textContent === '7'";
    app.until("the plan is as it was saved", opened, SOON).await;
    app.shot("plan-opened").await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dataset_is_like_is_saved_through_the_systems_dialog() {
    let app = World::default().open().await;
    app.press("use-sample").await;
    app.find_within("dataset-summary", Duration::from_secs(120)).await;
    app.press("panel-health").await;
    app.press("look-closer").await;
    app.find_within("health", Duration::from_secs(120)).await;
    let folder = tempfile::tempdir().unwrap();
    for (form, beginning) in [("html", "<!doctype html>"), ("json", "{")] {
        let file = folder.path().join(format!("plates.{form}"));
        app.press(&format!("save-{form}")).await;
        app.answer_dialog("Save the report", &file).await;
        app.until("it is said to be saved", &format!("document.body.innerText.includes('plates.{form}')"), SOON).await;
        let saved = std::fs::read_to_string(&file).unwrap();
        assert!(saved.to_lowercase().starts_with(beginning), "{saved}");
        assert!(saved.contains("scratch"), "a class of the dataset: {saved}");
    }
    app.close().await;
}

/// What is dragged, for the helper below.
const DRAGGED: &str = "PREFLIGHT_TEST_DRAGGED";
/// Where the helper's window is: beside the app's, which is in the corner of the screen.
const SOURCE: (i32, i32) = (20, 860);

impl App {
    /// Drags a file or folder from another window onto this one, looks at it on the way, and lets go.
    async fn drop_in(&self, dragged: &Path) {
        self.find("drop-zone").await;
        let mut source = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "desktop::a_window_to_drag_from", "--ignored"])
            .env("DISPLAY", self.display())
            .env("GDK_BACKEND", "x11")
            .env(DRAGGED, dragged)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        assert!(self.xdotool(&["search", "--sync", "--onlyvisible", "--name", "^to drag from$"]));
        let (x, y) = (SOURCE.0 + 60, SOURCE.1 + 30);
        assert!(self.xdotool(&["mousemove", &x.to_string(), &y.to_string(), "mousedown", "1"]));
        // A drag begins once the pointer has moved some way, and is told to what lies below step by step.
        for step in 1..=10 {
            let (x, y) = (x + step * 30, y - step * 50);
            assert!(self.xdotool(&["mousemove", &x.to_string(), &y.to_string(), "sleep", "0.05"]));
        }
        let over = "document.querySelector('[data-testid=\"drop-zone\"]')?.classList.contains('over')";
        self.until("the window takes it", over, Duration::from_secs(20)).await;
        self.shot("drop-over").await;
        assert!(self.xdotool(&["mouseup", "1"]));
        self.until("it is let go", &format!("!({over})"), SOON).await;
        source.kill().unwrap();
        source.wait().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_dropped_on_the_window_is_read() {
    let folder = tempfile::Builder::new().prefix("drop of plates ").tempdir().unwrap();
    let plates = folder.path().join("plates");
    preflight_engine::sample::write(&plates).unwrap();
    let archive = folder.path().join("plates.zip");
    let mut writer = zip::ZipWriter::new(std::fs::File::create(&archive).unwrap());
    writer.start_file("data.yaml", zip::write::SimpleFileOptions::default()).unwrap();
    writer.write_all(b"train: images\nval: images\nnames: [scratch]\n").unwrap();
    writer.finish().unwrap();

    let app = World::default().open().await;
    app.drop_in(&archive).await;
    app.find("import-dialog").await;
    assert!(app.read("import-dialog").await.contains("plates.zip"));
    app.key(Key::Escape).await;
    app.until("no dialog is in the way", "document.querySelector('[role=dialog]') === null", SOON).await;
    app.drop_in(&plates).await;
    app.find_within("dataset-summary", Duration::from_secs(120)).await;
    assert_eq!(app.read("dataset-chosen").await, plates.to_str().unwrap());
    app.close().await;
}

/// A file manager in small: a window that a folder can be dragged from.
#[test]
#[ignore = "a helper that another test starts"]
fn a_window_to_drag_from() {
    use gtk::prelude::*;
    let dragged = std::path::PathBuf::from(std::env::var_os(DRAGGED).unwrap());
    gtk::init().unwrap();
    let window = gtk::Window::new(gtk::WindowType::Toplevel);
    window.set_title("to drag from");
    window.set_default_size(160, 60);
    let handle = gtk::EventBox::new();
    handle.add(&gtk::Label::new(Some("plates")));
    handle.drag_source_set(gdk::ModifierType::BUTTON1_MASK, &[], gdk::DragAction::COPY);
    handle.drag_source_add_uri_targets();
    handle.connect_drag_data_get(move |_, _, data, _, _| {
        let uri = gtk::glib::filename_to_uri(&dragged, None).unwrap();
        assert!(data.set_uris(&[uri.as_str()]));
    });
    window.add(&handle);
    window.move_(SOURCE.0, SOURCE.1);
    window.show_all();
    gtk::main();
}
