//! What each link of the chain must show. One file a stage; every check is `(&Facts, &Plan) -> Vec<Finding>`.

mod account;
mod data;
mod driver;
mod gpu_pool;
mod image;
mod memory;
mod start;
mod surroundings;
mod weights;

use crate::facts::Facts;
use crate::finding::{Action, Applicability, Finding, PlanChange, Remedy, Severity, Stage};
use crate::machine::{self, Gpu, GpuLibrary, Gpus, ResolvedDevice};
use crate::plan::{Device, Plan, Target};

/// A check.
pub type Check = fn(&Facts, &Plan) -> Vec<Finding>;

/// Every check, in the order of the chain.
pub const ALL: &[Check] = &[
    gpu_pool::check,
    driver::check,
    image::check,
    weights::check,
    data::check,
    memory::check,
    start::check,
    surroundings::check,
];

/// Looks at the whole chain.
#[must_use]
pub fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    match &plan.target {
        Target::ThisComputer { .. } => ALL.iter().flat_map(|check| check(facts, plan)).collect(),
        // Cards, driver and environment are the platform's own.
        Target::Platform { card, cards, .. } => {
            let order = account::Order { card: card.as_deref(), cards: *cards };
            let account = account::check(facts, plan, &order);
            account.into_iter().chain(weights::check(facts, plan)).chain(data::check(facts, plan)).collect()
        }
    }
}

/// Looks at this computer alone: cards, driver, environment and what lies around them, for whatever will be trained. The
/// card that a training would take by itself decides; what is wrong with another one is no more than a warning.
#[must_use]
pub fn computer(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    let mut findings: Vec<Finding> = [gpu_pool::check, driver::check, image::check, start::check, surroundings::check]
        .iter()
        .flat_map(|check| check(facts, plan))
        .collect();
    findings.extend(surroundings::about_computer(facts));
    let taken = machine::resolve(plan.device(), &facts.gpus).map_or_else(|_| Vec::new(), |device| device.cards());
    for card in facts.gpus.known().map_or(&[][..], |gpus| &gpus.cards) {
        if taken.contains(&card.index) {
            continue;
        }
        let mut other = plan.clone();
        let Target::ThisComputer { device, .. } = &mut other.target else { continue };
        *device = Device::Gpus(vec![card.index]);
        for mut finding in gpu_pool::check(facts, &other) {
            if finding.severity == Severity::Blocker {
                finding.severity = Severity::Warning;
            }
            findings.push(finding);
        }
    }
    findings
}

/// How every card is, and the driver where it fails: what a person who watches the cards is told. What lies around them is
/// not looked at.
#[must_use]
pub fn cards(gpus: &Gpus, busy_above: u32) -> Vec<Finding> {
    if gpus.library != GpuLibrary::Answers {
        return driver::failing(gpus).into_iter().collect();
    }
    gpus.cards.iter().flat_map(|card| gpu_pool::of_card(card, gpus, busy_above)).collect()
}

/// Whether a training could begin on a plan's device now: whether every card it names (or one of all, where the computer
/// chooses) lets it in, and is neither busy nor lost. Of a divided card one slice is enough. The processor is always free.
#[must_use]
pub fn is_free(gpus: &Gpus, device: &Device, busy_above: u32) -> bool {
    let free = |card: &Gpu| card.usable().iter().any(|part| gpu_pool::is_free(part, busy_above));
    match device {
        Device::Cpu | Device::Mps => true,
        // Where there are no cards, the processor is what the computer chooses.
        Device::Auto => gpus.cards.is_empty() || gpus.cards.iter().any(free),
        Device::Gpus(indices) => indices.iter().all(|index| gpus.card(*index).is_some_and(free)),
        Device::Slice(name) => gpus.slice(name).is_some_and(|slice| free(&slice)),
    }
}

/// The links that a look at the computer alone leaves out.
pub const NOT_OF_COMPUTER: [Stage; 6] =
    [Stage::Auth, Stage::Quota, Stage::Data, Stage::Memory, Stage::Train, Stage::Results];

/// The links of the chain that this plan does without.
#[must_use]
pub fn not_needed(facts: &Facts, plan: &Plan) -> Vec<Stage> {
    if !plan.is_local() {
        return vec![Stage::GpuPool, Stage::Driver, Stage::Image, Stage::Memory];
    }
    let mut stages = vec![Stage::Auth, Stage::Quota];
    if driver::check(facts, plan).is_empty()
        && matches!(machine::resolve(plan.device(), &facts.gpus), Ok(ResolvedDevice::Processor | ResolvedDevice::Mps))
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

fn use_apple_gpu() -> Remedy {
    change("use-apple-gpu", PlanChange::Device(Device::Mps))
}

/// Another card, or another slice of a divided one.
fn use_card(card: &Gpu) -> Remedy {
    match card.slice_name() {
        Some(name) => change("use-slice", PlanChange::Device(Device::Slice(name.to_owned()))).with("name", name),
        None => use_gpu(card.index),
    }
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
