//! Facts in parallel, then the checks.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use preflight_core::dataset::Dataset;
use preflight_core::environment::{EnvironmentState, NOT_ACCEPTED};
use preflight_core::facts::{Fact, Facts, WeightsState};
use preflight_core::machine::{Computer, Gpus, Machine};
use preflight_core::memory::Estimate;
use preflight_core::plan::{Plan, Target};
use preflight_core::problem::Problem;
use preflight_core::report::Report;
use preflight_core::text::Message;
use tokio_util::sync::CancellationToken;

use crate::Engine;
use crate::observed::Observed;

/// How long a fact may take that normally takes milliseconds: a hung driver or network drive must not hold up the rest.
const QUICK: Duration = Duration::from_secs(10);
/// How long what the cards said is taken as what they say.
const CARDS_LAST: Duration = Duration::from_secs(1);
/// How long a working environment is taken to work as long as its folder does not change: its driver may.
const READY_LASTS: Duration = Duration::from_secs(600);
/// How long a broken environment is taken to be broken: whoever mends it wants to see it.
const BROKEN_LASTS: Duration = Duration::from_secs(15);
/// How long trying an environment may take: importing torch from a cold, slow disk takes most of a minute.
const IMPORT: Duration = Duration::from_secs(120);
/// How long reading a weights file may take.
const WEIGHTS: Duration = Duration::from_secs(60);
/// How long reading a dataset may take before the answer is that it is still being read.
const DATASET: Duration = Duration::from_secs(600);

/// How often someone who watches is told.
const PACE: Duration = Duration::from_secs(1);

/// Observations that are shared between passes over the chain: it is looked at anew on each change of the plan.
#[derive(Debug, Default)]
pub(crate) struct Observations {
    cards: Observed<(), Fact<Gpus>>,
    watcher: Arc<std::sync::Mutex<crate::gpu::Watcher>>,
    environment: Observed<EnvironmentMark, EnvironmentState>,
    weights: Observed<WeightsMark, Fact<WeightsState>>,
    /// The last pass, and the dataset it was about.
    last: std::sync::Mutex<Option<(PathBuf, Arc<Facts>)>>,
}

impl Observations {
    /// Everything is looked at anew when it is asked for next.
    pub(crate) fn forget(&self) {
        self.cards.forget();
        self.environment.forget();
        self.weights.forget();
    }
}

/// What changes when an environment changes: packages come and go in these folders.
#[derive(Debug, PartialEq)]
struct EnvironmentMark {
    python: PathBuf,
    changed: Vec<Option<SystemTime>>,
}

impl EnvironmentMark {
    fn of(python: &Path) -> Self {
        let home = python.parent().and_then(Path::parent).unwrap_or(python);
        let mut places = vec![python.to_owned(), home.join("pyvenv.cfg"), home.join("Lib").join("site-packages")];
        let versions = std::fs::read_dir(home.join("lib")).into_iter().flatten().flatten();
        places.extend(versions.map(|version| version.path().join("site-packages")));
        let changed =
            places.iter().map(|place| place.metadata().and_then(|metadata| metadata.modified()).ok()).collect();
        Self { python: python.to_owned(), changed }
    }
}

/// What changes when a weights file changes, or what is known about it.
#[derive(Debug, PartialEq)]
struct WeightsMark {
    path: PathBuf,
    seen: [Option<(u64, Option<SystemTime>)>; 2],
}

impl WeightsMark {
    fn of(path: &Path) -> Self {
        let seen = |path: &Path| path.metadata().ok().map(|metadata| (metadata.len(), metadata.modified().ok()));
        Self { path: path.to_owned(), seen: [seen(path), seen(&crate::weights::about_file(path))] }
    }
}

/// Observes everything a plan depends on, in parallel, each with its own time-out.
pub async fn gather(engine: &Engine, plan: &Plan) -> Facts {
    let (dataset, Machine { computer, gpus, volume }, environment, weights) =
        tokio::join!(dataset(engine, plan), machine(engine), environment(engine, plan), weights(engine, plan),);
    let facts = Facts { dataset, gpus, computer, volume, environment, weights };
    *lock(&engine.observations().last) = Some((plan.dataset.clone(), Arc::new(facts.clone())));
    facts
}

