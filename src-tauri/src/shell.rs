//! What the window's commands share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use preflight_core::problem::Problem;
use preflight_engine::Engine;
use tokio_util::sync::CancellationToken;

/// What the window's commands share.
#[derive(Debug)]
pub struct Shell {
    pub(crate) engine: Arc<Engine>,
    pub(crate) watchers: Watchers,
}

impl Shell {
    /// The shell over an engine.
    #[must_use]
    pub fn new(engine: Engine) -> Self {
        Self { engine: Arc::new(engine), watchers: Watchers::default() }
    }

    /// Asks the engine for what blocks, where it may.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Engine) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let engine = Arc::clone(&self.engine);
        preflight_engine::blocking(move || ask(&engine)).await
    }
}

/// Who listens, by the id of the channel.
#[derive(Debug, Default)]
pub(crate) struct Watchers(Mutex<HashMap<u32, CancellationToken>>);

impl Watchers {
    /// Tells on a channel until it is over, or until someone stops it.
    pub(crate) async fn run<T>(&self, channel: u32, tell: impl Future<Output = T>) -> Option<T> {
        let stop = CancellationToken::new();
        self.lock().insert(channel, stop.clone());
        let told = stop.run_until_cancelled(tell).await;
        self.stop(channel);
        told
    }

    pub(crate) fn stop(&self, channel: u32) {
        if let Some(stop) = self.lock().remove(&channel) {
            stop.cancel();
        }
    }

    pub(crate) fn stop_all(&self) {
        for (_, stop) in self.lock().drain() {
            stop.cancel();
        }
    }

    /// A lock that a panic elsewhere does not take away.
    fn lock(&self) -> MutexGuard<'_, HashMap<u32, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
