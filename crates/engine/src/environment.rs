//! Training environments: found, made, tried, mended, removed.

use std::path::Path;
use std::sync::Arc;

use preflight_core::environment::{Environment, EnvironmentProgress, EnvironmentState, TorchBuild};
use preflight_core::problem::Problem;
use tokio_util::sync::CancellationToken;

use crate::dirs::Dirs;
use crate::settings::Settings;

/// Called at each step of making an environment.
pub type OnProgress = Arc<dyn Fn(EnvironmentProgress) + Send + Sync>;

/// Tries a Python: imports torch and Ultralytics in it and looks.
pub async fn inspect(_dirs: &Dirs, _python: &Path) -> EnvironmentState {
    EnvironmentState::Missing
}

/// The app's own environment, tried.
pub async fn own(_dirs: &Dirs) -> EnvironmentState {
    EnvironmentState::Missing
}

/// The app's own environment and every other one with Ultralytics that can be found, each tried.
pub async fn list(_dirs: &Dirs) -> Vec<EnvironmentState> {
    Vec::new()
}

/// What making the environment will take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Bytes that come down.
    pub download: u64,
    /// Bytes on disk afterwards.
    pub disk: u64,
}

/// What making the environment will take, by rule, before anything is asked of the network.
#[must_use]
pub fn cost(_build: &TorchBuild) -> Cost {
    Cost { download: 3_000_000_000, disk: 6_000_000_000 }
}

/// The torch build that fits this computer's driver, or the CPU where there is no GPU.
#[must_use]
pub fn fitting_build(_gpus: &preflight_core::machine::Gpus) -> TorchBuild {
    TorchBuild::Cpu
}

/// Makes the app's own environment. What is there already is replaced only once the new one works.
///
/// # Errors
/// `environment.cancelled`, `environment.index-unreachable`, `environment.no-python`, `environment.disk-full`,
/// `environment.does-not-work`, …
pub async fn create(
    _dirs: &Dirs,
    _settings: &Settings,
    _build: &TorchBuild,
    _progress: OnProgress,
    _cancel: CancellationToken,
) -> Result<Environment, Problem> {
    Err(Problem::new("environment.no-python"))
}

/// Removes the app's own environment; answers the bytes that became free.
///
/// # Errors
/// `file.unwritable`.
pub async fn remove(_dirs: &Dirs) -> Result<u64, Problem> {
    Ok(0)
}
