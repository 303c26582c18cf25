//! Connections to platforms on the page of settings: one's own connector, one's own threshold, and every state that an
//! account can be in.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::account::platform::Platform;
use crate::app::{App, World};

const SOON: Duration = Duration::from_secs(60);

const CONNECTOR: &str = r#"format = 1
name = "Our cluster"

[auth]
style = "bearer"

[quota]
path = "/v1/user/quota"
unit = "gpu-minutes"
remaining = "/data/left"
reserved = "/data/hold"
"#;

/// It ended in 2023.
const EXPIRED: &str = "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjE3MDAwMDAwMDAsInN1YiI6IndhbmcifQ.c2ln";

impl App {
    /// Adds a connection on the page of settings.
    async fn add_platform(&self, platform: &Platform, keep: &str) {
        self.press("nav-settings").await;
        self.press("platform-add").await;
        self.fill("platform-address", &platform.address).await;
        self.fill("platform-name", "works").await;
        self.choose("platform-keep", keep).await;
        self.press("platform-save").await;
        self.find("account-works").await;
    }

    /// Signs in with a code, which a person types in elsewhere.
    async fn sign_in_by_code(&self, platform: &Platform) {
        self.press("sign-in-begin").await;
        platform.approve(&self.read("sign-in-code").await).await;
        self.find_within("levels", SOON).await;
    }

