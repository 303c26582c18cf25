//! Making the training environment: what is said before anything comes down, and what when it does not.

use std::time::Duration;

use crate::app::World;

const SOON: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn with_cards_a_person_may_still_choose_the_processor_and_no_network_is_said() {
    let home = tempfile::tempdir().unwrap();
    // An index where nobody answers: nothing of the real one is asked.
    let settings = "language = \"en\"\ntheme = \"light\"\n\n[sources]\nindex = \"http://127.0.0.1:9/simple\"\n";
    std::fs::write(home.path().join("settings.toml"), settings).unwrap();
    let app = World::default().cards("two-cards").at(home.path()).open().await;
    app.press("step-where").await;
    app.find_within("environment-own", SOON).await;
    app.press("environment-create").await;
    app.find_css("[data-testid='environment-dialog'] dl", SOON).await;
    let said = app.read("environment-dialog").await;
    assert!(said.contains("GPU (cu130)"), "{said}");
    assert!(said.contains("2.8 GiB"), "{said}");
    app.shot("environment-gpu").await;

    app.press("environment-for-cpu").await;
    let cpu = "!/cu130|2.8 GiB/.test(document.querySelector('[data-testid=\"environment-dialog\"] dl')?.textContent ?? 'cu130')";
    app.until("it is the one without CUDA, and smaller", cpu, SOON).await;
    app.assert_accessible().await;
    app.shot("environment-cpu").await;

    app.press_css("[data-testid='environment-dialog'] [data-testid='environment-create']", SOON).await;
    let failed = "[data-testid='environment-dialog'] [data-testid='problem-environment.index-unreachable']";
    app.find_css(failed, SOON).await;
    assert!(app.read("environment-dialog").await.contains("127.0.0.1:9"), "{}", app.read("environment-dialog").await);
    app.assert_accessible().await;
    app.shot("environment-offline").await;
    assert!(!home.path().join("environment").exists());
    app.close().await;
}
