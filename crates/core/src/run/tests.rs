//! States and progress over hand-made and arbitrary runs.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::finding::{Finding, Stage};

mod chain;

pub(super) struct Story {
    pub(super) events: Vec<RunEvent>,
    pub(super) now_ms: u64,
}

impl Story {
    pub(super) fn new() -> Self {
        Self { events: Vec::new(), now_ms: 1_000_000 }
    }

    pub(super) fn after(mut self, seconds: f64, event: Event) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
        let wait_ms = (seconds * 1000.0) as u64;
        self.now_ms += wait_ms;
        let seq = u32::try_from(self.events.len()).unwrap();
        self.events.push(RunEvent { seq, at_ms: self.now_ms, event });
        self
    }

    pub(super) fn said(self, seconds: f64, said: TrainerEvent) -> Self {
        self.after(seconds, Event::Trainer { said })
    }

    /// Up to the first epoch: 10 epochs of 20 steps, 2 validation steps.
    pub(super) fn started() -> Self {
        Self::new()
            .after(0.1, Event::Preparing { supervisor: 10 })
            .after(0.1, Event::DatasetReady { linked: 200, copied: 1, copied_bytes: 7, fingerprint: None })
            .after(0.1, Event::Launched { pid: 11, began_s: 1 })
            .said(0.2, TrainerEvent::Boot { pid: 11, python: "3.11.7".into() })
            .said(3.0, start(8))
    }

    /// One epoch as it goes in life: 1 s a step, 4 s of validation.
    pub(super) fn epoch(mut self, epoch: u32) -> Self {
        for step in 1..=20 {
            self = self.said(1.0, batch(epoch, step, 20));
        }
        self.said(2.0, TrainerEvent::Validation { epoch, batch: 1, batches: 2 })
            .said(1.0, TrainerEvent::Validation { epoch, batch: 2, batches: 2 })
            .said(1.0, end_of_epoch(epoch, f64::from(epoch) * 24.0))
    }

    pub(super) fn progress(&self) -> Progress {
        Progress::of(&self.events)
    }
}

pub(super) fn start(batch: u32) -> TrainerEvent {
    TrainerEvent::Start {
        epochs: 10,
        first_epoch: 1,
        batch,
        batches: 160 / batch,
        imgsz: 160,
        device: "cpu".into(),
        amp: false,
        optimizer: "AdamW".into(),
        parameters: 3_011_238,
        train_images: 160,
        val_images: 32,
        plots: false,
    }
}

pub(super) fn batch(epoch: u32, batch: u32, batches: u32) -> TrainerEvent {
    TrainerEvent::Batch {
        epoch,
        batch,
        batches,
        losses: BTreeMap::new(),
        gpu_reserved: 0,
        seconds: None,
        not_finite: Vec::new(),
        loading: None,
    }
}

pub(super) fn end_of_epoch(epoch: u32, seconds: f64) -> TrainerEvent {
    let (losses, metrics, learning_rates) = <(BTreeMap<_, _>, BTreeMap<_, _>, BTreeMap<_, _>)>::default();
    TrainerEvent::Epoch { epoch, losses, not_finite: Vec::new(), metrics, learning_rates, seconds }
}

pub(super) fn done() -> TrainerEvent {
    TrainerEvent::Done {
        metrics: BTreeMap::from([("metrics/mAP50(B)".to_owned(), 0.95)]),
        best: "/r/output/weights/best.pt".into(),
        folder: "/r/output".into(),
        seconds: 250.0,
        classes: Vec::new(),
        confusion: None,
    }
}

/// What a training uses that is at work on a computer that has enough of everything.
pub(super) fn usage() -> Usage {
    Usage {
        cpu: 1.0,
        memory: 2 << 30,
        gpu_memory: None,
        gpu_most: None,
        gpu_utilization: None,
        gpu_free: None,
        gpu_trouble: None,
        memory_free: Some((20 << 30, 32 << 30)),
        disk_free: Some(100 << 30),
    }
}

fn pause(now: bool) -> Event {
    Event::PauseRequested { reason: PauseReason::User, now }
}

fn resumed() -> Event {
    Event::Resumed { by: ResumeReason::User, changes: Changes::default() }
}

pub(super) fn exited(code: i32) -> Event {
    Event::Exited { code: Some(code), signal: None }
}

pub(super) fn cancel() -> Event {
    Event::CancelRequested { reason: CancelReason::User }
}

