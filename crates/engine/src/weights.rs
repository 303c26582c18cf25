//! First weights: looked for, looked through, fetched, removed.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use preflight_core::facts::WeightsState;
use preflight_core::models;
use preflight_core::plan::{Plan, Weights};
use preflight_core::problem::Problem;
use preflight_core::text::{Message, Value};
use preflight_core::weights::{Contents, WeightsProgress, published_bytes};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::dirs::Dirs;
use crate::settings::Settings;

mod archive;
mod failure;
mod mirrors;
mod transfer;

pub use archive::Examined;
pub use transfer::Patience;

pub(crate) use transfer::about_file;
use transfer::{Ended, Part, Transfer};

/// Called at each step of a download.
pub type OnProgress = Arc<dyn Fn(WeightsProgress) + Send + Sync>;

/// How often is looked whether another one is done with the same file.
const WAIT: Duration = Duration::from_millis(250);

/// The published weights of a model, as they are on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct WeightsEntry {
    /// The model's name.
    pub model: String,
    /// Where they are, or would be.
    pub path: PathBuf,
    /// Their size; `None`: they are not here.
    pub bytes: Option<u64>,
    /// Bytes of a download that was not finished.
    pub part: u64,
    /// About as many bytes as they have.
    pub about: u64,
    /// What came down; `None`: a person put them there, or they are not here.
    pub fetched: Option<Fetched>,
}

/// A download that was finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Fetched {
    /// Where from, without user name and password.
    pub url: String,
    /// In lower-case hex.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
    /// Milliseconds since 1970 UTC.
    pub at_ms: u64,
}

/// What fetching led to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Outcome {
    /// The file.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// In lower-case hex.
    pub sha256: String,
    /// Where it came from; `None`: it was here already.
    pub url: Option<String>,
    /// An earlier download of the same model was another file: its checksum.
    pub before: Option<String>,
}

/// What is fetched, and how.
#[derive(Debug, Clone)]
pub struct Fetch {
    /// The model's name.
    pub model: String,
    /// Even where a whole file is here.
    pub again: bool,
    /// How long is waited for a slow server.
    pub patience: Patience,
}

impl Fetch {
    /// The weights of a model, unless they are here.
    #[must_use]
    pub fn of(model: &str) -> Self {
        Self { model: model.to_owned(), again: false, patience: Patience::default() }
    }
}

/// Where the plan's first weights are; `None`: it needs none. Empty: a person has chosen no file yet.
#[must_use]
pub fn place(dirs: &Dirs, plan: &Plan) -> Option<PathBuf> {
    match plan.model.weights {
        Weights::Scratch => None,
        Weights::Pretrained => Some(pretrained(dirs, &plan.model.name)),
        Weights::File => Some(plan.model.file.clone()),
    }
}

/// Where the published weights of a model are kept.
#[must_use]
pub fn pretrained(dirs: &Dirs, model: &str) -> PathBuf {
    dirs.weights().join(format!("{model}.pt"))
}

/// Reads a weights file as a whole. Blocks for as long as that takes.
///
/// # Errors
/// What the file system says; a file that can be read and is no whole weights file is the inner error, a `reason-…`.
pub fn examine(path: &Path) -> std::io::Result<Result<Examined, Message>> {
    archive::examine(path)
}

/// Reads a plan's first weights. Blocks for as long as that takes.
#[must_use]
pub fn observe(dirs: &Dirs, path: &Path) -> WeightsState {
    let (path, unreadable) = (path.to_owned(), |path, why| WeightsState::Unreadable { path, why });
    match examine(&path) {
        Ok(Ok(Examined { bytes, sha256, contents, .. })) => {
            let ours = path.starts_with(dirs.weights());
            let changed = ours && fetched(&path).is_some_and(|fetched| fetched.sha256 != sha256);
            WeightsState::Present { path, bytes, holds: contents, changed }
        }
        Ok(Err(why)) => unreadable(path, why),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => WeightsState::Missing { path },
        Err(error) => unreadable(path, Message::new("reason-system-error").with("error", error.to_string())),
    }
}

/// What was downloaded to a file, if it was.
#[must_use]
pub fn fetched(path: &Path) -> Option<Fetched> {
    serde_json::from_slice(&std::fs::read(about_file(path)).ok()?).ok()
}

/// The published weights of every known model.
#[must_use]
pub fn list(dirs: &Dirs) -> Vec<WeightsEntry> {
    let entry = |card: &models::ModelCard| {
        let path = pretrained(dirs, &card.name);
        let bytes = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
        WeightsEntry {
            model: card.name.clone(),
            part: Part::open(part(&path)).length(),
            about: published_bytes(card),
            fetched: bytes.and_then(|_| fetched(&path)),
            bytes,
            path,
        }
    };
    models::ALL.iter().map(entry).collect()
}

