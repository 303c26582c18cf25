//! The facade over the modules.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use preflight_core::dataset::Dataset;
use preflight_core::environment::TorchBuild;
use preflight_core::facts::{Fact, Facts};
use preflight_core::machine::{Computer, Gpus, Machine};
use preflight_core::memory::Estimate;
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_core::report::Report;
use tokio_util::sync::CancellationToken;

use crate::dirs::Dirs;
use crate::settings::Settings;

/// Everything the app and the command line do, over one root folder.
#[derive(Debug)]
pub struct Engine {
    dirs: Dirs,
    settings: Mutex<Settings>,
    datasets: crate::dataset::Cache,
    observations: crate::preflight::Observations,
}

impl Engine {
    /// Opens the app's folder; makes it when it is not there.
    ///
    /// # Errors
    /// `home.unusable` when the folder cannot be made, `settings.invalid` when the settings cannot be read.
    pub fn open(dirs: Dirs) -> Result<Self, Problem> {
        dirs.create()?;
        let settings = Settings::load(&dirs)?;
        Ok(Self {
            dirs,
            settings: Mutex::new(settings),
            datasets: crate::dataset::Cache::default(),
            observations: crate::preflight::Observations::default(),
        })
    }

    /// Where the app's files are.
    #[must_use]
    pub fn dirs(&self) -> &Dirs {
        &self.dirs
    }

    /// The settings as they are now.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stores other settings.
    ///
    /// # Errors
    /// `file.unwritable`.
    pub fn change_settings(&self, settings: Settings) -> Result<(), Problem> {
        settings.save(&self.dirs)?;
        *self.settings.lock().unwrap_or_else(PoisonError::into_inner) = settings;
        Ok(())
    }

    /// Puts a dataset first among the recent ones.
    ///
    /// # Errors
    /// `file.unwritable`.
    pub fn remember_dataset(&self, path: &Path) -> Result<(), Problem> {
        let mut settings = self.settings();
        if settings.remember_dataset(path) { self.change_settings(settings) } else { Ok(()) }
    }

    /// Reads and judges a dataset; instant when nothing changed since it was last read.
    ///
    /// # Errors
    /// `dataset.unreadable` and others when there is no dataset to judge at all; what is wrong *with* a dataset
    /// is in its findings.
    pub async fn dataset(
        &self,
        path: &Path,
        progress: crate::dataset::OnProgress,
        cancel: CancellationToken,
    ) -> Result<Arc<Dataset>, Problem> {
        self.datasets.get(path, progress, cancel).await
    }

    /// Observes everything a plan depends on, in parallel, each with its own time-out.
    pub async fn gather(&self, plan: &Plan) -> Facts {
        crate::preflight::gather(self, plan).await
    }

    /// Observes this computer, its parts in parallel, each with its own time-out.
    pub async fn machine(&self) -> Machine {
        crate::preflight::machine(self).await
    }

    /// Observes what changes from second to second: processor, memory, cards.
    pub async fn load(&self) -> (Fact<Computer>, Fact<Gpus>) {
        crate::preflight::load(self).await
    }

    /// Observes memory and cards about once a second and tells when something changed, until `tell` answers that nobody
    /// listens.
    pub async fn watch_machine(&self, tell: impl FnMut(&Machine) -> bool) {
        crate::preflight::watch_machine(self, tell).await;
    }

    /// The torch build that fits this computer.
    ///
    /// # Errors
    /// `environment.build-unknown`: making one for the processor where a card's driver is silent would be a guess.
    pub async fn fitting_build(&self) -> Result<TorchBuild, Problem> {
        match self.load().await.1.known().map(crate::environment::fitting_build) {
            Some(Fact::Known(build)) => Ok(build),
            _ => Err(Problem::new("environment.build-unknown")),
        }
    }

    pub(crate) fn observations(&self) -> &crate::preflight::Observations {
        &self.observations
    }

    /// Observes, then checks every link of the chain.
    pub async fn preflight(&self, plan: &Plan) -> Report {
        crate::preflight::preflight(self, plan).await
    }

    /// How much memory a plan needs, from what was observed lately; `None`: it cannot be told yet.
    pub async fn estimate(&self, plan: &Plan) -> Option<Estimate> {
        crate::preflight::estimate(self, plan).await
    }
}
