//! Without a mouse.

use std::path::Path;
use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::key::Key;

use crate::app::{App, World};
use crate::training::{IMPORT, test_python};

/// Stops on a page that nobody would tab through.
const FAR: usize = 120;

impl App {
    /// Presses keys one after the other.
    pub(crate) async fn keys(&self, keys: impl IntoIterator<Item = char>) {
        let actions = keys.into_iter().fold(KeyActions::new("keyboard".to_owned()), |actions, value| {
            actions.then(KeyAction::Down { value }).then(KeyAction::Up { value })
        });
        self.client.perform_actions(actions).await.unwrap();
    }

    pub(crate) async fn key(&self, key: Key) {
        self.keys([char::from(key)]).await;
    }

    /// The `data-testid` of what has the focus or of what it lies in, or the element's name. Fails where nothing has it.
    pub(crate) async fn focused(&self) -> String {
        let has_focus = "document.activeElement !== null && document.activeElement !== document.body";
        self.until("something has the focus", has_focus, Duration::from_secs(10)).await;
        let name =
            "(document.activeElement.closest('[data-testid]')?.dataset.testid ?? document.activeElement.tagName)";
        self.evaluate(name).await.as_str().unwrap().to_owned()
    }

    /// Goes on with the tab key until something has the focus.
    async fn tab_to(&self, testid: &str) {
        let mut way = Vec::new();
        while way.len() < FAR {
            self.key(Key::Tab).await;
            let focused = self.focused().await;
            if focused == testid {
                return;
            }
            way.push(focused);
        }
        panic!("no way to {testid}: {way:?}");
    }

    async fn tab_and_press(&self, testid: &str, key: Key) {
        self.tab_to(testid).await;
        self.key(key).await;
    }

    /// Waits until the page's heading has the focus.
    async fn until_heading(&self) {
        let on_heading = "document.activeElement?.tagName === 'H1'";
        self.until("the heading has the focus", on_heading, Duration::from_secs(30)).await;
    }

    async fn until_checked(&self, testid: &str) {
        let checked = format!("document.querySelector('[data-testid=\"{testid}\"]')?.dataset.state === 'checked'");
        self.until(&format!("{testid} is chosen"), &checked, Duration::from_secs(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_training_is_set_up_started_and_ended_by_keyboard_alone() {
    let Some(python) = test_python() else { return };
    let app = World::default().environment(&python).open().await;
    app.find("use-sample").await;
    app.tab_and_press("use-sample", Key::Enter).await;
    app.find_within("dataset-summary", Duration::from_secs(120)).await;
    // The button is gone, the focus is not.
    app.until_heading().await;

    app.tab_and_press("next", Key::Enter).await;
    app.until_heading().await;
    app.tab_to("model-yolov8n").await;
    app.key(Key::Right).await;
    app.until_checked("model-yolov8s").await;
    app.key(Key::Left).await;
    app.until_checked("model-yolov8n").await;

    app.tab_and_press("next", Key::Enter).await;
    app.until_heading().await;
    app.tab_to("device-auto").await;
    app.key(Key::Down).await;
    app.until_checked("device-cpu").await;
    app.find_within("environment-other", IMPORT).await;
    app.tab_to("environment-own").await;
    app.key(Key::Down).await;
    let chosen = "document.querySelector('[data-testid=\"environment-other\"] input').checked";
    app.until("the environment is chosen", chosen, Duration::from_secs(10)).await;
    app.shot("keyboard-where").await;

    app.tab_and_press("next", Key::Enter).await;
    app.until_heading().await;
    app.tab_to("epochs").await;
    app.evaluate("document.activeElement.select()").await;
    app.keys("30".chars()).await;
    app.tab_and_press("next", Key::Enter).await;
    app.until_heading().await;
    app.tab_and_press("next", Key::Enter).await;
    app.until_heading().await;
    assert!(app.read("review-epochs").await.contains("30"), "{}", app.read("review-epochs").await);
    app.until_start_is_possible().await;
    app.tab_and_press("start", Key::Space).await;

    app.until_run("running", IMPORT).await;
    app.focused().await;
    let id = app.evaluate("location.hash.split('/').pop()").await.as_str().unwrap().to_owned();
    let run = app.home.join("runs").join(id);
    assert!(!processes(&run).is_empty(), "a training has processes");

    app.tab_and_press("run-cancel", Key::Enter).await;
    app.find("run-cancel-dialog").await;
    app.focused().await;
    app.tab_and_press("run-cancel-yes", Key::Space).await;
    app.until_run("cancelled", Duration::from_secs(60)).await;
    app.focused().await;
    app.shot("keyboard-cancelled").await;
    let mut left = processes(&run);
    let began = std::time::Instant::now();
    while !left.is_empty() {
        assert!(began.elapsed() < Duration::from_secs(30), "still there: {left:#?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
        left = processes(&run);
    }
    app.close().await;
}

/// Command lines of the processes that name a run's folder: its supervisor, the trainer, and all of their workers.
fn processes(run: &Path) -> Vec<String> {
    let folder = run.to_str().unwrap();
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).filter(|line| line.contains(folder)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogs_take_the_focus_and_give_it_back() {
    let app = World::default().open().await;
    app.find("use-sample").await;
    app.tab_to("nav-settings").await;
    app.key(Key::Enter).await;
    app.until_heading().await;
    app.tab_to("nav-new").await;
    app.key(Key::Enter).await;
    app.until_heading().await;
    app.press("step-where").await;
    app.until_heading().await;
    app.find_within("environment-create", IMPORT).await;
    app.tab_and_press("environment-create", Key::Enter).await;
    let inside = "document.activeElement?.closest('[data-testid=\"environment-dialog\"]') !== null";
    app.until("the dialog has the focus", inside, Duration::from_secs(10)).await;
    app.key(Key::Escape).await;
    let back = "document.activeElement?.dataset.testid === 'environment-create' && !document.querySelector('[data-testid=\"environment-dialog\"]')";
    app.until("the button has it back", back, Duration::from_secs(10)).await;
    app.close().await;
}
