//! A dataset that is watched: what changes is told, and only that is judged again.

mod place;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use notify::event::ModifyKind;
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use preflight_core::dataset::{Dataset, Task};
use preflight_core::problem::Problem;
use preflight_core::text::Message;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::cache::{Cache, Current};
use super::scan::Snapshot;
use super::told::Changes;
use crate::work::lock;

/// What is told of a dataset that is watched.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum DatasetChange {
    /// As it is now.
    Read {
        /// What was read.
        dataset: Box<Dataset>,
        /// Files that changed, came or went since it was last told; 0 the first time.
        files: u32,
        /// Why changes are looked for every few seconds instead of being told; `None`: they are told.
        looked_for: Option<Message>,
    },
    /// It cannot be read: the drive is gone, the yaml was deleted. Told once; as soon as it is back, it is read again.
    Lost {
        /// Why.
        problem: Problem,
    },
}

/// Nothing changes for this long: whoever writes is done.
const QUIET: Duration = Duration::from_millis(150);
/// Who writes all the time is not waited for longer than this.
const PATIENCE: Duration = Duration::from_secs(1);
/// Where nothing is told, everything is looked at this often, and where changes are told, whether all is where it was,
const LOOK: Duration = Duration::from_secs(3);
/// and takes at most this part of the time.
const SHARE: u32 = 20;
/// Where changes are told, some are not: those to a file with two names, for one. A look at everything finds them.
const DOUBT: Duration = Duration::from_secs(120);

/// Reads a dataset whenever it changes, until `tell` answers that nobody listens. See
/// [`Engine::watch_dataset`](crate::Engine::watch_dataset).
pub async fn watch(cache: &Cache, path: &Path, mut tell: impl FnMut(&DatasetChange) -> bool) {
    let cancel = CancellationToken::new();
    let _ends_with_this = cancel.clone().drop_guard();
    let mut watch = Watch::begin();
    let mut last: Option<(Result<Current, Problem>, Option<Message>)> = None;
    let mut told = 0;
    loop {
        let current = cache.current(path, Task::Detect, watch.as_ref().ok(), Arc::new(|_, _| {}), cancel.clone()).await;
        let looked_for = match &watch {
            Ok(watch) => watch.reason(),
            Err(reason) => Some(reason.clone()),
        };
        let is_news = match (&last, &current) {
            (Some((Ok(before), reason)), Ok(now)) => before.version != now.version || *reason != looked_for,
            (Some((Err(before), _)), Err(now)) => before != now,
            _ => true,
        };
        if is_news {
            let change = match &current {
                Ok(now) => {
                    let files = if last.is_none() { 0 } else { now.changed.saturating_sub(told) };
                    told = now.changed;
                    let files = u32::try_from(files).unwrap_or(u32::MAX);
                    DatasetChange::Read {
                        dataset: Box::new((*now.dataset).clone()),
                        files,
                        looked_for: looked_for.clone(),
                    }
                }
                Err(problem) => DatasetChange::Lost { problem: problem.clone() },
            };
            if !tell(&change) {
                return;
            }
        }
        match (&watch, &current) {
            (Ok(watch), Ok(_)) if looked_for.is_none() => watch.heard().await,
            (_, Ok(now)) => tokio::time::sleep(LOOK.max(now.took * SHARE)).await,
            (_, Err(_)) => {
                // What comes back are other folders under the same names.
                watch = Watch::begin();
                tokio::time::sleep(LOOK).await;
            }
        }
        last = Some((current, looked_for));
    }
}

/// Folders of a dataset that the system tells changes of.
#[derive(Debug)]
pub(super) struct Watch {
    watcher: Mutex<RecommendedWatcher>,
    /// Which folder each of them was when it came in.
    folders: Mutex<HashMap<PathBuf, place::Identity>>,
    ear: Arc<Ear>,
}

/// What was told and not taken yet.
#[derive(Debug, Default)]
struct Ear {
    told: Mutex<Heard>,
    something: tokio::sync::Notify,
}

#[derive(Debug, Default)]
struct Heard {
    changes: Changes,
    /// What is no longer where it was, and may be a folder.
    gone: HashSet<PathBuf>,
    /// How often something was told.
    count: u64,
    /// Why nothing is told from now on.
    deaf: Option<Message>,
}

impl Ear {
    fn hear(&self, event: notify::Result<Event>) {
        let mut told = lock(&self.told);
        match event {
            Ok(event) => {
                told.changes.hear(&event);
                if matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))) {
                    told.gone.extend(event.paths);
                }
            }
            Err(_) => told.changes = Changes::everything(),
        }
        if told.changes.is_empty() {
            return;
        }
        told.count += 1;
        drop(told);
        self.something.notify_one();
    }
}

impl Watch {
    /// Watches nothing yet. The error is why nothing can be watched.
    fn begin() -> Result<Arc<Self>, Message> {
        let ear = Arc::new(Ear::default());
        let listener = Arc::clone(&ear);
        let watcher = notify::recommended_watcher(move |event| listener.hear(event)).map_err(|error| reason(&error))?;
        Ok(Arc::new(Self { watcher: Mutex::new(watcher), folders: Mutex::default(), ear }))
    }

    /// What changed since this was last asked.
    pub(super) fn take(&self) -> Changes {
        let moved = self.moved();
        let mut told = lock(&self.ear.told);
        let changes = std::mem::take(&mut told.changes);
        if told.deaf.is_none() && moved.is_empty() {
            return changes;
        }
        told.gone.extend(moved);
        Changes::everything()
    }

