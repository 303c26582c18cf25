//! With the real trainer, where there is one: `PREFLIGHT_TEST_PYTHON` names the Python of its environment.

use std::path::{Path, PathBuf};
use std::process::Command;

use preflight_core::finding::{Evidence, Stage};
use preflight_core::plan::{Plan, Scalar, Weights};
use preflight_core::run::{CancelReason, Event, RunState, TrainerEvent};
use preflight_engine::runs::{self, Log, Run};

use super::world::{Dataset, World, snapshot, supervisor};

/// The real Python; says so when there is none.
pub(super) fn python() -> Option<PathBuf> {
    let python = std::env::var_os("PREFLIGHT_TEST_PYTHON").map(PathBuf::from);
    if python.is_none() {
        println!("skipped: PREFLIGHT_TEST_PYTHON names no training environment");
    }
    python
}

async fn train(world: &World, plan: &Plan) -> Run {
    let id = runs::start(&world.engine, plan, &[], &supervisor()).await.unwrap();
    world.end(&id).await
}

/// Runs a line of Python in the environment, writing nowhere but into the world.
fn run_python(world: &World, python: &Path, code: &str, arguments: &[&Path]) -> String {
    let output = Command::new(python)
        .args(["-c", code])
        .args(arguments)
        .env("YOLO_CONFIG_DIR", world.path("config"))
        .env("MPLCONFIGDIR", world.path("config"))
        .env("YOLO_OFFLINE", "true")
        .env("PYTHONUTF8", "1")
        .current_dir(world.path(""))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn a_training_leaves_a_model_and_the_dataset_as_it_was() {
    let Some(python) = python() else { return };
    let world = World::named("家 with 'quotes'");
    // Everything that is hard about names at once.
    let dataset = Dataset::new(world.path("--钢板 $(touch x)\n\"v2\"")).with_names(["划痕: \"深\"", "凹坑"]);
    let yaml = dataset.write();
    dataset.image("images/train/-rf.jpg", 1);
    dataset.image("images/train/子 目录/图 1.jpg", 0);
    // Ultralytics saves a JPEG anew that does not end as one should.
    let odd = dataset.image("images/train/odd.jpg", 0);
    let mut bytes = std::fs::read(&odd).unwrap();
    bytes.extend(b"\0\0");
    std::fs::write(&odd, bytes).unwrap();
    let before = snapshot(yaml.parent().unwrap());

    let plan = World::plan(&yaml, &python);
    let run = train(&world, &plan).await;
    assert_eq!(run.progress.state, RunState::Succeeded, "{:?}\n{}", run.progress.findings, world.logs(&run.record.id));
    assert_eq!(snapshot(yaml.parent().unwrap()), before, "the dataset was written to");

    let progress = &run.progress;
    assert_eq!((progress.epochs, progress.batch_size, progress.imgsz, progress.batches), (2, 4, 64, 3));
    assert_eq!(progress.device, "cpu");
    assert_eq!(progress.history.iter().map(|point| point.epoch).collect::<Vec<_>>(), [1, 2]);
    assert!(progress.history[1].losses["box_loss"] > 0.0, "{:?}", progress.history);
    assert!(progress.metrics.contains_key("metrics/mAP50(B)"));
    assert!(progress.copied_bytes > 0 && progress.peak_memory > 100 << 20);
    assert_eq!(
        progress.versions.as_ref().map(|(ultralytics, _)| ultralytics),
        Some(&run.record.environment.ultralytics)
    );
    let best = progress.best.as_ref().unwrap();
    assert_eq!(*best, run.folder.join("output/weights/best.pt"));
    assert!(progress.folder.as_ref().unwrap().join("results.csv").is_file());

    let events = world.events(&run.record.id);
    let said = |is: fn(&TrainerEvent) -> bool| {
        events.iter().any(|event| matches!(&event.event, Event::Trainer { said } if is(said)))
    };
    assert!(said(|said| matches!(said, TrainerEvent::Start { train_images: 11, val_images: 4, .. })));
    assert!(said(|said| matches!(said, TrainerEvent::Validation { epoch: 3, .. })), "the final validation");
    assert!(events.iter().any(|event| matches!(event.event, Event::DatasetReady { copied: 1, .. })));

    let mut log = Log::open(&run.folder);
    assert!(!log.search("corrupt jpeg restored", 10).unwrap().is_empty(), "the copy was saved anew, not the image");
    assert!(log.search("download", 10).unwrap().is_empty(), "{}", world.logs(&run.record.id));
    assert!(log.search("Arial", 10).unwrap().is_empty(), "{}", world.logs(&run.record.id));

    let code = "import sys; from ultralytics import YOLO; print(*YOLO(sys.argv[1]).names.values(), sep='\\n')";
    // Ultralytics itself cannot load a file from a folder with quotes in its name.
    std::fs::copy(best, world.path("best.pt")).unwrap();
    let names = run_python(&world, &python, code, &[&world.path("best.pt")]);
    assert!(names.ends_with("划痕: \"深\"\n凹坑\n"), "{names}");
}

#[tokio::test]
async fn lists_of_images_and_first_weights_from_a_read_only_place() {
    let Some(python) = python() else { return };
    let world = World::new();
    let place = world.path("o'brien's");
    let dataset = Dataset::new(place.clone());
    dataset.write();
    let other = Dataset::new(world.path("elsewhere"));
    let named = [
        place.join("images/train/train 0.jpg"),
        // Named twice, it counts twice.
        place.join("images/train/train 0.jpg"),
        place.join("images/train/train 1.jpg"),
        other.image(".hidden/a.jpg", 0),
        other.image(".hidden/b.jpg", 1),
    ];
    let list: Vec<String> = named.iter().map(|path| path.display().to_string()).collect();
    std::fs::write(place.join("list.txt"), list.join("\n")).unwrap();
    let yaml = dataset.yaml("[list.txt, images/val]", "images/val");
    run_python(
        &world,
        &python,
        "import sys; from ultralytics import YOLO; YOLO('yolov8n.yaml').save(sys.argv[1])",
        &[&place.join("first weights.pt")],
    );
    let is_read_only = mount_read_only(&place);
    let before = snapshot(&place);

    let mut plan = World::plan(&yaml, &python);
    plan.training.epochs = 1;
    plan.model.weights = Weights::File;
    plan.model.file = place.join("first weights.pt");
    plan.training.extra.insert("mosaic".into(), Scalar::Float(0.0));
    plan.training.extra.insert("plots".into(), Scalar::Bool(false));
    let run = train(&world, &plan).await;
    assert_eq!(snapshot(&place), before);
    if is_read_only {
        assert!(Command::new("umount").arg(&place).status().unwrap().success());
    }
    assert_eq!(run.progress.state, RunState::Succeeded, "{:?}\n{}", run.progress.findings, world.logs(&run.record.id));
    let images = world.events(&run.record.id).into_iter().find_map(|event| match event.event {
        Event::Trainer { said: TrainerEvent::Start { train_images, val_images, .. } } => {
            Some((train_images, val_images))
        }
        _ => None,
    });
    assert_eq!(images, Some((9, 4)));
    assert!(world.logs(&run.record.id).contains("Transferred 349/355 items"), "{}", world.logs(&run.record.id));
    assert!(world.logs(&run.record.id).contains("mosaic=0.0"));
}

/// Makes a folder read-only for everyone, root included; says so where that is not allowed.
fn mount_read_only(folder: &Path) -> bool {
    let mount = |options: &str| {
        let output = Command::new("mount").args(["-o", options]).arg(folder).arg(folder).output();
        output.is_ok_and(|output| output.status.success())
    };
    let done = mount("bind") && mount("remount,ro,bind");
    if !done {
        println!("skipped: the folder is not read-only, mounting is not allowed here");
    }
    done
}

#[tokio::test]
async fn cancel_in_an_epoch_leaves_no_process() {
    let Some(python) = python() else { return };
    let world = World::new();
    let mut plan = World::plan(&Dataset::new(world.path("plates")).write(), &python);
    plan.training.epochs = 10_000;
    let id = runs::start(&world.engine, &plan, &[], &supervisor()).await.unwrap();
    world.until_said(&id, "a second epoch", |said| matches!(said, TrainerEvent::Batch { epoch: 2, .. })).await;
    assert!(world.open(&id).progress.remaining_s.is_some_and(|seconds| seconds > 100.0));
    runs::cancel(&world.engine, &id, CancelReason::User).unwrap();
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Cancelled, "{}", world.logs(&id));
    assert_eq!(run.progress.exit, Some((Some(130), None)), "asking is enough");
    assert!(run.progress.best.unwrap().is_file(), "the finished epochs' weights stay");
}

