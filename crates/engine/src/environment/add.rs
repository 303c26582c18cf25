//! Adding packages to the app's own environment: what is there stays as it is, to the version.

use std::path::Path;
use std::time::Duration;

use preflight_core::environment::EnvironmentProgress;
use preflight_core::problem::Problem;
use tokio::process::Command;
use tokio_util::sync::CancellationToken;

use super::create::{CONSTRAINTS, Work, installer, soon};
use super::place::{self, Lock};
use super::recipe::{Cost, Recipe, Torch};
use super::sources::Origins;
use super::{OnProgress, child, failure, python, simple};
use crate::dirs::Dirs;

/// What exporting to ONNX needs, by the names that Python imports, which are those of the packages as well.
pub const ONNX: [&str; 3] = ["onnx", "onnxslim", "onnxruntime"];
/// The same as requirements: the oldest that Ultralytics takes. The newest are in the constraints.
const ONNX_REQUIREMENTS: [&str; 3] = ["onnx>=1.16", "onnxslim>=0.1.82", "onnxruntime>=1.18"];
/// What they take, with what they need themselves. Measured on Linux: 7 packages.
pub const ONNX_COST: Cost = Cost { download: 45_000_000, disk: 120_000_000 };

/// How long a Python may take that imports nothing.
const QUICK: Duration = Duration::from_secs(30);
const MISSING: &str = "import importlib.util, sys
print(*(name for name in sys.argv[1:] if importlib.util.find_spec(name) is None))";

/// Which of these modules a Python does not have. Nothing is imported.
///
/// # Errors
/// `environment.does-not-start`, `environment.no-answer`.
pub async fn missing(dirs: &Dirs, python: &Path, modules: &[&str]) -> Result<Vec<String>, Problem> {
    let does_not_start = || Problem::new("environment.does-not-start").with("path", python);
    // The working folder of Python.
    std::fs::create_dir_all(dirs.trainer()).map_err(|error| super::unwritable(&dirs.trainer(), &error))?;
    let mut command = python::command(dirs, python);
    command.arg("-c").arg(MISSING).args(modules);
    let output = child::run(command, tokio::time::sleep(QUICK), |_| {})
        .await
        .map_err(|error| does_not_start().because(&error))?
        .ok_or_else(|| Problem::new("environment.no-answer").with("path", python).with("seconds", QUICK.as_secs()))?;
    if !output.status.success() {
        return Err(does_not_start().because_text(child::tail(&output.stderr)));
    }
    Ok(output.stdout.split_whitespace().map(str::to_owned).collect())
}

/// Adds what exporting to ONNX needs to the app's own environment.
pub(super) async fn add_onnx(
    dirs: &Dirs,
    origins: &Origins,
    progress: OnProgress,
    cancel: CancellationToken,
) -> Result<(), Problem> {
    let folder = dirs.environment();
    let environment = python::of(&folder);
    if !environment.exists() {
        return Err(Problem::new("environment.python-gone").with("path", environment.as_path()));
    }
    let _lock = Lock::take(dirs)?;
    place::room_for(dirs.root(), ONNX_COST.disk)?;
    let client = origins.client()?;
    let uv = soon(&cancel, installer(dirs, origins, &client, &progress)).await?;
    let variables = origins.for_uv(dirs)?;
    // A network that cannot work is told within seconds and by name.
    let index = origins.index()?;
    soon(&cancel, async { simple::files(&client, &index, ONNX[0]).await.map(drop) }).await?;
    let recipe = Recipe {
        packages: ONNX_REQUIREMENTS.map(str::to_owned).into(),
        excludes: Vec::new(),
        after_install: None,
        download: ONNX_COST.download,
        disk: ONNX_COST.disk,
        torch: Torch::PackageIndex,
    };
    let work = Work { dirs, folder: &folder, uv, variables, recipe: &recipe, progress: &progress, cancel: &cancel };
    progress(EnvironmentProgress::Resolving);
    let present = write_present(&work).await?;
    let mut install = work.uv();
    install.args(["pip", "install", "--no-python-downloads", "--python"]).arg(&environment);
    install.arg("--constraints").arg(present.path()).args(&recipe.packages);
    work.install(install).await?.map_err(|said| failure::of_install(&said, &folder, recipe.cost()))
}

/// Writes what is there, with versions: a training may import any of it at this very moment.
async fn write_present(work: &Work<'_>) -> Result<tempfile::NamedTempFile, Problem> {
    let mut freeze: Command = work.uv();
    freeze.args(["pip", "freeze", "--python"]).arg(python::of(work.folder));
    let frozen = child::run(freeze, work.cancel.cancelled(), |_| {})
        .await
        .map_err(|error| super::installer::unusable(&work.uv).because(&error))?
        .ok_or_else(super::create::cancelled)?;
    if !frozen.status.success() {
        return Err(failure::of_install(&frozen.stderr, work.folder, work.recipe.cost()));
    }
    let unwritable = |error: &std::io::Error| super::unwritable(work.dirs.root(), error);
    let file = tempfile::NamedTempFile::new_in(work.dirs.root()).map_err(|error| unwritable(&error))?;
    // What is there is not asked for again; of the rest, nothing newer than what was tested.
    let constraints = format!("{}\n{CONSTRAINTS}", frozen.stdout);
    std::fs::write(file.path(), constraints).map_err(|error| unwritable(&error))?;
    Ok(file)
}
