//! Trying a plan out: a few real steps with the fullest images, on the device and in the environment that will train.
//!
//! It is supervised as a run is, so that it can be cancelled, leaves no process behind and does not depend on the window.
//! It is not listed with the runs: nobody wants its weights, and it has none. All that is left of it is what it measured;
//! of one that failed, its folder until the next one, so that its log can be read.

use std::path::{Path, PathBuf};
use std::time::Duration;

use preflight_core::experience::{Shape, Trial};
use preflight_core::finding::Finding;
use preflight_core::machine::{self, ResolvedDevice};
use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use preflight_core::run::{CancelReason, Progress, RunState, TryOut, arguments};
use serde::Serialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::folder::Folder;
use super::request::Request;
use super::{SupervisorCommand, give_to, launch, look, supervisor, weights, write};
use crate::Engine;
use crate::work::blocking;

/// How often it is looked how far it is.
const PACE: Duration = Duration::from_millis(100);
/// Seconds the trainer has to end by itself when it is cancelled: there is nothing to be saved.
const GRACE_S: u32 = 3;
/// Training steps on a card: the first ones see which way to compute is fastest and are slower.
const STEPS_ON_CARD: u32 = 8;
/// Training steps on the processor, which takes long and is as slow in its first step as in its last.
const STEPS_ON_PROCESSOR: u32 = 4;
/// After so many seconds of training it ends with the steps it did.
const LIMIT_S: u32 = 90;
/// Seconds a trial on a card stays as it is after its last step: in that time the supervisor looks at the card.
const HOLD_S: f64 = 1.5;

/// How far trying out is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "stage", rename_all = "snake_case")]
pub enum TryOutProgress {
    /// The plan is looked at and the images with most boxes are looked for.
    Preparing,
    /// The environment starts, the model is loaded.
    Loading,
    /// It trains.
    Training {
        /// Steps done.
        step: u32,
        /// Steps in all.
        steps: u32,
    },
    /// It validates.
    Validating,
}

/// How trying out ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct TriedOut {
    /// What it measured; `None`: it failed.
    pub trial: Option<Trial>,
    /// Why it failed, and what else is unusual.
    pub findings: Vec<Finding>,
}

/// Tries a plan out, one at a time, and remembers what was measured. What blocks a start does not block this, as long as
/// there is an environment, a dataset and first weights to try: memory is what it is to find out about.
///
/// # Errors
/// `trial.busy`, `trial.cancelled`, and those of [`super::start`].
pub async fn try_out(
    engine: &Engine,
    plan: &Plan,
    supervisor: &SupervisorCommand,
    tell: impl Fn(TryOutProgress),
) -> Result<TriedOut, Problem> {
    super::only_local(plan)?;
    let (cancel, _under_way) = engine.trying_out().begin().ok_or_else(|| Problem::new("trial.busy"))?;
    tell(TryOutProgress::Preparing);
    let cancelled = || Problem::new("trial.cancelled");
    let folder = tokio::select! {
        folder = prepare(engine, plan) => folder?,
        () = cancel.cancelled() => return Err(cancelled()),
    };
    if let Err(problem) = give_to(&folder, supervisor).await {
        let _ = std::fs::remove_dir_all(folder.path());
        return Err(problem);
    }
    let progress = follow(&folder, &cancel, tell).await?;
    let trial = match progress.state {
        RunState::Cancelled if cancel.is_cancelled() => {
            remove(&folder).await;
            return Err(cancelled());
        }
        RunState::Succeeded => engine.experience().trial(&shape(&folder)?).cloned(),
        _ => None,
    };
    if trial.is_some() {
        remove(&folder).await;
    }
    Ok(TriedOut { trial, findings: progress.findings })
}

/// Ends the trial that is under way.
pub fn cancel_try_out(engine: &Engine) {
    engine.trying_out().cancel();
}

/// Writes the trial's folder.
async fn prepare(engine: &Engine, plan: &Plan) -> Result<Folder, Problem> {
    arguments::check(&plan.training)?;
    let facts = engine.gather(plan).await;
    let first = weights(&facts.weights)?;
    let (gpus, dataset) = (facts.gpus.clone(), facts.dataset.clone());
    let mut launch = launch(engine, plan, &[], facts, first).await?;
    let resolved = machine::resolve(plan.device(), &gpus).unwrap_or(ResolvedDevice::Processor);
    let dataset = dataset.known().cloned().unwrap_or_else(|| (*launch.dataset).clone());
    let shape = Shape::of_plan(plan, &dataset, &resolved, &gpus, Some(&launch.environment));
    // Of several cards one is tried, with its share of the batch: they all hold the same.
    let batch = plan.training.batch.div_ceil(shape.cards.max(1)).min(shape.images.max(1));
    if let ResolvedDevice::Gpus(indices) = &resolved {
        launch.device = indices.first().map_or_else(|| launch.device.clone(), u32::to_string);
    }
    let steps = if shape.is_on_processor() { STEPS_ON_PROCESSOR } else { STEPS_ON_CARD };
    launch.trial = Some(TryOut { batch, train: batch.saturating_mul(steps), val: batch.saturating_mul(2), shape });
    let trials = launch.dirs.trials();
    blocking(move || {
        sweep(&trials);
        launch.write()
    })
    .await
}

