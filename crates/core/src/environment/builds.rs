//! Which torch build fits which driver and card.
//!
//! As of November 2026, for the torch versions that PyPI holds up to 2.15.0. Sources:
//! - PyTorch's CUDA support matrices, <https://github.com/pytorch/pytorch/issues/178665> (2.12: no CUDA 12.8 any more),
//!   [190355](https://github.com/pytorch/pytorch/issues/190355) (2.14: 12.6, 13.0, 13.2),
//!   [190385](https://github.com/pytorch/pytorch/issues/190385) (2.15: no 12.6 any more, so nothing below sm_75);
//! - what the wheels on PyPI depend on: CUDA 12.6 up to torch 2.7, 12.8 for 2.8 to 2.10, 13.0 for 2.11 to 2.14, 13.2 for
//!   2.15;
//! - NVIDIA's minor version compatibility: a driver that serves any CUDA 12.x runs what was built with any 12.y, which
//!   uv's own choice of a build relies on as well. CUDA 13.2 is only chosen where the driver serves 13.2.
//!
//! The contents of PyTorch's own index were not looked at: that `cu126` holds 2.14 and `cu128` 2.10 follows from the
//! matrices.

use super::{TorchBuild, cuda};
use crate::facts::Fact;
use crate::machine::{Gpu, GpuLibrary, Gpus};
use crate::text::Message;

/// A torch build and the versions to ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TorchRelease {
    /// The folder on PyTorch's index.
    pub folder: &'static str,
    /// torch, as a version specifier's right side: `2.14.*`.
    pub torch: &'static str,
    /// The torchvision built for it.
    pub torchvision: &'static str,
    /// torch and torchvision on PyPI that were built for the same CUDA version, on Linux.
    pub on_pypi: Option<(&'static str, &'static str)>,
    /// The oldest driver, by the newest CUDA version it serves.
    cuda: (u32, u32),
    /// Compute capabilities it has kernels for, first and last. Kernels serve later minor versions of the same major.
    capabilities: ((u32, u32), (u32, u32)),
}

/// CUDA builds, the best first.
const RELEASES: [TorchRelease; 5] = [
    TorchRelease {
        folder: "cu132",
        torch: "2.15.*",
        torchvision: "0.29.*",
        on_pypi: Some(("2.15.*", "0.29.*")),
        cuda: (13, 2),
        capabilities: ((7, 5), (12, u32::MAX)),
    },
    TorchRelease {
        folder: "cu130",
        torch: "2.15.*",
        torchvision: "0.29.*",
        on_pypi: Some(("2.14.*", "0.29.*")),
        cuda: (13, 0),
        capabilities: ((7, 5), (12, u32::MAX)),
    },
    TorchRelease {
        folder: "cu126",
        torch: "2.14.*",
        torchvision: "0.29.*",
        on_pypi: Some(("2.7.*", "0.22.*")),
        cuda: (12, 0),
        capabilities: ((5, 0), (9, u32::MAX)),
    },
    TorchRelease {
        folder: "cu128",
        torch: "2.10.*",
        torchvision: "0.25.*",
        on_pypi: Some(("2.10.*", "0.25.*")),
        cuda: (12, 8),
        capabilities: ((7, 0), (12, u32::MAX)),
    },
    TorchRelease {
        folder: "cu118",
        torch: "2.7.*",
        torchvision: "0.22.*",
        on_pypi: None,
        cuda: (11, 0),
        capabilities: ((5, 0), (9, u32::MAX)),
    },
];

/// For the processor only. PyPI's build for Linux is a CUDA build that works there too.
const CPU: TorchRelease = TorchRelease {
    folder: "cpu",
    torch: "2.15.*",
    torchvision: "0.29.*",
    on_pypi: Some(("2.15.*", "0.29.*")),
    cuda: (0, 0),
    capabilities: ((0, 0), (0, 0)),
};

