//! How it looks: in both languages, light and dark, in wide and narrow windows.

use std::time::Duration;

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

    async fn speak(&self, language: &str) {
        if self.evaluate("document.documentElement.lang").await != language {
            self.press("language").await;
            let spoken = format!("document.documentElement.lang === '{language}'");
            self.until("the language changes", &spoken, Duration::from_secs(10)).await;
        }
    }

    async fn wear(&self, theme: &str) {
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
    app.press("next").await;
    app.find("model-yolov8n").await;
    app.look("model").await;
    app.press("next").await;
    app.find("device-gpu:1").await;
    app.look("where").await;
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
