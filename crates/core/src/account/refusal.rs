//! What an answer other than the budget means, and what kept an answer away.

use serde_json::Value;

use super::connector::Connector;
use super::look::{Answer, Body, Look, Trouble};
use super::quota::{LevelState, excerpt, explain, look_again, unknown};
use crate::finding::{Action, Applicability, Evidence, Finding, Remedy, Stage, Verb};

const STAGE: Stage = Stage::Quota;

/// Where platforms say why they refuse.
const CODES: [&str; 7] = ["/error/code", "/error/type", "/error/status", "/code", "/errorCode", "/reason", "/error"];
const MESSAGES: [&str; 8] = [
    "/error/message",
    "/message",
    "/detail",
    "/error_description",
    "/error/detail",
    "/error/description",
    "/title",
    "/error",
];

/// What an answer says in its own words.
struct Said {
    code: String,
    message: String,
    /// Everything it says, in lower case.
    all: String,
}

impl Said {
    fn of(connector: &Connector, answer: &Answer) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let (mut code, mut message) = (None, None);
        if let Body::Json { value } = &answer.body {
            let at = |pointers: &[&str]| pointers.iter().find_map(|pointer| value.pointer(pointer).and_then(text));
            let own = |pointer: Option<&super::connector::Pointer>| {
                pointer.and_then(|pointer| pointer.of(value)).and_then(text)
            };
            code = own(connector.errors.code.as_ref()).or_else(|| at(&CODES));
            message = own(connector.errors.message.as_ref()).or_else(|| at(&MESSAGES));
        }
        let (code, message) = (code.unwrap_or_default(), message.unwrap_or_default());
        let challenge = answer.challenge.as_deref().unwrap_or_default();
        let all = format!("{code} {message} {challenge}").to_lowercase().replace(['-', ' '], "_");
        Self { code, message, all }
    }

    fn has(&self, parts: &[&str]) -> bool {
        parts.iter().any(|part| self.all.contains(part))
    }
}

/// What was seen of an answer.
fn seen(mut finding: Finding, look: &Look, answer: &Answer, said: &Said) -> Finding {
    finding = finding.with("platform", look.platform.as_str()).with("status", f64::from(answer.status));
    finding = finding.seen(Evidence::value("fact-http-status", format!("{} · {}", answer.status, answer.url)));
    let words = [said.code.as_str(), said.message.as_str()];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let shown = match (&answer.body, words.is_empty()) {
        (_, false) => Some(words.join(": ")),
        (Body::Json { value }, true) => Some(excerpt(value)),
        (Body::Page { title }, true) => title.clone(),
        (Body::Other { text }, true) => Some(text.clone()),
        (Body::Empty, true) => answer.challenge.clone(),
    };
    match shown.filter(|shown| !shown.is_empty()) {
        Some(shown) => finding.seen(Evidence::value("fact-answer", shown.chars().take(300).collect::<String>())),
        None => finding,
    }
}

pub(super) fn sign_in(look: &Look) -> Remedy {
    let profile = look.profile.clone();
    match profile {
        Some(profile) => Remedy::new("sign-in", Applicability::NeedsChoice, Action::SignIn { profile }),
        None => explain("set-token"),
    }
}

/// What an answer without a budget means, at the stage that it is about.
pub(super) fn of_answer(look: &Look, connector: &Connector, answer: &Answer) -> Vec<Finding> {
    let said = Said::of(connector, answer);
    let finding = match answer.status {
        200..=299 => of_success(answer),
        401 => return of_unauthorised(look, answer, &said),
        402 => of_budget(&said).unwrap_or_else(|| {
            Finding::blocker(STAGE, "payment-required", Verb::Ask)
                .remedy(explain("ask-for-budget"))
                .remedy(look_again())
        }),
        403 | 423 => match of_budget(&said) {
            Some(finding) => finding,
            None if answer.status == 423 => locked(),
            None if said.has(&["audience"]) => wrong_audience(look),
            None if said.has(&["expired"]) => expired(look),
            None => Finding::blocker(Stage::Auth, "not-permitted", Verb::Ask).remedy(explain("ask-for-permission")),
        },
        404 | 410 => unknown("no-such-path").verb(Verb::Change).remedy(explain("check-address")),
        407 => unknown("proxy-asks").verb(Verb::Change).remedy(explain("set-proxy")),
        429 => of_budget(&said).unwrap_or_else(|| too_many(answer)),
        511 => unknown("portal").verb(Verb::Change).remedy(explain("sign-in-to-network")),
        500..=599 => match of_budget(&said) {
            Some(finding) => finding,
            None if said.has(&["billing"]) => Finding::blocker(STAGE, "billing-incident", Verb::Wait)
                .with("level", "")
                .with("named", "no")
                .with("balance", "")
                .remedy(look_again()),
            None => unknown("server-failed").verb(Verb::Wait),
        },
        _ => unknown("refused").verb(Verb::Ask),
    };
    vec![seen(finding, look, answer, &said)]
}

