//! Trying an environment: whether torch and Ultralytics can really be imported in it.

use std::path::Path;
use std::time::Duration;

use preflight_core::environment::{Environment, EnvironmentState};
use preflight_core::problem::Problem;
use serde::Deserialize;

use super::{child, python};
use crate::dirs::Dirs;

const SCRIPT: &str = include_str!("probe.py");

/// Importing torch for the first time from a cold, slow disk takes most of a minute.
const LIMIT: Duration = Duration::from_secs(110);

/// The script's line.
#[derive(Debug, Deserialize)]
struct Answer {
    python: String,
    #[serde(default)]
    missing: Option<String>,
    #[serde(default)]
    failed: Option<Failed>,
    #[serde(default)]
    torch: String,
    #[serde(default)]
    torchvision: String,
    #[serde(default)]
    ultralytics: String,
    #[serde(default)]
    torch_cuda: Option<String>,
    #[serde(default)]
    architectures: Vec<String>,
    #[serde(default)]
    cuda_available: bool,
}

#[derive(Debug, Deserialize)]
struct Failed {
    module: String,
    error: String,
}

/// Tries a Python.
pub(super) async fn inspect(dirs: &Dirs, python: &Path) -> EnvironmentState {
    if !python.exists() {
        return EnvironmentState::Missing;
    }
    match attempt(dirs, python).await {
        Ok(environment) => EnvironmentState::Ready { environment },
        Err(problem) => {
            EnvironmentState::Broken { python: python.to_owned(), managed: python::is_managed(dirs, python), problem }
        }
    }
}

/// Imports torch and Ultralytics, and looks.
///
/// # Errors
/// `environment.does-not-start`, `environment.no-answer`, `environment.module-missing`, `environment.does-not-work`.
pub(super) async fn attempt(dirs: &Dirs, python: &Path) -> Result<Environment, Problem> {
    let does_not_start = || Problem::new("environment.does-not-start").with("path", python);
    // The working folder must exist, and Ultralytics writes its settings there.
    std::fs::create_dir_all(dirs.trainer()).map_err(|error| does_not_start().because(&error))?;
    let mut command = python::command(dirs, python);
    command.arg("-c").arg(SCRIPT);
    let output = child::run(command, tokio::time::sleep(LIMIT), |_| {})
        .await
        .map_err(|error| does_not_start().because(&error))?
        .ok_or_else(|| Problem::new("environment.no-answer").with("path", python).with("seconds", LIMIT.as_secs()))?;
    let answer = output.stdout.lines().last().and_then(|line| serde_json::from_str::<Answer>(line).ok());
    let Some(answer) = answer else {
        let problem = does_not_start().because_text(output.status.to_string());
        let said = child::tail(&output.stderr);
        return Err(if said.is_empty() { problem } else { problem.because_text(said) });
    };
    if let Some(module) = answer.missing {
        return Err(Problem::new("environment.module-missing").with("path", python).with("module", module));
    }
    if let Some(failed) = answer.failed {
        return Err(Problem::new("environment.does-not-work")
            .with("path", python)
            .with("module", failed.module)
            .because_text(failed.error));
    }
    Ok(Environment {
        python: python.to_owned(),
        managed: python::is_managed(dirs, python),
        python_version: answer.python,
        ultralytics: answer.ultralytics,
        torch: answer.torch,
        torchvision: answer.torchvision,
        torch_cuda: answer.torch_cuda,
        architectures: answer.architectures,
        cuda_available: answer.cuda_available,
    })
}

/// Whether a state says that there is no Ultralytics at all, as opposed to one that does not work.
pub(super) fn is_without_ultralytics(state: &EnvironmentState) -> bool {
    let EnvironmentState::Broken { problem, .. } = state else { return false };
    problem.code == "environment.module-missing"
        && problem.args.get("module") == Some(&preflight_core::text::Value::from("ultralytics"))
}
