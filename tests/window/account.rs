//! A platform's account in the window: signing in with a code, what is left, and what is in the way.

use std::time::Duration;

use serde_json::json;

#[path = "../engine/account/platform.rs"]
pub(crate) mod platform;

use crate::app::{App, World};
use platform::Platform;

const SOON: Duration = Duration::from_secs(60);

impl App {
    /// Chooses in a list.
    pub(crate) async fn choose(&self, testid: &str, value: &str) {
        let select = format!(
            "(() => {{ const list = document.querySelector('[data-testid=\"{testid}\"]');
                list.value = '{value}'; list.dispatchEvent(new Event('change', {{ bubbles: true }})); return true; }})()"
        );
        self.find(testid).await;
        self.evaluate(&select).await;
    }

    pub(crate) async fn until_found(&self, code: &str) {
        self.find_css(&format!("main .page [data-testid='finding-{code}']"), SOON).await;
    }

    /// Keeps everything that the engine answers the window from now on.
    async fn overhear(&self) {
        let overhear = "(() => { window.heard = []; const fetch = window.fetch;
            window.fetch = async (...asked) => {
              const answer = await fetch(...asked);
              answer.clone().text().then((text) => window.heard.push(text));
              return answer;
            }; return true; })()";
        self.evaluate(overhear).await;
    }

    /// Asks the platform again, until this is found.
    pub(crate) async fn ask_until(&self, code: &str) {
        self.press("account-ask").await;
        self.until_found(code).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_signed_in_to_with_a_code_and_says_whether_the_budget_lasts() {
    let Some(platform) = Platform::start() else { return };
    let prices = json!({"A100": 0.8, "T4": 0.3});
    let budget = |hours: f64, locked: bool| json!({"quota": {"gpu_hours_remaining": hours, "locked": locked, "gpu_hours_limit": 100, "price_factors": prices}});
    platform.set(budget(60.0, false)).await;
    platform.set(json!({"ttl": 4})).await;
    let app = World::default().open().await;
    app.overhear().await;
    app.press("use-sample").await;
    app.find_within("dataset-summary", Duration::from_secs(120)).await;
    app.press("step-where").await;
    app.press("platform-add").await;
    app.fill("platform-address", &platform.address).await;
    app.fill("platform-name", "works").await;
    // There is no keychain in a test's world: a person chooses, and is told so.
    app.find("platform-dialog").await;
    app.until(
        "it is said that there is no keychain",
        "/no keychain/i.test(document.querySelector('[data-testid=\"platform-dialog\"]')?.innerText ?? '')",
        SOON,
    )
    .await;
    app.choose("platform-keep", "memory").await;
    app.shot("platform-add").await;
    app.press("platform-save").await;

    app.press("way-device").await;
    app.press("sign-in-begin").await;
    let code = app.read("sign-in-code").await;
    app.shot("sign-in-code").await;
    app.assert_accessible().await;
    platform.approve(&code).await;
    app.find_within("levels", SOON).await;
    app.choose("platform-card", "A100").await;
    app.shot("where-platform").await;
    app.assert_accessible().await;
    app.assert_nothing_scrolls_sideways().await;

    app.press("step-account").await;
    app.until_found("quota.enough").await;
    assert!(app.read("levels").await.contains("60"), "{}", app.read("levels").await);
    app.shot("account-enough").await;

    // What ran out meanwhile is renewed, and nobody notices.
    tokio::time::sleep(Duration::from_millis(4200)).await;
    platform.set(json!({"ttl": 3600})).await;
    platform.set(budget(0.0001, false)).await;
    app.ask_until("quota.too-little").await;
    assert!(platform.count("refreshes").await >= 1 && platform.count("ended").await == 0);
    let said = app.read("finding-quota.too-little").await;
    assert!(said.contains("epoch") && said.contains("of 60"), "{said}");
    app.shot("account-too-little").await;
    app.assert_accessible().await;

    platform.set(budget(60.0, true)).await;
    app.ask_until("quota.locked").await;
    let said = app.read("finding-quota.locked").await;
    assert!(said.contains("Ask") && said.contains("not used up"), "{said}");
    app.shot("account-locked").await;
    platform.set(budget(60.0, false)).await;
    app.ask_until("quota.enough").await;

    platform.set(json!({"ahead": 3600})).await;
    app.ask_until("auth.clock-wrong").await;
    let said = app.read("finding-auth.clock-wrong").await;
    assert!(said.contains("60 minutes slow"), "{said}");
    app.shot("account-clock").await;
    platform.set(json!({"ahead": 0})).await;
    app.ask_until("quota.enough").await;

    app.press("step-review").await;
    assert!(app.read("start-check-only").await.contains("next version"));
    assert!(!app.find("start").await.is_enabled().await.unwrap());
    app.shot("review-platform").await;

    let tokens = platform.issued().await;
    assert!(tokens.len() >= 4, "{} tokens were given out", tokens.len());
    assert_nowhere(&app, &tokens).await;
    app.press("nav-settings").await;
    app.find("account-works").await;
    app.press("account-sign-out").await;
    app.find("sign-in").await;
    assert_eq!(platform.count("ended").await, 1, "the platform was told");

    app.press("way-browser").await;
    app.press("sign-in-begin").await;
    let page = app.read("sign-in-url").await;
    platform.browse(page.trim()).await;
    app.find("levels").await;
    app.shot("settings-platforms").await;
    app.close().await;
}

/// No token is in a file of the app's, in what the window shows, keeps or was ever told, or in the arguments or variables
/// of any program.
async fn assert_nowhere(app: &App, tokens: &[String]) {
    let is_clean = |place: &str, content: &[u8]| {
        for token in tokens {
            let found = content.windows(token.len()).any(|window| window == token.as_bytes());
            assert!(!found, "a token is in {place}");
        }
    };
    let mut folders = vec![app.home.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => folders.push(path),
                false => is_clean(&path.display().to_string(), &std::fs::read(&path).unwrap_or_default()),
            }
        }
    }
    let window = "document.documentElement.outerHTML + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)";
    is_clean("the window", app.evaluate(window).await.as_str().unwrap().as_bytes());
    let heard = app.evaluate("window.heard.join('\\n')").await;
    let heard = heard.as_str().unwrap();
    assert!(heard.contains("gpu_hours") || heard.contains("portrait"), "the window was told of the account: {heard}");
    is_clean("what the window was told", heard.as_bytes());
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        for file in ["cmdline", "environ"] {
            let path = process.path().join(file);
            is_clean(&path.display().to_string(), &std::fs::read(&path).unwrap_or_default());
        }
    }
}
