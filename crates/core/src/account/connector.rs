//! How a platform tells its budget: paths, JSON pointers, units. A small TOML file, so that another platform needs no code.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::amount::Amount;
use super::quota::LevelState;
use crate::problem::Problem;

/// The version of the file that this build reads.
pub(crate) const FORMAT: u32 = 1;

/// Connectors that are part of the program, by name; the first is the one that is used where none is named.
pub const EXAMPLES: [(&str, &str); 3] = [
    ("gpu-hours", include_str!("../../data/connectors/gpu-hours.toml")),
    ("levels", include_str!("../../data/connectors/levels.toml")),
    ("credits", include_str!("../../data/connectors/credits.toml")),
];

/// How a platform tells its budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connector {
    /// Version of the file format.
    pub format: u32,
    /// What a person calls it.
    pub name: String,
    /// How the token is sent.
    #[serde(default)]
    pub auth: Auth,
    /// Where a token comes from.
    #[serde(default)]
    pub sign_in: SignIn,
    /// Where the budget is.
    pub quota: Place,
    /// Budgets on further levels: an organisation's, a project's.
    #[serde(default, rename = "level")]
    pub levels: Vec<LevelPlace>,
    /// What an hour of a card costs.
    #[serde(default)]
    pub prices: Prices,
    /// What the platform's own words for a budget's state mean, beside those that are understood anyway.
    #[serde(default)]
    pub words: Words,
    /// Where an answer that refuses says why.
    #[serde(default)]
    pub errors: Errors,
}

/// How the token is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Auth {
    /// `bearer`: `Authorization: Bearer …`; `header`: as it is, in the header named below.
    pub style: Style,
    /// The header, with `style = "header"`.
    #[serde(default)]
    pub header: Option<HeaderName>,
    /// Whom a token must be for; without it, any audience will do.
    #[serde(default)]
    pub audience: Option<String>,
}

/// See [`Auth::style`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// `Authorization: Bearer …`
    Bearer,
    /// In a header of its own.
    Header,
}

impl Default for Auth {
    fn default() -> Self {
        Self { style: Style::Bearer, header: None, audience: None }
    }
}

/// Where a token comes from, by OAuth 2.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SignIn {
    /// Who signs people in; `None`: the platform itself.
    pub issuer: Option<String>,
    /// What this app is called there; `None`: `yolo-preflight`.
    pub client_id: Option<String>,
    /// What is asked for; empty: `openid offline_access`.
    pub scopes: Vec<String>,
}

/// A table that says where a budget is: what is its own, and what there can be beside every amount. (Serde cannot take the
/// fields of one structure into another and refuse unknown ones.)
macro_rules! place {
    ($(#[$about:meta])* $name:ident { $($own:tt)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($own)*
            /// What is promised to others, and not yet taken off.
            #[serde(default)]
            pub reserved: Option<Pointer>,
            /// What there was to begin with.
            #[serde(default)]
            pub limit: Option<Pointer>,
            /// A word for its state.
            #[serde(default)]
            pub state: Option<Pointer>,
            /// Whether it is locked.
            #[serde(default)]
            pub locked: Option<Pointer>,
            /// When there is more: an ISO 8601 time, or seconds or milliseconds since 1970.
            #[serde(default)]
            pub renews: Option<Pointer>,
            /// When what is left is lost.
            #[serde(default)]
            pub expires: Option<Pointer>,
        }

        impl $name {
            pub(super) fn beside(&self) -> Beside<'_> {
                Beside {
                    reserved: self.reserved.as_ref(),
                    limit: self.limit.as_ref(),
                    state: self.state.as_ref(),
                    locked: self.locked.as_ref(),
                    renews: self.renews.as_ref(),
                    expires: self.expires.as_ref(),
                }
            }
        }
    };
}

place! {
    /// Where the budget is.
    Place {
        /// Below the platform's address: `/v1/user/quota`.
        pub path: ApiPath,
        /// What is counted.
        pub unit: Unit,
        /// What a person calls a unit that is not time.
        #[serde(default)]
        pub label: Option<String>,
        /// What is left; `None`: only the levels say.
        #[serde(default)]
        pub remaining: Option<Pointer>,
    }
}

