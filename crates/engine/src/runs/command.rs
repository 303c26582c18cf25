//! What a plan would start.

use preflight_core::command::{line, ultralytics_line};
use preflight_core::machine;
use preflight_core::plan::Plan;
use serde::Serialize;

use super::folder::Folder;
use super::launch;
use crate::Engine;
use crate::environment::python;

/// Stands for the name of a run's folder, which is given at the start.
const RUN: &str = "RUN";

/// What a plan would start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct TrainingCommand {
    /// The argument vector of the trainer: Python, our script, and the file with its arguments. `RUN` stands for the
    /// name of the run's folder, which is given at the start.
    pub words: Vec<String>,
    /// The same as a POSIX shell reads it.
    pub line: String,
    /// What that file says, as JSON.
    pub arguments: String,
    /// What Ultralytics' own command would be told, as a POSIX shell reads it.
    pub ultralytics: String,
}

/// What a plan would start. Nothing is tried: a preflight says whether it can.
pub async fn command(engine: &Engine, plan: &Plan) -> TrainingCommand {
    let gpus = engine.load().await.1;
    // Where the device is not clear the preflight blocks; then what was chosen is what can be said.
    let device =
        machine::resolve(plan.device(), &gpus).map_or_else(|_| plan.device().to_string(), |device| device.to_string());
    let dirs = engine.dirs();
    let python = plan.python().cloned().unwrap_or_else(|| python::of(&dirs.environment()));
    let folder = Folder::new(dirs.runs().join(RUN));
    let words = launch::command(&python, &folder);
    TrainingCommand {
        line: line(&words),
        words,
        arguments: format!("{:#}", launch::arguments(&dirs.weights(), plan, &device, &folder)),
        ultralytics: ultralytics_line(plan, &device),
    }
}
