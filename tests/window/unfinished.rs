//! A training that is not started yet.

use std::time::Duration;

use crate::app::World;

#[tokio::test(flavor = "multi_thread")]
async fn an_unfinished_training_is_found_again_where_it_was_left() {
    let app = World::default().open().await;
    app.press("use-sample").await;
    app.find_within("dataset-summary", Duration::from_secs(120)).await;
    app.press("step-model").await;
    app.press("model-yolov8m").await;
    app.press("step-batch").await;
    app.fill("epochs", "17").await;
    let draft = app.home.join("draft.toml");
    let began = std::time::Instant::now();
    loop {
        let kept = std::fs::read_to_string(&draft).unwrap_or_default();
        if ["yolov8m", "epochs = 17", "step = \"batch\""].iter().all(|part| kept.contains(part)) {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "not kept: {kept}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let home = app.home.clone();
    let _world = app.close().await;

    let app = World::default().at(&home).open().await;
    let epochs = "document.querySelector('[data-testid=\"epochs\"]')?.value === '17'";
    app.until("the same step is shown, as it was", epochs, Duration::from_secs(30)).await;
    app.press("step-model").await;
    let chosen = "document.querySelector('[data-testid=\"model-yolov8m\"]')?.dataset.state === 'checked'";
    app.until("the model is the chosen one", chosen, Duration::from_secs(30)).await;
    app.press("step-dataset").await;
    app.find_within("dataset-summary", Duration::from_secs(120)).await;
    app.close().await;
}