/// Observes this computer.
pub async fn machine(engine: &Engine) -> Machine {
    let runs = engine.dirs().runs();
    let ((computer, gpus), volume) =
        tokio::join!(load(engine), blocking(QUICK, move || crate::computer::volume(&runs)));
    Machine { computer, gpus, volume }
}

/// Observes what changes from second to second, without touching a disk.
pub async fn load(engine: &Engine) -> (Fact<Computer>, Fact<Gpus>) {
    tokio::join!(blocking(QUICK, crate::computer::observe), cards(engine))
}

/// Observes memory and cards about once a second and tells when something changed.
pub async fn watch_machine(engine: &Engine, mut tell: impl FnMut(&Machine) -> bool) {
    // The volume is written to when it is observed: once is enough.
    let mut before = machine(engine).await;
    let mut is_heard = tell(&before);
    while is_heard {
        tokio::time::sleep(PACE).await;
        // One at a time: a driver that hangs must not collect observers.
        let (computer, gpus) = load(engine).await;
        let now = Machine { computer, gpus, volume: before.volume.clone() };
        if now != before {
            is_heard = tell(&now);
            before = now;
        }
    }
}

/// Observes driver and cards once, with a time-out.
pub async fn gpus() -> Fact<Gpus> {
    blocking(QUICK, || Fact::Known(crate::gpu::observe())).await
}

async fn cards(engine: &Engine) -> Fact<Gpus> {
    let observations = engine.observations();
    let watcher = Arc::clone(&observations.watcher);
    let look = async move { in_thread(move || Fact::Known(lock(&watcher).observe())).await };
    observations.cards.get((), QUICK, |_| CARDS_LAST, look).await.unwrap_or_else(|| timed_out(QUICK))
}

/// Observes, then checks every link of the chain.
pub async fn preflight(engine: &Engine, plan: &Plan) -> Report {
    let facts = gather(engine, plan).await;
    let not_needed = preflight_core::checks::not_needed(&facts, plan);
    Report::new(now_ms(), preflight_core::checks::check(&facts, plan), &not_needed)
}

async fn dataset(engine: &Engine, plan: &Plan) -> Fact<Dataset> {
    if !plan.has_dataset() {
        return Fact::unknown("reason-no-dataset-chosen");
    }
    let cancel = CancellationToken::new();
    // Whoever drops this future (a newer plan) no longer wants the answer.
    let _cancelled = cancel.clone().drop_guard();
    match tokio::time::timeout(DATASET, engine.dataset(&plan.dataset, Arc::new(|_, _| {}), cancel)).await {
        Ok(Ok(dataset)) => Fact::Known(Arc::unwrap_or_clone(dataset)),
        Ok(Err(problem)) => Fact::Unknown(problem.message()),
        Err(_) => Fact::unknown("reason-still-looking"),
    }
}

