//! What a run's supervisor is asked to do: a file in the run's folder that it takes away.

use std::fs::File;
use std::io;
use std::path::Path;
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
    /// Let it rest.
    Pause {
        /// Seconds the trainer has to end by itself at once; `None`: when its epoch is done.
        grace_s: Option<u32>,
    },
    /// Do not let it rest after all.
    KeepOn,
    /// Stop waiting for room on the disk: another will go on with it.
    LetGo,
}

impl Request {
    /// Leaves the request for the supervisor. What is asked last counts, but nothing takes back a wish to end it.
    pub(super) fn send(self, folder: &Folder) -> Result<(), Problem> {
        let path = match self {
            Self::Cancel { .. } => folder.cancel_request(),
            Self::Pause { .. } | Self::KeepOn | Self::LetGo => folder.pause_request(),
        };
        let text = serde_json::to_vec(&self)
            .map_err(|error| Problem::new("file.unwritable").with("path", path.as_path()).because(&error))?;
        match crate::write::atomically(&path, &text) {
            // On a full disk an empty file still finds a place, and a run must be ended there most of all.
            Err(problem) if matches!(self, Self::Cancel { .. }) => File::create(&path).map(drop).map_err(|_| problem),
            sent => sent,
        }
    }

    /// Takes the request, if there is one. One that this version does not know is dropped.
    pub(super) fn take(folder: &Folder) -> Option<Self> {
        let cancel = take(&folder.cancel_request()).map(|text| {
            let request = serde_json::from_slice(&text).ok();
            request.or_else(|| text.is_empty().then_some(Self::Cancel { reason: CancelReason::User, grace_s: GRACE_S }))
        });
        cancel.unwrap_or_else(|| serde_json::from_slice(&take(&folder.pause_request())?).ok())
    }

    /// Drops what was asked of an earlier supervisor.
    pub(super) fn drop_all(folder: &Folder) {
        while Self::take(folder).is_some() {}
    }
}

fn take(path: &Path) -> Option<Vec<u8>> {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(_) => b"?".into(),
    };
    // Where it cannot be removed it is taken again: asking twice is asking once.
    let _ = std::fs::remove_file(path);
    Some(text)
}

/// Seconds that a trainer has to end by itself where there was no room to say how many.
const GRACE_S: u32 = 15;

/// How long a trainer that was told to end has until it is killed.
pub(super) const TOLD: Duration = Duration::from_secs(5);
