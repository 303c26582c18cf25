//! `nvidia-smi`, where the driver's library cannot be loaded.

use std::path::{Path, PathBuf};

use preflight_core::facts::Fact;
use preflight_core::machine::{GpuLibrary, GpuSource};
use preflight_engine::gpu::Watcher;

/// A program that prints what `nvidia-smi` would.
fn program(folder: &Path, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("nvidia-smi");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn watcher(script: &str) -> (Watcher, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path(), script);
    (Watcher::of_library(Path::new("/nowhere/libnvidia-ml.so.1")).or_program(&program), folder)
}

const ANSWERS: &str = r#"case "$1" in
--query-gpu=*mig*) echo "0, GPU-3060, NVIDIA GeForce RTX 3060, 550.54.14, 12288, 6384, 5904, 34, 61, 8.6, 00000000:01:00.0, 112.53, 170.00, 1807, 2130, Default, Disabled, [N/A], 4, 8, 4, 16, [N/A]";;
--query-compute-apps=*) echo "GPU-3060, 4194001, /usr/bin/python3, 5850";;
*) echo "| NVIDIA-SMI 550.54.14   Driver Version: 550.54.14   CUDA Version: 12.4 |";;
esac"#;

#[test]
fn the_program_answers_where_the_library_cannot_be_loaded() {
    let (mut watcher, _folder) = watcher(ANSWERS);
    let gpus = watcher.observe();
    assert_eq!((gpus.library, gpus.source), (GpuLibrary::Answers, GpuSource::NvidiaSmi));
    assert_eq!(gpus.cuda, Fact::Known((12, 4)));
    assert_eq!(gpus.cards[0].label(), "NVIDIA GeForce RTX 3060");
    assert_eq!(gpus.cards[0].processes.known().unwrap()[0].name, Fact::Known("python3".to_owned()));
    assert_eq!(gpus.cards[0].details.remapped_rows, Fact::unknown("reason-smi-does-not-ask"));
}

#[test]
fn an_old_program_refuses_what_it_does_not_know() {
    let script = r#"case "$1" in
*compute_cap*) echo 'Field "compute_cap" is not a valid field to query.'; exit 2;;
--query-gpu=*) echo "0, GPU-k, Tesla K80, 390.30, 11441, 0, 11441, 0, 31";;
*) exit 9;;
esac"#;
    let (mut watcher, _folder) = watcher(script);
    let gpus = watcher.observe();
    assert_eq!(gpus.cards[0].label(), "Tesla K80");
    assert!(gpus.cards[0].compute_capability.known().is_none() && gpus.cuda.known().is_none());
}

#[test]
fn a_program_that_fails_is_no_driver() {
    for script in ["exit 1", "echo 'NVIDIA-SMI has failed'", "echo 'No devices were found'"] {
        let (mut watcher, _folder) = watcher(script);
        assert_eq!(watcher.observe().library, GpuLibrary::NotInstalled, "{script}");
    }
}

#[test]
fn a_library_that_answers_with_an_error_knows_better() {
    let folder = tempfile::tempdir().unwrap();
    let library = fake_nvml::playing(folder.path(), "refuses = 'version-mismatch'");
    let mut watcher = Watcher::of_library(&library).or_program(&program(folder.path(), ANSWERS));
    assert!(matches!(watcher.observe().library, GpuLibrary::Failed { .. }));
}
