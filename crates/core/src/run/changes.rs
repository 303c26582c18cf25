//! What may change about a run when it goes on.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::arguments::SOURCE;
use crate::plan::{Device, Plan, Scalar, Target};
use crate::problem::Problem;

/// Further arguments that Ultralytics takes anew when it resumes (`check_resume` of its `engine/trainer.py`, version
/// [`SOURCE`]), as far as a plan may set them. Everything else it takes from the checkpoint.
const CHANGEABLE: [&str; 9] =
    ["cache", "channels_last", "close_mosaic", "freeze", "patience", "plots", "save_period", "time", "val"];

/// What a person changes about a run when it goes on. `None`: as it was.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(default)]
pub struct Changes {
    /// Images per step.
    pub batch: Option<u32>,
    /// Image size in pixels.
    pub imgsz: Option<u32>,
    /// Processes that read images.
    pub workers: Option<u32>,
    /// Which device trains.
    pub device: Option<Device>,
    /// Where the dataset is now.
    pub dataset: Option<PathBuf>,
    /// Other arguments of the Ultralytics trainer.
    pub extra: BTreeMap<String, Scalar>,
}

impl Changes {
    /// Looks at the names of the further arguments.
    ///
    /// # Errors
    /// `run.epochs-fixed`, `run.not-changeable` with the name.
    pub fn check(&self) -> Result<(), Problem> {
        for name in self.extra.keys().map(String::as_str) {
            if name == "epochs" {
                return Err(Problem::new("run.epochs-fixed"));
            }
            if !CHANGEABLE.contains(&name) {
                return Err(Problem::new("run.not-changeable").with("name", name).with("version", SOURCE));
            }
        }
        Ok(())
    }

    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The plan with these changes.
    #[must_use]
    pub fn applied_to(&self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        let training = &mut plan.training;
        training.batch = self.batch.unwrap_or(training.batch);
        training.imgsz = self.imgsz.unwrap_or(training.imgsz);
        training.workers = self.workers.or(training.workers);
        training.extra.extend(self.extra.clone());
        if let (Target::ThisComputer { device, .. }, Some(chosen)) = (&mut plan.target, &self.device) {
            device.clone_from(chosen);
        }
        if let Some(dataset) = &self.dataset {
            plan.dataset.clone_from(dataset);
        }
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str) -> Result<(), String> {
        let extra = BTreeMap::from([(name.to_owned(), Scalar::Integer(1))]);
        Changes { extra, ..Changes::default() }.check().map_err(|problem| problem.code)
    }

    #[test]
    fn only_what_the_trainer_takes_anew_may_change() {
        assert_eq!(with("patience"), Ok(()));
        assert_eq!(with("epochs"), Err("run.epochs-fixed".to_owned()));
        assert_eq!(with("lr0"), Err("run.not-changeable".to_owned()));
        let known: Vec<&str> = super::super::arguments::KNOWN.iter().map(|(name, _)| *name).collect();
        assert!(CHANGEABLE.iter().all(|name| known.contains(name)));
    }

    #[test]
    fn a_plan_keeps_what_does_not_change() {
        let plan = Plan::default();
        assert_eq!(Changes::default().applied_to(&plan), plan);
        let changes = Changes { batch: Some(4), device: Some(Device::Cpu), ..Changes::default() };
        let changed = changes.applied_to(&plan);
        assert_eq!((changed.training.batch, changed.training.imgsz), (4, 640));
        assert_eq!(*changed.device(), Device::Cpu);
    }
}