#[test]
fn a_run_passes_through_its_states() {
    let mut story = Story::new();
    assert_eq!(story.progress().state, RunState::Queued);
    story = story.after(0.0, Event::Preparing { supervisor: 1 });
    assert_eq!(story.progress().state, RunState::Preparing);
    story = Story::started();
    assert_eq!(story.progress().state, RunState::Running);
    story = story.epoch(1).said(1.0, done());
    assert_eq!(story.progress().state, RunState::Running);
    story = story.after(1.0, exited(0));
    let progress = story.progress();
    assert_eq!(progress.state, RunState::Succeeded);
    assert_eq!(progress.ended_ms, Some(story.now_ms));
    assert_eq!(progress.copied_bytes, 7);
}

#[test]
fn only_a_trainer_that_said_done_and_left_with_0_succeeded() {
    let end = |story: Story, code| story.after(1.0, exited(code)).progress().state;
    assert_eq!(end(Story::started(), 0), RunState::Failed);
    assert_eq!(end(Story::started().said(1.0, done()), 1), RunState::Failed);
    assert_eq!(end(Story::started().said(1.0, done()), 0), RunState::Succeeded);
}

#[test]
fn a_cancelled_run_is_cancelled_however_its_trainer_ends() {
    let cancelled = |story: Story| story.progress().state;
    assert_eq!(cancelled(Story::started().after(1.0, cancel()).after(1.0, exited(130))), RunState::Cancelled);
    assert_eq!(cancelled(Story::started().after(1.0, cancel()).after(1.0, exited(0))), RunState::Cancelled);
    assert_eq!(cancelled(Story::started().after(1.0, cancel()).after(1.0, Event::Lost)), RunState::Cancelled);
    assert_eq!(cancelled(Story::new().after(1.0, cancel()).after(1.0, Event::NotStarted)), RunState::Cancelled);
    // It was done before the request arrived.
    let story = Story::started().said(1.0, done()).after(0.0, cancel()).after(1.0, exited(0));
    assert_eq!(cancelled(story), RunState::Succeeded);
}

#[test]
fn a_run_rests_and_goes_on() {
    let rested = Story::started()
        .epoch(1)
        .after(1.0, pause(false))
        .epoch(2)
        .said(0.0, TrainerEvent::Paused { epoch: 2 })
        .after(1.0, exited(75));
    let progress = rested.progress();
    assert_eq!(progress.state, RunState::Paused);
    assert_eq!((progress.paused_ms, progress.ended_ms), (Some(rested.now_ms), None));
    assert_eq!(progress.trained_s, 50.0);
    assert_eq!(progress.remaining_s, None);

    let story = rested.after(1000.0, resumed());
    let progress = story.progress();
    assert_eq!(progress.state, RunState::Queued);
    assert_eq!((progress.resumed, progress.resumed_after, progress.epoch), (1, 2, 2));
    assert_eq!((progress.pausing, progress.paused, progress.exit), (None, false, None));
    let TrainerEvent::Start { epochs, batches, imgsz, device, amp, optimizer, parameters, .. } = start(8) else {
        unreachable!()
    };
    let again = TrainerEvent::Start {
        first_epoch: 3,
        batch: 8,
        epochs,
        batches,
        imgsz,
        device,
        amp,
        optimizer,
        parameters,
        train_images: 160,
        val_images: 32,
        plots: false,
    };
    let mut story = story.after(0.1, Event::Preparing { supervisor: 20 }).said(3.0, again);
    for step in 1..=20 {
        story = story.said(1.0, batch(3, step, 20));
    }
    let story = story.said(4.0, end_of_epoch(3, 24.0));
    let progress = story.progress();
    assert_eq!(progress.state, RunState::Running);
    // Resting is no training.
    assert_eq!(progress.history.last().unwrap().seconds, 74.0);
    let remaining = progress.remaining_s.unwrap();
    assert!((remaining - (7.0 * 24.0 + 4.0)).abs() < 1.0, "{remaining}");
}

#[test]
fn what_a_pause_comes_to() {
    let end = |story: Story| story.progress().state;
    let paused = || TrainerEvent::Paused { epoch: 1 };
    assert_eq!(end(Story::started().after(0.0, pause(true)).after(1.0, exited(130))), RunState::Paused);
    assert_eq!(end(Story::new().after(0.0, pause(false)).after(1.0, Event::NotStarted)), RunState::Paused);
    // It was in its last epoch.
    let finished = Story::started().after(0.0, pause(false)).said(1.0, done()).after(1.0, exited(0));
    assert_eq!(end(finished), RunState::Succeeded);
    // It failed before the epoch was over.
    assert_eq!(end(Story::started().after(0.0, pause(false)).after(1.0, exited(1))), RunState::Failed);
    // Taken back too late: it rests, as the trainer says.
    let late = Story::started().after(0.0, pause(false)).said(1.0, paused()).after(0.0, Event::PauseWithdrawn);
    assert_eq!(end(late.after(1.0, exited(75))), RunState::Paused);
    // Whoever ends it wins, before and while it rests.
    let ended =
        Story::started().after(0.0, pause(false)).after(0.0, cancel()).said(1.0, paused()).after(1.0, exited(75));
    assert_eq!(end(ended), RunState::Cancelled);
    let rested = Story::started().after(0.0, pause(true)).after(1.0, exited(130));
    assert_eq!(end(rested.after(0.0, cancel()).after(0.0, Event::NotStarted)), RunState::Cancelled);
}