async fn environment(engine: &Engine, plan: &Plan) -> Fact<EnvironmentState> {
    let Target::ThisComputer { python, .. } = &plan.target;
    let dirs = engine.dirs().clone();
    let own = python.is_none();
    let python = python.clone().unwrap_or_else(|| crate::environment::python::of(&dirs.environment()));
    if !own {
        let (dirs, settings, python) = (dirs.clone(), engine.settings(), python.clone());
        let named = python.clone();
        let known = move || Fact::Known(crate::environment::is_known(&dirs, &settings, &python));
        match blocking(QUICK, known).await {
            Fact::Known(true) => {}
            Fact::Known(false) => return Fact::Known(not_accepted(&named)),
            Fact::Unknown(reason) => return Fact::Unknown(reason),
        }
    }
    let mark = {
        let python = python.clone();
        blocking(QUICK, move || Fact::Known(EnvironmentMark::of(&python))).await
    };
    let mark = match mark {
        Fact::Known(mark) => mark,
        Fact::Unknown(reason) => return Fact::Unknown(reason),
    };
    let look = async move {
        if own { crate::environment::own(&dirs).await } else { crate::environment::inspect(&dirs, &python).await }
    };
    let lasts = |state: &EnvironmentState| match state {
        // A torch for cards that finds none is as good as broken: the driver may be mended meanwhile.
        EnvironmentState::Ready { environment } if environment.cuda_available || environment.torch_cuda.is_none() => {
            READY_LASTS
        }
        EnvironmentState::Ready { .. } | EnvironmentState::Broken { .. } => BROKEN_LASTS,
        EnvironmentState::Missing => Duration::ZERO,
    };
    let seen = engine.observations().environment.get(mark, IMPORT, lasts, look).await;
    seen.map_or_else(|| timed_out(IMPORT), Fact::Known)
}

/// A Python that is not started unasked. One that is not there says so instead.
fn not_accepted(python: &Path) -> EnvironmentState {
    if !python.exists() {
        return EnvironmentState::Missing;
    }
    let problem = Problem::new(NOT_ACCEPTED).with("path", python);
    EnvironmentState::Broken { python: python.to_owned(), managed: false, problem }
}

async fn weights(engine: &Engine, plan: &Plan) -> Fact<WeightsState> {
    let dirs = engine.dirs().clone();
    let Some(path) = crate::weights::place(&dirs, plan) else { return Fact::Known(WeightsState::NotNeeded) };
    let mark = {
        let path = path.clone();
        blocking(QUICK, move || Fact::Known(WeightsMark::of(&path))).await
    };
    let mark = match mark {
        Fact::Known(mark) => mark,
        Fact::Unknown(reason) => return Fact::Unknown(reason),
    };
    let lasts = |state: &Fact<WeightsState>| match state {
        Fact::Known(WeightsState::Present { .. }) => READY_LASTS,
        _ => Duration::ZERO,
    };
    let look = in_thread(move || Fact::Known(crate::weights::observe(&dirs, &path)));
    let seen = engine.observations().weights.get(mark, WEIGHTS, lasts, look);
    seen.await.unwrap_or_else(|| timed_out(WEIGHTS))
}

/// Looks on a thread of its own, with a time-out.
async fn blocking<T: Send + 'static>(limit: Duration, look: impl FnOnce() -> Fact<T> + Send + 'static) -> Fact<T> {
    tokio::time::timeout(limit, in_thread(look)).await.unwrap_or_else(|_| timed_out(limit))
}

/// Looks on a thread of its own. A look that never ends keeps its thread; no other look waits for it.
async fn in_thread<T: Send + 'static>(look: impl FnOnce() -> Fact<T> + Send + 'static) -> Fact<T> {
    let look = tokio::task::spawn_blocking(look).await;
    look.unwrap_or_else(|error| Fact::Unknown(Message::new("reason-system-error").with("error", error.to_string())))
}

fn timed_out<T>(limit: Duration) -> Fact<T> {
    Fact::Unknown(Message::new("reason-no-answer").with("seconds", limit.as_secs()))
}

/// How much memory a plan needs, from what was observed lately; `None`: it cannot be told. After the first pass over the
/// chain nothing is looked at, so that it is quick enough for every step of a slider.
pub async fn estimate(engine: &Engine, plan: &Plan) -> Option<Estimate> {
    let last = lock(&engine.observations().last).clone();
    match last {
        Some((dataset, facts)) => {
            let dataset = facts.dataset.known().filter(|_| dataset == plan.dataset);
            preflight_core::memory::estimate(plan, dataset, &facts.computer, &facts.gpus)
        }
        None => {
            let (computer, gpus) = load(engine).await;
            preflight_core::memory::estimate(plan, None, &computer, &gpus)
        }
    }
}

fn lock<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Milliseconds since 1970 UTC.
#[must_use]
pub fn now_ms() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or(0)
}
