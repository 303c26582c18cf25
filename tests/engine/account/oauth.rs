//! Signing in, being renewed, signing out: against a real provider that ends a grant whose old tokens are used again.

use std::sync::{Arc, Mutex};

use preflight_core::account::{Amount, TokenState, judge};
use preflight_core::problem::Problem;
use preflight_core::secret::Secret;
use preflight_engine::Engine;
use preflight_engine::account::{self, Account, Keep, Profile, SignInStep, Way};
use preflight_engine::dirs::Dirs;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::platform::Platform;

/// An engine with a connection to a platform, over a folder of its own.
pub(super) struct World {
    pub(super) folder: tempfile::TempDir,
    pub(super) engine: Arc<Engine>,
}

impl World {
    pub(super) async fn new(platform: &Platform, keep: Keep) -> Self {
        Self::at(&platform.address, keep).await
    }

    /// The same with something between the two.
    pub(super) async fn at(address: &str, keep: Keep) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Arc::new(Engine::open(Dirs::new(folder.path())).unwrap());
        let profile = Profile { keep, ..Profile::to(&account::address(address).unwrap()) };
        account::set_passphrase(&engine, Secret::new("correct horse"));
        account::save(&engine, "works", &profile).await.unwrap();
        Self { folder, engine }
    }

    pub(super) async fn sign_in(&self, platform: &Platform) -> Result<Account, Problem> {
        let (told, mut asked) = tokio::sync::mpsc::unbounded_channel();
        let tell = move |step| told.send(step).unwrap();
        let signing_in = account::sign_in(&self.engine, "works", Way::Device, &tell, CancellationToken::new());
        let person = async {
            let Some(SignInStep::Code { code, .. }) = asked.recv().await else { panic!("a code") };
            platform.approve(&code).await;
            std::future::pending().await
        };
        // Where it does not come to a code, nobody is asked.
        tokio::select! {
            signed_in = signing_in => signed_in,
            never = person => never,
        }
    }

    /// What is found of the account.
    pub(super) async fn codes(&self) -> Vec<String> {
        let (look, connector) = account::look_at(&self.engine, "works").await.unwrap();
        let findings = judge(&look, &connector, None, Amount::ONE);
        findings.into_iter().map(|finding| finding.code).collect()
    }

    /// Everything that was written, as text.
    pub(super) fn written(&self) -> String {
        let files = std::fs::read_dir(self.folder.path().join("profiles")).unwrap().flatten();
        files.map(|file| String::from_utf8_lossy(&std::fs::read(file.path()).unwrap()).into_owned()).collect()
    }
}

pub(super) const FINE: [&str; 2] = ["auth.accepted", "quota.left"];

#[tokio::test]
async fn a_code_on_another_device_signs_in_and_signing_out_ends_it() {
    let Some(platform) = Platform::start() else { return };
    let world = World::new(&platform, Keep::File).await;
    assert_eq!(world.codes().await, ["auth.not-signed-in", "quota.not-asked"]);
    let signed_in = world.sign_in(&platform).await.unwrap().signed_in.unwrap();
    assert_eq!(signed_in.account.as_deref(), Some("wang@example.com"));
    assert!(signed_in.renewable && signed_in.expires_s.is_some());
    assert_eq!(world.codes().await, FINE);
    assert!(account::account(&world.engine, "works").unwrap().signed_in.unwrap().used_ms.is_some());
    assert_eq!(account::history(&world.engine, "works").unwrap().len(), 1);
    let written = world.written();
    assert!(written.contains("wang@example.com") && !written.contains("access"), "{written}");
    let issued = platform.issued().await;
    assert!(issued.len() >= 2 && issued.iter().all(|token| !written.contains(token)), "{written}");

    assert!(account::sign_out(&world.engine, "works").await.unwrap(), "the platform heard");
    assert_eq!((platform.count("revoked").await, platform.count("ended").await), (1, 1));
    assert_eq!(world.codes().await, ["auth.not-signed-in", "quota.not-asked"]);
    assert!(!world.folder.path().join("profiles/works.token").exists());
}

#[tokio::test]
async fn the_browser_signs_in_and_comes_back_to_this_computer() {
    let Some(platform) = Platform::start() else { return };
    let world = World::new(&platform, Keep::Memory).await;
    let page = Arc::new(Mutex::new(None));
    let (told, mut asked) = tokio::sync::mpsc::unbounded_channel();
    let tell = move |step| told.send(step).unwrap();
    let signing_in = account::sign_in(&world.engine, "works", Way::Browser, &tell, CancellationToken::new());
    let person = async {
        let Some(SignInStep::Browser { url }) = asked.recv().await else { panic!("a page") };
        *page.lock().unwrap() = Some(url.clone());
        platform.browse(&url).await;
    };
    let (signed_in, ()) = tokio::join!(signing_in, person);
    assert!(signed_in.unwrap().signed_in.unwrap().renewable);
    assert_eq!(world.codes().await, FINE);
    let page = page.lock().unwrap().clone().unwrap();
    assert!(page.contains("code_challenge_method=S256") && page.contains("127.0.0.1"), "{page}");
}

