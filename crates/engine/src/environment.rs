//! Training environments: found, made, tried, mended, removed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use preflight_core::environment::{Environment, EnvironmentProgress, EnvironmentState, TorchBuild};
use preflight_core::facts::Fact;
use preflight_core::machine::Gpus;
use preflight_core::problem::Problem;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::dirs::Dirs;
use crate::settings::Settings;

mod add;
pub(crate) mod child;
mod create;
mod discover;
mod downloads;
mod failure;
pub mod fonts;
pub mod installer;
pub mod kit;
mod place;
mod probe;
pub mod python;
mod recipe;
mod simple;
mod smoke;
mod sources;

pub(crate) use simple::{causes, title};
pub(crate) use sources::{address, shown};

pub use add::{ONNX, ONNX_COST, missing};
pub use recipe::{Cost, RECIPE_VARIABLE, Recipe};
pub use smoke::smoke;

/// What making the environment will take.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct EnvironmentCost {
    /// The torch build.
    pub build: TorchBuild,
    /// Bytes that come down.
    pub download: u64,
    /// Bytes on disk afterwards.
    pub disk: u64,
    /// Seconds it takes through a line of 50 Mbit/s.
    pub seconds: u64,
}

/// Called at each step of making an environment.
pub type OnProgress = Arc<dyn Fn(EnvironmentProgress) + Send + Sync>;

/// Tries a Python: imports torch and Ultralytics in it and looks. Takes seconds, and two minutes at most.
pub async fn inspect(dirs: &Dirs, python: &Path) -> EnvironmentState {
    probe::inspect(dirs, python).await
}

/// Whether a Python is known on this computer: the app's own, one that is found here, or one that a person accepted. A plan
/// may come from anyone and name any program. Blocks for as long as looking at some folders takes.
#[must_use]
pub fn is_known(dirs: &Dirs, settings: &Settings, python: &Path) -> bool {
    // A way up leads out of any folder.
    let stays_below = python.components().all(|part| part != std::path::Component::ParentDir);
    let is_accepted = |accepted: &PathBuf| accepted == python || (stays_below && python.starts_with(accepted));
    (stays_below && python::is_managed(dirs, python))
        || settings.accepted_pythons.iter().any(is_accepted)
        || discover::Surroundings::of_this_process().candidates().iter().any(|found| found == python)
}

/// The app's own environment, tried.
pub async fn own(dirs: &Dirs) -> EnvironmentState {
    match create::present(dirs) {
        Some(state) => state,
        None => probe::inspect(dirs, &python::of(&dirs.environment())).await,
    }
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

/// What making the environment will take, by rule, before anything is asked of the network.
///
/// # Errors
/// `environment.recipe-invalid`, `environment.no-such-build`.
pub fn cost(settings: &Settings, build: &TorchBuild) -> Result<Cost, Problem> {
    let torch_index_is_set = origins(settings)?.torch_index_is_set();
    Ok(Recipe::choose(build, torch_index_is_set)?.cost())
}

/// The torch build that fits this computer's driver and cards, or the CPU's where there is no GPU.
#[must_use]
pub fn fitting_build(gpus: &Gpus) -> Fact<TorchBuild> {
    preflight_core::environment::fitting(gpus)
}

/// Makes the app's own environment. What is there already is replaced only once the new one works, so that this mends a
/// broken one as well.
///
/// # Errors
/// - before anything: `environment.busy`, `environment.in-use`, `environment.disk-full`, `environment.source-invalid`,
///   `environment.recipe-invalid`, `environment.no-such-build`;
/// - the way to the packages: `environment.index-unreachable`, `.certificate-refused`, `.index-refuses`,
///   `.index-failed`, `.not-an-index`, `.package-not-found`, `.no-installer`, `.checksum-mismatch`;
/// - making it: `environment.no-python`, `.no-solution`, `.download-failed`, `.disk-full`, `.installer-failed`;
/// - trying it: `environment.does-not-start`, `.does-not-work`, `.module-missing`, `.no-answer`;
/// - `environment.cancelled`.
pub async fn create(
    dirs: &Dirs,
    settings: &Settings,
    build: &TorchBuild,
    progress: OnProgress,
    cancel: CancellationToken,
) -> Result<Environment, Problem> {
    let torch_index_is_set = origins(settings)?.torch_index_is_set();
    let recipe = Recipe::choose(build, torch_index_is_set)?;
    create_from(dirs, settings, recipe, progress, cancel).await
}

/// Makes the app's own environment by a recipe.
///
/// # Errors
/// As [`create`].
pub async fn create_from(
    dirs: &Dirs,
    settings: &Settings,
    recipe: Recipe,
    progress: OnProgress,
    cancel: CancellationToken,
) -> Result<Environment, Problem> {
    create::create(dirs, &origins(settings)?, recipe, progress, cancel).await
}

/// Adds what exporting to ONNX needs to the app's own environment. What is there keeps its version, so that a training
/// may go on meanwhile.
///
/// # Errors
/// `environment.python-gone`, `environment.busy`, and as [`create`], what concerns the package index and installing.
pub async fn add_onnx(
    dirs: &Dirs,
    settings: &Settings,
    progress: OnProgress,
    cancel: CancellationToken,
) -> Result<(), Problem> {
    add::add_onnx(dirs, &origins(settings)?, progress, cancel).await
}

/// Fetches the installer into the app's folder, even where there is one on the path.
///
/// # Errors
/// As [`create`], what concerns the package index.
pub async fn fetch_installer(dirs: &Dirs, settings: &Settings) -> Result<PathBuf, Problem> {
    let origins = origins(settings)?;
    installer::fetch(dirs, &origins.client()?, &origins.index()?).await
}

/// Bytes that removing the app's own environment would free. Blocks for as long as looking at every file takes.
#[must_use]
pub fn size(dirs: &Dirs) -> u64 {
    crate::disk::freed_by(&dirs.environment())
}

/// Removes the app's own environment; answers the bytes that became free.
///
/// # Errors
/// `environment.busy`, `environment.in-use`, `file.unwritable`.
pub async fn remove(dirs: &Dirs) -> Result<u64, Problem> {
    place::remove(dirs).await
}

/// A client that goes the way the settings describe, for whatever else is fetched.
///
/// # Errors
/// `environment.source-invalid`, `environment.certificates-unreadable`, `environment.tls-unavailable`.
pub(crate) fn client(settings: &Settings) -> Result<reqwest::Client, Problem> {
    origins(settings)?.client()
}

/// The same, with a rule of its own for answers that send elsewhere.
///
/// # Errors
/// As [`client`].
pub(crate) fn client_that(
    settings: &Settings,
    redirects: reqwest::redirect::Policy,
) -> Result<reqwest::Client, Problem> {
    origins(settings)?.client_that(redirects)
}

/// The proxy on that way, for a person to read.
///
/// # Errors
/// `environment.source-invalid`.
pub(crate) fn proxy(settings: &Settings) -> Result<Option<String>, Problem> {
    Ok(origins(settings)?.proxy())
}

fn origins(settings: &Settings) -> Result<sources::Origins, Problem> {
    sources::Origins::resolve(&settings.sources, &discover::Surroundings::of_this_process())
}

fn unwritable(path: &Path, error: &std::io::Error) -> Problem {
    Problem::new("file.unwritable").with("path", path).because(error)
}
