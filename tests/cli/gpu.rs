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
