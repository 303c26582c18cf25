//! The Python environment that trains.

mod builds;
pub mod cuda;
pub mod smoke;

use std::path::PathBuf;

pub use builds::{Advice, TorchRelease, advice, fitting, release};
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// What was found where a training environment should be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum EnvironmentState {
    /// Nothing is there.
    Missing,
    /// Something is there that cannot train.
    Broken {
        /// Its Python, or where it should be.
        python: PathBuf,
        /// Made by this app, so that it may be made anew.
        managed: bool,
        /// What was seen when it was tried.
        problem: Problem,
    },
    /// torch and Ultralytics were imported in it.
    Ready {
        /// What it holds.
        environment: Environment,
    },
}

/// The code of the problem of an environment that was not tried: a plan names its Python, and nobody here knows it.
pub const NOT_ACCEPTED: &str = "environment.not-accepted";

/// A working environment, by what it said when torch and Ultralytics were imported in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Environment {
    /// Its Python.
    pub python: PathBuf,
    /// Made by this app.
    pub managed: bool,
    /// Python version.
    pub python_version: String,
    /// Ultralytics version.
    pub ultralytics: String,
    /// torch version with its local part, e.g. `2.15.0+cu132`.
    pub torch: String,
    /// torchvision version.
    pub torchvision: String,
    /// CUDA version torch was built for; `None`: a CPU build.
    pub torch_cuda: Option<String>,
    /// GPU architectures torch has kernels for, e.g. `sm_86`.
    pub architectures: Vec<String>,
    /// What `torch.cuda.is_available()` said.
    pub cuda_available: bool,
}

/// The torch build to install.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum TorchBuild {
    /// For the processor only.
    Cpu,
    /// For a CUDA version, by the name of its folder on PyTorch's index, e.g. `cu128`.
    Cuda(String),
}

impl TorchBuild {
    /// The name of its folder on PyTorch's index.
    #[must_use]
    pub fn folder(&self) -> &str {
        match self {
            Self::Cpu => "cpu",
            Self::Cuda(folder) => folder,
        }
    }
}

/// A step of making an environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum EnvironmentProgress {
    /// Fetching the installer.
    FetchingInstaller,
    /// Finding or fetching Python.
    Python {
        /// The version asked for.
        version: String,
    },
    /// Working out which packages are needed.
    Resolving,
    /// Downloading and unpacking packages.
    Installing {
        /// Bytes that came down so far, as far as known.
        done: u64,
        /// Bytes expected in all.
        total: u64,
        /// The installer's last line.
        line: String,
    },
    /// Importing torch and Ultralytics to see that it works.
    Verifying,
    /// Something will be otherwise than was said before.
    Note {
        /// What.
        note: crate::text::Message,
    },
}
