//! Trying whether an environment computes on a device.

use std::path::Path;
use std::time::Duration;

use preflight_core::environment::smoke::Smoke;
use preflight_core::machine::{CUDA_ORDER, ResolvedDevice, VISIBLE_DEVICES};

use super::{child, python};
use crate::dirs::Dirs;

const SCRIPT: &str = include_str!("smoke.py");

/// torch takes most of a minute to load from a cold, slow disk; compiling for a card can take as long.
const LIMIT: Duration = Duration::from_secs(150);

/// Computes a little on the first of these devices.
pub async fn smoke(dirs: &Dirs, python: &Path, device: &ResolvedDevice) -> Smoke {
    let failed = |error: String| Smoke::Failed { step: "start".to_owned(), error };
    if let Err(error) = std::fs::create_dir_all(dirs.trainer()) {
        return failed(error.to_string());
    }
    let mut command = python::command(dirs, python);
    // As a training is started: every card, counted as everywhere in this app; or one slice.
    command.env(CUDA_ORDER.0, CUDA_ORDER.1).env_remove(VISIBLE_DEVICES);
    let device = match device {
        ResolvedDevice::Processor => "cpu".to_owned(),
        ResolvedDevice::Mps => "mps".to_owned(),
        ResolvedDevice::Gpus(indices) => format!("cuda:{}", indices.first().copied().unwrap_or_default()),
        ResolvedDevice::Slice { uuid, .. } => {
            command.env(VISIBLE_DEVICES, uuid);
            "cuda:0".to_owned()
        }
    };
    command.arg("-c").arg(SCRIPT).arg(device);
    let output = match child::run(command, tokio::time::sleep(LIMIT), |_| {}).await {
        Ok(Some(output)) => output,
        Ok(None) => return failed(format!("no answer in {} s", LIMIT.as_secs())),
        Err(error) => return failed(error.to_string()),
    };
    let answer = output.stdout.lines().last().and_then(|line| serde_json::from_str(line).ok());
    answer.unwrap_or_else(|| {
        // A program that the system ended says nothing itself.
        failed(format!("{}\n{}", child::tail(&output.stderr), output.status).trim().to_owned())
    })
}