#[test]
fn what_finished_stays_finished() {
    let story = Story::started().said(1.0, done()).after(1.0, exited(0)).after(1.0, resumed());
    assert_eq!(story.progress().state, RunState::Succeeded);
    assert_eq!(Story::started().after(1.0, resumed()).progress().resumed, 0, "nor does one go on that is under way");
    for end in [Event::Lost, exited(1)] {
        assert_eq!(Story::started().after(1.0, end).after(1.0, resumed()).progress().state, RunState::Queued);
    }
}

#[test]
fn a_trainer_whose_end_nobody_saw_is_believed() {
    let unseen = || Event::Exited { code: None, signal: None };
    let end = |story: Story| story.after(1.0, unseen()).progress().state;
    assert_eq!(end(Story::started().said(1.0, done())), RunState::Succeeded);
    assert_eq!(end(Story::started()), RunState::Failed);
}

#[test]
fn a_clock_that_is_set_and_a_computer_that_slept_change_no_estimate() {
    let all = 10.0 * 24.0 + 4.0;
    let mut story = Story::started();
    let mut clock = 0.0;
    for step in 1..=20 {
        // Eight hours of sleep in the middle of the first epoch, and a clock that goes back after it.
        let wait = if step == 10 { 8.0 * 3600.0 } else { 1.0 };
        clock += 1.0;
        let said = TrainerEvent::Batch {
            epoch: 1,
            batch: step,
            batches: 20,
            losses: BTreeMap::new(),
            gpu_reserved: 0,
            seconds: Some(clock),
            not_finite: Vec::new(),
            loading: None,
        };
        story = story.said(wait, said);
        if step == 15 {
            story.now_ms -= 3 * 3_600_000;
        }
    }
    let remaining = story.progress().remaining_s.unwrap();
    assert!((remaining - (all - 20.0)).abs() < 0.2 * all, "{remaining}");
    story.now_ms -= 4 * 3_600_000;
    let progress = story.said(4.0, end_of_epoch(1, 24.0)).after(1.0, exited(1)).progress();
    assert!(progress.trained_s >= 0.0 && progress.history[0].seconds == 24.0);
}

#[test]
fn time_remaining_is_sensible_from_the_first_epoch_on() {
    // Ten epochs of 24 s and 4 s for the final validation.
    let all = 10.0 * 24.0 + 4.0;
    let mut story = Story::started().said(3.0, batch(1, 1, 20)).said(1.0, batch(1, 2, 20));
    // Nothing is known of validation yet: it is taken from the steps.
    let remaining = story.progress().remaining_s.unwrap();
    assert!((remaining - (all - 2.0)).abs() < 0.2 * all, "{remaining}");
    let mut elapsed = 0.0;
    story = Story::started();
    for epoch in 1..=9 {
        story = story.epoch(epoch);
        elapsed += 24.0;
        let remaining = story.progress().remaining_s.unwrap();
        assert!((remaining - (all - elapsed)).abs() < 0.5, "epoch {epoch}: {remaining}");
        story = story.said(1.0, batch(epoch + 1, 1, 20));
        let remaining = story.progress().remaining_s.unwrap();
        assert!((remaining - (all - elapsed - 1.0)).abs() < 0.5, "epoch {epoch} + 1 step: {remaining}");
        story.events.pop();
        story.now_ms -= 1000;
    }
    story = story.epoch(10);
    assert_eq!(story.progress().remaining_s, Some(4.0));
    story = story.said(2.0, TrainerEvent::Validation { epoch: 11, batch: 1, batches: 2 });
    assert_eq!(story.progress().remaining_s, Some(2.0));
    story = story.said(2.0, done());
    assert_eq!(story.progress().remaining_s, None);
}

