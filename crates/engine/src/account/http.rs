//! One question to a platform: bounded in size and time, and a token that goes nowhere else.

use std::time::Duration;

use jiff::Timestamp;
use preflight_core::account::{Answer, Auth, Body, Reply, Style, Trouble};
use preflight_core::problem::Problem;
use preflight_core::secret::Secret;
use reqwest::header::{AGE, CONTENT_TYPE, DATE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode, Url};

use crate::environment::{causes, shown, title};
use crate::settings::Settings;

/// No budget, no token and no description of a sign-in is larger.
const LARGEST: usize = 1 << 20;
/// How long an answer may take in all, however slowly it drips.
const PATIENCE: Duration = Duration::from_secs(20);
/// Answers that send to another place of the same origin, one after the other.
const MOST_REDIRECTS: usize = 5;

/// How a platform is spoken to.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    client: Client,
    proxy: Option<String>,
    patience: Duration,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) reply: Reply,
    /// Seconds that the platform's clock is ahead of this computer's; `None`: it did not tell the time.
    pub(crate) skew_s: Option<i64>,
}

/// What is asked.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    url: Url,
    /// Sent with it, and to no other origin.
    token: Option<(&'a Auth, &'a Secret)>,
}

impl<'a> Question<'a> {
    pub(crate) fn get(url: Url) -> Self {
        Self { url, token: None }
    }

    pub(crate) fn with_token(self, auth: &'a Auth, token: &'a Secret) -> Self {
        Self { token: Some((auth, token)), ..self }
    }
}

/// Why no answer came.
#[derive(Debug, thiserror::Error)]
#[error("{}", trouble.name())]
pub(crate) struct Untold {
    pub(crate) trouble: Trouble,
    pub(crate) causes: Vec<String>,
}

/// A whole answer.
struct Whole {
    status: StatusCode,
    /// For a person to read.
    url: String,
    headers: HeaderMap,
    content: Vec<u8>,
    skew_s: Option<i64>,
}

impl Whole {
    fn reply(self, asked: &Url) -> Reply {
        let header =
            |name| self.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).map(str::to_owned);
        if self.status.is_redirection() {
            return elsewhere(asked, self.status, &header(LOCATION).unwrap_or_default());
        }
        let body = body(&header(CONTENT_TYPE).unwrap_or_default(), &self.content);
        let answer = Answer {
            status: self.status.as_u16(),
            retry_after_s: header(RETRY_AFTER).and_then(|text| retry_after(&text)),
            challenge: header(WWW_AUTHENTICATE),
            url: self.url,
            body,
        };
        Reply::Answered { answer }
    }
}

impl Http {
    /// A client that goes the way the settings describe: system certificates, proxy, the company's authority.
    ///
    /// # Errors
    /// `environment.source-invalid`, `environment.certificates-unreadable`, `environment.tls-unavailable`.
    pub(crate) fn new(settings: &Settings) -> Result<Self, Problem> {
        let same_origin = Policy::custom(|attempt| {
            let is_same = attempt.previous().last().is_some_and(|from| from.origin() == attempt.url().origin());
            if is_same && attempt.previous().len() <= MOST_REDIRECTS { attempt.follow() } else { attempt.stop() }
        });
        let client = crate::environment::client_that(settings, same_origin)?;
        Ok(Self { client, proxy: crate::environment::proxy(settings)?, patience: PATIENCE })
    }

    /// Less patient, for tests.
    pub(crate) fn within(self, patience: Option<Duration>) -> Self {
        Self { patience: patience.unwrap_or(self.patience), ..self }
    }

