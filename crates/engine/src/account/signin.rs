//! Signing in by OAuth 2: in the browser with PKCE, or with a code on another device. The library makes and understands
//! the questions; [`Http`] carries them.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use oauth2::basic::BasicTokenType;
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, ClientId, CsrfToken, DeviceAuthorizationUrl, DeviceCodeErrorResponseType,
    ExtraTokenFields, HttpRequest, HttpResponse, PkceCodeChallenge, RedirectUrl, RefreshToken, RequestTokenError,
    Scope, StandardDeviceAuthorizationResponse, StandardTokenResponse, TokenResponse as _, TokenUrl,
};
use preflight_core::account::{Answer, Body, Claims, Connector, Reply, Token};
use preflight_core::problem::Problem;
use reqwest::Url;
use serde::{Deserialize, Serialize};

use super::http::{Http, Question, Untold};
use super::loopback::Loopback;
use super::profile::Profile;
use super::vault::Kept;

/// What this app is called where nothing else is said.
const CLIENT: &str = "yolo-preflight";
/// What is asked for where nothing else is said: to be renewed without a person.
const SCOPES: [&str; 2] = ["openid", "offline_access"];
/// How long a person may take in the browser.
const PATIENCE: Duration = Duration::from_secs(600);

/// A step of signing in that a person takes part in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum SignInStep {
    /// The page to sign in on; it opens in the browser.
    Browser {
        /// Its address.
        url: String,
    },
    /// A code to type in on another device.
    Code {
        /// The code.
        code: String,
        /// Where it is typed in.
        url: String,
        /// The same with the code in it; `None`: there is none.
        complete: Option<String>,
        /// Seconds it is good for.
        seconds: u64,
    },
}

/// Called at each such step.
pub type OnStep<'a> = &'a (dyn Fn(SignInStep) + Send + Sync);

/// Where a platform signs people in.
#[derive(Debug, Clone)]
pub(super) struct Provider {
    pub(super) client_id: String,
    scopes: Vec<String>,
    authorization: Option<String>,
    pub(super) token: String,
    device: Option<String>,
    pub(super) revocation: Option<String>,
}

/// What a provider says of itself (OpenID Connect Discovery, RFC 8414).
#[derive(Debug, Deserialize)]
struct Description {
    issuer: String,
    authorization_endpoint: Option<String>,
    token_endpoint: Option<String>,
    device_authorization_endpoint: Option<String>,
    revocation_endpoint: Option<String>,
}

/// What OpenID Connect adds to an answer: who it is that signed in.
#[derive(Debug, Serialize, Deserialize)]
struct Identity {
    id_token: Option<String>,
}

impl ExtraTokenFields for Identity {}

type Granted = StandardTokenResponse<Identity, BasicTokenType>;

/// The library's client, for such answers.
type OAuth = oauth2::Client<
    oauth2::basic::BasicErrorResponse,
    Granted,
    oauth2::basic::BasicTokenIntrospectionResponse,
    oauth2::StandardRevocableToken,
    oauth2::basic::BasicRevocationErrorResponse,
>;

/// What a sign-in brought.
pub(super) struct Granting {
    pub(super) kept: Kept,
    /// What the platform said of the person; it came from it directly, over a connection of its own.
    pub(super) identity: Option<Claims>,
}

impl Provider {
    /// Finds out where a platform signs people in.
    ///
    /// # Errors
    /// `account.no-sign-in` where it does not say, `account.issuer-differs`, `account.unreachable`,
    /// `account.platform-failed`, `account.address-invalid`.
    pub(super) async fn discover(http: &Http, profile: &Profile, connector: &Connector) -> Result<Self, Problem> {
        let issuer = profile.issuer.as_ref().or(connector.sign_in.issuer.as_ref()).unwrap_or(&profile.address);
        let issuer = super::address(issuer)?;
        let described = described(http, &issuer).await?;
        let same = |one: &str, other: &str| one.trim_end_matches('/') == other.trim_end_matches('/');
        if !same(&described.issuer, issuer.as_str()) {
            // RFC 8414, 3.3: whoever answers for another issuer may be after its tokens.
            let problem = Problem::new("account.issuer-differs").with("issuer", issuer.as_str());
            return Err(problem.with("other", described.issuer));
        }
        let none = || Problem::new("account.no-sign-in").with("issuer", issuer.as_str());
        let secure = |endpoint: &Option<String>| {
            let url = endpoint.as_ref().and_then(|url| Url::parse(url).ok());
            // A token that came by a secure way goes no other.
            url.filter(|url| url.scheme() == "https" || issuer.scheme() == "http").map(String::from)
        };
        let client_id = profile.client_id.clone().or_else(|| connector.sign_in.client_id.clone());
        let scopes = connector.sign_in.scopes.clone();
        Ok(Self {
            client_id: client_id.unwrap_or_else(|| CLIENT.to_owned()),
            scopes: if scopes.is_empty() { SCOPES.map(str::to_owned).to_vec() } else { scopes },
            authorization: secure(&described.authorization_endpoint),
            token: secure(&described.token_endpoint).ok_or_else(none)?,
            device: secure(&described.device_authorization_endpoint),
            revocation: secure(&described.revocation_endpoint),
        })
    }

