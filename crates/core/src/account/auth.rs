//! Whether the token opens the account, and for how long.

use super::claims::{Claims, TokenFault};
use super::connector::Connector;
use super::finish::Need;
use super::look::{Look, Reply, Source, TokenState};
use super::quota::{explain, look_again, moment};
use super::refusal::{self, sign_in};
use crate::finding::{Evidence, Finding, Severity, Stage, Verb};
use crate::text::Message;

const STAGE: Stage = Stage::Auth;

/// Clocks that differ by less do no harm: tokens are checked with about a minute's tolerance.
const SKEW: i64 = 90;
/// A token that ends so soon is worth a word, in seconds.
const SOON: f64 = 24.0 * 3600.0;
/// How long a training may wait in a queue that nobody knows: until the next working day.
const QUEUE: f64 = 12.0 * 3600.0;

pub(super) fn judge(look: &Look, connector: &Connector, need: Option<&Need>) -> Vec<Finding> {
    let mut findings = of_token(look, connector, need);
    findings.extend(clock(look));
    let about = |finding: Finding| finding.with("platform", look.platform.as_str());
    findings.into_iter().map(about).collect()
}

fn of_token(look: &Look, connector: &Connector, need: Option<&Need>) -> Vec<Finding> {
    let blocked = |what| Finding::blocker(STAGE, what, Verb::Change);
    match &look.token.state {
        TokenState::Missing => {
            return vec![blocked("not-signed-in").remedy(sign_in(look)).remedy(explain("set-token-variable"))];
        }
        TokenState::Unreadable { why } => {
            let remedy = match &look.token.source {
                Source::File => "give-passphrase",
                _ if why.id == "problem-account-keychain-absent" => "keep-elsewhere",
                _ => "unlock-keychain",
            };
            return vec![Finding::unknown(STAGE, "token-unreadable", why).verb(Verb::Change).remedy(explain(remedy))];
        }
        TokenState::Malformed { fault } => {
            let why = Evidence::Value { name: Message::new(reason(*fault)), value: String::new() };
            return vec![from(blocked("not-a-token").seen(why).remedy(sign_in(look)), look)];
        }
        TokenState::Present { .. } => {}
    }
    let TokenState::Present { claims, expires_s, renewable, not_renewed } = &look.token.state else {
        return Vec::new();
    };
    // What the platform says of the token counts before what the token says of itself.
    if let Reply::Answered { answer } = &look.reply {
        let refused = refusal::of_answer(look, connector, answer);
        let refused: Vec<Finding> = refused
            .into_iter()
            .filter(|finding| finding.stage == STAGE)
            .map(|finding| from(with_claims(finding, look, claims.as_ref(), *expires_s), look))
            .collect();
        if !refused.is_empty() {
            return refused;
        }
    }
    let is_accepted = is_accepted(look);
    let now = look.now_s();
    if !is_accepted && let Some(finding) = by_itself(look, connector, claims.as_ref(), *expires_s, now) {
        return vec![from(finding, look)];
    }
    let mut findings = Vec::new();
    if let Some(why) = not_renewed {
        let why = Evidence::Value { name: why.clone(), value: String::new() };
        findings.push(Finding::warning(STAGE, "not-renewed").verb(Verb::Change).seen(why).remedy(sign_in(look)));
    }
    if let Some(expires) = expires_s.filter(|_| !*renewable) {
        findings.extend(outlives(look, expires, now, need));
    }
    if findings.iter().all(|finding| finding.severity < Severity::Warning) {
        let account = claims.as_ref().and_then(|claims| claims.account.as_deref()).unwrap_or_default();
        findings.push(if is_accepted {
            Finding::ok(STAGE, "accepted").with("account", account)
        } else {
            Finding::unknown(STAGE, "unproven", &Message::new("reason-platform-silent"))
        });
    }
    findings.into_iter().map(|finding| from(finding, look)).collect()
}

/// Whether the platform took the token: it answered with a budget, or with a word about it.
fn is_accepted(look: &Look) -> bool {
    match &look.reply {
        Reply::Answered { answer } => {
            matches!(answer.status, 402 | 403 | 423)
                || (200..300).contains(&answer.status) && matches!(answer.body, super::look::Body::Json { .. })
        }
        _ => false,
    }
}

