//! The facade over the modules.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use preflight_core::dataset::{Dataset, Task};
use preflight_core::duration::Expected;
use preflight_core::environment::{Environment, TorchBuild};
use preflight_core::experience::Experience;
use preflight_core::facts::{Fact, Facts};
use preflight_core::forecast::{Forecast, Outlook};
use preflight_core::machine::{Computer, Gpus, Machine};
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_core::report::Report;
use tokio_util::sync::CancellationToken;

use crate::dataset::DatasetWork;
use crate::dirs::Dirs;
use crate::environment::EnvironmentCost;
use crate::environment::kit::Kit;
use crate::settings::Settings;
use crate::weights::{Fetch, Outcome, WeightsEntry};
use crate::work::{Work, lock};

/// How long ending waits for a cancelled installation to clean up.
const PATIENCE: Duration = Duration::from_secs(5);

/// Everything the app and the command line do, over one root folder.
#[derive(Debug)]
pub struct Engine {
    dirs: Dirs,
    settings: Mutex<Settings>,
    datasets: crate::dataset::Cache,
    browsing: crate::dataset::Browsing,
    last_look: crate::dataset::LastLook,
    proposed: crate::dataset::Proposed,
    observations: crate::preflight::Observations,
    images: crate::images::Images,
    named: crate::desktop::Named,
    recent_log: crate::runs::RecentLog,
    inspection: Work,
    examination: Work,
    making: Work,
    creation: Work,
    fetching: Work,
    exporting: Work,
    trials: Arc<crate::results::Trials>,
    trying_out: Work,
    remembered: crate::experience::Remembered,
    accounts: crate::account::Shared,
    waits: crate::waiting::Waits,
    signing_in: Work,
}

impl Engine {
    /// Opens the app's folder; makes it when it is not there.
    ///
    /// # Errors
    /// `home.unusable` when the folder cannot be made, `settings.invalid` when the settings cannot be read.
    pub fn open(dirs: Dirs) -> Result<Self, Problem> {
        dirs.create()?;
        let settings = Settings::load(&dirs)?;
        let observations = crate::preflight::Observations::default();
        observations.watch_with(crate::gpu::Watcher::new().knowing(dirs.runs()));
        Ok(Self {
            dirs,
            settings: Mutex::new(settings),
            datasets: crate::dataset::Cache::default(),
            browsing: crate::dataset::Browsing::default(),
            last_look: crate::dataset::LastLook::default(),
            proposed: crate::dataset::Proposed::default(),
            observations,
            images: crate::images::Images::default(),
            named: crate::desktop::Named::default(),
            recent_log: crate::runs::RecentLog::default(),
            inspection: Work::default(),
            examination: Work::default(),
            making: Work::default(),
            creation: Work::default(),
            fetching: Work::default(),
            exporting: Work::default(),
            trials: Arc::default(),
            trying_out: Work::default(),
            remembered: crate::experience::Remembered::default(),
            accounts: crate::account::Shared::default(),
            waits: crate::waiting::Waits::default(),
            signing_in: Work::default(),
        })
    }

    /// Looks at cards through this watcher, in place of the one of the system's driver.
    #[must_use]
    pub fn watching(self, watcher: crate::gpu::Watcher) -> Self {
        self.observations.watch_with(watcher.knowing(self.dirs.runs()));
        self
    }

    /// Where the app's files are.
    #[must_use]
    pub fn dirs(&self) -> &Dirs {
        &self.dirs
    }

    /// The settings as they are now.
    #[must_use]
    pub fn settings(&self) -> Settings {
        lock(&self.settings).clone()
    }

    /// Stores other settings.
    ///
    /// # Errors
    /// `file.unwritable`.
    pub fn change_settings(&self, settings: Settings) -> Result<(), Problem> {
        settings.save(&self.dirs)?;
        *lock(&self.settings) = settings;
        Ok(())
    }

    /// Lets plans name a Python that is not found on this computer.
    ///
    /// # Errors
    /// `file.unwritable`.
    pub fn accept_python(&self, python: &Path) -> Result<(), Problem> {
        let mut settings = self.settings();
        if settings.accepted_pythons.iter().any(|accepted| accepted == python) {
            return Ok(());
        }
        settings.accepted_pythons.push(python.to_owned());
        self.change_settings(settings)
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
        self.dataset_for(path, Task::Detect, progress, cancel).await
    }

    /// Reads a dataset and judges it as the trainer would before training a model for this task.
    ///
    /// # Errors
    /// As [`Self::dataset`].
    pub async fn dataset_for(
        &self,
        path: &Path,
        task: Task,
        progress: crate::dataset::OnProgress,
        cancel: CancellationToken,
    ) -> Result<Arc<Dataset>, Problem> {
        self.datasets.get_for(path, task, progress, cancel).await
    }

