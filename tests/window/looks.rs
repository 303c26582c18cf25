//! How it looks: in both languages, light and dark, in wide and narrow windows.

use std::time::Duration;

use fantoccini::key::Key;

use crate::app::{App, World};

const WIDE: (u32, u32) = (1180, 780);
/// The smallest window in which nothing may scroll sideways, and the smallest there is.
const SMALL: (u32, u32) = (1024, 700);
const SMALLEST: (u32, u32) = (760, 560);

const LOOKS: [(&str, &str, (u32, u32)); 8] = [
    ("en", "light", WIDE),
    ("en", "light", SMALL),
    ("en", "light", SMALLEST),
    ("en", "dark", WIDE),
    ("zh-CN", "dark", WIDE),
    ("zh-CN", "dark", SMALLEST),
    ("zh-CN", "light", SMALL),
    ("zh-CN", "light", WIDE),
];

impl App {
    /// Looks at the page in every way it can look, and goes back to the first.
    pub(crate) async fn look(&self, page: &str) {
        for (language, theme, (width, height)) in LOOKS {
            self.speak(language).await;
            self.wear(theme).await;
            self.resize(width, height).await;
            self.assert_nothing_scrolls_sideways().await;
            self.shot(&format!("{page}-{language}-{theme}-{width}x{height}")).await;
            if (width, height) == WIDE {
                self.assert_accessible().await;
            }
        }
        let (language, theme, (width, height)) = LOOKS[0];
        self.speak(language).await;
        self.wear(theme).await;
        self.resize(width, height).await;
    }

    /// Looks at a part of a page as most people see it, and in the other language in a small dark window.
    pub(crate) async fn look_at_part(&self, name: &str, testid: &str) {
        for (language, theme, (width, height)) in [LOOKS[0], LOOKS[5], LOOKS[0]] {
            self.speak(language).await;
            self.wear(theme).await;
            self.resize(width, height).await;
            self.evaluate(&format!("document.querySelector('[data-testid={testid:?}]').scrollIntoView()")).await;
            self.assert_nothing_scrolls_sideways().await;
            self.shot(&format!("{name}-{language}-{theme}-{width}x{height}")).await;
            self.assert_accessible().await;
        }
    }

    /// Looks at a dialog, light and dark, and leaves it by the keyboard.
    async fn look_at_dialog(&self, name: &str, testid: &str) {
        let dialog = format!("[data-testid='{testid}']");
        self.find_css(&dialog, Duration::from_secs(60)).await;
        for theme in ["light", "dark"] {
            // The page behind it cannot be pressed.
            self.evaluate(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
            self.shot(&format!("dialog-{name}-{theme}")).await;
            self.assert_accessible().await;
        }
        self.evaluate("document.documentElement.dataset.theme = 'light'").await;
        self.key(Key::Escape).await;
        let gone = format!("document.querySelector(\"{dialog}\") === null");
        self.until("the dialog is closed", &gone, Duration::from_secs(10)).await;
        self.focused().await;
    }

    pub(crate) async fn speak(&self, language: &str) {
        if self.evaluate("document.documentElement.lang").await != language {
            self.press("language").await;
            let spoken = format!("document.documentElement.lang === '{language}'");
            self.until("the language changes", &spoken, Duration::from_secs(10)).await;
        }
    }

    pub(crate) async fn wear(&self, theme: &str) {
        // The button goes round: system, light, dark.
        for _ in 0..3 {
            if self.evaluate("document.documentElement.dataset.theme").await == theme {
                return;
            }
            self.press("theme").await;
        }
        self.until(theme, &format!("document.documentElement.dataset.theme === '{theme}'"), Duration::from_secs(10))
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_step_in_every_look() {
    let app = World::default().cards("two-cards").open().await;
    app.press("nav-runs").await;
    app.look("runs-none").await;
    app.press("nav-settings").await;
    app.look("settings").await;
    app.press("nav-new").await;
    app.find("drop-zone").await;
    app.look("dataset-none").await;
    app.press("use-sample").await;
    app.find_within("dataset-summary", Duration::from_secs(120)).await;
    app.look("dataset").await;
    app.press("panel-problems").await;
    app.find("closer").await;
    app.look("dataset-problems").await;
    app.press("panel-health").await;
    app.press("look-closer").await;
    app.find_within("health", Duration::from_secs(120)).await;
    app.look("dataset-health").await;
    app.press("panel-images").await;
    app.find("filters").await;
    app.look("dataset-images").await;
    app.press_css("[data-testid='gallery'] button:has(img)", Duration::from_secs(60)).await;
    app.look_at_dialog("viewer", "image-viewer").await;
    app.press("next").await;
    app.find("model-yolov8n").await;
    app.look("model").await;
    app.press("next").await;
    app.find("device-gpu:1").await;
    app.look("where").await;
    app.press("environment-create").await;
    app.look_at_dialog("environment", "environment-dialog").await;
    app.press("device-gpu:1").await;
    app.press("next").await;
    app.find("memory").await;
    app.look("batch").await;
    app.press("next").await;
    app.find("account-not-needed").await;
    app.look("account").await;
    app.press("next").await;
    app.find("review").await;
    app.look("review").await;
    app.close().await;
}
