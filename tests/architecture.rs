//! The directions that keep the house apart: what decides does no input or output, and nothing points back.

#![cfg(test)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// Every crate a package is built with.
fn dependencies(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}", "--package", package])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8(output.stdout).unwrap();
    names.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// Rust files below a folder, with what is not a test of their content.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && path.file_stem().unwrap() != "tests"
            {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("\n#[cfg(test)]").next().unwrap().to_owned();
                found.push((path.strip_prefix(root()).unwrap().to_owned(), code));
            }
        }
    }
    let mut found = Vec::new();
    collect(&root().join(folder), &mut found);
    assert!(!found.is_empty(), "nothing in {folder}");
    found
}

/// Lines of a folder's code, comments left out, that contain one of these texts.
fn mentions(folder: &str, texts: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, code) in sources(folder) {
        for (number, line) in code.lines().enumerate() {
            if !line.trim_start().starts_with("//") && texts.iter().any(|text| line.contains(text)) {
                found.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    found
}

#[test]
fn core_is_built_with_nothing_that_does_input_or_output() {
    let core = dependencies("preflight-core");
    let banned =
        ["tokio", "reqwest", "hyper", "rustix", "sysinfo", "walkdir", "tempfile", "nvml-wrapper", "image", "tauri"];
    let found: Vec<_> = banned.into_iter().filter(|name| core.contains(*name)).collect();
    assert!(found.is_empty(), "preflight-core must not be built with {found:?}");
}

#[test]
fn core_reads_no_file_no_clock_no_variable() {
    let found = mentions(
        "crates/core/src",
        &[
            "std::fs",
            "std::net",
            "std::process",
            "std::env",
            "SystemTime",
            "Instant",
            ".exists()",
            ".is_file()",
            ".is_dir()",
        ],
    );
    assert!(found.is_empty(), "facts come in as values:\n{}", found.join("\n"));
}

#[test]
fn nothing_points_back() {
    for (package, banned) in [
        ("preflight-core", &["preflight-engine", "preflight-cli", "yolo-preflight"][..]),
        ("preflight-engine", &["preflight-cli", "yolo-preflight", "tauri", "clap"]),
        ("preflight-cli", &["yolo-preflight", "tauri"]),
        ("yolo-preflight", &["preflight-cli", "clap"]),
    ] {
        let all = dependencies(package);
        let found: Vec<_> = banned.iter().filter(|name| all.contains(**name)).collect();
        assert!(found.is_empty(), "{package} must not be built with {found:?}");
    }
}

/// Lines of code that the shell has at most, and one of its commands: what grows beyond that is the engine's.
const SHELL: usize = 1_000;
const COMMAND: usize = 8;

#[test]
fn the_shell_stays_thin() {
    let is_code = |line: &&str| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with("//") && !line.starts_with("#[")
    };
    let lines: usize = sources("src-tauri").iter().map(|(_, code)| code.lines().filter(is_code).count()).sum();
    assert!(lines < SHELL, "{lines} lines of code in src-tauri: put what is no shell into the engine");
}

#[test]
fn a_command_of_the_window_is_a_few_lines_over_the_engine() {
    let mut commands = 0;
    for (path, code) in sources("src-tauri/src/commands") {
        let lines: Vec<_> = code.lines().collect();
        for (first, name) in lines.iter().enumerate() {
            // In a table, or written out.
            let edge = match name.trim_start() {
                line if ["async fn ", "blocking fn ", "now fn "].iter().any(|kind| line.starts_with(kind)) => "    }",
                _ if first > 1 && lines[first - 2] == "#[tauri::command]" => "}",
                _ => continue,
            };
            commands += 1;
            // As it is formatted, the signature ends with its line and the body with a brace at the edge.
            let whole = lines[first..].iter().take_while(|line| !line.is_empty() && **line != edge);
            let body = whole.skip_while(|line| !line.ends_with('{')).skip(1);
            let lines = body.filter(|line| !line.trim_start().starts_with("//")).count();
            assert!(lines <= COMMAND, "{lines} lines in {}: {name}", path.display());
        }
    }
    assert!(commands > 70, "only {commands} commands were found");
}
