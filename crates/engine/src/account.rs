//! Accounts on platforms: tokens in the system's keychain, and what is left of budgets. What it means is
//! `preflight_core::account`'s.

mod history;
mod http;
mod look;
mod loopback;
mod profile;
mod signin;
mod tokens;
mod vault;
mod view;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use preflight_core::account::{
    Amount, Connector, EXAMPLES, Look, Reply, Source, THRESHOLD, Token, TokenSeen, TokenState,
};
use preflight_core::problem::Problem;
use preflight_core::secret::Secret;
use tokio_util::sync::CancellationToken;

pub use history::Balance;
pub use look::{Held, PASSPHRASE, VARIABLES, address, host, look};
pub use profile::{Account, Profile, SignedIn, check_name};
pub use signin::{OnStep, SignInStep};
pub use vault::{Keep, keychain};
pub use view::{AccountView, ConnectorView, SignInWay, connector_view, keep_fresh, sign_in_from_window, view};

pub(crate) use look::SECRETS;
pub(crate) use tokens::Shared;

use crate::Engine;
use crate::dirs::Dirs;
use crate::paths;
use crate::settings::Settings;
use http::Http;
use profile::Files;
use signin::Provider;
use tokens::Tokens;
use vault::Kept;

/// A connector file is a few kilobytes.
const LONGEST_CONNECTOR: u64 = 1 << 20;

/// How a person signs in.
#[derive(Debug)]
pub enum Way {
    /// On a page in the browser of this computer.
    Browser,
    /// With a code, on another device.
    Device,
    /// With a token that the platform gave them.
    Pasted(Secret),
}

/// A connector by the name of one that is part of the program, or by its file. `None`: the usual one.
///
/// # Errors
/// `account.connector-unreadable`, and those of [`Connector::from_toml`] with the file's `path`.
pub fn connector(named: Option<&str>) -> Result<Connector, Problem> {
    let Some(named) = named else { return Ok(Connector::default()) };
    if let Some(text) = example(named) {
        return Connector::from_toml(text);
    }
    let path = paths::expanded(Path::new(named));
    let unreadable = |error| Problem::new("account.connector-unreadable").with("path", path.as_path()).because(&error);
    let mut text = String::new();
    // Whatever a person names: a device never ends.
    let read = File::open(&path).and_then(|file| file.take(LONGEST_CONNECTOR).read_to_string(&mut text));
    read.map_err(unreadable)?;
    Connector::from_toml(&text).map_err(|problem| problem.with("path", path.as_path()))
}

/// The text of a connector that is part of the program.
fn example(named: &str) -> Option<&'static str> {
    EXAMPLES.iter().find(|(name, _)| *name == named).map(|(_, text)| *text)
}

/// GPU hours below which a person is warned.
#[must_use]
pub fn threshold(settings: &Settings) -> Amount {
    let set = settings.least_gpu_hours.as_deref().and_then(Amount::parse);
    set.or_else(|| Amount::parse(THRESHOLD)).unwrap_or(Amount::ONE)
}

/// Every saved connection, by name. Looks at no keychain.
#[must_use]
pub fn list(engine: &Engine) -> Vec<Account> {
    profile::list(engine.dirs())
}

/// One of them.
///
/// # Errors
/// `account.no-such-profile`, `account.profile-invalid`, `account.name-invalid`.
pub fn account(engine: &Engine, name: &str) -> Result<Account, Problem> {
    let account = Files::of(engine.dirs(), name)?.account()?;
    account.ok_or_else(|| Problem::new("account.no-such-profile").with("name", name))
}

/// Saves a connection. Another address or another place for the token ends the sign-in that was there.
///
/// # Errors
/// `account.address-invalid`, `account.name-invalid`, those of the connector, and `file.unwritable`.
pub async fn save(engine: &Engine, name: &str, profile: &Profile) -> Result<Account, Problem> {
    let files = Files::of(engine.dirs(), name)?;
    let profile = &profile.found_from_anywhere()?;
    profile.url()?;
    profile.connector()?;
    if let Some(before) = files.read()?
        && (before.address != profile.address || before.keep != profile.keep)
    {
        sign_out(engine, name).await?;
    }
    files.write(profile)?;
    engine.observations().forget_account();
    account(engine, name)
}

/// Lets the token files of this process be opened with a passphrase.
pub fn set_passphrase(engine: &Engine, passphrase: Secret) {
    engine.accounts().memory.set_passphrase(passphrase);
}

/// Signs in: tries first whether the token can be kept, then gets one and keeps it.
///
/// # Errors
/// Those of the keychain, before anybody is asked anything; `account.no-sign-in`, `account.issuer-differs`,
/// `account.no-browser-sign-in`, `account.no-device-sign-in`, `account.sign-in-refused`, `account.sign-in-late`,
/// `account.unreachable`, `account.token-invalid` for a pasted text that is none, `account.cancelled`.
pub async fn sign_in(
    engine: &Engine,
    name: &str,
    way: Way,
    tell: OnStep<'_>,
    cancel: CancellationToken,
) -> Result<Account, Problem> {
    let cancelled = || Problem::new("account.cancelled");
    cancel.run_until_cancelled(sign_in_uncancelled(engine, name, way, tell)).await.ok_or_else(cancelled)?
}

