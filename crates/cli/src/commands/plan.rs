//! `preflight plan`, and the plan files that other commands read.

use std::io::Read;
use std::path::{Path, PathBuf};

use preflight_core::plan::{Model, Plan, Target, Training, Weights};
use preflight_core::problem::Problem;

use super::sample::absolute;
use crate::arguments;
use crate::context::Context;
use crate::exit::{Exit, Outcome};

pub(crate) fn plan(context: &Context, arguments: arguments::Plan) -> Outcome {
    let output = arguments.output.clone();
    let plan = chosen(arguments)?;
    preflight_core::run::arguments::check(&plan.training)?;
    if let Some(python) = plan.python() {
        // Who types its name knows it.
        context.engine()?.accept_python(python)?;
    }
    let text = plan.to_toml()?;
    if let Some(file) = output {
        preflight_engine::write::atomically(&absolute(file)?, text.as_bytes())?;
    }
    if context.output.is_json() {
        context.output.json(&plan)?;
    } else {
        context.output.bytes(text.trim_end().as_bytes())?;
    }
    Ok(Exit::Clear)
}

fn chosen(arguments: arguments::Plan) -> Result<Plan, Problem> {
    let (weights, file) = match arguments.weights.to_str() {
        Some("pretrained") => (Weights::Pretrained, PathBuf::new()),
        Some("scratch") => (Weights::Scratch, PathBuf::new()),
        _ => (Weights::File, absolute(arguments.weights)?),
    };
    Ok(Plan {
        dataset: absolute(arguments.dataset)?,
        model: Model { name: arguments.model, weights, file },
        training: Training {
            imgsz: arguments.imgsz,
            batch: arguments.batch,
            epochs: arguments.epochs,
            workers: arguments.workers,
            seed: arguments.seed,
            extra: arguments.extra.into_iter().collect(),
        },
        target: Target::ThisComputer { device: arguments.device, python: arguments.python.map(program).transpose()? },
        ..Plan::default()
    })
}

/// A program's path; a bare name is what a shell would find.
pub(crate) fn program(name: PathBuf) -> Result<PathBuf, Problem> {
    let is_bare = name.components().count() == 1 && !name.is_absolute() && !name.exists();
    let found = is_bare.then(|| std::env::var_os("PATH")).flatten().and_then(|folders| {
        let mut candidates = std::env::split_paths(&folders).map(|folder| folder.join(&name));
        candidates.find(|candidate| candidate.is_file())
    });
    absolute(found.unwrap_or(name))
}

/// Reads a plan file, or standard input for `-`. Relative paths in it start from its folder.
pub(crate) fn read(path: &Path) -> Result<Plan, Problem> {
    if path != Path::new("-") {
        return preflight_engine::plans::read(path);
    }
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| Problem::new("plan.unreadable").with("path", path).because(&error))?;
    preflight_engine::plans::parse(&text, &absolute(PathBuf::from("."))?).map_err(|problem| problem.with("path", path))
}
