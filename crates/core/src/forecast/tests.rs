use proptest::prelude::*;

use super::*;
use crate::dataset::{Split, SplitKind, Task};
use crate::experience::Finished;
use crate::experience::tests::trial;
use crate::finding::PlanChange;
use crate::machine::{Gpu, GpuDetails, GpuLibrary, GpuMemory, GpuProcess, GpuSource};
use crate::plan::{self, Scalar, Target};

const GIB: u64 = 1 << 30;

/// A computer, its cards, and what is known.
struct World {
    dataset: Dataset,
    computer: Fact<Computer>,
    gpus: Fact<Gpus>,
    known: Experience,
    own_model: Fact<Option<Graph>>,
}

impl World {
    /// With cards of these names, sizes in GiB, and GiB that others hold.
    fn with(cards: &[(&str, u64, u64)]) -> Self {
        let split = |kind, images| Split {
            kind,
            sources: Vec::new(),
            images,
            labelled: images,
            background: 0,
            corrupt: 0,
            instances: images * 4,
            class_instances: vec![images * 4],
            sides: Some((640, 640)),
        };
        let dataset = Dataset {
            root: "/d".into(),
            yaml: None,
            task: Task::Detect,
            names: vec!["a".to_owned()],
            keypoints: None,
            channels: 3,
            splits: vec![split(SplitKind::Train, 1000), split(SplitKind::Val, 200)],
            most_boxes: 12,
            findings: Vec::new(),
            took_ms: 0,
        };
        let computer = Computer {
            os: "linux".to_owned(),
            os_name: "Debian 12".to_owned(),
            cpu: "x".to_owned(),
            cores: 16,
            memory_total: 64 * GIB,
            memory_available: 48 * GIB,
            apple_gpu: false,
        };
        let unknown = || Fact::unknown("reason-gpu-not-supported");
        let card = |(index, (name, total, held)): (u32, &(&str, u64, u64))| Gpu {
            index,
            uuid: Fact::unknown("reason-gpu-not-supported"),
            name: Fact::Known((*name).to_owned()),
            memory: Fact::Known(GpuMemory { total: total * GIB, used: held * GIB, free: (total - held) * GIB }),
            compute_capability: Fact::Known((8, 6)),
            utilization: unknown(),
            temperature: unknown(),
            processes: Fact::Known(vec![GpuProcess {
                pid: 7,
                name: Fact::Known("python3".to_owned()),
                memory: Fact::Known(held * GIB / 2),
                own: false,
                run: None,
            }]),
            details: Box::new(GpuDetails::not_asked()),
        };
        let gpus = Gpus {
            library: GpuLibrary::Answers,
            source: GpuSource::Nvml,
            driver: Fact::Known("580.95.05".to_owned()),
            cuda: Fact::Known((13, 0)),
            cards: (0_u32..).zip(cards).map(card).collect(),
        };
        Self {
            dataset,
            computer: Fact::Known(computer),
            gpus: Fact::Known(gpus),
            known: Experience::default(),
            own_model: Fact::Known(None),
        }
    }

    fn seen(&self) -> Seen<'_> {
        Seen {
            dataset: Some(&self.dataset),
            computer: &self.computer,
            gpus: &self.gpus,
            environment: None,
            known: &self.known,
            own_model: &self.own_model,
        }
    }

    fn forecast(&self, plan: &Plan) -> Forecast {
        forecast(plan, self.seen()).unwrap()
    }

    fn shape(&self, plan: &Plan) -> Shape {
        let device = machine::resolve(plan.device(), &self.gpus).unwrap();
        Shape::of_plan(plan, &self.dataset, &device, &self.gpus, None)
    }

    /// Trainings on the first card that took so many times what was expected.
    fn learn(&mut self, plan: &Plan, factor: f64, runs: u32) {
        for run in 0..runs {
            let shape = self.shape(plan);
            let expected = memory::reserved(&shape.setup()).unwrap().expected;
            let (run, reserved) = (run.to_string(), Some(scaled(expected, factor)));
            self.known.learn(Finished { run, at_ms: 0, shape, amp: Some(true), reserved, epoch_s: None });
        }
    }
}

fn plan(model: &str, batch: u32, device: plan::Device) -> Plan {
    let mut plan = Plan::default();
    plan.model.name = model.to_owned();
    plan.training.batch = batch;
    plan.target = Target::ThisComputer { device, python: None };
    plan
}

fn card(index: u32) -> plan::Device {
    plan::Device::Gpus(vec![index])
}

