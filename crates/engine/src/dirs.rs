//! Where the app's files are: all under one root.

use std::path::{Path, PathBuf};

use preflight_core::problem::Problem;

/// Names the root folder. Without it, the platform's folder for application data is used.
pub const HOME_VARIABLE: &str = "PREFLIGHT_HOME";

/// The app's folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dirs {
    root: PathBuf,
}

impl Dirs {
    /// The folders under a root.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// `PREFLIGHT_HOME`, else the platform's data folder.
    ///
    /// # Errors
    /// `home.unknown` when the system does not say where a person's files are.
    pub fn from_environment() -> Result<Self, Problem> {
        use etcetera::BaseStrategy;
        if let Some(root) = std::env::var_os(HOME_VARIABLE).filter(|root| !root.is_empty()) {
            let root = std::path::absolute(&root).map_err(|error| Problem::new("home.unknown").because(&error))?;
            return Ok(Self::new(root));
        }
        let base = etcetera::choose_base_strategy().map_err(|error| Problem::new("home.unknown").because(&error))?;
        Ok(Self::new(base.data_dir().join("yolo-preflight")))
    }

    /// Makes the root folder.
    ///
    /// # Errors
    /// `home.unusable`.
    pub fn create(&self) -> Result<(), Problem> {
        std::fs::create_dir_all(&self.root)
            .map_err(|error| Problem::new("home.unusable").with("path", self.root.as_path()).because(&error))
    }

    /// The root of everything.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// One folder a run.
    #[must_use]
    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// One folder a trial run, while it goes on.
    #[must_use]
    pub fn trials(&self) -> PathBuf {
        self.root.join("trials")
    }

    /// The training environment this app makes.
    #[must_use]
    pub fn environment(&self) -> PathBuf {
        self.root.join("environment")
    }

    /// Tools that were fetched: the package installer.
    #[must_use]
    pub fn tools(&self) -> PathBuf {
        self.root.join("tools")
    }

    /// Pretrained weights.
    #[must_use]
    pub fn weights(&self) -> PathBuf {
        self.root.join("weights")
    }

    /// What the trainer keeps between runs: its settings and fonts.
    #[must_use]
    pub fn trainer(&self) -> PathBuf {
        self.root.join("trainer")
    }

    /// Copies of datasets that lie where training cannot use them.
    #[must_use]
    pub fn copies(&self) -> PathBuf {
        self.root.join("datasets")
    }

    /// The sample dataset.
    #[must_use]
    pub fn sample(&self) -> PathBuf {
        self.root.join("samples").join("plates")
    }

    /// Connections to platforms.
    #[must_use]
    pub fn profiles(&self) -> PathBuf {
        self.root.join("profiles")
    }

    /// Settings.
    #[must_use]
    pub fn settings_file(&self) -> PathBuf {
        self.root.join("settings.toml")
    }

    /// What waits for a card.
    #[must_use]
    pub fn waiting_file(&self) -> PathBuf {
        self.root.join("waiting.json")
    }

    /// The unfinished wizard.
    #[must_use]
    pub fn draft_file(&self) -> PathBuf {
        self.root.join("draft.toml")
    }
}
