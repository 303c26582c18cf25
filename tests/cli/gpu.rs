//! `preflight gpu`, in front of a library that plays NVIDIA's.

use insta::assert_snapshot;

use crate::world::World;

fn gpu(world: &World, scenario: &str, arguments: &[&str]) -> String {
    let mut command = world.command(arguments);
    command.env("PREFLIGHT_NVML", fake_nvml::library());
    command.env(fake_nvml::SCENARIO_VARIABLE, fake_nvml::scenario(scenario));
    let output = command.output().expect("the binary starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn cards_with_what_is_free_and_who_holds_the_rest() {
    let world = World::new();
    assert_snapshot!("two-cards", gpu(&world, "two-cards", &["gpu"]));
    assert_snapshot!("two-cards-zh", gpu(&world, "two-cards", &["gpu", "--lang", "zh-CN"]));
    assert_snapshot!("refusals", gpu(&world, "refusals", &["gpu"]));
    assert_snapshot!("version-mismatch", gpu(&world, "version-mismatch", &["gpu"]));
    let json = gpu(&world, "two-cards", &["gpu", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["known"]["cards"].as_array().map(Vec::len), Some(2));
}

#[test]
fn no_driver_is_an_answer() {
    let world = World::new();
    let mut command = world.command(["gpu"]);
    let output = command.env("PREFLIGHT_NVML", world.desk().join("absent.so")).output().expect("the binary starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("No NVIDIA driver"), "{output:?}");
}

#[test]
fn watching_looks_again_and_again() {
    let world = World::new();
    let lines = gpu(&world, "two-cards", &["gpu", "--watch", "--times", "2", "--format", "json"]);
    let looks: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(looks.len(), 2);
    for look in looks {
        assert_eq!(look["known"]["cards"][0]["memory"]["known"]["total"], 12_884_901_888_u64);
    }
    let text = gpu(&world, "two-cards", &["gpu", "--watch", "--times", "1"]);
    assert_eq!(text, gpu(&world, "two-cards", &["gpu"]), "nobody watches: no redrawing");
    let refused = world.preflight(["gpu", "--times", "1"]);
    assert_eq!(refused.code, Some(2), "{refused}");
}

fn doctor(world: &World, scenario: &str, arguments: &[&str]) -> crate::world::Said {
    let mut command = world.command(arguments);
    command.env("PREFLIGHT_NVML", fake_nvml::library());
    command.env(fake_nvml::SCENARIO_VARIABLE, fake_nvml::scenario(scenario));
    crate::world::Said::new(command.output().expect("the binary starts"))
}

#[test]
fn the_doctor_answers_with_the_codes_of_every_command() {
    let world = World::new();
    let json = ["doctor", "--format", "json", "--without-computing"];
    // No environment was made: that blocks, whatever the cards are.
    let said = doctor(&world, "two-cards", &json);
    assert_eq!(said.code, Some(1), "{said}");
    let report = said.json();
    assert_eq!(report["verdict"], "blocked");
    let codes = |report: &serde_json::Value| -> Vec<String> {
        let findings = report["findings"].as_array().expect("findings");
        findings.iter().filter_map(|finding| finding["code"].as_str().map(str::to_owned)).collect()
    };
    let found = codes(&report);
    assert!(found.contains(&"image.missing".to_owned()) && found.contains(&"gpu_pool.free".to_owned()), "{found:?}");
    assert!(report["facts"]["surroundings"]["known"]["clock_ms"].is_u64());
    assert!(!found.iter().any(|code| code.starts_with("data.not-chosen")), "a dataset is not what is asked about");

    let found = codes(&doctor(&world, "lost", &json).json());
    assert!(found.contains(&"gpu_pool.card-lost".to_owned()), "{found:?}");
    let found = codes(&doctor(&world, "version-mismatch", &json).json());
    assert!(found.contains(&"driver.nvml-version-mismatch".to_owned()), "{found:?}");
    let text = doctor(&world, "eight-a100", &["doctor", "--without-computing", "--lang", "zh-CN"]);
    assert!(text.stdout.contains("NVIDIA A100-SXM4-80GB 正忙"), "{text}");
}

/// A computation in a real environment: the one that tests train with.
#[cfg(unix)]
#[test]
fn the_doctor_computes_in_the_environment() {
    let Some(python) = std::env::var_os("PREFLIGHT_TEST_PYTHON") else {
        eprintln!("skipped: PREFLIGHT_TEST_PYTHON is not set");
        return;
    };
    let world = World::new();
    let environment = std::path::Path::new(&python).ancestors().nth(2).expect("an environment");
    std::os::unix::fs::symlink(environment, world.app().join("environment")).expect("a link");
    let mut command = world.command(["doctor", "--format", "json"]);
    command.env("PREFLIGHT_NVML", world.desk().join("absent.so"));
    let said = crate::world::Said::new(command.output().expect("the binary starts"));
    let report = said.json();
    assert_eq!(report["smoke"]["state"], "computed", "{said}");
    assert_eq!(report["smoke"]["device"], "cpu");
    assert!(said.stdout.contains("image.computes"), "{said}");
}
