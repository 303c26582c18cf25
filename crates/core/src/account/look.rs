//! What was seen of an account at one moment.

use serde::{Deserialize, Serialize};

use super::claims::{Claims, TokenFault};
use super::quota::Quota;
use crate::text::Message;

/// What was seen of an account. Never holds the token.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// When, by this computer's clock, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// Where the platform is, as a person knows it: `quota.example.com`.
    pub platform: String,
    /// The saved connection; `None`: an address alone.
    pub profile: Option<String>,
    /// The token.
    pub token: TokenSeen,
    /// What the platform said.
    pub reply: Reply,
    /// How far the platform's clock is ahead of this computer's, in seconds; `None`: it did not tell the time.
    pub skew_s: Option<i64>,
}

/// A token, without itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TokenSeen {
    /// Where it came from.
    pub source: Source,
    /// How it is.
    pub state: TokenState,
}

/// Where a token is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename = "TokenSource", tag = "in", rename_all = "kebab-case")]
pub enum Source {
    /// A variable of the environment.
    Variable {
        /// Its name.
        name: String,
    },
    /// The system's keychain.
    Keychain,
    /// A file that a passphrase opens.
    File,
    /// The memory of this process.
    Memory,
    /// Nowhere yet.
    Nowhere,
}

/// How a token is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum TokenState {
    /// There is none.
    Missing,
    /// There may be one, and it could not be read: a locked keychain.
    Unreadable {
        /// Why (`reason-…`).
        why: Message,
    },
    /// What is there is no token.
    Malformed {
        /// Why.
        fault: TokenFault,
    },
    /// It is here.
    Present {
        /// What it says about itself; `None`: nothing.
        claims: Option<Claims>,
        /// When it ends, in seconds since 1970 UTC; `None`: not told.
        expires_s: Option<f64>,
        /// Whether another one can be had without a person.
        renewable: bool,
        /// Why it was not renewed when it was time; `None`: it was, or it was not time.
        not_renewed: Option<Message>,
    },
}

/// What the platform said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "kebab-case")]
pub enum Reply {
    /// It was not asked: there was nothing to ask with.
    NotAsked,
    /// It answered.
    Answered {
        /// What.
        answer: Answer,
    },
    /// No answer of its own came back.
    Failed {
        /// What was in the way.
        trouble: Trouble,
        /// In the words of the system or library, outermost first.
        causes: Vec<String>,
    },
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Where it was asked, without user name, password and query.
    pub url: String,
    /// In how many seconds to ask again.
    pub retry_after_s: Option<u64>,
    /// What the `WWW-Authenticate` header says.
    pub challenge: Option<String>,
    /// What it held.
    pub body: Body,
}

/// What an answer held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Body {
    /// Nothing.
    Empty,
    /// JSON.
    Json {
        /// The value.
        value: serde_json::Value,
    },
    /// A page for people.
    Page {
        /// Its title.
        title: Option<String>,
    },
    /// Something else; its beginning.
    Other {
        /// Shortened.
        text: String,
    },
}

/// What was in the way of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// No such name.
    NoSuchHost,
    /// Nobody listens there.
    NobodyListens,
    /// It took too long.
    TimedOut,
    /// Its certificate is signed by nobody this computer trusts.
    CertificateRefused,
    /// No secure connection came about: often a port that speaks something else.
    TlsFailed,
    /// The proxy could not be reached, or would not connect.
    ProxyFailed,
    /// The proxy wants a user name and a password.
    ProxyAsks,
    /// A network's sign-in page answers everything.
    Portal,
    /// It sends elsewhere, where the token must not go.
    SentElsewhere,
    /// Far more than a budget.
    TooLarge,
    /// It ended in the middle.
    CutOff,
    /// Not HTTP, or not understood.
    NotUnderstood,
}

impl Trouble {
    /// The second half of its finding's code.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoSuchHost => "no-such-host",
            Self::NobodyListens => "nobody-listens",
            Self::TimedOut => "timed-out",
            Self::CertificateRefused => "certificate-refused",
            Self::TlsFailed => "tls-failed",
            Self::ProxyFailed => "proxy-failed",
            Self::ProxyAsks => "proxy-asks",
            Self::Portal => "portal",
            Self::SentElsewhere => "sent-elsewhere",
            Self::TooLarge => "too-large",
            Self::CutOff => "cut-off",
            Self::NotUnderstood => "not-understood",
        }
    }
}

/// An account as a person is shown it: what a [`Look`] says, for a page and for JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Portrait {
    /// When it was looked at, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// Where the platform is.
    pub platform: String,
    /// Whether there is a token.
    pub present: bool,
    /// Where it is kept.
    pub source: Source,
    /// Whose it is.
    pub account: Option<String>,
    /// What it permits.
    pub scopes: Vec<String>,
    /// When it ends, in seconds since 1970 UTC.
    pub expires_s: Option<f64>,
    /// Whether it is renewed by itself.
    pub renewable: bool,
    /// What is left; `None`: not known.
    pub quota: Option<Quota>,
}

impl Look {
    /// Now, by the platform's clock where it told, in seconds since 1970 UTC.
    #[must_use]
    pub fn now_s(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "exact below 2^53")]
        let (local, skew) = (self.at_ms as f64 / 1000.0, self.skew_s.unwrap_or(0) as f64);
        local + skew
    }

    /// What a page shows of it.
    #[must_use]
    pub fn portrait(&self, connector: &super::Connector) -> Portrait {
        let (claims, expires_s, renewable) = match &self.token.state {
            TokenState::Present { claims, expires_s, renewable, .. } => (claims.as_ref(), *expires_s, *renewable),
            _ => (None, None, false),
        };
        Portrait {
            at_ms: self.at_ms,
            platform: self.platform.clone(),
            present: matches!(self.token.state, TokenState::Present { .. }),
            source: self.token.source.clone(),
            account: claims.and_then(|claims| claims.account.clone()),
            scopes: claims.map(|claims| claims.scopes.clone()).unwrap_or_default(),
            expires_s,
            renewable,
            quota: self.quota(connector).ok().flatten(),
        }
    }
}
