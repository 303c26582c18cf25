//! `preflight dataset` and `preflight check`: what is wrong, where, and what it means for starting.

use insta::assert_snapshot;

use crate::plates;
use crate::world::{Said, World};

const TRAINING: &str = "--imgsz 64 --batch 4 --epochs 2 --weights scratch --device cpu";

/// The part of a report about one link.
fn about(link: &str, text: &str) -> String {
    let lines = text.lines().skip_while(|line| *line != link).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

fn codes(said: &Said, severity: &str) -> Vec<String> {
    let report = said.json();
    let findings = report["findings"].as_array().expect("findings");
    let those = findings.iter().filter(|finding| finding["severity"] == severity);
    those.map(|finding| finding["code"].as_str().expect("a code").to_owned()).collect()
}

#[test]
fn a_dataset_is_shown_with_its_counts() {
    let world = World::new();
    plates::write(&world, "plates");
    let said = world.typed("dataset plates");
    assert_snapshot!("dataset", world.same_everywhere(said.stdout_of(0)));
    assert_snapshot!("dataset-zh", world.same_everywhere(world.typed("dataset plates --lang zh-CN").stdout_of(0)));
    let json = world.typed("dataset plates --format json").json();
    assert_eq!(json["verdict"], "clear");
    assert_eq!(json["classes"], serde_json::json!(["scratch", "dent"]));
}

#[test]
fn what_is_wrong_with_a_dataset_is_said_with_file_and_line() {
    let world = World::new();
    plates::write(&world, "plates");
    world.file("plates/labels/train/3.txt", "0 0.5 0.5 0.2 0.2\n7 0.5 0.5 0.2 0.2\n");
    for line in ["dataset plates", "check plan.toml", "run plan.toml"] {
        world.file("plan.toml", &world.typed(&format!("plan --dataset plates {TRAINING}")).stdout_of(0));
        let said = world.typed(line);
        assert_eq!(said.code, Some(1), "{said}");
        let place = format!("{}:2:", world.desk().join("plates/labels/train/3.txt").display());
        assert!(said.stdout.contains(&place), "{place} is not in {said}");
    }
    let said = world.typed("check plan.toml");
    assert_snapshot!("broken", world.same_everywhere(about("Dataset", &said.stdout)));
    let said = world.typed("check plan.toml --lang zh-CN");
    assert_snapshot!("broken-zh", world.same_everywhere(about("数据集", &said.stdout)));
    assert_eq!(world.typed("runs list --format json").json(), serde_json::json!([]), "nothing was started");
}

#[test]
fn warnings_count_when_a_person_is_strict() {
    let world = World::new();
    let yaml = plates::write(&world, "plates");
    let text = std::fs::read_to_string(&yaml).expect("data.yaml");
    std::fs::write(&yaml, text.replace("dent]", "dent, hole]")).expect("data.yaml");
    assert_eq!(codes(&world.typed("dataset plates --format json"), "warning").len(), 2);
    assert_eq!(world.typed("dataset plates").code, Some(0));
    let said = world.typed("dataset plates --strict");
    assert_eq!(said.code, Some(1), "{said}");
    assert!(said.stdout.contains("warnings count as blockers"), "{said}");
}

#[test]
fn a_missing_environment_is_a_blocker_that_says_how_to_make_one() {
    let world = World::new();
    plates::write(&world, "plates");
    world.file("plan.toml", &world.typed(&format!("plan --dataset plates {TRAINING}")).stdout_of(0));
    for line in ["check plan.toml", "run plan.toml", "run plan.toml --follow"] {
        let said = world.typed(line);
        assert_eq!(said.code, Some(1), "{said}");
        assert!(said.stdout.contains("preflight env create"), "{said}");
    }
    assert_eq!(codes(&world.typed("check plan.toml --format json"), "blocker"), ["image.missing"]);
    let shown = world.typed("check plan.toml --format json").json();
    assert_eq!(shown["command"]["words"].as_array().map(Vec::len), Some(3), "{shown:#}");
    assert!(shown["command"]["ultralytics"].as_str().is_some_and(|line| line.starts_with("yolo detect train ")));
    // It is certain: nobody can start anyway.
    let said = world.typed("run plan.toml --start-anyway image.missing");
    assert_eq!(said.code, Some(1), "{said}");
    assert!(said.stdout.contains("image.missing is certain"), "{said}");
}

#[test]
fn what_is_foreseen_can_be_accepted_by_its_code() {
    let world = World::new();
    plates::write(&world, "plates");
    let training = TRAINING.replace("--epochs 2", "--epochs 400000000");
    world.file("plan.toml", &world.typed(&format!("plan --dataset plates {training}")).stdout_of(0));
    let code = "gpu_pool.processor-takes-days";
    assert!(codes(&world.typed("check plan.toml --format json"), "blocker").contains(&code.to_owned()));
    let said = world.typed("check plan.toml");
    assert!(said.stdout.contains(&format!("--start-anyway {code}")), "{said}");
    let said = world.typed(&format!("check plan.toml --format json --start-anyway {code}"));
    assert_eq!(said.json()["accepted"], serde_json::json!([code]));
}

#[test]
fn names_from_outside_are_shown_and_never_obeyed() {
    let world = World::new();
    for name in ["--help", "$(rm)", "two\nlines", "板材 plates", "\u{1b}[31mred", "re\u{202e}versed"] {
        plates::write(&world, name);
        let said = world.preflight(["dataset", "--", name]);
        assert_eq!(said.code, Some(0), "{said}");
        let shown = |c: char| c == '\n' || !(c.is_control() || c == '\u{202e}');
        assert!(said.stdout.chars().all(shown), "{said}");
        let said = world.preflight(["dataset", "--format", "json", "--", name]);
        assert_eq!(said.json()["root"], world.desk().join(name).to_str().expect("UTF-8"), "{said}");
    }
}

#[test]
fn a_dataset_that_is_not_there_is_said() {
    let world = World::new();
    let said = world.typed("dataset absent");
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stderr.contains("absent"), "{said}");
    assert_eq!(world.typed("dataset absent --format json").json()["problem"]["code"], "dataset.not-found");
}
