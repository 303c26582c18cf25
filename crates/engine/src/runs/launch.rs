//! What the trainer is started with.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use preflight_core::dataset::Dataset;
use preflight_core::environment::Environment;
use preflight_core::machine::{CUDA_ORDER, VISIBLE_DEVICES, slice_of};
use preflight_core::plan::{Plan, Weights};
use preflight_core::problem::Problem;
use preflight_core::run::{Changes, FORMAT, Hardware, RunRecord, TryOut};
use serde::Serialize;
use serde_json::{Value, json};

use super::folder::{Folder, OUTPUT, new_id};
use super::{checkpoint, tryout};
use crate::dirs::Dirs;
use crate::environment::{fonts, python};
use crate::preflight::now_ms;

/// The trainer's script, the same for every target.
const SCRIPT: &str = include_str!("train.py");

/// Variables of whoever started the app that would change what the trainer does: modules from elsewhere, a place in
/// someone else's distributed training, another count of the cards, exceptions from the proxy below.
pub(crate) const UNSET: [&str; 12] = [
    VISIBLE_DEVICES,
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

/// Variables of whoever started the app that bear on training, by their beginnings; none of those that hold secrets.
const TELLING: [&str; 13] = [
    "CUDA_",
    "CUDNN_",
    "GOMP_",
    "KMP_",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "MALLOC_",
    "MKL_",
    "NCCL_",
    "NVIDIA_",
    "OMP_",
    "PYTORCH_",
    "TORCH_",
];
const SECRET: [&str; 4] = ["KEY", "PASS", "SECRET", "TOKEN"];

/// Processes that read images where a plan does not say: the default of Ultralytics, which a run on the processor
/// writes over in its checkpoint.
const WORKERS: u32 = 8;

/// Everything a run is made of.
pub(super) struct Launch {
    pub(super) dirs: Dirs,
    pub(super) plan: Plan,
    pub(super) accepted: Vec<String>,
    pub(super) environment: Environment,
    /// As Ultralytics is told, or the name of a slice.
    pub(super) device: String,
    /// The file of the first weights; `None`: from scratch.
    pub(super) weights: Option<PathBuf>,
    pub(super) dataset: Arc<Dataset>,
    pub(super) hardware: Hardware,
    /// `None`: it is a training.
    pub(super) trial: Option<TryOut>,
}

impl Launch {
    /// Writes a new run's folder. Blocks.
    ///
    /// # Errors
    /// `home.not-unicode`, `file.unwritable`.
    pub(super) fn write(self) -> Result<Folder, Problem> {
        let created_ms = now_ms();
        let folder = new_folder(&tryout::parent(&self), &self.plan, created_ms)?;
        self.place_weights(&folder)?;
        crate::write::atomically(&folder.plan(), self.plan.to_toml()?.as_bytes())?;
        let mut given = arguments(&self.dirs.weights(), &self.plan, &self.device, &folder);
        if let Some(trial) = &self.trial {
            given = tryout::changed(given, &self.plan, trial);
        }
        write(&folder.arguments(), &given)?;
        self.write_rest(&folder, created_ms)?;
        Ok(folder)
    }

    /// Writes anew what the trainer is started with, for a run that goes on for the `nth` time, counted from 0.
    /// Answers whether it goes on from a checkpoint rather than from the beginning. Blocks.
    ///
    /// # Errors
    /// `file.unwritable`.
    pub(super) fn write_again(
        self,
        folder: &Folder,
        before: &RunRecord,
        nth: u32,
        changes: &Changes,
    ) -> Result<bool, Problem> {
        write(&folder.earlier_record(nth), before)?;
        self.place_weights(folder)?;
        let from_checkpoint = write_arguments(folder, &self.plan, &self.device, changes, json!(self.dirs.weights()))?;
        self.write_rest(folder, before.created_ms)?;
        Ok(from_checkpoint)
    }

    fn place_weights(&self, folder: &Folder) -> Result<(), Problem> {
        let Some(weights) = &self.weights else { return Ok(()) };
        let placed = folder.path().join(model(&self.plan));
        if placed.exists() {
            return Ok(());
        }
        place(weights, &placed).map_err(|error| unwritable(&placed, &error))
    }

    fn write_rest(self, folder: &Folder, created_ms: u64) -> Result<(), Problem> {
        fonts::provide(&self.dirs, &self.environment.python)?;
        crate::write::atomically(&folder.script(), SCRIPT.as_bytes())?;
        write(&folder.dataset(), &*self.dataset)?;
        let mut variables = variables(&self.dirs, &self.environment.python);
        if let Some(slice) = slice_of(&self.device) {
            variables.insert(VISIBLE_DEVICES.to_owned(), slice.to_owned());
        }
        let record = RunRecord {
            format: FORMAT,
            id: folder.id(),
            created_ms,
            command: command(&self.environment.python, folder),
            variables,
            inherited: inherited(std::env::vars_os()),
            hardware: Some(self.hardware),
            plan: self.plan,
            accepted: self.accepted,
            environment: self.environment,
            device: self.device,
            app_version: env!("CARGO_PKG_VERSION").to_owned(),
            trial: self.trial,
        };
        // The record comes last: a folder with one is a run.
        write(&folder.record(), &record)
    }
}

/// Has the trainer of a run go on as it was. Answers whether it does so from a checkpoint rather than from the
/// beginning. Blocks.
///
/// # Errors
/// `run.unreadable`, `file.unwritable`.
pub(super) fn go_on(folder: &Folder, record: &RunRecord) -> Result<bool, Problem> {
    let path = folder.arguments();
    let unreadable =
        |error: &dyn std::error::Error| Problem::new("run.unreadable").with("path", path.as_path()).because(error);
    let text = std::fs::read(&path).map_err(|error| unreadable(&error))?;
    let before: Value = serde_json::from_slice(&text).map_err(|error| unreadable(&error))?;
    write_arguments(folder, &record.plan, &record.device, &Changes::default(), before["weights"].clone())
}

fn write_arguments(
    folder: &Folder,
    plan: &Plan,
    device: &str,
    changes: &Changes,
    weights: Value,
) -> Result<bool, Problem> {
    let whole = checkpoint::whole(folder);
    let mut given = arguments(Path::new(""), plan, device, folder);
    given["weights"] = weights;
    if !whole.is_empty() {
        given["resume"] = json!(whole);
        given["train"] = changed(folder, plan, device, changes);
    }
    write(&folder.arguments(), &given)?;
    Ok(!whole.is_empty())
}

/// What `YOLO.train()` is given when it resumes: everything else it takes from the checkpoint, the batch that it came
/// down to included.
fn changed(folder: &Folder, plan: &Plan, device: &str, changes: &Changes) -> Value {
    let mut train = json!({
        "data": crate::shadow::yaml(&folder.shadow()),
        "device": told(device),
        // The folder may have been moved since.
        "save_dir": folder.path().join(OUTPUT),
    });
    let Changes { batch, imgsz, workers, device: other_device, extra, .. } = changes;
    for (name, value) in [("batch", batch), ("imgsz", imgsz), ("workers", workers)] {
        if let Some(value) = value {
            train[name] = json!(value);
        }
    }
    if other_device.is_some() && workers.is_none() {
        train["workers"] = json!(plan.training.workers.unwrap_or(WORKERS));
    }
    for (name, value) in extra {
        train[name] = json!(value);
    }
    train
}

/// What Ultralytics is told: of a slice, which is all that CUDA shows, that it is the first card. `train.py` sees to it
/// that Ultralytics does not write over the slice's name.
fn told(device: &str) -> &str {
    if slice_of(device).is_some() { "cuda:0" } else { device }
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

/// What of the app's own variables bears on training.
fn inherited(all: impl Iterator<Item = (OsString, OsString)>) -> BTreeMap<String, String> {
    let text = all.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let tells = |name: &str| {
        TELLING.iter().any(|beginning| name.starts_with(beginning))
            && !UNSET.contains(&name)
            && !SECRET.iter().any(|secret| name.contains(secret))
    };
    text.filter(|(name, _)| tells(name)).collect()
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
pub(super) fn arguments(weights: &Path, plan: &Plan, device: &str, folder: &Folder) -> Value {
    let training = &plan.training;
    let mut train = json!({
        "data": crate::shadow::yaml(&folder.shadow()),
        "epochs": training.epochs,
        "imgsz": training.imgsz,
        "batch": training.batch,
        "device": told(device),
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
        "checkpoint": folder.checkpoint(),
        "pause": folder.pause(),
        "weights": weights,
        "model": model(plan),
        "train": train,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_bears_on_training_is_written_down_and_no_secret_is() {
        let all = [
            ("OMP_NUM_THREADS", "4"),
            ("CUDA_VISIBLE_DEVICES", "1"),
            ("PYTORCH_CUDA_ALLOC_CONF", "x"),
            ("NVIDIA_API_KEY", "nvapi-1"),
            ("HOME", "/home/lin"),
            ("AWS_SECRET_ACCESS_KEY", "y"),
        ];
        let kept = inherited(all.into_iter().map(|(name, value)| (name.into(), value.into())));
        let names: Vec<&str> = kept.keys().map(String::as_str).collect();
        assert_eq!(names, ["OMP_NUM_THREADS", "PYTORCH_CUDA_ALLOC_CONF"]);
    }
}
