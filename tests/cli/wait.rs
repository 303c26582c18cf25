//! Waiting for a card, training on a part of one, and finding one's own training on one, in front of a library that plays
//! NVIDIA's.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::Value;

use crate::stand_in;
use crate::world::{Said, World};

/// A plan of this many epochs on a device, with a script in the trainer's place.
fn plan(world: &World, epochs: u32, seconds: f64, device: &str) {
    stand_in::plan(world, &stand_in::epochs(world, epochs, seconds), &["--device", device]);
}

fn with_cards(world: &World, scenario: &str, line: &str) -> std::process::Command {
    let mut command = world.command(line.split(' '));
    command.env("PREFLIGHT_NVML", fake_nvml::library());
    let named = PathBuf::from(scenario);
    let file = if named.is_absolute() { named } else { fake_nvml::scenario(scenario) };
    command.env(fake_nvml::SCENARIO_VARIABLE, file);
    command
}

fn said(world: &World, scenario: &str, line: &str) -> Said {
    Said::new(with_cards(world, scenario, line).output().expect("the binary starts"))
}

fn runs(world: &World) -> usize {
    world.typed("runs list --format json").json().as_array().map_or(0, Vec::len)
}

#[test]
fn a_plan_waits_until_its_card_is_free_and_then_trains() {
    let world = World::new();
    plan(&world, 1, 0.1, "gpu:0");
    // Another training leaves the card ten seconds after it was first looked at.
    let said = said(&world, "frees-later", "run plan.toml --when-free --follow");
    assert_eq!(said.code, Some(0), "{said}");
    let place = |text: &str| said.stderr.find(text).unwrap_or_else(|| panic!("no {text}: {said}"));
    let (waits, held) = (place("Waiting until the card is free"), place("python3 (4194001) 11.5 GiB"));
    let (full, free) = (place("11.6 GiB of 12.0 GiB in use"), place("200 MiB of 12.0 GiB in use"));
    assert!(waits < full && full < held && held < free && free < place("has started"), "{said}");
    assert!(said.stderr.contains("is busy"), "why it waits: {said}");
    assert_eq!(runs(&world), 1);
    assert_eq!(world.typed("runs show latest --format json").json()["state"], "succeeded");
}

#[test]
fn a_card_that_is_free_is_not_waited_for_and_what_waiting_does_not_help_is_said_at_once() {
    let world = World::new();
    plan(&world, 1, 0.1, "gpu:1");
    let started = said(&world, "two-cards", "run plan.toml --when-free --format json");
    assert_eq!(started.code, Some(0), "{started}");
    assert_eq!(started.json()["waited_s"], 0, "{started}");
    assert!(!started.stderr.contains("Waiting"), "{started}");

    assert_eq!(world.typed("plan --dataset plates --device gpu:0 --output other.toml").code, Some(0));
    let refused = said(&world, "busy", "run other.toml --when-free --format json");
    assert_eq!((refused.code, &refused.json()["verdict"]), (Some(1), &Value::from("blocked")), "{refused}");
    assert!(refused.stdout.contains("image.missing"), "there is no environment: {refused}");
    assert_eq!(runs(&world), 1);
}

#[test]
fn ctrl_c_ends_the_waiting_and_nothing_is_started() {
    let world = World::new();
    plan(&world, 1, 0.1, "gpu:0");
    let mut waiting = with_cards(&world, "busy", "run plan.toml --when-free")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut remarks = BufReader::new(waiting.stderr.take().expect("its stderr")).lines().map_while(Result::ok);
    assert!(remarks.any(|line| line.contains("in use")), "it says who holds the card");
    let sent = std::process::Command::new("kill").args(["-INT", &waiting.id().to_string()]).status();
    assert!(sent.expect("kill").success());
    let rest: Vec<String> = remarks.collect();
    assert_eq!(waiting.wait().expect("its end").code(), Some(130), "{rest:?}");
    assert!(rest.iter().any(|line| line.contains("nothing was started")), "{rest:?}");
    assert_eq!(runs(&world), 0);
}

const SLICE: &str = "MIG-bbbb0000-1111-2222-3333-444444444444";

