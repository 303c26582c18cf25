//! Whether NVIDIA's driver works, and whether the environment's torch fits driver and card.

mod broken;

use super::{explain, mend_environment, use_processor};
use crate::environment::cuda::{TABLE, driver_numbers};
use crate::environment::{Advice, Environment, EnvironmentState, TorchRelease, advice};
use crate::facts::Facts;
use crate::finding::{Action, Applicability, Evidence, Finding, Remedy, Stage, Verb};
use crate::machine::{self, Gpu, GpuSource, Gpus, ResolvedDevice, Unresolved};
use crate::plan::{Device, Plan};

const STAGE: Stage = Stage::Driver;

pub(super) fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    let environment = match facts.environment.known() {
        Some(EnvironmentState::Ready { environment }) => Some(environment),
        _ => None,
    };
    let around = facts.surroundings.known();
    match (machine::resolve(plan.device(), &facts.gpus), facts.gpus.known()) {
        (Err(Unresolved::NotObserved(reason)), _) => vec![Finding::unknown(STAGE, "unknown", &reason)],
        (Err(Unresolved::NoDriver), Some(gpus)) => vec![broken::broken(gpus, plan, around)],
        // A card may be there that the driver's failure hides: say so where the computer may choose.
        (Ok(ResolvedDevice::Processor), Some(gpus))
            if *plan.device() == Device::Auto && broken::hides(gpus, around) =>
        {
            vec![broken::broken(gpus, plan, around)]
        }
        (Ok(device), Some(gpus)) if device.is_card() => {
            let cards: Vec<&Gpu> = device.cards().into_iter().filter_map(|index| gpus.card(index)).collect();
            let mut findings = vec![fit(facts, gpus, &cards, environment)];
            findings.extend(beyond(&cards));
            if gpus.source == GpuSource::NvidiaSmi {
                findings.push(Finding::note(STAGE, "told-by-program"));
            }
            findings
        }
        _ => Vec::new(),
    }
}

/// A driver that fails, as far as it can be told without looking around; `None`: there is none, or it answers.
pub(super) fn failing(gpus: &Gpus) -> Option<Finding> {
    broken::hides(gpus, None).then(|| broken::broken(gpus, &Plan::default(), None))
}

/// A card that is newer than everything that this app knows.
fn beyond(cards: &[&Gpu]) -> Option<Finding> {
    let card = cards.iter().find(|card| card.compute_capability.known().is_some_and(|it| TABLE.is_beyond(*it)))?;
    let (major, minor) = card.compute_capability.known()?;
    Some(
        Finding::note(STAGE, "card-beyond-knowledge")
            .with("name", card.label())
            .with("date", TABLE.as_of.as_str())
            .seen(Evidence::value("fact-compute-capability", format!("{major}.{minor}"))),
    )
}

/// Whether the driver, torch and every chosen card go together.
fn fit(facts: &Facts, gpus: &Gpus, cards: &[&Gpu], environment: Option<&Environment>) -> Finding {
    let about = |mut finding: Finding| {
        if let Some(driver) = gpus.driver.known() {
            finding = finding.seen(Evidence::value("fact-driver-version", driver.clone()));
        }
        if let Some((major, minor)) = gpus.cuda.known() {
            finding = finding.seen(Evidence::value("fact-driver-cuda", format!("{major}.{minor}")));
        }
        if let Some(environment) = environment {
            finding = finding.seen(Evidence::value("fact-torch", environment.torch.clone()));
        }
        finding
    };
    let driver = gpus.driver.known().map_or("?", String::as_str);
    let Some(environment) = environment else {
        return about(Finding::ok(STAGE, "works").with("driver", driver));
    };
    let blocker = |what: &str| about(Finding::blocker(STAGE, what, Verb::Change));
    let mend = || mend_environment(environment.managed);

    let Some(torch_cuda) = &environment.torch_cuda else {
        return blocker("torch-cpu-build")
            .with("torch", environment.torch.as_str())
            .remedy(mend())
            .remedy(use_processor());
    };
    if let Some(finding) = too_old(facts, gpus, cards, environment, torch_cuda) {
        return about(finding);
    }
    for card in cards {
        let Some(capability) = card.compute_capability.known().copied() else { continue };
        match runs(capability, &environment.architectures) {
            Runs::Not(age) => return about(no_code(gpus, card, capability, age, environment)),
            Runs::Translated if translates_too_little(gpus, torch_cuda) => {
                return about(needs_translation(card, capability, environment, torch_cuda, gpus));
            }
            Runs::Translated | Runs::Directly | Runs::Unclear => {}
        }
    }
    if !environment.cuda_available {
        let stuck = facts
            .surroundings
            .known()
            .and_then(|around| around.device_files.known())
            .is_some_and(|files| !files.is_empty() && !files.iter().any(|file| file.path.ends_with("nvidia-uvm")));
        let shut = facts.surroundings.known().and_then(|around| around.device_files.known());
        let shut = shut.into_iter().flatten().find(|file| !file.usable);
        return match shut {
            Some(file) => about(Finding::blocker(STAGE, "device-file-closed", Verb::Ask))
                .with("path", file.path.as_str())
                .remedy(explain("ask-for-gpu-rights"))
                .remedy(use_processor()),
            None if stuck => blocker("uvm-missing").remedy(explain("load-uvm")).remedy(use_processor()),
            None => blocker("cuda-unavailable")
                .with("torch", environment.torch.as_str())
                .remedy(explain("restart-computer"))
                .remedy(mend())
                .remedy(use_processor()),
        };
    }
    about(Finding::ok(STAGE, "fits").with("driver", driver).with("torch", environment.torch.as_str()))
}

