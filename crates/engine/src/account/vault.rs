//! Where tokens are kept: the system's keychain; where there is none, what a person chose instead. Never in plain text.

mod chunks;
mod file;
mod keychain;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use preflight_core::problem::Problem;
use preflight_core::secret::Secret;
use serde::{Deserialize, Serialize};

use crate::work::lock;

/// How long a keychain may take that nobody is asked about. One that asks a person to unlock it waits for the answer.
const QUICK: Duration = Duration::from_secs(4);
/// How long a person has to answer the keychain's question when they signed in themselves.
const ASKED: Duration = Duration::from_secs(120);

/// Where a profile's token is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// The system's keychain.
    #[default]
    Keychain,
    /// A file that only a passphrase opens.
    File,
    /// The memory of this process: a person signs in again after each start.
    Memory,
}

/// What is kept of a sign-in.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// Sent with every question.
    pub(super) access: String,
    /// Gets the next one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) refresh: Option<String>,
    /// When `access` ends by this computer's clock, in seconds since 1970 UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) expires_s: Option<f64>,
    /// When it was received, likewise.
    #[serde(default)]
    pub(super) received_s: f64,
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kept").field("expires_s", &self.expires_s).finish_non_exhaustive()
    }
}

impl Kept {
    /// Tells two apart without showing either.
    pub(super) fn mark(&self) -> [u8; 32] {
        let refresh = self.refresh.as_deref().unwrap_or_default();
        *blake3::hash(format!("{}\n{refresh}", self.access).as_bytes()).as_bytes()
    }
}

/// The memory of this process, shared by everything that keeps a token there.
#[derive(Debug, Clone, Default)]
pub(crate) struct InMemory {
    kept: Arc<Mutex<HashMap<String, Kept>>>,
    passphrase: Arc<Mutex<Option<Secret>>>,
}

impl InMemory {
    /// The passphrase of files, as long as this process lives.
    pub(crate) fn passphrase(&self) -> Option<Secret> {
        lock(&self.passphrase).clone()
    }

    pub(crate) fn set_passphrase(&self, passphrase: Secret) {
        *lock(&self.passphrase) = Some(passphrase);
    }
}

/// One profile's token, wherever it is kept.
#[derive(Debug, Clone)]
pub(super) struct Vault {
    /// The name under which it is kept.
    pub(super) entry: String,
    pub(super) keep: Keep,
    /// The file, where it is kept in one.
    pub(super) file: PathBuf,
    pub(super) memory: InMemory,
}

impl Vault {
    /// What is kept; `None`: nothing is.
    ///
    /// # Errors
    /// `account.keychain-absent`, `-locked`, `-silent`, `-failed`; `account.passphrase-needed`, `-wrong`;
    /// `account.token-damaged`.
    pub(super) async fn read(&self) -> Result<Option<Kept>, Problem> {
        let bytes = match self.keep {
            Keep::Memory => return Ok(lock(&self.memory.kept).get(&self.entry).cloned()),
            Keep::Keychain => {
                let entry = self.entry.clone();
                in_time(QUICK, move || chunks::read(&keychain::Store, &entry)).await?
            }
            Keep::File => {
                let (path, passphrase) = (self.file.clone(), self.memory.passphrase());
                in_time(ASKED, move || file::read(&path, passphrase.as_ref())).await?
            }
        };
        let Some(bytes) = bytes else { return Ok(None) };
        serde_json::from_slice(&bytes).map(Some).map_err(|_| Problem::new("account.token-damaged"))
    }

    /// Keeps it in place of what is kept. A crash in the middle leaves the one or the other.
    ///
    /// # Errors
    /// As [`Self::read`], and `file.unwritable`.
    pub(super) async fn write(&self, kept: &Kept) -> Result<(), Problem> {
        let bytes = || serde_json::to_vec(kept).map_err(|error| Problem::new("account.token-damaged").because(&error));
        match self.keep {
            Keep::Memory => {
                lock(&self.memory.kept).insert(self.entry.clone(), kept.clone());
                Ok(())
            }
            Keep::Keychain => {
                let (entry, bytes) = (self.entry.clone(), bytes()?);
                in_time(ASKED, move || chunks::write(&keychain::Store, &entry, &bytes)).await
            }
            Keep::File => {
                let (path, passphrase, bytes) = (self.file.clone(), self.memory.passphrase(), bytes()?);
                in_time(ASKED, move || file::write(&path, passphrase.as_ref(), &bytes)).await
            }
        }
    }

    /// Keeps nothing any more.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(super) async fn remove(&self) -> Result<(), Problem> {
        match self.keep {
            Keep::Memory => {
                lock(&self.memory.kept).remove(&self.entry);
                Ok(())
            }
            Keep::Keychain => {
                let entry = self.entry.clone();
                in_time(ASKED, move || chunks::remove(&keychain::Store, &entry)).await
            }
            Keep::File => match std::fs::remove_file(&self.file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(Problem::new("file.unwritable").with("path", self.file.as_path()).because(&error))
                }
                _ => Ok(()),
            },
        }
    }

    /// Tries whether something can be kept at all, before anybody signs in.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub(super) async fn probe(&self) -> Result<(), Problem> {
        match self.keep {
            Keep::Memory => Ok(()),
            Keep::Keychain => {
                let entry = format!("{} probe", self.entry);
                in_time(ASKED, move || keychain::probe(&entry)).await
            }
            Keep::File if self.memory.passphrase().is_none() => Err(Problem::new("account.passphrase-needed")),
            Keep::File => Ok(()),
        }
    }
}

/// Whether the system's keychain can keep anything, without asking anybody for long.
///
/// # Errors
/// `account.keychain-absent`, `-locked`, `-silent`, `-failed`.
pub async fn keychain() -> Result<(), Problem> {
    in_time(QUICK, || keychain::probe("probe")).await
}

/// On a thread of its own: a keychain that waits for a person keeps the thread, and nobody else.
async fn in_time<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    match tokio::time::timeout(limit, crate::blocking(work)).await {
        Ok(answer) => answer,
        Err(_) => Err(Problem::new("account.keychain-silent").with("seconds", limit.as_secs())),
    }
}
