use std::collections::BTreeMap;
use std::path::PathBuf;

use super::*;
use crate::environment::Environment;
use crate::finding::PlanChange;
use crate::plan::{Plan, Scalar};
use crate::report::LinkState;
use crate::run::{Event, Hardware, RunEvent, TrainerEvent, Usage};

fn record() -> RunRecord {
    let environment = Environment {
        python: PathBuf::from("/env/bin/python"),
        managed: true,
        python_version: "3.12.4".to_owned(),
        ultralytics: "8.4.190".to_owned(),
        torch: "2.7.1+cu128".to_owned(),
        torchvision: "0.22.1+cu128".to_owned(),
        torch_cuda: Some("12.8".to_owned()),
        architectures: vec!["sm_86".to_owned()],
        cuda_available: true,
    };
    let gpus = vec!["NVIDIA GeForce RTX 3060".to_owned(), "NVIDIA GeForce RTX 4070".to_owned()];
    RunRecord {
        format: crate::run::FORMAT,
        id: "20261130-142233-plates-yolov8n-4f2a".to_owned(),
        created_ms: 2,
        plan: Plan { dataset: "/d/plates/data.yaml".into(), ..Plan::default() },
        accepted: Vec::new(),
        environment,
        device: "0".to_owned(),
        command: vec!["/env/bin/python".to_owned(), "train.py".to_owned()],
        variables: BTreeMap::new(),
        inherited: BTreeMap::new(),
        hardware: Some(Hardware { driver: "570.86".to_owned(), gpus, memory: 16 << 30, ..Hardware::default() }),
        app_version: "0.1.0".to_owned(),
        trial: None,
    }
}

fn progress(events: impl IntoIterator<Item = Event>) -> Progress {
    let events = events.into_iter().enumerate();
    let events = events.map(|(seq, event)| RunEvent { seq: u32::try_from(seq).unwrap(), at_ms: 1, event });
    Progress::of(&events.collect::<Vec<_>>())
}

fn started() -> Event {
    let said = TrainerEvent::Start {
        epochs: 100,
        first_epoch: 1,
        batch: 16,
        batches: 20,
        imgsz: 640,
        device: "cuda:0".to_owned(),
        amp: true,
        optimizer: "AdamW".to_owned(),
        parameters: 3_000_000,
        train_images: 300,
        val_images: 40,
        plots: true,
    };
    Event::Trainer { said }
}

fn ended(code: Option<i32>, signal: Option<i32>) -> [Event; 4] {
    let launched = Event::Launched { pid: 2, began_s: 0 };
    [Event::Preparing { supervisor: 1 }, launched, started(), Event::Exited { code, signal }]
}

fn diagnose(record: &RunRecord, progress: &Progress, log: &str, ending: &[Known]) -> RunDiagnosis {
    let mut scan = Scan::new();
    scan.feed(log.as_bytes());
    scan.settle();
    Circumstances { record, progress, dataset: None, ending, good: None }.diagnose(&mut scan)
}

const OOM: &str = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB. GPU 0 has a total capacity of 7.79 GiB of which 60.00 MiB is free. Including non-PyTorch memory, this process has 7.20 GiB memory in use.\n";

#[test]
fn a_cause_comes_with_a_plan_that_mends_it() {
    let (record, progress) = (record(), progress(ended(Some(1), None)));
    let said = diagnose(&record, &progress, OOM, &[]);
    assert_eq!(said.cause, "cuda_oom");
    assert!(said.finding.evidence.iter().any(|seen| matches!(seen, Evidence::Log { line: 1, .. })));
    // Public tables count it as training; what is lit is the memory.
    assert_eq!((said.finding.stage, said.finding.code.as_str()), (Stage::Memory, "train.cuda-oom"));
    let first = &said.finding.remedies[0];
    assert_eq!(first.applicability, Applicability::OneClick);
    assert_eq!(first.action, Action::ChangePlan { change: PlanChange::Batch(8) });
    let fix = &said.fixes[0];
    assert_eq!((fix.remedy.as_str(), fix.plan.training.batch), ("run-batch", 8));
    let change = &fix.changes[0];
    assert_eq!((change.name.as_str(), change.before.as_str(), change.now.as_str()), ("batch", "16", "8"));
    assert_eq!(fix.changes.len(), 1);
    // The other card of this computer is a way, too.
    assert!(said.fixes.iter().any(|fix| fix.plan.device().to_string() == "gpu:1"));
}

