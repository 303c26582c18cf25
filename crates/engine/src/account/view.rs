//! What the window shows of an account, and what it asks for. No token ever comes back out.

use std::path::Path;

use preflight_core::account::{Portrait, judge};
use preflight_core::finding::Finding;
use preflight_core::problem::Problem;
use preflight_core::secret::Secret;
use serde::{Deserialize, Serialize};

use super::{Account, Balance, OnStep, Way};
use crate::Engine;

/// An account after the platform was asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct AccountView {
    /// What was seen.
    pub portrait: Portrait,
    /// What there is to say about it, without a plan.
    pub findings: Vec<Finding>,
    /// What was left at earlier times, oldest first.
    pub history: Vec<Balance>,
}

/// What a connector file says, for the person who chose it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct ConnectorView {
    /// What it calls itself.
    pub name: String,
    /// Where it asks, below the platform's address.
    pub asks: String,
    /// What it counts.
    pub counts: String,
}

/// Reads a connector file.
///
/// # Errors
/// Those of [`super::connector`].
pub fn connector_view(path: &Path) -> Result<ConnectorView, Problem> {
    let connector = super::connector(Some(&path.to_string_lossy()))?;
    let (asks, counts) = (connector.quota.path.as_str().to_owned(), connector.symbol().to_owned());
    Ok(ConnectorView { name: connector.name, asks, counts })
}

/// How a person signs in from the window.
#[derive(Clone, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum SignInWay {
    /// On a page in the browser.
    Browser,
    /// With a code, on any device.
    Device,
    /// With a token that was given to them; it goes in and never comes out.
    Pasted {
        /// The token.
        token: String,
    },
}

impl std::fmt::Debug for SignInWay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Browser => "Browser",
            Self::Device => "Device",
            Self::Pasted { .. } => "Pasted",
        })
    }
}

/// Asks the platform of a profile.
///
/// # Errors
/// Those of [`super::look_at`].
pub async fn view(engine: &Engine, name: &str) -> Result<AccountView, Problem> {
    let (look, connector) = super::look_at(engine, name).await?;
    // What the chain said before is older now.
    engine.observations().forget_account();
    let findings = judge(&look, &connector, None, super::threshold(&engine.settings()));
    Ok(AccountView { portrait: look.portrait(&connector), findings, history: super::history(engine, name)? })
}

/// How often is looked whether a token is to be renewed.
const PACE: std::time::Duration = std::time::Duration::from_secs(60);
/// A token that ends later than this, in seconds, is not looked at: no keychain is opened for it.
const FAR: f64 = 4000.0;

/// Renews tokens before they end, for as long as it is awaited. What cannot be renewed is found when it is used.
pub async fn keep_fresh(engine: &Engine) {
    loop {
        tokio::time::sleep(PACE).await;
        let now = super::signin::now_s();
        for account in super::list(engine) {
            let is_near = account
                .signed_in
                .is_some_and(|known| known.renewable && known.expires_s.is_some_and(|expires| expires - now < FAR));
            if is_near {
                // It is asked for again when it is needed.
                let _ = super::looker(engine, &account.name).renew().await;
            }
        }
    }
}

/// Signs in, one at a time: another sign-in ends the one that is under way.
///
/// # Errors
/// Those of [`super::sign_in`].
pub async fn sign_in_from_window(
    engine: &Engine,
    name: &str,
    way: SignInWay,
    tell: OnStep<'_>,
) -> Result<Account, Problem> {
    let cancel = engine.signing_in().replace();
    let way = match way {
        SignInWay::Browser => Way::Browser,
        SignInWay::Device => Way::Device,
        SignInWay::Pasted { token } => Way::Pasted(Secret::new(token)),
    };
    let open = |step: super::SignInStep| {
        if let super::SignInStep::Browser { url } = &step {
            let url = url.clone();
            // Where no browser opens, the window shows the address.
            tokio::task::spawn_blocking(move || crate::desktop::open_sign_in(&url));
        }
        tell(step);
    };
    let signed_in = super::sign_in(engine, name, way, &open, cancel).await;
    engine.observations().forget_account();
    signed_in
}
