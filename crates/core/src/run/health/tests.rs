//! Hand-made runs that go wrong, real ones that do not, and arbitrary ones.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::finding::{Certainty, Severity};
use crate::run::RunEvent;
use crate::run::tests::{Story, any_event, batch, cancel, end_of_epoch, exited, start, usage};
use crate::text::Value;

const GIB: u64 = 1 << 30;

impl Story {
    /// Nothing is told for a while but what its processes use, as a supervisor notes it.
    fn waits(mut self, seconds: u32, usage: Usage) -> Self {
        for _ in 0..seconds / 5 {
            self = self.after(5.0, Event::Usage { usage });
        }
        self.after(f64::from(seconds % 5), Event::Usage { usage })
    }

    /// Some steps of an endless first epoch, each taking this long.
    fn steps(mut self, from: u32, count: u32, seconds: f64, loading: Option<f64>) -> Self {
        for step in from..from + count {
            let TrainerEvent::Batch { epoch, batches, losses, gpu_reserved, not_finite, .. } =
                batch(1, step, 1_000_000)
            else {
                unreachable!()
            };
            let said = TrainerEvent::Batch {
                epoch,
                batch: step,
                batches,
                losses,
                gpu_reserved,
                seconds: None,
                not_finite,
                loading,
            };
            self = self.said(seconds, said).after(0.0, Event::Usage { usage: usage() });
        }
        self
    }

    fn found(&self) -> Vec<Finding> {
        self.progress().findings_at(self.now_ms)
    }

    fn codes(&self) -> Vec<String> {
        self.found().into_iter().map(|finding| finding.code).collect()
    }
}

/// Every change of what is told along a run: the code, and whether it came or went.
fn changes(events: &[RunEvent]) -> Vec<(String, bool)> {
    let mut progress = Progress::default();
    let mut before: Vec<String> = Vec::new();
    let mut changes = Vec::new();
    for event in events {
        progress.apply(event);
        let now: Vec<String> = progress.findings_at(event.at_ms).into_iter().map(|finding| finding.code).collect();
        changes.extend(before.iter().filter(|code| !now.contains(code)).map(|code| (code.clone(), false)));
        changes.extend(now.iter().filter(|code| !before.contains(code)).map(|code| (code.clone(), true)));
        before = now;
    }
    changes
}

fn told(changes: &[(String, bool)]) -> Vec<(&str, bool)> {
    changes.iter().map(|(code, came)| (code.as_str(), *came)).collect()
}

fn idle() -> Usage {
    Usage { cpu: 0.001, ..usage() }
}

#[test]
fn a_step_that_does_not_come_is_a_stall_until_it_does() {
    let story = Story::started().steps(1, 60, 1.0, None).waits(119, idle());
    assert_eq!(story.codes(), [""; 0]);
    let story = story.waits(60, idle());
    let found = story.found();
    assert_eq!((found[0].code.as_str(), found[0].severity), ("train.stalled", Severity::Warning));
    assert_eq!(found[0].args["seconds"], Value::Number(179.0));
    assert_eq!(found[0].args["doing"], Value::from("idle"));
    assert_eq!(found[0].evidence.len(), 3);
    assert_eq!(story.steps(61, 1, 1.0, None).codes(), [""; 0]);
}

#[test]
fn where_nothing_is_told_at_all_the_time_now_counts() {
    let story = Story::started().steps(1, 60, 1.0, None);
    let progress = story.progress();
    assert_eq!(progress.findings_at(story.now_ms + 119_000), []);
    assert_eq!(progress.findings_at(story.now_ms + 120_000)[0].code, "train.stalled");
    // A clock that was set back is no reason to say anything.
    assert_eq!(progress.findings_at(0), []);
}

#[test]
fn a_trainer_that_takes_long_steps_gets_more_time() {
    let mut story = Story::started();
    for step in 1..6 {
        story = story.waits(30, usage()).steps(step, 1, 0.0, None);
    }
    story = story.waits(590, usage());
    assert_eq!(story.codes(), [""; 0]);
    assert_eq!(story.waits(20, usage()).codes(), ["train.stalled"]);
}

#[test]
fn loading_before_the_first_step_may_take_as_long_as_it_works() {
    let story = Story::started().waits(3000, usage());
    assert_eq!(story.codes(), [""; 0]);
    let story = story.waits(590, idle());
    assert_eq!(story.codes(), [""; 0]);
    assert_eq!(story.waits(15, idle()).codes(), ["train.stalled"]);
}

#[test]
fn making_the_dataset_ready_and_ending_are_no_stalls() {
    let story = Story::new().after(0.1, Event::Preparing { supervisor: 1 });
    assert_eq!(story.progress().findings_at(story.now_ms + 10_000_000), []);
    let story = Story::started().steps(1, 60, 1.0, None).waits(200, idle()).after(0.1, cancel());
    assert_eq!(story.codes(), [""; 0]);
    assert_eq!(story.after(1.0, exited(1)).codes(), [""; 0]);
}

