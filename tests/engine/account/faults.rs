//! Whatever is between this computer and a platform: each has a finding of its own, in bounded memory and time.

use std::time::Duration;

use preflight_core::account::{Amount, Connector, Look, Reply, Source, Trouble, judge};
use preflight_core::finding::Severity;
use preflight_core::secret::Secret;
use preflight_engine::account::{Held, address, look};
use preflight_engine::settings::{Settings, Sources};

use crate::weights::server::{Answer, End, Request, Server};

/// Long enough for a server on the same computer.
const PATIENCE: Duration = Duration::from_secs(3);
const TOKEN: &str = "token-5f0c7a";

fn held() -> Held {
    let source = Source::Variable { name: "API_TOKEN".to_owned() };
    Held { token: Some(Secret::new(TOKEN)), source, expires_s: None, renewable: false, not_renewed: None }
}

async fn looked(settings: &Settings, url: &str, connector: &Connector) -> Look {
    look(settings, &address(url).unwrap(), connector, &held(), Some(PATIENCE)).await.unwrap()
}

fn codes(look: &Look, connector: &Connector) -> Vec<String> {
    let findings = judge(look, connector, None, Amount::ONE);
    for finding in &findings {
        assert!(!format!("{finding:?}").contains(TOKEN), "{finding:?}");
    }
    let known = matches!(&look.reply, Reply::Answered { answer } if answer.status < 500);
    let quota_is_known =
        findings.iter().any(|finding| finding.code.starts_with("quota.") && finding.severity != Severity::Unknown);
    assert!(known || !quota_is_known, "what was not heard is not known: {findings:?}");
    findings.into_iter().map(|finding| finding.code).collect()
}

/// What is found with a server that answers so.
async fn found(answers: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static) -> Vec<String> {
    let server = Server::start(answers).await;
    let connector = Connector::default();
    codes(&looked(&Settings::default(), &server.address, &connector).await, &connector)
}

fn budget(hours: &str) -> Answer {
    Answer::body(format!("{{\"gpu_hours_remaining\": {hours}}}")).with("Content-Type", "application/json")
}

#[tokio::test]
async fn the_budget_is_asked_for_as_the_shell_script_does() {
    let server = Server::start(|_, _| budget("12.5")).await;
    let connector = Connector::default();
    let look = looked(&Settings::default(), &server.address, &connector).await;
    assert_eq!(codes(&look, &connector), ["auth.accepted", "quota.left"]);
    let seen = server.seen();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].target, "/v1/user/quota");
    assert_eq!(seen[0].header("authorization"), Some("Bearer token-5f0c7a"));
    assert!(!serde_json::to_string(&look).unwrap().contains(TOKEN), "a look never holds the token");
}

#[tokio::test]
async fn what_breaks_on_the_way_is_told_apart() {
    let unproven = |code: &str| vec!["auth.unproven".to_owned(), format!("quota.{code}")];
    let big = || Answer { body: vec![b' '; 3 << 20], ..budget("1") };
    assert_eq!(found(|_, _| budget("12.5").ending(End::Breaks(10))).await, unproven("cut-off"));
    assert_eq!(found(|_, _| budget("12.5").ending(End::Stalls(10))).await, unproven("timed-out"));
    assert_eq!(
        found(|_, _| Answer { body: vec![b' '; 100_000], ..budget("1") }.ending(End::Trickles(10))).await,
        unproven("timed-out")
    );
    assert_eq!(found(move |_, _| big()).await, unproven("too-large"));
    assert_eq!(found(move |_, _| Answer { told: false, ..big() }).await, unproven("too-large"));
    assert_eq!(found(|_, _| Answer::status("502 Bad Gateway")).await, unproven("server-failed"));
    assert_eq!(found(|_, _| Answer::status("404 Not Found")).await, unproven("no-such-path"));
    assert_eq!(found(|_, _| Answer::status("407 Proxy Authentication Required")).await, unproven("proxy-asks"));
    assert_eq!(found(|_, _| Answer::status("511 Network Authentication Required")).await, unproven("portal"));
    assert_eq!(
        found(|_, _| Answer::status("429 Too Many Requests").with("Retry-After", "90")).await,
        unproven("too-many-requests")
    );
    let page = |_: &Request, _| Answer::body("<!doctype html><title>Sign in</title>").with("Content-Type", "text/html");
    assert_eq!(found(page).await, unproven("page-instead"));
    let called_html = |_: &Request, _| budget("5").with("Content-Type", "text/html");
    assert_eq!(found(called_html).await, ["auth.accepted", "quota.left"]);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = format!("http://{}", listener.local_addr().unwrap());
    let connector = Connector::default();
    // It takes connections, and never says a word.
    assert_eq!(codes(&looked(&Settings::default(), &nobody, &connector).await, &connector), unproven("timed-out"));
    drop(listener);
    assert_eq!(codes(&looked(&Settings::default(), &nobody, &connector).await, &connector), unproven("nobody-listens"));
    let nowhere = looked(&Settings::default(), "https://no-such-host.invalid", &connector).await;
    assert_eq!(codes(&nowhere, &connector), unproven("no-such-host"));
}

