//! `preflight quota`, `login`, `logout`, `token`: against a small platform, and with a real keychain.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use insta::assert_snapshot;

use crate::plates;
use crate::stand_in;
use crate::world::World;

const TOKEN: &str = "key-5f0c7a91";

/// A platform that tells a budget to who has the token.
struct Platform {
    address: String,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Platform {
    fn with(budget: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let noted = Arc::clone(&heads);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let lines = BufReader::new(&stream).lines().map_while(Result::ok);
                let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
                let knows = head.iter().any(|line| line.to_lowercase() == format!("authorization: bearer {TOKEN}"));
                let (status, body) = match (head[0].split(' ').nth(1), knows) {
                    (Some("/v1/user/quota"), true) => ("200 OK", budget),
                    (Some("/v1/user/quota"), false) => ("401 Unauthorized", r#"{"error": "invalid_token"}"#),
                    _ => ("404 Not Found", "{}"),
                };
                noted.lock().expect("the list").push(head.join("\n"));
                let head = format!(
                    "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
            }
        });
        Self { address, heads }
    }

    /// The text without what differs from test to test.
    fn plain(&self, text: &str) -> String {
        let host = self.address.trim_start_matches("http://");
        // As wide as the address, so that lines break alike.
        text.replace(host, &format!("{:<1$}", "platform", host.len()))
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

fn with_token(world: &World, line: &str, token: &str) -> (Option<i32>, String, String) {
    let output = world.command(line.split(' ')).env("API_TOKEN", token).output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_shell_script_in_one_line() {
    let world = World::new();
    for (budget, code) in [
        (r#"{"gpu_hours_remaining": 12.5}"#, 0),
        (r#"{"gpu_hours_remaining": 0.5}"#, 1),
        (r#"{"gpu_hours_remaining": 12.5, "locked": true}"#, 1),
        (r#"{"hours": 12.5}"#, 2),
    ] {
        let platform = Platform::with(budget);
        let (exit, stdout, stderr) = with_token(&world, &format!("quota --url {}", platform.address), TOKEN);
        assert_eq!(exit, Some(code), "{budget}: {stdout}{stderr}");
        assert!(!stdout.contains(TOKEN) && !stderr.contains(TOKEN));
        let (_, json, _) = with_token(&world, &format!("quota --format json --url {}", platform.address), TOKEN);
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert!(json["verdict"].is_string() && json["findings"].is_array(), "{json}");
    }
}

#[test]
fn a_locked_budget_is_no_bug_of_the_token() {
    let world = World::new();
    let platform = Platform::with(r#"{"gpu_hours_remaining": 12.5, "status": "locked", "gpu_hours_limit": 100}"#);
    let (_, text, _) = with_token(&world, &format!("quota --url {}", platform.address), TOKEN);
    assert_snapshot!("locked", platform.plain(&text));
    let (_, text, _) = with_token(&world, &format!("quota --lang zh-CN --url {}", platform.address), "wrong");
    assert_snapshot!("refused-zh", platform.plain(&text));
    let (exit, text, _) = with_token(&world, &format!("quota --url {}", platform.address), "");
    assert_eq!(exit, Some(1), "{text}");
    assert!(text.contains("API_TOKEN"), "{text}");
}

#[test]
fn a_plan_for_a_platform_is_checked_and_not_started() {
    let world = World::new();
    let platform = Platform::with(r#"{"gpu_hours_remaining": 0.001, "price_factors": {"A100": 0.8, "T4": 0.3}}"#);
    plates::write(&world, "plates");
    let keep = "--keep file --paste";
    let mut login = world
        .command(format!("login works --url {} {keep}", platform.address).split(' '))
        .env("PREFLIGHT_PASSPHRASE", "correct horse")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    login.stdin.take().expect("a pipe").write_all(format!("{TOKEN}\n").as_bytes()).expect("a token");
    let output = login.wait_with_output().expect("its end");
    assert!(output.status.success(), "{output:?}");
    let plan = world.typed("plan --dataset plates --imgsz 640 --batch 4 --epochs 100 --weights scratch").stdout_of(0);
    let local = plan.split("[target]").next().expect("a plan");
    let text = format!("{local}[target]\nkind = \"platform\"\nprofile = \"works\"\ncard = \"A100\"\n");
    world.file("plan.toml", &text);
    let check = |line: &str| {
        let output =
            world.command(line.split(' ')).env("PREFLIGHT_PASSPHRASE", "correct horse").output().expect("an answer");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let json: serde_json::Value = serde_json::from_str(&check("check plan.toml --format json")).expect("JSON");
    let findings = json["findings"].as_array().expect("findings");
    let code =
        |code: &str| findings.iter().find(|finding| finding["code"] == code).unwrap_or_else(|| panic!("{json:#}"));
    assert_eq!(code("auth.accepted")["severity"], "ok");
    assert_eq!(code("quota.too-little")["severity"], "blocker");
    assert!(code("quota.too-little")["title"].as_str().is_some_and(|title| title.contains("of 100")));
    assert_eq!(json["links"][2]["state"], "not_needed", "cards are the platform's own");
    let hours = &json["time"]["gpu_hours"];
    assert!(hours["low"].as_f64() < hours["high"].as_f64() && json["time"]["basis"]["by"] == "rule", "{json:#}");
    let page = check("check plan.toml");
    assert!(page.contains("It takes about") && page.contains("by a rule of thumb"), "{page}");
    // A pipeline has no saved connection.
    let line = format!("check plan.toml --format json --url {}", platform.address);
    world.file("plan.toml", &text.replace("works", "not-here"));
    let (exit, there, _) = with_token(&world, &line, TOKEN);
    assert_eq!(exit, Some(1), "{there}");
    assert!(there.contains("quota.too-little") && there.contains("auth.accepted"), "{there}");
    let (exit, there, _) = with_token(&world, &line, "wrong");
    assert_eq!(exit, Some(1), "{there}");
    assert!(there.contains("auth.token-refused"), "{there}");
    world.file("plan.toml", &text);
    let run = world.typed("run plan.toml");
    assert_ne!(run.code, Some(0), "{run}");
    let shown = world.typed("token status works").stdout_of(0);
    assert!(shown.contains("sealed with a passphrase"), "{shown}");
    for file in std::fs::read_dir(world.app().join("profiles")).expect("profiles").flatten() {
        let text = String::from_utf8_lossy(&std::fs::read(file.path()).expect("a file")).into_owned();
        assert!(!text.contains(TOKEN), "{}", file.path().display());
    }
    world.typed("logout works").stdout_of(0);
    assert_eq!(world.typed("token status works").code, Some(1));
}

#[test]
fn an_own_connector_is_read_wherever_one_is_and_what_is_wrong_with_it_has_file_line_and_remedy() {
    let world = World::new();
    let platform = Platform::with(r#"{"data": {"left": "90"}}"#);
    let whole = "format = 1\nname = \"Ours\"\n\n[auth]\nstyle = \"bearer\"\n\n[quota]\npath = \"/v1/user/quota\"\n\
                 unit = \"gpu-minutes\"\nremaining = \"/data/left\"\n";
    for (from, to, line, expected, remedy) in [
        ("style = \"bearer\"", "stile = \"bearer\"", 5, "stile", "Correct that line"),
        ("style = \"bearer\"", "style = \"header\"", 4, "header", "X-Api-Key"),
        ("remaining = \"/data/left\"\n", "", 7, "how much is left", "remaining ="),
        ("\"/data/left\"", "\"data.left\"", 10, "JSON pointer", "Correct that line"),
    ] {
        world.file("wrong.toml", &whole.replace(from, to));
        let (exit, _, said) =
            with_token(&world, &format!("quota --url {} --connector wrong.toml", platform.address), TOKEN);
        assert_eq!(exit, Some(2), "{said}");
        let line = format!("ine {line} of wrong.toml");
        assert!([&line, expected, remedy].iter().all(|part| said.contains(*part)), "{to}: {said}");
    }
    world.file("ours.toml", whole);
    let login = format!("login ours --url {} --connector ours.toml --keep file --paste", platform.address);
    let mut login = world
        .command(login.split(' '))
        .env("PREFLIGHT_PASSPHRASE", "correct horse")
        .stdin(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    login.stdin.take().expect("a pipe").write_all(TOKEN.as_bytes()).expect("a token");
    assert!(login.wait().expect("its end").success());
    let elsewhere = world
        .command(["quota", "ours"])
        .env("PREFLIGHT_PASSPHRASE", "correct horse")
        .current_dir(world.app())
        .output()
        .expect("an answer");
    let text = String::from_utf8(elsewhere.stdout).expect("UTF-8");
    assert!(text.contains("90 GPU-min"), "{text}{}", String::from_utf8_lossy(&elsewhere.stderr));
}

/// What is in the variables of a pipeline is for `preflight` alone.
#[test]
fn no_program_that_is_started_knows_the_token_and_no_file_or_bundle_holds_it() {
    const SECRETS: [(&str, &str); 3] =
        [("API_TOKEN", TOKEN), ("PREFLIGHT_TOKEN", "key-77d1e0b2"), ("PREFLIGHT_PASSPHRASE", "horse-9d1c")];
    let world = World::new();
    let note = world.desk().join("variables");
    let print = format!("env >> '{}'; tr '\\0' ' ' < /proc/$$/cmdline >> '{0}'", note.display());
    stand_in::plan(&world, "echo 'CUDA error: out of memory' >&2; exit 1", &["--epochs", "2", "--device", "cpu"]);
    let python = world.desk().join("python");
    let script = std::fs::read_to_string(&python).expect("a script");
    std::fs::write(&python, script.replacen("#!/bin/sh\n", &format!("#!/bin/sh\n{print}\n"), 1)).expect("a script");
    let said = |line: &str| {
        let output = world.command(line.split(' ')).envs(SECRETS).output().expect("the binary starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        text(&output.stdout) + &text(&output.stderr)
    };
    let mut all = said("check plan.toml --trust-python") + &said("run plan.toml --follow --format json");
    let runs = world.typed("runs list --format json").json();
    let id = runs[0]["id"].as_str().unwrap_or_else(|| panic!("{runs:#}\n{all}")).to_owned();
    all += &said(&format!("runs show {id}"));
    all += &said(&format!("runs bundle {id} --to bundle.zip"));
    let mut bundle = zip::ZipArchive::new(std::fs::File::open(world.desk().join("bundle.zip")).expect("a bundle"));
    let bundle = bundle.as_mut().expect("a bundle");
    for index in 0..bundle.len() {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut bundle.by_index(index).expect("an entry"), &mut text).expect("its content");
        all += &String::from_utf8_lossy(&text);
    }
    let seen = std::fs::read_to_string(&note).expect("what the programs were given");
    assert!(seen.contains("PREFLIGHT_RUN="), "the trainer wrote down its variables: {seen}");
    let mut folders = vec![world.app(), world.desk()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                all += &String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default());
            }
        }
    }
    assert!(all.contains("CUDA error"), "what the run wrote is among it");
    for (name, secret) in SECRETS {
        assert!(!all.contains(secret), "{name} is somewhere");
    }
}

/// Does it with a keychain of its own, which is locked or not; `None`: there is none here, which is said.
fn with_keychain(world: &World, unlocked: bool, script: &str) -> Option<String> {
    let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !has("dbus-run-session") || !has("gnome-keyring-daemon") {
        println!("skipped: dbus and gnome-keyring are not installed");
        return None;
    }
    let home = world.app().join("keyring home");
    let runtime = world.app().join("runtime");
    for folder in [&home, &runtime] {
        std::fs::create_dir_all(folder).expect("a folder");
    }
    let start = if unlocked {
        "printf 'secret\\n' | gnome-keyring-daemon --unlock --components=secrets --daemonize"
    } else {
        "gnome-keyring-daemon --start --components=secrets"
    };
    let script = format!("set -e\n{start} >/dev/null 2>&1\n{script}\n");
    let template = world.command([""; 0]);
    let mut command = Command::new("dbus-run-session");
    command.args(["--", "sh", "-c", &script]).current_dir(world.desk()).stdin(Stdio::null());
    for (name, value) in template.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("HOME", &home).env("XDG_RUNTIME_DIR", &runtime).env("XDG_DATA_HOME", home.join("data"));
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env("PREFLIGHT", env!("CARGO_BIN_EXE_preflight"));
    let output = command.output().expect("dbus-run-session starts");
    Some(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn a_real_keychain_keeps_the_token_and_forgets_it() {
    let world = World::new();
    let platform = Platform::with(r#"{"gpu_hours_remaining": 12.5}"#);
    let script = format!(
        "printf '%s' '{TOKEN}' | \"$PREFLIGHT\" login works --url {} --paste\n\
         \"$PREFLIGHT\" token status works\n\"$PREFLIGHT\" quota works && echo ASKED\n\
         \"$PREFLIGHT\" logout works\n\"$PREFLIGHT\" quota works || echo GONE",
        platform.address
    );
    let Some(said) = with_keychain(&world, true, &script) else { return };
    assert!(said.contains("the system's keychain") && said.contains("ASKED") && said.contains("GONE"), "{said}");
    assert!(!said.contains(TOKEN), "{said}");
    let heads = platform.heads.lock().expect("the list");
    assert!(heads.iter().any(|head| head.contains(TOKEN)), "it was sent to its receiver");
    for file in std::fs::read_dir(world.app().join("profiles")).expect("profiles").flatten() {
        let text = String::from_utf8_lossy(&std::fs::read(file.path()).expect("a file")).into_owned();
        assert!(!text.contains(TOKEN), "{}", file.path().display());
    }
}

#[test]
fn a_locked_keychain_is_told_from_none_and_works_once_it_is_open() {
    let world = World::new();
    let platform = Platform::with(r#"{"gpu_hours_remaining": 12.5}"#);
    let login = format!("printf '%s' '{TOKEN}' | \"$PREFLIGHT\" login works --url {} --paste", platform.address);
    let Some(said) = with_keychain(&world, true, &login) else { return };
    assert!(said.contains("Signed in"), "{said}");
    let said =
        with_keychain(&world, false, "\"$PREFLIGHT\" quota works --format json || echo EXIT $?").expect("a keychain");
    assert!(said.contains("auth.token-unreadable") && said.contains("EXIT 2"), "{said}");
    assert!(said.contains("problem-account-keychain-locked"), "{said}");
    let said = with_keychain(&world, true, "\"$PREFLIGHT\" quota works && echo ASKED").expect("a keychain");
    assert!(said.contains("ASKED"), "{said}");
    // Without any, nobody is asked for anything.
    let said = world
        .command(["login", "other", "--url", &platform.address, "--paste"])
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
        .output();
    let said = String::from_utf8(said.expect("an answer").stderr).expect("UTF-8");
    assert!(said.contains("no keychain") && said.contains("--keep file"), "{said}");
}
