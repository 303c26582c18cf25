//! Supervisors that die, and those who look then.

use preflight_core::run::{Event, RunState};
use preflight_engine::runs;

use super::world::{Dataset, World, kill, supervisor, supervisor_after};

async fn recover(world: &World, id: &str) -> bool {
    runs::recover(&world.engine, id, &supervisor()).await.unwrap()
}

fn codes(run: &runs::Run) -> Vec<&str> {
    run.progress.findings.iter().map(|finding| finding.code.as_str()).collect()
}

#[tokio::test]
async fn a_trainer_whose_supervisor_died_is_adopted() {
    let world = World::new();
    let id = world.start(&world.epochs(5, 0.4)).await;
    let run = world.until_epoch(&id, 1).await;
    let (dead, trainer) = (run.progress.supervisor.unwrap(), run.progress.trainer.unwrap());
    kill(dead);
    world.until(&id, "the loss", |run| run.progress.state == RunState::Lost).await;
    // It tells on meanwhile.
    let events = world.events(&id).len();
    assert!(recover(&world, &id).await);
    assert!(!recover(&world, &id).await, "somebody looks after it");
    let run = world.open(&id);
    assert_eq!((run.progress.state, run.progress.trainer), (RunState::Running, Some(trainer)));
    assert_ne!(run.progress.supervisor, Some(dead));
    assert!(world.events(&id).len() > events);
    assert_eq!(codes(&run), ["start.adopted"]);

    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Succeeded, "{}", world.logs(&id));
    assert_eq!(run.progress.exit, Some((None, None)), "nobody saw how it left");
    assert_eq!(world.told_epochs(&id), [1, 2, 3, 4, 5], "nothing lost, nothing doubled");
}

