//! Facts in parallel, then the checks.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime};

use preflight_core::account::{Connector, Look};
use preflight_core::dataset::{Dataset, Task};
use preflight_core::duration::Expected;
use preflight_core::environment::{EnvironmentState, NOT_ACCEPTED};
use preflight_core::experience::Experience;
use preflight_core::facts::{AccountSeen, Fact, Facts, WeightsState};
use preflight_core::finding::Finding;
use preflight_core::forecast::{Forecast, Outlook, Seen};
use preflight_core::machine::{Computer, Gpus, Machine, Surroundings};
use preflight_core::memory::Graph;
use preflight_core::plan::{Plan, Target, Weights};
use preflight_core::problem::Problem;
use preflight_core::report::Report;
use preflight_core::text::Message;
use preflight_core::weights::Contents;
use tokio_util::sync::CancellationToken;

use crate::Engine;
use crate::dirs::Dirs;
use crate::observed::Observed;

/// How long a fact may take that normally takes milliseconds: a hung driver or network drive must not hold up the rest.
const QUICK: Duration = Duration::from_secs(10);
/// How long what the cards said is taken as what they say.
const CARDS_LAST: Duration = Duration::from_secs(1);
/// How long what lies around the cards is taken as it was.
const SURROUNDINGS_LAST: Duration = Duration::from_secs(5);
/// How long a working environment is taken to work as long as its folder does not change: its driver may.
const READY_LASTS: Duration = Duration::from_secs(600);
/// How long a broken environment is taken to be broken: whoever mends it wants to see it.
const BROKEN_LASTS: Duration = Duration::from_secs(15);
/// How long trying an environment may take: importing torch from a cold, slow disk takes most of a minute.
const IMPORT: Duration = Duration::from_secs(120);
/// How long reading a weights file may take.
const WEIGHTS: Duration = Duration::from_secs(60);
/// How long a look at a person's own model may take before the answer is that it is still being looked at. One training
/// step takes about ten seconds, loading torch included; from a cold, slow disk most of a minute more.
const OWN_MODEL: Duration = Duration::from_secs(120);
/// How long is remembered that a model could not be looked at. What could be found out is kept beside the environment.
const OWN_MODEL_FAILED: Duration = Duration::from_secs(600);
/// How long reading a dataset may take before the answer is that it is still being read.
const DATASET: Duration = Duration::from_secs(600);

/// How long a platform may take, renewing a token included.
const ACCOUNT: Duration = Duration::from_secs(60);
/// How long what a platform said of a budget is taken as what it says.
const ACCOUNT_LASTS: Duration = Duration::from_secs(20);

/// How often someone who watches is told.
const PACE: Duration = Duration::from_secs(1);

/// Observations that are shared between passes over the chain: it is looked at anew on each change of the plan.
#[derive(Debug, Default)]
pub(crate) struct Observations {
    cards: Observed<(), Fact<Gpus>>,
    watcher: Arc<std::sync::Mutex<crate::gpu::Watcher>>,
    environment: Observed<EnvironmentMark, EnvironmentState>,
    weights: Observed<WeightsMark, Fact<WeightsState>>,
    account: Observed<String, Fact<(Look, Connector)>>,
    surroundings: Observed<PathBuf, Fact<Surroundings>>,
    own_model: Observed<(WeightsMark, PathBuf), Fact<Option<Graph>>>,
    /// The last pass, and the plan it was about.
    last: std::sync::Mutex<Option<(Arc<Plan>, Arc<Facts>)>>,
}

impl Observations {
    /// Cards are looked at through this from now on.
    pub(crate) fn watch_with(&self, watcher: crate::gpu::Watcher) {
        *lock(&self.watcher) = watcher;
        self.cards.forget();
    }

    /// The account is looked at anew when it is asked for next.
    pub(crate) fn forget_account(&self) {
        self.account.forget();
    }