#[test]
fn drawing_the_curves_takes_its_time_too() {
    let mut told = serde_json::to_value(start(8)).unwrap();
    told["plots"] = true.into();
    let mut story = Story::new().said(0.0, serde_json::from_value(told).unwrap());
    for epoch in 1..=9 {
        story = story.epoch(epoch);
    }
    assert_eq!(story.progress().remaining_s, Some(24.0 + 4.0 + 8.0));
    // Nothing got better for a while: it ends before its last epoch, and says so by what it does next.
    let story = story.said(2.0, TrainerEvent::Validation { epoch: 11, batch: 2, batches: 2 });
    assert_eq!((story.progress().finishing, story.progress().remaining_s), (true, Some(8.0)));
}

#[test]
fn an_epoch_that_was_only_found_counts_like_one_that_was_told() {
    let point = |epoch| {
        let point = table::epochs(&format!("epoch,time,train/box_loss\n{epoch},48,1.5\n")).remove(0);
        Event::EpochFound { point }
    };
    let story = Story::started().epoch(1).after(1.0, point(2)).after(1.0, Event::Lost).after(1.0, resumed());
    let progress = story.progress();
    assert_eq!(progress.history.iter().map(|point| point.epoch).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(progress.history[1].losses["box_loss"], 1.5);
    assert_eq!((progress.resumed_after, progress.epoch), (2, 2));
}

#[test]
fn what_the_dataset_holds_is_known_from_then_on() {
    let story = Story::started().after(1.0, Event::DatasetHashed { fingerprint: "ab".into() }).after(1.0, Event::Lost);
    let story = story.after(1.0, resumed()).after(0.1, Event::Preparing { supervisor: 1 });
    let story = story.after(0.1, Event::DatasetReady { linked: 1, copied: 0, copied_bytes: 0, fingerprint: None });
    assert_eq!(story.progress().fingerprint.as_deref(), Some("ab"));
}

#[test]
fn a_halved_batch_starts_a_new_pace() {
    let story = Story::started().said(1.0, batch(1, 1, 20)).said(1.0, start(4)).said(9.0, batch(1, 1, 40));
    let progress = story.progress();
    assert_eq!((progress.batch_size, progress.batches, progress.batch), (4, 40, 1));
    assert_eq!(progress.remaining_s, None);
    let progress = story.said(2.0, batch(1, 2, 40)).progress();
    assert!(progress.remaining_s.unwrap() > 10.0 * 40.0 * 2.0 * 0.9);
}

#[test]
fn the_first_error_is_the_cause() {
    let error =
        |class: &str| TrainerEvent::Error { class: class.into(), text: String::new(), traceback: String::new() };
    let story = Story::started().said(1.0, error("ValueError")).said(0.1, error("CalledProcessError"));
    assert_eq!(story.progress().error.unwrap().0, "ValueError");
}

#[test]
fn an_event_seen_twice_counts_once() {
    let story = Story::started().epoch(1);
    let mut twice = story.events.clone();
    twice.extend(story.events.clone());
    assert_eq!(Progress::of(&twice), story.progress());
}

/// What `train.py` told of a real training by Ultralytics 8.4.190: 2 epochs of 3 steps on the CPU.
const REAL: &str = include_str!("trainer-8.4.190.jsonl");

#[test]
fn a_real_trainer_is_understood() {
    let mut story = Story::new().after(0.0, Event::Preparing { supervisor: 1 });
    for line in REAL.lines() {
        story = story.said(1.0, serde_json::from_str(line).unwrap());
    }
    let progress = story.after(1.0, exited(0)).progress();
    assert_eq!(progress.state, RunState::Succeeded);
    assert_eq!((progress.epochs, progress.batch_size, progress.batches, progress.imgsz), (2, 8, 3, 160));
    assert_eq!(progress.versions, Some(("8.4.190".to_owned(), "2.15.0+cu132".to_owned())));
    assert_eq!(progress.history.len(), 2);
    assert!(progress.history[1].losses["box_loss"] > 0.0);
    assert!(progress.metrics.contains_key("metrics/mAP50-95(B)"));
    assert!(progress.best.unwrap().ends_with("output/weights/best.pt"));
}

pub(super) fn any_event() -> impl Strategy<Value = Event> {
    let count = prop_oneof![Just(0), Just(1), 2..50u32, Just(u32::MAX)];
    let number = prop_oneof![Just(0.0), Just(-1.0), Just(f64::MAX), (0..10_000u32).prop_map(f64::from)];
    prop_oneof![
        any::<u32>().prop_map(|supervisor| Event::Preparing { supervisor }),
        Just(Event::DatasetReady { linked: 1, copied: 0, copied_bytes: 0, fingerprint: None }),
        any::<u32>().prop_map(|pid| Event::Launched { pid, began_s: 0 }),
        Just(cancel()),
        any::<bool>().prop_map(pause),
        Just(Event::PauseWithdrawn),
        Just(resumed()),
        Just(Event::Adopted { supervisor: 3 }),
        Just(Event::DatasetHashed { fingerprint: "ab".to_owned() }),
        (1..9u32).prop_map(|epoch| Event::EpochFound {
            point: EpochPoint { epoch, losses: BTreeMap::new(), metrics: BTreeMap::new(), seconds: 1.0 }
        }),
        Just(Event::Trainer { said: TrainerEvent::Paused { epoch: 1 } }),
        Just(Event::NotStarted),
        Just(Event::Lost),
        Just(Event::Found { finding: Finding::note(Stage::Train, "slow") }),
        Just(Event::Broken { finding: Finding::note(Stage::Start, "broken") }),
        prop_oneof![Just(None), (0..3).prop_map(Some)].prop_map(|code| Event::Exited { code, signal: None }),
        (count.clone(), count.clone(), count.clone())
            .prop_map(|(epoch, step, steps)| Event::Trainer { said: batch(epoch, step, steps) }),
        (count.clone(), count.clone()).prop_map(|(batch, batches)| Event::Trainer {
            said: TrainerEvent::Validation { epoch: 1, batch, batches }
        }),
        (count.clone(), number).prop_map(|(epoch, seconds)| Event::Trainer { said: end_of_epoch(epoch, seconds) }),
        (1..161u32).prop_map(|batch| Event::Trainer { said: start(batch) }),
        (any::<f32>(), any::<u64>(), any::<u64>(), any::<Option<bool>>()).prop_map(|(cpu, free, all, lost)| {
            let gpu_trouble =
                lost.map(|lost| if lost { GpuTrouble::Lost } else { GpuTrouble::Hot { temperature: None } });
            let (memory_free, disk_free) = (Some((free, all)), Some(free));
            let usage =
                Usage { cpu, memory: all, gpu_free: memory_free, gpu_trouble, memory_free, disk_free, ..usage() };
            Event::Usage { usage }
        }),
        (count.clone(), count.clone(), prop_oneof![Just(f64::NAN), Just(-1.0), 0.0..2.0]).prop_map(
            |(epoch, step, share)| Event::Trainer {
                said: TrainerEvent::Batch {
                    seconds: None,
                    epoch,
                    batch: step,
                    batches: 50,
                    losses: BTreeMap::new(),
                    gpu_reserved: 0,
                    not_finite: vec!["box_loss".to_owned(); (step % 20) as usize],
                    loading: Some(share),
                },
            }
        ),
        Just(Event::Trainer { said: done() }),
        Just(Event::Trainer { said: TrainerEvent::Stopped }),
    ]
}

/// How far a run is; it never gets smaller but by going on.
fn rank(state: RunState) -> u8 {
    match state {
        RunState::Queued => 0,
        RunState::Preparing => 1,
        RunState::Running | RunState::Paused => 2,
        RunState::Succeeded | RunState::Failed | RunState::Cancelled | RunState::Lost => 3,
    }
}

proptest! {
    #[test]
    fn whatever_comes_states_only_go_forward(
        events in proptest::collection::vec((any::<u64>(), any_event()), 0..80)
    ) {
        let mut progress = Progress::default();
        for (seq, (at_ms, event)) in events.into_iter().enumerate() {
            let before = progress.state;
            let goes_on = matches!(event, Event::Resumed { .. }) && before.is_resumable();
            progress.apply(&RunEvent { seq: u32::try_from(seq).unwrap(), at_ms, event });
            prop_assert!(goes_on || rank(progress.state) >= rank(before));
            prop_assert!(goes_on || !before.is_over() || progress.state == before);
            prop_assert!(!goes_on || progress.state == RunState::Queued);
            prop_assert!(progress.trained_s >= 0.0);
            prop_assert_eq!(progress.state == RunState::Paused, progress.paused_ms.is_some());
            prop_assert!(progress.remaining_s.is_none_or(|seconds| seconds >= 0.0 && seconds.is_finite()));
            prop_assert_eq!(progress.state.is_over(), progress.ended_ms.is_some());
        }
    }

    #[test]
    fn progress_survives_being_stored(events in proptest::collection::vec(any_event(), 0..40)) {
        let mut progress = Progress::default();
        for (seq, event) in events.into_iter().enumerate() {
            progress.apply(&RunEvent { seq: u32::try_from(seq).unwrap(), at_ms: 1, event });
        }
        let stored = serde_json::to_string(&progress).unwrap();
        prop_assert_eq!(serde_json::from_str::<Progress>(&stored).unwrap(), progress);
    }
}
