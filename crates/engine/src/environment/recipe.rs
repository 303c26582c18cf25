//! What goes into an environment.

use std::path::{Path, PathBuf};

use preflight_core::environment::{TorchBuild, TorchRelease, release};
use preflight_core::problem::Problem;
use serde::Deserialize;

/// Names a recipe file that is used instead of the app's own choice of packages: for tests, which need no GPU, and for
/// who wants other versions.
pub const RECIPE_VARIABLE: &str = "PREFLIGHT_ENVIRONMENT_RECIPE";

/// Pythons that all torch versions of the table and Ultralytics run on.
pub(super) const PYTHON: &str = ">=3.10,<3.14";
/// The same for a person.
pub(super) const PYTHON_SHOWN: &str = "3.10–3.13";

/// The versions this app was tested with. The variant without OpenCV's windows needs no system libraries.
const ULTRALYTICS: &str = "ultralytics-opencv-headless==8.4.190";
/// Ultralytics installs this by itself when several GPUs train, from a network that may not be there then.
const CLOUDPICKLE: &str = "cloudpickle>=3.1.1";
/// A client of Ultralytics' cloud, imported only when that cloud is used.
const UNUSED: &str = "ultralytics-platform";

/// What making an environment will take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Bytes that come down, when nothing of it was downloaded before.
    pub download: u64,
    /// Bytes on disk afterwards.
    pub disk: u64,
}

impl Cost {
    /// Seconds it takes through a line of 50 Mbit/s onto a disk that takes 100 MB a second, as roughly as that is known.
    #[must_use]
    pub fn seconds(&self) -> u64 {
        let seconds = self.download / 6_250_000 + self.disk / 100_000_000;
        seconds.next_multiple_of(if seconds < 120 { 10 } else { 60 })
    }
}

/// Packages by name and version, and what is done with them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Requirements as pip understands them; the first one is looked for to see whether the index answers.
    pub packages: Vec<String>,
    /// Packages that are left out although others ask for them.
    #[serde(default)]
    pub excludes: Vec<String>,
    /// A Python script that is run with the environment's Python and the folder of its packages, before the environment
    /// is tried. Relative to the recipe file.
    #[serde(default)]
    pub after_install: Option<PathBuf>,
    /// Bytes that come down.
    pub download: u64,
    /// Bytes on disk afterwards.
    pub disk: u64,
    /// Where torch and torchvision come from.
    #[serde(skip)]
    pub(super) torch: Torch,
}

/// Where torch and torchvision come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Torch {
    /// From the package index, like everything else.
    #[default]
    PackageIndex,
    /// From a folder of PyTorch's own index; `instead`: the versions of the package index that serve as well.
    OwnIndex { release: TorchRelease, instead: Option<(&'static str, &'static str)> },
}

impl Recipe {
    /// Reads a recipe file.
    ///
    /// # Errors
    /// `environment.recipe-invalid`.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let invalid = || Problem::new("environment.recipe-invalid").with("path", path);
        let text = std::fs::read_to_string(path).map_err(|error| invalid().because(&error))?;
        let mut recipe: Self = toml::from_str(&text).map_err(|error| invalid().because_text(error.message()))?;
        if recipe.packages.is_empty() {
            return Err(invalid().because_text("packages = []"));
        }
        if let Some(script) = &mut recipe.after_install {
            let beside = path.parent().unwrap_or(Path::new(".")).join(&*script);
            *script = std::path::absolute(beside).map_err(|error| invalid().because(&error))?;
        }
        Ok(recipe)
    }

    /// The recipe of the variable where it is set, else the one of this app for a torch build.
    ///
    /// # Errors
    /// `environment.recipe-invalid`, `environment.no-such-build`.
    pub fn choose(build: &TorchBuild, torch_index_is_set: bool) -> Result<Self, Problem> {
        match std::env::var_os(RECIPE_VARIABLE).filter(|path| !path.is_empty()) {
            Some(path) => Self::read(Path::new(&path)),
            None => Self::of(build, std::env::consts::OS, std::env::consts::ARCH, torch_index_is_set),
        }
    }

    /// The recipe of this app for a torch build on a system, by the names that Rust has for it.
    ///
    /// # Errors
    /// `environment.no-such-build`.
    pub fn of(build: &TorchBuild, os: &str, arch: &str, torch_index_is_set: bool) -> Result<Self, Problem> {
        let release =
            release(build).ok_or_else(|| Problem::new("environment.no-such-build").with("build", build.folder()))?;
        let on_pypi = match (os, build) {
            // PyPI's only builds for these systems; on Windows it has none for CUDA.
            ("macos", _) | ("windows", TorchBuild::Cpu) => Some((release.torch, release.torchvision)),
            ("linux", _) => release.on_pypi,
            _ => None,
        };
        let same = on_pypi == Some((release.torch, release.torchvision));
        // On Linux, PyPI's build for the processor is a CUDA build of six times the size: works, but only if need be.
        let pypi_will_do = same && !(os == "linux" && (build == &TorchBuild::Cpu || arch != "x86_64"));
        let torch = if pypi_will_do && !torch_index_is_set {
            Torch::PackageIndex
        } else {
            // Who says where torch comes from means it.
            Torch::OwnIndex { release, instead: on_pypi.filter(|_| !torch_index_is_set) }
        };
        let cost = rule_of_thumb(os, build);
        Ok(Self {
            packages: packages(release.torch, release.torchvision),
            excludes: vec![UNUSED.to_owned()],
            after_install: None,
            download: cost.download,
            disk: cost.disk,
            torch,
        })
    }

    /// The same with torch from the package index, where that is possible.
    pub(super) fn with_torch_from_package_index(&self) -> Option<Self> {
        let Torch::OwnIndex { instead: Some((torch, torchvision)), .. } = self.torch else { return None };
        let cost = CUDA;
        Some(Self {
            packages: packages(torch, torchvision),
            torch: Torch::PackageIndex,
            download: cost.download,
            disk: cost.disk,
            ..self.clone()
        })
    }

    /// What it takes.
    #[must_use]
    pub fn cost(&self) -> Cost {
        Cost { download: self.download, disk: self.disk }
    }
}

