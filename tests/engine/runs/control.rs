//! Resting and going on, with a script in the trainer's place.

use std::collections::BTreeMap;

use preflight_core::plan::{Plan, Scalar};
use preflight_core::run::{CancelReason, Changes, Event, PauseReason, Pausing, ResumeReason, RunRecord, RunState};
use preflight_engine::runs;
use serde_json::Value;

use super::world::{Dataset, World, supervisor, supervisor_after};

fn json(world: &World, id: &str, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(world.folder(id).join(name)).unwrap()).unwrap()
}

async fn resume(world: &World, id: &str, changes: Changes) -> Result<u32, String> {
    let resumed = runs::resume(&world.engine, id, &changes, ResumeReason::User, &supervisor()).await;
    resumed.map(|resumed| resumed.after_epoch).map_err(|problem| problem.code)
}

#[tokio::test]
async fn a_run_rests_after_its_epoch_and_goes_on() {
    let world = World::new();
    let id = world.start(&world.epochs(8, 0.3)).await;
    world.until_epoch(&id, 1).await;
    runs::pause(&world.engine, &id, false).unwrap();
    let run = world.rest(&id).await;
    let pausing = Pausing { reason: PauseReason::User, now: false };
    assert_eq!((run.progress.pausing, run.progress.paused), (Some(pausing), true));
    assert_eq!(run.progress.exit, Some((Some(75), None)));
    assert!(run.progress.paused_ms.is_some() && run.progress.ended_ms.is_none() && run.progress.findings.is_empty());
    let rested_after = run.progress.history.last().unwrap().epoch;
    assert!(rested_after < 8);
    assert!(!run.folder.join("dataset").exists() && !run.folder.join("paused").exists());
    // Resting needs nobody: neither is it lost, nor does anyone who looks change that.
    runs::pause(&world.engine, &id, false).unwrap();
    assert!(!runs::recover(&world.engine, &id, &supervisor()).await.unwrap());
    assert_eq!(world.open(&id).progress.state, RunState::Paused);
    assert_eq!(runs::keep_on(&world.engine, &id).unwrap_err().code, "run.not-pausing");

    assert_eq!(resume(&world, &id, Changes::default()).await, Ok(rested_after));
    assert_eq!(resume(&world, &id, Changes::default()).await, Err("run.under-way".to_owned()));
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Succeeded, "{}", world.logs(&id));
    assert_eq!(world.told_epochs(&id), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(run.progress.resumed, 1);
    assert!(!run.folder.join("checkpoint.pt").exists(), "of no use any more");
    assert_eq!(resume(&world, &id, Changes::default()).await, Err("run.finished".to_owned()));
    assert_eq!(runs::pause(&world.engine, &id, false).unwrap_err().code, "run.over");
}

#[tokio::test]
async fn at_once_costs_the_epoch_under_way() {
    let world = World::new();
    let trainer = world
        .epochs(3, 0.1)
        .replace("sleep $seconds", "sleep $seconds; [ $epoch = 1 ] || [ -e saved2 ] || { touch saved2; sleep 1000; }");
    let id = world.start(&trainer).await;
    world.until(&id, "the second epoch", |run| run.folder.join("saved2").exists()).await;
    runs::pause(&world.engine, &id, true).unwrap();
    let run = world.rest(&id).await;
    assert_eq!(run.progress.pausing, Some(Pausing { reason: PauseReason::User, now: true }));
    assert_eq!(resume(&world, &id, Changes::default()).await, Ok(1));
    assert_eq!(world.end(&id).await.progress.state, RunState::Succeeded, "{}", world.logs(&id));
    assert_eq!(world.told_epochs(&id), [1, 2, 3]);
}

#[tokio::test]
async fn a_pause_that_is_taken_back_and_one_in_the_last_epoch_change_nothing() {
    let world = World::new();
    let id = world.start(&world.epochs(2, 1.5)).await;
    world.until(&id, "training", |run| run.progress.state == RunState::Running).await;
    runs::pause(&world.engine, &id, false).unwrap();
    world.until(&id, "the wish", |run| run.progress.pausing.is_some()).await;
    runs::keep_on(&world.engine, &id).unwrap();
    world.until(&id, "its withdrawal", |run| run.progress.pausing.is_none()).await;
    world.until_epoch(&id, 1).await;
    runs::pause(&world.engine, &id, false).unwrap();
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Succeeded);
    assert!(world.events_of(&id).iter().any(|event| matches!(event, Event::PauseWithdrawn)));
}

#[tokio::test]
async fn a_run_rests_before_it_trains_and_begins_then() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let plan = World::plan(&dataset, &world.stand_in(&world.epochs(1, 0.1)));
    let early = supervisor_after(r#"echo '{"ask":"pause","grace_s":null}' > "$folder/request-pause.json""#);
    let id = runs::start(&world.engine, &plan, &[], &early).await.unwrap();
    let run = world.rest(&id).await;
    assert_eq!(run.progress.trainer, None);
    assert!(matches!(
        world.events_of(&id)[..],
        [Event::Preparing { .. }, Event::PauseRequested { now: false, .. }, Event::NotStarted]
    ));
    assert_eq!(resume(&world, &id, Changes::default()).await, Ok(0));
    assert_eq!(world.end(&id).await.progress.state, RunState::Succeeded);
}

