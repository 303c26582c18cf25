//! `preflight runs pause`, `resume`, `cancel`: what a person asks of a run from a terminal.

use serde_json::Value;

use crate::stand_in;
use crate::world::{Said, World};

fn shown(world: &World, id: &str) -> Value {
    world.preflight(["runs", "show", id, "--format", "json"]).json()
}

fn last_epoch(run: &Value) -> u64 {
    run["progress"]["history"]
        .as_array()
        .and_then(|points| points.last())
        .map_or(0, |point| point["epoch"].as_u64().expect("a number"))
}

/// Looks again and again until a run is as described.
fn until(world: &World, id: &str, what: &str, is: impl Fn(&Value) -> bool) -> Value {
    let began = std::time::Instant::now();
    loop {
        let run = shown(world, id);
        if is(&run) {
            return run;
        }
        assert!(began.elapsed().as_secs() < 240, "waiting for {what}: {run:#}");
    }
}

fn start(world: &World) -> String {
    let said = world.typed("run plan.toml --yes");
    assert_eq!(said.code, Some(0), "{said}");
    said.stdout.trim_end().to_owned()
}

fn problem(said: &Said) -> Value {
    said.json()["problem"]["code"].clone()
}

#[test]
fn a_run_is_paused_and_goes_on() {
    let world = World::new();
    stand_in::plan(&world, &stand_in::epochs(&world, 30, 0.3), &["--epochs", "30", "--device", "cpu"]);
    let id = start(&world);
    until(&world, &id, "an epoch", |run| last_epoch(run) > 0);
    let said = world.preflight(["runs", "pause", &id]);
    assert_eq!(said.code, Some(0), "{said}");
    let run = until(&world, &id, "the rest", |run| run["state"] == "paused");
    assert_eq!(run["progress"]["exit"], serde_json::json!([75, null]));
    let shown = world.preflight(["runs", "show", &id]).stdout_of(0);
    assert!(shown.contains("Paused") && shown.contains("preflight runs resume"), "{shown}");
    assert!(world.typed("runs list --state paused").stdout_of(0).contains(&id));

    let refused = world.preflight(["runs", "resume", &id, "--epochs", "99", "--format", "json"]);
    assert_eq!((refused.code, problem(&refused)), (Some(2), Value::from("run.epochs-fixed")), "{refused}");
    let refused = world.preflight(["runs", "resume", &id, "--set", "lr0=0.1", "--format", "json"]);
    assert_eq!((refused.code, problem(&refused)), (Some(2), Value::from("run.not-changeable")), "{refused}");

    let said = world.preflight(["runs", "resume", &id, "--batch", "2", "--follow"]);
    assert_eq!(said.code, Some(0), "{said}");
    let run = until(&world, &id, "the end", |run| run["state"] == "succeeded");
    assert_eq!((&run["state"], last_epoch(&run)), (&Value::from("succeeded"), 30));
    assert_eq!(run["progress"]["resumed"], 1);
    let refused = world.preflight(["runs", "resume", &id, "--format", "json"]);
    assert_eq!((refused.code, problem(&refused)), (Some(2), Value::from("run.finished")), "{refused}");
    let refused = world.preflight(["runs", "pause", &id, "--format", "json"]);
    assert_eq!((refused.code, problem(&refused)), (Some(2), Value::from("run.over")), "{refused}");
}

#[test]
fn a_real_training_is_paused_and_goes_on_with_another_batch() {
    let Ok(python) = std::env::var("PREFLIGHT_TEST_PYTHON") else {
        println!("skipped: pauses a real training: PREFLIGHT_TEST_PYTHON is not set");
        return;
    };
    let world = World::new();
    let dataset = crate::plates::write(&world, "plates");
    let line = format!(
        "plan --python {python} --imgsz 64 --batch 4 --epochs 12 --weights scratch --device cpu --workers 0 \
         --set plots=false --output plan.toml"
    );
    let said = world.preflight(line.split(' ').chain([format!("--dataset={}", dataset.display()).as_str()]));
    assert_eq!(said.code, Some(0), "{said}");
    let id = start(&world);
    until(&world, &id, "an epoch", |run| last_epoch(run) > 0);
    assert_eq!(world.preflight(["runs", "pause", &id]).code, Some(0));
    let rested = until(&world, &id, "the rest", |run| run["state"] == "paused");
    assert!(last_epoch(&rested) < 12, "{rested:#}");
    let said = world.preflight(["runs", "resume", &id, "--batch", "2", "--follow"]);
    assert_eq!(said.code, Some(0), "{said}");
    let run = shown(&world, &id);
    assert_eq!((&run["state"], last_epoch(&run)), (&Value::from("succeeded"), 12));
    assert_eq!(run["progress"]["batch_size"], 2, "what it really trained with");
    let epochs: Vec<u64> = run["progress"]["history"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|point| point["epoch"].as_u64().expect("a number"))
        .collect();
    assert_eq!(epochs, (1..=12).collect::<Vec<_>>());
}

