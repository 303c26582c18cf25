//! The table of what models hold in memory is what their graphs say today.

use std::path::Path;
use std::process::Command;

#[test]
fn a_fresh_trace_agrees_with_the_table() {
    let Some(python) = std::env::var_os("PREFLIGHT_TEST_PYTHON") else {
        println!("skipped: PREFLIGHT_TEST_PYTHON names no Python that can train");
        return;
    };
    if !cfg!(target_os = "linux") {
        println!("skipped: the stand-in for CUDA is for Linux");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let library = folder.path().join("libcuda.so.1");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o"])
        .arg(&library)
        .arg(root.join("crates/xtask/src/memory/cuda.c"))
        .status()
        .expect("a C compiler");
    assert!(compiled.success());
    let traced = Command::new(python)
        .arg(root.join("crates/xtask/src/memory/trace.py"))
        .arg("yolo26n")
        .env("LD_PRELOAD", &library)
        .env("YOLO_CONFIG_DIR", folder.path())
        .output()
        .expect("Python starts");
    assert!(traced.status.success(), "{}", String::from_utf8_lossy(&traced.stderr));
    let traced = String::from_utf8_lossy(&traced.stdout).into_owned();
    let row = traced.lines().find(|line| line.starts_with("yolo26n = ")).expect("a row");
    let table = std::fs::read_to_string(root.join("crates/core/data/memory.toml")).expect("the table");
    assert!(table.lines().any(|line| line == row), "traced: {row}\nmake the table anew with: cargo xtask memory");
}
