//! `preflight sample`.

use crate::world::World;

#[test]
fn the_sample_is_written_where_it_was_asked_for() {
    let world = World::new();
    let yaml = world.desk().join("plates/data.yaml");
    let said = world.typed("sample plates");
    assert_eq!(said.stdout_of(0), format!("{}\n", yaml.display()));
    assert!(yaml.is_file());
    assert_eq!(world.typed("dataset plates --strict").code, Some(0), "nothing is wrong with it");
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let world = World::new();
    let kept = world.file("plates/kept.txt", "mine");
    let said = world.typed("sample plates");
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
    assert_eq!(std::fs::read_dir(world.desk().join("plates")).expect("a folder").count(), 1);
    assert_eq!(std::fs::read_to_string(kept).expect("the file"), "mine");
}
