//! What a run's supervisor is asked to do: a file in the run's folder that it takes away.

use std::io;
use std::time::Duration;

use preflight_core::problem::Problem;
use preflight_core::run::CancelReason;
use serde::{Deserialize, Serialize};

use super::folder::Folder;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub(super) enum Request {
    /// End it.
    Cancel {
        /// Why.
        reason: CancelReason,
        /// Seconds the trainer has to end by itself.
        grace_s: u32,
    },
}

impl Request {
    /// Leaves the request for the supervisor.
    pub(super) fn send(self, folder: &Folder) -> Result<(), Problem> {
        let path = folder.request();
        let text = serde_json::to_vec(&self)
            .map_err(|error| Problem::new("file.unwritable").with("path", path.as_path()).because(&error))?;
        crate::write::atomically(&path, &text)
    }

    /// Takes the request, if there is one. One that this version does not know is dropped.
    pub(super) fn take(folder: &Folder) -> Option<Self> {
        let path = folder.request();
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(_) => Vec::new(),
        };
        // Where it cannot be removed it is taken again: asking twice is asking once.
        let _ = std::fs::remove_file(&path);
        serde_json::from_slice(&text).ok()
    }
}

/// How long a trainer that was told to end has until it is killed.
pub(super) const TOLD: Duration = Duration::from_secs(5);
