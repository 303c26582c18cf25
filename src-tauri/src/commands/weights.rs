//! Pretrained weights.

use std::sync::Arc;

use preflight_core::weights::WeightsProgress;
use preflight_engine::weights::{Outcome, WeightsEntry};
use tauri::ipc::Channel;

commands! {
    /// The published weights of every model, as they are on this computer.
    async fn weights(engine) -> Vec<WeightsEntry> { engine.weights().await }

    /// Fetches the published weights of a model; `again`: even where a whole file is here.
    async fn fetch_weights(engine, model: String, again: bool, on_progress: Channel<WeightsProgress>) -> Outcome {
        let progress = Arc::new(move |progress| {
            // A page that is gone needs no progress.
            let _ = on_progress.send(progress);
        });
        engine.fetch_weights(&model, again, progress).await
    }

    /// Ends the fetching that is under way; what came down stays.
    now fn cancel_weights(engine) -> () { engine.cancel_weights() }
}