const RTX_3060: (&str, u64, u64) = ("NVIDIA GeForce RTX 3060", 12, 0);

#[test]
fn a_trial_on_the_card_takes_the_estimates_place() {
    let mut world = World::with(&[RTX_3060]);
    let plan = plan("yolov8s", 16, card(0));
    let before = world.forecast(&plan);
    assert_eq!(before.source, Source::Estimate);
    world.known.tried(trial(world.shape(&plan), Some(3 * GIB)));
    let after = world.forecast(&plan);
    assert_eq!(after.source, Source::Trial { at_ms: 1 });
    let shown = 3 * GIB + (200 << 20);
    assert_eq!(after.estimate.need.expected, shown);
    assert!(after.estimate.need.high - after.estimate.need.low < shown / 7, "{after:?}");
    let sum: u64 = after.estimate.parts.iter().map(|part| part.bytes).sum();
    assert!(sum.abs_diff(shown) < 16, "the parts add up to what was measured");
    assert_eq!(after.time.map(|time| time.basis), Some(duration::Basis::Trial));

    // The driver does not tell: what is outside of the allocator stays estimated.
    let mut untold = trial(world.shape(&plan), Some(3 * GIB));
    untold.shown = None;
    world.known.tried(untold);
    let untold = world.forecast(&plan).estimate.need;
    assert!(untold.expected > 3 * GIB && untold.low < untold.expected && untold.expected < untold.high);
    // Another batch was not tried.
    assert_eq!(world.forecast(&self::plan("yolov8s", 15, card(0))).source, Source::Estimate);
}

#[test]
fn a_trial_on_the_processor_says_nothing_of_a_card() {
    let mut world = World::with(&[RTX_3060]);
    let (on_card, on_processor) = (plan("yolov8s", 16, card(0)), plan("yolov8s", 16, plan::Device::Cpu));
    let before = world.forecast(&on_card);
    world.known.tried(trial(world.shape(&on_processor), None));
    world.learn(&on_processor, 1.3, 9);
    assert_eq!(world.forecast(&on_card), before);
    let processor = world.forecast(&on_processor);
    assert_eq!(processor.source, Source::Trial { at_ms: 1 });
    assert_eq!(processor.estimate.need.expected, 2 * GIB);
}

#[test]
fn what_a_measured_batch_fits_is_not_called_too_large() {
    let mut world = World::with(&[RTX_3060]);
    let plan = plan("yolov8x", 32, card(0));
    assert!(world.forecast(&plan).estimate.largest_batch.unwrap() < 32);
    world.known.tried(trial(world.shape(&plan), Some(8 * GIB)));
    let measured = world.forecast(&plan).estimate;
    assert_eq!((measured.zone, measured.largest_batch), (Some(Zone::Fits), Some(32)));
}

#[test]
fn finished_trainings_correct_what_the_allocator_takes_and_nothing_else() {
    let mut world = World::with(&[RTX_3060, ("Tesla T4", 16, 0)]);
    let plan = plan("yolov8s", 16, card(0));
    let before = world.forecast(&plan).estimate;
    let elsewhere = world.forecast(&self::plan("yolov8s", 16, card(1)));
    world.learn(&plan, 1.2, 12);
    let after = world.forecast(&plan);
    let Source::Calibration { calibration } = after.source else { panic!("{:?}", after.source) };
    let after = after.estimate;
    assert!(after.need.expected > before.need.expected && after.largest_batch < before.largest_batch);
    let outside = |estimate: &Estimate| {
        estimate.parts.iter().find(|part| part.name.id == OUTSIDE).map(|part| part.bytes).unwrap()
    };
    assert_eq!(outside(&after), outside(&before));
    let grown = after.need.expected - outside(&after);
    let was = before.need.expected - outside(&before);
    assert!(grown.abs_diff(scaled(was, calibration.factor)) < 16);
    assert_eq!(world.forecast(&self::plan("yolov8s", 16, card(1))), elsewhere, "another card is another card");
}

