//! Stamps: what a step was last done for, so that it is not done again for the same.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::failure::{At, Outcome};
use crate::project::Project;

/// Folders that steps write, which say nothing of what they were written from.
const GENERATED: [&str; 3] = ["node_modules", "dist", "__pycache__"];

/// A hash over files' names and contents; folders with everything in them.
pub(crate) fn hash(root: &Path, paths: &[&str]) -> Outcome<String> {
    let mut files = Vec::new();
    for path in paths {
        collect(&root.join(path), &mut files)?;
    }
    files.sort();
    let mut hasher = Sha256::new();
    for file in files {
        let content = std::fs::read(&file).at(&file)?;
        hasher.update(file.strip_prefix(root).unwrap_or(&file).as_os_str().as_encoded_bytes());
        hasher.update([0]);
        hasher.update(content.len().to_le_bytes());
        hasher.update(content);
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).at(path)? {
            let entry = entry.at(path)?;
            if !GENERATED.iter().any(|name| entry.file_name() == *name) {
                collect(&entry.path(), files)?;
            }
        }
    } else if path.exists() {
        files.push(path.to_owned());
    }
    Ok(())
}

/// Whether a step was last done for this very hash.
pub(crate) fn is_fresh(project: &Project, step: &str, hash: &str) -> bool {
    std::fs::read_to_string(file(project, step)).is_ok_and(|last| last == hash)
}

/// Remembers that a step was done.
pub(crate) fn write(project: &Project, step: &str, hash: &str) -> Outcome {
    let file = file(project, step);
    std::fs::write(&file, hash).at(&file)
}

fn file(project: &Project, step: &str) -> PathBuf {
    project.work.join(format!("{step}.stamp"))
}
