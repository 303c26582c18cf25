//! The training environment as one file: how far packing is, and what is said when it fails.

use std::path::Path;
use std::time::Duration;

use crate::app::World;
use crate::training::{IMPORT, test_python};

const SOON: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_no_environment_is_refused_where_a_person_looks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kit.zip");
    std::fs::write(&file, "not an archive").unwrap();
    let app = World::default().open().await;
    app.press("nav-settings").await;
    app.find_within("kit-import", SOON).await;
    assert_eq!(app.evaluate("document.querySelector('[data-testid=kit-export]')").await, serde_json::Value::Null);
    app.press("kit-import").await;
    app.answer_dialog("Choose an environment that was taken along", &file).await;
    app.find_within("kit-failed", SOON).await;
    assert!(app.read("kit-failed").await.contains("is not a kit, or damaged"), "{}", app.read("kit-failed").await);
    app.evaluate("document.querySelector('[data-testid=kit-failed]').scrollIntoView({ block: 'center' })").await;
    app.look("kit-failed").await;
    app.press_css("[data-testid='kit-failed'] button:last-of-type", SOON).await;
    app.until("it can be forgotten", "document.querySelector('[data-testid=kit-failed]') === null", SOON).await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn packing_tells_how_far_it_is_and_can_be_ended() {
    let Some(python) = test_python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("app");
    std::fs::create_dir_all(&home).unwrap();
    let environment = python.ancestors().nth(2).unwrap();
    std::os::unix::fs::symlink(environment, home.join("environment")).unwrap();
    let file = folder.path().join("kit.zip");
    let app = World::default().at(&home).open().await;
    app.press("nav-settings").await;
    app.find_within("kit-export", IMPORT).await;
    app.press("kit-export").await;
    app.answer_dialog("Where to write the environment", &file).await;
    app.find_within("kit-progress", SOON).await;
    let bytes = "/\\d.*MiB/.test(document.querySelector('[data-testid=kit-progress]')?.innerText ?? '')";
    app.until("it is told how many bytes are packed", bytes, IMPORT).await;
    app.evaluate("document.querySelector('[data-testid=kit-progress]').scrollIntoView({ block: 'center' })").await;
    app.shot("kit-packing").await;
    app.assert_accessible().await;
    app.press("kit-cancel").await;
    app.find_within("kit-export", SOON).await;
    assert_eq!(app.evaluate("document.querySelector('[data-testid=kit-failed]')").await, serde_json::Value::Null);
    assert!(!Path::new(&file).exists(), "nothing half is left");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["app"], "nor a temporary file");
    app.close().await;
}