/// Whether the driver is too old for torch's CUDA. CUDA promises that a driver of one major version runs every program
/// built for it, whatever the minor versions, from a certain driver on.
fn too_old(facts: &Facts, gpus: &Gpus, cards: &[&Gpu], environment: &Environment, torch_cuda: &str) -> Option<Finding> {
    let built_for: u32 = torch_cuda.split('.').next()?.parse().ok()?;
    let os = facts.computer.known().map_or("linux", |computer| computer.os.as_str());
    let oldest = TABLE.oldest_driver(built_for, os);
    let driver = gpus.driver.known().map_or("?", String::as_str);
    let serves = gpus.cuda.known().copied();
    let below = match serves {
        Some((major, _)) if major != built_for => major < built_for,
        // The first drivers of a major version do not keep the promise yet; and one that does not say what it serves is
        // known by its number.
        _ => oldest.and_then(driver_numbers).zip(driver_numbers(driver)).is_some_and(|(oldest, it)| it < oldest),
    };
    if !below {
        return None;
    }
    let serves = serves.map_or_else(|| "?".to_owned(), |(major, minor)| format!("{major}.{minor}"));
    let words = |finding: Finding| {
        finding
            .with("driver", driver)
            .with("serves", serves.as_str())
            .with("needs", torch_cuda)
            .with("torch", environment.torch.as_str())
    };
    // torch has tried it: NVIDIA's package for forward compatibility stands between.
    if environment.cuda_available {
        return Some(words(Finding::ok(STAGE, "fits-forward")));
    }
    let update = match oldest {
        Some(oldest) => explain("update-driver-to").with("driver", oldest),
        None => explain("update-driver"),
    };
    let mut finding = words(Finding::blocker(STAGE, "driver-too-old", Verb::Change)).remedy(update);
    finding = match cards.first().map(|card| advice(gpus, card)) {
        Some(Advice::Install(release)) => finding.remedy(install(environment, release)),
        _ => finding.remedy(mend_environment(environment.managed)),
    };
    let forward = os == "linux"
        && cards.iter().all(|card| card.name.known().is_some_and(|name| TABLE.is_forward_compatible(name)));
    if forward && !cards.is_empty() {
        let package = format!("cuda-compat-{}", torch_cuda.replace('.', "-"));
        finding = finding.remedy(explain("install-cuda-compat").with("package", package));
    }
    Some(finding.remedy(use_processor()))
}

/// Puts another torch build in place of the one that does not fit.
fn install(environment: &Environment, release: TorchRelease) -> Remedy {
    let cuda = release.cuda().map_or_else(String::new, |(major, minor)| format!("{major}.{minor}"));
    let remedy = if environment.managed {
        Remedy::new("install-torch-for", Applicability::OneClick, Action::RepairEnvironment)
    } else {
        explain("install-torch-for")
    };
    remedy.with("cuda", cuda)
}

/// torch has no code for a card.
fn no_code(gpus: &Gpus, card: &Gpu, capability: (u32, u32), age: &'static str, environment: &Environment) -> Finding {
    let (first, last) = match TABLE.serving(capability) {
        Some((first, last)) => (Some(first), last),
        None => (None, None),
    };
    let version = |version: Option<(u32, u32)>| version.map_or_else(|| "?".to_owned(), |(a, b)| format!("{a}.{b}"));
    let mut finding = Finding::blocker(STAGE, "no-kernel-image", Verb::Change)
        .with("name", card.label())
        .with("torch", environment.torch.as_str())
        .with("capability", format!("{}.{}", capability.0, capability.1))
        .with("age", age)
        .with("first", version(first))
        .with("last", version(last))
        .seen(Evidence::value("fact-torch-architectures", environment.architectures.join(" ")));
    finding = match advice(gpus, card) {
        Advice::Install(release) => finding.remedy(install(environment, release)),
        Advice::UpdateDriver(release) => {
            let oldest = release.cuda().and_then(|(major, _)| TABLE.oldest_driver(major, "linux"));
            let update = match oldest {
                Some(oldest) => explain("update-driver-to").with("driver", oldest),
                None => explain("update-driver"),
            };
            finding.remedy(update).remedy(install(environment, release))
        }
        Advice::Nothing => finding.remedy(explain("card-no-longer-served")),
    };
    finding.remedy(use_processor())
}