#[test]
fn an_outlook_has_every_batch_and_says_what_helps_what_costs_least_first() {
    let world = World::with(&[("NVIDIA GeForce RTX 3060", 12, 2), ("NVIDIA GeForce RTX 4090", 24, 0)]);
    let mut plan = plan("yolov8x", 32, card(0));
    plan.training.extra.insert("amp".to_owned(), Scalar::Bool(false));
    let outlook = outlook(&plan, world.seen(), &[1, 2, 4, 1]).unwrap();
    let batches: Vec<u32> = outlook.batches.iter().map(|row| row.batch).collect();
    assert_eq!(batches, [1, 2, 4, 32]);
    assert_eq!(outlook.batches[3].forecast, world.forecast(&plan), "as if asked alone");
    let helps: Vec<&str> = outlook.alternatives.iter().map(|other| other.what.id.as_str()).collect();
    assert_eq!(
        helps,
        [
            "remedy-mixed-precision",
            "remedy-smaller-batch",
            "remedy-smaller-images",
            "remedy-smaller-model",
            "remedy-use-processor"
        ]
    );
    assert_eq!(outlook.alternatives[0].change, PlanChange::Default("amp".to_owned()));
    for other in &outlook.alternatives[1..4] {
        assert_eq!(other.zone, Zone::Fits, "{other:?}");
    }
    assert!(!outlook.precision.as_ref().unwrap().asked);
    assert_eq!(outlook.holders.iter().map(|holder| holder.bytes).collect::<Vec<_>>(), [GIB, GIB]);
    assert_eq!(outlook.holders[0].name.as_deref(), Some("python3"));
    assert_eq!(outlook.holders[1].pid, None, "what nobody is named for");
    assert_eq!(outlook.fits.len(), crate::models::ALL.len());
    for row in &outlook.fits {
        assert!(row.cells.windows(2).all(|pair| pair[0].zone <= pair[1].zone), "{row:?}");
    }
}

#[test]
fn the_card_on_which_it_fits_comes_first_and_says_why() {
    let busy = World::with(&[("NVIDIA GeForce RTX 3060", 12, 11), ("NVIDIA GeForce RTX 4090", 24, 0)]);
    let plan = plan("yolov8s", 16, card(0));
    let outlook = outlook(&plan, busy.seen(), &[]).unwrap();
    let ranked: Vec<(u32, &str, bool)> =
        outlook.cards.iter().map(|card| (card.index, card.why.id.as_str(), card.chosen)).collect();
    assert_eq!(ranked, [(1, "card-only-one", false), (0, "card-taken", true)]);
    assert_eq!(outlook.alternatives[0].change, PlanChange::Device(card(1)));
    assert_eq!(outlook.alternatives[0].zone, Zone::Fits);

    let free = World::with(&[RTX_3060, ("NVIDIA GeForce RTX 4090", 24, 0), ("NVIDIA T1000", 1, 0)]);
    let outlook = super::outlook(&plan, free.seen(), &[]).unwrap();
    let ranked: Vec<(u32, &str)> = outlook.cards.iter().map(|card| (card.index, card.why.id.as_str())).collect();
    assert_eq!(ranked, [(1, "card-fastest"), (0, "card-slower"), (2, "card-too-small")]);
    assert!(outlook.alternatives.is_empty(), "what fits needs no help");
}

#[test]
fn the_processor_has_no_precision_to_choose_and_no_holders() {
    let world = World::with(&[]);
    let outlook = outlook(&plan("yolov8n", 8, plan::Device::Auto), world.seen(), &[8]).unwrap();
    assert!(!outlook.on_card && outlook.precision.is_none() && outlook.holders.is_empty() && outlook.cards.is_empty());
}

#[test]
fn windows_spills() {
    let mut world = World::with(&[RTX_3060]);
    if let Fact::Known(computer) = &mut world.computer {
        computer.os = "windows".to_owned();
    }
    assert!(outlook(&plan("yolov8x", 64, card(0)), world.seen(), &[]).unwrap().spills);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn what_is_learned_keeps_the_order_of_batches(factor in 0.3..3.0_f64, runs in 0_u32..14, batch in 1_u32..300) {
        let mut world = World::with(&[RTX_3060]);
        let one = plan("yolov8s", batch, card(0));
        world.learn(&one, factor, runs);
        let (less, more) = (world.forecast(&one).estimate, world.forecast(&plan("yolov8s", batch + 1, card(0))).estimate);
        prop_assert!(less.need.low <= less.need.expected && less.need.expected <= less.need.high);
        prop_assert!(less.need.expected <= more.need.expected && less.need.high <= more.need.high);
        let largest = less.largest_batch.unwrap();
        let zone = |batch: u32| world.forecast(&plan("yolov8s", batch, card(0))).estimate.zone.unwrap();
        prop_assert!(largest == 0 || zone(largest) == Zone::Fits);
        // A batch beyond the number of images is never filled.
        prop_assert!(largest >= 1000 || zone(largest + 1) > Zone::Fits);
    }
}
