//! A driver that is missing or does not answer.

use super::{explain, use_processor};
use crate::finding::{Evidence, Finding, Stage, Verb};
use crate::machine::{GpuLibrary, Gpus, KernelModule, Surroundings, Vendor};
use crate::plan::{Device, Plan};

const STAGE: Stage = Stage::Driver;

/// Whether a card may be there that the missing or failing driver hides.
pub(super) fn hides(gpus: &Gpus, around: Option<&Surroundings>) -> bool {
    match gpus.library {
        GpuLibrary::Answers => false,
        GpuLibrary::Failed { .. } => true,
        GpuLibrary::NotInstalled => nvidia(around).is_some(),
    }
}

/// Where one of NVIDIA's cards is on the PCI bus.
fn nvidia(around: Option<&Surroundings>) -> Option<&str> {
    let adapters = around?.adapters.known()?;
    adapters.iter().find(|adapter| adapter.vendor == Vendor::Nvidia).map(|adapter| adapter.pci.as_str())
}

/// The driver's library is missing or does not answer. A blocker where a GPU was chosen, else a warning.
pub(super) fn broken(gpus: &Gpus, plan: &Plan, around: Option<&Surroundings>) -> Finding {
    let chosen = *plan.device() != Device::Auto;
    let wsl = around.is_some_and(|around| around.wsl);
    let module = around.and_then(|around| around.kernel_module.known());
    let signed = around.and_then(|around| around.secure_boot.known()).is_some_and(|on| *on);
    let (what, verb, remedy) = match &gpus.library {
        GpuLibrary::NotInstalled | GpuLibrary::Answers if wsl => {
            ("driver-not-installed-wsl", Verb::Change, "install-windows-driver")
        }
        GpuLibrary::NotInstalled | GpuLibrary::Answers if module == Some(&KernelModule::Nouveau) => {
            ("nouveau-holds-card", Verb::Change, "install-driver")
        }
        GpuLibrary::NotInstalled | GpuLibrary::Answers => ("driver-not-installed", Verb::Change, "install-driver"),
        GpuLibrary::Failed { why, .. } => match (why.as_str(), module) {
            ("driver-not-loaded", Some(KernelModule::Missing)) => ("module-missing", Verb::Change, "reinstall-driver"),
            ("driver-not-loaded", Some(KernelModule::NotLoaded)) if signed => {
                ("module-refused", Verb::Change, "enrol-key")
            }
            ("driver-not-loaded", _) => ("driver-not-loaded", Verb::Change, "restart-computer"),
            ("version-mismatch", _) => ("nvml-version-mismatch", Verb::Change, "restart-computer"),
            ("no-permission", _) => ("no-permission", Verb::Ask, "ask-for-gpu-rights"),
            _ => ("driver-failed", Verb::Change, "reinstall-driver"),
        },
    };
    let mut finding = if chosen { Finding::blocker(STAGE, what, verb) } else { Finding::warning(STAGE, what) }
        .remedy(explain(remedy));
    if let GpuLibrary::Failed { message, .. } = &gpus.library {
        finding = finding.seen(Evidence::value("fact-driver-message", message.clone()));
    }
    if let Some(pci) = nvidia(around) {
        finding = finding.seen(Evidence::value("fact-display-adapter", format!("NVIDIA ({pci})")));
    }
    if let Some(KernelModule::Loaded { version, .. }) = module {
        finding = finding.seen(Evidence::value("fact-kernel-module", version.clone()));
    }
    if chosen { finding.remedy(use_processor()) } else { finding }
}
