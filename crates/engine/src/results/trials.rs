//! The one model that is being tried in the window: kept between images, ended when nobody tries it any more.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use preflight_core::problem::Problem;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::pasted;
use super::trial::{Prediction, Trial, chosen};
use crate::Engine;
use crate::dirs::Dirs;
use crate::work::{Work, blocking, lock};

/// Images that are looked at in one go; a folder may hold a hundred thousand.
const MOST: usize = 50;
/// How long a model that nobody tries stays in memory.
const IDLE: Duration = Duration::from_secs(180);
/// How often it is looked whether it is idle, or in a training's way.
const LOOK: Duration = Duration::from_secs(2);

/// What happens while a model is tried.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TrialUpdate {
    /// These are looked at.
    Begun {
        /// Images that are looked at.
        images: u32,
        /// Images there are.
        total: u32,
    },
    /// An image was looked at.
    Predicted {
        /// Its id, for [`crate::images::Images`].
        image: String,
        /// Its file name; empty: it was pasted.
        name: String,
        /// What the model found in it.
        prediction: Prediction,
    },
    /// An image could not be looked at.
    Unreadable {
        /// Its file name; empty: it was pasted.
        name: String,
        /// Why.
        problem: Problem,
    },
}

/// The one model that is being tried.
#[derive(Debug, Default)]
pub struct Trials {
    live: tokio::sync::Mutex<Option<Live>>,
    /// The images that are being looked at. The next ones end it between two images.
    sequence: Work,
    /// Ends the model, even in the middle of an image.
    stop: Mutex<CancellationToken>,
}

#[derive(Debug)]
struct Live {
    id: String,
    trial: Trial,
    used: Instant,
}

/// Looks for objects in images, and in the images of folders, one after the other, until all are done, another call
/// takes over, or `tell` answers that nobody listens. The model is loaded first where it is not there, which takes
/// seconds.
///
/// # Errors
/// Those of [`Trial::start`], `results.model-failed`, `results.cancelled`. What is wrong with an image is told.
pub async fn try_model(
    engine: &Engine,
    id: &str,
    paths: Vec<PathBuf>,
    mut tell: impl FnMut(TrialUpdate) -> bool,
) -> Result<(), Problem> {
    let trials = engine.trials();
    let stop = trials.sequence.replace();
    let chosen = blocking(move || Ok(chosen(&paths, MOST))).await?;
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    tell(TrialUpdate::Begun { images: count(chosen.images.len()), total: count(chosen.total) });
    for path in chosen.images {
        if stop.is_cancelled() {
            return Err(Problem::new("results.cancelled"));
        }
        let name = if pasted::is_pasted(engine, &path) { String::new() } else { super::name(&path) };
        let update = match trials.predict(engine, id, &path).await {
            Ok(prediction) => TrialUpdate::Predicted { image: engine.images().id(&path), name, prediction },
            Err(problem) if problem.code == "image.unreadable" => TrialUpdate::Unreadable { name, problem },
            Err(problem) => return Err(problem),
        };
        if !tell(update) {
            break;
        }
    }
    Ok(())
}

/// Ends the model that is being tried, even in the middle of an image, and forgets what was pasted.
pub async fn close_trial(engine: &Engine) {
    let trials = engine.trials();
    trials.sequence.cancel();
    std::mem::take(&mut *lock(&trials.stop)).cancel();
    *trials.live.lock().await = None;
    let folder = pasted::folder(engine);
    // What cannot be removed now is removed the next time.
    let _ = tokio::task::spawn_blocking(move || std::fs::remove_dir_all(folder)).await;
}

impl Trials {
    async fn predict(self: &Arc<Self>, engine: &Engine, id: &str, image: &Path) -> Result<Prediction, Problem> {
        let stop = lock(&self.stop).clone();
        let mut live = self.live.lock().await;
        let work = async {
            if live.as_ref().is_some_and(|live| live.id != id || live.trial.is_in_the_way(engine.dirs())) {
                *live = None;
            }
            if live.is_none() {
                let trial = Trial::start(engine, id).await?;
                *live = Some(Live { id: id.to_owned(), trial, used: Instant::now() });
                tokio::spawn(keep(Arc::downgrade(self), engine.dirs().clone()));
            }
            let Some(live) = live.as_mut() else { return Err(Problem::new("results.cancelled")) };
            let predicted = live.trial.predict(image).await;
            live.used = Instant::now();
            predicted
        };
        let predicted = stop.run_until_cancelled(work).await;
        let predicted = predicted.unwrap_or_else(|| Err(Problem::new("results.cancelled")));
        if matches!(&predicted, Err(problem) if problem.code != "image.unreadable") {
            *live = None;
        }
        predicted
    }
}

/// Ends the model once it is idle, or a training begins on its card.
async fn keep(trials: Weak<Trials>, dirs: Dirs) {
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(trials) = trials.upgrade() else { return };
        let mut live = trials.live.lock().await;
        match &*live {
            None => return,
            Some(Live { trial, used, .. }) if used.elapsed() > IDLE || trial.is_in_the_way(&dirs) => {
                *live = None;
                return;
            }
            Some(_) => {}
        }
    }
}
