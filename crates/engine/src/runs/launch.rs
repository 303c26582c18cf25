//! What the trainer is started with.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use preflight_core::dataset::Dataset;
use preflight_core::environment::Environment;
use preflight_core::machine::CUDA_ORDER;
use preflight_core::plan::{Plan, Weights};
use preflight_core::problem::Problem;
use preflight_core::run::{FORMAT, RunRecord};
use serde::Serialize;
use serde_json::{Value, json};

use super::folder::{Folder, OUTPUT, new_id};
use crate::dirs::Dirs;
use crate::environment::{fonts, python};
use crate::preflight::now_ms;

/// The trainer's script, the same for every target.
const SCRIPT: &str = include_str!("train.py");

/// Variables of whoever started the app that would change what the trainer does: modules from elsewhere, a place in
/// someone else's distributed training, another count of the cards, exceptions from the proxy below.
pub(crate) const UNSET: [&str; 12] = [
    "CUDA_VISIBLE_DEVICES",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONUSERBASE",
    "RANK",
    "LOCAL_RANK",
    "WORLD_SIZE",
    "MASTER_ADDR",
    "MASTER_PORT",
    "NO_PROXY",
    "no_proxy",
];

/// A proxy that refuses at once. Where Ultralytics looks something up in spite of its offline switch (fonts, weights
/// for its check of mixed precision), the look-up fails instead of hanging or of downloading something unasked.
const NO_NETWORK: &str = "http://127.0.0.1:9";
const PROXIES: [&str; 6] = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

/// Everything a run is made of.
pub(super) struct Launch {
    pub(super) dirs: Dirs,
    pub(super) plan: Plan,
    pub(super) accepted: Vec<String>,
    pub(super) environment: Environment,
    /// As Ultralytics is told.
    pub(super) device: String,
    /// The file of the first weights; `None`: from scratch.
    pub(super) weights: Option<PathBuf>,
    pub(super) dataset: Arc<Dataset>,
}

impl Launch {
    /// Writes the run's folder. Blocks.
    ///
    /// # Errors
    /// `home.not-unicode`, `file.unwritable`.
    pub(super) fn write(self) -> Result<Folder, Problem> {
        let created_ms = now_ms();
        let folder = new_folder(&self.dirs.runs(), &self.plan, created_ms)?;
        fonts::provide(&self.dirs, &self.environment.python)?;
        if let Some(weights) = &self.weights {
            let placed = folder.path().join(model(&self.plan));
            place(weights, &placed).map_err(|error| unwritable(&placed, &error))?;
        }
        crate::write::atomically(&folder.plan(), self.plan.to_toml()?.as_bytes())?;
        crate::write::atomically(&folder.script(), SCRIPT.as_bytes())?;
        write(&folder.arguments(), &arguments(&self.dirs, &self.plan, &self.device, &folder))?;
        write(&folder.dataset(), &*self.dataset)?;
        let record = RunRecord {
            format: FORMAT,
            id: folder.id(),
            created_ms,
            command: command(&self.environment.python, &folder),
            variables: variables(&self.dirs, &self.environment.python),
            plan: self.plan,
            accepted: self.accepted,
            environment: self.environment,
            device: self.device,
            app_version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        // The record comes last: a folder with one is a run.
        write(&folder.record(), &record)?;
        Ok(folder)
    }
}

fn unwritable(path: &Path, error: &dyn std::error::Error) -> Problem {
    Problem::new("file.unwritable").with("path", path).because(error)
}

fn write(path: &Path, value: &impl Serialize) -> Result<(), Problem> {
    let text = serde_json::to_vec_pretty(value).map_err(|error| unwritable(path, &error))?;
    crate::write::atomically(path, &text)
}

/// Makes a folder that no other run has.
fn new_folder(runs: &Path, plan: &Plan, created_ms: u64) -> Result<Folder, Problem> {
    std::fs::create_dir_all(runs).map_err(|error| unwritable(runs, &error))?;
    // The trainer and the files of a run name its folder as text.
    if runs.to_str().is_none() {
        return Err(Problem::new("home.not-unicode").with("path", runs));
    }
    loop {
        let [a, b, ..] = uuid::Uuid::new_v4().into_bytes();
        let path = runs.join(new_id(plan, created_ms, u16::from_be_bytes([a, b])));
        match std::fs::create_dir(&path) {
            Ok(()) => return Ok(Folder::new(path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(unwritable(&path, &error)),
        }
    }
}

/// The variables, beyond those of this process, of a Python that trains or uses a model.
pub(crate) fn variables(dirs: &Dirs, python: &Path) -> BTreeMap<String, String> {
    let mut variables: BTreeMap<String, String> = python::variables(dirs, python)
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_string_lossy().into_owned()))
        .collect();
    let ours = [
        ("PYTHONNOUSERSITE", "1"),
        // A checkpoint is data: one that wants to run code is refused.
        ("ULTRALYTICS_SAFE_LOAD", "true"),
        CUDA_ORDER,
    ];
    let ours = ours.into_iter().chain(PROXIES.map(|name| (name, NO_NETWORK)));
    variables.extend(ours.map(|(name, value)| (name.to_owned(), value.to_owned())));
    variables
}

/// The command: an argument vector, run in the run's folder.
pub(super) fn command(python: &Path, folder: &Folder) -> Vec<String> {
    [python, &folder.script(), &folder.arguments()].map(|path| path.to_string_lossy().into_owned()).into()
}

/// What YOLO() is given: the architecture's name, or the first weights under a plain name relative to the run's
/// folder. Ultralytics takes quotes out of a path and spaces off its ends, and downloads what it then does not find.
fn model(plan: &Plan) -> PathBuf {
    match plan.model.weights {
        Weights::Scratch => PathBuf::from(format!("{}.yaml", plan.model.name)),
        Weights::Pretrained => Path::new("start").join(format!("{}.pt", plan.model.name)),
        Weights::File => Path::new("start").join("own.pt"),
    }
}

fn place(weights: &Path, at: &Path) -> io::Result<()> {
    std::fs::create_dir_all(at.parent().unwrap_or(at))?;
    crate::shadow::link_or_copy(weights, at).map(drop)
}

/// What `train.py` is given.
pub(super) fn arguments(dirs: &Dirs, plan: &Plan, device: &str, folder: &Folder) -> Value {
    let training = &plan.training;
    let mut train = json!({
        "data": crate::shadow::yaml(&folder.shadow()),
        "epochs": training.epochs,
        "imgsz": training.imgsz,
        "batch": training.batch,
        "device": device,
        "seed": training.seed,
        "project": folder.path(),
        "name": OUTPUT,
        "exist_ok": true,
    });
    if let Some(workers) = training.workers {
        train["workers"] = workers.into();
    }
    for (name, value) in &training.extra {
        train[name] = json!(value);
    }
    json!({
        "events": folder.trainer_events(),
        "weights": dirs.weights(),
        "model": model(plan),
        "train": train,
    })
}