/// The versions that belong to a build; `None` for a folder this app knows nothing about.
#[must_use]
pub fn release(build: &TorchBuild) -> Option<TorchRelease> {
    match build {
        TorchBuild::Cpu => Some(CPU),
        TorchBuild::Cuda(folder) => RELEASES.into_iter().find(|release| release.folder == folder),
    }
}

/// The build that fits the driver and serves the most cards; the CPU build where there is no NVIDIA driver, no card, or
/// nothing that PyTorch still builds for. Unknown where the driver does not say which CUDA version it serves.
#[must_use]
pub fn fitting(gpus: &Gpus) -> Fact<TorchBuild> {
    match &gpus.library {
        GpuLibrary::NotInstalled => return Fact::Known(TorchBuild::Cpu),
        GpuLibrary::Failed { message, .. } => {
            return Fact::Unknown(Message::new("reason-driver-failed").with("message", message.as_str()));
        }
        GpuLibrary::Answers if gpus.cards.is_empty() => return Fact::Known(TorchBuild::Cpu),
        GpuLibrary::Answers => {}
    }
    let driver = match &gpus.cuda {
        Fact::Known(driver) => *driver,
        Fact::Unknown(reason) => return Fact::Unknown(reason.clone()),
    };
    let served = |release: &TorchRelease| gpus.cards.iter().filter(|card| serves(release, card)).count();
    let mut best: Option<(usize, TorchRelease)> = None;
    for release in RELEASES.into_iter().filter(|release| release.cuda <= driver) {
        let cards = served(&release);
        // Among builds that serve equally many, the first one listed.
        if cards > best.map_or(0, |(most, _)| most) {
            best = Some((cards, release));
        }
    }
    Fact::Known(best.map_or(TorchBuild::Cpu, |(_, release)| TorchBuild::Cuda(release.folder.to_owned())))
}

/// Whether a build has kernels for a card. A card that does not tell its capability rules nothing out; one that is newer
/// than all that is known is served by what the newest builds hold for later cards (PTX), if by anything.
fn serves(release: &TorchRelease, card: &Gpu) -> bool {
    let (first, last) = release.capabilities;
    card.compute_capability.known().is_none_or(|capability| {
        (first..=last).contains(capability) || (cuda::TABLE.is_beyond(*capability) && last.0 >= HOLDS_PTX)
    })
}

/// Builds for cards up to this major version hold code for later ones too.
const HOLDS_PTX: u32 = 12;

impl TorchRelease {
    /// The CUDA version it is built for, e.g. (12, 8) of `cu128`.
    #[must_use]
    pub fn cuda(&self) -> Option<cuda::Version> {
        let digits = self.folder.strip_prefix("cu")?;
        let (major, minor) = digits.split_at_checked(2)?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    }
}

/// What helps a card for which an installed torch has no code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// Installing this build.
    Install(TorchRelease),
    /// Updating the driver, then installing this build.
    UpdateDriver(TorchRelease),
    /// Nothing: no build serves it any more.
    Nothing,
}

