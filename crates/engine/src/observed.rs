//! Observations that several askers share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

/// The last observation of one thing. Whoever asks while a look is under way waits for that look.
#[derive(Debug)]
pub(crate) struct Observed<K, T> {
    last: Arc<Mutex<Option<Observation<K, T>>>>,
}

#[derive(Debug)]
struct Observation<K, T> {
    of: K,
    at: Instant,
    value: T,
}

impl<K, T> Default for Observed<K, T> {
    fn default() -> Self {
        Self { last: Arc::default() }
    }
}

impl<K, T> Observed<K, T> {
    /// Looks anew when it is asked next. A look that is under way is new enough.
    pub(crate) fn forget(&self) {
        if let Ok(mut last) = self.last.try_lock() {
            *last = None;
        }
    }
}

impl<K: PartialEq + Send + 'static, T: Clone + Send + 'static> Observed<K, T> {
    /// What was seen of `of` no longer than `lasts` ago, else what a new look shows. `None`: no answer within `limit`;
    /// the look goes on and answers a later asker.
    pub(crate) async fn get(
        &self,
        of: K,
        limit: Duration,
        lasts: impl FnOnce(&T) -> Duration,
        look: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let answer = async {
            let mut last = Arc::clone(&self.last).lock_owned().await;
            if let Some(seen) = &*last
                && seen.of == of
                && seen.at.elapsed() < lasts(&seen.value)
            {
                return Some(seen.value.clone());
            }
            let look = async move {
                let value = look.await;
                *last = Some(Observation { of, at: Instant::now(), value: value.clone() });
                value
            };
            tokio::spawn(look).await.ok()
        };
        tokio::time::timeout(limit, answer).await.ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn counted(looks: &Arc<AtomicU32>) -> impl Future<Output = u32> + Send + 'static {
        let looks = Arc::clone(looks);
        async move { looks.fetch_add(1, Ordering::SeqCst) + 1 }
    }

    #[tokio::test]
    async fn a_fresh_observation_is_shared_and_another_thing_is_not() {
        let (observed, looks) = (Observed::default(), Arc::default());
        assert_eq!(observed.get("a", LONG, |_| LONG, counted(&looks)).await, Some(1));
        assert_eq!(observed.get("a", LONG, |_| LONG, counted(&looks)).await, Some(1));
        assert_eq!(observed.get("a", LONG, |_| Duration::ZERO, counted(&looks)).await, Some(2));
        observed.forget();
        assert_eq!(observed.get("a", LONG, |_| LONG, counted(&looks)).await, Some(3));
        assert_eq!(observed.get("b", LONG, |_| LONG, counted(&looks)).await, Some(4));
    }

    #[tokio::test]
    async fn a_look_outlives_who_asked_first() {
        let (observed, release) = (Observed::default(), Arc::new(tokio::sync::Notify::new()));
        let waiting = Arc::clone(&release);
        let look = async move {
            waiting.notified().await;
            7
        };
        assert_eq!(observed.get((), Duration::from_millis(1), |_| LONG, look).await, None, "no answer in time");
        release.notify_one();
        assert_eq!(observed.get((), LONG, |_| LONG, async { 8 }).await, Some(7), "the first look answers");
    }
}