    /// Asks, and waits for the whole answer.
    pub(crate) async fn ask(&self, question: Question<'_>) -> Heard {
        let url = question.url.clone();
        let mut request = self.client.get(question.url).header("Accept", "application/json");
        if let Some((auth, token)) = question.token {
            let Some((name, value)) = header(auth, token) else {
                let reply = Reply::Failed { trouble: Trouble::NotUnderstood, causes: Vec::new() };
                return Heard { reply, skew_s: None };
            };
            request = request.header(name, value);
        }
        match self.exchange(request).await {
            Ok(whole) => Heard { skew_s: whole.skew_s, reply: whole.reply(&url) },
            Err(Untold { trouble, causes }) => Heard { reply: Reply::Failed { trouble, causes }, skew_s: None },
        }
    }

    /// Carries a question of the OAuth library, which makes and understands them.
    pub(crate) async fn carry(&self, request: oauth2::HttpRequest) -> Result<oauth2::HttpResponse, Untold> {
        let not_understood =
            |error: &dyn std::error::Error| Untold { trouble: Trouble::NotUnderstood, causes: vec![error.to_string()] };
        let (parts, body) = request.into_parts();
        let url = Url::parse(&parts.uri.to_string()).map_err(|error| not_understood(&error))?;
        let request = self.client.request(parts.method, url).headers(parts.headers).body(body);
        let whole = self.exchange(request).await?;
        let mut response = oauth2::http::Response::new(whole.content);
        *response.status_mut() = whole.status;
        *response.headers_mut() = whole.headers;
        Ok(response)
    }

    async fn exchange(&self, request: reqwest::RequestBuilder) -> Result<Whole, Untold> {
        let asked = Timestamp::now();
        let whole = async {
            let mut response = request.send().await.map_err(|error| self.trouble(error))?;
            let too_large = || Untold { trouble: Trouble::TooLarge, causes: Vec::new() };
            if response.content_length().is_some_and(|length| length > LARGEST as u64) {
                return Err(too_large());
            }
            let broken = |error: reqwest::Error| Untold { trouble: Trouble::CutOff, causes: causes(&error) };
            let mut content = Vec::new();
            while let Some(chunk) = response.chunk().await.map_err(broken)? {
                if content.len() + chunk.len() > LARGEST {
                    return Err(too_large());
                }
                content.extend_from_slice(&chunk);
            }
            let (status, url, headers) = (response.status(), shown(response.url()), response.headers().clone());
            Ok(Whole { status, url, skew_s: skew(&headers, asked), headers, content })
        };
        let late = |_| Err(Untold { trouble: Trouble::TimedOut, causes: Vec::new() });
        tokio::time::timeout(self.patience, whole).await.unwrap_or_else(late)
    }

    /// What kept the answer away, by what the libraries say.
    fn trouble(&self, error: reqwest::Error) -> Untold {
        // A name such as `ssl.example.com` or a port of 4070 would be taken for what is the matter.
        let error = error.without_url();
        let causes = causes(&error);
        let about = causes.join(" ").to_lowercase();
        let has = |texts: &[&str]| texts.iter().any(|text| about.contains(text));
        let trouble = if has(&["proxy authorization required", "proxy authentication required"]) {
            Trouble::ProxyAsks
        } else if has(&["unknownissuer", "invalid peer certificate", "certificate"]) {
            Trouble::CertificateRefused
        } else if self.proxy.is_some() && error.is_connect() {
            Trouble::ProxyFailed
        } else if has(&["dns error", "failed to lookup address", "name resolution", "no such host"]) {
            Trouble::NoSuchHost
        } else if error.is_timeout() || has(&["timed out"]) {
            Trouble::TimedOut
        } else if has(&["handshake", "tls", "ssl", "invalidcontenttype", "corrupt message"]) {
            Trouble::TlsFailed
        } else if has(&["connection refused", "actively refused", "unreachable", "no route"]) {
            Trouble::NobodyListens
        } else if has(&["before message completed", "connection reset", "broken pipe", "end of file", "eof"]) {
            Trouble::CutOff
        } else if error.is_connect() {
            Trouble::NobodyListens
        } else {
            Trouble::NotUnderstood
        };
        Untold { trouble, causes }
    }
}