    /// Until an element says this.
    async fn until_said(&self, testid: &str, text: &str) {
        let says =
            format!("document.querySelector('[data-testid=\"{testid}\"]')?.innerText.includes({text:?}) === true");
        self.until(&format!("{testid} says {text}"), &says, SOON).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connector_of_ones_own_is_read_before_it_is_used_and_the_threshold_is_a_persons_own() {
    let Some(platform) = Platform::start() else { return };
    platform.set(json!({"quota": {"data": {"left": 90, "hold": "30.5"}}})).await;
    let app = World::default().open().await;
    app.press("nav-settings").await;
    app.find("platforms-none").await;
    app.look_at_part("platforms-none", "platforms-none").await;
    let file = app.home.with_file_name("our 平台.toml");
    std::fs::write(&file, CONNECTOR.replace("style", "stile")).unwrap();
    app.press("platform-add").await;
    app.fill("platform-address", &platform.address).await;
    app.fill("platform-name", "Our's").await;
    app.choose("platform-keep", "memory").await;
    app.choose("platform-connector", "own").await;
    app.find("connector-file").await;
    assert!(!app.find("platform-save").await.is_enabled().await.unwrap(), "no file is named yet");
    app.shot("connector-none").await;
    app.fill("connector-file", "/nowhere/at all.toml").await;
    let said = app.read("problem-account.connector-unreadable").await;
    assert!(said.contains("/nowhere/at all.toml"), "{said}");
    app.fill("connector-file", file.to_str().unwrap()).await;
    let said = app.read("problem-connector.invalid").await;
    for part in ["Line 5", "our 平台.toml", "Correct that line", "stile"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!app.find("platform-save").await.is_enabled().await.unwrap(), "what cannot be read is not saved");
    app.shot("connector-wrong").await;
    app.assert_accessible().await;
    std::fs::write(&file, CONNECTOR).unwrap();
    app.press("connector-again").await;
    let said = app.read("connector-read").await;
    assert!(said.contains("Our cluster") && said.contains("GPU-min"), "{said}");
    app.press("platform-save").await;
    app.until_said("platform-dialog", "is no name for a connection").await;
    app.fill("platform-name", "ours").await;
    app.shot("connector-read").await;
    app.assert_accessible().await;
    app.press("platform-save").await;

    app.press("way-device").await;
    app.sign_in_by_code(&platform).await;
    let levels = app.read("levels").await;
    assert!(levels.contains("90") && levels.contains("GPU-min"), "{levels}");
    // 59.5 minutes are less than an hour, and more than 0.99.
    app.until_found("quota.below-threshold").await;
    let settings = || std::fs::read_to_string(app.home.join("settings.toml")).unwrap();
    app.fill("threshold", "0,99").await;
    app.until_found("quota.left").await;
    assert!(settings().contains("least_gpu_hours = \"0.99\""), "{}", settings());
    app.fill("threshold", "plenty").await;
    app.until("it is said what is expected", "/such as 1.0/.test(document.body.innerText)", SOON).await;
    app.shot("threshold-wrong").await;
    app.assert_accessible().await;
    assert!(settings().contains("0.99"), "{}", settings());
    app.fill("threshold", "1").await;
    app.until_found("quota.below-threshold").await;
    assert!(!settings().contains("least_gpu_hours"), "the usual is not written down: {}", settings());

    // The file is gone: whoever asks is told which, and the connection can be changed.
    std::fs::remove_file(&file).unwrap();
    app.press("account-ask").await;
    app.find("problem-account.connector-unreadable").await;
    app.shot("connector-gone").await;
    app.press("account-change").await;
    app.choose("platform-connector", "gpu-hours").await;
    app.shot("platform-change").await;
    app.press("platform-save").await;
    platform.set(json!({"quota": {"gpu_hours_remaining": 7}})).await;
    app.press("account-ask").await;
    app.until_said("levels", "GPU-h").await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sealed_token_is_opened_once_each_time_the_app_is_and_an_expired_one_is_replaced_where_it_is_found() {
    let Some(platform) = Platform::start() else { return };
    let app = World::default().open().await;
    app.add_platform(&platform, "file").await;
    app.press("way-pasted").await;
    app.look_at_part("account-signed-out", "account-works").await;
    app.fill("token", "\"quoted\"").await;
    app.fill("passphrase", "correct horse").await;
    app.press("sign-in-begin").await;
    app.find("problem-account.token-invalid").await;
    app.press("way-pasted").await;
    app.fill("token", EXPIRED).await;
    app.fill("passphrase", "correct horse").await;
    app.press("sign-in-begin").await;
    app.until_found("auth.token-expired").await;
    app.look_at_part("account-expired", "account-works").await;
    // Signing in is right there.
    app.press("way-device").await;
    app.fill("passphrase", "correct horse").await;
    app.sign_in_by_code(&platform).await;
    app.until_found("quota.left").await;
    let folder = app.close().await;

    let home = folder.path().join("preflight");
    let app = World::default().at(&home).open().await;
    app.press("nav-settings").await;
    app.until_found("auth.token-unreadable").await;
    app.look_at_part("account-sealed", "account-works").await;
    app.fill("passphrase", "wrong").await;
    app.press("unlock-open").await;
    app.until_said("finding-auth.token-unreadable", "does not open").await;
    app.fill("passphrase", "correct horse").await;
    app.press("unlock-open").await;
    app.find_within("levels", SOON).await;
    app.look_at_part("account-fine", "account-works").await;

    drop(platform);
    app.press("account-ask").await;
    app.until_found("quota.nobody-listens").await;
    app.look_at_part("account-offline", "account-works").await;
    app.close().await;
}

const BUS: &str = r#"<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"#;

/// A bus of its own, with a keychain on it that is open, locked, or not there.
struct Bus {
    bus: Child,
    address: String,
    keychain: Option<Child>,
    home: tempfile::TempDir,
}

impl Bus {
    /// `None`: what it needs is not installed, which is said.
    fn start() -> Option<Self> {
        let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
        if !has("dbus-daemon") || !has("gnome-keyring-daemon") {
            println!("skipped: dbus and gnome-keyring are not installed");
            return None;
        }
        let home = tempfile::tempdir().unwrap();
        // Nothing is started because somebody asks for it: what is gone is gone.
        let config = home.path().join("bus.xml");
        std::fs::write(&config, BUS).unwrap();
        let mut bus = Command::new("dbus-daemon");
        bus.args(["--nofork", "--print-address", "--config-file"])
            .arg(config)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut bus = bus.stderr(Stdio::null()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(bus.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Some(Self { bus, address: address.trim().to_owned(), keychain: None, home })
    }

    async fn keychain(&mut self, open: bool) {
        self.no_keychain().await;
        let home = self.home.path();
        let mut daemon = Command::new("gnome-keyring-daemon");
        daemon.args(["--foreground", "--components=secrets"]).args(open.then_some("--unlock"));
        daemon.env("DBUS_SESSION_BUS_ADDRESS", &self.address).env("HOME", home).env("XDG_RUNTIME_DIR", home);
        daemon.env("XDG_DATA_HOME", home.join("data")).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        daemon.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut daemon = daemon.spawn().unwrap();
        if open {
            daemon.stdin.take().unwrap().write_all(b"secret\n").unwrap();
        }
        self.keychain = Some(daemon);
        self.until(true).await;
    }

    async fn no_keychain(&mut self) {
        if let Some(mut daemon) = self.keychain.take() {
            daemon.kill().unwrap();
            daemon.wait().unwrap();
            self.until(false).await;
        }
    }

    /// Until somebody answers for the keychain, or nobody does.
    async fn until(&self, answers: bool) {
        let began = Instant::now();
        loop {
            let mut ask = Command::new("dbus-send");
            ask.arg(format!("--bus={}", self.address)).args(["--print-reply", "--dest=org.freedesktop.DBus", "/"]);
            ask.args(["org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"]);
            let said = ask.output().unwrap();
            if String::from_utf8_lossy(&said.stdout).contains(&format!("boolean {answers}")) {
                return;
            }
            assert!(began.elapsed() < SOON, "{said:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        for child in self.keychain.iter_mut().chain([&mut self.bus]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keychain_that_is_locked_is_told_from_one_that_is_gone_and_both_from_one_that_comes_back() {
    let Some(platform) = Platform::start() else { return };
    let Some(mut bus) = Bus::start() else { return };
    bus.keychain(true).await;
    let app = World::default().variable("DBUS_SESSION_BUS_ADDRESS", &bus.address).open().await;
    app.add_platform(&platform, "keychain").await;
    app.press("way-device").await;
    app.sign_in_by_code(&platform).await;
    app.until_found("quota.left").await;

    bus.keychain(false).await;
    app.press("account-ask").await;
    app.until_found("auth.token-unreadable").await;
    let said = app.read("finding-auth.token-unreadable").await;
    println!("locked: {said}");
    assert!(said.contains("locked") || said.contains("did not answer"), "{said}");
    app.look_at_part("account-locked-keychain", "account-works").await;

    bus.no_keychain().await;
    app.press("account-ask").await;
    app.until_said("finding-auth.token-unreadable", "no keychain").await;
    app.look_at_part("account-no-keychain", "account-works").await;

    bus.keychain(true).await;
    app.ask_until("quota.left").await;
    assert_eq!(platform.count("ended").await, 0);
    app.close().await;
}