/// What the token says of itself, where the platform did not say.
fn by_itself(
    look: &Look,
    connector: &Connector,
    claims: Option<&Claims>,
    expires_s: Option<f64>,
    now: f64,
) -> Option<Finding> {
    if let Some(expires) = expires_s.filter(|expires| *expires <= now) {
        let finding = Finding::blocker(STAGE, "token-expired", Verb::Change).with("ago", now - expires);
        return Some(finding.seen(Evidence::value("fact-token-ends", moment(expires))).remedy(sign_in(look)));
    }
    let claims = claims?;
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let begins = claims.not_before_s.filter(|begins| *begins > now + SKEW as f64);
    if let Some(begins) = begins {
        let finding = Finding::blocker(STAGE, "token-not-yet-valid", Verb::Wait).with("wait", begins - now);
        let finding = finding.seen(Evidence::value("fact-token-begins", moment(begins)));
        return Some(finding.remedy(explain("correct-clock")).remedy(look_again()));
    }
    let wanted = connector.auth.audience.as_ref()?;
    if !claims.audience.is_empty() && !claims.audience.contains(wanted) {
        let finding = Finding::blocker(STAGE, "wrong-audience", Verb::Change).with("audience", wanted.as_str());
        let finding = finding.seen(Evidence::value("fact-token-audience", claims.audience.join(", ")));
        return Some(finding.remedy(sign_in(look)));
    }
    None
}

/// A refusal, with what the token says about it.
fn with_claims(mut finding: Finding, look: &Look, claims: Option<&Claims>, expires_s: Option<f64>) -> Finding {
    let now = look.now_s();
    match (finding.code.as_str(), expires_s) {
        ("auth.token-refused", Some(expires)) if expires <= now => {
            // It gave no reason, and the token has a good one.
            finding.code = "auth.token-expired".to_owned();
            finding = finding.with("ago", now - expires).seen(Evidence::value("fact-token-ends", moment(expires)));
        }
        ("auth.token-expired", Some(expires)) => {
            finding =
                finding.with("ago", (now - expires).max(0.0)).seen(Evidence::value("fact-token-ends", moment(expires)));
        }
        _ => {}
    }
    if let Some(begins) = claims.and_then(|claims| claims.not_before_s).filter(|begins| *begins > now)
        && matches!(finding.code.as_str(), "auth.token-not-yet-valid")
    {
        finding = finding.with("wait", begins - now).seen(Evidence::value("fact-token-begins", moment(begins)));
    }
    finding
}

/// A token that cannot be renewed has to last through the queue and the run.
fn outlives(look: &Look, expires: f64, now: f64, need: Option<&Need>) -> Option<Finding> {
    let left = expires - now;
    let about = |finding: Finding| {
        let finding = finding.with("left", left.max(0.0)).seen(Evidence::value("fact-token-ends", moment(expires)));
        finding.remedy(sign_in(look))
    };
    let Some(need) = need else {
        return (left < SOON).then(|| about(Finding::warning(STAGE, "ends-soon").verb(Verb::Change)));
    };
    let during = |finding: Finding| about(finding.with("low", need.seconds.low).with("high", need.seconds.high));
    if left < need.seconds.low {
        Some(during(Finding::predicted(STAGE, "ends-during-run", Verb::Change)))
    } else if left < need.seconds.high {
        Some(during(Finding::warning(STAGE, "may-end-during-run").verb(Verb::Change)))
    } else if left < need.seconds.high + QUEUE {
        Some(during(Finding::note(STAGE, "ends-if-queued")))
    } else {
        None
    }
}

fn clock(look: &Look) -> Option<Finding> {
    let skew = look.skew_s.filter(|skew| skew.abs() > SKEW)?;
    #[expect(clippy::cast_precision_loss, reason = "shown in minutes")]
    let finding = Finding::warning(STAGE, "clock-wrong")
        .verb(Verb::Change)
        .with("minutes", (skew.abs() as f64 / 60.0).round())
        .with("direction", if skew > 0 { "slow" } else { "fast" });
    #[expect(clippy::cast_precision_loss, reason = "exact below 2^53")]
    let local = look.at_ms as f64 / 1000.0;
    let finding = finding.seen(Evidence::value("fact-clock-here", moment(local)));
    Some(finding.seen(Evidence::value("fact-clock-there", moment(look.now_s()))).remedy(explain("correct-clock")))
}

/// Where the token came from: an old variable that hides a fresh sign-in looks like anything else.
fn from(finding: Finding, look: &Look) -> Finding {
    match &look.token.source {
        Source::Variable { name } if finding.severity != Severity::Ok => {
            finding.seen(Evidence::value("fact-token-from", name.as_str()))
        }
        _ => finding,
    }
}

fn reason(fault: TokenFault) -> &'static str {
    match fault {
        TokenFault::Empty => "reason-token-empty",
        TokenFault::Characters => "reason-token-characters",
        TokenFault::Prefix => "reason-token-prefix",
        TokenFault::Quotes => "reason-token-quotes",
        TokenFault::CutOff => "reason-token-cut-off",
        TokenFault::TooLong => "reason-token-too-long",
    }
}
