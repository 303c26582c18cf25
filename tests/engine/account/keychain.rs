//! A real Secret Service on a bus of its own: many processes that renew at once, and one that is killed while it writes.
//!
//! Each test starts itself again inside the bus, and from there the processes that it needs.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use preflight_core::account::{Amount, TokenState, judge};
use preflight_core::secret::Secret;
use preflight_engine::Engine;
use preflight_engine::account::{self, Keep, Profile, Way};
use preflight_engine::dirs::Dirs;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::oauth::World;
use super::platform::Platform;

/// Says that a process is inside the bus.
const BUS: &str = "PREFLIGHT_TEST_BUS";
/// The app's folder of a process that works for a test.
pub(super) const WORKER: &str = "PREFLIGHT_TEST_WORKER";

/// This test in a process of its own.
pub(super) fn again(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).stdin(Stdio::null());
    command
}

/// Starts a test inside a bus of its own with an open keychain; whether it is there already.
fn inside(test: &str) -> bool {
    if std::env::var_os(BUS).is_some() {
        return true;
    }
    let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !has("dbus-run-session") || !has("gnome-keyring-daemon") {
        println!("skipped: dbus and gnome-keyring are not installed");
        return false;
    }
    let home = tempfile::tempdir().unwrap();
    let worker = again(test);
    let script = "printf 'secret\\n' | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1\n\
                  exec \"$0\" \"$@\"";
    let mut command = Command::new("dbus-run-session");
    command.args(["--", "sh", "-c", script]).arg(worker.get_program()).args(worker.get_args());
    command.env(BUS, "1").env("HOME", home.path()).env("XDG_RUNTIME_DIR", home.path()).stdin(Stdio::null());
    for variable in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "DISPLAY", "WAYLAND_DISPLAY"] {
        command.env_remove(variable);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    print!("{said}");
    assert!(output.status.success() && !said.contains("0 passed"), "inside the bus");
    false
}

/// The engine of a process that works for a test; `None`: this is the test.
pub(super) fn worker() -> Option<Arc<Engine>> {
    let folder = std::env::var_os(WORKER)?;
    Some(Arc::new(Engine::open(Dirs::new(folder)).unwrap()))
}

pub(super) async fn codes(engine: &Engine) -> Vec<String> {
    let (look, connector) = account::look_at(engine, "works").await.unwrap();
    judge(&look, &connector, None, Amount::ONE).into_iter().map(|finding| finding.code).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_renewals_from_four_processes_are_one() {
    const TEST: &str = "account::keychain::two_hundred_renewals_from_four_processes_are_one";
    if let Some(engine) = worker() {
        let looks = (0..50).map(|_| {
            let engine = Arc::clone(&engine);
            tokio::spawn(async move { codes(&engine).await })
        });
        for look in looks.collect::<Vec<_>>() {
            assert_eq!(look.await.unwrap(), ["auth.accepted", "quota.left"]);
        }
        return;
    }
    if !inside(TEST) {
        return;
    }
    let Some(platform) = Platform::start() else { return };
    let world = World::new(&platform, Keep::Keychain).await;
    platform.set(json!({"ttl": 3})).await;
    world.sign_in(&platform).await.unwrap();
    tokio::time::sleep(Duration::from_millis(3200)).await;
    platform.set(json!({"ttl": 3600, "slow": 300})).await;
    let start = || again(TEST).env(WORKER, world.folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let workers: Vec<_> = (0..4).map(|_| start().unwrap()).collect();
    for worker in workers {
        let output = tokio::task::spawn_blocking(|| worker.wait_with_output()).await.unwrap().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    assert_eq!(platform.count("refreshes").await, 1, "exactly one request");
    assert_eq!(platform.count("ended").await, 0, "nobody was logged out");
    assert_eq!(world.codes().await, ["auth.accepted", "quota.left"]);
    println!("200 looks in 4 processes: 1 renewal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_is_killed_while_it_writes_leaves_the_old_token_or_the_new_one() {
    const TEST: &str =
        "account::keychain::a_process_that_is_killed_while_it_writes_leaves_the_old_token_or_the_new_one";
    let paste = async |engine: &Engine, token: String| {
        let nobody = |step| panic!("{step:?}");
        let way = Way::Pasted(Secret::new(token));
        account::sign_in(engine, "works", way, &nobody, CancellationToken::new()).await.unwrap();
    };
    if let Some(engine) = worker() {
        for round in 0.. {
            paste(&engine, format!("key-{round}-{}", "x".repeat(3000))).await;
        }
    }
    if !inside(TEST) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(Dirs::new(folder.path())).unwrap();
    let profile = Profile::to(&account::address("http://127.0.0.1:9").unwrap());
    account::save(&engine, "works", &profile).await.unwrap();
    paste(&engine, "key-first".to_owned()).await;
    for round in 0..8_u64 {
        let mut worker =
            again(TEST).env(WORKER, folder.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        tokio::time::sleep(Duration::from_millis(150 + round * 37)).await;
        worker.kill().unwrap();
        worker.wait().unwrap();
        assert_present(folder.path()).await;
    }
}

/// A fresh process finds a token.
async fn assert_present(folder: &Path) {
    let engine = Engine::open(Dirs::new(folder)).unwrap();
    let (look, _) = account::look_at(&engine, "works").await.unwrap();
    assert!(matches!(look.token.state, TokenState::Present { .. }), "{look:?}");
}
