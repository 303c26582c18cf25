//! With a script in the trainer's place: every way a run can go, within a second each.

use std::sync::Arc;

use preflight_core::finding::Evidence;
use preflight_core::run::{CancelReason, Event, RunState};
use preflight_core::text::Value;
use preflight_engine::dataset::manifest::Manifest;
use preflight_engine::runs::{self, SupervisorCommand};
use tokio_util::sync::CancellationToken;

use super::world::{Dataset, World, kill, supervisor, supervisor_after};

pub(super) const BEGINS: &str = r#"
say '{"event":"boot","pid":1,"python":"3.11.7"}'
say '{"event":"imported","ultralytics":"8.4.190","torch":"2.15.0"}'
say '{"event":"start","epochs":1,"first_epoch":1,"batch":4,"batches":2,"imgsz":64,"device":"cpu","amp":false,"optimizer":"AdamW","parameters":3011238,"train_images":8,"val_images":4}'
say '{"event":"batch","epoch":1,"batch":1,"batches":2,"losses":{"box_loss":1.5},"gpu_reserved":0}'
"#;

pub(super) const FINISHES: &str = r#"
say '{"event":"batch","epoch":1,"batch":2,"batches":2,"losses":{"box_loss":1.25},"gpu_reserved":0}'
say '{"event":"validation","epoch":1,"batch":1,"batches":1}'
say '{"event":"saved","epoch":1,"last":"/o/last.pt","best":"/o/best.pt","is_best":true}'
say '{"event":"epoch","epoch":1,"losses":{"box_loss":1.25},"metrics":{"metrics/mAP50(B)":0.5},"learning_rates":{"lr/pg0":0.01},"seconds":2.5}'
say '{"event":"done","metrics":{"metrics/mAP50(B)":0.5},"best":"/o/best.pt","folder":"/o","seconds":3}'
"#;

/// Hard to get rid of: deaf, with a child, one in a session of its own, and a child of a dead parent.
const STAYS: &str = "
trap '' INT TERM
sleep 1000 &
setsid sleep 1000 &
( setsid sh -c 'sleep 1000 & sleep 1000 &' )
while :; do sleep 1000; done
";

#[tokio::test]
async fn a_run_goes_through_to_its_end() {
    let world = World::new();
    let id = world.start(&format!("{BEGINS}{FINISHES} echo 'all said'; say 'no event'")).await;
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Succeeded, "{}", world.logs(&id));
    assert_eq!(run.progress.best.as_deref(), Some("/o/best.pt".as_ref()));
    assert_eq!(run.progress.metrics["metrics/mAP50(B)"], 0.5);
    assert_eq!(run.progress.versions, Some(("8.4.190".into(), "2.15.0".into())));
    assert_eq!(run.progress.history.len(), 1);
    assert!(run.progress.findings.is_empty());

    let events = world.events_of(&id);
    assert!(matches!(events[0], Event::Preparing { .. }));
    assert!(matches!(events[1], Event::DatasetReady { linked: 24, copied: 0, copied_bytes: 0, fingerprint: None }));
    assert!(matches!(events[2], Event::Launched { .. }));
    assert!(matches!(events.last(), Some(Event::Exited { code: Some(0), signal: None })));
    assert!(events.iter().any(|event| matches!(event, Event::DatasetHashed { .. })));
    // The same as anyone finds who looks at the dataset.
    let dataset = world.engine.dataset(&run.record.plan.dataset, Arc::new(|_, _| {}), CancellationToken::new());
    let manifest = Manifest::read(&dataset.await.unwrap(), &|_, _| {}, &CancellationToken::new()).unwrap();
    assert_eq!(run.progress.fingerprint, Some(manifest.fingerprint()));
    assert_eq!(Manifest::load(&run.folder.join("manifest.json")).unwrap(), Some(manifest));
    assert!(world.logs(&id).contains("not an event: no event"));
    assert_eq!(runs::Log::open(&run.folder).page(0, 10).unwrap().lines, ["all said"]);

    // What can be made again is gone; the run's own files stay.
    assert!(!run.folder.join("dataset").exists());
    assert_eq!(run.record.id, id);
    assert_eq!(run.record.device, "cpu");
    assert_eq!(
        run.record.command[1..],
        ["train.py", "arguments.json"].map(|name| world.folder(&id).join(name).display().to_string())
    );
    let again = preflight_core::plan::Plan::from_toml(&std::fs::read_to_string(run.folder.join("plan.toml")).unwrap());
    assert_eq!(again.unwrap(), run.record.plan);
    let listed: Vec<String> = runs::list(&world.engine).into_iter().map(|run| run.record.id).collect();
    assert_eq!(listed, [id.as_str()]);
    assert_eq!(runs::cancel(&world.engine, &id, CancelReason::User).unwrap_err().code, "run.over");

    std::fs::rename(&run.folder, world.folder("renamed")).unwrap();
    assert_eq!(world.open("renamed").record.id, "renamed");
    assert_eq!(runs::open(&world.engine, &id).unwrap_err().code, "run.not-found");
}

