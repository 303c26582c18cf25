//! Packages that a person installs.

use std::path::{Path, PathBuf};

use crate::failure::{At, Failure, Outcome};
use crate::project::Project;
use crate::steps::{self, Steps};
use crate::surroundings::Surroundings;
use crate::system::Use;
use crate::{setup, ui};

/// Builds the release and packs it.
pub(crate) fn dist(project: &Project, steps: &mut Steps) -> Outcome {
    let surroundings = Surroundings::own();
    setup::tools(project, steps, Use::Window)?;
    release(project, steps, &surroundings)?;
    let folder = project.target.join("release/bundle");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).at(&folder)?;
    }
    let mut bundle = surroundings.command(project, project.ui().join("node_modules/.bin").join(TAURI));
    bundle.args(["bundle", "--ci"]);
    steps.command("Packages", &mut bundle)?;
    let packages = find(&folder)?;
    if packages.is_empty() {
        return Err(Failure::new("The bundler wrote no package."));
    }
    for package in packages {
        steps::result(&package.display().to_string());
    }
    Ok(())
}

const TAURI: &str = if cfg!(windows) { "tauri.cmd" } else { "tauri" };

/// The release build of the app and the command line.
pub(crate) fn release(project: &Project, steps: &Steps, surroundings: &Surroundings) -> Outcome {
    ui::packages(project, steps, surroundings)?;
    ui::build(project, steps, surroundings)?;
    let mut build = surroundings.command(project, "cargo");
    build.args(["build", "--locked", "--release", "--package", "yolo-preflight", "--package", "preflight-cli"]);
    build.args(["--features", "yolo-preflight/custom-protocol"]);
    steps.command("Release build", &mut build).map(drop)
}

/// The packages, one folder a kind.
fn find(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    for kind in std::fs::read_dir(folder).at(folder)? {
        let kind = kind.at(folder)?.path();
        for entry in std::fs::read_dir(&kind).at(&kind)? {
            let path = entry.at(&kind)?.path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if extension.is_some_and(|extension| ["deb", "rpm", "dmg", "msi", "exe"].contains(&extension)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
