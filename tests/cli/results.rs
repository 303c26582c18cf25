//! `preflight runs`: what one does with runs that are over.

use std::path::Path;

use serde_json::Value;

use crate::world::World;

/// Everything one does with a run that finished, on the images that it was validated on.
pub(crate) fn of_a_finished_run(world: &World, id: &str, images: &Path) {
    note_and_find(world, id);
    try_model(world, id, images);
    export(world, id);
    let said = world.preflight(["runs", "delete", "latest"]);
    assert_eq!(said.code, Some(2), "there is nobody to ask: {said}");
    assert!(said.stderr.contains(id) && said.stderr.contains("The datasets stay"), "{said}");
    let deleted = world.preflight(["runs", "delete", id, id, "--yes", "--format", "json"]).json();
    assert_eq!(deleted["deleted"][0]["id"], id);
    assert_eq!(deleted["deleted"].as_array().map(Vec::len), Some(1), "named twice, deleted once");
    assert!(deleted["freed"].as_u64().is_some_and(|freed| freed > 5_000_000), "{deleted}");
    assert_eq!(world.typed("runs list --format json").json(), Value::Array(Vec::new()));
}

fn note_and_find(world: &World, id: &str) {
    let said = world.preflight(["runs", "note", "latest", "kleinere Lernrate\nmehr Löcher"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{said}");
    assert_eq!(world.preflight(["runs", "note", id]).stdout_of(0), "kleinere Lernrate\nmehr Löcher\n");
    let found = |arguments: &[&str]| {
        let said = world.preflight(["runs", "list", "--format", "json"].iter().chain(arguments));
        said.json().as_array().expect("a list").len()
    };
    assert_eq!(found(&["--search", "LERNRATE yolov8n"]), 1);
    assert_eq!(found(&["--search", "finished"]), 1, "the state in the person's words");
    assert_eq!(found(&["--search", "Lernrate none-such"]), 0);
    assert_eq!(found(&["--state", "failed", "--state", "succeeded"]), 1);
    assert_eq!(found(&["--state", "failed"]), 0);
    assert!(world.typed("runs list").stdout_of(0).contains("kleinere Lernrate"));
    assert!(world.preflight(["runs", "show", id]).stdout_of(0).contains("mehr Löcher"));
}

fn try_model(world: &World, id: &str, images: &Path) {
    let broken = world.file("kein Bild.jpg", "no image");
    let all = [images.as_os_str(), broken.as_os_str()];
    let arguments = ["runs", "try", id, "--conf", "0", "--format", "json"].map(std::ffi::OsStr::new);
    let said = world.preflight(arguments.into_iter().chain(all));
    assert_eq!(said.code, Some(2), "one cannot be read: {said}");
    let tried = said.json();
    let (unreadable, tried): (Vec<_>, Vec<_>) =
        tried.as_array().expect("a list").iter().partition(|image| image["problem"].is_object());
    assert_eq!(unreadable.len(), 1);
    assert_eq!(unreadable[0]["problem"]["code"], "image.unreadable");
    assert_eq!(tried.len(), std::fs::read_dir(images).expect("a folder").count());
    for image in tried {
        let [width, height] = ["width", "height"].map(|side| image[side].as_f64().expect("pixels"));
        for found in image["boxes"].as_array().expect("boxes") {
            let number = |name: &str| found[name].as_f64().expect("a number");
            assert!((0.01..=1.0).contains(&number("confidence")), "{found}");
            assert!(0.0 <= number("left") && number("left") <= number("right") && number("right") <= width, "{found}");
            assert!(0.0 <= number("top") && number("top") <= number("bottom") && number("bottom") <= height, "{found}");
            assert!(found["name"].is_string(), "{found}");
        }
    }
    let said = world.preflight(["runs".as_ref(), "try".as_ref(), id.as_ref(), images.as_os_str()]);
    assert!(said.stdout_of(0).contains(" px · "), "a page for people");
}

fn export(world: &World, id: &str) {
    let said = world.preflight(["runs", "export", id, "--to", "model.onnx", "--format", "json"]);
    if said.code == Some(2) && said.json()["problem"]["code"] == "results.packages-missing-elsewhere" {
        println!("skipped: exporting: the environment has no onnx");
        return;
    }
    assert_eq!(said.code, Some(0), "{said}");
    let export = said.json();
    let agreement = &export["agreement"];
    assert_eq!(agreement["agrees"], true, "{export}");
    assert!(agreement["images"].as_u64().is_some_and(|images| images > 3), "{export}");
    assert!(agreement["boxes"].as_u64().is_some_and(|boxes| boxes > 0), "{export}");
    let copy = Path::new(export["path"].as_str().expect("a path"));
    assert_eq!(copy.file_name(), Some("model.onnx".as_ref()));
    assert!(copy.metadata().expect("the copy").len() > 1_000_000);
    let said = world.preflight(["runs", "export", id, "--lang", "zh-CN"]);
    assert!(said.stdout_of(0).contains("一致"));
}

#[test]
fn what_is_not_there_is_said() {
    let world = World::new();
    for line in
        ["runs note none x", "runs try none x.jpg", "runs export none", "runs delete none --yes", "runs show latest"]
    {
        let said = world.typed(&format!("{line} --format json"));
        assert_eq!(said.code, Some(2), "{line}: {said}");
        assert_eq!(said.json()["problem"]["code"], "run.not-found", "{line}");
    }
    let said = world.typed("runs list --state done --format json");
    assert_eq!(said.json()["problem"]["code"], "usage.invalid-value");
    let said = world.typed("runs try none x.jpg --conf 2 --format json");
    assert_eq!(said.json()["problem"]["code"], "usage.not-a-share");
    assert_eq!(world.typed("runs delete").code, Some(2));
}