/// Removes what earlier trials left: those that failed, and those whose end nobody waited for.
fn sweep(trials: &Path) {
    let entries = std::fs::read_dir(trials).into_iter().flatten().flatten();
    for folder in entries.map(|entry| Folder::new(entry.path())) {
        let is_over = look(&folder).map_or(true, |run| run.progress.state.is_over());
        if is_over && !folder.is_locked() {
            let _ = std::fs::remove_dir_all(folder.path());
        }
    }
}

async fn remove(folder: &Folder) {
    let path = folder.path().to_owned();
    // What cannot be removed now is at the next trial.
    let _ = blocking(move || Ok(std::fs::remove_dir_all(path))).await;
}

fn shape(folder: &Folder) -> Result<Shape, Problem> {
    let record = folder.read_record()?;
    record.trial.map(|trial| trial.shape).ok_or_else(|| Problem::new("run.not-found").with("id", record.id))
}

/// Tells how far it is until it is over and nothing writes to its folder any more.
async fn follow(
    folder: &Folder,
    cancel: &CancellationToken,
    tell: impl Fn(TryOutProgress),
) -> Result<Progress, Problem> {
    let mut told = None;
    let mut asked = false;
    loop {
        let looked = folder.clone();
        let (progress, is_locked) = blocking(move || Ok((look(&looked)?.progress, looked.is_locked()))).await?;
        if progress.state.is_over() && !is_locked {
            if progress.state == RunState::Lost {
                bury(folder).await?;
            }
            return Ok(progress);
        }
        // One that rests, for want of room on the disk, is not waited for.
        if (cancel.is_cancelled() || progress.state == RunState::Paused) && !asked {
            asked = true;
            Request::Cancel { reason: CancelReason::User, grace_s: GRACE_S }.send(folder)?;
        }
        let now = stage(&progress);
        if told != Some(now) {
            told = Some(now);
            tell(now);
        }
        tokio::time::sleep(PACE).await;
    }
}

/// Ends what is left of a trial whose supervisor died.
async fn bury(folder: &Folder) -> Result<(), Problem> {
    let folder = folder.clone();
    blocking(move || {
        let Some(mut journal) = write(&folder)? else { return Ok(()) };
        supervisor::bury(&mut journal, &folder)
            .map_err(|error| Problem::new("run.not-ended").with("id", folder.id()).because(&error))
    })
    .await
}

fn stage(progress: &Progress) -> TryOutProgress {
    if progress.validation.is_some() || progress.batches > 0 && progress.batch >= progress.batches {
        TryOutProgress::Validating
    } else if progress.batches > 0 {
        TryOutProgress::Training { step: progress.batch, steps: progress.batches }
    } else if progress.trainer.is_some() {
        TryOutProgress::Loading
    } else {
        TryOutProgress::Preparing
    }
}

/// What `train.py` is given for a trial instead of a training.
pub(super) fn changed(mut given: Value, plan: &Plan, trial: &TryOut) -> Value {
    given["trial"] = json!({ "seconds": LIMIT_S, "hold": HOLD_S });
    let train = &mut given["train"];
    train["batch"] = json!(trial.batch);
    train["epochs"] = json!(epochs(plan, trial));
    train["fraction"] = json!(1.0);
    // Nothing is to be written, and mosaic, which makes images fuller, is to be on as in most epochs.
    for (name, value) in [("save", json!(false)), ("plots", json!(false)), ("close_mosaic", json!(0))] {
        train[name] = value;
    }
    if let Some(train) = train.as_object_mut() {
        train.remove("time");
    }
    given
}

/// So many epochs over the few images that the trainer, which chooses its optimizer by the number of steps, chooses the
/// same. Only the first one is begun.
fn epochs(plan: &Plan, trial: &TryOut) -> u32 {
    const NOMINAL_BATCH: u32 = 64;
    let steps = |images: u32, batch: u32| u64::from(images.div_ceil(batch.max(NOMINAL_BATCH)).max(1));
    let all = steps(trial.shape.images, plan.training.batch) * u64::from(plan.training.epochs);
    let epochs = all.div_ceil(steps(trial.train, trial.batch));
    u32::try_from(epochs).unwrap_or(u32::MAX).clamp(2, 1_000_000)
}

/// Where trials are.
pub(super) fn parent(launch: &launch::Launch) -> PathBuf {
    if launch.trial.is_some() { launch.dirs.trials() } else { launch.dirs.runs() }
}
