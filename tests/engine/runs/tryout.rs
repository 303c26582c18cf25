//! Trying a plan out: with the real trainer on the processor, and with a script that tells what a card would.

use std::path::Path;
use std::sync::Mutex;

use preflight_core::duration::Basis;
use preflight_core::forecast::Source;
use preflight_core::plan::Plan;
use preflight_engine::runs::{self, TriedOut, TryOutProgress, cancel_try_out, try_out};

use super::stand_in::BEGINS;
use super::ultralytics::python;
use super::world::{Dataset, World, processes_in, snapshot, supervisor, supervisor_after};

async fn tried(world: &World, plan: &Plan) -> TriedOut {
    try_out(&world.engine, plan, &supervisor(), |_| ()).await.unwrap()
}

/// What is left of trials.
fn left(world: &World) -> usize {
    std::fs::read_dir(world.engine.dirs().trials()).map_or(0, Iterator::count)
}

#[tokio::test]
async fn the_real_trainer_is_tried_out_and_leaves_nothing_but_figures() {
    let Some(python) = python() else { return };
    let world = World::named("家 with 'quotes'");
    let dataset = Dataset::new(world.path("plates"));
    let yaml = dataset.write();
    // The fullest image of all.
    let full = dataset.image("images/train/full.jpg", 1);
    let label = preflight_core::dataset::paths::label_path(&full);
    let boxes = (0..40).map(|n| format!("1 0.5 0.5 0.2 0.{}\n", 200 + n));
    std::fs::write(label, boxes.collect::<String>()).unwrap();
    let before = snapshot(yaml.parent().unwrap());

    let plan = World::plan(&yaml, &python);
    let told = Mutex::new(Vec::new());
    let tell = |progress| told.lock().unwrap().push(progress);
    let tried = try_out(&world.engine, &plan, &supervisor(), tell).await.unwrap();
    let trial = tried.trial.unwrap_or_else(|| panic!("{:?}", tried.findings));
    assert!(tried.findings.is_empty(), "{:?}", tried.findings);
    let figures = &trial.figures;
    assert_eq!((figures.steps, figures.batch, figures.val_batch), (4, 4, 4));
    assert!(figures.step_s.unwrap() > 0.0 && figures.validation_s.unwrap() > 0.0);
    assert!((0.0..=1.0).contains(&figures.loading.unwrap()));
    assert_eq!((figures.reserved, figures.allocated, trial.shown, figures.amp), (None, None, None, false));
    assert!(trial.memory > 100 << 20, "{trial:?}");
    assert_eq!(trial.shape.most_boxes, 40);

    let told = told.into_inner().unwrap();
    assert_eq!(told.first(), Some(&TryOutProgress::Preparing));
    assert!(told.iter().any(|told| matches!(told, TryOutProgress::Training { steps: 4, .. })), "{told:?}");

    assert_eq!(snapshot(yaml.parent().unwrap()), before, "the dataset was written to");
    assert!(runs::list(&world.engine).is_empty(), "it is no run");
    assert_eq!(left(&world), 0);
    assert!(processes_in(&world.path("家 with 'quotes'")).is_empty());

    let forecast = world.engine.forecast(&plan).await.unwrap();
    assert!(matches!(forecast.source, Source::Trial { .. }), "{:?}", forecast.source);
    assert_eq!(forecast.time.map(|time| time.basis), Some(Basis::Trial));
    let report = world.engine.preflight(&plan).await;
    assert!(report.findings.iter().any(|finding| finding.code == "memory.fits-measured"), "{:?}", report.findings);
}

#[tokio::test]
async fn a_plan_that_cannot_train_says_so_in_the_trainers_own_words() {
    let Some(python) = python() else { return };
    let world = World::new();
    let plates = Dataset::new(world.path("plates"));
    let plan = World::plan(&plates.write(), &python);
    // Gone between the look at it and the training.
    let gone = supervisor_after(&format!("rm -r '{}'", world.path("plates/images/val").display()));
    let tried = try_out(&world.engine, &plan, &gone, |_| ()).await.unwrap();
    assert_eq!(tried.trial, None);
    let [finding] = &tried.findings[..] else { panic!("{:?}", tried.findings) };
    assert_eq!(finding.code, "train.failed");
    assert!(format!("{finding:?}").contains("images/val"), "{finding:?}");
    assert_eq!(left(&world), 1, "its log can be read");
    assert!(!matches!(world.engine.forecast(&plan).await.unwrap().source, Source::Trial { .. }));
    // The next one clears up.
    let plan = World::plan(&plates.write(), &world.stand_in(&format!("{BEGINS}{ON_A_CARD}")));
    assert!(self::tried(&world, &plan).await.trial.is_some());
    assert_eq!(left(&world), 0);
}

