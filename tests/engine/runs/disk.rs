//! A disk that is full.

use std::fs::File;
use std::path::Path;

use preflight_core::run::{CancelReason, Event, PauseReason, ResumeReason, RunState};
use preflight_engine::runs;

use super::world::World;

/// Fills a disk to the last byte but these, in one go.
fn fill(folder: &Path, but: u64) {
    let filler = File::options().create(true).truncate(false).write(true).open(folder.join("filler")).unwrap();
    let disk = rustix::fs::statvfs(folder).unwrap();
    let wanted = filler.metadata().unwrap().len() + disk.f_bavail * disk.f_frsize - but;
    filler.set_len(wanted.min(filler.metadata().unwrap().len())).unwrap();
    rustix::fs::fallocate(&filler, rustix::fs::FallocateFlags::empty(), 0, wanted).unwrap();
}

#[tokio::test]
async fn a_run_rests_while_the_disk_is_full_and_goes_on_by_itself() {
    let Some(world) = World::on_disk(400) else { return };
    let home = world.engine.dirs().root().to_owned();
    let id = world.start(&world.epochs(6, 0.5)).await;
    world.until_epoch(&id, 1).await;
    fill(&home, 20_000);
    let is_paused = |run: &runs::Run| run.progress.state == RunState::Paused;
    let run = world.until(&id, "the rest", is_paused).await;
    assert_eq!(run.progress.pausing.map(|pausing| pausing.reason), Some(PauseReason::DiskFull));
    assert_eq!(run.progress.findings.last().unwrap().code, "start.no-room");
    assert!(!world.processes(&id).is_empty(), "its supervisor waits for room");

    std::fs::remove_file(home.join("filler")).unwrap();
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Succeeded, "{}", world.logs(&id));
    assert!(run.progress.findings.is_empty());
    let events = world.events_of(&id);
    assert!(events.iter().any(|event| matches!(event, Event::Resumed { by: ResumeReason::Space, .. })));
    assert_eq!(world.told_epochs(&id).last(), Some(&6));
}

#[tokio::test]
async fn a_run_that_waits_for_room_can_be_ended_or_had_go_on_sooner() {
    let Some(world) = World::on_disk(400) else { return };
    let home = world.engine.dirs().root().to_owned();
    let id = world.start(&world.epochs(100, 0.5)).await;
    world.until_epoch(&id, 1).await;
    fill(&home, 20_000);
    world.until(&id, "the rest", |run| run.progress.state == RunState::Paused).await;
    // Enough to go on with, too little to do so unasked.
    fill(&home, 200 << 20);
    world.resume(&id).await;
    world.until(&id, "training", |run| run.progress.state == RunState::Running).await;
    fill(&home, 20_000);
    world.until(&id, "another rest", |run| run.progress.state == RunState::Paused).await;
    runs::cancel(&world.engine, &id, CancelReason::User).unwrap();
    assert_eq!(world.end(&id).await.progress.state, RunState::Cancelled);
}