async fn sign_in_uncancelled(engine: &Engine, name: &str, way: Way, tell: OnStep<'_>) -> Result<Account, Problem> {
    let before = account(engine, name)?;
    let files = Files::of(engine.dirs(), name)?;
    let connector = before.profile.connector()?;
    let shared = engine.accounts();
    let vault = files.vault(engine.dirs(), before.profile.keep, &shared.memory);
    vault.probe().await?;
    let http = Http::new(&engine.settings())?;
    let (kept, identity, provider) = match way {
        Way::Pasted(token) => (pasted(&token)?, None, None),
        Way::Browser | Way::Device => {
            let provider = Provider::discover(&http, &before.profile, &connector).await?;
            let page =
                preflight_core::text::Texts::new(engine.settings().effective_language()).get("account-signed-in-page");
            let granted = match way {
                Way::Device => provider.on_device(&http, tell).await?,
                _ => provider.in_browser(&http, &page, tell).await?,
            };
            (granted.kept, granted.identity, Some(provider))
        }
    };
    let token = Token::read(&kept.access);
    let claims = token.claims().cloned().unwrap_or_default();
    let signed_in = SignedIn {
        account: identity.and_then(|identity| identity.account).or(claims.account),
        scopes: claims.scopes,
        expires_s: kept.expires_s.or(claims.expires_s),
        renewable: kept.refresh.is_some(),
        signed_in_ms: crate::preflight::now_ms(),
        used_ms: None,
        token_endpoint: provider.as_ref().map(|provider| provider.token.clone()),
        revocation_endpoint: provider.as_ref().and_then(|provider| provider.revocation.clone()),
        client_id: provider.map(|provider| provider.client_id),
    };
    files.make()?;
    let _locked = tokens::locked(&files.lock()).await?;
    vault.write(&kept).await?;
    files.set_signed_in(Some(&signed_in))?;
    account(engine, name)
}

fn pasted(token: &Secret) -> Result<Kept, Problem> {
    let text = token.expose().trim();
    match Token::read(text) {
        Token::Malformed(_) => Err(Problem::new("account.token-invalid")),
        Token::Opaque | Token::Claims(_) => {
            Ok(Kept { access: text.to_owned(), refresh: None, expires_s: None, received_s: signin::now_s() })
        }
    }
}

/// Signs out: tells the platform that the token is no longer wanted, and deletes it. Whether the platform heard; a
/// platform that cannot be reached keeps nobody signed in.
///
/// # Errors
/// Those of the keychain: what could not be deleted is said.
pub async fn sign_out(engine: &Engine, name: &str) -> Result<bool, Problem> {
    let known = account(engine, name)?;
    let files = Files::of(engine.dirs(), name)?;
    let vault = files.vault(engine.dirs(), known.profile.keep, &engine.accounts().memory);
    files.make()?;
    let _locked = tokens::locked(&files.lock()).await?;
    let places = known.signed_in.and_then(|signed_in| signed_in.revocation_endpoint.zip(signed_in.client_id));
    let is_heard = match (vault.read().await, places) {
        (Ok(None), _) => true,
        (Ok(Some(kept)), Some((endpoint, client))) => {
            let http = Http::new(&engine.settings())?;
            // Ending what renews ends what was renewed by it.
            let token = kept.refresh.as_deref().unwrap_or(&kept.access);
            signin::revoke(&http, &endpoint, &client, token).await
        }
        // The platform has no place to say it. Or the token's file is sealed: it can be deleted, and nothing more.
        (Ok(Some(_)), None) | (Err(_), _) => false,
    };
    vault.remove().await?;
    files.set_signed_in(None)?;
    engine.observations().forget_account();
    Ok(is_heard)
}

/// Signs out and forgets the connection.
///
/// # Errors
/// As [`sign_out`].
pub async fn remove(engine: &Engine, name: &str) -> Result<(), Problem> {
    sign_out(engine, name).await?;
    Files::of(engine.dirs(), name)?.remove();
    Ok(())
}

/// Asks a platform for the budget with the profile's token, which is renewed when it is time, or when the platform no
/// longer takes it. In a pipeline, the token of the environment.
///
/// # Errors
/// Those of [`account`] and of the connector. What goes wrong on the way is in the look.
pub async fn look_at(engine: &Engine, name: &str) -> Result<(Look, Connector), Problem> {
    looker(engine, name).look().await
}

