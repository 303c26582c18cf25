//! Notes, sizes and deletion.

use std::sync::Arc;

use preflight_core::finding::{Evidence, Severity};
use preflight_core::run::{CancelReason, RunState};
use preflight_core::text::{Language, Texts};
use preflight_engine::dataset::closely;
use preflight_engine::runs;

use super::world::{World, snapshot};

/// A trainer that finishes at once.
const DONE: &str = r#"
mkdir -p output/weights
echo weights > output/weights/best.pt
say '{"event":"done","metrics":{},"best":"'$PWD'/output/weights/best.pt","folder":"'$PWD'/output","seconds":1}'
"#;

#[tokio::test]
async fn a_note_is_written_by_anyone_at_any_time() {
    let world = World::new();
    let id = world.start("sleep 600").await;
    assert_eq!(world.open(&id).note, "");
    runs::note(&world.engine, &id, "  öfter prüfen\nzweite Zeile \n").unwrap();
    assert_eq!(world.open(&id).note, "öfter prüfen\nzweite Zeile", "while its supervisor has the lock");
    runs::cancel(&world.engine, &id, CancelReason::User).unwrap();
    world.end(&id).await;
    assert_eq!(world.open(&id).note, "öfter prüfen\nzweite Zeile");
    runs::note(&world.engine, &id, " ").unwrap();
    assert!(!world.folder(&id).join("notes.txt").exists());
    runs::note(&world.engine, &id, "").unwrap();

    let refusal = |id: &str, text: &str| runs::note(&world.engine, id, text).unwrap_err().code;
    assert_eq!(refusal("none", "x"), "run.not-found");
    assert_eq!(refusal("../x", "x"), "run.not-found");
    assert_eq!(refusal(&id, &"x".repeat(10_001)), "run.note-too-long");
}

#[tokio::test]
async fn deleting_takes_the_run_and_nothing_else() {
    let world = World::new();
    let id = world.start(DONE).await;
    assert_eq!(world.end(&id).await.progress.state, RunState::Succeeded);
    let other = world.start(DONE).await;
    world.end(&other).await;
    // What a training leaves that failed: links to the dataset.
    let shadow = world.folder(&id).join("dataset");
    std::fs::create_dir(&shadow).unwrap();
    std::os::unix::fs::symlink(world.path("plates"), shadow.join("images")).unwrap();
    let plates = snapshot(&world.path("plates"));
    // A deletion that was cut off.
    let left = world.engine.dirs().root().join("deleted-0");
    std::fs::create_dir_all(left.join("output")).unwrap();

    let size = runs::size(&world.engine, &id).unwrap();
    assert!(size > 0);
    assert_eq!(runs::delete(&world.engine, &id).unwrap(), size);
    assert!(!world.folder(&id).exists() && !left.exists());
    assert_eq!(snapshot(&world.path("plates")), plates, "the dataset was touched");
    let ids: Vec<_> = runs::list(&world.engine).into_iter().map(|run| run.record.id).collect();
    assert_eq!(ids, [other]);
    for refused in [id.as_str(), "..", "../runs"] {
        assert_eq!(runs::delete(&world.engine, refused).unwrap_err().code, "run.not-found");
        assert_eq!(runs::size(&world.engine, refused).unwrap_err().code, "run.not-found");
    }
}

#[tokio::test]
async fn a_run_that_goes_on_is_not_deleted() {
    let world = World::new();
    let id = world.start("sleep 600").await;
    world.until(&id, "its trainer", |run| run.progress.trainer.is_some()).await;
    assert_eq!(runs::delete(&world.engine, &id).unwrap_err().code, "run.active");
    assert!(world.folder(&id).join("run.json").exists());
    runs::cancel(&world.engine, &id, CancelReason::User).unwrap();
    world.end(&id).await;
    runs::delete(&world.engine, &id).unwrap();
}

#[tokio::test]
async fn what_changed_since_a_dataset_was_trained_with_is_said_at_the_second_look() {
    let world = World::new();
    let id = world.start(&world.epochs(2, 0.5)).await;
    let run = world.end(&id).await;
    assert!(run.folder.join("manifest.json").exists(), "what the dataset held is kept");
    let changed = async || {
        let path = &run.record.plan.dataset;
        preflight_engine::dataset::inspect(&world.engine, path, Arc::new(|_, _| {})).await.unwrap();
        let look = closely::examine(&world.engine, path, 640, Arc::new(|_, _| {}));
        let findings = look.await.unwrap().findings;
        findings.into_iter().find(|finding| finding.code == "data.changed-since-run")
    };
    assert_eq!(changed().await, None);

    let plates = run.record.plan.dataset.parent().unwrap();
    std::fs::write(plates.join("labels/train/train 3.txt"), "1 0.5 0.5 0.25 0.25\n").unwrap();
    std::fs::remove_file(plates.join("images/val/val 1.jpg")).unwrap();
    let finding = changed().await.unwrap();
    assert_eq!(finding.severity, Severity::Note);
    let detail = finding.detail().render(&Texts::new(Language::En));
    assert!(detail.contains(&id) && detail.contains("1 removed") && detail.contains("1 label files"), "{detail}");
    let Evidence::File { path, .. } = &finding.evidence[0] else { panic!("a file") };
    assert!(path.ends_with("images/train/train 3.jpg"), "{}", path.display());
}