fn of_success(answer: &Answer) -> Finding {
    match &answer.body {
        Body::Page { .. } => unknown("page-instead").verb(Verb::Change).remedy(explain("check-address")),
        _ => unknown("not-json").verb(Verb::Change).remedy(explain("check-address")),
    }
}

fn locked() -> Finding {
    Finding::blocker(STAGE, "locked", Verb::Ask)
        .with("level", "")
        .with("named", "no")
        .with("balance", "")
        .remedy(explain("ask-to-unlock"))
        .remedy(look_again())
}

/// A refusal that is about the budget.
fn of_budget(said: &Said) -> Option<Finding> {
    // Words about tokens are no words about budgets.
    let about_budget = said.has(&[
        "budget",
        "quota",
        "credit",
        "billing",
        "balance",
        "organization",
        "organisation",
        "account",
        "spend",
        "key_",
    ]);
    let state = Connector::default().state_of(&said.all).filter(|_| about_budget);
    let blocked = |what, verb, remedy| {
        Finding::blocker(STAGE, what, verb)
            .with("level", "")
            .with("named", "no")
            .with("balance", "")
            .remedy(explain(remedy))
            .remedy(look_again())
    };
    match state? {
        LevelState::Open => None,
        LevelState::Locked => Some(locked()),
        LevelState::Suspended => Some(blocked("suspended", Verb::Ask, "ask-to-unlock")),
        LevelState::Expired => Some(blocked("expired", Verb::Ask, "ask-for-budget")),
        LevelState::KeyLimit => Some(blocked("key-limit", Verb::Ask, "raise-key-limit")),
        LevelState::Incident => Some(blocked("billing-incident", Verb::Wait, "wait-for-platform")),
    }
}

fn too_many(answer: &Answer) -> Finding {
    let wait = answer.retry_after_s.unwrap_or(0);
    unknown("too-many-requests").verb(Verb::Wait).with("wait", wait)
}

fn wrong_audience(look: &Look) -> Finding {
    Finding::blocker(Stage::Auth, "wrong-audience", Verb::Change).with("audience", "").remedy(sign_in(look))
}

fn expired(look: &Look) -> Finding {
    Finding::blocker(Stage::Auth, "token-expired", Verb::Change).with("ago", 0.0).remedy(sign_in(look))
}

fn of_unauthorised(look: &Look, answer: &Answer, said: &Said) -> Vec<Finding> {
    let blocked = |what| Finding::blocker(Stage::Auth, what, Verb::Change).remedy(sign_in(look));
    let finding = if said.has(&["revoked", "logged_out", "invalidated"]) {
        blocked("token-revoked")
    } else if said.has(&["not_yet_valid", "nbf", "issued_in_the_future", "used_before"]) {
        Finding::blocker(Stage::Auth, "token-not-yet-valid", Verb::Wait)
            .with("wait", 0.0)
            .remedy(explain("correct-clock"))
            .remedy(look_again())
    } else if said.has(&["expired"]) && !said.has(&["or_expired", "expired_or"]) {
        // "Invalid or expired" says neither.
        expired(look)
    } else if said.has(&["audience", "_aud_"]) {
        wrong_audience(look)
    } else {
        blocked("token-refused")
    };
    let not_known = unknown("not-allowed-to-see").with("platform", look.platform.as_str());
    vec![seen(finding, look, answer, said), not_known]
}

/// What kept an answer away.
pub(super) fn of_trouble(look: &Look, trouble: Trouble, causes: &[String]) -> Finding {
    let (verb, remedy) = match trouble {
        Trouble::NoSuchHost
        | Trouble::NobodyListens
        | Trouble::TlsFailed
        | Trouble::NotUnderstood
        | Trouble::SentElsewhere => (Verb::Change, Some("check-address")),
        Trouble::CertificateRefused => (Verb::Ask, Some("install-certificate")),
        Trouble::ProxyFailed | Trouble::ProxyAsks => (Verb::Change, Some("set-proxy")),
        Trouble::Portal => (Verb::Change, Some("sign-in-to-network")),
        Trouble::TimedOut | Trouble::CutOff => (Verb::Wait, None),
        Trouble::TooLarge => (Verb::Change, Some("check-address")),
    };
    let mut finding = unknown(trouble.name()).verb(verb).with("platform", look.platform.as_str());
    for cause in causes.iter().take(4) {
        finding = finding.seen(Evidence::value("fact-system-says", cause.as_str()));
    }
    match remedy {
        Some(remedy) => finding.remedy(explain(remedy)),
        None => finding,
    }
}
