//! The folder of the app's own environment: who may change it, what was left behind in it, how it is replaced.
//!
//! A new environment is made under another name in the same folder and gets its name by a rename, so that what has the
//! name always is complete: a marker file inside would have to be looked for by everyone who starts the Python.
//! Environments can be renamed because they are made relocatable (no script in them names its folder), and because
//! Python finds its packages from where its program is.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use preflight_core::environment::Environment;
use preflight_core::facts::Fact;
use preflight_core::problem::Problem;
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

use super::{python, unwritable};
use crate::dirs::Dirs;

const PARTIAL: &str = "environment.partial-";
const OLD: &str = "environment.old-";

/// The right to change the environment. Given back when dropped, and by the system when this process dies.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "holds the lock")] File);

impl Lock {
    /// # Errors
    /// `environment.busy` when somebody else is at it.
    pub(super) fn take(dirs: &Dirs) -> Result<Self, Problem> {
        let path = dirs.root().join("environment.lock");
        let open = File::options().create(true).truncate(false).write(true).open(&path);
        let file = open.map_err(|error| unwritable(&path, &error))?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(Problem::new("environment.busy")),
            Err(TryLockError::Error(error)) => Err(unwritable(&path, &error)),
        }
    }
}

/// Whether a folder is one in which an environment is being made.
pub(super) fn is_partial(dirs: &Dirs, path: &Path) -> bool {
    path.strip_prefix(dirs.root())
        .ok()
        .and_then(|path| path.components().next())
        .and_then(|first| first.as_os_str().to_str())
        .is_some_and(|name| name.starts_with(PARTIAL))
}

/// Clears away what an attempt left behind that was killed. One that was killed between taking the old environment away
/// and putting the new one in its place leaves the old one, which gets its name back.
pub(super) fn tidy(dirs: &Dirs) -> Result<(), Problem> {
    let entries = std::fs::read_dir(dirs.root()).map_err(|error| unwritable(dirs.root(), &error))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with(OLD) && !dirs.environment().exists() {
            std::fs::rename(&path, dirs.environment()).map_err(|error| unwritable(&path, &error))?;
        } else if name.starts_with(OLD) || name.starts_with(PARTIAL) {
            std::fs::remove_dir_all(&path).map_err(|error| unwritable(&path, &error))?;
        }
    }
    Ok(())
}

/// An environment in the making. Whatever happens, nothing of it stays under this name.
#[derive(Debug)]
pub(super) struct Partial {
    path: PathBuf,
}

impl Partial {
    pub(super) fn new(dirs: &Dirs) -> Result<Self, Problem> {
        let path = other_name(dirs, PARTIAL);
        std::fs::create_dir(&path).map_err(|error| unwritable(&path, &error))?;
        Ok(Self { path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives what was made its name, unless a run needs the one that has it; removes what was not made.
    pub(super) async fn settle(self, dirs: &Dirs, made: Result<Environment, Problem>) -> Result<Environment, Problem> {
        match made {
            Ok(environment) => {
                not_in_use(dirs).await?;
                self.put_in_place(dirs).await?;
                Ok(Environment { python: python::of(&dirs.environment()), managed: true, ..environment })
            }
            Err(problem) => {
                self.discard().await;
                Err(problem)
            }
        }
    }

    /// Gives it its name; the one that had it goes.
    async fn put_in_place(self, dirs: &Dirs) -> Result<(), Problem> {
        let (place, old) = (dirs.environment(), other_name(dirs, OLD));
        let swap = move || {
            if place.exists() {
                std::fs::rename(&place, &old).map_err(|error| unwritable(&place, &error))?;
            }
            if let Err(error) = std::fs::rename(&self.path, &place) {
                // The old one is as good as it was. If this fails as well, the next attempt finds it.
                let _ = std::fs::rename(&old, &place);
                return Err(unwritable(&place, &error));
            }
            // What cannot be removed now, the next attempt clears away.
            let _ = std::fs::remove_dir_all(&old);
            Ok(())
        };
        blocking(swap).await
    }

    /// Removes it.
    async fn discard(self) {
        // Dropping it is what removes it.
        let _ = tokio::task::spawn_blocking(move || drop(self)).await;
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove; what cannot be removed, the next attempt clears away.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Removes the environment; answers the bytes that became free. Files that are shared with the package cache free
/// nothing as long as they are in it.
pub(super) async fn remove(dirs: &Dirs) -> Result<u64, Problem> {
    dirs.create()?;
    let _lock = Lock::take(dirs)?;
    tidy(dirs)?;
    not_in_use(dirs).await?;
    let (place, old) = (dirs.environment(), other_name(dirs, OLD));
    blocking(move || {
        if !place.exists() {
            return Ok(0);
        }
        // Half removed, it must not look like an environment.
        std::fs::rename(&place, &old).map_err(|error| unwritable(&place, &error))?;
        let freed = crate::disk::freed_by(&old);
        std::fs::remove_dir_all(&old).map_err(|error| unwritable(&old, &error))?;
        Ok(freed)
    })
    .await
}

/// Whether something runs in the environment: a training imports modules to its very end, and would lose them.
///
/// # Errors
/// `environment.in-use`.
pub(super) async fn not_in_use(dirs: &Dirs) -> Result<(), Problem> {
    let folder = dirs.environment();
    if !python::of(&folder).exists() {
        return Ok(());
    }
    let user = tokio::task::spawn_blocking(move || user_of(&folder)).await.ok().flatten();
    user.map_or(Ok(()), |pid| Err(Problem::new("environment.in-use").with("pid", pid.to_string())))
}

fn user_of(folder: &Path) -> Option<u32> {
    let mut system = System::new().ok()?;
    let what = ProcessRefreshKind::nothing().with_cmd(UpdateKind::Always).with_exe(UpdateKind::Always);
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, what);
    let this = sysinfo::Pid::from_u32(std::process::id());
    system.processes().values().find_map(|process| {
        // What this process started is its own trying of the environment.
        let ours = process.parent() == Some(this) || process.thread_kind().is_some();
        let inside = |path: &Path| path.starts_with(folder);
        // The name it was started by: on Unix, the program itself is the system's Python.
        let inside =
            process.exe().is_some_and(inside) || process.cmd().first().is_some_and(|name| inside(Path::new(name)));
        (inside && !ours).then(|| process.pid().as_u32())
    })
}

/// Whether a folder's volume has room.
///
/// # Errors
/// `environment.disk-full`.
pub(super) fn room_for(folder: &Path, need: u64) -> Result<(), Problem> {
    match free(folder) {
        Some(free) if free < need => Err(disk_full(folder, need)),
        // Where the system does not tell, the attempt will.
        _ => Ok(()),
    }
}

/// That a volume has not enough room, with numbers.
pub(super) fn disk_full(folder: &Path, need: u64) -> Problem {
    Problem::new("environment.disk-full")
        .with("path", folder)
        .with("need", need)
        .with("free", free(folder).unwrap_or(0))
}

fn free(folder: &Path) -> Option<u64> {
    match crate::computer::volume(folder) {
        Fact::Known(volume) => Some(volume.free),
        Fact::Unknown(_) => None,
    }
}

fn other_name(dirs: &Dirs, prefix: &str) -> PathBuf {
    dirs.root().join(format!("{prefix}{}", uuid::Uuid::new_v4().simple()))
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Problem> + Send + 'static) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Problem::new("environment.interrupted").because(&error))?
}
