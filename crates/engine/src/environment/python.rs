//! How a Python of a training environment is started.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tokio::process::Command;

use crate::dirs::Dirs;

/// The Python of a virtual environment.
#[must_use]
pub fn of(environment: &Path) -> PathBuf {
    if cfg!(windows) { environment.join("Scripts").join("python.exe") } else { environment.join("bin").join("python") }
}

/// Whether a Python belongs to the environment that this app makes, or to one in the making.
#[must_use]
pub fn is_managed(dirs: &Dirs, python: &Path) -> bool {
    python.starts_with(dirs.environment()) || super::place::is_partial(dirs, python)
}

/// The variables that keep a Python with Ultralytics offline, in UTF-8, and writing nowhere but in our folders.
#[must_use]
pub fn variables(dirs: &Dirs, python: &Path) -> Vec<(&'static str, OsString)> {
    let trainer = dirs.trainer();
    let mut variables: Vec<(&str, OsString)> = vec![
        // No look-ups of hosts, no update check, no usage events.
        ("YOLO_OFFLINE", "true".into()),
        // A missing package is a finding, never something that is installed by the way.
        ("YOLO_AUTOINSTALL", "false".into()),
        ("YOLO_CONFIG_DIR", trainer.clone().into()),
        ("MPLCONFIGDIR", trainer.join("matplotlib").into()),
        // Fontconfig's list of fonts, which drawing charts asks for, and whatever else a library keeps.
        ("XDG_CACHE_HOME", trainer.join("cache").into()),
        // Charts are drawn into files; a display is not needed and may not be there.
        ("MPLBACKEND", "Agg".into()),
        ("PYTHONUTF8", "1".into()),
        ("PYTHONUNBUFFERED", "1".into()),
    ];
    if is_managed(dirs, python) {
        // Empty is unset, to Python. What a person set for other projects must not bring foreign modules in, nor keep
        // compiled ones from being written: with them, torch and Ultralytics load in half the time.
        variables.extend(["PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"].map(|name| (name, OsString::new())));
    } else {
        // Compiled modules are written beside the sources, and those are not ours.
        variables.push(("PYTHONDONTWRITEBYTECODE", "1".into()));
    }
    variables
}

/// A command that runs a Python with the right variables, in a folder without modules of its own.
pub(crate) fn command(dirs: &Dirs, python: &Path) -> Command {
    let mut command = Command::new(python);
    command.envs(variables(dirs, python)).current_dir(dirs.trainer());
    command
}