    /// Reads a dataset, and whenever something changes in its folders: only what changed is judged again. Tells how it is
    /// now at once and after every change, until `tell` answers that nobody listens or the future is dropped. As long
    /// as this goes on, [`Self::dataset`] answers from memory. Reading for the first time is better asked for there,
    /// where progress is told.
    pub async fn watch_dataset(&self, path: &Path, tell: impl FnMut(&crate::dataset::DatasetChange) -> bool) {
        crate::dataset::watch(&self.datasets, path, tell).await;
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

    /// What making the environment will take; `cpu_only`: one that leaves the cards alone.
    ///
    /// # Errors
    /// `environment.build-unknown`, and those of [`crate::environment::cost`].
    pub async fn environment_cost(&self, cpu_only: bool) -> Result<EnvironmentCost, Problem> {
        let build = self.build(cpu_only).await?;
        let cost = crate::environment::cost(&self.settings(), &build)?;
        Ok(EnvironmentCost { build, download: cost.download, disk: cost.disk, seconds: cost.seconds() })
    }

    /// Makes the app's own environment, one at a time; `cpu_only`: one that leaves the cards alone.
    ///
    /// # Errors
    /// `environment.busy`, `environment.build-unknown`, and those of [`crate::environment::create`].
    pub async fn create_environment(
        &self,
        cpu_only: bool,
        progress: crate::environment::OnProgress,
    ) -> Result<Environment, Problem> {
        let (cancel, _under_way) = self.creation.begin().ok_or_else(|| Problem::new("environment.busy"))?;
        let build = self.build(cpu_only).await?;
        crate::environment::create(&self.dirs, &self.settings(), &build, progress, cancel).await
    }

    /// Ends the making of the environment that is under way.
    pub fn cancel_environment(&self) {
        self.creation.cancel();
    }

    /// Writes the app's own environment into a file, for a computer without a network; `weights`: models whose pretrained
    /// weights come along, `None`: all that are here.
    ///
    /// # Errors
    /// `environment.busy`, and those of [`crate::environment::kit::export`].
    pub async fn export_kit(
        &self,
        to: &Path,
        weights: Option<&[String]>,
        progress: crate::environment::OnProgress,
    ) -> Result<Kit, Problem> {
        let (cancel, _under_way) = self.creation.begin().ok_or_else(|| Problem::new("environment.busy"))?;
        let here = crate::weights::list(&self.dirs);
        let all: Vec<String> =
            here.into_iter().filter(|entry| entry.bytes.is_some()).map(|entry| entry.model).collect();
        crate::environment::kit::export(&self.dirs, to, weights.unwrap_or(&all), progress, cancel).await
    }

    /// Makes the app's own environment of such a file. Needs no network.
    ///
    /// # Errors
    /// `environment.busy`, and those of [`crate::environment::kit::import`].
    pub async fn import_kit(
        &self,
        kit: &Path,
        progress: crate::environment::OnProgress,
    ) -> Result<Environment, Problem> {
        let (cancel, _under_way) = self.creation.begin().ok_or_else(|| Problem::new("environment.busy"))?;
        crate::environment::kit::import(&self.dirs, kit, progress, cancel).await
    }

    /// Removes the app's own environment; answers the bytes that became free.
    ///
    /// # Errors
    /// Those of [`crate::environment::remove`].
    pub async fn remove_environment(&self) -> Result<u64, Problem> {
        let (_, _under_way) = self.creation.begin().ok_or_else(|| Problem::new("environment.busy"))?;
        crate::environment::remove(&self.dirs).await
    }

    /// The published weights of every known model, as they are on this computer.
    ///
    /// # Errors
    /// `internal.task`.
    pub async fn weights(&self) -> Result<Vec<WeightsEntry>, Problem> {
        let dirs = self.dirs.clone();
        crate::work::blocking(move || Ok(crate::weights::list(&dirs))).await
    }

    /// Fetches the published weights of a model, one at a time; `again`: even where a whole file is here.
    ///
    /// # Errors
    /// `weights.busy`, and those of [`crate::weights::fetch`].
    pub async fn fetch_weights(
        &self,
        model: &str,
        again: bool,
        progress: crate::weights::OnProgress,
    ) -> Result<Outcome, Problem> {
        let busy = || Problem::new("weights.busy").with("model", model);
        let (cancel, _under_way) = self.fetching.begin().ok_or_else(busy)?;
        let fetch = Fetch { again, ..Fetch::of(model) };
        crate::weights::fetch(&self.dirs, &self.settings(), &fetch, progress, cancel).await
    }

    /// Ends the fetching of weights that is under way; what came down stays.
    pub fn cancel_weights(&self) {
        self.fetching.cancel();
    }

    async fn build(&self, cpu_only: bool) -> Result<TorchBuild, Problem> {
        if cpu_only { Ok(TorchBuild::Cpu) } else { self.fitting_build().await }
    }

    /// Ends work on a dataset that is under way.
    pub fn cancel_dataset_work(&self, work: DatasetWork) {
        match work {
            DatasetWork::Inspection => self.inspection.cancel(),
            DatasetWork::Examination => self.examination.cancel(),
            DatasetWork::Making => self.making.cancel(),
        }
    }

    /// Ends the sign-in that is under way.
    pub fn cancel_sign_in(&self) {
        self.signing_in.cancel();
    }

    /// Whether something is under way that should be ended in order before the process ends.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.creation.is_under_way()
            || self.exporting.is_under_way()
            || self.trying_out.is_under_way()
            || self.making.is_under_way()
    }

