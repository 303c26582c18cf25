//! What a person's own model holds in memory while it learns: found out once for each file, in an environment.

use std::path::Path;
use std::time::Duration;

use preflight_core::memory::Graph;
use preflight_core::problem::Problem;

use crate::dirs::Dirs;
use crate::environment::{child, python};
use crate::write;

/// One step on small images takes seconds; a large model on a slow processor, minutes.
const LONG: Duration = Duration::from_secs(600);
const SCRIPT: &str = include_str!("memory/model_memory.py");

/// The figures of a `.pt` or `.yaml` file: from an earlier look at the same content, else from one training step in the
/// environment, measured on its GPU or counted on the processor. Loading a `.pt` file runs what it holds, as training does.
///
/// # Errors
/// `memory.model-unreadable`, `memory.model-not-traced`, `environment.does-not-start`, `environment.no-answer`,
/// `file.unwritable`.
pub async fn model(dirs: &Dirs, python: &Path, file: &Path) -> Result<Graph, Problem> {
    let unreadable =
        |error: &dyn std::error::Error| Problem::new("memory.model-unreadable").with("path", file).because(error);
    let file = std::path::absolute(file).map_err(|error| unreadable(&error))?;
    let looked_at = file.clone();
    let digest = crate::blocking(move || {
        let unreadable = |error: std::io::Error| {
            Problem::new("memory.model-unreadable").with("path", looked_at.as_path()).because(&error)
        };
        digest(&looked_at).map_err(unreadable)
    })
    .await?;
    let folder = dirs.trainer();
    let known = folder.join("models").join(format!("{digest}.json"));
    let read = |text: &str| serde_json::from_str::<Graph>(text).ok().filter(Graph::is_plausible);
    if let Some(graph) = std::fs::read_to_string(&known).ok().and_then(|text| read(&text)) {
        return Ok(graph);
    }

    std::fs::create_dir_all(folder.join("models"))
        .map_err(|error| Problem::new("file.unwritable").with("path", folder.as_path()).because(&error))?;
    let script = folder.join("model_memory.py");
    write::atomically(&script, SCRIPT.as_bytes())?;
    let does_not_start = || Problem::new("environment.does-not-start").with("path", python);
    let mut command = python::command(dirs, python);
    command.arg(&script).arg(&file);
    let output = child::run(command, tokio::time::sleep(LONG), |_| {})
        .await
        .map_err(|error| does_not_start().because(&error))?
        .ok_or_else(|| Problem::new("environment.no-answer").with("path", python).with("seconds", LONG.as_secs()))?;
    let answer = output.stdout.lines().last().unwrap_or_default();
    let Some(graph) = read(answer).filter(|_| output.status.success()) else {
        let problem = Problem::new("memory.model-not-traced").with("path", file.as_path());
        return Err(problem.because_text(child::tail(&output.stderr)));
    };
    write::atomically(&known, answer.as_bytes())?;
    Ok(graph)
}

fn digest(file: &Path) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(SCRIPT.as_bytes());
    hasher.update_reader(std::fs::File::open(file)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}
