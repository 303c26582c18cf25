//! Signing in, being renewed and asking for a budget, with a faulty network between the app and a real provider.

use std::time::Duration;

use preflight_core::account::{Amount, judge};
use preflight_engine::account::{self, Keep};
use serde_json::json;

use super::between::{Between, Fault, HUGE};
use super::oauth::{FINE, World};
use super::platform::Platform;
use crate::weights::server::{Answer, Server};

const QUOTA: &str = "/v1/user/quota";
/// What a client may have taken of an answer without end: what it reads before it gives up, and what systems keep on the
/// way between two programs.
const TAKEN: u64 = 32 << 20;

/// A platform, what is between, and who is signed in there.
async fn signed_in(settings: serde_json::Value, keep: Keep) -> Option<(Platform, Between, World)> {
    let platform = Platform::start()?;
    let between = Between::to(&platform.address).await;
    platform.set(settings).await;
    let world = World::at(&between.address, keep).await;
    world.sign_in(&platform).await.unwrap();
    assert_eq!(world.codes().await, FINE);
    Some((platform, between, world))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_on_the_way_to_a_budget_has_its_finding() {
    let Some((platform, between, world)) = signed_in(json!({}), Keep::Memory).await else { return };
    let other = Server::start(|_, _| Answer::body("{\"gpu_hours_remaining\": 99}")).await;
    let unproven = |code: &str| vec!["auth.unproven".to_owned(), format!("quota.{code}")];
    let elsewhere = format!("{}{QUOTA}", other.address);
    for (fault, code) in [
        (Fault::Dropped, "cut-off"),
        (Fault::Truncated, "cut-off"),
        (Fault::Status("500 Internal Server Error"), "server-failed"),
        (Fault::Status("502 Bad Gateway"), "server-failed"),
        (Fault::Status("503 Service Unavailable"), "server-failed"),
        (Fault::SentTo(elsewhere), "sent-elsewhere"),
        (Fault::Huge { told: true }, "too-large"),
        (Fault::Huge { told: false }, "too-large"),
        (Fault::Page, "page-instead"),
    ] {
        between.set(QUOTA, fault.clone());
        assert_eq!(world.codes().await, unproven(code), "{fault:?}");
    }
    assert!(other.seen().is_empty(), "no question follows, and no token");
    assert!(between.sent() < TAKEN, "{} of {HUGE} bytes were taken", between.sent());
    let asked = platform.count("asked").await;
    for (fault, times) in [
        (Fault::Delayed(Duration::from_secs(1)), 1),
        (Fault::AnsweredTwice, 1),
        (Fault::AskedTwice, 2),
        (Fault::Called("text/html"), 1),
        (Fault::Called("application/octet-stream"), 1),
    ] {
        let before = platform.count("asked").await;
        between.set(QUOTA, fault.clone());
        assert_eq!(world.codes().await, FINE, "{fault:?}");
        assert_eq!(platform.count("asked").await - before, times, "{fault:?}");
    }
    assert!(platform.count("asked").await > asked);
    between.clear();
    assert_eq!(world.codes().await, FINE);
    assert_eq!((platform.count("refreshes").await, platform.count("ended").await), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_comes_twice_is_not_taken_for_the_next_one() {
    let Some((platform, between, world)) = signed_in(json!({"ttl": 2}), Keep::Memory).await else { return };
    // The second answer lies on the connection when the budget is asked for.
    for path in ["/token", QUOTA] {
        platform.set(json!({"ttl": 2, "quota": {"gpu_hours_remaining": 40}})).await;
        tokio::time::sleep(Duration::from_millis(2200)).await;
        between.set(path, Fault::AnsweredTwice);
        assert_eq!(world.codes().await, FINE, "{path}");
        platform.set(json!({"quota": {"gpu_hours_remaining": 0.5}})).await;
        assert_eq!(world.codes().await, ["auth.accepted", "quota.below-threshold"], "{path}: what is true now");
    }
    assert_eq!(platform.count("ended").await, 0, "nobody was logged out");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewal_that_does_not_come_through_writes_nothing_and_costs_nothing() {
    let Some((platform, between, world)) = signed_in(json!({"ttl": 2}), Keep::File).await else { return };
    let file = world.folder.path().join("profiles/works.token");
    let (before, renewed) = (std::fs::read(&file).unwrap(), platform.count("refreshes").await);
    let other = Server::start(|_, _| Answer::body("{\"access_token\": \"evil\", \"token_type\": \"bearer\"}")).await;
    tokio::time::sleep(Duration::from_millis(2200)).await;
    for fault in [
        Fault::Dropped,
        Fault::Status("500 Internal Server Error"),
        Fault::Status("503 Service Unavailable"),
        Fault::SentTo(format!("{}/token", other.address)),
        Fault::Huge { told: true },
        Fault::Huge { told: false },
        Fault::Page,
    ] {
        between.set("/token", fault.clone());
        // Providers take a token for some seconds more than they say.
        let found = world.codes().await;
        let known = [["auth.not-renewed", "quota.left"], ["auth.token-expired", "quota.not-allowed-to-see"]];
        assert!(known.iter().any(|known| found == known), "{fault:?}: {found:?}");
        assert_eq!(std::fs::read(&file).unwrap(), before, "{fault:?}: what failed never writes");
    }
    assert!(other.seen().is_empty(), "what renews goes nowhere else");
    assert!(between.sent() < TAKEN, "{} of {HUGE} bytes were taken", between.sent());
    assert_eq!(platform.count("refreshes").await, renewed);
    platform.set(json!({"ttl": 3600})).await;
    between.set("/token", Fault::Delayed(Duration::from_secs(1)));
    assert_eq!(world.codes().await, FINE, "nobody had to sign in again");
    assert_ne!(std::fs::read(&file).unwrap(), before);
    assert_eq!((platform.count("refreshes").await, platform.count("ended").await), (renewed + 1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_through_a_faulty_network_ends_with_a_reason_and_keeps_nothing() {
    let Some(platform) = Platform::start() else { return };
    let between = Between::to(&platform.address).await;
    let world = World::at(&between.address, Keep::File).await;
    let other = Server::start(|_, _| Answer::body("{}")).await;
    for (fault, code, cause) in [
        (Fault::Dropped, "account.unreachable", "cut-off"),
        (Fault::Truncated, "account.unreachable", "cut-off"),
        (Fault::SentTo(format!("{}/", other.address)), "account.unreachable", "sent-elsewhere"),
        (Fault::Huge { told: false }, "account.unreachable", "too-large"),
        (Fault::Status("503 Service Unavailable"), "account.platform-failed", ""),
        (Fault::Page, "account.no-sign-in", ""),
    ] {
        between.set("/.well-known/", fault.clone());
        let problem = world.sign_in(&platform).await.unwrap_err();
        assert_eq!(problem.code, code, "{fault:?}");
        assert!(cause.is_empty() || problem.causes.iter().any(|said| said == cause), "{fault:?}: {problem:?}");
    }
    assert!(other.seen().is_empty());
    for fault in [Fault::Status("503 Service Unavailable"), Fault::Huge { told: false }, Fault::Page, Fault::Dropped] {
        between.set("/device/auth", fault.clone());
        let problem = world.sign_in(&platform).await.unwrap_err();
        let known = ["account.unreachable", "account.answer-not-understood", "account.sign-in-refused"];
        assert!(known.contains(&problem.code.as_str()), "{fault:?}: {problem:?}");
    }
    assert!(between.sent() < TAKEN, "{} of {HUGE} bytes were taken", between.sent());
    assert!(account::account(&world.engine, "works").unwrap().signed_in.is_none());
    assert!(!world.folder.path().join("profiles/works.token").exists());
    // A grant is JSON and says so, or it is none.
    between.set("/token", Fault::Called("text/html"));
    assert_eq!(world.sign_in(&platform).await.unwrap_err().code, "account.answer-not-understood");
    assert!(!world.folder.path().join("profiles/works.token").exists());
    // Whoever waits for a person is not put off by an answer that is late or comes twice.
    for fault in [Fault::Delayed(Duration::from_millis(700)), Fault::AnsweredTwice] {
        between.set("/", fault.clone());
        world.sign_in(&platform).await.unwrap_or_else(|problem| panic!("{fault:?}: {problem:?}"));
        between.clear();
        assert_eq!(world.codes().await, FINE, "{fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_arrives_twice_costs_a_strict_platform_one_clean_sign_in() {
    let Some((platform, between, world)) = signed_in(json!({"ttl": 2}), Keep::Memory).await else { return };
    tokio::time::sleep(Duration::from_millis(2200)).await;
    between.set("/token", Fault::AskedTwice);
    // The second one is taken for a thief's: the grant ends with everything that came of it.
    let found = world.codes().await;
    assert!(found.iter().any(|code| code.starts_with("auth.token-")), "{found:?}");
    assert!(platform.count("ended").await >= 1);
    between.clear();
    platform.set(json!({"ttl": 3600})).await;
    world.sign_in(&platform).await.unwrap();
    assert_eq!(world.codes().await, FINE);
    let (look, connector) = account::look_at(&world.engine, "works").await.unwrap();
    assert!(judge(&look, &connector, None, Amount::ONE).iter().all(|finding| finding.verb.is_none()));
}