#[tokio::test]
async fn a_token_follows_no_redirect_to_another_origin() {
    let other = Server::start(|_, _| budget("99")).await;
    for style in ["bearer", "header"] {
        let to = format!("{}/v1/user/quota", other.address);
        let server = Server::start(move |_, _| Answer::status("302 Found").with("Location", to.clone())).await;
        let text = preflight_core::account::EXAMPLES[0].1;
        let text = text.replace("style = \"bearer\"", &format!("style = \"{style}\"\nheader = \"X-Api-Key\""));
        let connector = Connector::from_toml(&text).unwrap();
        let look = looked(&Settings::default(), &server.address, &connector).await;
        assert_eq!(codes(&look, &connector), ["auth.unproven", "quota.sent-elsewhere"]);
    }
    assert!(other.seen().is_empty(), "it was not even asked");
    // Within the origin it goes on.
    let server = Server::start(|request, _| {
        if request.target == "/v1/user/quota" {
            Answer::status("307 Temporary Redirect").with("Location", "/v2/quota")
        } else {
            budget("3")
        }
    });
    let server = server.await;
    let connector = Connector::default();
    assert_eq!(
        codes(&looked(&Settings::default(), &server.address, &connector).await, &connector),
        ["auth.accepted", "quota.left"]
    );
    let portal =
        Server::start(|_, _| Answer::status("302 Found").with("Location", "http://login.hotel.invalid/portal")).await;
    let look = looked(&Settings::default(), &portal.address, &connector).await;
    assert!(matches!(look.reply, Reply::Failed { trouble: Trouble::Portal, .. }), "{look:?}");
}

#[tokio::test]
async fn a_wrong_clock_is_found_with_its_minutes() {
    let server = Server::start(|_, _| budget("3").with("Date", "Tue, 01 Jan 2030 00:00:00 GMT")).await;
    let connector = Connector::default();
    let look = looked(&Settings::default(), &server.address, &connector).await;
    assert!(codes(&look, &connector).contains(&"auth.clock-wrong".to_owned()), "{look:?}");
}

#[tokio::test]
async fn a_private_authority_is_refused_until_it_is_set() {
    let folder = tempfile::tempdir().unwrap();
    let authority = folder.path().join("authority.pem");
    let server = Server::start_tls(&authority, |_, _| budget("3")).await;
    let connector = Connector::default();
    let look = looked(&Settings::default(), &server.address, &connector).await;
    assert_eq!(codes(&look, &connector), ["auth.unproven", "quota.certificate-refused"]);
    assert!(server.seen().is_empty());
    let sources = Sources { ca_file: Some(authority), ..Sources::default() };
    let trusting = Settings { sources, ..Settings::default() };
    let look = looked(&trusting, &server.address, &connector).await;
    assert_eq!(codes(&look, &connector), ["auth.accepted", "quota.left"]);
    // Plain HTTP where TLS is expected.
    let plain = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://{}", plain.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = plain.accept().await {
            let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let look = looked(&trusting, &address, &connector).await;
    assert_eq!(codes(&look, &connector), ["auth.unproven", "quota.tls-failed"], "{look:?}");
}

#[tokio::test]
async fn a_proxy_that_asks_or_is_gone_is_told_apart() {
    let proxy = Server::start(|_, _| Answer::status("407 Proxy Authentication Required")).await;
    let through = |address: &str| {
        let sources = Sources { proxy: Some(address.to_owned()), ..Sources::default() };
        Settings { sources, ..Settings::default() }
    };
    let connector = Connector::default();
    for scheme in ["http", "https"] {
        let look = looked(&through(&proxy.address), &format!("{scheme}://platform.invalid"), &connector).await;
        assert_eq!(codes(&look, &connector), ["auth.unproven", "quota.proxy-asks"], "{scheme}: {look:?}");
    }
    let look = looked(&through("http://127.0.0.1:9"), "https://platform.invalid", &connector).await;
    assert_eq!(codes(&look, &connector), ["auth.unproven", "quota.proxy-failed"]);
}