    /// Folders that are no longer where they were, or others in their place: one above them was moved, or its drive
    /// pulled out. Of that the system tells nothing.
    fn moved(&self) -> Vec<PathBuf> {
        let folders = lock(&self.folders);
        let is_below = |folder: &Path| folder.parent().is_some_and(|above| folders.contains_key(above));
        let has_moved = |folder: &Path, before| place::identity(folder) != Some(before);
        let moved = folders.iter().filter(|(folder, before)| !is_below(folder) && has_moved(folder, **before));
        moved.map(|(folder, _)| folder.clone()).collect()
    }

    /// Has everything looked at the next time.
    pub(super) fn doubt(&self) {
        lock(&self.ear.told).changes = Changes::everything();
    }

    /// Why nothing is told; `None`: it is.
    fn reason(&self) -> Option<Message> {
        lock(&self.ear.told).deaf.clone()
    }

    /// Waits until something was told and whoever writes seems to be done.
    async fn heard(&self) {
        let began = Instant::now();
        while tokio::time::timeout(LOOK, self.ear.something.notified()).await.is_err() {
            if began.elapsed() >= DOUBT || !self.moved().is_empty() {
                self.doubt();
                return;
            }
        }
        let began = Instant::now();
        let count = || lock(&self.ear.told).count;
        loop {
            let before = count();
            tokio::time::sleep(QUIET).await;
            if count() == before || began.elapsed() >= PATIENCE {
                return;
            }
        }
    }

    /// Watches the folders that a dataset was read from, and no others. Answers what may have happened in those that
    /// come in, before they did.
    pub(super) fn follow(&self, snapshot: &Snapshot) -> Changes {
        if snapshot.listings().any(|(listing, _)| listing.links > 0) {
            return self.give_up(Message::new("reason-watch-links"));
        }
        let wanted = folders(snapshot);
        let mut folders = lock(&self.folders);
        let mut watcher = lock(&self.watcher);
        let gone = std::mem::take(&mut lock(&self.ear.told).gone);
        let is_first = folders.is_empty();
        let leave: Vec<PathBuf> = folders
            .keys()
            .filter(|folder| !wanted.contains(*folder) || folder.ancestors().any(|above| gone.contains(above)))
            .cloned()
            .collect();
        let new: Vec<&PathBuf> =
            wanted.iter().filter(|folder| !folders.contains_key(*folder) || leave.contains(folder)).collect();
        let mut added = Changes::default();
        let mut failure = None;
        let mut paths = watcher.paths_mut();
        for folder in leave {
            // One that was deleted is no longer watched anyway.
            let _ = paths.remove(&folder);
            folders.remove(&folder);
        }
        for folder in new {
            // Taken before it is watched: one that is moved in between is found to be another. Of one that is gone again,
            // the folder above tells.
            let Some(identity) = place::identity(folder) else { continue };
            let watched = match place::reason(folder) {
                Some(reason) => Err(reason),
                None => paths.add(folder, RecursiveMode::NonRecursive).map_err(|error| reason(&error)),
            };
            match watched {
                Ok(()) => {
                    folders.insert(folder.clone(), identity);
                    (added.images, added.labels) = (true, true);
                    added.folders.insert(folder.clone());
                }
                // It is gone again: the folder above tells.
                Err(_) if !folder.is_dir() => {}
                Err(reason) => {
                    failure = Some(reason);
                    break;
                }
            }
        }
        let done = paths.commit().map_err(|error| reason(&error));
        drop((watcher, folders));
        match failure.or(done.err()) {
            Some(reason) => self.give_up(reason),
            None if is_first && !added.is_empty() => Changes::everything(),
            None => added,
        }
    }

    fn give_up(&self, reason: Message) -> Changes {
        lock(&self.ear.told).deaf = Some(reason);
        Changes::default()
    }
}

/// "Too many open files", the same number on Linux and macOS.
const EMFILE: i32 = 24;

/// Why nothing is told of changes.
fn reason(error: &notify::Error) -> Message {
    match &error.kind {
        ErrorKind::MaxFilesWatch => Message::new("reason-watch-limit"),
        // The most watchers a user may have at once: the system speaks of open files.
        ErrorKind::Io(error) if cfg!(unix) && error.raw_os_error() == Some(EMFILE) => {
            Message::new("reason-watch-limit")
        }
        _ => Message::new("reason-system-error").with("error", error.to_string()),
    }
}

/// The folders in which something can change that a dataset is made of.
fn folders(snapshot: &Snapshot) -> BTreeSet<PathBuf> {
    let root = &snapshot.dataset.root;
    let mut all = BTreeSet::from([root.clone()]);
    let mut note = |path: &Path| {
        // What is not there yet will come into the nearest folder that is.
        let there = path.ancestors().find(|above| above.is_dir());
        for above in there.into_iter().flat_map(Path::ancestors) {
            let is_new = (Some(above) == there || above.starts_with(root)) && all.insert(above.to_owned());
            if !is_new {
                break;
            }
        }
    };
    snapshot.dataset.yaml.as_deref().and_then(Path::parent).into_iter().for_each(&mut note);
    // The names of classes may lie here.
    note(&root.join("labels"));
    for (listing, sources) in snapshot.listings() {
        sources.iter().for_each(|source| note(&source.resolved));
        listing.walked().for_each(&mut note);
        listing.folders().for_each(|(labels, images)| {
            note(labels);
            note(images);
        });
    }
    all
}

#[cfg(test)]
mod tests;
