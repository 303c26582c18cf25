//! `preflight env`: nothing is made or removed unasked.

use crate::world::World;

#[test]
fn an_environment_that_was_not_made_is_listed_as_missing() {
    let world = World::new();
    let list = world.typed("env list --format json");
    assert_eq!(list.code, Some(0), "{list}");
    assert_eq!(list.json()[0]["state"], "missing");
    let said = world.typed("env list").stdout_of(0);
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