    /// Signs in with a page in the browser, which comes back to this computer (RFC 8252).
    ///
    /// # Errors
    /// `account.no-browser-sign-in`, `account.sign-in-refused`, `account.sign-in-late`, `account.unreachable`.
    pub(super) async fn in_browser(&self, http: &Http, page: &str, tell: OnStep<'_>) -> Result<Granting, Problem> {
        let none = || Problem::new("account.no-browser-sign-in");
        let authorization = self.authorization.clone().ok_or_else(none)?;
        let loopback = Loopback::open().await?;
        let client = OAuth::new(ClientId::new(self.client_id.clone()))
            .set_auth_uri(AuthUrl::new(authorization).map_err(|error| none().because(&error))?)
            .set_token_uri(token_url(&self.token)?)
            .set_auth_type(AuthType::RequestBody)
            .set_redirect_uri(RedirectUrl::new(loopback.address()).map_err(|error| none().because(&error))?);
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let mut request = client.authorize_url(CsrfToken::new_random).set_pkce_challenge(challenge);
        for scope in &self.scopes {
            request = request.add_scope(Scope::new(scope.clone()));
            if scope == "offline_access" {
                // OpenID Connect, 11: without it, being offline is not granted.
                request = request.add_extra_param("prompt", "consent");
            }
        }
        let (url, state) = request.url();
        tell(SignInStep::Browser { url: url.into() });
        let late = |_| Problem::new("account.sign-in-late");
        let code = tokio::time::timeout(PATIENCE, loopback.code(state.secret(), page)).await.map_err(late)??;
        let carry = carrier(http);
        let exchange = client.exchange_code(AuthorizationCode::new(code)).set_pkce_verifier(verifier);
        exchange.request_async(&carry).await.map(granting).map_err(|error| refused(&self.token, error))
    }

    /// Signs in with a code that is typed in on another device (RFC 8628).
    ///
    /// # Errors
    /// `account.no-device-sign-in`, `account.sign-in-refused`, `account.sign-in-late`, `account.unreachable`.
    pub(super) async fn on_device(&self, http: &Http, tell: OnStep<'_>) -> Result<Granting, Problem> {
        let none = || Problem::new("account.no-device-sign-in");
        let device = self.device.clone().ok_or_else(none)?;
        let client = OAuth::new(ClientId::new(self.client_id.clone()))
            .set_token_uri(token_url(&self.token)?)
            .set_auth_type(AuthType::RequestBody)
            .set_device_authorization_url(
                DeviceAuthorizationUrl::new(device.clone()).map_err(|error| none().because(&error))?,
            );
        let carry = carrier(http);
        let scopes = self.scopes.iter().cloned().map(Scope::new);
        let asked = client.exchange_device_code().add_scopes(scopes).request_async(&carry).await;
        let details: StandardDeviceAuthorizationResponse = asked.map_err(|error| refused(&device, error))?;
        tell(SignInStep::Code {
            code: details.user_code().secret().clone(),
            url: details.verification_uri().to_string(),
            complete: details.verification_uri_complete().map(|url| url.secret().clone()),
            seconds: details.expires_in().as_secs(),
        });
        let granted =
            client.exchange_device_access_token(&details).request_async(&carry, tokio::time::sleep, None).await;
        granted.map(granting).map_err(|error| match &error {
            RequestTokenError::ServerResponse(said) => match said.error() {
                DeviceCodeErrorResponseType::ExpiredToken => Problem::new("account.sign-in-late"),
                _ => Problem::new("account.sign-in-refused").because_text(said.to_string()),
            },
            RequestTokenError::Request(untold) => unreachable(&self.token, untold),
            _ => not_understood(&self.token),
        })
    }
}

/// Gets the next token with the one that is there for it.
///
/// # Errors
/// `account.grant-ended` where nothing but a new sign-in helps, `account.sign-in-refused`, `account.unreachable`.
pub(super) async fn renew(http: &Http, endpoint: &str, client_id: &str, refresh: &str) -> Result<Kept, Problem> {
    let client = OAuth::new(ClientId::new(client_id.to_owned()))
        .set_token_uri(token_url(endpoint)?)
        .set_auth_type(AuthType::RequestBody);
    let carry = carrier(http);
    let token = RefreshToken::new(refresh.to_owned());
    let granted = client.exchange_refresh_token(&token).request_async(&carry).await;
    let mut next = granted.map(granting).map_err(|error| refused(endpoint, error))?.kept;
    // Where it is not replaced, it stays.
    next.refresh.get_or_insert_with(|| refresh.to_owned());
    Ok(next)
}

