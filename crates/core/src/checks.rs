//! What each link of the chain must show. One file a stage; every check is `(&Facts, &Plan) -> Vec<Finding>`.

mod data;
mod driver;
mod gpu_pool;
mod image;
mod memory;
mod start;
mod weights;

use crate::facts::Facts;
use crate::finding::{Action, Applicability, Finding, PlanChange, Remedy, Stage};
use crate::machine::{self, ResolvedDevice};
use crate::plan::{Device, Plan, Target};

/// A check.
pub type Check = fn(&Facts, &Plan) -> Vec<Finding>;

/// Every check, in the order of the chain.
pub const ALL: &[Check] =
    &[gpu_pool::check, driver::check, image::check, weights::check, data::check, memory::check, start::check];

/// Looks at the whole chain.
#[must_use]
pub fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    ALL.iter().flat_map(|check| check(facts, plan)).collect()
}

/// The links of the chain that this plan does without.
#[must_use]
pub fn not_needed(facts: &Facts, plan: &Plan) -> Vec<Stage> {
    let Target::ThisComputer { .. } = &plan.target;
    let mut stages = vec![Stage::Auth, Stage::Quota];
    if driver::check(facts, plan).is_empty()
        && machine::resolve(plan.device(), &facts.gpus) == Ok(ResolvedDevice::Processor)
    {
        stages.push(Stage::Driver);
    }
    stages
}

/// A remedy that changes one value of the plan.
fn change(id: &str, change: PlanChange) -> Remedy {
    Remedy::new(id, Applicability::OneClick, Action::ChangePlan { change })
}

/// Something a person does elsewhere.
fn explain(id: &str) -> Remedy {
    Remedy::new(id, Applicability::Manual, Action::Explain)
}

fn use_processor() -> Remedy {
    change("use-processor", PlanChange::Device(Device::Cpu))
}

fn use_gpu(index: u32) -> Remedy {
    change("use-gpu", PlanChange::Device(Device::Gpus(vec![index]))).with("index", index)
}

/// Makes the plan's environment anew, where that is the app's to do.
fn mend_environment(managed: bool) -> Remedy {
    if managed {
        Remedy::new("repair-environment", Applicability::OneClick, Action::RepairEnvironment)
    } else {
        explain("mend-own-environment")
    }
}

#[cfg(test)]
mod tests;
