//! Facts as they are gathered on this computer, and what the chain makes of them.

use std::path::Path;

use preflight_core::finding::Stage;
use preflight_core::plan::{Device, Plan, Target, Weights};
use preflight_core::report::{LinkState, Report, Verdict};
use preflight_engine::Engine;
use preflight_engine::dirs::Dirs;

fn plan(dataset: &Path, python: Option<&Path>) -> Plan {
    let mut plan = Plan { dataset: dataset.to_owned(), ..Plan::default() };
    plan.model.weights = Weights::Scratch;
    plan.target = Target::ThisComputer { device: Device::Cpu, python: python.map(Path::to_owned) };
    plan
}

fn state(report: &Report, stage: Stage) -> LinkState {
    report.links.iter().find(|link| link.stage == stage).unwrap().state
}

fn codes(report: &Report) -> Vec<&str> {
    report.blockers().map(|finding| finding.code.as_str()).collect()
}

#[tokio::test]
async fn a_fresh_home_has_no_environment_and_no_dataset() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::open(Dirs::new(home.path())).unwrap();
    let report = engine.preflight(&plan(Path::new(""), None)).await;
    assert_eq!(codes(&report), ["image.missing", "data.not-chosen"]);
    assert_eq!(report.verdict(&[], false), Verdict::Blocked);
    for (stage, expected) in [
        (Stage::Auth, LinkState::NotNeeded),
        (Stage::Quota, LinkState::NotNeeded),
        (Stage::Driver, LinkState::NotNeeded),
        (Stage::GpuPool, LinkState::Ok),
        (Stage::Start, LinkState::Ok),
        (Stage::Train, LinkState::Pending),
    ] {
        assert_eq!(state(&report, stage), expected, "{stage:?}");
    }
}

#[tokio::test]
async fn a_dataset_that_is_gone_blocks_and_a_python_that_is_gone_as_well() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::open(Dirs::new(home.path())).unwrap();
    let nowhere = home.path().join("nowhere");
    let report = engine.preflight(&plan(&nowhere.join("data.yaml"), Some(&nowhere.join("bin/python")))).await;
    assert_eq!(codes(&report), ["image.python-missing", "data.unreadable"]);
}

/// An environment is tried once and then taken to be what it was, until something in its folder changes.
#[cfg(unix)]
#[tokio::test]
async fn an_environment_is_tried_again_when_it_changed() {
    use std::os::unix::fs::PermissionsExt;

    let home = tempfile::tempdir().unwrap();
    let engine = Engine::open(Dirs::new(home.path().join("home"))).unwrap();
    let (bin, tries) = (home.path().join("environment/bin"), home.path().join("tries"));
    let packages = home.path().join("environment/lib/python3.12/site-packages");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::create_dir_all(&packages).unwrap();
    let python = bin.join("python");
    std::fs::write(&python, format!("#!/bin/sh\necho tried >> '{}'\nexit 3\n", tries.display())).unwrap();
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
    let tried = || std::fs::read_to_string(&tries).unwrap_or_default().lines().count();

    let plan = plan(Path::new(""), Some(&python));
    // A plan may come from anyone, and name any program.
    for named in [python.clone(), engine.dirs().environment().join("../../environment/bin/python")] {
        std::fs::create_dir_all(engine.dirs().environment()).unwrap();
        let report = engine.preflight(&self::plan(Path::new(""), Some(&named))).await;
        assert_eq!(codes(&report), ["image.python-not-accepted", "data.not-chosen"]);
    }
    assert_eq!(tried(), 0, "nobody said that it may be started");
    engine.accept_python(&python).unwrap();
    let report = engine.preflight(&plan).await;
    assert_eq!(codes(&report), ["image.broken", "data.not-chosen"]);
    let once = tried();
    assert!(once > 0);
    engine.preflight(&plan).await;
    assert_eq!(tried(), once, "nothing changed");
    std::fs::create_dir(packages.join("torch")).unwrap();
    engine.preflight(&plan).await;
    let twice = tried();
    assert!(twice > once, "a package came");
    engine.forget_observations();
    engine.preflight(&plan).await;
    assert!(tried() > twice, "a person wants to see it anew");
}

#[tokio::test]
async fn memory_is_estimated_before_and_after_the_first_look() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::open(Dirs::new(home.path())).unwrap();
    let mut plan = plan(Path::new(""), None);
    let before = engine.forecast(&plan).await.unwrap().estimate;
    assert!(before.supply.is_some() && before.zone.is_some());
    engine.preflight(&plan).await;
    plan.training.batch *= 2;
    let after = engine.forecast(&plan).await.unwrap().estimate;
    assert!(after.need.expected > before.need.expected);
    plan.model.name = "unknown".to_owned();
    assert_eq!(engine.forecast(&plan).await, None);
}