/// From now on, every plan's platform is at this address, whatever its saved connection says, and the token is the
/// environment's: a pipeline has no saved connections.
pub fn ask_at(engine: &Engine, url: reqwest::Url, connector: Connector) {
    engine.accounts().ask_at(url, connector);
}

/// Looks at one account, without the engine.
pub(crate) struct Looker {
    dirs: Dirs,
    settings: Settings,
    shared: Shared,
    name: String,
}

pub(crate) fn looker(engine: &Engine, name: &str) -> Looker {
    let (dirs, settings, shared) = (engine.dirs().clone(), engine.settings(), engine.accounts().clone());
    Looker { dirs, settings, shared, name: name.to_owned() }
}

impl Looker {
    /// Renews the token when it is time, and asks nobody for a budget.
    async fn renew(self) -> Result<(), Problem> {
        let files = Files::of(&self.dirs, &self.name)?;
        let Some(known) = files.account()? else { return Ok(()) };
        let http = Http::new(&self.settings)?;
        let vault = files.vault(&self.dirs, known.profile.keep, &self.shared.memory);
        Tokens { name: &self.name, files: &files, vault, http: &http, shared: &self.shared }.fresh(None).await?;
        Ok(())
    }

    /// See [`look_at`].
    pub(crate) async fn look(self) -> Result<(Look, Connector), Problem> {
        look_at_with(&self.dirs, &self.settings, &self.shared, &self.name).await
    }
}

async fn look_at_with(
    dirs: &Dirs,
    settings: &Settings,
    shared: &Shared,
    name: &str,
) -> Result<(Look, Connector), Problem> {
    let http = Http::new(settings)?;
    if let Some((url, connector)) = shared.asked_at() {
        let held = Held::from_environment().unwrap_or_else(Held::nothing);
        return Ok((look::look_with(&http, &url, &connector, &held).await?, connector));
    }
    let files = Files::of(dirs, name)?;
    let known = files.account()?.ok_or_else(|| Problem::new("account.no-such-profile").with("name", name))?;
    let (connector, url) = (known.profile.connector()?, known.profile.url()?);
    let keep = known.profile.keep;
    let vault = files.vault(dirs, keep, &shared.memory);
    let tokens = Tokens { name, files: &files, vault, http: &http, shared };
    let from_environment = Held::from_environment();
    // `API_TOKEN` may be for something else: what a person signed in with counts before it.
    let is_ours = |held: &Held| matches!(&held.source, Source::Variable { name } if name == VARIABLES[0]);
    let environment_first = from_environment.as_ref().is_some_and(is_ours);
    let mut look = if environment_first {
        let held = from_environment.unwrap_or_else(Held::nothing);
        look::look_with(&http, &url, &connector, &held).await?
    } else {
        match tokens.fresh(None).await {
            Ok(fresh) => {
                let held = match (&fresh.kept, from_environment) {
                    (None, Some(held)) => held,
                    _ => fresh.held(keep),
                };
                let look = look::look_with(&http, &url, &connector, &held).await?;
                let is_refused = matches!(&look.reply, Reply::Answered { answer } if answer.status == 401);
                match fresh.kept.filter(|kept| is_refused && fresh.not_renewed.is_none() && kept.refresh.is_some()) {
                    Some(kept) => {
                        let fresh = tokens.fresh(Some(kept.mark())).await?;
                        look::look_with(&http, &url, &connector, &fresh.held(keep)).await?
                    }
                    None => look,
                }
            }
            Err(problem) => unreadable(&known, problem, &url),
        }
    };
    look.profile = Some(name.to_owned());
    remember(&files, &look, &connector);
    Ok((look, connector))
}

/// A look where the token could not be read.
fn unreadable(known: &Account, problem: Problem, url: &reqwest::Url) -> Look {
    let source = match known.profile.keep {
        Keep::Keychain => Source::Keychain,
        Keep::File => Source::File,
        Keep::Memory => Source::Memory,
    };
    let token = TokenSeen { source, state: TokenState::Unreadable { why: problem.message() } };
    let at_ms = crate::preflight::now_ms();
    Look { at_ms, platform: host(url), profile: None, token, reply: Reply::NotAsked, skew_s: None }
}

/// Keeps when the token was used, and what was left. That it cannot be kept changes nothing of what was seen.
fn remember(files: &Files, look: &Look, connector: &Connector) {
    if let (Some(signed_in), Reply::Answered { .. }) = (files.signed_in(), &look.reply) {
        let _ = files.set_signed_in(Some(&SignedIn { used_ms: Some(look.at_ms), ..signed_in }));
    }
    if let Ok(Some(quota)) = look.quota(connector) {
        history::add(&files.history(), look.at_ms, &quota);
    }
}

/// What was left at earlier times, oldest first.
///
/// # Errors
/// `account.name-invalid`.
pub fn history(engine: &Engine, name: &str) -> Result<Vec<Balance>, Problem> {
    Ok(history::read(&Files::of(engine.dirs(), name)?.history()))
}
