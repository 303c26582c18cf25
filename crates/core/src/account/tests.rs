//! What is said of an account, from looks at one.

use std::collections::BTreeSet;
use std::fmt::Write;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::claims::tests::jwt;
use super::*;
use crate::duration::{Basis, Hours, Seconds};
use crate::finding::{Action, Applicability, Evidence, PlanChange, Remedy, Severity};
use crate::text::{Language, Message, Texts};

/// 2026-12-01 00:00 UTC, in seconds.
const NOW: u64 = 1_796_083_200;
const HOUR: f64 = 3600.0;

fn amount(text: &str) -> Amount {
    Amount::parse(text).unwrap()
}

fn connector(text: &str) -> Connector {
    Connector::from_toml(text).unwrap()
}

fn answered(status: u16, body: Body) -> Reply {
    let url = "https://quota.example/v1/user/quota".to_owned();
    Reply::Answered { answer: Answer { status, url, retry_after_s: None, challenge: None, body } }
}

fn says(status: u16, value: Value) -> Reply {
    answered(status, Body::Json { value })
}

/// A token that lasts so many hours.
fn token(hours: f64, renewable: bool) -> TokenState {
    #[expect(clippy::cast_precision_loss, reason = "a test")]
    let expires = NOW as f64 + hours * HOUR;
    let Token::Claims(claims) = Token::read(&jwt(&json!({"exp": expires, "sub": "wang", "aud": "budget-service"})))
    else {
        panic!("a token")
    };
    TokenState::Present { claims: Some(claims), expires_s: Some(expires), renewable, not_renewed: None }
}

fn look(state: TokenState, reply: Reply) -> Look {
    let token = TokenSeen { source: Source::Keychain, state };
    let (platform, profile) = ("quota.example".to_owned(), Some("works".to_owned()));
    Look { at_ms: NOW * 1000, platform, profile, token, reply, skew_s: Some(0) }
}

fn left(hours: &str) -> Look {
    look(token(168.0, true), says(200, json!({"gpu_hours_remaining": serde_json::from_str::<Value>(hours).unwrap()})))
}

fn need(low: f64, expected: f64, high: f64) -> Need {
    Need {
        hours: Hours { low, expected, high },
        seconds: Seconds { low: low * HOUR, expected: expected * HOUR, high: high * HOUR },
        basis: Basis::Rule,
        epochs: 100,
        card: Some("NVIDIA A100-SXM4-80GB".to_owned()),
        cheaper: Vec::new(),
    }
}

fn judged(look: &Look, need: Option<&Need>) -> Vec<Finding> {
    judge(look, &Connector::default(), need, amount(THRESHOLD))
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.code.as_str()).collect()
}

#[test]
fn an_a100_for_ten_hours_costs_eight_units_where_the_platform_prices_it_so() {
    let answer = |remaining: &str| {
        look(token(168.0, true), says(200, json!({"gpu_hours_remaining": remaining, "price_factors": {"A100": 0.8}})))
    };
    let ten_hours = need(10.0, 10.0, 10.0);
    let quota = answer("8").quota(&Connector::default()).unwrap().unwrap();
    assert_eq!(quota.price(Some("NVIDIA A100-SXM4-80GB")), Some(amount("0.8")));
    assert_eq!(amount("10").times(quota.price(Some("A100")).unwrap()), amount("8"));
    assert_eq!(codes(&judged(&answer("8"), Some(&ten_hours))), ["auth.accepted", "quota.enough"]);
    assert_eq!(codes(&judged(&answer("7.99"), Some(&ten_hours))), ["auth.accepted", "quota.too-little"]);
    assert_eq!(quota.price(Some("NVIDIA A10")), None, "an A10 is no A100");
}

#[test]
fn half_an_hour_is_too_little_where_one_is_wanted() {
    assert_eq!(codes(&judged(&left("0.5"), None)), ["auth.accepted", "quota.below-threshold"]);
    assert_eq!(codes(&judged(&left("1"), None)), ["auth.accepted", "quota.left"]);
    assert_eq!(codes(&judged(&left("0.99999999"), None)), ["auth.accepted", "quota.below-threshold"]);
}

