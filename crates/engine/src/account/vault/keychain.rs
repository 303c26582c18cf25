//! The system's keychain: Secret Service, macOS Keychain, Windows Credential Manager.

use keyring::{Entry, Error};
use preflight_core::problem::Problem;

use super::chunks::Entries;

/// Entries of a build that is being worked on are not those of the released one.
const SERVICE: &str = if cfg!(debug_assertions) { "yolo-preflight-dev" } else { "yolo-preflight" };

/// The keychain's entries of this app.
pub(super) struct Store;

impl Entries for Store {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        match entry(name)?.get_secret() {
            Ok(secret) => Ok(Some(secret)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(problem(error)),
        }
    }

    fn set(&self, name: &str, secret: &[u8]) -> Result<(), Problem> {
        entry(name)?.set_secret(secret).map_err(problem)
    }

    fn delete(&self, name: &str) -> Result<(), Problem> {
        match entry(name)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(problem(error)),
        }
    }

    fn most(&self) -> usize {
        // Windows holds 2,560 bytes, everybody else far more than a token.
        if cfg!(windows) { 2_400 } else { 1 << 20 }
    }
}

fn entry(name: &str) -> Result<Entry, Problem> {
    Entry::new(SERVICE, name).map_err(problem)
}

/// Keeps something, reads it, and forgets it.
pub(super) fn probe(name: &str) -> Result<(), Problem> {
    const CONTENT: &[u8] = b"probe";
    Store.set(name, CONTENT)?;
    let read = Store.get(name)?;
    Store.delete(name)?;
    if read.as_deref() == Some(CONTENT) { Ok(()) } else { Err(Problem::new("account.keychain-failed")) }
}

/// What a keychain's refusal means. Nothing of a secret is in it.
#[expect(clippy::needless_pass_by_value, reason = "what failed is done with")]
fn problem(error: Error) -> Problem {
    match &error {
        Error::NoStorageAccess(cause) => {
            // "No result": there is no keychain in the service, which is as good as no service.
            let text = cause.to_string();
            let is_absent = text.to_lowercase().contains("no result") || text.contains("NoResult");
            Problem::new(if is_absent { "account.keychain-absent" } else { "account.keychain-locked" })
                .because_text(text)
        }
        Error::PlatformFailure(cause) => {
            let text = cause.to_string();
            let lower = text.to_lowercase();
            let gone = ["serviceunknown", "not provided by any", "no such file", "autolaunch", "not found", "connect"];
            let is_absent = gone.iter().any(|part| lower.contains(part));
            Problem::new(if is_absent { "account.keychain-absent" } else { "account.keychain-failed" })
                .because_text(text)
        }
        other => Problem::new("account.keychain-failed").because_text(other.to_string()),
    }
}