fn packages(torch: &str, torchvision: &str) -> Vec<String> {
    let torch = [format!("torch=={torch}"), format!("torchvision=={torchvision}")];
    [ULTRALYTICS.to_owned()].into_iter().chain(torch).chain([CLOUDPICKLE.to_owned()]).collect()
}

/// A CUDA build on Linux, measured for torch 2.15.0 from PyPI: 59 packages.
const CUDA: Cost = Cost { download: 3_000_000_000, disk: 5_700_000_000 };

/// Sizes of what was measured (CUDA on Linux), and of the wheels' published sizes otherwise.
fn rule_of_thumb(os: &str, build: &TorchBuild) -> Cost {
    match (build, os) {
        (TorchBuild::Cuda(_), _) => CUDA,
        (TorchBuild::Cpu, "macos") => Cost { download: 350_000_000, disk: 1_000_000_000 },
        (TorchBuild::Cpu, _) => Cost { download: 450_000_000, disk: 1_400_000_000 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn torch_of(build: &str, os: &str, arch: &str, set: bool) -> (String, String) {
        let build = if build == "cpu" { TorchBuild::Cpu } else { TorchBuild::Cuda(build.to_owned()) };
        let recipe = Recipe::of(&build, os, arch, set).unwrap();
        let from = match recipe.torch {
            Torch::PackageIndex => "package index".to_owned(),
            Torch::OwnIndex { release, instead } => {
                format!("{}, else {}", release.folder, instead.map_or("none", |(torch, _)| torch))
            }
        };
        (recipe.packages[1].clone(), from)
    }

    #[test]
    fn torch_comes_from_where_the_fitting_build_is() {
        let cases = [
            ("cpu", "linux", "x86_64", false),
            ("cpu", "linux", "x86_64", true),
            ("cu132", "linux", "x86_64", false),
            ("cu132", "linux", "aarch64", false),
            ("cu130", "linux", "x86_64", false),
            ("cu126", "linux", "x86_64", false),
            ("cu118", "linux", "x86_64", false),
            ("cpu", "windows", "x86_64", false),
            ("cu132", "windows", "x86_64", false),
            ("cpu", "macos", "aarch64", false),
        ];
        let lines = cases.map(|(build, os, arch, set)| {
            let (torch, from) = torch_of(build, os, arch, set);
            format!("{build:6} {os:8} {arch:8} {:12} {torch:14} {from}", if set { "index set" } else { "" })
        });
        insta::assert_snapshot!(lines.join("\n"), @r"
        cpu    linux    x86_64                torch==2.15.*  cpu, else 2.15.*
        cpu    linux    x86_64   index set    torch==2.15.*  cpu, else none
        cu132  linux    x86_64                torch==2.15.*  package index
        cu132  linux    aarch64               torch==2.15.*  cu132, else 2.15.*
        cu130  linux    x86_64                torch==2.15.*  cu130, else 2.14.*
        cu126  linux    x86_64                torch==2.14.*  cu126, else 2.7.*
        cu118  linux    x86_64                torch==2.7.*   cu118, else none
        cpu    windows  x86_64                torch==2.15.*  package index
        cu132  windows  x86_64                torch==2.15.*  cu132, else none
        cpu    macos    aarch64               torch==2.15.*  package index
        ");
    }

    #[test]
    fn a_recipe_file_names_what_is_wrong_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.toml");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Recipe::read(&path)
        };
        let causes = |text: &str| read(text).unwrap_err().causes.join(" ");
        assert_eq!(causes("packages = []\ndownload = 1\ndisk = 1"), "packages = []");
        assert!(causes("packages = ['a']\ndownlod = 1\ndisk = 1").contains("unknown field `downlod`"));
        let recipe = read("packages = ['a']\ndownload = 1\ndisk = 1\nafter_install = 'stub.py'").unwrap();
        assert_eq!(recipe.after_install, Some(folder.path().join("stub.py")));
    }
}