/// What helps a card, given its driver.
#[must_use]
pub fn advice(gpus: &Gpus, card: &Gpu) -> Advice {
    let mut serving = RELEASES.into_iter().filter(|release| serves(release, card));
    let driver = gpus.cuda.known().copied();
    let mut best = None;
    serving
        .find(|release| {
            best = best.or(Some(*release));
            driver.is_none_or(|driver| release.cuda <= driver)
        })
        .map_or_else(|| best.map_or(Advice::Nothing, Advice::UpdateDriver), Advice::Install)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{GpuDetails, GpuSource};

    fn gpus(cuda: (u32, u32), capabilities: &[(u32, u32)]) -> Gpus {
        let card = |(index, capability): (usize, &(u32, u32))| Gpu {
            index: u32::try_from(index).unwrap(),
            uuid: Fact::unknown("reason-not-observed"),
            name: Fact::unknown("reason-not-observed"),
            memory: Fact::unknown("reason-not-observed"),
            compute_capability: Fact::Known(*capability),
            utilization: Fact::unknown("reason-not-observed"),
            temperature: Fact::unknown("reason-not-observed"),
            processes: Fact::unknown("reason-not-observed"),
            details: Box::new(GpuDetails::not_asked()),
        };
        Gpus {
            library: GpuLibrary::Answers,
            source: GpuSource::Nvml,
            driver: Fact::Known("580.65.06".to_owned()),
            cuda: Fact::Known(cuda),
            cards: capabilities.iter().enumerate().map(card).collect(),
        }
    }

    #[test]
    fn the_build_follows_driver_and_cards() {
        for (cuda, cards, expected) in [
            ((13, 2), &[(8, 9)][..], "cu132"),
            ((13, 0), &[(8, 6)], "cu130"),
            ((13, 1), &[(12, 0)], "cu130"),
            ((14, 0), &[(12, 1)], "cu132"),
            // The last driver that serves a GTX 1080 says CUDA 13, the builds for CUDA 13 have no kernels for it.
            ((13, 0), &[(6, 1)], "cu126"),
            ((12, 4), &[(8, 9)], "cu126"),
            ((12, 9), &[(8, 9)], "cu126"),
            ((12, 8), &[(12, 0)], "cu128"),
            ((13, 0), &[(7, 0), (12, 0)], "cu128"),
            ((13, 0), &[(8, 9), (8, 9), (6, 1)], "cu126"),
            ((11, 4), &[(7, 5)], "cu118"),
            ((10, 2), &[(7, 5)], "cpu"),
            ((11, 4), &[(3, 7)], "cpu"),
            ((12, 6), &[(12, 0)], "cpu"),
            ((12, 6), &[], "cpu"),
        ] {
            let Fact::Known(build) = fitting(&gpus(cuda, cards)) else { panic!("{cuda:?} {cards:?}") };
            assert_eq!(build.folder(), expected, "{cuda:?} {cards:?}");
            assert_eq!(release(&build).map(|release| release.folder), Some(expected));
        }
    }

    #[test]
    fn what_helps_a_card() {
        let advised = |driver, capability| {
            let gpus = gpus(driver, &[capability]);
            match advice(&gpus, &gpus.cards[0]) {
                Advice::Install(release) => format!("install {}", release.folder),
                Advice::UpdateDriver(release) => format!("driver for {}", release.folder),
                Advice::Nothing => "nothing".to_owned(),
            }
        };
        assert_eq!(advised((13, 0), (12, 0)), "install cu130");
        assert_eq!(advised((12, 6), (12, 0)), "driver for cu132");
        assert_eq!(advised((13, 0), (6, 1)), "install cu126");
        assert_eq!(advised((11, 4), (3, 7)), "nothing");
        assert_eq!(advised((14, 0), (14, 0)), "install cu132", "through PTX");
        assert_eq!(release(&TorchBuild::Cuda("cu128".to_owned())).unwrap().cuda(), Some((12, 8)));
        assert_eq!(CPU.cuda(), None);
    }

    #[test]
    fn what_is_not_known_stays_unknown() {
        let mut silent = gpus((12, 8), &[(8, 9)]);
        silent.cuda = Fact::unknown("reason-not-observed");
        assert_eq!(fitting(&silent), Fact::unknown("reason-not-observed"));
        silent.library = GpuLibrary::NotInstalled;
        assert_eq!(fitting(&silent), Fact::Known(TorchBuild::Cpu));
        silent.library = GpuLibrary::Failed { why: "other".to_owned(), message: "no".to_owned() };
        assert!(fitting(&silent).known().is_none());
        assert_eq!(release(&TorchBuild::Cuda("cu999".to_owned())), None);
    }

    #[test]
    fn a_card_that_does_not_tell_rules_nothing_out() {
        let mut gpus = gpus((13, 2), &[(8, 9)]);
        gpus.cards[0].compute_capability = Fact::unknown("reason-not-observed");
        assert_eq!(fitting(&gpus), Fact::Known(TorchBuild::Cuda("cu132".to_owned())));
    }
}
