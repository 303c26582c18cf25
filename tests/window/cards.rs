//! NVIDIA cards, as a fake library plays them.

use std::time::Duration;

use crate::app::World;

#[tokio::test(flavor = "multi_thread")]
async fn cards_are_shown_with_what_is_free_and_change_while_a_person_looks() {
    let app = World::default().cards("two-cards").open().await;
    app.press("use-sample").await;
    app.find_within("dataset-summary", Duration::from_secs(120)).await;
    app.press("step-where").await;
    let used = app.read("device-gpu:0").await;
    assert!(used.contains("NVIDIA GeForce RTX 3060"), "{used}");
    assert!(app.read("gpu-free-0").await.contains("5.8 GiB"), "{}", app.read("gpu-free-0").await);
    let free = app.read("device-gpu:1").await;
    assert!(free.contains("NVIDIA GeForce RTX 4090"), "{free}");
    app.shot("cards").await;

    // Another program takes the free card.
    let scenario = std::fs::read_to_string(app.scenario()).unwrap();
    let taken = scenario.replace("used-mib = 0", "used-mib = 24000");
    assert_ne!(taken, scenario);
    std::fs::write(app.scenario(), taken).unwrap();
    let busy = "document.querySelector('[data-testid=\"gpu-free-1\"]').textContent.includes('84 MiB')";
    app.until("the card is seen to be busy", busy, Duration::from_secs(30)).await;
    app.shot("cards-taken").await;

    app.press("device-gpu:1").await;
    app.press("step-batch").await;
    app.find_css("[data-testid='memory'][data-zone='impossible']", Duration::from_secs(60)).await;
    app.shot("cards-memory").await;
    app.close().await;
}