    /// Everything is looked at anew when it is asked for next.
    pub(crate) fn forget(&self) {
        self.cards.forget();
        self.environment.forget();
        self.weights.forget();
        self.account.forget();
        self.surroundings.forget();
        self.own_model.forget();
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

/// Observes everything a plan depends on, in parallel, each with its own time-out, and remembers it for forecasts.
pub async fn gather(engine: &Engine, plan: &Plan) -> Facts {
    let facts = observe(engine, plan).await;
    *lock(&engine.observations().last) = Some((Arc::new(plan.clone()), Arc::new(facts.clone())));
    facts
}

/// Observes everything a plan depends on, in parallel, each with its own time-out.
pub(crate) async fn observe(engine: &Engine, plan: &Plan) -> Facts {
    let ((dataset, weights), Machine { computer, gpus, volume, .. }, environment, surroundings, account) = tokio::join!(
        dataset_and_weights(engine, plan),
        machine(engine),
        environment(engine, plan),
        surroundings(engine, &plan.dataset),
        account(engine, plan)
    );
    let own_model = own_model(engine, plan, &weights, &environment).await;
    let busy_above = engine.settings().effective_busy_above();
    let experience = Arc::unwrap_or_clone(engine.experience());
    Facts {
        dataset,
        gpus,
        computer,
        volume,
        environment,
        weights,
        own_model,
        experience,
        surroundings,
        busy_above,
        account,
    }
}

/// Observes what lies around the cards; `dataset`: empty where none is chosen.
pub async fn surroundings(engine: &Engine, dataset: &Path) -> Fact<Surroundings> {
    let (dirs, dataset) = (engine.dirs().clone(), dataset.to_owned());
    let of = dataset.clone();
    let look = in_thread(move || {
        let dataset = Some(dataset.as_path()).filter(|dataset| !dataset.as_os_str().is_empty());
        Fact::Known(crate::surroundings::observe(&crate::surroundings::Root::default(), &dirs, dataset))
    });
    let seen = engine.observations().surroundings.get(of, QUICK, |_| SURROUNDINGS_LAST, look).await;
    seen.unwrap_or_else(|| timed_out(QUICK))
}

/// Observes this computer.
pub async fn machine(engine: &Engine) -> Machine {
    let runs = engine.dirs().runs();
    let ((computer, gpus), volume) =
        tokio::join!(load(engine), blocking(QUICK, move || crate::computer::volume(&runs)));
    Machine { findings: of_cards(engine, &gpus), computer, gpus, volume }
}

fn of_cards(engine: &Engine, gpus: &Fact<Gpus>) -> Vec<Finding> {
    let busy_above = engine.settings().effective_busy_above();
    gpus.known().map(|gpus| preflight_core::checks::cards(gpus, busy_above)).unwrap_or_default()
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
        let findings = of_cards(engine, &gpus);
        let now = Machine { computer, gpus, volume: before.volume.clone(), findings };
        if now != before {
            is_heard = tell(&now);
            before = now;
        }
    }
}

/// A watcher that knows the runs of whoever calls, where the app's folder is known.
fn watcher() -> crate::gpu::Watcher {
    let watcher = crate::gpu::Watcher::new();
    match Dirs::from_environment() {
        Ok(dirs) => watcher.knowing(dirs.runs()),
        Err(_) => watcher,
    }
}

/// Observes driver and cards once, with a time-out.
pub async fn gpus() -> Fact<Gpus> {
    let mut watcher = watcher();
    blocking(QUICK, move || Fact::Known(watcher.observe())).await
}

/// Observes driver and cards about once a second and tells each time, until `tell` answers that nobody listens.
pub async fn watch_gpus(mut tell: impl FnMut(&Fact<Gpus>) -> bool) {
    let watcher = Arc::new(std::sync::Mutex::new(watcher()));
    loop {
        let watcher = Arc::clone(&watcher);
        if !tell(&blocking(QUICK, move || Fact::Known(lock(&watcher).observe())).await) {
            return;
        }
        tokio::time::sleep(PACE).await;
    }
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

/// The dataset is judged for what the model learns. Only a person's own weights tell that themselves; for others, the
/// two are looked at side by side.
async fn dataset_and_weights(engine: &Engine, plan: &Plan) -> (Fact<Dataset>, Fact<WeightsState>) {
    if plan.model.weights != Weights::File {
        return tokio::join!(dataset(engine, plan, Task::Detect), weights(engine, plan));
    }
    let weights = weights(engine, plan).await;
    let task = match &weights {
        // Where a model for whole images is no good, boxes are what the dataset is looked through for.
        Fact::Known(WeightsState::Present { holds: Contents::Model { checkpoint }, .. }) => {
            checkpoint.task.filter(|task| *task != Task::Classify)
        }
        _ => None,
    };
    (dataset(engine, plan, task.unwrap_or(Task::Detect)).await, weights)
}

async fn dataset(engine: &Engine, plan: &Plan, task: Task) -> Fact<Dataset> {
    if !plan.has_dataset() {
        return Fact::unknown("reason-no-dataset-chosen");
    }
    let cancel = CancellationToken::new();
    // Whoever drops this future (a newer plan) no longer wants the answer.
    let _cancelled = cancel.clone().drop_guard();
    match tokio::time::timeout(DATASET, engine.dataset_for(&plan.dataset, task, Arc::new(|_, _| {}), cancel)).await {
        Ok(Ok(dataset)) => {
            let mut dataset = Arc::unwrap_or_clone(dataset);
            dataset.findings.extend(crate::dataset::closely::findings(engine, &plan.dataset));
            Fact::Known(dataset)
        }
        Ok(Err(problem)) => Fact::Unknown(problem.message()),
        Err(_) => Fact::unknown("reason-still-looking"),
    }
}

/// The account on the plan's platform.
async fn account(engine: &Engine, plan: &Plan) -> Option<Fact<AccountSeen>> {
    let Target::Platform { profile, .. } = &plan.target else { return None };
    if profile.is_empty() {
        return Some(Fact::unknown("reason-no-platform-chosen"));
    }
    // A person who changes the plan asks many times; the platform need not be asked as often.
    let lasts = |seen: &Fact<(Look, Connector)>| if seen.known().is_some() { ACCOUNT_LASTS } else { Duration::ZERO };
    let looker = crate::account::looker(engine, profile);
    let look = async move {
        match looker.look().await {
            Ok(seen) => Fact::Known(seen),
            Err(problem) => Fact::Unknown(problem.message()),
        }
    };
    let seen = engine.observations().account.get(profile.clone(), ACCOUNT, lasts, look);
    Some(match seen.await.unwrap_or_else(|| timed_out(ACCOUNT)) {
        // What a person wants left counts at once.
        Fact::Known((look, connector)) => {
            Fact::Known(AccountSeen { look, connector, threshold: crate::account::threshold(&engine.settings()) })
        }
        Fact::Unknown(reason) => Fact::Unknown(reason),
    })
}

async fn environment(engine: &Engine, plan: &Plan) -> Fact<EnvironmentState> {
    if !plan.is_local() {
        return Fact::unknown("reason-elsewhere");
    }
    let python = plan.python();
    let dirs = engine.dirs().clone();
    let own = python.is_none();
    let python = python.cloned().unwrap_or_else(|| crate::environment::python::of(&dirs.environment()));
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

/// What a person's own weights keep in memory. Loading them runs what they hold, as training will: only what a look into
/// the file found to be a model is loaded.
async fn own_model(
    engine: &Engine,
    plan: &Plan,
    weights: &Fact<WeightsState>,
    environment: &Fact<EnvironmentState>,
) -> Fact<Option<Graph>> {
    let (Weights::File, Fact::Known(WeightsState::Present { path, holds: Contents::Model { checkpoint }, .. })) =
        (plan.model.weights, weights)
    else {
        return Fact::Known(None);
    };
    if let Some(published) = checkpoint.model.as_deref().and_then(Graph::published) {
        return Fact::Known(Some(published));
    }
    let Fact::Known(EnvironmentState::Ready { environment }) = environment else {
        return Fact::unknown("reason-model-needs-environment");
    };
    let (dirs, python, path) = (engine.dirs().clone(), environment.python.clone(), path.clone());
    let mark = {
        let path = path.clone();
        blocking(QUICK, move || Fact::Known(WeightsMark::of(&path))).await
    };
    let mark = match mark {
        Fact::Known(mark) => (mark, python.clone()),
        Fact::Unknown(reason) => return Fact::Unknown(reason),
    };
    let look = async move {
        match crate::memory::model(&dirs, &python, &path).await {
            Ok(graph) => Fact::Known(Some(graph)),
            Err(problem) => Fact::Unknown(problem.message()),
        }
    };
    let seen = engine.observations().own_model.get(mark, OWN_MODEL, |_| OWN_MODEL_FAILED, look).await;
    seen.unwrap_or_else(|| Fact::unknown("reason-still-looking"))
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

/// What a plan needs, from what was observed lately; `None`: it cannot be told.
pub async fn forecast(engine: &Engine, plan: &Plan) -> Option<Forecast> {
    let lately = lately(engine).await;
    preflight_core::forecast::forecast(plan, lately.seen(plan))
}

/// How long a plan takes, wherever it trains, from what was observed lately; `None`: it cannot be told.
pub async fn time(engine: &Engine, plan: &Plan) -> Option<Expected> {
    let lately = lately(engine).await;
    preflight_core::forecast::time(plan, lately.seen(plan))
}

/// A forecast with several batches, and what changing the plan would do. After the first pass over the chain nothing is
/// looked at, so that it is quick enough for every change.
pub async fn outlook(engine: &Engine, plan: &Plan, batches: &[u32]) -> Option<Outlook> {
    let lately = lately(engine).await;
    preflight_core::forecast::outlook(plan, lately.seen(plan), batches)
}

/// What was observed lately, about the plan or about the computer alone.
enum Lately {
    Pass(Arc<Facts>, Arc<Experience>, Arc<Plan>),
    Computer(Box<(Fact<Computer>, Fact<Gpus>)>, Arc<Experience>),
}

async fn lately(engine: &Engine) -> Lately {
    // Another process may have learned something since the last pass.
    let experience = engine.experience();
    let last = lock(&engine.observations().last).clone();
    match last {
        Some((plan, facts)) => Lately::Pass(facts, experience, plan),
        None => Lately::Computer(Box::new(load(engine).await), experience),
    }
}

/// Of a plan that trains a published model.
static PUBLISHED: Fact<Option<Graph>> = Fact::Known(None);
/// Of a plan with weights that no pass was about yet.
static NOT_LOOKED_AT: LazyLock<Fact<Option<Graph>>> = LazyLock::new(|| Fact::unknown("reason-not-observed"));

impl Lately {
    fn seen(&self, plan: &Plan) -> Seen<'_> {
        match self {
            Self::Pass(facts, known, last) => {
                let seen = Seen { known, ..Seen::of(facts) };
                // The last pass may have been about another dataset, or another model.
                let own_model = match plan.model.weights {
                    Weights::File if plan.model.file == last.model.file => seen.own_model,
                    Weights::File => &NOT_LOOKED_AT,
                    _ => &PUBLISHED,
                };
                Seen { dataset: seen.dataset.filter(|_| last.dataset == plan.dataset), own_model, ..seen }
            }
            Self::Computer(machine, known) => {
                let (computer, gpus) = machine.as_ref();
                let own_model = if plan.model.weights == Weights::File { &NOT_LOOKED_AT } else { &PUBLISHED };
                Seen { dataset: None, computer, gpus, environment: None, known, own_model }
            }
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