#[tokio::test]
async fn what_runs_is_what_was_shown_before() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let plan = World::plan(&dataset, &world.stand_in(&format!("{BEGINS}{FINISHES}")));
    let shown = runs::command(&world.engine, &plan).await;
    let id = runs::start(&world.engine, &plan, &[], &supervisor()).await.unwrap();
    let named = |text: &str| text.replace("/RUN", &format!("/{id}"));
    let run = world.end(&id).await;
    assert_eq!(shown.words.iter().map(|word| named(word)).collect::<Vec<_>>(), run.record.command);
    let arguments = std::fs::read_to_string(&run.record.command[2]).unwrap();
    assert_eq!(named(&shown.arguments).trim(), arguments.trim());
}

#[tokio::test]
async fn a_supervisor_is_on_its_own() {
    let world = World::new();
    let id = world.start(&format!("{BEGINS} read wait < {}", fifo(&world))).await;
    let is_running = |run: &runs::Run| run.progress.state == RunState::Running && run.progress.usage.is_some();
    let run = world.until(&id, "training", is_running).await;
    assert!(run.progress.usage.unwrap().memory > 0);
    let (pid, trainer) = (run.progress.supervisor.unwrap(), run.progress.trainer.unwrap().0);
    let open = |pid: u32, number: u8| std::fs::read_link(format!("/proc/{pid}/fd/{number}")).unwrap();
    assert_eq!([0, 1].map(|number| open(pid, number)), ["/dev/null", "/dev/null"].map(std::path::PathBuf::from));
    assert_eq!(open(pid, 2), run.folder.join("supervisor.log"));
    // A dead supervisor must not take a pipe of the trainer's with it.
    assert_eq!(open(trainer, 0).to_str(), Some("/dev/null"));
    assert_eq!([1, 2].map(|number| open(trainer, number)), [0, 1].map(|_| run.folder.join("trainer.log")));
    for process in [pid, trainer] {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        let session = stat.rsplit(") ").next().unwrap().split(' ').nth(3).unwrap().to_owned();
        assert_eq!(session, process.to_string(), "in a session of its own");
    }
    std::fs::write(fifo(&world), "go\n").unwrap();
    assert_eq!(world.end(&id).await.progress.state, RunState::Failed);
}

/// A pipe by name: reading from it waits until something is written.
fn fifo(world: &World) -> String {
    let path = world.path("fifo");
    if !path.exists() {
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    }
    path.display().to_string()
}

#[tokio::test]
async fn a_failed_run_says_what_was_seen_last() {
    let world = World::new();
    let error = r#"{"event":"error","class":"FileNotFoundError","text":"no images\nmore","traceback":"…"}"#;
    let id = world
        .start(&format!(
            "{BEGINS} printf 'one\\nTraceback (most recent call last):\\n  File x\\nFileNotFoundError: no images\\n' >&2\nsay '{error}'\nexit 1"
        ))
        .await;
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Failed);
    assert_eq!(run.progress.exit, Some((Some(1), None)));
    let [finding] = &run.progress.findings[..] else { panic!("{:?}", run.progress.findings) };
    assert_eq!(finding.code, "train.failed");
    assert_eq!(finding.args["class"], Value::from("FileNotFoundError"));
    assert_eq!(finding.args["text"], Value::from("no images"));
    let text = "Traceback (most recent call last):\n  File x\nFileNotFoundError: no images\n".to_owned();
    assert_eq!(finding.evidence, [Evidence::Log { line: 2, text }]);
    assert!(run.folder.join("dataset/data.yaml").exists(), "what the trainer saw is kept");
}

