//! Making an environment: beside where it will be, tried, and only then put in its place.

use std::path::{Path, PathBuf};
use std::time::Duration;

use preflight_core::environment::{Environment, EnvironmentProgress, EnvironmentState};
use preflight_core::problem::Problem;
use preflight_core::text::Message;
use reqwest::Client;
use tokio::process::Command;
use tokio_util::sync::CancellationToken;

use super::OnProgress;
use super::downloads::{self, Downloads};
use super::place::{self, Lock, Partial};
use super::recipe::{PYTHON, PYTHON_SHOWN, Recipe, Torch};
use super::sources::{Origins, UvVariables, shown};
use super::{child, failure, installer, probe, python, simple};
use crate::dirs::Dirs;

pub(super) const CONSTRAINTS: &str = include_str!("constraints.txt");

/// Makes the environment that a recipe describes.
pub(super) async fn create(
    dirs: &Dirs,
    origins: &Origins,
    recipe: Recipe,
    progress: OnProgress,
    cancel: CancellationToken,
) -> Result<Environment, Problem> {
    dirs.create()?;
    let _lock = Lock::take(dirs)?;
    place::tidy(dirs)?;
    place::not_in_use(dirs).await?;
    place::room_for(dirs.root(), recipe.cost().disk)?;
    let client = origins.client()?;
    let uv = soon(&cancel, installer(dirs, origins, &client, &progress)).await?;
    let variables = origins.for_uv(dirs)?;
    let recipe = soon(&cancel, reachable(dirs, origins, &client, recipe, &progress)).await?;

    // The working folder of Python.
    std::fs::create_dir_all(dirs.trainer()).map_err(|error| super::unwritable(&dirs.trainer(), &error))?;
    let partial = Partial::new(dirs)?;
    let work =
        Work { dirs, folder: partial.path(), uv, variables, recipe: &recipe, progress: &progress, cancel: &cancel };
    let made = match work.make(origins).await {
        Ok(()) => soon(&cancel, work.verify()).await,
        Err(problem) => Err(problem),
    };
    partial.settle(dirs, made).await
}

/// The same, but over as soon as a person cancels.
pub(super) async fn soon<T>(
    cancel: &CancellationToken,
    work: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(cancelled()),
        result = work => result,
    }
}

pub(super) fn cancelled() -> Problem {
    Problem::new("environment.cancelled")
}

pub(super) async fn installer(
    dirs: &Dirs,
    origins: &Origins,
    client: &Client,
    progress: &OnProgress,
) -> Result<PathBuf, Problem> {
    if let Some(found) = installer::find(dirs).await {
        return Ok(found);
    }
    progress(EnvironmentProgress::FetchingInstaller);
    installer::fetch(dirs, client, &origins.index()?).await
}

/// Asks the indexes for what comes from them, so that a network that cannot work is told within seconds and by name.
/// Answers the recipe with torch from where it can be had.
async fn reachable(
    dirs: &Dirs,
    origins: &Origins,
    client: &Client,
    recipe: Recipe,
    progress: &OnProgress,
) -> Result<Recipe, Problem> {
    let name = |requirement: &str| -> String {
        requirement.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).collect()
    };
    let first = recipe.packages.first().map(|requirement| name(requirement)).unwrap_or_default();
    simple::files(client, &origins.index()?, &first).await?;
    let Torch::OwnIndex { release, .. } = recipe.torch else { return Ok(recipe) };
    let torch_index = origins.torch_index(release.folder)?;
    let Err(problem) = simple::files(client, &torch_index, "torch").await else { return Ok(recipe) };
    let Some(other) = recipe.with_torch_from_package_index() else { return Err(problem) };
    // Other versions and another size than was said: never silently.
    let note = Message::new("environment-note-torch-from-package-index")
        .with("url", shown(&torch_index))
        .with("torch", other.packages[1].as_str())
        .with("download", other.download)
        .with("disk", other.disk);
    progress(EnvironmentProgress::Note { note });
    place::room_for(dirs.root(), other.disk)?;
    Ok(other)
}

/// One making.
pub(super) struct Work<'a> {
    pub(super) dirs: &'a Dirs,
    pub(super) folder: &'a Path,
    pub(super) uv: PathBuf,
    pub(super) variables: UvVariables,
    pub(super) recipe: &'a Recipe,
    pub(super) progress: &'a OnProgress,
    pub(super) cancel: &'a CancellationToken,
}