#[test]
fn validation_and_what_comes_after_it_have_time() {
    let story = Story::started().epoch(1).waits(500, usage());
    assert_eq!(story.codes(), [""; 0]);
    assert_eq!(story.waits(120, usage()).codes(), ["train.stalled"]);
}

#[test]
fn a_night_asleep_is_no_stall() {
    let story = Story::started().steps(1, 60, 1.0, None);
    let before = story.progress();
    let story = story.after(8.0 * 3600.0, Event::Usage { usage: usage() }).steps(61, 1, 1.0, None);
    let after = story.progress();
    assert_eq!(after.health.clock_ms, before.health.clock_ms + 1000);
    assert_eq!(changes(&story.events), []);
}

fn ill(epoch: u32, step: u32) -> TrainerEvent {
    TrainerEvent::Batch {
        seconds: None,
        epoch,
        batch: step,
        batches: 20,
        losses: BTreeMap::new(),
        gpu_reserved: 0,
        not_finite: vec!["box_loss".into(), "dfl_loss".into()],
        loading: None,
    }
}

fn finished(epoch: u32, not_finite: Vec<String>) -> TrainerEvent {
    let TrainerEvent::Epoch { metrics, learning_rates, seconds, .. } = end_of_epoch(epoch, 1.0) else { unreachable!() };
    let losses = BTreeMap::from([("cls_loss".to_owned(), 1.0)]);
    TrainerEvent::Epoch { epoch, losses, not_finite, metrics, learning_rates, seconds }
}

#[test]
fn losses_that_are_no_numbers_are_told_until_an_epoch_is_sound() {
    let story = Story::started().said(1.0, batch(2, 11, 20)).said(1.0, ill(2, 12)).said(1.0, ill(2, 13));
    let found = story.found();
    assert_eq!(found[0].code, "train.not-finite");
    assert_eq!((&found[0].args["epoch"], &found[0].args["step"]), (&Value::Number(2.0), &Value::Number(12.0)));
    // The trainer goes back to its last weights and begins the epoch anew, and it happens again.
    let story = story.said(5.0, batch(2, 1, 20)).said(1.0, ill(2, 12)).said(1.0, finished(2, vec!["box_loss".into()]));
    assert_eq!(story.codes(), ["train.not-finite"]);
    let story = story.said(5.0, batch(3, 1, 20)).said(1.0, finished(3, Vec::new()));
    assert_eq!(story.codes(), [""; 0]);
    assert_eq!(told(&changes(&story.events)), [("train.not-finite", true), ("train.not-finite", false)]);
}

#[test]
fn a_training_that_becomes_slower_is_told_once_within_minutes() {
    let fast = Story::started().steps(1, 600, 1.0, None);
    assert_eq!(fast.codes(), [""; 0]);
    let before = fast.now_ms;
    let mut slow = fast;
    let mut step = 601;
    while slow.codes().is_empty() {
        slow = slow.steps(step, 1, 2.0, None);
        step += 1;
    }
    assert!(slow.now_ms - before < 5 * 60_000, "{}", slow.now_ms - before);
    let found = slow.found();
    assert_eq!((found[0].code.as_str(), &found[0].args["times"]), ("train.slower", &Value::Number(2.0)));
    let story = slow.steps(step, 300, 1.4, None).steps(step + 300, 600, 1.0, None);
    assert_eq!(told(&changes(&story.events)), [("train.slower", true), ("train.slower", false)]);
}

#[test]
fn validation_does_not_make_a_training_slower() {
    let mut story = Story::started();
    for epoch in 1..40 {
        for step in 1..=20 {
            story = story.said(1.0, batch(epoch, step, 20));
        }
        // Longer each time: a model that learns finds more boxes to judge.
        story = story.said(f64::from(epoch), TrainerEvent::Validation { epoch, batch: 2, batches: 2 });
        story = story.said(1.0, end_of_epoch(epoch, 1.0));
    }
    assert_eq!(changes(&story.events), []);
}

#[test]
fn a_model_that_waits_for_images_is_told() {
    let story = Story::started().steps(1, 400, 1.0, Some(0.62));
    let found = story.found();
    assert_eq!((found[0].code.as_str(), found[0].stage.name()), ("data.loading-slow", "data"));
    let Value::Number(share) = found[0].args["share"] else { panic!("{found:?}") };
    assert!((share - 0.62).abs() < 0.01);
    let story = story.steps(401, 400, 1.0, Some(0.45)).steps(801, 400, 1.0, Some(0.1));
    assert_eq!(told(&changes(&story.events)), [("data.loading-slow", true), ("data.loading-slow", false)]);
    assert!(story.progress().loading_share.unwrap() < 0.2);
    assert_eq!(Story::started().steps(1, 400, 1.0, None).progress().loading_share, None);
}

