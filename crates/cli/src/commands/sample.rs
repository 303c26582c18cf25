//! `preflight sample`: a dataset to try everything with.

use std::path::PathBuf;

use preflight_core::problem::Problem;
use serde_json::json;

use crate::arguments::Sample;
use crate::context::Context;
use crate::exit::{Exit, Outcome};

pub(crate) async fn sample(context: &Context, arguments: Sample) -> Outcome {
    let folder = absolute(arguments.dir)?;
    let yaml = context.blocking(move || preflight_engine::sample::write(&folder)).await??;
    if let Some(file) = arguments.plan {
        let plan = preflight_engine::sample::plan(&yaml).to_toml()?;
        preflight_engine::write::atomically(&absolute(file)?, plan.as_bytes())?;
    }
    if context.output.is_json() {
        context.output.json(&json!({ "dataset": yaml }))?;
    } else {
        context.output.path(&yaml)?;
    }
    Ok(Exit::Clear)
}

/// The path from the root of the file system; symbolic links stay as they were typed. Shells leave `~` as it is in
/// `--dataset=~/plates`.
pub(crate) fn absolute(path: PathBuf) -> Result<PathBuf, Problem> {
    std::path::absolute(preflight_engine::paths::expanded(&path))
        .map_err(|error| Problem::new("file.unreadable").with("path", path.as_path()).because(&error))
}
