//! A platform whose old refresh tokens stay valid until a newer one is used, and one whose do not: what a lost answer
//! and a process that dies in the middle cost.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use preflight_core::secret::Secret;
use preflight_engine::Engine;
use preflight_engine::account::{self, Keep};
use preflight_engine::dirs::Dirs;
use serde_json::json;

use super::between::{Between, Fault};
use super::keychain::{WORKER, again, codes, worker};
use super::oauth::{FINE, World};
use super::platform::Platform;

/// Longer than a token of two seconds lives.
const OVER: Duration = Duration::from_millis(2200);

async fn signed_in(forgiving: bool, keep: Keep) -> Option<(Platform, Between, World)> {
    let platform = Platform::start()?;
    platform.set(json!({"ttl": 2, "forgiving": forgiving})).await;
    let between = Between::to(&platform.address).await;
    let world = World::at(&between.address, keep).await;
    world.sign_in(&platform).await.unwrap();
    Some((platform, between, world))
}

/// What a process that has just been started finds.
async fn afresh(folder: &Path) -> Vec<String> {
    let engine = Engine::open(Dirs::new(folder)).unwrap();
    account::set_passphrase(&engine, Secret::new("correct horse"));
    codes(&engine).await
}

#[tokio::test]
async fn a_lost_answer_is_not_noticed_where_the_platform_forgives() {
    let Some((platform, _, world)) = signed_in(true, Keep::Memory).await else { return };
    for lost in [1, 2] {
        tokio::time::sleep(OVER).await;
        // One is made up for at once, two the next time.
        platform.set(json!({"lose": lost})).await;
        let found = world.codes().await;
        assert_eq!(found == FINE, lost == 1, "{found:?}");
        assert_eq!(world.codes().await, FINE, "{lost} lost");
    }
    assert_eq!(platform.count("ended").await, 0);
}

#[tokio::test]
async fn a_forgiving_platform_ends_a_grant_whose_old_token_comes_after_a_newer_one() {
    let Some((platform, _, world)) = signed_in(true, Keep::File).await else { return };
    let token = world.folder.path().join("profiles/works.token");
    let old = std::fs::read(&token).unwrap();
    for _ in 0..2 {
        tokio::time::sleep(OVER).await;
        assert_eq!(world.codes().await, FINE);
    }
    assert_eq!(platform.count("ended").await, 0);
    // Else the tests here would show nothing.
    std::fs::write(&token, old).unwrap();
    assert_ne!(afresh(world.folder.path()).await, FINE);
    assert_eq!(platform.count("ended").await, 1);
}

/// A process that asks for the budget, and renews the token for it.
fn asking(test: &str, folder: &Path) -> Child {
    again(test).env(WORKER, folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// What such a process does; whether this is one.
async fn asked() -> bool {
    let Some(engine) = worker() else { return false };
    account::set_passphrase(&engine, Secret::new("correct horse"));
    codes(&engine).await;
    true
}

/// Kills a process once the platform's answer is on its way to it: `held`: before it has all of it. Whether it had kept
/// nothing yet.
async fn killed(test: &str, between: &Between, world: &World, held: bool) -> bool {
    let token = world.folder.path().join("profiles/works.token");
    let before = std::fs::read(&token).unwrap();
    between.set("/token", if held { Fault::HeldBack } else { Fault::Delayed(Duration::ZERO) });
    let mut answered = between.answered();
    let mut worker = asking(test, world.folder.path());
    tokio::time::timeout(Duration::from_secs(120), answered.changed()).await.expect("an answer").unwrap();
    worker.kill().unwrap();
    worker.wait().unwrap();
    between.clear();
    std::fs::read(&token).unwrap() == before
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_dies_between_receiving_and_keeping_is_not_noticed_where_the_platform_forgives() {
    const TEST: &str = "account::forgiving::a_process_that_dies_between_receiving_and_keeping_is_not_noticed_where_the_platform_forgives";
    if asked().await {
        return;
    }
    let Some((platform, between, world)) = signed_in(true, Keep::File).await else { return };
    let mut in_between = 0;
    for round in 0..6 {
        tokio::time::sleep(OVER).await;
        in_between += u32::from(killed(TEST, &between, &world, round == 0).await);
        assert_eq!(afresh(world.folder.path()).await, FINE, "round {round}");
    }
    assert!(in_between > 0, "no process died in between");
    assert_eq!(platform.count("ended").await, 0, "nobody was logged out");
    println!("{in_between} of 6 processes died between receiving and keeping");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_dies_there_costs_a_strict_platform_one_clean_sign_in() {
    const TEST: &str = "account::forgiving::a_process_that_dies_there_costs_a_strict_platform_one_clean_sign_in";
    if asked().await {
        return;
    }
    let Some((platform, between, world)) = signed_in(false, Keep::File).await else { return };
    tokio::time::sleep(OVER).await;
    assert!(killed(TEST, &between, &world, true).await);
    let found = afresh(world.folder.path()).await;
    assert_eq!(found, ["auth.token-expired", "quota.not-allowed-to-see"]);
    platform.set(json!({"ttl": 3600})).await;
    world.sign_in(&platform).await.unwrap();
    assert_eq!(afresh(world.folder.path()).await, FINE);
    assert_eq!(platform.count("ended").await, 1);
}
