//! `preflight env`: nothing is made or removed unasked.

use crate::world::World;

#[test]
fn an_environment_that_was_not_made_is_listed_as_missing() {
    let world = World::new();
    // The search path has the Pythons of the computer that runs the tests.
    let list = |arguments: &[&str]| {
        let output = world.command(arguments).env("PATH", "").output().expect("the binary starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let json: serde_json::Value = serde_json::from_str(&list(&["env", "list", "--format", "json"])).expect("JSON");
    assert_eq!(json, serde_json::json!([{ "state": "missing" }]));
    let said = list(&["env", "list"]);
    assert!(said.contains("preflight env create"), "{said}");
}

#[test]
fn without_a_terminal_a_yes_must_be_given() {
    let world = World::new();
    for line in ["env create --cpu", "env repair --cuda 12.8"] {
        let said = world.typed(line);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
        assert!(said.stderr.contains("GiB"), "the size is said: {said}");
        assert!(said.stderr.contains("--yes"), "{said}");
    }
    assert!(!world.app().join("environment").exists());
    let said = world.typed("env create --cpu --format json");
    assert_eq!(said.json()["problem"]["code"], "confirmation.missing");
}

#[test]
fn what_is_not_there_needs_no_removal() {
    let world = World::new();
    let said = world.typed("env remove --format json");
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(said.json()["freed"], 0);
}