#[tokio::test]
async fn a_resting_run_can_be_ended_and_an_ended_one_goes_on() {
    let world = World::new();
    let id = world.start(&world.epochs(8, 0.2)).await;
    world.until_epoch(&id, 1).await;
    runs::pause(&world.engine, &id, false).unwrap();
    world.rest(&id).await;
    runs::cancel(&world.engine, &id, CancelReason::User).unwrap();
    let run = world.open(&id);
    assert_eq!((run.progress.state, run.progress.cancelling), (RunState::Cancelled, Some(CancelReason::User)));
    world.resume(&id).await;
    let run = world.end(&id).await;
    assert_eq!((run.progress.state, run.progress.cancelling), (RunState::Succeeded, None));
}

#[tokio::test]
async fn what_changes_is_given_and_written_down() {
    let world = World::new();
    let id = world.start(&world.epochs(8, 0.2)).await;
    world.until_epoch(&id, 1).await;
    runs::pause(&world.engine, &id, false).unwrap();
    world.rest(&id).await;

    let extra = |name: &str| BTreeMap::from([(name.to_owned(), Scalar::Integer(7))]);
    let refused = Changes { extra: extra("epochs"), ..Changes::default() };
    assert_eq!(resume(&world, &id, refused).await, Err("run.epochs-fixed".to_owned()));
    let refused = Changes { extra: extra("lr0"), ..Changes::default() };
    assert_eq!(resume(&world, &id, refused).await, Err("run.not-changeable".to_owned()));

    // Moved, and with one image more.
    std::fs::rename(world.path("plates"), world.path("moved")).unwrap();
    assert!(resume(&world, &id, Changes::default()).await.is_err(), "the dataset is not where it was");
    assert_eq!(world.open(&id).progress.state, RunState::Paused, "and the run rests on");
    let moved = Dataset::new(world.path("moved"));
    moved.image("images/train/one more.jpg", 0);
    let changes = Changes {
        batch: Some(2),
        dataset: Some(world.path("moved/data.yaml")),
        extra: extra("patience"),
        ..Changes::default()
    };
    resume(&world, &id, changes.clone()).await.unwrap();
    let given = json(&world, &id, "arguments.json");
    assert_eq!((&given["train"]["batch"], &given["train"]["patience"]), (&Value::from(2), &Value::from(7)));
    assert_eq!(given["train"]["epochs"], Value::Null);
    assert_eq!(given["resume"].as_array().unwrap().len(), 2);
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Succeeded);
    let codes: Vec<&str> = run.progress.findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["data.changed-since"]);
    assert!(world.events_of(&id).contains(&Event::Resumed { by: ResumeReason::User, changes }));
    assert_eq!(run.record.plan.training.batch, 2);
    let before: RunRecord = serde_json::from_value(json(&world, &id, "run-0.json")).unwrap();
    assert_eq!(before.plan.training.batch, 4);
    // The plan a person made stays as it was made.
    let plan = Plan::from_toml(&std::fs::read_to_string(run.folder.join("plan.toml")).unwrap()).unwrap();
    assert_eq!(plan, before.plan);
}

#[tokio::test]
async fn a_torn_checkpoint_is_passed_over() {
    let world = World::new();
    let id = world.start(&world.epochs(8, 0.2)).await;
    world.until_epoch(&id, 1).await;
    runs::pause(&world.engine, &id, false).unwrap();
    let run = world.rest(&id).await;
    let last = run.folder.join("output/weights/last.pt");
    let bytes = std::fs::read(&last).unwrap();
    std::fs::write(&last, &bytes[..bytes.len() / 2]).unwrap();
    world.resume(&id).await;
    assert_eq!(json(&world, &id, "arguments.json")["resume"], Value::from(vec!["checkpoint.pt"]));
    assert_eq!(world.end(&id).await.progress.state, RunState::Succeeded);
}

#[tokio::test]
async fn a_run_that_failed_before_an_epoch_was_done_begins_as_a_new_one() {
    let world = World::new();
    let id = world.start("exit 3").await;
    assert_eq!(world.end(&id).await.progress.state, RunState::Failed);
    assert_eq!(resume(&world, &id, Changes::default()).await, Err("run.no-checkpoint".to_owned()));
    assert_eq!(resume(&world, "nothing", Changes::default()).await, Err("run.not-found".to_owned()));
    assert_eq!(world.open(&id).progress.state, RunState::Failed);
}

#[tokio::test]
async fn of_two_who_have_a_run_go_on_one_does() {
    let world = World::new();
    let id = world.start(&world.epochs(8, 0.2)).await;
    world.until_epoch(&id, 1).await;
    runs::pause(&world.engine, &id, false).unwrap();
    world.rest(&id).await;
    let (one, other) = tokio::join!(resume(&world, &id, Changes::default()), resume(&world, &id, Changes::default()));
    let lost = if one.is_ok() { other } else { one };
    assert!(matches!(lost.as_ref().unwrap_err().as_str(), "run.under-way" | "run.busy" | "run.finished"), "{lost:?}");
    assert_eq!(world.end(&id).await.progress.state, RunState::Succeeded);
    assert_eq!(world.told_epochs(&id), [1, 2, 3, 4, 5, 6, 7, 8]);
}
