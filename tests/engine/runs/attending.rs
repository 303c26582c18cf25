//! The app beside its runs: it looks after them, and it shows them as they go.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use preflight_core::report::LinkState;
use preflight_core::run::{Event, RunState};
use preflight_engine::Engine;
use preflight_engine::dirs::Dirs;
use preflight_engine::runs::{self, RunUpdate, SupervisorCommand};

use super::world::{World, kill, supervisor};

/// The engine of a window over the same files.
fn window(world: &World) -> Arc<Engine> {
    Arc::new(Engine::open(Dirs::new(world.engine.dirs().root())).unwrap())
}

#[tokio::test]
async fn the_app_gives_runs_whose_supervisor_died_to_another() {
    let world = World::new();
    let id = world.start(&world.epochs(1, 1000.0)).await;
    let run = world.until(&id, "training", |run| run.progress.state == RunState::Running).await;
    let app = tokio::spawn(runs::attend(window(&world), supervisor()));
    // Again and again, for as long as the app is open.
    let mut dead = run.progress.supervisor.unwrap();
    for round in 1..=2 {
        kill(dead);
        let is_another = |run: &runs::Run| run.progress.supervisor != Some(dead);
        let run = world.until(&id, "another supervisor", is_another).await;
        assert_eq!((run.progress.state, run.progress.trainer.is_some()), (RunState::Running, true), "round {round}");
        dead = run.progress.supervisor.unwrap();
    }
    let adopted = world.events_of(&id).iter().filter(|event| matches!(event, Event::Adopted { .. })).count();
    assert_eq!(adopted, 2);
    app.abort();
}

#[tokio::test]
async fn a_run_that_no_supervisor_can_be_had_for_is_tried_once() {
    let world = World::new();
    let id = world.start(&world.epochs(1, 1000.0)).await;
    let run = world.until(&id, "training", |run| run.progress.state == RunState::Running).await;
    let tries = world.path("tries");
    let script = format!("echo try >> '{}'; exit 1", tries.display());
    let broken = SupervisorCommand { program: "/bin/sh".into(), arguments: vec!["-c".into(), script.into()] };
    kill(run.progress.supervisor.unwrap());
    let app = tokio::spawn(runs::attend(window(&world), broken));
    world.until(&id, "a try", |_| tries.exists()).await;
    // Longer than it takes to look once more.
    tokio::time::sleep(Duration::from_secs(7)).await;
    app.abort();
    assert_eq!(std::fs::read_to_string(&tries).unwrap(), "try\n");
    assert_eq!(world.open(&id).progress.state, RunState::Lost, "and it is shown as what it is");
}

#[tokio::test]
async fn after_a_restart_runs_go_on_by_themselves_where_the_person_wants_that() {
    for wanted in [true, false] {
        let world = World::new();
        let mut settings = world.engine.settings();
        settings.resume_after_restart = wanted;
        world.engine.change_settings(settings).unwrap();
        let id = world.start(&world.epochs(4, 0.3)).await;
        world.until_epoch(&id, 1).await;
        for process in world.processes(&id) {
            kill(process);
        }
        world.until(&id, "all to be gone", |_| world.processes(&id).is_empty()).await;
        let app = tokio::spawn(runs::attend(window(&world), supervisor()));
        let run = world.until(&id, "what became of it", |run| {
            run.progress.state == RunState::Succeeded
                || !wanted && run.progress.state == RunState::Lost && !run.progress.findings.is_empty()
        });
        assert_eq!(run.await.progress.resumed, u32::from(wanted));
        app.abort();
    }
}

/// What a window was told.
type Told = Arc<Mutex<Vec<RunUpdate>>>;

async fn until(told: &Told, what: &str, is: impl Fn(&[RunUpdate]) -> bool) {
    let began = std::time::Instant::now();
    while !is(&told.lock().unwrap()) {
        assert!(began.elapsed().as_secs() < 240, "waiting for {what}: {:#?}", told.lock().unwrap().last());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_window_sees_a_run_rest_go_on_and_end_and_hears_no_more_then() {
    let world = World::new();
    let id = world.start(&world.epochs(6, 0.3)).await;
    let (told, engine) = (Told::default(), window(&world));
    let (heard, watched) = (Arc::clone(&told), id.clone());
    let open = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let is_open = Arc::clone(&open);
    let watch = tokio::spawn(async move {
        runs::watch(&engine, &watched, |update| {
            heard.lock().unwrap().push(update);
            is_open.load(std::sync::atomic::Ordering::Relaxed)
        })
        .await
    });
    let state = |of: &[RunUpdate]| of.last().map(|update| update.progress.state);
    let train = |of: &[RunUpdate]| of.last().unwrap().report.links[8].state;
    until(&told, "training", |told| state(told) == Some(RunState::Running)).await;
    assert_eq!(train(&told.lock().unwrap()), LinkState::Active);
    runs::pause(&world.engine, &id, false).unwrap();
    until(&told, "the rest", |told| state(told) == Some(RunState::Paused)).await;
    assert_eq!(train(&told.lock().unwrap()), LinkState::Paused);
    // One that goes on is watched on, by the same window.
    world.resume(&id).await;
    until(&told, "the end", |told| state(told) == Some(RunState::Succeeded)).await;
    assert_eq!(train(&told.lock().unwrap()), LinkState::Ok);
    let epochs: Vec<u32> =
        told.lock().unwrap().iter().flat_map(|update| &update.epochs).map(|point| point.epoch).collect();
    assert_eq!(epochs, [1, 2, 3, 4, 5, 6], "each once");

    // Nothing happens any more, so nothing is told.
    let before = told.lock().unwrap().len();
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(told.lock().unwrap().len(), before);
    assert!(!watch.is_finished(), "a finished run may still be looked at");
    // Whoever opens it now hears of all of it at once, and may leave again.
    let mut first = None;
    open.store(false, std::sync::atomic::Ordering::Relaxed);
    runs::watch(&window(&world), &id, |update| {
        first = Some(update);
        false
    })
    .await
    .unwrap();
    let first = first.unwrap();
    assert_eq!((first.progress.state, first.epochs.len()), (RunState::Succeeded, 6));
    watch.abort();
    assert_eq!(runs::watch(&window(&world), "nothing", |_| true).await.unwrap_err().code, "run.not-found");
}