place! {
    /// Where the budget of another level is.
    LevelPlace {
        /// What it is called.
        #[serde(default)]
        pub name: Option<String>,
        /// A list of such budgets: the other pointers begin at each of them.
        #[serde(default)]
        pub each: Option<Pointer>,
        /// Where its name is.
        #[serde(default)]
        pub name_at: Option<Pointer>,
        /// What is left.
        pub remaining: Pointer,
    }
}

/// What there can be beside the amount of a budget.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside<'a> {
    pub(super) reserved: Option<&'a Pointer>,
    pub(super) limit: Option<&'a Pointer>,
    pub(super) state: Option<&'a Pointer>,
    pub(super) locked: Option<&'a Pointer>,
    pub(super) renews: Option<&'a Pointer>,
    pub(super) expires: Option<&'a Pointer>,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Hours of cards.
    GpuHours,
    /// Minutes of cards.
    GpuMinutes,
    /// Seconds of cards.
    GpuSeconds,
    /// Money, or something like it: what an hour costs is in the prices.
    Credits,
}

impl Unit {
    /// How many of it an hour of a card takes where nothing else is said; `None`: only a price tells.
    #[must_use]
    pub fn per_hour(self) -> Option<Amount> {
        Amount::parse(match self {
            Self::GpuHours => "1",
            Self::GpuMinutes => "60",
            Self::GpuSeconds => "3600",
            Self::Credits => return None,
        })
    }

    /// The same in both languages.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::GpuHours => "GPU-h",
            Self::GpuMinutes => "GPU-min",
            Self::GpuSeconds => "GPU-s",
            Self::Credits => "credits",
        }
    }
}

/// What an hour of a card costs in GPU hours (a factor) or credits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Prices {
    /// Where an answer tells: an object of card and price.
    pub pointer: Option<Pointer>,
    /// By a part of the card's name; `default`: of every other card.
    pub cards: BTreeMap<String, Amount>,
}

/// What the platform's own words for a budget's state mean. Lower and upper case are the same.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Words {
    /// Someone has closed it.
    pub locked: Vec<String>,
    /// The organisation has stopped it.
    pub suspended: Vec<String>,
    /// What is left is no longer valid.
    pub expired: Vec<String>,
    /// The key has a limit of its own.
    pub key_limit: Vec<String>,
    /// The platform's own accounts are in trouble.
    pub incident: Vec<String>,
}

/// Where an answer that refuses says why; without it, the usual places are looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Errors {
    /// A word for programs.
    pub code: Option<Pointer>,
    /// A sentence for people.
    pub message: Option<Pointer>,
}

/// Text that was checked when it was read.
macro_rules! checked {
    ($(#[$doc:meta])* $name:ident, $expected:literal, $check:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        pub struct $name(String);

        impl $name {
            /// As it was written.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                let check: fn(&str) -> bool = $check;
                if check(&text) {
                    Ok(Self(text))
                } else {
                    Err(serde::de::Error::invalid_value(serde::de::Unexpected::Str(&text), &$expected))
                }
            }
        }
    };
}

checked!(
    /// A JSON pointer (RFC 6901): `/data/credits`; empty: the whole answer.
    Pointer,
    "a JSON pointer, such as /data/remaining",
    |text| text.is_empty() || text.starts_with('/') && !text.replace("~0", "").replace("~1", "").contains('~')
);
checked!(
    /// A path below the platform's address, with a query if need be.
    ApiPath,
    "a path below the platform's address, such as /v1/user/quota",
    |text| text.starts_with('/') && !text.starts_with("//") && !text.contains(['#', '\\', ' ']) && !text.contains("/../")
        && text.chars().all(|c| c.is_ascii_graphic())
);
checked!(
    /// The name of an HTTP header.
    HeaderName,
    "the name of a header, such as X-Api-Key",
    |text| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
);

