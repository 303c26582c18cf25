//! Saved connections to platforms: one small file each, and beside it what is known of its sign-in. Never a token.

use std::path::PathBuf;

use preflight_core::account::Connector;
use preflight_core::problem::Problem;
use reqwest::Url;
use serde::{Deserialize, Serialize};

use super::vault::{InMemory, Keep, Vault};
use crate::dirs::Dirs;

/// The version of the file that this build writes.
const FORMAT: u32 = 1;
/// The longest name.
const LONGEST: usize = 40;

/// A saved connection to a platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename = "PlatformProfile", deny_unknown_fields)]
pub struct Profile {
    /// Version of the file format.
    pub format: u32,
    /// The platform's address.
    pub address: String,
    /// How it tells its budget: a connector's name or file; `None`: the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connector: Option<String>,
    /// Where the token is kept.
    #[serde(default)]
    pub keep: Keep,
    /// Who signs people in; `None`: as the connector says, else the platform itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// What this app is called there; `None`: as the connector says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
}

/// What is known of a sign-in, without the token.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(default)]
pub struct SignedIn {
    /// Whose account it is.
    pub account: Option<String>,
    /// What the token permits.
    pub scopes: Vec<String>,
    /// When the token ends, in seconds since 1970 UTC.
    pub expires_s: Option<f64>,
    /// Whether it is renewed by itself.
    pub renewable: bool,
    /// When a person signed in, in milliseconds since 1970 UTC.
    pub signed_in_ms: u64,
    /// When it was used last, likewise.
    pub used_ms: Option<u64>,
    /// Where it is renewed.
    pub token_endpoint: Option<String>,
    /// Where it is ended.
    pub revocation_endpoint: Option<String>,
    /// As whom.
    pub client_id: Option<String>,
}

/// A saved connection with what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Account {
    /// The profile's name.
    pub name: String,
    /// Host and port.
    pub platform: String,
    /// The connection.
    pub profile: Profile,
    /// `None`: nobody is signed in.
    pub signed_in: Option<SignedIn>,
}

impl Profile {
    /// A connection to an address, with everything else as usual.
    #[must_use]
    pub fn to(address: &Url) -> Self {
        let address = address.as_str().trim_end_matches('/').to_owned();
        Self { format: FORMAT, address, connector: None, keep: Keep::Keychain, issuer: None, client_id: None }
    }

    /// Its address.
    ///
    /// # Errors
    /// `account.address-invalid`.
    pub fn url(&self) -> Result<Url, Problem> {
        super::address(&self.address)
    }

    /// Its connector.
    ///
    /// # Errors
    /// Those of [`super::connector`].
    pub fn connector(&self) -> Result<Connector, Problem> {
        super::connector(self.connector.as_deref())
    }

    /// The same with a connector file that is found from every folder.
    ///
    /// # Errors
    /// `account.connector-unreadable`.
    pub(super) fn found_from_anywhere(&self) -> Result<Self, Problem> {
        let Some(named) = self.connector.as_deref().filter(|named| super::example(named).is_none()) else {
            return Ok(self.clone());
        };
        let unreadable = |error| Problem::new("account.connector-unreadable").with("path", named).because(&error);
        let path = std::path::absolute(crate::paths::expanded(named.as_ref())).map_err(unreadable)?;
        Ok(Self { connector: Some(path.to_string_lossy().into_owned()), ..self.clone() })
    }
}

/// Whether this can be a profile's name: letters, digits and dashes, so that it is the same as a file's name anywhere.
///
/// # Errors
/// `account.name-invalid`.
pub fn check_name(name: &str) -> Result<(), Problem> {
    let fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if (1..=LONGEST).contains(&name.len())
        && name.chars().all(fine)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
    {
        Ok(())
    } else {
        Err(Problem::new("account.name-invalid").with("name", name))
    }
}

/// The files of one profile.
#[derive(Debug, Clone)]
pub(super) struct Files {
    folder: PathBuf,
    name: String,
}

impl Files {
    pub(super) fn of(dirs: &Dirs, name: &str) -> Result<Self, Problem> {
        check_name(name)?;
        Ok(Self { folder: dirs.profiles(), name: name.to_owned() })
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }

    /// Who holds this file's lock may change the token.
    pub(super) fn lock(&self) -> PathBuf {
        self.file("lock")
    }

    pub(super) fn history(&self) -> PathBuf {
        self.file("history.jsonl")
    }

    pub(super) fn read(&self) -> Result<Option<Profile>, Problem> {
        let path = self.file("toml");
        let invalid = || Problem::new("account.profile-invalid").with("path", path.as_path());
        match std::fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text).map(Some).map_err(|error| invalid().because_text(error.message())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(invalid().because(&error)),
        }
    }

    pub(super) fn write(&self, profile: &Profile) -> Result<(), Problem> {
        self.make()?;
        let text =
            toml::to_string_pretty(profile).map_err(|error| Problem::new("settings.unwritable").because(&error))?;
        crate::write::atomically(&self.file("toml"), text.as_bytes())
    }

    pub(super) fn make(&self) -> Result<(), Problem> {
        let unwritable = |error| Problem::new("file.unwritable").with("path", self.folder.as_path()).because(&error);
        std::fs::create_dir_all(&self.folder).map_err(unwritable)
    }

    /// What is known of the sign-in. A file that cannot be read is no sign-in: the token says what is true.
    pub(super) fn signed_in(&self) -> Option<SignedIn> {
        serde_json::from_slice(&std::fs::read(self.file("json")).ok()?).ok()
    }

    pub(super) fn set_signed_in(&self, signed_in: Option<&SignedIn>) -> Result<(), Problem> {
        let path = self.file("json");
        let Some(signed_in) = signed_in else {
            return match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(Problem::new("file.unwritable").with("path", path.as_path()).because(&error))
                }
                _ => Ok(()),
            };
        };
        let text = serde_json::to_vec(signed_in).map_err(|error| Problem::new("file.unwritable").because(&error))?;
        crate::write::atomically(&path, &text)
    }

    /// Removes everything but the lock, which someone may be waiting for.
    pub(super) fn remove(&self) {
        for ending in ["json", "history.jsonl", "token", "toml"] {
            // What cannot be removed is found again in the list.
            let _ = std::fs::remove_file(self.file(ending));
        }
    }

    /// Where the profile's token is.
    pub(super) fn vault(&self, dirs: &Dirs, keep: Keep, memory: &InMemory) -> Vault {
        // Two roots on one computer are two worlds; the keychain is one.
        let root = std::path::absolute(dirs.root()).unwrap_or_else(|_| dirs.root().to_owned());
        let root: String = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex().chars().take(8).collect();
        Vault { entry: format!("{} {root}", self.name), keep, file: self.file("token"), memory: memory.clone() }
    }

    pub(super) fn account(&self) -> Result<Option<Account>, Problem> {
        let Some(profile) = self.read()? else { return Ok(None) };
        let platform = profile.url().map_or_else(|_| profile.address.clone(), |url| super::host(&url));
        Ok(Some(Account { name: self.name.clone(), platform, profile, signed_in: self.signed_in() }))
    }
}

/// Every saved connection, by name. One that cannot be read is left out here, and said where it is named.
pub(super) fn list(dirs: &Dirs) -> Vec<Account> {
    let entries = std::fs::read_dir(dirs.profiles()).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".toml")?.to_owned()));
    let mut accounts: Vec<Account> =
        names.filter_map(|name| Files::of(dirs, &name).ok()?.account().ok().flatten()).collect();
    accounts.sort_by(|one, other| one.name.cmp(&other.name));
    accounts
}