impl Work<'_> {
    async fn make(&self, origins: &Origins) -> Result<(), Problem> {
        (self.progress)(EnvironmentProgress::Python { version: PYTHON_SHOWN.to_owned() });
        let folder = self.folder;
        let mut venv = self.uv();
        // Scripts of the environment must not name the folder it is made in, since that gets another name.
        venv.args(["venv", "--relocatable", "--no-project", "--python", PYTHON]).arg(folder);
        self.run(venv, |_| {}).await?.map_err(|said| failure::of_python(&said, folder, self.recipe.cost()))?;

        let variables = self.write_requirements(origins)?;
        (self.progress)(EnvironmentProgress::Resolving);
        let mut install = self.uv();
        variables.apply(&mut install);
        install.args(["pip", "install", "--no-python-downloads", "--python"]).arg(python::of(folder));
        install.args(["--constraints", "constraints.txt", "--excludes", "excludes.txt", "-r", "pyproject.toml"]);
        self.install(install).await?.map_err(|said| failure::of_install(&said, folder, self.recipe.cost()))?;

        if let Some(script) = &self.recipe.after_install {
            let mut command = python::command(self.dirs, &python::of(folder));
            command.arg(script).arg(site_packages(folder)?);
            self.run(command, |_| {}).await?.map_err(|said| {
                Problem::new("environment.after-install-failed").with("path", script.as_path()).because_text(said)
            })?;
        }
        Ok(())
    }

    /// Writes what is asked for into the environment itself, where it tells later what it was made of. A file named
    /// `pyproject.toml` in the working folder also ends uv's search for the settings of some project further up.
    fn write_requirements(&self, origins: &Origins) -> Result<UvVariables, Problem> {
        let mut variables = self.variables.clone();
        let mut uv = toml::Table::new();
        if let Torch::OwnIndex { release, .. } = self.recipe.torch {
            let mut url = origins.torch_index(release.folder)?;
            if !url.username().is_empty() {
                variables = variables
                    .and("UV_INDEX_TORCH_USERNAME", url.username().to_owned())
                    .and("UV_INDEX_TORCH_PASSWORD", url.password().unwrap_or_default().to_owned());
            }
            url = reqwest::Url::parse(&shown(&url)).unwrap_or(url);
            // Only these two come from there: PyTorch's index also has other packages, most of them old.
            let index = toml::toml! { name = "torch" explicit = true };
            let mut index = index;
            index.insert("url".to_owned(), url.as_str().into());
            uv.insert("index".to_owned(), vec![toml::Value::Table(index)].into());
            uv.insert(
                "sources".to_owned(),
                toml::toml! { torch = { index = "torch" } torchvision = { index = "torch" } }.into(),
            );
        }
        let mut project = toml::toml! { name = "training-environment" version = "0" };
        project.insert("requires-python".to_owned(), PYTHON.into());
        project.insert("dependencies".to_owned(), self.recipe.packages.clone().into());
        let tool = toml::Table::from_iter([("uv".to_owned(), uv.into())]);
        let document =
            toml::Table::from_iter([("project".to_owned(), project.into()), ("tool".to_owned(), tool.into())]);
        for (name, text) in [
            ("pyproject.toml", document.to_string()),
            ("constraints.txt", CONSTRAINTS.to_owned()),
            ("excludes.txt", self.recipe.excludes.join("\n")),
        ] {
            let path = self.folder.join(name);
            std::fs::write(&path, text).map_err(|error| super::unwritable(&path, &error))?;
        }
        Ok(variables)
    }

    pub(super) fn uv(&self) -> Command {
        let mut command = Command::new(&self.uv);
        self.variables.apply(&mut command);
        command.current_dir(self.folder).args(["--color", "never"]);
        command
    }

    /// Runs the installation and tells how far it is.
    pub(super) async fn install(&self, command: Command) -> Result<Result<(), String>, Problem> {
        let cache = downloads::cache(&self.uv, &self.variables).await;
        let downloads = Downloads::new(cache, self.recipe.cost());
        let over = CancellationToken::new();
        let watch = over.run_until_cancelled(async {
            let mut told = None;
            loop {
                tokio::time::sleep(Duration::from_millis(500)).await;
                let now = downloads.progress().await;
                if told.as_ref() != Some(&now) {
                    (self.progress)(now.clone());
                    told = Some(now);
                }
            }
        });
        let install = async {
            let result = self.run(command, |line| downloads.heard(line)).await;
            over.cancel();
            result
        };
        let (result, _): (_, Option<()>) = tokio::join!(install, watch);
        // Half-downloaded files of an installer that was killed.
        downloads.sweep().await;
        result
    }

    /// Runs a program to its end; what it said, where it failed.
    async fn run(&self, command: Command, on_line: impl FnMut(&str)) -> Result<Result<(), String>, Problem> {
        if self.cancel.is_cancelled() {
            return Err(cancelled());
        }
        let output = child::run(command, self.cancel.cancelled(), on_line)
            .await
            .map_err(|error| {
                Problem::new("environment.installer-unusable").with("path", self.uv.as_path()).because(&error)
            })?
            .ok_or_else(cancelled)?;
        Ok(if output.status.success() {
            Ok(())
        } else {
            Err(format!("{}\n{}", output.stderr.trim_end(), output.status))
        })
    }

    async fn verify(&self) -> Result<Environment, Problem> {
        (self.progress)(EnvironmentProgress::Verifying);
        probe::attempt(self.dirs, &python::of(self.folder)).await
    }
}

pub(super) fn site_packages(folder: &Path) -> Result<PathBuf, Problem> {
    if cfg!(windows) {
        return Ok(folder.join("Lib").join("site-packages"));
    }
    let lib = folder.join("lib");
    let entries = std::fs::read_dir(&lib).map_err(|error| super::unwritable(&lib, &error))?;
    let mut found = entries.flatten().map(|entry| entry.path().join("site-packages"));
    found
        .find(|path| path.is_dir())
        .ok_or_else(|| Problem::new("environment.installer-unusable").with("path", lib.as_path()))
}

/// The app's own environment as it is, without trying it.
pub(super) fn present(dirs: &Dirs) -> Option<EnvironmentState> {
    let folder = dirs.environment();
    if !folder.exists() {
        return Some(EnvironmentState::Missing);
    }
    let python = python::of(&folder);
    if python.exists() {
        return None;
    }
    // A link to a Python that was since uninstalled is the usual case.
    let problem = Problem::new("environment.python-gone").with("path", python.as_path());
    Some(EnvironmentState::Broken { python, managed: true, problem })
}
