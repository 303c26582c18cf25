//! What mends a run, made for its plan: what a rule names becomes a change with its numbers, or nothing where it does
//! not apply.

use serde::{Deserialize, Serialize};

use super::compare::{Difference, of_plans};
use super::of_run::Circumstances;
use crate::finding::{Action, Applicability, PlanChange, Remedy};
use crate::plan::{Device, Plan, Scalar, Target, Weights};

/// What the trainer does where a plan does not say how many processes read images.
const WORKERS: u32 = 8;
/// Smaller images show too little.
const SMALLEST: u32 = 320;

/// What a rule says can be done about a run, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Act {
    /// Half the images per step.
    SmallerBatch,
    /// Images of three quarters of the size.
    SmallerImages,
    /// Without mixed precision.
    AmpOff,
    /// Half the processes that read images.
    FewerWorkers,
    /// Images are read by the training process itself: no shared memory is needed.
    NoWorkers,
    /// Images are not kept in memory.
    CacheOff,
    /// A card that was not trained on.
    OtherGpu,
    /// One card instead of several.
    OneGpu,
    /// A gentler optimizer.
    GentleOptimizer,
    /// The app's own environment, or the same made anew.
    Environment,
    /// The published weights once more.
    FetchWeights,
    /// A copy of the dataset is mended.
    MendDataset,
    /// A copy of the dataset on a disk of this computer.
    CopyDataset,
    /// Another dataset, or the same at its right place.
    ChooseDataset,
    /// The same once more.
    StartAgain,
    /// On from the newest checkpoint.
    Resume,
    /// Room on the disk.
    FreeDisk,
    /// A person signs in.
    SignIn,
}

/// What a remedy makes of a run's plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Fix {
    /// The remedy's id.
    pub remedy: String,
    /// The plan afterwards.
    pub plan: Plan,
    /// What is different about it.
    pub changes: Vec<Difference>,
}

impl Fix {
    /// Of a remedy that starts the run again, with the plan changed or as it was; `None`: it does something else.
    pub(super) fn of(remedy: &Remedy, plan: &Plan) -> Option<Self> {
        let mended = match &remedy.action {
            Action::ChangePlan { change } => change.applied_to(plan),
            Action::StartAgain => plan.clone(),
            _ => return None,
        };
        let changes = of_plans(plan, &mended);
        Some(Self { remedy: remedy.id.clone(), plan: mended, changes })
    }
}

fn change(id: &str, change: PlanChange) -> Remedy {
    Remedy::new(id, Applicability::OneClick, Action::ChangePlan { change })
}

impl Act {
    /// As a remedy of this run; `None`: it does not apply.
    pub(super) fn remedy(self, run: &Circumstances<'_>) -> Option<Remedy> {
        let plan = &run.record.plan;
        let training = &plan.training;
        let python = plan.python();
        match self {
            Self::SmallerBatch => {
                let before = if run.progress.batch_size > 0 { run.progress.batch_size } else { training.batch };
                let batch = (before > 1).then_some(before / 2)?;
                let remedy = change("run-batch", PlanChange::Batch(batch));
                Some(remedy.with("batch", batch).with("before", before))
            }
            Self::SmallerImages => {
                let imgsz = training.imgsz * 3 / 4 / 32 * 32;
                let remedy = (imgsz >= SMALLEST).then(|| change("run-imgsz", PlanChange::Imgsz(imgsz)))?;
                Some(remedy.with("imgsz", imgsz).with("before", training.imgsz))
            }
            // The processor calculates in full precision anyway.
            Self::AmpOff if run.record.device == "cpu" => None,
            Self::AmpOff => {
                let off = Scalar::Bool(false);
                let is_off = training.extra.get("amp") == Some(&off);
                (!is_off).then(|| change("run-amp-off", PlanChange::Argument { name: "amp".to_owned(), value: off }))
            }
            // On the processor, the trainer reads images itself.
            Self::FewerWorkers | Self::NoWorkers if run.record.device == "cpu" => None,
            Self::FewerWorkers | Self::NoWorkers => {
                let before = training.workers.unwrap_or(WORKERS);
                let workers = if self == Self::NoWorkers { 0 } else { before / 2 };
                let remedy = (before > workers).then(|| change("run-workers", PlanChange::Workers(workers)))?;
                Some(remedy.with("workers", workers))
            }
            Self::CacheOff => {
                let kept = training.extra.get("cache").is_some_and(|cache| *cache != Scalar::Bool(false));
                kept.then(|| change("run-cache-off", PlanChange::Default("cache".to_owned())))
            }
            Self::OtherGpu => {
                let names = &run.record.hardware.as_ref()?.gpus;
                let used = run.record.device.split(',').map(|index| index.trim().parse::<u32>());
                // Of a slice it is not known on which card it is.
                let used: Vec<u32> = used.collect::<Result<_, _>>().ok()?;
                let free = (0..u32::try_from(names.len()).ok()?).find(|index| !used.contains(index))?;
                let name = names.get(free as usize).cloned().unwrap_or_default();
                let remedy = change("run-device", PlanChange::Device(Device::Gpus(vec![free])));
                Some(remedy.with("index", free).with("name", name))
            }
            Self::OneGpu => {
                let (first, _) = run.record.device.split_once(',')?;
                let first: u32 = first.trim().parse().ok()?;
                Some(change("run-one-gpu", PlanChange::Device(Device::Gpus(vec![first]))).with("index", first))
            }
            Self::GentleOptimizer => {
                let chosen = training.extra.contains_key("lr0") || training.extra.contains_key("optimizer");
                let rate = Scalar::Float(0.001);
                let gentle = || change("run-gentle", PlanChange::Argument { name: "lr0".to_owned(), value: rate });
                if chosen {
                    Some(change("run-usual-rate", PlanChange::Default("lr0".to_owned())))
                        .filter(|_| training.extra.contains_key("lr0"))
                } else {
                    Some(gentle())
                }
            }
            Self::Environment if python.is_some() => Some(change("own-environment", PlanChange::OwnEnvironment)),
            Self::Environment => {
                Some(Remedy::new("repair-environment", Applicability::OneClick, Action::RepairEnvironment))
            }
            Self::FetchWeights => {
                let model = plan.model.name.clone();
                let action = Action::FetchWeights { model: model.clone(), again: true };
                let remedy = Remedy::new("run-weights", Applicability::OneClick, action).with("model", model);
                (plan.model.weights == Weights::Pretrained).then_some(remedy)
            }
            Self::MendDataset => Some(Remedy::new("run-mend-dataset", Applicability::NeedsChoice, Action::MendDataset)),
            Self::CopyDataset => Some(Remedy::new("run-copy-dataset", Applicability::NeedsChoice, Action::CopyDataset)),
            Self::ChooseDataset => {
                Some(Remedy::new("choose-dataset", Applicability::NeedsChoice, Action::ChooseDataset))
            }
            Self::StartAgain => Some(Remedy::new("run-again", Applicability::OneClick, Action::StartAgain)),
            Self::Resume => {
                let goes = run.progress.state.is_resumable() && !run.progress.history.is_empty();
                goes.then(|| Remedy::new("resume-run", Applicability::OneClick, Action::ResumeRun))
            }
            Self::FreeDisk => Some(Remedy::free_disk()),
            Self::SignIn => {
                let Target::Platform { profile, .. } = &plan.target else { return None };
                let action = Action::SignIn { profile: profile.clone() };
                Some(Remedy::new("run-sign-in", Applicability::NeedsChoice, action))
            }
        }
    }
}
