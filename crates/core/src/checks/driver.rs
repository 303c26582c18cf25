//! Whether NVIDIA's driver works, and whether the environment's torch fits driver and card.

use super::{explain, mend_environment, use_processor};
use crate::environment::{Environment, EnvironmentState};
use crate::facts::Facts;
use crate::finding::{Evidence, Finding, Stage, Verb};
use crate::machine::{self, Gpu, GpuLibrary, Gpus, ResolvedDevice, Unresolved};
use crate::plan::{Device, Plan};

const STAGE: Stage = Stage::Driver;

pub(super) fn check(facts: &Facts, plan: &Plan) -> Vec<Finding> {
    let environment = match facts.environment.known() {
        Some(EnvironmentState::Ready { environment }) => Some(environment),
        _ => None,
    };
    match (machine::resolve(plan.device(), &facts.gpus), facts.gpus.known()) {
        (Err(Unresolved::NotObserved(reason)), _) => vec![Finding::unknown(STAGE, "unknown", &reason)],
        (Err(Unresolved::NoDriver), Some(gpus)) => vec![broken(gpus, plan)],
        // A card may be there that the driver's failure hides: say so where the computer may choose.
        (Ok(ResolvedDevice::Processor), Some(gpus))
            if *plan.device() == Device::Auto && matches!(gpus.library, GpuLibrary::Failed { .. }) =>
        {
            vec![broken(gpus, plan)]
        }
        (Ok(ResolvedDevice::Gpus(indices)), Some(gpus)) => {
            let cards: Vec<&Gpu> = indices.iter().filter_map(|index| gpus.card(*index)).collect();
            vec![fit(gpus, &cards, environment)]
        }
        _ => Vec::new(),
    }
}

/// The driver's library is missing or does not answer. A blocker where a GPU was chosen, else a warning.
fn broken(gpus: &Gpus, plan: &Plan) -> Finding {
    let chosen = *plan.device() != Device::Auto;
    let (what, verb, remedy) = match &gpus.library {
        GpuLibrary::NotInstalled | GpuLibrary::Answers => ("driver-not-installed", Verb::Change, "install-driver"),
        GpuLibrary::Failed { why, .. } => match why.as_str() {
            "driver-not-loaded" => ("driver-not-loaded", Verb::Change, "restart-computer"),
            "version-mismatch" => ("nvml-version-mismatch", Verb::Change, "restart-computer"),
            "no-permission" => ("no-permission", Verb::Ask, "ask-for-gpu-rights"),
            _ => ("driver-failed", Verb::Change, "reinstall-driver"),
        },
    };
    let mut finding = if chosen { Finding::blocker(STAGE, what, verb) } else { Finding::warning(STAGE, what) }
        .remedy(explain(remedy));
    if let GpuLibrary::Failed { message, .. } = &gpus.library {
        finding = finding.seen(Evidence::value("fact-driver-message", message.clone()));
    }
    if chosen { finding.remedy(use_processor()) } else { finding }
}

/// Whether the driver, torch and every chosen card go together.
fn fit(gpus: &Gpus, cards: &[&Gpu], environment: Option<&Environment>) -> Finding {
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
    // CUDA promises that a driver of one major version runs every program built for it, whatever the minor versions.
    let built_for = torch_cuda.split('.').next().and_then(|major| major.parse::<u32>().ok());
    if let (Some(built_for), Some((serves, minor))) = (built_for, gpus.cuda.known().copied())
        && serves < built_for
    {
        return blocker("driver-too-old")
            .with("driver", driver)
            .with("serves", format!("{serves}.{minor}"))
            .with("needs", torch_cuda.as_str())
            .remedy(explain("update-driver"))
            .remedy(mend())
            .remedy(use_processor());
    }
    for card in cards {
        if let Some(capability) = card.compute_capability.known().copied()
            && let Some(misfit) = misfit(capability, &environment.architectures)
        {
            return blocker("no-kernel-image")
                .with("name", card.label())
                .with("torch", environment.torch.as_str())
                .with("capability", format!("{}.{}", capability.0, capability.1))
                .with("age", misfit)
                .seen(Evidence::value("fact-torch-architectures", environment.architectures.join(" ")))
                .remedy(mend())
                .remedy(use_processor());
        }
    }
    if !environment.cuda_available {
        return blocker("cuda-unavailable")
            .with("torch", environment.torch.as_str())
            .remedy(explain("restart-computer"))
            .remedy(mend())
            .remedy(use_processor());
    }
    about(Finding::ok(STAGE, "fits").with("driver", driver).with("torch", environment.torch.as_str()))
}

/// Whether a card is `old` or `new` for a torch build's kernels; `None`: they run on it, or nothing is known.
///
/// A kernel for `sm_86` runs on every card of major version 8 from minor version 6 on; `compute_90` is PTX, which the
/// driver translates for every later card; a letter (`sm_90a`) ties a kernel to exactly that card.
fn misfit(card: (u32, u32), architectures: &[String]) -> Option<&'static str> {
    let mut built: Vec<(u32, u32)> = Vec::new();
    for architecture in architectures {
        let Some((kind, number)) = architecture.split_once('_') else { continue };
        let digits = number.trim_end_matches(|character: char| character.is_ascii_alphabetic());
        let Ok(version) = digits.parse::<u32>() else { continue };
        let version = (version / 10, version % 10);
        let runs = match kind {
            "compute" => card >= version,
            _ if digits.len() < number.len() => card == version,
            _ => card.0 == version.0 && card.1 >= version.1,
        };
        if runs {
            return None;
        }
        built.push(version);
    }
    let newest = built.iter().max()?;
    Some(if card > *newest { "new" } else { "old" })
}

#[cfg(test)]
mod tests {
    use super::misfit;

    fn built(architectures: &str) -> Vec<String> {
        architectures.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn kernels_run_within_a_major_version_and_ptx_on_every_later_card() {
        let torch = built("sm_75 sm_80 sm_86 sm_90 sm_100 sm_120 compute_120");
        assert_eq!(misfit((8, 6), &torch), None);
        assert_eq!(misfit((8, 9), &torch), None, "Ada runs kernels for sm_86");
        assert_eq!(misfit((6, 1), &torch), Some("old"));
        assert_eq!(misfit((7, 0), &torch), Some("old"), "sm_75 needs minor version 5");
        assert_eq!(misfit((12, 1), &torch), None);
        assert_eq!(misfit((13, 0), &torch), None, "through PTX");
        assert_eq!(misfit((12, 0), &built("sm_50 sm_60 sm_70 sm_80 sm_86 sm_90")), Some("new"));
        assert_eq!(misfit((9, 0), &built("sm_90a")), None);
        assert_eq!(misfit((9, 1), &built("sm_90a")), Some("new"));
        assert_eq!(misfit((8, 6), &[]), None, "a torch that lists nothing is not judged");
    }
}