/// Fetches the published weights of a model from the first address that has them. A download that broke off, or was
/// cancelled, is gone on with; two at once fetch a file once.
///
/// # Errors
/// - `weights.unknown-model`, `environment.source-invalid`, `environment.certificates-unreadable`;
/// - the way there: `weights.no-such-host`, `.proxy-failed`, `.certificate-refused`, `.tls-failed`, `.timed-out`,
///   `.unreachable`, `.redirected-astray`, `.not-found`, `.refused`, `.server-failed`, `.page-instead`, `.interrupted`;
/// - what came: `weights.not-weights`, `.cut-off`, `.damaged`, `.digest-mismatch`, `.other-model`;
/// - `weights.no-mirror` where each of several addresses failed, with why;
/// - `weights.disk-full`, `file.unwritable`, `weights.cancelled`.
pub async fn fetch(
    dirs: &Dirs,
    settings: &Settings,
    fetch: &Fetch,
    progress: OnProgress,
    cancel: CancellationToken,
) -> Result<Outcome, Problem> {
    let cancelled = || Problem::new("weights.cancelled");
    cancel.run_until_cancelled(fetch_uncancelled(dirs, settings, fetch, progress)).await.ok_or_else(cancelled)?
}

async fn fetch_uncancelled(
    dirs: &Dirs,
    settings: &Settings,
    fetch: &Fetch,
    progress: OnProgress,
) -> Result<Outcome, Problem> {
    let model = fetch.model.as_str();
    if models::card(model).is_none() {
        return Err(Problem::new("weights.unknown-model").with("model", model));
    }
    let addresses = mirrors::addresses(&settings.sources, model)?;
    let client = crate::environment::client(settings)?;
    let proxy = crate::environment::proxy(settings)?;
    let path = pretrained(dirs, model);
    std::fs::create_dir_all(dirs.weights()).map_err(|error| failure::of_file(&path, &error))?;
    let waited = || progress(WeightsProgress::Waiting);
    let _lock = lock(dirs, model, waited).await?;
    if !fetch.again
        && let Some(Examined { bytes, sha256, contents, .. }) = whole(path.clone()).await
        && of_model(&contents, model)
    {
        return Ok(Outcome { path, bytes, sha256, url: None, before: None });
    }

    let mut part = Part::open(part(&path));
    let mut failed = Vec::new();
    for url in &addresses {
        let transfer =
            Transfer { client: &client, url, proxy: proxy.as_deref(), patience: fetch.patience, progress: &progress };
        let came = match to_the_end(&transfer, &mut part).await {
            Ok(()) => {
                progress(WeightsProgress::Verifying);
                verified(&mut part, model, url).await
            }
            Err(ended) => Err(ended),
        };
        match came {
            Ok(examined) => return put_in_place(&part, path, &examined, url),
            Err(Ended::Hopeless(problem)) => return Err(problem),
            Err(Ended::Broken(problem) | Ended::Stale(problem) | Ended::Refused(problem)) => {
                if addresses.len() > 1 {
                    progress(WeightsProgress::Failed { problem: problem.clone() });
                }
                failed.push(problem);
            }
        }
    }
    Err(why(failed, model))
}

/// Goes on with a download that breaks off, as long as each attempt brings something.
async fn to_the_end(transfer: &Transfer<'_>, part: &mut Part) -> Result<(), Ended> {
    let mut fruitless = 0;
    loop {
        let before = part.length();
        match transfer.attempt(part).await {
            // Not twice in a row: then there is nothing left to go on with.
            Err(Ended::Stale(_)) => {}
            Err(Ended::Broken(problem)) => {
                fruitless = if part.length() > before { 0 } else { fruitless + 1 };
                // Nothing at all came: the address does not answer, and asking again would only take time.
                if part.length() == 0 || fruitless >= transfer.patience.attempts {
                    return Err(Ended::Broken(problem));
                }
                tokio::time::sleep(transfer.patience.pause).await;
            }
            ended => return ended,
        }
    }
}

/// Looks through what came down. What is not what it should be is removed: going on with it would mend nothing.
async fn verified(part: &mut Part, model: &str, url: &reqwest::Url) -> Result<Examined, Ended> {
    let path = part.path.clone();
    let examined = tokio::task::spawn_blocking(move || examine(&path)).await;
    let examined = examined.map_err(|error| Ended::Hopeless(Problem::new("internal.task").because(&error)))?;
    let examined = examined.map_err(|error| Ended::Hopeless(failure::of_file(&part.path, &error)))?;
    let about = std::mem::take(&mut part.about);
    let refused = |code: &str| failure::at(url, code).with("model", model);
    let problem = match &examined {
        Err(why) => Some(broken(&refused, why)),
        Ok(examined) => match (&about.sha256, &about.md5) {
            (Some(told), _) if *told != examined.sha256 => Some(mismatch(&refused, "SHA-256", told, &examined.sha256)),
            (_, Some(told)) if *told != examined.md5 => Some(mismatch(&refused, "MD5", told, &examined.md5)),
            _ if !of_model(&examined.contents, model) => {
                Some(refused("other-model").because_text(described(&examined.contents)))
            }
            _ => None,
        },
    };
    match (problem, examined) {
        (None, Ok(examined)) => Ok(examined),
        (problem, _) => {
            part.remove();
            Err(Ended::Refused(problem.unwrap_or_else(|| refused("not-weights"))))
        }
    }
}

