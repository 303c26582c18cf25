//! Tokens that are renewed: by one process at a time, after another look at what is there, and never written when
//! renewing failed.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use preflight_core::account::{Connector, Source};
use preflight_core::problem::Problem;
use preflight_core::secret::Secret;
use preflight_core::text::Message;
use reqwest::Url;

use super::http::Http;
use super::look::Held;
use super::profile::{Files, SignedIn};
use super::signin::{self, now_s};
use super::vault::{InMemory, Keep, Kept, Vault};
use crate::work::lock;

/// How long is waited for another process that is renewing.
const TURN: Duration = Duration::from_secs(60);
/// How often is looked whether it is done.
const PAUSE: Duration = Duration::from_millis(25);
/// A token is renewed in the last part of its life: this share of it,
const LAST_PART: f64 = 0.1;
/// but no earlier than so many seconds before its end,
const EARLIEST: f64 = 3600.0;
/// and no later than so many, unless it lives for less than twice as long.
const LATEST: f64 = 60.0;

/// What all of a process share.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shared {
    pub(crate) memory: InMemory,
    /// One renewal a profile at a time.
    turns: Arc<Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>>,
    /// Where platforms are asked in place of where saved connections say.
    at: Arc<Mutex<Option<(Url, Connector)>>>,
}

impl Shared {
    pub(super) fn ask_at(&self, url: Url, connector: Connector) {
        *lock(&self.at) = Some((url, connector));
    }

    pub(super) fn asked_at(&self) -> Option<(Url, Connector)> {
        lock(&self.at).clone()
    }

    fn turn(&self, name: &str) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(lock(&self.turns).entry(name.to_owned()).or_default())
    }
}

/// A profile's token and everything that renews it.
pub(super) struct Tokens<'a> {
    pub(super) name: &'a str,
    pub(super) files: &'a Files,
    pub(super) vault: Vault,
    pub(super) http: &'a Http,
    pub(super) shared: &'a Shared,
}

/// A token that is as fresh as can be.
#[derive(Debug)]
pub(super) struct Fresh {
    pub(super) kept: Option<Kept>,
    /// Why it was not renewed although it was time.
    pub(super) not_renewed: Option<Message>,
}

impl Fresh {
    pub(super) fn held(&self, keep: Keep) -> Held {
        let Some(kept) = &self.kept else { return Held::nothing() };
        let source = match keep {
            Keep::Keychain => Source::Keychain,
            Keep::File => Source::File,
            Keep::Memory => Source::Memory,
        };
        Held {
            token: Some(Secret::new(kept.access.clone())),
            source,
            expires_s: kept.expires_s,
            renewable: kept.refresh.is_some(),
            not_renewed: self.not_renewed.clone(),
        }
    }
}

/// Whether it is time to renew.
fn is_due(kept: &Kept, now: f64) -> bool {
    let Some(expires) = kept.expires_s.filter(|_| kept.refresh.is_some()) else { return false };
    let life = (expires - kept.received_s).max(0.0);
    let margin = (life * LAST_PART).clamp(LATEST.min(life / 2.0), EARLIEST);
    expires - now < margin
}

impl Tokens<'_> {
    /// The token, renewed when it is time; `refused`: the mark of one that the platform no longer takes.
    ///
    /// # Errors
    /// Those of the vault. That it could not be renewed is no error as long as there is one.
    pub(super) async fn fresh(&self, refused: Option<[u8; 32]>) -> Result<Fresh, Problem> {
        let as_it_is = |kept| Ok(Fresh { kept, not_renewed: None });
        let wanted = |kept: &Kept| match refused {
            Some(mark) => kept.refresh.is_some() && kept.mark() == mark,
            None => is_due(kept, now_s()),
        };
        let Some(kept) = self.vault.read().await? else { return as_it_is(None) };
        if !wanted(&kept) {
            return as_it_is(Some(kept));
        }
        let turn = self.shared.turn(self.name);
        let _turn = turn.lock().await;
        self.files.make()?;
        let _locked = locked(&self.files.lock()).await?;
        // Another one may have renewed it meanwhile.
        let Some(kept) = self.vault.read().await? else { return as_it_is(None) };
        if !wanted(&kept) {
            return as_it_is(Some(kept));
        }
        let next = match self.renewed(&kept).await {
            Ok(next) => next,
            Err(problem) => return Ok(Fresh { kept: Some(kept), not_renewed: Some(problem.message()) }),
        };
        self.swap(&kept, next).await
    }

    async fn renewed(&self, kept: &Kept) -> Result<Kept, Problem> {
        let known = self.files.signed_in().unwrap_or_default();
        let ended = || Problem::new("account.grant-ended");
        let (endpoint, client) = known.token_endpoint.zip(known.client_id).ok_or_else(ended)?;
        let refresh = kept.refresh.as_deref().ok_or_else(ended)?;
        let first = signin::renew(self.http, &endpoint, &client, refresh).await;
        match first {
            // The answer may have been lost on the way back. Asked again at once, servers that forgive give another;
            // strict ones end the grant, which they would have done at the next renewal.
            Err(problem) if problem.code == "account.unreachable" => {
                signin::renew(self.http, &endpoint, &client, refresh).await
            }
            other => other,
        }
    }

    /// Keeps the next token if the one it came from is still there: someone may have signed in or out meanwhile.
    async fn swap(&self, before: &Kept, next: Kept) -> Result<Fresh, Problem> {
        match self.vault.read().await? {
            Some(now) if now.mark() == before.mark() => {
                self.vault.write(&next).await?;
                let signed_in = self.files.signed_in().unwrap_or_default();
                self.files.set_signed_in(Some(&SignedIn { expires_s: next.expires_s, ..signed_in }))?;
                Ok(Fresh { kept: Some(next), not_renewed: None })
            }
            other => Ok(Fresh { kept: other, not_renewed: None }),
        }
    }
}

/// Waits for the lock of a file, and holds it until it is dropped.
///
/// # Errors
/// `account.busy` when another process keeps it, `file.unwritable`.
pub(super) async fn locked(path: &Path) -> Result<File, Problem> {
    let unwritable = |error: std::io::Error| Problem::new("file.unwritable").with("path", path).because(&error);
    let file = File::options().create(true).append(true).open(path).map_err(unwritable)?;
    let until = tokio::time::Instant::now() + TURN;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(unwritable(error)),
            Err(TryLockError::WouldBlock) if tokio::time::Instant::now() > until => {
                return Err(Problem::new("account.busy"));
            }
            Err(TryLockError::WouldBlock) => tokio::time::sleep(PAUSE).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_renewed_in_the_last_part_of_its_life() {
        let kept = |life: f64| Kept {
            access: "a".to_owned(),
            refresh: Some("r".to_owned()),
            expires_s: Some(1e9 + life),
            received_s: 1e9,
        };
        for (life, not_yet, due) in
            [(7.0 * 86400.0, 6.95 * 86400.0, 6.97 * 86400.0), (3600.0, 3200.0, 3300.0), (5.0, 2.0, 3.0)]
        {
            assert!(!is_due(&kept(life), 1e9 + not_yet), "{life}");
            assert!(is_due(&kept(life), 1e9 + due), "{life}");
        }
        assert!(!is_due(&Kept { refresh: None, ..kept(5.0) }, 2e9), "what cannot be renewed is not");
        assert!(!is_due(&Kept { expires_s: None, ..kept(5.0) }, 2e9));
    }
}