#[test]
fn the_chain_is_lit_where_it_broke() {
    let progress = progress(ended(Some(1), None));
    let log = "train: /d/a.jpg: ignoring corrupt image/label: Label class 7 exceeds dataset class count 2. Possible class labels are 0-1\nAssertionError: Label class 7 exceeds dataset class count 2. Possible class labels are 0-1\n";
    let said = diagnose(&record(), &progress, log, &[]);
    assert_eq!(said.cause, "label_class_out_of_range");
    let state = |stage| said.report.links.iter().find(|link| link.stage == stage).unwrap().state;
    assert_eq!(state(Stage::Image), LinkState::Ok);
    assert_eq!(state(Stage::Data), LinkState::Blocker);
    // The trainer had been started; what comes after the broken link was not reached all the same.
    for stage in [Stage::Memory, Stage::Start, Stage::Train, Stage::Results] {
        assert_eq!(state(stage), LinkState::Pending, "{stage:?}");
    }
    assert!(said.finding.remedies.iter().any(|remedy| remedy.action == Action::MendDataset));
}

#[test]
fn who_was_killed_and_by_what() {
    let usage = |free: u64| Usage {
        cpu: 1.0,
        memory: 1,
        gpu_memory: None,
        gpu_most: None,
        gpu_utilization: None,
        gpu_free: None,
        gpu_trouble: None,
        memory_free: Some((free, 16 << 30)),
        disk_free: None,
    };
    let killed = |free: u64, ending: &[Known]| {
        let mut events = ended(None, Some(9)).to_vec();
        events.insert(3, Event::Usage { usage: usage(free) });
        diagnose(&record(), &progress(events), "", ending).cause
    };
    assert_eq!(killed(8 << 30, &[]), "killed");
    assert_eq!(killed(8 << 30, &[Known::new("oom-kills", 0)]), "killed");
    assert_eq!(killed(1 << 27, &[]), "host_ram_oom");
    // A limit of its own, while the computer had memory.
    assert_eq!(killed(8 << 30, &[Known::new("oom-kills", 1)]), "host_ram_oom");
}

#[test]
fn a_full_disk_is_told_from_full_shared_memory() {
    let log = "RuntimeError: unable to do it: No space left on device (28)\n";
    let said = |workers: (u64, u64), outputs: (u64, u64)| {
        let ending = [
            Known::left("room-for-workers", workers.0, workers.1),
            Known::left("room-for-outputs", outputs.0, outputs.1),
        ];
        diagnose(&record(), &progress(ended(Some(1), None)), log, &ending).cause
    };
    const GB: u64 = 1_000_000_000;
    assert_eq!(said((0, 64 << 20), (500 * GB, 900 * GB)), "shm_too_small");
    assert_eq!(said((8 * GB, 8 * GB), (0, 900 * GB)), "disk_full_saving");
}

#[test]
fn room_is_made_before_it_goes_on() {
    let log = "OSError: [Errno 28] No space left on device: 'weights/last.pt'\n";
    let said = diagnose(&record(), &progress(ended(Some(1), None)), log, &[]);
    assert_eq!(said.cause, "disk_full_saving");
    let buttons = said.finding.remedies.iter().filter(|remedy| remedy.action != Action::Explain);
    let buttons: Vec<_> = buttons.map(|remedy| (remedy.id.as_str(), remedy.applicability)).collect();
    let after_a_choice = |id| (id, Applicability::NeedsChoice);
    assert_eq!(buttons, [after_a_choice("run-free-disk"), after_a_choice("resume-run")]);
}

#[test]
fn what_changed_since_the_last_good_run_is_evidence() {
    let progress = progress(ended(Some(1), None));
    let mut before = record();
    before.id = "good".to_owned();
    before.plan.training.batch = 8;
    before.hardware.as_mut().unwrap().driver = "550.54".to_owned();
    before.plan.training.extra.insert("cache".to_owned(), Scalar::Bool(true));
    let record = record();
    let mut scan = Scan::new();
    scan.feed(b"RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate(handle)\n");
    scan.settle();
    let good = Some((&before, &progress));
    let circumstances = Circumstances { record: &record, progress: &progress, dataset: None, ending: &[], good };
    let said = circumstances.diagnose(&mut scan);
    let changes: Vec<_> = said.changes.iter().map(|change| change.name.as_str()).collect();
    assert_eq!(changes, ["driver", "batch", "cache"]);
    assert_eq!(said.good.unwrap().id, "good");
    // A larger batch makes it certain.
    assert_eq!(said.confidence, Confidence::Certain);
    let batch = said
        .finding
        .evidence
        .iter()
        .find(|seen| matches!(seen, Evidence::Value { name, .. } if name.id == "changed-batch"));
    assert!(matches!(batch, Some(Evidence::Value { value, .. }) if value == "8 → 16"), "{:?}", said.finding.evidence);
}