#[tokio::test]
async fn a_trainer_that_leaves_without_a_word_did_not_succeed() {
    let world = World::new();
    let id = world.start(BEGINS).await;
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Failed);
    assert_eq!(run.progress.findings[0].code, "train.ended");
}

#[tokio::test]
async fn a_killed_trainer_is_told_from_one_that_failed() {
    let world = World::new();
    let id = world.start(&format!("{BEGINS}{STAYS}")).await;
    let run = world.until(&id, "training", |run| run.progress.state == RunState::Running).await;
    kill(run.progress.trainer.unwrap().0);
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Failed);
    assert_eq!(run.progress.exit, Some((None, Some(9))));
    assert_eq!(run.progress.findings[0].code, "train.killed");
}

#[tokio::test]
async fn cancel_asks_first() {
    let world = World::new();
    let id = world.start(&format!("{BEGINS} trap 'echo asked; exit 130' INT; read wait < {}", fifo(&world))).await;
    world.until(&id, "training", |run| run.progress.state == RunState::Running).await;
    runs::cancel(&world.engine, &id, CancelReason::User).unwrap();
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Cancelled);
    assert_eq!(run.progress.cancelling, Some(CancelReason::User));
    assert_eq!(run.progress.exit, Some((Some(130), None)));
    assert!(run.progress.findings.is_empty());
    assert!(world.logs(&id).contains("asked"));
}

#[tokio::test]
async fn cancel_leaves_nothing_behind_however_deaf() {
    let world = World::new();
    let mut settings = world.engine.settings();
    settings.stop_grace_s = Some(0);
    world.engine.change_settings(settings).unwrap();
    let id = world.start(&format!("{BEGINS}{STAYS}")).await;
    world.until(&id, "training", |run| run.progress.state == RunState::Running).await;
    // The supervisor, the shell, and what it started.
    world.until(&id, "all processes", |_| world.processes(&id).len() >= 7).await;
    runs::cancel(&world.engine, &id, CancelReason::Interrupted).unwrap();
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Cancelled);
    assert_eq!(run.progress.exit, Some((None, Some(9))));
}

#[tokio::test]
async fn what_a_finished_trainer_left_running_is_ended() {
    let world = World::new();
    let id = world.start(&format!("{BEGINS}{FINISHES} setsid sleep 1000 & exit 1")).await;
    assert_eq!(world.end(&id).await.progress.state, RunState::Failed);
}

#[tokio::test]
async fn cancel_during_preparation_starts_no_trainer() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let plan = World::plan(&dataset, &world.stand_in(STAYS));
    let supervisor =
        supervisor_after(r#"echo '{"ask":"cancel","reason":"user","grace_s":1}' > "$folder/request.json""#);
    let id = runs::start(&world.engine, &plan, &[], &supervisor).await.unwrap();
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Cancelled);
    let events = world.events_of(&id);
    assert!(matches!(
        events[..],
        [Event::Preparing { .. }, Event::CancelRequested { reason: CancelReason::User }, Event::NotStarted]
    ));
    assert!(!run.folder.join("request.json").exists() && !run.folder.join("dataset").exists());
}

#[tokio::test]
async fn cancel_before_the_supervisor_is_there() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let plan = World::plan(&dataset, &world.stand_in(STAYS));
    let late = supervisor_after(&format!("read wait < {}", fifo(&world)));
    let cancel = async {
        let id = loop {
            if let Some(run) = runs::list(&world.engine).first() {
                assert_eq!(run.progress.state, RunState::Queued);
                break run.record.id.clone();
            }
            tokio::task::yield_now().await;
        };
        runs::cancel(&world.engine, &id, CancelReason::User).unwrap();
    };
    let (id, ()) = tokio::join!(runs::start(&world.engine, &plan, &[], &late), cancel);
    let id = id.unwrap();
    assert_eq!(world.open(&id).progress.state, RunState::Cancelled);
    std::fs::write(fifo(&world), "go\n").unwrap();
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Cancelled);
    assert_eq!(run.progress.trainer, None);
}