/// The header that carries a token; `None`: it holds what no header can.
fn header(auth: &Auth, token: &Secret) -> Option<(String, HeaderValue)> {
    let (name, text) = match (auth.style, &auth.header) {
        (Style::Header, Some(name)) => (name.as_str().to_owned(), token.expose().to_owned()),
        _ => ("Authorization".to_owned(), format!("Bearer {}", token.expose())),
    };
    let mut value = HeaderValue::from_str(&text).ok()?;
    // It is not shown where headers are.
    value.set_sensitive(true);
    Some((name, value))
}

/// An answer that sends to another origin, where nothing of ours goes.
fn elsewhere(from: &Url, status: StatusCode, to: &str) -> Reply {
    let target = from.join(to).ok();
    let shown = target.as_ref().map_or_else(|| to.to_owned(), shown);
    // Networks send to their sign-in page whatever is asked in plain HTTP.
    let words = ["captive", "portal", "hotspot", "wifi", "wlan", "guest", "login", "signin"];
    let lower = shown.to_lowercase();
    let is_portal = from.scheme() == "http"
        && target.is_some_and(|target| target.host_str() != from.host_str())
        && words.iter().any(|word| lower.contains(word));
    let trouble = if is_portal { Trouble::Portal } else { Trouble::SentElsewhere };
    Reply::Failed { trouble, causes: vec![format!("{} → {shown}", status.as_u16())] }
}

/// What an answer holds, by its content: many services call JSON text, and some call pages JSON.
fn body(kind: &str, content: &[u8]) -> Body {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content).trim_ascii();
    if content.is_empty() {
        return Body::Empty;
    }
    if let Ok(value) = serde_json::from_slice(content) {
        return Body::Json { value };
    }
    let text = String::from_utf8_lossy(content);
    if kind.to_ascii_lowercase().contains("html") || text.starts_with('<') {
        return Body::Page { title: title(&text) };
    }
    Body::Other { text: text.chars().filter(|c| !c.is_control()).take(200).collect() }
}

fn retry_after(text: &str) -> Option<u64> {
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let wait = date(text)?.as_second() - Timestamp::now().as_second();
        Some(u64::try_from(wait).unwrap_or(0))
    })
}

fn date(text: &str) -> Option<Timestamp> {
    jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok()
}

/// Compares the clocks, by the middle of the time that the question took. An answer out of a store tells old times.
fn skew(headers: &HeaderMap, asked: Timestamp) -> Option<i64> {
    if headers.contains_key(AGE) {
        return None;
    }
    let there = date(headers.get(DATE)?.to_str().ok()?)?;
    let middle = asked.as_millisecond().midpoint(Timestamp::now().as_millisecond());
    Some((there.as_millisecond() - middle) / 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_judged_by_its_content() {
        let json = |kind, content: &str| matches!(body(kind, content.as_bytes()), Body::Json { .. });
        assert!(json("text/plain", "\u{feff} {\"a\": 1}\n") && json("text/html", "[1]"));
        assert_eq!(body("application/json", b" \n"), Body::Empty);
        let page = Body::Page { title: Some("Sign in".to_owned()) };
        assert_eq!(body("application/json", b"<html><title>Sign in</title>"), page);
        assert_eq!(body("", b"fine\x1b[31m\n"), Body::Other { text: "fine[31m".to_owned() });
    }

    #[test]
    fn times_of_headers_are_understood() {
        assert_eq!(retry_after("90"), Some(90));
        assert_eq!(retry_after("Tue, 01 Dec 2020 01:22:56 GMT"), Some(0));
        assert_eq!(retry_after("soon"), None);
        let mut headers = HeaderMap::new();
        headers.insert(DATE, "Tue, 01 Dec 2026 01:00:00 GMT".parse().unwrap());
        assert!(skew(&headers, Timestamp::now()).is_some());
        headers.insert(AGE, "10".parse().unwrap());
        assert_eq!(skew(&headers, Timestamp::now()), None);
    }
}
