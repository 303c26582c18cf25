//! `preflight dataset` beyond reading: tasks, conversion, mending, the second look.

use serde_json::json;

use crate::plates;
use crate::world::World;

#[test]
fn json_has_the_shape_that_scripts_are_promised() {
    let world = World::new();
    plates::write(&world, "plates");
    world.file("plates/labels/train/3.txt", "0 0.5 0.5 0.2 0.2\n7 0.5 0.5 0.2 0.2\n");
    let said = world.typed("dataset plates --format json");
    assert_eq!(said.code, Some(1), "{said}");
    let told = said.json();
    for split in ["train", "val"] {
        let split = &told["splits"][split];
        assert!(split["path"].is_string(), "{split}");
        for key in ["images", "labelled", "background", "corrupt", "instances"] {
            assert!(split[key].is_u64(), "{key} of {split}");
        }
    }
    assert_eq!(told["splits"]["train"]["corrupt"], 1);
    assert_eq!(told["classes"], json!(["scratch", "dent"]));
    assert!(told["timing"]["took_ms"].is_u64());
    let finding = &told["findings"][0];
    assert_eq!((finding["code"].as_str(), finding["line"].as_u64()), (Some("data.class-out-of-range"), Some(2)));
    assert!(finding["file"].as_str().is_some_and(|file| file.ends_with("3.txt")), "{finding}");
}

#[test]
fn a_task_that_does_not_suit_is_a_blocker_in_both_languages() {
    let world = World::new();
    plates::write(&world, "plates");
    assert_eq!(world.typed("dataset plates --task detect").code, Some(0));
    for language in ["en", "zh-CN"] {
        let said = world.typed(&format!("dataset plates --task segment --lang {language}"));
        assert_eq!(said.code, Some(1), "{said}");
        assert!(said.stdout.contains("data.task-needs-outlines"), "{said}");
    }
    assert_eq!(world.typed("dataset plates --task guess").code, Some(2));
}

#[test]
fn annotations_of_another_tool_are_converted_into_a_new_folder() {
    let world = World::new();
    plates::write(&world, "plates");
    let image = world.desk().join("plates/images/train/1.png");
    let image = if image.is_file() { image } else { first_image(&world.desk().join("plates/images/train")) };
    let name = image.file_name().expect("a name").to_str().expect("text").to_owned();
    world.file("voc/note.txt", "");
    std::fs::copy(&image, world.desk().join("voc").join(&name)).expect("a copy");
    world.file(
        "voc/a.xml",
        &format!(
            "<annotation><filename>{name}</filename><object><name>dent</name><bndbox><xmin>1</xmin><ymin>1</ymin>\
             <xmax>9</xmax><ymax>9</ymax></bndbox></object></annotation>"
        ),
    );
    assert_eq!(world.typed("dataset voc --convert yolo").code, Some(2), "--to is missing");
    let told = world.typed("dataset voc --convert yolo --to new --format json").json();
    assert_eq!((&told["converted"]["form"], &told["converted"]["objects"]), (&json!("pascal-voc"), &json!(1)));
    assert_eq!(told["splits"]["train"]["instances"], 1);
    assert!(world.desk().join("new/data.yaml").is_file());
    let again = world.typed("dataset voc --convert yolo --to new --format json").json();
    assert_eq!(again["problem"]["code"], "dataset.folder-not-empty");
}

fn first_image(folder: &std::path::Path) -> std::path::PathBuf {
    std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).min().expect("an image")
}

#[test]
fn a_copy_is_mended_after_a_yes() {
    let world = World::new();
    plates::write(&world, "plates");
    let label = world.file("plates/labels/train/3.txt", "0 0,5 0,5 0,2 0,2\n");
    let said = world.typed("dataset plates --fix-to mended");
    assert_eq!(said.code, Some(2), "nobody said yes: {said}");
    assert!(said.stderr.contains("+ 1: 0 0.5 0.5 0.2 0.2"), "{said}");
    assert!(!world.desk().join("mended").exists());
    let said = world.typed("dataset plates --fix-to mended --yes");
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(std::fs::read_to_string(label).expect("the label"), "0 0,5 0,5 0,2 0,2\n");
    let said = world.typed("dataset mended --fix-to again --yes");
    assert_eq!(said.code, Some(0), "{said}");
    assert!(!world.desk().join("again").exists(), "there was nothing to mend");
}

#[test]
fn the_second_look_has_a_fingerprint_a_page_and_says_what_changed() {
    let world = World::new();
    plates::write(&world, "plates");
    let told = world.typed("dataset plates --deep --format json").json();
    let fingerprint = told["health"]["fingerprint"].as_str().expect("a fingerprint").to_owned();
    assert!(told["health"]["profiles"][0][1]["box_sizes"].is_array());
    let page = world.typed("dataset plates --format html").stdout_of(0);
    assert!(page.starts_with("<!doctype html>") && page.contains(&fingerprint));
    assert_eq!(world.typed("gpu --format html").code, Some(2));

    let changed = |world: &World| {
        let told = world.typed("dataset plates --manifest kept.json --format json").json();
        let findings = told["findings"].as_array().expect("findings").clone();
        findings.iter().find(|finding| finding["code"] == "data.changed").map(|finding| finding["args"].clone())
    };
    assert_eq!(changed(&world), None, "the first time");
    assert_eq!(changed(&world), None, "nothing changed");
    world.file("plates/labels/train/3.txt", "0 0.4 0.4 0.2 0.2\n");
    assert_eq!(changed(&world).expect("a change")["labels"], 1.0);
    assert_eq!(changed(&world), None, "the file was written anew");
}