#[tokio::test]
async fn an_adopted_run_rests_and_goes_on_like_any_other() {
    let world = World::new();
    let id = world.start(&world.epochs(6, 0.4)).await;
    let run = world.until_epoch(&id, 1).await;
    // The wish is known, and he who should see to it is dead.
    kill(run.progress.supervisor.unwrap());
    world.until(&id, "the loss", |run| run.progress.state == RunState::Lost).await;
    assert_eq!(runs::pause(&world.engine, &id, false).unwrap_err().code, "run.no-supervisor");
    recover(&world, &id).await;
    runs::pause(&world.engine, &id, false).unwrap();
    world.rest(&id).await;
    world.resume(&id).await;
    assert_eq!(world.end(&id).await.progress.state, RunState::Succeeded);
    assert_eq!(world.told_epochs(&id), [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn what_ended_unseen_is_told_from_what_was_lost() {
    let world = World::new();
    // It says how it ends; nobody hears it at the time.
    let wait = "while [ ! -e go ]; do sleep 0.05; done";
    let ends = [
        (world.epochs(1, 0.1), RunState::Succeeded, None),
        (
            r#"say '{"event":"error","class":"ValueError","text":"no","traceback":""}'; exit 1"#.to_owned(),
            RunState::Failed,
            Some("train.failed"),
        ),
        ("exit 1".to_owned(), RunState::Lost, Some("train.lost")),
    ];
    for (trainer, state, code) in ends {
        let id = world.start(&format!("{wait}\n{trainer}")).await;
        let run = world.until(&id, "the trainer", |run| run.progress.trainer.is_some()).await;
        kill(run.progress.supervisor.unwrap());
        std::fs::write(run.folder.join("go"), "").unwrap();
        world.until(&id, "both to be gone", |_| world.processes(&id).is_empty()).await;
        world.until(&id, "the loss, as far as anyone knows", |run| run.progress.state == RunState::Lost).await;
        recover(&world, &id).await;
        let run = world.end(&id).await;
        assert_eq!(run.progress.state, state, "{}", world.logs(&id));
        assert_eq!(codes(&run).first().copied(), code);
        assert_eq!(
            run.progress.heard,
            world.events_of(&id).iter().filter(|e| matches!(e, Event::Trainer { .. })).count() as u64
        );
    }
}

#[tokio::test]
async fn everything_dies_and_the_run_goes_on_where_it_was() {
    let world = World::new();
    let id = world.start(&world.epochs(4, 0.3)).await;
    world.until_epoch(&id, 2).await;
    for process in world.processes(&id) {
        kill(process);
    }
    world.until(&id, "all to be gone", |run| run.progress.state == RunState::Lost).await;
    // Half an event, as a power cut leaves it, and half a line of the trainer's.
    for (name, half) in [("events.jsonl", "{\"seq\":9"), ("trainer.jsonl", "{\"event\":\"bat")] {
        let path = world.folder(&id).join(name);
        let bytes = [std::fs::read(&path).unwrap(), half.into()].concat();
        std::fs::write(&path, bytes).unwrap();
    }
    assert!(runs::recover_all(&world.engine, &supervisor()).await.is_empty());
    let run = world.open(&id);
    assert_eq!((run.progress.state, codes(&run)), (RunState::Lost, vec!["train.lost"]));
    assert!(!recover(&world, &id).await);

    assert_eq!(runs::resume_after_restart(&world.engine, &supervisor()).await, [id.as_str()]);
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Succeeded, "{}", world.logs(&id));
    assert_eq!(run.progress.history.iter().map(|point| point.epoch).collect::<Vec<_>>(), [1, 2, 3, 4]);
    world.events_of(&id);
}

#[tokio::test]
async fn a_run_that_was_lost_again_at_once_does_not_go_on_by_itself() {
    let world = World::new();
    let trainer = world.epochs(3, 0.1).replace("sleep $seconds", "[ $epoch = 1 ] || sleep 1000");
    let id = world.start(&trainer).await;
    world.until_epoch(&id, 1).await;
    for (round, resumed) in [(0, vec![id.clone()]), (1, Vec::new())] {
        world.until(&id, "training", |run| run.progress.state == RunState::Running).await;
        for process in world.processes(&id) {
            kill(process);
        }
        world.until(&id, "all to be gone", |run| run.progress.state == RunState::Lost).await;
        recover(&world, &id).await;
        let run = world.open(&id);
        assert_eq!(run.progress.state, RunState::Lost, "{:?}\n{}", run.progress.findings, world.logs(&id));
        assert_eq!(runs::resume_after_restart(&world.engine, &supervisor()).await, resumed, "round {round}");
    }
}

#[tokio::test]
async fn a_supervisor_that_died_while_it_prepared_is_followed_by_one_that_prepares() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let plan = World::plan(&dataset, &world.stand_in(&world.epochs(1, 0.1)));
    // It takes the run on, and is killed before it gets to anything.
    let brief = supervisor_after(
        r#"echo '{"seq":0,"at_ms":'$(date +%s)000',"event":{"kind":"preparing","supervisor":1}}' > "$folder/events.jsonl"; exit"#,
    );
    let id = runs::start(&world.engine, &plan, &[], &brief).await.unwrap();
    assert_eq!(world.open(&id).progress.state, RunState::Lost);
    recover(&world, &id).await;
    assert_eq!(world.end(&id).await.progress.state, RunState::Succeeded, "{}", world.logs(&id));
    assert_eq!(world.events_of(&id).iter().filter(|event| matches!(event, Event::Preparing { .. })).count(), 2);
}

#[tokio::test]
async fn a_copied_folder_does_not_take_another_runs_trainer() {
    let world = World::new();
    let id = world.start(&world.epochs(6, 0.3)).await;
    let run = world.until_epoch(&id, 1).await;
    let copy = format!("{id}-copy");
    // A file that the trainer replaces meanwhile may be gone before it is copied.
    std::process::Command::new("cp").arg("-r").arg(&run.folder).arg(world.folder(&copy)).status().unwrap();
    recover(&world, &copy).await;
    assert_eq!(world.open(&copy).progress.state, RunState::Lost);
    assert_eq!(world.end(&id).await.progress.state, RunState::Succeeded, "{}", world.logs(&id));
    // The copy is a run of its own, and goes on in its own folder.
    world.resume(&copy).await;
    let run = world.end(&copy).await;
    assert_eq!(run.progress.state, RunState::Succeeded, "{}", world.logs(&copy));
    assert!(run.record.command[1].contains("-copy"));
}
