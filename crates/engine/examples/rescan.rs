//! Reads a dataset, changes one of its label files for a moment, reads it again: `rescan PATH [LABEL]`. For measuring, on
//! datasets made for that.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use preflight_engine::dataset::Cache;
use tokio_util::sync::CancellationToken;

#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "what it is for, on no worker of a runtime")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let path = arguments.next().ok_or("rescan PATH [LABEL]")?;
    let label = arguments.next();
    let runtime = tokio::runtime::Runtime::new()?;
    let cache = Cache::default();
    let read = || -> Result<f64, Box<dyn std::error::Error>> {
        // Longer than a large dataset is taken to be current.
        std::thread::sleep(std::time::Duration::from_millis(2100));
        let began = Instant::now();
        runtime.block_on(cache.get(&path, Arc::new(|_, _| {}), CancellationToken::new()))?;
        Ok(began.elapsed().as_secs_f64())
    };
    let first = read()?;
    println!("first {first}");
    if let Some(label) = label {
        let text = std::fs::read_to_string(&label)?;
        std::fs::write(&label, format!("{text}\n"))?;
        let again = read();
        std::fs::write(&label, text)?;
        println!("again {}", again?);
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(line) = status.lines().find(|line| line.starts_with("VmHWM")) {
        println!("{line}");
    }
    Ok(())
}