/// Where a desktop starts each app in a scope of systemd's, a run is given one of its own.
#[cfg(target_os = "linux")]
#[test]
fn a_supervisor_has_a_scope_of_its_own_where_there_is_systemd() {
    use std::os::unix::fs::PermissionsExt;

    for (what, script) in [
        ("works", "echo \"$@\" > \"$0.said\"\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n"),
        ("is there and cannot", "echo \"$@\" > \"$0.said\"\necho 'Failed to connect to bus' >&2\nexit 1\n"),
    ] {
        let world = World::new();
        stand_in::plan(&world, &stand_in::epochs(&world, 1, 0.1), &["--epochs", "1", "--device", "cpu"]);
        let program = world.file("bin/systemd-run", &format!("#!/bin/sh\n{script}"));
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("an executable");
        world.file("runtime/systemd/private", "");
        let paths = std::env::join_paths(
            std::iter::once(world.desk().join("bin"))
                .chain(std::env::split_paths(&std::env::var_os("PATH").expect("a PATH"))),
        );
        let output = world
            .command(["run", "plan.toml", "--yes", "--follow"])
            .env("PATH", paths.expect("a PATH"))
            .env("XDG_RUNTIME_DIR", world.desk().join("runtime"))
            .output()
            .expect("the binary starts");
        assert_eq!(output.status.code(), Some(0), "{what}: {output:?}");
        let said = std::fs::read_to_string(world.desk().join("bin/systemd-run.said")).expect("it was asked");
        let mut words = said.split_whitespace();
        for word in ["--user", "--scope", "--collect", "--quiet", "--"] {
            assert_eq!(words.next(), Some(word), "{said}");
        }
        assert!(words.next().is_some_and(|program| program.ends_with("preflight")), "{said}");
        assert_eq!(words.next(), Some("supervise"), "{said}");
        let run = shown(&world, "latest");
        assert_eq!(run["state"], "succeeded", "{what}: {run:#}");
        let events = std::fs::read_to_string(
            world.app().join("runs").join(run["id"].as_str().expect("an id")).join("events.jsonl"),
        );
        let prepared = events.expect("events").lines().filter(|line| line.contains("\"preparing\"")).count();
        assert_eq!(prepared, 1, "{what}: one supervisor took it on");
    }
}

/// Two cards: what the trainer is told, and how much of each it held.
#[cfg(target_os = "linux")]
#[test]
fn two_cards_are_named_to_the_trainer_and_their_peaks_written_down() {
    let world = World::new();
    let card = |name: &str| {
        format!(
            "[[card]]\nname = '{name}'\nuuid = 'GPU-{name}'\nmemory-mib = 16000\nused-mib = 100\ncapability = [8, 6]\n"
        )
    };
    let cards = format!("driver = '580.95.05'\ncuda = 13000\n{}", card("A"));
    let scenario = world.file("cards.toml", &format!("{cards}{}", card("B")));
    // It holds memory on both for a while, less of it at the end.
    let trainer = format!(
        r#"
hold() {{
  {{ printf '%s' "{cards}"; process "$1"; printf '%s' "{second}"; process "$2"; }} > '{scenario}.new'
  mv '{scenario}.new' '{scenario}'
}}
process() {{ printf '[[card.process]]\npid = %s\nmemory-mib = %s\n' $$ "$1"; }}
hold 4000 6000
{{ sleep 2.5; hold 300 200; }} &
{epochs}
"#,
        second = card("B"),
        scenario = scenario.display(),
        epochs = stand_in::epochs(&world, 2, 2.5),
    );
    stand_in::plan(&world, &trainer, &["--epochs", "2", "--device", "gpu:0,1"]);
    let run = |arguments: &[&str]| {
        let mut command = world.command(arguments);
        command.env("PREFLIGHT_NVML", fake_nvml::library()).env(fake_nvml::SCENARIO_VARIABLE, &scenario);
        command.output().expect("the binary starts")
    };
    let output = run(&["run", "plan.toml", "--yes", "--follow", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let run: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(run["record"]["device"], "0,1");
    let folder = world.app().join("runs").join(run["id"].as_str().expect("an id"));
    let given: Value =
        serde_json::from_slice(&std::fs::read(folder.join("arguments.json")).expect("a file")).expect("JSON");
    assert_eq!(given["train"]["device"], "0,1");
    const MIB: u64 = 1 << 20;
    assert_eq!(run["progress"]["peak_gpu_memory"], 6000 * MIB, "on the fuller one: {run:#}");
    assert_eq!(run["record"]["hardware"]["gpus"], serde_json::json!(["A", "B"]));
    let held = std::fs::read_to_string(folder.join("events.jsonl")).expect("events");
    assert!(held.contains(&format!("\"gpu_memory\":{}", 10_000 * MIB)), "on both together: {held}");
}