/// Whether the driver cannot translate what torch brings for later cards: it was made by a CUDA newer than the driver's.
/// This is where the promise about minor versions ends.
fn translates_too_little(gpus: &Gpus, torch_cuda: &str) -> bool {
    let mut numbers = torch_cuda.split('.').map_while(|number| number.parse::<u32>().ok());
    let built = numbers.next().zip(numbers.next());
    built.zip(gpus.cuda.known().copied()).is_some_and(|(built, serves)| serves < built)
}

fn needs_translation(
    card: &Gpu,
    capability: (u32, u32),
    environment: &Environment,
    torch_cuda: &str,
    gpus: &Gpus,
) -> Finding {
    let serves = gpus.cuda.known().map_or_else(|| "?".to_owned(), |(major, minor)| format!("{major}.{minor}"));
    Finding::predicted(STAGE, "ptx-too-new", Verb::Change)
        .with("name", card.label())
        .with("capability", format!("{}.{}", capability.0, capability.1))
        .with("torch", environment.torch.as_str())
        .with("needs", torch_cuda)
        .with("serves", serves)
        .seen(Evidence::value("fact-torch-architectures", environment.architectures.join(" ")))
        .remedy(explain("update-driver"))
        .remedy(use_processor())
}

/// How a card runs what a torch build brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Runs {
    /// It has kernels for it.
    Directly,
    /// The driver has to translate what is meant for later cards.
    Translated,
    /// Not: the card is `old` or `new` for it.
    Not(&'static str),
    /// The build lists nothing.
    Unclear,
}

/// How a card runs a torch build's kernels.
///
/// A kernel for `sm_86` runs on every card of major version 8 from minor version 6 on; `compute_90` is PTX, which the
/// driver translates for every later card; a letter (`sm_90a`) ties a kernel to exactly that card.
fn runs(card: (u32, u32), architectures: &[String]) -> Runs {
    let mut built: Vec<(u32, u32)> = Vec::new();
    let mut translated = false;
    for architecture in architectures {
        let Some((kind, number)) = architecture.split_once('_') else { continue };
        let digits = number.trim_end_matches(|character: char| character.is_ascii_alphabetic());
        let Ok(version) = digits.parse::<u32>() else { continue };
        let version = (version / 10, version % 10);
        let runs = match kind {
            "compute" => {
                translated |= card >= version;
                false
            }
            _ if digits.len() < number.len() => card == version,
            _ => card.0 == version.0 && card.1 >= version.1,
        };
        if runs {
            return Runs::Directly;
        }
        built.push(version);
    }
    match built.iter().max() {
        None => Runs::Unclear,
        Some(_) if translated => Runs::Translated,
        Some(newest) => Runs::Not(if card > *newest { "new" } else { "old" }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Runs, runs};

    fn built(architectures: &str) -> Vec<String> {
        architectures.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn kernels_run_within_a_major_version_and_ptx_on_every_later_card() {
        let torch = built("sm_75 sm_80 sm_86 sm_90 sm_100 sm_120 compute_120");
        assert_eq!(runs((8, 6), &torch), Runs::Directly);
        assert_eq!(runs((8, 9), &torch), Runs::Directly, "Ada runs kernels for sm_86");
        assert_eq!(runs((6, 1), &torch), Runs::Not("old"));
        assert_eq!(runs((7, 0), &torch), Runs::Not("old"), "sm_75 needs minor version 5");
        assert_eq!(runs((12, 1), &torch), Runs::Directly);
        assert_eq!(runs((13, 0), &torch), Runs::Translated, "through PTX");
        assert_eq!(runs((12, 0), &built("sm_50 sm_60 sm_70 sm_80 sm_86 sm_90")), Runs::Not("new"));
        assert_eq!(runs((9, 0), &built("sm_90a")), Runs::Directly);
        assert_eq!(runs((9, 1), &built("sm_90a")), Runs::Not("new"));
        assert_eq!(runs((8, 6), &[]), Runs::Unclear, "a torch that lists nothing is not judged");
    }
}
