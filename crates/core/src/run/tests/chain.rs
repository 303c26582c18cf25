//! How the chain of a run stands in every state.

use super::*;
use crate::environment::Environment;
use crate::finding::{Finding, Stage, Verb};
use crate::plan::Plan;
use crate::report::LinkState::{self, Active, Blocker, Cancelled, Ok, Paused, Pending, Unknown, Warning};
use crate::report::Report;

fn record() -> RunRecord {
    RunRecord {
        format: FORMAT,
        id: "1".into(),
        created_ms: 0,
        plan: Plan::default(),
        accepted: vec!["memory.too-little".into()],
        environment: Environment {
            python: "/p".into(),
            managed: false,
            python_version: String::new(),
            ultralytics: String::new(),
            torch: String::new(),
            torchvision: String::new(),
            torch_cuda: None,
            architectures: Vec::new(),
            cuda_available: false,
        },
        device: "0".into(),
        command: Vec::new(),
        variables: BTreeMap::new(),
        inherited: BTreeMap::new(),
        hardware: None,
        app_version: String::new(),
        trial: None,
    }
}

/// The links of what happens once a training is started.
fn chain(story: &Story) -> [LinkState; 3] {
    let report = Report::of_run(&record(), &story.progress(), story.now_ms);
    [Stage::Start, Stage::Train, Stage::Results]
        .map(|stage| report.links.iter().find(|link| link.stage == stage).unwrap().state)
}

fn found(finding: Finding) -> Event {
    Event::Found { finding }
}

#[test]
fn it_says_where_a_run_stands_and_why_it_does_not_go_on() {
    let begun = || Story::started().epoch(1);
    let early = || Story::new().after(0.1, Event::Preparing { supervisor: 1 });
    for (what, story, expected) in [
        ("queued", Story::new(), [Pending, Pending, Pending]),
        ("preparing", early(), [Active, Pending, Pending]),
        ("running", begun(), [Ok, Active, Pending]),
        ("asked to rest", begun().after(0.0, pause(false)), [Ok, Active, Pending]),
        ("asked to end", begun().after(0.0, cancel()), [Ok, Active, Pending]),
        ("paused", begun().after(0.0, pause(true)).after(1.0, exited(130)), [Ok, Paused, Pending]),
        (
            "paused before it began",
            early().after(0.0, pause(false)).after(0.0, Event::NotStarted),
            [Paused, Pending, Pending],
        ),
        ("cancelled", begun().after(0.0, cancel()).after(1.0, exited(130)), [Ok, Cancelled, Pending]),
        (
            "cancelled before it began",
            early().after(0.0, cancel()).after(0.0, Event::NotStarted),
            [Cancelled, Pending, Pending],
        ),
        ("failed", begun().after(1.0, exited(1)), [Ok, Blocker, Pending]),
        ("failed before it began", early().after(1.0, exited(1)), [Blocker, Pending, Pending]),
        ("lost", begun().after(1.0, Event::Lost), [Ok, Unknown, Pending]),
        ("lost before it began", early().after(1.0, Event::Lost), [Unknown, Pending, Pending]),
        ("going on", begun().after(1.0, Event::Lost).after(1.0, resumed()), [Pending, Pending, Pending]),
        ("finished", begun().said(1.0, done()).after(1.0, exited(0)), [Ok, Ok, Ok]),
    ] {
        assert_eq!(chain(&story), expected, "{what}");
    }
}

#[test]
fn what_was_found_stands_where_it_belongs() {
    let no_room = || found(Finding::blocker(Stage::Start, "no-room", Verb::Change));
    let rests = |now| Event::PauseRequested { reason: PauseReason::DiskFull, now };
    let full = Story::started().epoch(1).after(0.0, no_room()).after(0.0, rests(false));
    assert_eq!(chain(&full), [Blocker, Active, Pending], "it trains to the end of its epoch");
    let full = full.said(0.0, TrainerEvent::Paused { epoch: 1 }).after(1.0, exited(75));
    assert_eq!(chain(&full), [Blocker, Pending, Pending], "what is full keeps it from going on");

    let killed = found(Finding::blocker(Stage::Train, "killed", Verb::Change));
    assert_eq!(chain(&Story::started().after(0.0, killed).after(0.0, exited(1))), [Ok, Blocker, Pending]);
    let slow = || found(Finding::warning(Stage::Train, "slower"));
    assert_eq!(chain(&Story::started().after(0.0, slow())), [Ok, Warning, Pending]);

    let report = Report::of_run(&record(), &Story::started().progress(), 0);
    let state = |stage| report.links.iter().find(|link| link.stage == stage).unwrap().state;
    assert_eq!(state(Stage::Memory), Warning, "an accepted risk stays one");
    assert_eq!((state(Stage::Data), state(Stage::Quota)), (Ok, LinkState::NotNeeded));
}