    /// Ends what is under way and belongs to this process; runs go on. Waits a few seconds at most.
    pub async fn wind_down(&self) {
        self.inspection.cancel();
        self.examination.cancel();
        self.making.cancel();
        self.creation.cancel();
        self.fetching.cancel();
        self.exporting.cancel();
        self.trying_out.cancel();
        let ended = async {
            while self.is_busy() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        // What takes longer is cleaned up at the next start.
        let _ = tokio::time::timeout(PATIENCE, ended).await;
    }

    /// The images that were handed out.
    #[must_use]
    pub fn images(&self) -> &crate::images::Images {
        &self.images
    }

    pub(crate) fn accounts(&self) -> &crate::account::Shared {
        &self.accounts
    }

    pub(crate) fn signing_in(&self) -> &Work {
        &self.signing_in
    }

    pub(crate) fn named(&self) -> &crate::desktop::Named {
        &self.named
    }

    pub(crate) fn recent_log(&self) -> &crate::runs::RecentLog {
        &self.recent_log
    }

    pub(crate) fn datasets(&self) -> &crate::dataset::Cache {
        &self.datasets
    }

    pub(crate) fn browsing(&self) -> &crate::dataset::Browsing {
        &self.browsing
    }

    pub(crate) fn last_look(&self) -> &crate::dataset::LastLook {
        &self.last_look
    }

    pub(crate) fn proposed(&self) -> &crate::dataset::Proposed {
        &self.proposed
    }

    pub(crate) fn examination(&self) -> &Work {
        &self.examination
    }

    pub(crate) fn making(&self) -> &Work {
        &self.making
    }

    pub(crate) fn inspection(&self) -> &Work {
        &self.inspection
    }

    pub(crate) fn creation(&self) -> &Work {
        &self.creation
    }

    pub(crate) fn exporting(&self) -> &Work {
        &self.exporting
    }

    pub(crate) fn trials(&self) -> &Arc<crate::results::Trials> {
        &self.trials
    }

    pub(crate) fn observations(&self) -> &crate::preflight::Observations {
        &self.observations
    }

    /// Forgets what was seen lately: a person wants to see it anew, whether it seems to have changed or not.
    pub fn forget_observations(&self) {
        self.observations.forget();
    }

    /// Observes, then checks every link of the chain.
    pub async fn preflight(&self, plan: &Plan) -> Report {
        let report = crate::preflight::preflight(self, plan).await;
        self.named.remember(&report.findings);
        report
    }

    /// What a plan needs and how long it takes, from what was observed lately; `None`: it cannot be told yet.
    pub async fn forecast(&self, plan: &Plan) -> Option<Forecast> {
        crate::preflight::forecast(self, plan).await
    }

    /// How long a plan takes, wherever it trains, from what was observed lately; `None`: it cannot be told yet.
    pub async fn time(&self, plan: &Plan) -> Option<Expected> {
        crate::preflight::time(self, plan).await
    }

    /// A forecast with each of these batches, and what changing the plan would do.
    pub async fn outlook(&self, plan: &Plan, batches: &[u32]) -> Option<Outlook> {
        crate::preflight::outlook(self, plan, batches).await
    }

    /// What trainings showed on this computer.
    #[must_use]
    pub fn experience(&self) -> Arc<Experience> {
        self.remembered.get(&self.dirs)
    }

    pub(crate) fn waits(&self) -> &crate::waiting::Waits {
        &self.waits
    }

    /// Ends a program of this person that is on a card now.
    ///
    /// # Errors
    /// `gpu.not-your-program`, `gpu.does-not-end`.
    pub async fn end_process(&self, pid: u32) -> Result<(), Problem> {
        let gpus = self.load().await.1;
        crate::work::blocking(move || crate::gpu::end(&gpus, pid)).await
    }

    pub(crate) fn trying_out(&self) -> &Work {
        &self.trying_out
    }
}