/// What a card would tell.
const ON_A_CARD: &str = r#"
say '{"event":"trial","figures":{"steps":8,"batch":4,"step_s":0.05,"loading":0.2,"val_batch":8,"validation_s":0.03,"reserved":3221225472,"reserved_training":3000000000,"allocated":2900000000,"amp":true,"optimizer":"AdamW"}}'
"#;

#[tokio::test]
async fn what_a_card_tells_is_kept_as_it_was_told() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let plan = World::plan(&dataset, &world.stand_in(&format!("{BEGINS}{ON_A_CARD}")));
    let trial = tried(&world, &plan).await.trial.unwrap();
    assert_eq!(trial.figures.reserved, Some(3 << 30));
    assert_eq!(trial.figures.reserved_training, Some(3_000_000_000));
    assert!(trial.figures.amp);
    // Learned by another process: the supervisor.
    assert_eq!(world.engine.experience().trials, [trial]);
    let learned = preflight_engine::experience::learned(&world.engine).unwrap();
    assert_eq!((learned.trials, learned.runs), (1, 0));
    preflight_engine::experience::forget(&world.engine).unwrap();
    assert!(world.engine.experience().trials.is_empty());
}

#[tokio::test]
async fn a_trainer_that_ends_without_figures_is_no_trial() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let plan = World::plan(&dataset, &world.stand_in(BEGINS));
    let tried = tried(&world, &plan).await;
    assert_eq!((tried.trial, tried.findings[0].code.as_str()), (None, "train.ended"));
}

#[tokio::test]
async fn a_trial_is_cancelled_and_there_is_one_at_a_time() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let plan = World::plan(&dataset, &world.stand_in(&format!("{BEGINS} sleep 1000 & wait")));
    let cancel = |progress| {
        if matches!(progress, TryOutProgress::Training { .. }) {
            cancel_try_out(&world.engine);
        }
    };
    let supervisor = supervisor();
    let first = try_out(&world.engine, &plan, &supervisor, cancel);
    let second = async {
        tokio::task::yield_now().await;
        try_out(&world.engine, &plan, &supervisor, |_| ()).await
    };
    let (first, second) = tokio::join!(first, second);
    assert_eq!(second.unwrap_err().code, "trial.busy");
    assert_eq!(first.unwrap_err().code, "trial.cancelled");
    assert_eq!(left(&world), 0);
    assert!(processes_in(&world.path("home")).is_empty());
    assert!(world.engine.experience().trials.is_empty());
}

#[tokio::test]
async fn what_cannot_be_tried_is_refused_and_leaves_nothing() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let refused = async |plan: &Plan| try_out(&world.engine, plan, &supervisor(), |_| ()).await.unwrap_err().code;
    assert_eq!(refused(&World::plan(&dataset, Path::new("/no/python"))).await, "run.no-environment");
    let python = world.stand_in("");
    assert_eq!(refused(&World::plan(&world.path("nothing"), &python)).await, "dataset.not-found");
    assert_eq!(left(&world), 0);
}

#[tokio::test]
async fn a_finished_training_is_learned_from() {
    let world = World::new();
    let id = world.start(&world.epochs(3, 0.1)).await;
    world.end(&id).await;
    // The supervisor writes it down before it lets go of the run.
    let known = world.engine.experience();
    let [run] = &known.runs[..] else { panic!("{known:?}") };
    assert_eq!((run.run.as_str(), run.shape.batch, run.shape.cards, run.reserved), (id.as_str(), 4, 0, None));
    assert_eq!(run.amp, Some(false));
    assert_eq!(known.accuracy(), None, "no card, no record");
}
