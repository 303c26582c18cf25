//! Where things are.

use std::path::{Path, PathBuf};

use crate::failure::{At, Outcome};

/// The project's folders.
#[derive(Debug)]
pub(crate) struct Project {
    /// The repository.
    pub(crate) root: PathBuf,
    /// Cargo's output.
    pub(crate) target: PathBuf,
    /// What these tasks keep between calls: logs, stamps, the test environment.
    pub(crate) work: PathBuf,
}

impl Project {
    /// The project this program was built from.
    pub(crate) fn here() -> Outcome<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new(".")).to_owned();
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |named| root.join(named));
        let work = target.join("xtask");
        std::fs::create_dir_all(&work).at(&work)?;
        Ok(Self { root, target, work })
    }

    /// The user interface.
    pub(crate) fn ui(&self) -> PathBuf {
        self.root.join("ui")
    }

    /// A program of the debug build.
    pub(crate) fn debug(&self, name: &str) -> PathBuf {
        self.target.join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// A program of the release build.
    pub(crate) fn release(&self, name: &str) -> PathBuf {
        self.target.join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }
}
