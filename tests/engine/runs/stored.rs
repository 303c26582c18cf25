//! Run folders of each stored version open for ever. Those of version 1 and 2 are of real trainings, with other paths.

use std::path::Path;

use preflight_core::run::{FORMAT, RunState};
use preflight_engine::runs;

use super::world::{World, supervisor};

/// The folders of a version, copied to where runs are.
fn place(world: &World, version: u32) -> Vec<String> {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/engine/runs/folders/{version}"));
    let to = world.engine.dirs().runs();
    std::fs::create_dir_all(&to).unwrap();
    let copied = std::process::Command::new("cp").arg("-r").arg(from.join(".")).arg(&to).status().unwrap();
    assert!(copied.success());
    let mut ids: Vec<String> =
        std::fs::read_dir(&to).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    ids.sort();
    ids
}

#[tokio::test]
async fn runs_of_format_1_open() {
    let world = World::new();
    let ids = place(&world, 1);
    let seen: Vec<_> = ids
        .iter()
        .map(|id| {
            let run = world.open(id);
            assert_eq!(run.record.format, 1);
            assert!(run.record.hardware.is_none() && run.progress.next_seq as usize == world.events_of(id).len());
            (run.progress.state, run.progress.history.len(), run.progress.epochs)
        })
        .collect();
    let expected = [
        (RunState::Succeeded, 2, 2),
        (RunState::Lost, 1, 10_000),
        (RunState::Cancelled, 1, 10_000),
        (RunState::Failed, 0, 0),
    ];
    assert_eq!(seen, expected);
    let finished = world.open(&ids[0]);
    assert!(finished.progress.best.unwrap().ends_with("output/weights/best.pt") && finished.progress.trained_s > 0.0);
    assert_eq!(world.open(&ids[3]).progress.findings[0].code, "train.failed");

    // Of the one that nobody looks after, it is found out what became of it.
    let lost = &ids[1];
    assert!(runs::recover(&world.engine, lost, &supervisor()).await.unwrap());
    let run = world.end(lost).await;
    assert_eq!(run.progress.state, RunState::Lost);
    assert!(run.progress.findings[0].code == "train.lost" || run.progress.findings[0].code == "train.rebooted");
    assert_eq!(run.progress.history.len(), 1, "nothing of what it told is heard twice");
}

#[test]
fn runs_of_format_2_open() {
    let world = World::new();
    let ids = place(&world, 2);
    for (id, epochs) in ids.iter().zip([40, 3]) {
        let run = world.open(id);
        assert_eq!(
            (run.record.format, run.progress.state, run.progress.epochs),
            (2, RunState::Succeeded, epochs),
            "{id}"
        );
        assert_eq!(run.progress.next_seq as usize, world.events_of(id).len(), "{id}");
        assert!(run.record.hardware.is_some() && run.progress.resumed > 0 && run.progress.best.is_some(), "{id}");
        assert!(runs::view(&world.engine, id).is_ok());
    }
    // What came later: the dataset's content, the trainer's own clock, whether it trained in mixed precision.
    let newest = world.open(&ids[1]);
    assert!(newest.progress.fingerprint.is_some() && newest.folder.join("manifest.json").exists());
    assert!(newest.record.trial.is_none() && newest.progress.trained_s > 0.0);
}

#[test]
fn there_are_folders_of_each_version() {
    for version in 1..=FORMAT {
        let world = World::new();
        assert!(!place(&world, version).is_empty(), "none of version {version}");
    }
}