fn mismatch(refused: &impl Fn(&str) -> Problem, kind: &str, told: &str, found: &str) -> Problem {
    refused("digest-mismatch").because_text(format!("{kind}: {told} ≠ {found}"))
}

/// What is wrong with what came, by the reason that [`examine`] gave.
fn broken(refused: &impl Fn(&str) -> Problem, why: &Message) -> Problem {
    let problem = refused(match why.id.as_str() {
        "reason-weights-cut-off" => "cut-off",
        "reason-weights-damaged" => "damaged",
        _ => "not-weights",
    });
    match why.args.get("error") {
        Some(Value::Text(error)) => problem.because_text(error),
        _ => problem,
    }
}

/// Whether a file holds what Ultralytics publishes under a model's name.
fn of_model(contents: &Contents, model: &str) -> bool {
    matches!(contents, Contents::Model { checkpoint } if !checkpoint.is_other_than(model))
}

fn described(contents: &Contents) -> String {
    match contents {
        Contents::Model { checkpoint } => {
            let name = checkpoint.model.as_deref().unwrap_or("?");
            format!("{name}, {} parameters, {} classes", checkpoint.parameters, checkpoint.classes)
        }
        Contents::Foreign { names } => names.join(", "),
        Contents::NoModel => "no Ultralytics model".to_owned(),
    }
}

fn put_in_place(part: &Part, path: PathBuf, examined: &Examined, url: &reqwest::Url) -> Result<Outcome, Problem> {
    let before = fetched(&path).filter(|before| before.sha256 != examined.sha256).map(|before| before.sha256);
    let now = Fetched {
        url: crate::environment::shown(url),
        sha256: examined.sha256.clone(),
        bytes: examined.bytes,
        at_ms: crate::preflight::now_ms(),
    };
    part.put_in_place(&path).map_err(|error| failure::of_file(&path, &error))?;
    let text = serde_json::to_vec_pretty(&now).map_err(|error| Problem::new("file.unwritable").because(&error))?;
    crate::write::atomically(&about_file(&path), &text)?;
    Ok(Outcome { path, bytes: now.bytes, sha256: now.sha256, url: Some(now.url), before })
}

/// Why no address gave the file.
fn why(mut failed: Vec<Problem>, model: &str) -> Problem {
    if failed.len() == 1
        && let Some(problem) = failed.pop()
    {
        return problem.with("model", model);
    }
    let problem = Problem::new("weights.no-mirror").with("model", model).with("count", failed.len());
    failed.into_iter().fold(problem, |problem, failed| {
        let url = match failed.args.get("url") {
            Some(Value::Text(url)) => url.clone(),
            _ => String::new(),
        };
        let causes = if failed.causes.is_empty() { failed.code.clone() } else { failed.causes.join(": ") };
        problem.because_text(format!("{url}: {causes}"))
    })
}

/// A file that is whole.
async fn whole(path: PathBuf) -> Option<Examined> {
    tokio::task::spawn_blocking(move || examine(&path).ok()?.ok()).await.ok().flatten()
}

fn part(path: &Path) -> PathBuf {
    path.with_added_extension("part")
}

fn lock_file(dirs: &Dirs, model: &str) -> PathBuf {
    dirs.weights().join(format!(".{model}.lock"))
}

/// The right to write a model's file. Given back when dropped, and by the system when this process dies.
async fn lock(dirs: &Dirs, model: &str, waited: impl Fn()) -> Result<File, Problem> {
    let mut told = false;
    loop {
        if let Some(lock) = try_lock(dirs, model)? {
            return Ok(lock);
        }
        if !std::mem::replace(&mut told, true) {
            waited();
        }
        tokio::time::sleep(WAIT).await;
    }
}

fn try_lock(dirs: &Dirs, model: &str) -> Result<Option<File>, Problem> {
    let path = lock_file(dirs, model);
    let open = File::options().create(true).truncate(false).write(true).open(&path);
    let file = open.map_err(|error| failure::of_file(&path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failure::of_file(&path, &error)),
    }
}

/// Removes a model's published weights, also those that came down in part; answers the bytes that became free.
///
/// # Errors
/// `weights.unknown-model`, `weights.busy` while they are being fetched, `file.unwritable`.
pub fn remove(dirs: &Dirs, model: &str) -> Result<u64, Problem> {
    if models::card(model).is_none() {
        return Err(Problem::new("weights.unknown-model").with("model", model));
    }
    if !dirs.weights().is_dir() {
        return Ok(0);
    }
    let Some(_lock) = try_lock(dirs, model)? else {
        return Err(Problem::new("weights.busy").with("model", model));
    };
    let path = pretrained(dirs, model);
    let part = part(&path);
    let mut freed = 0;
    for file in [&path, &about_file(&path), &part, &about_file(&part)] {
        let bytes = std::fs::symlink_metadata(file).map_or(0, |metadata| metadata.len());
        match std::fs::remove_file(file) {
            Ok(()) => freed += bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(failure::of_file(file, &error)),
        }
    }
    Ok(freed)
}