async fn described(http: &Http, issuer: &Url) -> Result<Description, Problem> {
    let base = issuer.as_str().trim_end_matches('/');
    let path = issuer.path().trim_end_matches('/');
    let origin = issuer.origin().ascii_serialization();
    let places = [
        format!("{base}/.well-known/openid-configuration"),
        format!("{origin}/.well-known/oauth-authorization-server{path}"),
    ];
    let none = || Problem::new("account.no-sign-in").with("issuer", issuer.as_str());
    let mut failed = None;
    for place in places {
        let Ok(url) = Url::parse(&place) else { continue };
        match http.ask(Question::get(url)).await.reply {
            Reply::Answered { answer: Answer { status: 200, body: Body::Json { value }, .. } } => {
                if let Ok(described) = serde_json::from_value(value) {
                    return Ok(described);
                }
            }
            // That it is not well says nothing about whether it signs people in.
            Reply::Answered { answer: Answer { status: status @ 500.., .. } } => {
                let problem = Problem::new("account.platform-failed").with("status", u32::from(status));
                failed = Some(problem.with("platform", super::host(issuer)));
            }
            Reply::Failed { trouble, causes } => {
                failed = Some(unreachable(issuer.as_str(), &Untold { trouble, causes }));
            }
            Reply::Answered { .. } | Reply::NotAsked => {}
        }
    }
    Err(failed.unwrap_or_else(none))
}

fn token_url(url: &str) -> Result<TokenUrl, Problem> {
    let invalid = |error| Problem::new("account.address-invalid").with("address", url).because(&error);
    TokenUrl::new(url.to_owned()).map_err(invalid)
}

type Carried = Pin<Box<dyn Future<Output = Result<HttpResponse, Untold>> + Send>>;

/// [`Http`] as the library wants it.
fn carrier(http: &Http) -> impl Fn(HttpRequest) -> Carried {
    let http = http.clone();
    move |request| {
        let http = http.clone();
        Box::pin(async move { http.carry(request).await })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "what was granted is done with")]
fn granting(granted: Granted) -> Granting {
    let now = now_s();
    let identity = granted.extra_fields().id_token.as_deref().map(Token::read);
    let identity = identity.and_then(|token| token.claims().cloned());
    let kept = Kept {
        access: granted.access_token().secret().clone(),
        refresh: granted.refresh_token().map(|token| token.secret().clone()),
        expires_s: granted.expires_in().map(|lasts| now + lasts.as_secs_f64()),
        received_s: now,
    };
    Granting { kept, identity }
}

/// Seconds since 1970 UTC.
pub(super) fn now_s() -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "exact below 2^53")]
    let now = crate::preflight::now_ms() as f64;
    now / 1000.0
}

type Refused = RequestTokenError<Untold, oauth2::basic::BasicErrorResponse>;

/// Why nothing was granted. What the library read is not shown: there may be a token in it.
#[expect(clippy::needless_pass_by_value, reason = "what failed is done with")]
fn refused(endpoint: &str, error: Refused) -> Problem {
    match &error {
        RequestTokenError::ServerResponse(said) => {
            let is_over = matches!(said.error(), oauth2::basic::BasicErrorResponseType::InvalidGrant);
            let code = if is_over { "account.grant-ended" } else { "account.sign-in-refused" };
            Problem::new(code).because_text(said.to_string())
        }
        RequestTokenError::Request(untold) => unreachable(endpoint, untold),
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => not_understood(endpoint),
    }
}

fn unreachable(address: &str, untold: &Untold) -> Problem {
    let host = Url::parse(address).map_or_else(|_| address.to_owned(), |url| super::host(&url));
    let problem = Problem::new("account.unreachable").with("platform", host).because_text(untold.trouble.name());
    untold.causes.iter().fold(problem, |problem, cause| problem.because_text(cause.as_str()))
}

fn not_understood(endpoint: &str) -> Problem {
    let host = Url::parse(endpoint).map_or_else(|_| endpoint.to_owned(), |url| super::host(&url));
    Problem::new("account.answer-not-understood").with("platform", host)
}

/// Tells the platform that a token is no longer wanted; whether it heard.
pub(super) async fn revoke(http: &Http, endpoint: &str, client_id: &str, token: &str) -> bool {
    let Ok(url) = Url::parse(endpoint) else { return false };
    let body = {
        let mut form = oauth2::url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("token", token).append_pair("client_id", client_id);
        form.finish().into_bytes()
    };
    let request = oauth2::http::Request::post(url.as_str()).header("content-type", "application/x-www-form-urlencoded");
    let Ok(request) = request.body(body) else { return false };
    http.carry(request).await.is_ok_and(|answer| answer.status().is_success())
}
