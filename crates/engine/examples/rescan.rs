//! Reads a dataset, changes one of its label files for a moment, reads it again, first without and then with its folders
//! watched: `rescan PATH [LABEL]`. For measuring, on datasets made for that.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use preflight_engine::dataset::{Cache, DatasetChange};
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
        println!("told {}", runtime.block_on(told(&cache, &path, &label))?);
    }
    memory();
    Ok(())
}

/// How long reading takes of which it was told what changed.
async fn told(cache: &Cache, path: &Path, label: &Path) -> Result<f64, Box<dyn std::error::Error>> {
    let (send, mut changes) = tokio::sync::mpsc::unbounded_channel();
    let watch = preflight_engine::dataset::watch(cache, path, |change| send.send(change.clone()).is_ok());
    let measure = async {
        changes.recv().await;
        let text = std::fs::read_to_string(label)?;
        std::fs::write(label, format!("{text}\n"))?;
        let change = changes.recv().await;
        std::fs::write(label, text)?;
        match change {
            Some(DatasetChange::Read { dataset, files: 1, .. }) => Ok(f64::from(u32::try_from(dataset.took_ms)?) / 1e3),
            other => Err(format!("one changed file is not told: {other:?}").into()),
        }
    };
    tokio::select! {
        () = watch => Err("the watch ended".into()),
        took = measure => took,
    }
}

#[expect(clippy::print_stdout, reason = "what it is for")]
fn memory() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(line) = status.lines().find(|line| line.starts_with("VmHWM")) {
        println!("{line}");
    }
}
