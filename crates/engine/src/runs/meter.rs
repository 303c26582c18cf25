//! What a run uses, and what is left of it: noted every few seconds.

use std::path::Path;
use std::time::{Duration, Instant};

use preflight_core::run::Usage;
use sysinfo::System;
use tokio::task::JoinHandle;

use super::process::Tree;
use crate::computer;
use crate::gpu::{Trains, Use, Watcher};

/// How long what was seen last still counts where looking again does not come to an end.
const STALE: Duration = Duration::from_secs(30);

/// Reads what a run uses.
pub(super) struct Meter {
    /// `None`: nothing trains on a card.
    gpus: Option<(Beside<Watcher, Use>, Trains)>,
    disk: Beside<std::path::PathBuf, Option<u64>>,
    /// `None`: the system does not tell.
    system: Option<System>,
}

impl Meter {
    /// Of a run on the device that its record names, whose files are in this folder.
    pub(super) fn new(device: &str, folder: &Path) -> Self {
        Self {
            gpus: Trains::on(device).map(|on| (Beside::new(Watcher::new()), on)),
            disk: Beside::new(folder.to_owned()),
            system: System::new().ok(),
        }
    }

    /// What a tree of processes uses now.
    pub(super) async fn read(&mut self, tree: &mut Tree) -> Usage {
        let (cpu, memory, pids) = tree.usage();
        let used = match &mut self.gpus {
            Some((gpus, on)) => {
                let on = on.clone();
                gpus.look(move |watcher| watcher.used_by(&pids, &on)).await
            }
            None => Use::default(),
        };
        Usage {
            cpu,
            memory,
            gpu_memory: used.memory,
            gpu_most: used.most,
            gpu_utilization: used.utilization,
            gpu_free: used.free,
            gpu_trouble: used.trouble,
            memory_free: self.system.as_mut().and_then(computer::memory),
            disk_free: self.disk.look(|folder| computer::space(folder).ok().map(|(free, _)| free)).await,
        }
    }
}

/// Looks at something beside everything else: a driver or a drive that hangs must not hold up the run.
struct Beside<W, S> {
    /// What it looks with; `None` while it is looking.
    with: Option<W>,
    looking: Option<(JoinHandle<(W, S)>, Instant)>,
    newest: S,
}

impl<W: Send + 'static, S: Copy + Default + Send + 'static> Beside<W, S> {
    fn new(with: W) -> Self {
        Self { with: Some(with), looking: None, newest: S::default() }
    }

    /// What was seen last, and looks anew; nothing where looking takes too long.
    async fn look(&mut self, look: impl FnOnce(&mut W) -> S + Send + 'static) -> S {
        if let Some((looked, _)) = self.looking.take_if(|(looking, _)| looking.is_finished())
            && let Ok((with, seen)) = looked.await
        {
            self.with = Some(with);
            self.newest = seen;
        }
        if let Some(mut with) = self.with.take() {
            let looking = tokio::task::spawn_blocking(move || {
                let seen = look(&mut with);
                (with, seen)
            });
            self.looking = Some((looking, Instant::now()));
        }
        let hangs = self.looking.as_ref().is_some_and(|(_, since)| since.elapsed() > STALE);
        if hangs { S::default() } else { self.newest }
    }
}