#[tokio::test]
async fn a_training_that_fails_shows_its_traceback() {
    let Some(python) = python() else { return };
    let world = World::new();
    let weights = world.engine.dirs().weights();
    std::fs::create_dir_all(&weights).unwrap();
    // Whole, and of the right model, as far as can be told without loading it.
    std::fs::write(weights.join("yolov8n.pt"), crate::weights::checkpoint::of("yolov8n", 2000)).unwrap();
    let mut plan = World::plan(&Dataset::new(world.path("plates")).write(), &python);
    plan.model.weights = Weights::Pretrained;
    let run = train(&world, &plan).await;
    assert_eq!(run.progress.state, RunState::Failed);
    let finding = &run.progress.findings[0];
    assert_eq!(finding.code, "train.failed");
    let [Evidence::Log { text, .. }] = &finding.evidence[..] else { panic!("{finding:?}") };
    let (class, ..) = run.progress.error.as_ref().unwrap();
    assert!(text.contains(class.as_str()), "{class}: {text}");
}

#[tokio::test]
async fn an_own_model_of_key_points_learns_them() {
    let Some(python) = python() else { return };
    let world = World::new();
    let dataset = Dataset::new(world.path("hands"));
    let yaml = dataset.write();
    let declared = std::fs::read_to_string(&yaml).unwrap() + "kpt_shape: [2, 3]\nflip_idx: [1, 0]\n";
    std::fs::write(&yaml, declared).unwrap();
    for split in ["train", "val"] {
        for label in std::fs::read_dir(world.path("hands/labels").join(split)).unwrap() {
            let label = label.unwrap().path();
            let boxes = std::fs::read_to_string(&label).unwrap();
            std::fs::write(&label, format!("{} 0.4 0.5 2 0.6 0.5 2\n", boxes.trim())).unwrap();
        }
    }
    let weights = world.path("pose.pt");
    run_python(
        &world,
        &python,
        "import sys; from ultralytics import YOLO; YOLO('yolov8n-pose.yaml').save(sys.argv[1])",
        &[&weights],
    );
    let mut plan = World::plan(&yaml, &python);
    plan.training.epochs = 1;
    plan.model.weights = Weights::File;
    plan.model.file = weights;
    plan.training.extra.insert("plots".into(), Scalar::Bool(false));
    let report = world.engine.preflight(&plan).await;
    let codes: Vec<_> = report.findings.iter().map(|finding| finding.code.as_str()).collect();
    assert!(codes.contains(&"image.weights-ready") && !codes.contains(&"data.labels-are-key-points"), "{codes:?}");
    let memory = report.findings.iter().find(|finding| finding.stage == Stage::Memory).unwrap();
    assert_eq!(memory.code, "memory.fits", "{memory:?}");

    let run = train(&world, &plan).await;
    let log = world.logs(&run.record.id);
    assert_eq!(run.progress.state, RunState::Succeeded, "{:?}\n{log}", run.progress.findings);
    // It says so where it does not know which point is which in a mirror.
    assert!(!log.contains("flip_idx"), "{log}");
}
