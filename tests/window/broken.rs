//! A dataset that cannot be trained on, mended on disk.

use std::time::Duration;

use crate::app::World;
use crate::training::test_python;

#[tokio::test(flavor = "multi_thread")]
async fn a_blocker_names_file_and_line_and_goes_away_when_the_file_is_mended() {
    let folder = tempfile::Builder::new().prefix("数据 集-").tempdir().unwrap();
    let yaml = preflight_engine::sample::write(&folder.path().join("plates")).unwrap();
    let labels = std::fs::read_dir(folder.path().join("plates/labels/train")).unwrap();
    let label = labels.map(|entry| entry.unwrap().path()).min().unwrap();
    let whole = std::fs::read_to_string(&label).unwrap();
    std::fs::write(&label, format!("{whole}7 0.5 0.5 0.1 0.1\n")).unwrap();
    let line = whole.lines().count() + 1;

    let mut world = World::default();
    let python = test_python();
    if let Some(python) = &python {
        world = world.environment(python);
    }
    let app = world.open().await;
    app.fill("dataset-path", yaml.to_str().unwrap()).await;
    app.press("dataset-read").await;
    let finding = "finding-data.class-out-of-range";
    app.find_within(finding, Duration::from_secs(60)).await;
    let said = app.read(finding).await;
    assert!(said.contains(label.file_name().unwrap().to_str().unwrap()), "{said}");
    assert!(said.contains(&line.to_string()), "{said}");
    app.shot("broken-dataset").await;

    if python.is_some() {
        // The published weights are not here.
        app.press("step-model").await;
        app.press("weights-choice-scratch").await;
        app.press("step-where").await;
        app.press_css("[data-testid='environment-other'] input", Duration::from_secs(120)).await;
    }
    app.press("step-review").await;
    app.find("blockers").await;
    assert!(!app.find("start").await.is_enabled().await.unwrap());
    app.shot("broken-review").await;

    std::fs::write(&label, &whole).unwrap();
    app.press("look-again").await;
    let mended = format!("!document.querySelector('[data-testid=\"{finding}\"]')");
    app.until("the blocker is gone", &mended, Duration::from_secs(120)).await;
    if python.is_some() {
        app.until_start_is_possible().await;
    }
    app.shot("broken-mended").await;
    app.close().await;
}