#[tokio::test]
async fn a_run_whose_supervisor_was_killed_is_lost_and_can_be_ended() {
    let world = World::new();
    let id = world.start(&format!("{BEGINS}{STAYS}")).await;
    let run = world.until(&id, "training", |run| run.progress.state == RunState::Running).await;
    kill(run.progress.supervisor.unwrap());
    // Half an event, as a power cut leaves it.
    let run = world.until(&id, "the loss to be seen", |run| run.progress.state == RunState::Lost).await;
    let events = run.folder.join("events.jsonl");
    let mut bytes = std::fs::read(&events).unwrap();
    bytes.extend(b"{\"seq\":9");
    std::fs::write(&events, bytes).unwrap();
    assert!(world.processes(&id).contains(&run.progress.trainer.unwrap().0), "the trainer outlives its supervisor");
    assert!(run.progress.ended_ms.is_some());

    runs::cancel(&world.engine, &id, CancelReason::User).unwrap();
    let run = world.open(&id);
    assert_eq!(run.progress.state, RunState::Cancelled);
    assert!(world.processes(&id).is_empty());
    assert!(matches!(world.events_of(&id).last(), Some(Event::Lost)));
    assert_eq!(runs::cancel(&world.engine, &id, CancelReason::User).unwrap_err().code, "run.over");
}

#[tokio::test]
async fn a_supervisor_that_cannot_be_started_is_a_failed_run() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let plan = World::plan(&dataset, &world.stand_in(""));
    let gone = SupervisorCommand { program: world.path("nothing"), arguments: Vec::new() };
    let says =
        SupervisorCommand { program: "/bin/sh".into(), arguments: vec!["-c".into(), "echo no way >&2; exit 7".into()] };
    for (command, cause) in [(gone, "No such file or directory (os error 2)"), (says, "no way")] {
        let problem = runs::start(&world.engine, &plan, &[], &command).await.unwrap_err();
        assert_eq!((problem.code.as_str(), &problem.causes[..]), ("run.no-supervisor", &[cause.to_owned()][..]));
    }
    for run in runs::list(&world.engine) {
        assert_eq!(run.progress.state, RunState::Failed);
        assert_eq!(run.progress.findings[0].code, "start.no-supervisor");
    }
}

#[tokio::test]
async fn a_python_that_is_gone_by_then_is_a_failed_run() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let python = world.stand_in("");
    let plan = World::plan(&dataset, &python);
    let supervisor = supervisor_after(&format!("rm '{}'", python.display()));
    let id = runs::start(&world.engine, &plan, &[], &supervisor).await.unwrap();
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Failed);
    assert_eq!(run.progress.findings[0].code, "start.trainer-not-started");
}

#[tokio::test]
async fn what_cannot_be_started_leaves_no_run() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let good = World::plan(&dataset, &world.stand_in(""));
    let start = async |plan| runs::start(&world.engine, &plan, &[], &supervisor()).await.unwrap_err().code;

    let mut plan = good.clone();
    plan.training.extra.insert("device".into(), preflight_core::plan::Scalar::Text("cpu".into()));
    assert_eq!(start(plan).await, "plan.reserved-argument");
    let mut plan = good.clone();
    plan.model.weights = preflight_core::plan::Weights::Pretrained;
    assert_eq!(start(plan).await, "run.no-weights");
    assert_eq!(start(World::plan(&dataset, &world.path("no python"))).await, "run.no-environment");
    assert!(runs::list(&world.engine).is_empty());

    for id in ["", "..", "../x", "nothing"] {
        assert_eq!(runs::open(&world.engine, id).unwrap_err().code, "run.not-found");
    }
}