impl Pointer {
    /// What it points at.
    #[must_use]
    pub fn of<'a>(&self, value: &'a serde_json::Value) -> Option<&'a serde_json::Value> {
        value.pointer(&self.0).filter(|value| !value.is_null())
    }
}

impl Connector {
    /// Reads a connector file's text.
    ///
    /// # Errors
    /// `connector.invalid` with the line and what is wrong, `connector.too-new` for a later format, `connector.no-header`,
    /// `connector.no-amount`, `connector.no-name`.
    pub fn from_toml(text: &str) -> Result<Self, Problem> {
        let connector: Self = crate::format::read(text, FORMAT, ["connector.invalid", "connector.too-new"])?;
        let line_of =
            |part: &str| text.lines().position(|line| line.trim_start().starts_with(part)).map_or(1, |at| at + 1);
        if connector.auth.style == Style::Header && connector.auth.header.is_none() {
            return Err(Problem::new("connector.no-header").with("line", line_of("[auth]")));
        }
        if connector.quota.remaining.is_none() && connector.levels.is_empty() {
            return Err(Problem::new("connector.no-amount").with("line", line_of("[quota]")));
        }
        if connector.levels.iter().any(|level| level.name.is_none() && level.name_at.is_none()) {
            return Err(Problem::new("connector.no-name").with("line", line_of("[[level]]")));
        }
        Ok(connector)
    }

    /// The state that one of the platform's words stands for; `None`: no trouble that is known.
    #[must_use]
    pub fn state_of(&self, word: &str) -> Option<LevelState> {
        let word = word.to_lowercase().replace(['-', ' '], "_");
        let own = |words: &[String]| words.iter().any(|own| own.to_lowercase().replace(['-', ' '], "_") == word);
        let has = |parts: &[&str]| parts.iter().any(|part| word.contains(part));
        // `unlocked` has `locked` in it.
        let is_open = has(&["unlock", "unfrozen", "not_lock", "active", "open"]) && !has(&["inactive"]);
        if own(&self.words.locked) {
            Some(LevelState::Locked)
        } else if own(&self.words.suspended) {
            Some(LevelState::Suspended)
        } else if own(&self.words.expired) {
            Some(LevelState::Expired)
        } else if own(&self.words.key_limit) {
            Some(LevelState::KeyLimit)
        } else if own(&self.words.incident) {
            Some(LevelState::Incident)
        } else if is_open {
            None
        } else if has(&["locked", "frozen", "freeze", "budget_lock", "on_hold"]) {
            Some(LevelState::Locked)
        } else if has(&["suspend", "disabled", "deactivat", "blocked"]) {
            Some(LevelState::Suspended)
        } else if has(&["expired", "lapsed"]) {
            Some(LevelState::Expired)
        } else if has(&["key_limit", "key_quota", "key_budget", "spend_cap", "spending_limit"]) {
            Some(LevelState::KeyLimit)
        } else if has(&["incident", "billing_unavailable", "billing_error", "billing_outage"]) {
            Some(LevelState::Incident)
        } else {
            None
        }
    }

    /// What one unit is called.
    #[must_use]
    pub fn symbol(&self) -> &str {
        self.quota.label.as_deref().unwrap_or(self.quota.unit.symbol())
    }
}

impl Default for Connector {
    fn default() -> Self {
        // The text is part of the program; a test refuses one that cannot be read.
        Self::from_toml(EXAMPLES[0].1).unwrap_or_else(|_| Self {
            format: FORMAT,
            name: String::new(),
            auth: Auth::default(),
            sign_in: SignIn::default(),
            quota: Place {
                path: ApiPath("/v1/user/quota".to_owned()),
                unit: Unit::GpuHours,
                label: None,
                remaining: Some(Pointer("/gpu_hours_remaining".to_owned())),
                reserved: None,
                limit: None,
                state: None,
                locked: None,
                renews: None,
                expires: None,
            },
            levels: Vec::new(),
            prices: Prices::default(),
            words: Words::default(),
            errors: Errors::default(),
        })
    }
}