#[tokio::test]
async fn a_token_that_ran_out_is_renewed_behind_the_scenes() {
    let Some(platform) = Platform::start() else { return };
    let world = World::new(&platform, Keep::Memory).await;
    platform.set(json!({"ttl": 2})).await;
    world.sign_in(&platform).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(2200)).await;
    assert_eq!(world.codes().await, FINE);
    assert_eq!(platform.count("refreshes").await, 1);
    platform.set(json!({"ttl": 3600})).await;
    tokio::time::sleep(std::time::Duration::from_millis(2200)).await;
    assert_eq!(world.codes().await, FINE);
    assert_eq!(world.codes().await, FINE);
    assert_eq!(platform.count("refreshes").await, 2, "what is fresh is not renewed");
    assert_eq!(platform.count("ended").await, 0);
}

#[tokio::test]
async fn a_lost_answer_costs_one_clean_sign_in_and_writes_nothing() {
    let Some(platform) = Platform::start() else { return };
    let world = World::new(&platform, Keep::File).await;
    platform.set(json!({"ttl": 2})).await;
    world.sign_in(&platform).await.unwrap();
    let token = world.folder.path().join("profiles/works.token");
    let before = std::fs::read(&token).unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(2200)).await;
    // The provider grants it and rotates; nobody hears of it. Asked again with the old one, it ends the grant.
    platform.set(json!({"lose": 1})).await;
    let found = world.codes().await;
    assert_eq!(found, ["auth.token-expired", "quota.not-allowed-to-see"], "{found:?}");
    assert_eq!(std::fs::read(&token).unwrap(), before, "a renewal that failed never writes");
    let (look, _) = account::look_at(&world.engine, "works").await.unwrap();
    let TokenState::Present { not_renewed, .. } = look.token.state else { panic!("{look:?}") };
    assert_eq!(not_renewed.unwrap().id, "problem-account-grant-ended");
    platform.set(json!({"ttl": 3600})).await;
    world.sign_in(&platform).await.unwrap();
    assert_eq!(world.codes().await, FINE);
}

#[tokio::test]
async fn a_platform_that_is_away_when_it_is_time_costs_nothing() {
    let Some(platform) = Platform::start() else { return };
    let world = World::new(&platform, Keep::Memory).await;
    platform.set(json!({"ttl": 20})).await;
    world.sign_in(&platform).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(11)).await;
    platform.set(json!({"away": 2})).await;
    let found = world.codes().await;
    assert_eq!(found, ["auth.not-renewed", "quota.left"], "the token that is there still works: {found:?}");
}

#[tokio::test]
async fn what_the_platform_says_of_a_budget_is_seen_with_a_real_token() {
    let Some(platform) = Platform::start() else { return };
    let world = World::new(&platform, Keep::Memory).await;
    world.sign_in(&platform).await.unwrap();
    for (status, quota, code) in [
        (200, json!({"gpu_hours_remaining": 0.5}), "quota.below-threshold"),
        (403, json!({"error": {"code": "budget_locked"}}), "quota.locked"),
        (200, json!({"gpu_hours_remaining": 40, "status": "locked"}), "quota.locked"),
        (200, json!({"gpu_hours_remaining": 40}), "quota.left"),
    ] {
        platform.set(json!({"status": status, "quota": quota})).await;
        assert_eq!(world.codes().await, ["auth.accepted", code]);
    }
    platform.set(json!({"ahead": 3600})).await;
    assert!(world.codes().await.contains(&"auth.clock-wrong".to_owned()));
    assert_eq!(account::history(&world.engine, "works").unwrap().len(), 2, "each change is remembered");
}

#[tokio::test]
async fn a_sign_in_that_cannot_be_is_said_before_anybody_is_asked() {
    let Some(platform) = Platform::start() else { return };
    let world = World::new(&platform, Keep::Memory).await;
    let refuse = |profile: Profile| {
        let engine = Arc::clone(&world.engine);
        async move {
            account::save(&engine, "other", &profile).await.unwrap();
            let nobody = |step| panic!("{step:?}");
            account::sign_in(&engine, "other", Way::Browser, &nobody, CancellationToken::new()).await.unwrap_err().code
        }
    };
    let base = Profile::to(&account::address(&platform.address).unwrap());
    let memory = Profile { keep: Keep::Memory, ..base.clone() };
    let elsewhere = platform.address.replace("127.0.0.1", "localhost");
    assert_eq!(refuse(Profile { issuer: Some(elsewhere), ..memory.clone() }).await, "account.issuer-differs");
    let nowhere = format!("{}/v1", platform.address);
    assert_eq!(refuse(Profile { issuer: Some(nowhere), ..memory.clone() }).await, "account.no-sign-in");
    let gone = Some("http://127.0.0.1:9".to_owned());
    assert_eq!(refuse(Profile { issuer: gone, ..memory }).await, "account.unreachable");
    let pasted = |text: &str| Way::Pasted(Secret::new(text));
    let nobody = |step| panic!("{step:?}");
    let wrong = account::sign_in(&world.engine, "works", pasted("Bearer x"), &nobody, CancellationToken::new()).await;
    assert_eq!(wrong.unwrap_err().code, "account.token-invalid");
    account::sign_in(&world.engine, "works", pasted("key-1"), &nobody, CancellationToken::new()).await.unwrap();
    assert_eq!(world.codes().await, ["auth.token-refused", "quota.not-allowed-to-see"]);
}
