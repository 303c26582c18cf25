//! Ending a trainer: ask, grace, tell, kill.

use std::time::{Duration, Instant};

use super::{Trainer, Tree};
use crate::runs::request::TOLD;

/// How far ending the trainer has come.
pub(super) enum Ending {
    NotAsked,
    /// It was asked, and has this long.
    Asked {
        since: Instant,
        grace: Duration,
    },
    /// It was told.
    Told {
        since: Instant,
    },
    /// It is killed again and again: what was just starting was not there yet.
    Killed,
}

impl Ending {
    pub(super) fn next(self, request: Option<Duration>, trainer: &Trainer, tree: &mut Tree) -> Self {
        let next = match (self, request) {
            (Self::NotAsked, None) => return Self::NotAsked,
            (Self::NotAsked, Some(grace)) if trainer.interrupt() => Self::Asked { since: Instant::now(), grace },
            (Self::NotAsked, Some(_)) => Self::Killed,
            (Self::Asked { since, grace }, _) if since.elapsed() < grace => return Self::Asked { since, grace },
            (Self::Asked { .. }, _) if trainer.terminate() => Self::Told { since: Instant::now() },
            (Self::Told { since }, _) if since.elapsed() < TOLD => return Self::Told { since },
            (Self::Asked { .. } | Self::Told { .. } | Self::Killed, _) => Self::Killed,
        };
        if let Self::Killed = next {
            tree.kill();
        }
        next
    }
}
