//! What is different about a training from one that went well.

use serde::{Deserialize, Serialize};

use crate::plan::{Plan, Weights};
use crate::run::{Progress, RunRecord};
use crate::text::Message;

/// Something that is different. What was not told on one of both sides is no difference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Difference {
    /// The name that rules know it by: `driver`, `torch`, `batch`, …
    pub name: String,
    /// What it is: `changed-driver`, or `changed-argument` with the trainer's own name of it.
    pub what: Message,
    /// How it was.
    pub before: String,
    /// How it is.
    pub now: String,
}

#[derive(Default)]
struct Differences(Vec<Difference>);

impl Differences {
    fn note(&mut self, name: &str, before: impl Into<String>, now: impl Into<String>) {
        let what = Message::new(format!("changed-{name}"));
        self.add(name, what, before.into(), now.into());
    }

    fn argument(&mut self, name: &str, before: impl Into<String>, now: impl Into<String>) {
        let what = Message::new("changed-argument").with("name", name);
        self.add(name, what, before.into(), now.into());
    }

    fn add(&mut self, name: &str, what: Message, before: String, now: String) {
        if before != now && !before.is_empty() && !now.is_empty() {
            self.0.push(Difference { name: name.to_owned(), what, before, now });
        }
    }
}

/// What another run had differently, most telling first: the machine and its versions, the dataset, what was chosen.
#[must_use]
pub fn differences(before: (&RunRecord, &Progress), now: (&RunRecord, &Progress)) -> Vec<Difference> {
    let mut found = Differences::default();
    let ((record_before, progress_before), (record, progress)) = (before, now);
    let hardware = (record_before.hardware.as_ref(), record.hardware.as_ref());
    if let (Some(before), Some(now)) = hardware {
        found.note("driver", &before.driver, &now.driver);
        found.note("gpus", before.gpus.join(", "), now.gpus.join(", "));
        found.note("system", &before.system, &now.system);
        found.note("cpu", &before.cpu, &now.cpu);
        #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
        let memory = |bytes: u64| if bytes == 0 { String::new() } else { crate::text::bytes(bytes as f64) };
        found.note("memory", memory(before.memory), memory(now.memory));
    }
    let (environment_before, environment) = (&record_before.environment, &record.environment);
    found.note("torch", &environment_before.torch, &environment.torch);
    found.note("torchvision", &environment_before.torchvision, &environment.torchvision);
    found.note("ultralytics", &environment_before.ultralytics, &environment.ultralytics);
    found.note("python", &environment_before.python_version, &environment.python_version);
    let place = |path: &std::path::Path| path.display().to_string();
    found.note("environment", place(&environment_before.python), place(&environment.python));
    found.note("app", &record_before.app_version, &record.app_version);
    found.note("dataset", place(&record_before.plan.dataset), place(&record.plan.dataset));
    let print = |progress: &Progress| {
        let print = progress.fingerprint.as_deref().unwrap_or_default();
        print.chars().take(12).collect::<String>()
    };
    found.note("fingerprint", print(progress_before), print(progress));
    found.note("trained-on", &record_before.device, &record.device);
    found.0.extend(of_plans(&record_before.plan, &record.plan).into_iter().filter(|found| found.name != "dataset"));
    for name in record.inherited.keys().chain(record_before.inherited.keys()).collect::<std::collections::BTreeSet<_>>()
    {
        let value = |record: &RunRecord| record.inherited.get(name).cloned().unwrap_or_else(|| UNSET.to_owned());
        found.argument(name, value(record_before), value(record));
    }
    found.0
}

/// Stands for an argument that was left to the trainer.
const UNSET: &str = "–";

/// What a plan has differently from another.
#[must_use]
pub fn of_plans(before: &Plan, now: &Plan) -> Vec<Difference> {
    let mut found = Differences::default();
    found.note("dataset", before.dataset.display().to_string(), now.dataset.display().to_string());
    found.note("model", &before.model.name, &now.model.name);
    let weights = |plan: &Plan| match plan.model.weights {
        Weights::Pretrained => "pretrained".to_owned(),
        Weights::Scratch => "scratch".to_owned(),
        Weights::File => plan.model.file.display().to_string(),
    };
    found.note("weights", weights(before), weights(now));
    let (before_training, training) = (&before.training, &now.training);
    let numbers = [
        ("batch", before_training.batch, training.batch),
        ("imgsz", before_training.imgsz, training.imgsz),
        ("epochs", before_training.epochs, training.epochs),
        ("seed", before_training.seed, training.seed),
    ];
    for (name, before, now) in numbers {
        found.note(name, before.to_string(), now.to_string());
    }
    let workers = |workers: Option<u32>| workers.map_or_else(|| UNSET.to_owned(), |workers| workers.to_string());
    found.note("workers", workers(before_training.workers), workers(training.workers));
    found.note("device", before.device().to_string(), now.device().to_string());
    let python = |plan: &Plan| plan.python().map_or_else(|| UNSET.to_owned(), |python| python.display().to_string());
    found.note("chosen-python", python(before), python(now));
    let mut names: Vec<&String> = before_training.extra.keys().chain(training.extra.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let value = |plan: &Plan| plan.training.extra.get(name).map_or_else(|| UNSET.to_owned(), ToString::to_string);
        found.argument(name, value(before), value(now));
    }
    found.0
}
