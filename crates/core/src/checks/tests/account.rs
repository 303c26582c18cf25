//! A plan for a platform: its account in place of this computer's cards.

use serde_json::json;

use super::world::{facts, plan};
use super::{Finding, check, not_needed};
use crate::account::{Amount, Answer, Body, Connector, Look, Reply, Source, TokenSeen, TokenState};
use crate::facts::{AccountSeen, Fact, Facts};
use crate::finding::{Action, PlanChange, Severity, Stage};
use crate::plan::{Plan, Target};

/// A plan for an A100, and an account with so much budget, where an hour of a T4 costs next to nothing.
fn on_platform(hours: &str) -> (Facts, Plan) {
    let value = json!({"gpu_hours_remaining": hours, "price_factors": {"A100": 1, "T4": 0.001}});
    let url = "https://quota.example/v1/user/quota".to_owned();
    let answer = Answer { status: 200, url, retry_after_s: None, challenge: None, body: Body::Json { value } };
    let state = TokenState::Present { claims: None, expires_s: None, renewable: true, not_renewed: None };
    let look = Look {
        at_ms: 1_796_083_200_000,
        platform: "quota.example".to_owned(),
        profile: Some("works".to_owned()),
        token: TokenSeen { source: Source::Keychain, state },
        reply: Reply::Answered { answer },
        skew_s: Some(0),
    };
    let (mut facts, mut plan) = (facts(), plan());
    facts.account = Some(Fact::Known(AccountSeen { look, connector: Connector::default(), threshold: Amount::ONE }));
    plan.target = Target::Platform { profile: "works".to_owned(), card: Some("A100".to_owned()), cards: 2 };
    (facts, plan)
}

fn quota(findings: &[Finding]) -> &Finding {
    findings.iter().find(|finding| finding.stage == Stage::Quota).unwrap()
}

#[test]
fn what_this_computer_has_does_not_matter_there() {
    let (facts, plan) = on_platform("100000");
    let findings = check(&facts, &plan);
    assert!(findings.iter().all(|finding| finding.severity < Severity::Warning), "{findings:#?}");
    assert_eq!(quota(&findings).code, "quota.enough");
    let without = not_needed(&facts, &plan);
    assert!(without.contains(&Stage::GpuPool) && without.contains(&Stage::Driver) && !without.contains(&Stage::Quota));
}

#[test]
fn a_cheaper_card_is_what_is_offered_where_it_fits_and_otherwise_what_loses_least() {
    let (facts, plan) = on_platform("0.002");
    let findings = check(&facts, &plan);
    let finding = quota(&findings);
    assert_eq!(finding.code, "quota.too-little");
    let Action::ChangePlan { change } = &finding.remedies[0].action else { panic!("{finding:?}") };
    assert_eq!(*change, PlanChange::Card("T4".to_owned()));
}

#[test]
fn an_account_that_was_not_looked_at_is_unknown() {
    let (mut facts, plan) = on_platform("1");
    for account in [None, Some(Fact::unknown("reason-no-answer"))] {
        facts.account = account;
        let findings = check(&facts, &plan);
        let finding = findings.iter().find(|finding| finding.stage == Stage::Auth).unwrap();
        assert_eq!((finding.code.as_str(), finding.severity), ("auth.not-looked", Severity::Unknown));
    }
}
