//! What the window's commands share.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use preflight_core::finding::{Evidence, Finding};
use preflight_core::problem::Problem;
use preflight_engine::Engine;
use preflight_engine::runs::Log;
use tokio_util::sync::CancellationToken;

use crate::images::Images;

/// What the window's commands share.
#[derive(Debug)]
pub struct Shell {
    pub(crate) engine: Arc<Engine>,
    pub(crate) images: Arc<Images>,
    pub(crate) inspection: Work,
    pub(crate) creation: Work,
    pub(crate) watchers: Watchers,
    /// The log that was read last, with its run's id: its index is dear to make anew.
    pub(crate) log: Arc<Mutex<Option<(String, Log)>>>,
    evidence: Mutex<HashSet<PathBuf>>,
}

impl Shell {
    /// The shell over an engine.
    #[must_use]
    pub fn new(engine: Engine) -> Self {
        Self {
            engine: Arc::new(engine),
            images: Arc::default(),
            inspection: Work::default(),
            creation: Work::default(),
            watchers: Watchers::default(),
            log: Arc::default(),
            evidence: Mutex::default(),
        }
    }

    /// Notes the files that findings name: these the window may ask to open.
    pub(crate) fn remember(&self, findings: &[Finding]) {
        let mut evidence = lock(&self.evidence);
        for finding in findings {
            for seen in &finding.evidence {
                if let Evidence::File { path, .. } = seen {
                    evidence.insert(path.clone());
                }
            }
        }
    }

    /// Whether the window was told of this file.
    pub(crate) fn named(&self, path: &Path) -> bool {
        lock(&self.evidence).contains(path)
    }
}

/// Work of which there is one at a time, and which can be cancelled.
#[derive(Debug, Default)]
pub(crate) struct Work(Mutex<Option<CancellationToken>>);

impl Work {
    /// Begins anew: what was under way is cancelled.
    pub(crate) fn replace(&self) -> CancellationToken {
        let token = CancellationToken::new();
        if let Some(before) = lock(&self.0).replace(token.clone()) {
            before.cancel();
        }
        token
    }

    /// Begins, unless it is under way. Dropping the guard ends it.
    pub(crate) fn begin(&self) -> Option<(CancellationToken, WorkGuard<'_>)> {
        let mut current = lock(&self.0);
        if current.is_some() {
            return None;
        }
        let token = CancellationToken::new();
        *current = Some(token.clone());
        Some((token, WorkGuard(self)))
    }

    /// Asks what is under way to end.
    pub(crate) fn cancel(&self) {
        if let Some(token) = &*lock(&self.0) {
            token.cancel();
        }
    }

    /// Whether something is under way.
    pub(crate) fn is_under_way(&self) -> bool {
        lock(&self.0).is_some()
    }
}

/// Ends [`Work`] when dropped, however it ended.
#[derive(Debug)]
pub(crate) struct WorkGuard<'a>(&'a Work);

impl Drop for WorkGuard<'_> {
    fn drop(&mut self) {
        *lock(&self.0.0) = None;
    }
}

/// Who listens, by the id of the channel.
#[derive(Debug, Default)]
pub(crate) struct Watchers(Mutex<HashMap<u32, CancellationToken>>);

impl Watchers {
    pub(crate) fn start(&self, channel: u32) -> CancellationToken {
        let token = CancellationToken::new();
        lock(&self.0).insert(channel, token.clone());
        token
    }

    pub(crate) fn stop(&self, channel: u32) {
        if let Some(token) = lock(&self.0).remove(&channel) {
            token.cancel();
        }
    }

    pub(crate) fn stop_all(&self) {
        for (_, token) in lock(&self.0).drain() {
            token.cancel();
        }
    }
}

/// A lock that a panic elsewhere does not take away.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs what blocks where it may.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    tauri::async_runtime::spawn_blocking(work).await.map_err(|error| Problem::new("internal.task").because(&error))
}