/// What is told of a run whose processes use this, for ten minutes.
fn measured(usage: Usage) -> Vec<Finding> {
    let mut story = Story::started();
    for step in 1..120 {
        story = story.said(0.0, batch(1, step, 1000)).after(5.0, Event::Usage { usage });
    }
    story.found()
}

#[test]
fn what_runs_out_is_told_with_what_is_left() {
    assert_eq!(measured(usage()), []);
    let ram = measured(Usage { memory_free: Some((GIB, 32 * GIB)), ..usage() });
    assert_eq!(ram[0].code, "memory.ram-nearly-full");
    let gpu = measured(Usage { gpu_free: Some((GIB / 8, 24 * GIB)), ..usage() });
    assert_eq!((gpu[0].code.as_str(), gpu[0].certainty), ("memory.gpu-nearly-full", Certainty::Predicted));
    assert_eq!(gpu[0].remedies[0].id, "set-batch");
    let disk = measured(Usage { disk_free: Some(GIB / 8), ..usage() });
    assert_eq!((disk[0].code.as_str(), disk[0].certainty), ("start.disk-running-out", Certainty::Certain));
    let hot = measured(Usage { gpu_trouble: Some(GpuTrouble::Hot { temperature: Some(91) }), ..usage() });
    assert_eq!(hot[0].code, "gpu_pool.too-hot");
    let lost = measured(Usage { gpu_trouble: Some(GpuTrouble::Lost), ..usage() });
    assert_eq!((lost[0].code.as_str(), lost[0].severity), ("gpu_pool.lost", Severity::Blocker));
    // Nothing of it was told: nothing is said.
    let silent = Usage { memory_free: None, disk_free: None, ..usage() };
    assert_eq!(measured(silent), []);
    assert_eq!(measured(Usage { memory_free: Some((0, 0)), gpu_free: Some((0, 0)), ..usage() }), []);
}

#[test]
fn a_disk_that_fills_is_foreseen_and_one_large_file_is_not() {
    // 1000 epochs of 24 s are left: more than six hours.
    let long = |story: Story| {
        story.said(
            1.0,
            TrainerEvent::Start {
                epochs: 1000,
                first_epoch: 1,
                batch: 8,
                batches: 20,
                imgsz: 160,
                device: "cpu".into(),
                amp: false,
                optimizer: "AdamW".into(),
                parameters: 3_000_000,
                train_images: 160,
                val_images: 32,
                plots: false,
            },
        )
    };
    let fill = |falls: fn(u64) -> u64| {
        let mut story = long(Story::started());
        let mut free = 40 * GIB;
        for epoch in 1..40 {
            story = story.epoch(epoch);
            free -= falls(epoch.into());
            story = story.after(0.0, Event::Usage { usage: Usage { disk_free: Some(free), ..usage() } });
        }
        story
    };
    let steady = fill(|_| GIB / 16);
    let found = steady.found();
    assert_eq!((found[0].code.as_str(), found[0].certainty), ("start.disk-running-out", Certainty::Predicted));
    assert_eq!(told(&changes(&steady.events)), [("start.disk-running-out", true)]);
    assert_eq!(changes(&fill(|epoch| if epoch % 10 == 0 { 2 * GIB } else { 0 }).events), []);
}

#[test]
fn a_batch_that_the_trainer_halved_is_told_for_good() {
    let story = Story::started().said(1.0, start(4)).said(1.0, start(2)).said(1.0, batch(1, 1, 80));
    let found = story.found();
    assert_eq!(found[0].code, "memory.batch-halved");
    assert_eq!((&found[0].args["before"], &found[0].args["batch"]), (&Value::Number(8.0), &Value::Number(2.0)));
    // A trainer that was started anew says its own; a smaller batch was chosen then.
    let story = Story::started().after(1.0, Event::Launched { pid: 9, began_s: 2 }).said(1.0, start(4));
    assert_eq!(story.codes(), [""; 0]);
}

#[test]
fn a_finished_run_keeps_what_is_about_it_and_not_how_its_last_minutes_were() {
    let full = Usage { memory_free: Some((GIB, 32 * GIB)), ..usage() };
    let story = Story::started().said(1.0, start(4)).waits(60, full);
    assert_eq!(story.codes(), ["memory.ram-nearly-full", "memory.batch-halved"]);
    let killed = Story { events: story.events.clone(), ..story };
    assert_eq!(killed.after(1.0, exited(137)).codes(), ["memory.ram-nearly-full", "memory.batch-halved"]);
    let well = story.said(1.0, crate::run::tests::done()).after(1.0, exited(0));
    assert_eq!(well.codes(), ["memory.batch-halved"]);
}

