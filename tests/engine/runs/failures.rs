//! Trainings that fail for real, from the run's start to its diagnosis.

use preflight_core::report::LinkState;
use preflight_core::run::RunState;
use preflight_core::text::{Language, Message, Texts};
use preflight_engine::runs;

use super::ultralytics::python;
use super::world::{World, kill, supervisor_after};

#[path = "../../failures/mod.rs"]
mod reproduced;

use reproduced::{ALL, Failing, Scene};

/// Has one fail, and looks at what is said.
async fn diagnosed(name: &str) {
    let Some(python) = python() else { return };
    let world = World::new();
    let make = ALL.iter().find(|(other, _)| *other == name).expect("a failure of this name").1;
    let scene = world.path("scene");
    std::fs::create_dir(&scene).unwrap();
    let Some(Failing { cause, stage, plan, before, after, killed }) = make(&Scene { folder: &scene, python: &python })
    else {
        return;
    };
    let id = runs::start(&world.engine, &plan, &[], &supervisor_after(&before)).await.unwrap();
    if killed {
        let run = world.until(&id, "training", |run| run.progress.batch > 0).await;
        kill(run.progress.trainer.unwrap().0);
    }
    let run = world.end(&id).await;
    let _ = std::process::Command::new("sh").args(["-c", &after]).status();
    assert_eq!(run.progress.state, RunState::Failed, "{}", world.logs(&id));
    // Nobody asked: its supervisor found out.
    let line = run.why();
    let said = runs::diagnose(&world.engine, &id).unwrap().expect("it failed");
    assert_eq!(said.cause, cause, "{:#?}\n{}", said.finding, world.logs(&id));
    assert_eq!(line.map(|line| (line.cause, line.title)), Some((said.cause.clone(), said.finding.title())));
    assert!(!said.finding.evidence.is_empty());
    let broken = said.report.links.iter().find(|link| link.state == LinkState::Blocker).map(|link| link.stage);
    assert_eq!(broken, Some(stage), "{:#?}", said.report.links);
    assert!(!said.finding.remedies.is_empty(), "{:#?}", said.finding);
    tell(&said);
}

/// What a person reads, for whoever runs the tests with output.
fn tell(said: &preflight_core::diagnosis::RunDiagnosis) {
    for language in Language::ALL {
        let texts = Texts::new(language);
        let say = |message: &Message| message.render(&texts);
        println!("{} | {}", say(&said.finding.title()), say(&said.finding.detail()));
        for remedy in &said.finding.remedies {
            println!("  {:?}: {}", remedy.applicability, say(&remedy.message()));
        }
    }
}

macro_rules! failures {
    ($($test:ident: $name:literal),* $(,)?) => {
        $(#[tokio::test(flavor = "multi_thread")]
        async fn $test() {
            diagnosed($name).await;
        })*

        #[test]
        fn every_failure_has_a_test() {
            let mut names: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
            names.sort_unstable();
            let mut tested = vec![$($name),*];
            tested.sort_unstable();
            assert_eq!(names, tested);
        }
    };
}

failures! {
    losses_that_are_no_numbers: "losses-that-are-no-numbers",
    a_class_out_of_range: "class-out-of-range",
    labels_in_pixels: "labels-in-pixels",
    images_that_are_damaged: "images-damaged",
    weights_of_something_else: "weights-of-something-else",
    torch_that_is_missing: "torch-missing",
    torchvision_of_another_build: "torchvision-of-another-build",
    too_little_address_space: "address-space-short",
    a_container_that_is_too_small: "container-too-small",
    a_full_disk_of_results: "disk-of-results-full",
    images_that_are_not_permitted: "images-not-permitted",
    a_drive_that_was_unplugged: "drive-unplugged",
    a_trainer_that_somebody_killed: "killed-by-somebody",
}