#[test]
fn it_is_said_at_which_epoch_the_budget_runs_out() {
    let plan = need(8.0, 10.0, 20.0);
    for (hours, code) in [
        ("20", "enough"),
        ("19.9", "enough-if-all-goes-well"),
        ("9.9", "may-run-out"),
        ("8", "may-run-out"),
        ("6.1", "too-little"),
    ] {
        let findings = judged(&left(hours), Some(&plan));
        assert_eq!(findings[1].code, format!("quota.{code}"), "{hours}");
        let blocks = findings[1].severity == Severity::Blocker;
        assert_eq!(blocks, code == "too-little", "only a certain shortfall blocks");
    }
    let finding = &judged(&left("6.1"), Some(&plan))[1];
    assert_eq!((&finding.args["epoch"], &finding.args["epochs"]), (&61_u32.into(), &100_u32.into()));
    let change = |finding: &Finding| match &finding.remedies[0].action {
        Action::ChangePlan { change } => change.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(change(finding), PlanChange::Epochs(30), "what fits even if it takes long");
    // Another card loses nothing.
    let cheap =
        Remedy::new("use-processor", Applicability::OneClick, Action::ChangePlan { change: PlanChange::FromScratch });
    let cheaper = vec![Cheaper {
        hours: Hours { low: 1.0, expected: 2.0, high: 3.0 },
        card: Some("T4".to_owned()),
        remedy: cheap,
    }];
    let finding = &judged(&left("6.1"), Some(&Need { cheaper, ..plan }))[1];
    assert_eq!(change(finding), PlanChange::FromScratch);
}

#[test]
fn the_level_that_binds_is_named() {
    let levels = connector(EXAMPLES[1].1);
    let body = json!({
        "organization": {"minutes_left": 60_000, "state": "open"},
        "project": {"minutes_left": 1200, "minutes_reserved": 300, "state": "active", "renews": "2027-01-01"},
        "user": {"minutes_left": 901},
    });
    let quota = levels.read(&body).unwrap();
    let binding = quota.binding().unwrap();
    assert_eq!((binding.name.as_str(), binding.available()), ("project", amount("900")));
    assert_eq!(binding.renews_s, Some(1_798_761_600.0));
    assert_eq!(quota.price(None), Some(amount("60")));
    let mut frozen = body.clone();
    frozen["organization"]["state"] = json!("FROZEN");
    let look = look(token(168.0, true), says(200, frozen));
    let findings = judge(&look, &levels, None, amount("1"));
    assert_eq!(codes(&findings), ["auth.accepted", "quota.locked"]);
    assert_eq!(findings[1].args["level"], "organization".into());
    assert!(matches!(levels.read(&json!({})), Err(Unread::Missing(_))));
}

#[test]
fn credits_have_a_price_for_each_card() {
    let credits = connector(EXAMPLES[2].1);
    let quota = credits.read(&json!({"data": {"credits": "118.40", "on_hold": "4.00"}})).unwrap();
    assert_eq!(quota.binding().unwrap().available(), amount("114.4"));
    assert_eq!(quota.price(Some("NVIDIA GeForce RTX 4090")), Some(amount("0.74")));
    assert_eq!(quota.price(Some("H100")), None, "unknown is not free");
    let seen = look(token(168.0, true), says(200, json!({"data": {"credits": "118.40"}})));
    let findings =
        judge(&seen, &credits, Some(&Need { card: Some("H100".to_owned()), ..need(1.0, 2.0, 3.0) }), amount("1"));
    assert_eq!(codes(&findings), ["auth.accepted", "quota.price-unknown"]);
}

#[test]
fn a_connector_that_cannot_be_understood_says_in_which_line() {
    for (_, text) in EXAMPLES {
        connector(text);
    }
    let (_, whole) = EXAMPLES[0];
    for (from, to, line) in [
        ("remaining = \"/gpu_hours_remaining\"", "remaining = \"gpu_hours_remaining\"", 12),
        ("unit = \"gpu-hours\"", "unit = \"hours\"", 11),
        ("path = \"/v1/user/quota\"", "path = \"//evil.example/\"", 10),
        ("path = \"/v1/user/quota\"", "path = \"https://evil.example/\"", 10),
        ("style = \"bearer\"", "style = \"cookie\"", 7),
        ("style = \"bearer\"", "stile = \"bearer\"", 7),
        ("state = \"/status\"", "state = 7", 15),
    ] {
        let problem = Connector::from_toml(&whole.replacen(from, to, 1)).unwrap_err();
        assert_eq!(
            (problem.code.as_str(), &problem.args["line"]),
            ("connector.invalid", &(line as u32).into()),
            "{to}: {problem:?}"
        );
    }
    let code = |text: &str| Connector::from_toml(text).unwrap_err().code;
    assert_eq!(code(&whole.replace("format = 1", "format = 2")), "connector.too-new");
    assert_eq!(code(&whole.replace("\"bearer\"", "\"header\"")), "connector.no-header");
    assert_eq!(code("format = 1\nname = \"x\"\n[quota]\npath = \"/q\"\nunit = \"credits\""), "connector.no-amount");
    let nameless =
        "format = 1\nname = \"x\"\n[quota]\npath = \"/q\"\nunit = \"credits\"\n[[level]]\nremaining = \"/a\"";
    assert_eq!(code(nameless), "connector.no-name");
}

/// Looks at an account, by what is the matter.
fn cases() -> Vec<(&'static str, Look, Option<Need>)> {
    let fine = || token(168.0, true);
    let ok = || says(200, json!({"gpu_hours_remaining": 40}));
    let budget = |more: Value| {
        let mut body = json!({"gpu_hours_remaining": 12.5});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        look(fine(), says(200, body))
    };
    let refused = |status, code: &str| look(fine(), says(status, json!({"error": {"code": code, "message": "no"}})));
    let trouble = |trouble| look(fine(), Reply::Failed { trouble, causes: vec!["what the system says".to_owned()] });
    let begins = |hours: f64| {
        #[expect(clippy::cast_precision_loss, reason = "a test")]
        let claims = json!({"nbf": NOW as f64 + hours * HOUR, "aud": "other"});
        TokenState::Present {
            claims: Token::read(&jwt(&claims)).claims().cloned(),
            expires_s: None,
            renewable: false,
            not_renewed: None,
        }
    };
    let silent = || Reply::Failed { trouble: Trouble::TimedOut, causes: Vec::new() };
    let plan = || Some(need(8.0, 10.0, 20.0));
    let mut cases = vec![
        ("all is well", look(fine(), ok()), None),
        ("no token", look(TokenState::Missing, Reply::NotAsked), None),
        ("a locked keychain", unreadable(Source::Keychain, "problem-account-keychain-locked"), None),
        ("a keychain that is gone", unreadable(Source::Keychain, "problem-account-keychain-absent"), None),
        ("a sealed file", unreadable(Source::File, "problem-account-passphrase-needed"), None),
        ("an expired token", look(token(-3.0, false), silent()), None),
        ("a token for later", look(begins(2.0), silent()), None),
        ("a token that ends soon", look(token(5.0, false), ok()), None),
        ("a token that ends during the run", look(token(5.0, false), ok()), plan()),
        ("a token that may end during the run", look(token(12.0, false), ok()), plan()),
        ("a token that is short for a queue", look(token(22.0, false), ok()), plan()),
        ("a clock that is slow", Look { skew_s: Some(3600), ..look(fine(), ok()) }, None),
        ("a clock that is fast", Look { skew_s: Some(-7200), ..look(fine(), ok()) }, None),
        ("expired by a bare 401", look(token(-3.0, false), answered(401, Body::Empty)), None),
        ("refused by a bare 401", look(fine(), answered(401, Body::Empty)), None),
        ("revoked", refused(401, "token_revoked"), None),
        ("expired, says the platform", refused(401, "TOKEN_EXPIRED"), None),
        ("for later, says the platform", refused(401, "token not yet valid"), None),
        ("for another, says the platform", refused(401, "invalid_audience"), None),
        ("not permitted", refused(403, "forbidden"), None),
        ("to be paid", refused(402, "payment"), None),
        ("locked by a refusal", refused(403, "BUDGET_LOCKED"), None),
        ("suspended by a refusal", refused(403, "organization_suspended"), None),
        ("expired credit by a refusal", refused(402, "credits_expired"), None),
        ("the key's limit by a refusal", refused(429, "key_limit_reached"), None),
        ("a billing incident", refused(503, "billing_unavailable"), None),
        ("no such path", refused(404, "not found"), None),
        ("proxy", answered_look(407), None),
        ("portal", answered_look(511), None),
        ("status 500", answered_look(500), None),
        ("status 418", answered_look(418), None),
        ("a page", look(fine(), answered(200, Body::Page { title: Some("Sign in".to_owned()) })), None),
        ("a text", look(fine(), answered(200, Body::Other { text: "ok".to_owned() })), None),
        ("another form", look(fine(), says(200, json!({"hours": 1}))), None),
        ("no amount", look(fine(), says(200, json!({"gpu_hours_remaining": "plenty"}))), None),
        ("used up", look(fine(), says(200, json!({"gpu_hours_remaining": 0}))), None),
        (
            "used up, renewed soon",
            look(fine(), says(200, json!({"gpu_hours_remaining": 0, "renews_at": NOW + 7200}))),
            None,
        ),
        ("promised", budget(json!({"gpu_hours_reserved": "12.5"})), None),
        ("locked", budget(json!({"locked": true, "gpu_hours_limit": 100})), None),
        ("suspended", budget(json!({"status": "suspended"})), None),
        ("expired credit", budget(json!({"expires_at": "2026-11-30T12:00:00Z"})), None),
        ("the key's limit", budget(json!({"status": "key-limit"})), None),
        (
            "the project's budget",
            budget(json!({"budgets": [{"name": "Line 3", "gpu_hours_remaining": 4, "status": "locked"}]})),
            None,
        ),
        ("little", left("0.5"), None),
        ("enough", left("20"), plan()),
        ("enough, by trainings", left("20"), Some(Need { basis: Basis::Runs { count: 3 }, ..need(8.0, 10.0, 12.0) })),
        ("enough, by a trial run", left("20"), Some(Need { basis: Basis::Trial, ..need(8.0, 10.0, 12.0) })),
        ("enough if all goes well", left("12"), plan()),
        ("may run out", left("9.5"), plan()),
        ("runs out", left("6.1"), plan()),
        ("little left", left("0.9"), Some(need(0.1, 0.2, 0.3))),
        (
            "an unknown price",
            look(fine(), says(200, json!({"gpu_hours_remaining": 9, "price_factors": {"T4": 0.3}}))),
            plan(),
        ),
    ];
    let mut busy = refused(429, "slow down");
    if let Reply::Answered { answer } = &mut busy.reply {
        answer.retry_after_s = Some(90);
    }
    cases.push(("asked too often", busy, None));
    let not_renewed = Some(Message::new("reason-platform-silent"));
    let TokenState::Present { claims, expires_s, .. } = token(0.2, true) else { panic!("a token") };
    cases.push((
        "not renewed",
        look(TokenState::Present { claims, expires_s, renewable: true, not_renewed }, ok()),
        None,
    ));
    for fault in [
        TokenFault::Empty,
        TokenFault::Characters,
        TokenFault::Prefix,
        TokenFault::Quotes,
        TokenFault::CutOff,
        TokenFault::TooLong,
    ] {
        cases.push(("not a token", look(TokenState::Malformed { fault }, Reply::NotAsked), None));
    }
    for (name, kind) in [
        ("no such host", Trouble::NoSuchHost),
        ("nobody listens", Trouble::NobodyListens),
        ("timed out", Trouble::TimedOut),
        ("certificate", Trouble::CertificateRefused),
        ("TLS", Trouble::TlsFailed),
        ("proxy failed", Trouble::ProxyFailed),
        ("proxy asks", Trouble::ProxyAsks),
        ("a network's page", Trouble::Portal),
        ("sent elsewhere", Trouble::SentElsewhere),
        ("too large", Trouble::TooLarge),
        ("cut off", Trouble::CutOff),
        ("not understood", Trouble::NotUnderstood),
    ] {
        cases.push((name, trouble(kind), None));
    }
    cases
}

fn unreadable(source: Source, why: &str) -> Look {
    let mut look = look(TokenState::Unreadable { why: Message::new(why) }, Reply::NotAsked);
    look.token.source = source;
    look
}

fn answered_look(status: u16) -> Look {
    look(token(168.0, true), answered(status, Body::Empty))
}

/// As a person reads it, in both languages.
fn read(finding: &Finding, languages: &[Texts]) -> String {
    let mut text = format!("{} [{:?} {:?}]\n", finding.code, finding.severity, finding.verb);
    for texts in languages {
        writeln!(text, "  {}", finding.title().render(texts)).unwrap();
        if let Some(detail) = texts.render(&finding.detail().id, &finding.args) {
            writeln!(text, "  {detail}").unwrap();
        }
        for evidence in &finding.evidence {
            let Evidence::Value { name, value } = evidence else { panic!("{evidence:?}") };
            writeln!(text, "    - {}: {value}", name.render(texts)).unwrap();
        }
        for remedy in &finding.remedies {
            writeln!(text, "    > {}", remedy.message().render(texts)).unwrap();
        }
    }
    text
}

#[test]
fn what_a_person_reads() {
    let languages = Language::ALL.map(Texts::new);
    let mut text = String::new();
    for (name, look, need) in cases() {
        writeln!(text, "## {name}\n").unwrap();
        for finding in judged(&look, need.as_ref()) {
            let read = read(&finding, &languages);
            assert!(!read.contains("{$") && !read.contains("??"), "{read}");
            writeln!(text, "{read}").unwrap();
        }
    }
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(text) });
}