/// What supervisors wrote of real trainings by Ultralytics 8.4.190 on a busy computer of two cores: 12 epochs of 12 steps
/// that went well, and one whose box loss was infinite from the start. The trainer went back to its last weights three
/// times and gave up.
const HEALTHY: &str = include_str!("healthy.jsonl");
const NOT_FINITE: &str = include_str!("not-finite.jsonl");

fn real(lines: &str) -> Vec<RunEvent> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_real_run_that_goes_well_has_nothing_to_tell() {
    let events = real(HEALTHY);
    assert_eq!(changes(&events), []);
    let progress = Progress::of(&events);
    assert_eq!((progress.state, progress.history.len()), (RunState::Succeeded, 12));
    assert!(progress.loading_share.is_some_and(|share| share > 0.0 && share < 0.3), "{:?}", progress.loading_share);
}

#[test]
fn a_real_run_that_diverges_is_told_once_at_its_first_step() {
    let events = real(NOT_FINITE);
    assert_eq!(told(&changes(&events)), [("train.not-finite", true)]);
    let found = Progress::of(&events).findings_at(0);
    assert_eq!((&found[0].args["epoch"], &found[0].args["step"]), (&Value::Number(1.0), &Value::Number(1.0)));
    assert_eq!(found[0].evidence, [crate::finding::Evidence::value("fact-losses-not-finite", "box_loss")]);
}

/// The computer had other things to do, so that epochs took from 4 to 7 seconds, the first longest; still, what was left up to the final
/// validation was known well enough. The seconds that the trainer then draws curves are not counted.
#[test]
fn the_time_left_of_a_real_run_was_about_right() {
    let events = real(HEALTHY);
    let validates =
        |event: &&RunEvent| matches!(&event.event, Event::Trainer { said: TrainerEvent::Validation { .. } });
    let end_ms = events.iter().rfind(validates).unwrap().at_ms;
    let mut progress = Progress::default();
    let mut looked = 0;
    for event in events.iter().take_while(|event| event.at_ms < end_ms) {
        progress.apply(event);
        if progress.history.is_empty() || !matches!(event.event, Event::Trainer { .. }) {
            continue;
        }
        let left = f64::from(u32::try_from(end_ms - event.at_ms).unwrap()) / 1000.0;
        let told = progress.remaining_s.unwrap();
        assert!((told - left).abs() < (left * 0.5).max(4.0), "epoch {}: {told} instead of {left}", progress.epoch);
        looked += 1;
    }
    assert!(looked > 100);
}

/// A day of training: what is kept does not grow with it.
#[test]
fn what_is_kept_of_a_day_is_small() {
    let mut story = Story::started();
    for epoch in 1..=100 {
        story = story.epoch(epoch).after(1.0, Event::Usage { usage: usage() });
    }
    let size = |story: &Story| serde_json::to_string(&story.progress().health).unwrap().len();
    let early = size(&story);
    for epoch in 101..=1000 {
        story = story.epoch(epoch).after(1.0, Event::Usage { usage: usage() });
    }
    assert!(size(&story) < early + 200, "{early} bytes became {}", size(&story));
    assert_eq!(changes(&story.events), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_comes_findings_can_be_told(
        events in proptest::collection::vec((0..200_000u64, any_event()), 0..120),
        later in any::<u64>(),
    ) {
        let mut progress = Progress::default();
        let mut at_ms = 0;
        for (seq, (passes, event)) in events.into_iter().enumerate() {
            at_ms += passes;
            progress.apply(&RunEvent { seq: u32::try_from(seq).unwrap(), at_ms, event });
            for now in [at_ms, later] {
                for finding in progress.findings_at(now).split_off(progress.findings.len()) {
                    prop_assert!(finding.verb.is_some() && !finding.remedies.is_empty(), "{finding:?}");
                    let numbers = finding.args.values().all(|value| match value {
                        Value::Number(number) => number.is_finite(),
                        Value::Text(_) => true,
                    });
                    prop_assert!(numbers, "{finding:?}");
                }
            }
            prop_assert!(progress.loading_share.is_none_or(|share| (0.0..=1.0).contains(&share)));
        }
        prop_assert!(serde_json::to_string(&progress.health).unwrap().len() < 4000);
    }

    /// Steps that take between three quarters and five quarters of the usual time are a healthy run.
    #[test]
    fn a_run_that_wavers_is_healthy(paces in proptest::collection::vec(0.75..1.25f64, 50..120)) {
        let mut story = Story::started();
        for (index, pace) in (0_u32..).zip(&paces) {
            story = story.steps(1 + index * 10, 10, *pace, Some(0.2));
        }
        prop_assert_eq!(changes(&story.events), []);
    }
}
