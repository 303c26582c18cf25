//! Asks a platform for the budget.

use std::time::Duration;

use preflight_core::account::{Connector, Look, Reply, Source, Token, TokenSeen, TokenState};
use preflight_core::problem::Problem;
use preflight_core::secret::Secret;
use preflight_core::text::Message;
use reqwest::Url;

use super::http::{Heard, Http, Question};
use crate::settings::Settings;

/// Variables that carry a token into a pipeline, the one that is meant for us first.
pub const VARIABLES: [&str; 2] = ["PREFLIGHT_TOKEN", "API_TOKEN"];

/// Opens token files in scripts.
pub const PASSPHRASE: &str = "PREFLIGHT_PASSPHRASE";

/// Variables that no program which this one starts needs to know.
pub(crate) const SECRETS: [&str; 3] = [VARIABLES[0], VARIABLES[1], PASSPHRASE];

/// A token, and where it came from.
#[derive(Debug, Clone)]
pub struct Held {
    /// The token; `None`: there is none.
    pub token: Option<Secret>,
    /// Where it came from.
    pub source: Source,
    /// When it ends, where that is known otherwise than from itself: seconds since 1970 UTC.
    pub expires_s: Option<f64>,
    /// Whether another one can be had without a person.
    pub renewable: bool,
    /// Why it was not renewed although it was time; `None`: it was, or it was not time.
    pub not_renewed: Option<Message>,
}

impl Held {
    /// No token.
    #[must_use]
    pub fn nothing() -> Self {
        Self { token: None, source: Source::Nowhere, expires_s: None, renewable: false, not_renewed: None }
    }

    /// The token that the environment carries.
    #[must_use]
    pub fn from_environment() -> Option<Self> {
        VARIABLES.into_iter().find_map(|name| {
            let text = std::env::var(name).ok()?;
            // A line end comes with it when a variable is filled from a file.
            let token = Secret::new(text.trim());
            (!token.expose().is_empty()).then(|| Self {
                token: Some(token),
                source: Source::Variable { name: name.to_owned() },
                expires_s: None,
                renewable: false,
                not_renewed: None,
            })
        })
    }

    /// What can be told of it without telling it.
    #[must_use]
    pub fn seen(&self) -> TokenSeen {
        let state = match self.token.as_ref().map(|token| Token::read(token.expose())) {
            None => TokenState::Missing,
            Some(Token::Malformed(fault)) => TokenState::Malformed { fault },
            Some(token) => {
                let claims = token.claims().cloned();
                let expires_s = claims.as_ref().and_then(|claims| claims.expires_s).or(self.expires_s);
                let not_renewed = self.not_renewed.clone();
                TokenState::Present { claims, expires_s, renewable: self.renewable, not_renewed }
            }
        };
        TokenSeen { source: self.source.clone(), state }
    }
}

/// The address of a platform, as a person types it: without a scheme it is a secure one.
///
/// # Errors
/// `account.address-invalid`.
pub fn address(text: &str) -> Result<Url, Problem> {
    let invalid = || Problem::new("account.address-invalid").with("address", text);
    let text = text.trim();
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let url = Url::parse(&whole).map_err(|error| invalid().because(&error))?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
    if matches!(url.scheme(), "http" | "https") && url.has_host() && is_plain { Ok(url) } else { Err(invalid()) }
}

/// Where a connector's question is asked on a platform.
///
/// # Errors
/// `account.address-invalid`.
pub(super) fn below(base: &Url, path: &str) -> Result<Url, Problem> {
    let whole = format!("{}{path}", base.as_str().trim_end_matches('/'));
    let url = Url::parse(&whole).ok().filter(|url| url.origin() == base.origin());
    url.ok_or_else(|| Problem::new("account.address-invalid").with("address", whole))
}

/// Host and port, as a person knows a platform.
#[must_use]
pub fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Asks a platform for the budget, with a token that is at hand. `patience`: how long an answer may take; `None`: as
/// long as usual.
///
/// # Errors
/// `account.address-invalid`, and those of a client that cannot be made.
pub async fn look(
    settings: &Settings,
    base: &Url,
    connector: &Connector,
    held: &Held,
    patience: Option<Duration>,
) -> Result<Look, Problem> {
    let http = Http::new(settings)?.within(patience);
    look_with(&http, base, connector, held).await
}

pub(super) async fn look_with(http: &Http, base: &Url, connector: &Connector, held: &Held) -> Result<Look, Problem> {
    let token = held.seen();
    let url = below(base, connector.quota.path.as_str())?;
    let heard = match (&token.state, &held.token) {
        (TokenState::Present { .. }, Some(secret)) => {
            http.ask(Question::get(url).with_token(&connector.auth, secret)).await
        }
        // What is no token is nobody's business.
        _ => Heard { reply: Reply::NotAsked, skew_s: None },
    };
    let at_ms = crate::preflight::now_ms();
    Ok(Look { at_ms, platform: host(base), profile: None, token, reply: heard.reply, skew_s: heard.skew_s })
}
