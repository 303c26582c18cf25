//! The app, from nothing; without a display its main job in the terminal.

use std::ffi::OsStr;

use crate::failure::{At, Failure, Outcome};
use crate::project::Project;
use crate::steps::{self, Steps};
use crate::surroundings::Surroundings;
use crate::system::Use;
use crate::{setup, training, ui};

/// Installs, builds and opens the app, or does its main job here.
pub(crate) fn run(project: &Project, steps: &mut Steps, headless: bool) -> Outcome {
    let surroundings = Surroundings::own();
    let headless = headless || !has_display();
    setup::tools(project, steps, if headless { Use::Terminal } else { Use::Window })?;
    if headless {
        training::build_cli(project, steps, &surroundings)?;
    } else {
        ui::packages(project, steps, &surroundings)?;
        ui::build(project, steps, &surroundings)?;
        let mut build = surroundings.command(project, "cargo");
        build.args(["build", "--locked", "--package", "yolo-preflight", "--package", "preflight-cli"]);
        build.args(["--features", "yolo-preflight/custom-protocol"]);
        steps.command("App", &mut build)?;
    }
    training::own(project, steps, &surroundings)?;
    if headless { demo(project, &surroundings) } else { open(project, &surroundings) }
}

fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

fn open(project: &Project, surroundings: &Surroundings) -> Outcome {
    steps::line("\nThe app is open; this ends when it is closed.");
    let status = surroundings.command(project, project.debug("yolo-preflight")).status()?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("The app ended with {status}."))) }
}

fn demo(project: &Project, surroundings: &Surroundings) -> Outcome {
    let folder = project.work.join("demo");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).at(&folder)?;
    }
    std::fs::create_dir_all(&folder).at(&folder)?;
    let dataset = folder.join("dataset");
    let plan = folder.join("plan.toml");
    let preflight = |arguments: &[&OsStr]| -> Outcome {
        let mut command = surroundings.command(project, project.debug("preflight"));
        command.args(arguments);
        steps::line(&format!("\n$ {}", steps::shown(&command)));
        let status = command.status()?;
        if status.success() {
            return Ok(());
        }
        Err(Failure::new(format!("`{}` ended with {status}.", steps::shown(&command))))
    };
    preflight(&["sample".as_ref(), dataset.as_ref(), "--plan".as_ref(), plan.as_ref()])?;
    preflight(&["check".as_ref(), plan.as_ref()])?;
    preflight(&["run".as_ref(), plan.as_ref(), "--follow".as_ref()])
}