#[test]
fn every_finding_is_among_the_cases_and_every_trouble_is_told_apart() {
    let seen: BTreeSet<String> = cases()
        .iter()
        .flat_map(|(_, look, need)| judged(look, need.as_ref()))
        .map(|finding| finding.title().id)
        .collect();
    for line in include_str!("../../../../locales/en/account.ftl").lines().filter(|line| line.starts_with("finding-")) {
        let id = line.split_whitespace().next().unwrap();
        // Of a plan, not of a look: `checks::tests`.
        if ["finding-auth-not-looked", "finding-quota-cost-unknown"].contains(&id) {
            continue;
        }
        assert!(seen.contains(id), "no case shows {id}");
    }
}

#[test]
fn a_blocker_says_what_to_do_and_trouble_on_the_way_never_says_zero() {
    for (name, look, need) in cases() {
        for finding in judged(&look, need.as_ref()) {
            let verb = finding.verb.is_some() && !finding.remedies.is_empty();
            assert!(
                finding.severity < Severity::Warning
                    || verb
                    || finding.code == "auth.unproven"
                    || finding.code.starts_with("quota.not-a"),
                "{name}: {finding:?}"
            );
        }
        if matches!(look.reply, Reply::Failed { .. } | Reply::NotAsked) {
            let findings = judged(&look, need.as_ref());
            let quota: Vec<_> =
                findings.iter().filter(|finding| finding.stage == crate::finding::Stage::Quota).collect();
            assert!(!quota.is_empty() && quota.iter().all(|finding| finding.severity == Severity::Unknown), "{name}");
        }
    }
}