#[test]
fn what_is_known_of_every_run_is_no_cause() {
    let said = diagnose(
        &record(),
        &progress(ended(Some(1), None)),
        "bye\n",
        &[
            Known::new("oom-kills", 0),
            Known::left("room-for-outputs", 5 << 30, 900 << 30),
            Known::left("room-for-workers", 16 << 30, 16 << 30),
        ],
    );
    assert_eq!(said.cause, "unknown", "{:#?}", said.finding);
    assert!(said.fixes.is_empty());
}

#[test]
fn where_nothing_is_recognised_the_supervisor_is_believed() {
    let mut events = ended(Some(1), None).to_vec();
    events.insert(3, Event::Found { finding: Finding::blocker(Stage::Train, "failed", Verb::Change) });
    let said = diagnose(&record(), &progress(events), "Traceback (most recent call last):\nFrobError: no\n", &[]);
    assert_eq!((said.cause.as_str(), said.finding.code.as_str()), ("unknown", "train.failed"));
    assert!(!said.finding.evidence.is_empty());
}

#[test]
fn what_the_lines_speak_of_is_said_beside_the_link_that_failed() {
    let mut events = ended(Some(1), None).to_vec();
    events.insert(3, Event::Found { finding: Finding::blocker(Stage::Train, "failed", Verb::Change) });
    let said = diagnose(&record(), &progress(events), "Traceback (most recent call last):\nKeyError: 'names'\n", &[]);
    assert_eq!((said.cause.as_str(), said.finding.code.as_str()), ("unknown", "train.failed"));
    let spoken = |seen: &Evidence| matches!(seen, Evidence::Value { name, .. } if name.id == "finding-data-cause-not-found.detail");
    assert_eq!(said.finding.evidence.iter().filter(|seen| spoken(seen)).count(), 1, "{:#?}", said.finding.evidence);
}

#[test]
fn what_the_supervisor_saw_itself_is_a_cause() {
    let gone = Finding::blocker(Stage::Data, "dataset-gone", Verb::Change);
    let gone = gone.seen(Evidence::value("fact-known-dataset-finding", "nothing there"));
    let gone = gone.remedy(Remedy::new("run-again", Applicability::OneClick, Action::StartAgain));
    let events = [Event::Preparing { supervisor: 1 }, Event::Broken { finding: gone }];
    let said = diagnose(&record(), &progress(events), "", &[]);
    assert_eq!((said.cause.as_str(), said.confidence), ("dataset_gone", Confidence::Certain));
    assert_eq!(said.fixes.iter().map(|fix| fix.remedy.as_str()).collect::<Vec<_>>(), ["run-again"]);
}

#[test]
fn what_makes_no_difference_is_not_offered() {
    let log = "      1/100      2.1G        nan        nan        nan         30        640: 100% 8/8 [00:09<00:00,  1.17s/it]\n";
    let offered = |device: &str| {
        let record = RunRecord { device: device.to_owned(), ..record() };
        let said = diagnose(&record, &progress(ended(Some(1), None)), log, &[]);
        said.finding.remedies.iter().any(|remedy| remedy.id == "run-amp-off")
    };
    assert!(offered("0"));
    assert!(!offered("cpu"), "the processor calculates in full precision");
    // Nobody signs in to this computer.
    let said =
        diagnose(&record(), &progress(ended(Some(1), None)), "ExpiredSignatureError: Signature has expired\n", &[]);
    assert_eq!(said.cause, "jwt_expired");
    assert!(said.finding.remedies.iter().all(|remedy| remedy.action == Action::Explain), "{:?}", said.finding.remedies);
}

#[test]
fn a_diagnosis_survives_being_kept() {
    let said = diagnose(&record(), &progress(ended(Some(1), None)), OOM, &[]);
    let kept = serde_json::to_string(&said).unwrap();
    let again: RunDiagnosis = serde_json::from_str(&kept).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), kept);
}