#[test]
fn a_part_of_a_divided_card_is_listed_judged_and_trained_on() {
    let world = World::new();
    let listed = said(&world, "mig-parts", "gpu");
    assert_snapshot!("mig-parts", listed.stdout);
    let json = said(&world, "mig-parts", "gpu --format json").json();
    let slices = &json["known"]["cards"][0]["details"]["mig"]["known"]["slices"];
    assert_eq!(
        (&slices[1]["uuid"], &slices[1]["memory"]["total"]),
        (&Value::from(SLICE), &Value::from(42_144_366_592_u64))
    );

    let trainer = "printf '%s' \"$CUDA_VISIBLE_DEVICES\" > visible\n";
    let trainer = format!("{trainer}{}", stand_in::epochs(&world, 1, 0.1));
    stand_in::plan(&world, &trainer, &["--device", SLICE]);
    let text = std::fs::read_to_string(world.desk().join("plan.toml")).expect("a plan");
    assert!(text.contains(&format!("device = \"{SLICE}\"")), "{text}");
    let checked = said(&world, "mig-parts", "check plan.toml --format json");
    let report = checked.json();
    assert_eq!(checked.code, Some(0), "{checked}");
    let supply = report["forecast"]["estimate"]["supply"].as_u64().expect("what is free");
    assert_eq!(supply >> 20, 40_192 - 20_000, "of the part, not of the card");
    assert!(
        report["command"]["ultralytics"]
            .as_str()
            .is_some_and(|line| line.starts_with(&format!("CUDA_VISIBLE_DEVICES={SLICE} yolo")))
    );

    let trained = said(&world, "mig-parts", "run plan.toml --follow");
    assert_eq!(trained.code, Some(0), "{trained}");
    let run = world.typed("runs show latest --format json").json();
    assert_eq!(run["record"]["device"], SLICE, "{run:#}");
    let folder = PathBuf::from(run["folder"].as_str().expect("a folder"));
    assert_eq!(std::fs::read_to_string(folder.join("visible")).expect("what CUDA is told"), SLICE);
    let told: Value =
        serde_json::from_slice(&std::fs::read(folder.join("arguments.json")).expect("arguments")).expect("JSON");
    assert_eq!(told["train"]["device"], "cuda:0");

    let codes = |said: Said| {
        let report = said.json();
        let findings = report["findings"].as_array().expect("findings").clone();
        findings.iter().map(|finding| finding["code"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let full = codes(said(&world, "mig-full", "check plan.toml --format json"));
    assert!(full.contains(&"gpu_pool.memory-busy".to_owned()), "{full:?}");
    let gone = codes(said(&world, "two-cards", "check plan.toml --format json"));
    assert!(gone.contains(&"gpu_pool.no-such-slice".to_owned()), "{gone:?}");
    assert_eq!(world.typed("plan --dataset plates --device MIG-$(rm)").code, Some(2));
}

#[test]
fn a_training_of_ones_own_on_a_card_is_named_and_can_be_ended() {
    let world = World::new();
    plan(&world, 50, 60.0, "gpu:0");
    let free = format!("{}", fake_nvml::scenario("exclusive-free").display());
    let started = said(&world, &free, "run plan.toml --format json");
    assert_eq!(started.code, Some(0), "{started}");
    let id = started.json()["id"].as_str().expect("an id").to_owned();
    let began = std::time::Instant::now();
    let trainer = loop {
        let run = world.preflight(["runs", "show", &id, "--format", "json"]).json();
        if let Some(trainer) = run["progress"]["trainer"][0].as_u64().or_else(|| run["progress"]["trainer"].as_u64()) {
            break trainer;
        }
        assert!(began.elapsed().as_secs() < 120, "no trainer: {run:#}");
    };
    let text = std::fs::read_to_string(fake_nvml::scenario("busy")).expect("a scenario");
    let busy = world.file("held.toml", &text.replace("4194001", &trainer.to_string()));
    let busy = busy.display().to_string();
    let listed = said(&world, &busy, "gpu").stdout;
    assert!(listed.contains(&format!("training {id}")), "{listed}");
    let checked = said(&world, &busy, "check plan.toml");
    assert_eq!(checked.code, Some(1), "{checked}");
    for words in [format!("preflight runs show {id}"), format!("preflight runs cancel {id}")] {
        // Wherever the line is broken.
        let said = checked.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(&words), "{words}: {checked}");
    }
    assert!(!checked.stdout.contains("kill "), "{checked}");
    assert_eq!(world.preflight(["runs", "cancel", &id]).code, Some(0));
}