proptest! {
    #[test]
    fn any_answer_can_be_judged(status in 100_u16..600, text in "\\PC{0,30}", number in any::<f64>(), locked: bool, skew in any::<i32>()) {
        let bodies = [
            json!({"gpu_hours_remaining": number, "locked": locked, "renews_at": number, "budgets": [{"name": text, "gpu_hours_remaining": text}]}),
            json!({"error": text, "gpu_hours_remaining": text, "price_factors": {"A100": number}}),
            json!([text, number]),
        ];
        for body in bodies {
            let mut look = look(token(1.0, locked), says(status, body));
            look.skew_s = Some(skew.into());
            for finding in judged(&look, Some(&need(1.0, 2.0, 3.0))) {
                prop_assert!(finding.severity != Severity::Blocker || (finding.verb.is_some() && !finding.remedies.is_empty()));
            }
        }
    }

    #[test]
    fn any_text_can_be_tried_as_a_connector(text in "\\PC{0,200}") {
        let _ = Connector::from_toml(&text);
    }

    #[test]
    fn more_budget_never_ends_earlier(low in 0.01..100.0_f64, wider in 1.0..5.0_f64, cents in 0_u32..100_000, more in 0_u32..10_000, epochs in 1_u32..1000) {
        let plan = Need { epochs, ..need(low, low * wider, low * wider * wider) };
        let quota = |cents: u32| {
            let text = format!("{}.{:02}", cents / 100, cents % 100);
            left(&format!("\"{text}\"")).quota(&Connector::default()).unwrap().unwrap()
        };
        let end = |cents| {
            let quota = quota(cents);
            match plan.finish(&quota, quota.binding().unwrap().available()).unwrap() {
                Finish::Enough | Finish::EnoughIfAllGoesWell => epochs,
                Finish::MayRunOut { epoch } | Finish::RunsOut { epoch } => epoch,
            }
        };
        prop_assert!(end(cents) <= end(cents + more));
        prop_assert!(end(cents) <= epochs);
    }
}
