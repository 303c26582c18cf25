//! Trying a plan out, and the slider that asks nobody.

use std::time::Duration;

use fantoccini::key::Key;

use crate::app::{App, World};
use crate::training::{IMPORT, test_python};

impl App {
    /// Goes from the sample to the step of batch and memory.
    async fn batch_of_sample(&self, device: &str) {
        self.press("use-sample").await;
        self.find_within("dataset-summary", Duration::from_secs(120)).await;
        self.press("next").await;
        self.press("model-yolov8n").await;
        self.press("next").await;
        self.press(device).await;
    }

    async fn until_trial(&self, state: &str, patience: Duration) {
        let is = format!("document.querySelector('[data-testid=\"trial\"]')?.dataset.state === '{state}'");
        self.until(&format!("the trial is {state}"), &is, patience).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_tried_out_on_the_processor_and_the_figures_take_the_estimates_place() {
    let Some(python) = test_python() else { return };
    let app = World::default().environment(&python).open().await;
    app.batch_of_sample("device-cpu").await;
    app.press_css("[data-testid='environment-other'] input", IMPORT).await;
    app.press("next").await;
    app.find("memory").await;
    app.press("trial-start").await;
    app.find("trial-cancel").await;
    app.until_trial("training", IMPORT).await;
    app.shot("trial-training").await;
    app.press("trial-cancel").await;
    app.until_trial("none", IMPORT).await;

    app.press("trial-start").await;
    app.until_trial("measured", IMPORT).await;
    let measured = "document.querySelector('[data-testid=\"memory\"]')?.dataset.source === 'trial'";
    app.until("what was measured is shown", measured, Duration::from_secs(30)).await;
    assert!(app.read("trial-step").await.ends_with(" s"));
    app.look("trial-measured").await;
    assert!(std::fs::read_dir(app.home.join("trials")).unwrap().next().is_none(), "nothing is left of it");
    assert!(!app.home.join("runs").exists() || std::fs::read_dir(app.home.join("runs")).unwrap().next().is_none());

    app.press("next").await;
    app.press("next").await;
    assert!(app.read("review-time").await.contains("By the trial run."));
    app.press("nav-settings").await;
    app.press("learned-forget").await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_slider_moves_what_is_needed_by_keyboard_and_asks_nobody() {
    let app = World::default().cards("two-cards").open().await;
    app.batch_of_sample("device-gpu:0").await;
    app.press("next").await;
    app.find("memory").await;
    app.find("fits").await;
    assert!(app.read("holders").await.contains("python3"), "others are named");
    app.evaluate("document.querySelector('[data-testid=\"batch-slider\"]').focus()").await;
    let before = app.read("memory-need").await;
    for _ in 0..8 {
        app.key(Key::Right).await;
    }
    let after = app.read("memory-need").await;
    assert_ne!(before, after);
    assert!(app.read("batch-slider").await.is_empty(), "it is a slider");

    // The figures follow in the task of the event itself: no answer of the engine is waited for. How long that takes is
    // told, and depends on what else the machine does.
    let script = "const done = arguments[0];
        const slider = document.querySelector('[data-testid=\"batch-slider\"]');
        const need = () => document.querySelector('[data-testid=\"memory-need\"]').textContent;
        const took = [];
        const step = async (n) => {
          if (n === 30) return done(took);
          const was = need();
          slider.value = String(n % 2 === 0 ? Number(slider.value) + 1 : Number(slider.value) - 1);
          const began = performance.now();
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
          if (need() === was) return done(null);
          took.push(performance.now() - began);
          setTimeout(() => step(n + 1), 40);
        };
        step(0);";
    let took = app.client.execute_async(script, vec![]).await.unwrap();
    let took: Option<Vec<f64>> = serde_json::from_value(took).unwrap();
    let mut took = took.expect("the figures follow at once");
    took.sort_by(f64::total_cmp);
    println!(
        "a step of the slider: {:.1} ms in the middle, {:.1} ms at most",
        took[took.len() / 2],
        took[took.len() - 1]
    );

    // A part is explained to whoever comes to it with the keyboard.
    app.evaluate("document.querySelector('[data-testid=\"memory-part-context\"]').focus()").await;
    assert!(app.read("memory-about").await.contains("NVIDIA"), "{}", app.read("memory-about").await);
    app.look("memory-cards").await;
    app.close().await;
}
