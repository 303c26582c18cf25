//! Work of which there is one at a time.

use std::sync::{Mutex, PoisonError};

use preflight_core::problem::Problem;
use tokio_util::sync::CancellationToken;

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
    pub(crate) fn begin(&self) -> Option<(CancellationToken, UnderWay<'_>)> {
        let mut current = lock(&self.0);
        if current.is_some() {
            return None;
        }
        let token = CancellationToken::new();
        *current = Some(token.clone());
        Some((token, UnderWay(self)))
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
pub(crate) struct UnderWay<'a>(&'a Work);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        *lock(&self.0.0) = None;
    }
}

/// A lock that a panic elsewhere does not take away.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs what blocks where it may.
///
/// # Errors
/// Those of the work, and `internal.task` when it panicked.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Problem::new("internal.task").because(&error))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_at_a_time() {
        let work = Work::default();
        let (token, under_way) = work.begin().unwrap();
        assert!(work.begin().is_none());
        work.cancel();
        assert!(token.is_cancelled() && work.is_under_way());
        drop(under_way);
        assert!(!work.is_under_way() && work.begin().is_some());
    }

    #[test]
    fn what_begins_anew_cancels_what_was_before() {
        let work = Work::default();
        let first = work.replace();
        let second = work.replace();
        assert!(first.is_cancelled() && !second.is_cancelled());
    }
}
