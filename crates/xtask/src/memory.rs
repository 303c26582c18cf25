//! Makes the table of what models hold in memory anew, from the graphs of the installed Ultralytics.

use crate::failure::{At, Failure, Outcome};
use crate::project::Project;
use crate::steps::Steps;
use crate::surroundings::Surroundings;
use crate::system::Use;
use crate::{setup, training};

/// The table.
const TABLE: &str = "crates/core/data/memory.toml";
/// What it begins with.
const HEADER: &str = "\
# What each model holds in GPU memory while it learns: made by `cargo xtask memory`, which says what the figures mean
# (crates/xtask/src/memory/trace.py). Traced without a GPU, so that no measurement is in it.
";

/// Traces every model and writes the table. Stopped halfway, it goes on from there the next time.
pub(crate) fn memory(project: &Project, steps: &mut Steps) -> Outcome {
    setup::tools(project, steps, Use::Test)?;
    let surroundings = Surroundings::hermetic(project)?;
    training::build_cli(project, steps, &surroundings)?;
    let python = training::for_tests(project, steps, &surroundings, &project.debug("preflight"))?;

    let folder = project.work.join("memory");
    std::fs::create_dir_all(&folder).at(&folder)?;
    let script = folder.join("trace.py");
    std::fs::write(&script, include_str!("memory/trace.py")).at(&script)?;
    let source = folder.join("cuda.c");
    std::fs::write(&source, include_str!("memory/cuda.c")).at(&source)?;
    let library = folder.join("libcuda.so.1");
    let mut compile = surroundings.command(project, "cc");
    compile.args(["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o"]).arg(&library).arg(&source);
    steps.command("Stand-in for CUDA", &mut compile)?;

    let mut trace = surroundings.command(project, python);
    trace
        .arg(&script)
        .arg("--into")
        .arg(folder.join("rows.toml"))
        .env("LD_PRELOAD", &library)
        .env("YOLO_CONFIG_DIR", &folder);
    let traced = steps.command("Tracing the models", &mut trace)?;
    let rows: Vec<&str> = traced.lines.iter().map(String::as_str).filter(|line| line.contains("= { param")).collect();
    if rows.is_empty() {
        return Err(Failure::new("No model was traced."));
    }
    let table = project.root.join(TABLE);
    std::fs::write(&table, format!("{HEADER}\n{}\n", rows.join("\n"))).at(&table)?;
    steps.note("Table", &format!("{} models in {TABLE}", rows.len()));
    Ok(())
}
