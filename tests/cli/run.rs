//! `preflight run` and `preflight runs` with the real trainer.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::plates;
use crate::world::{Said, World};

const QUICK: &str = "--imgsz 64 --batch 4 --epochs 2 --weights scratch --device cpu --workers 0 --set plots=false";

/// The Python of a real training environment; without one the test says that it was skipped.
fn python(what: &str) -> Option<String> {
    let python = std::env::var("PREFLIGHT_TEST_PYTHON").ok();
    if python.is_none() {
        println!("skipped: {what}: PREFLIGHT_TEST_PYTHON is not set");
    }
    python
}

/// Writes `plan.toml` on the desk.
fn plan(world: &World, dataset: &Path, python: &str, training: &str) {
    let dataset = format!("--dataset={}", dataset.display());
    let mut arguments = vec!["plan", &dataset, "--python", python, "--output", "plan.toml"];
    arguments.extend(training.split(' '));
    let said = world.preflight(arguments);
    assert_eq!(said.code, Some(0), "{said}");
}

fn only_run(world: &World) -> Value {
    let runs = world.typed("runs list --format json").json();
    let [run] = runs.as_array().expect("a list").as_slice() else { panic!("one run: {runs}") };
    run.clone()
}

fn best(said: &Said) -> PathBuf {
    let row = said.stdout.lines().find_map(|line| line.strip_prefix("best.pt")).unwrap_or_else(|| panic!("{said}"));
    PathBuf::from(row.trim())
}

/// Every file below a folder, with its content and time.
fn everything(folder: &Path) -> Vec<(PathBuf, Vec<u8>, std::time::SystemTime)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(everything(&path));
        } else {
            let time = entry.metadata().and_then(|metadata| metadata.modified()).expect("its time");
            files.push((path.clone(), std::fs::read(&path).expect("its content"), time));
        }
    }
    files.sort();
    files
}

#[test]
fn from_the_sample_to_best_pt() {
    let Some(python) = python("trains on the sample dataset") else { return };
    let world = World::new();
    let sample = world.preflight(["sample", "板材 sample", "--format", "json"]).json();
    let yaml = PathBuf::from(sample["dataset"].as_str().expect("a path"));
    let before = everything(yaml.parent().expect("a folder"));
    plan(&world, &yaml, &python, &QUICK.replace("--imgsz 64 --batch 4", "--imgsz 160 --batch 8"));
    assert_eq!(world.typed("check plan.toml").code, Some(0));

    let said = world.typed("run plan.toml --follow");
    assert_eq!(said.code, Some(0), "{said}");
    let best = best(&said);
    assert!(best.is_file(), "{said}");
    for name in ["mAP50 ", "mAP50-95 "] {
        assert!(said.stdout.lines().any(|line| line.starts_with(name)), "{said}");
    }
    assert!(said.stderr.contains("Epoch 2/2"), "{said}");
    assert!(!said.stderr.contains(['\r', '\u{1b}']), "nothing is redrawn in a log: {said}");
    assert_eq!(everything(yaml.parent().expect("a folder")), before, "the dataset is never written to");

    let run = only_run(&world);
    assert_eq!(run["state"], "succeeded");
    let id = run["id"].as_str().expect("an id");
    assert_eq!(run["progress"]["best"], best.to_str().expect("UTF-8"));
    assert!(world.typed("runs list").stdout_of(0).contains(id));
    let shown = world.preflight(["runs", "show", id]).stdout_of(0);
    assert!(shown.contains(best.to_str().expect("UTF-8")), "{shown}");
    assert_eq!(world.preflight(["runs", "show", id, "--format", "json"]).json()["state"], "succeeded");
    let log = world.preflight(["runs", "logs", "latest", "--follow"]).stdout_of(0);
    assert!(log.contains("2/2") && !log.contains('\r'), "{log}");
    let lines = world.preflight(["runs", "logs", id, "--format", "json"]).stdout_of(0);
    let first: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["line"], 1);
    let said = world.preflight(["runs", "cancel", &id[id.len() - 4..]]);
    assert_eq!(said.code, Some(2), "what is over cannot be cancelled: {said}");
    crate::results::of_a_finished_run(&world, id, &yaml.with_file_name("images").join("val"));
}

#[cfg(target_os = "linux")]
#[test]
fn trains_without_any_network() {
    let Some(python) = python("a training without a network") else { return };
    let world = World::new();
    let yaml = plates::write(&world, "plates");
    plan(&world, &yaml, &python, QUICK);
    let Some(said) = world.cut_off(["run", "plan.toml", "--follow"]) else {
        println!("skipped: a training without a network: network namespaces are not allowed here");
        return;
    };
    assert_eq!(said.code, Some(0), "{said}");
    assert!(best(&said).is_file(), "{said}");
}

#[test]
fn a_run_that_fails_says_why() {
    let Some(python) = python("a training that fails") else { return };
    let world = World::new();
    let yaml = plates::write(&world, "plates");
    plan(&world, &yaml, &python, &format!("{QUICK} --set distill_model=Nonsense.pt"));
    let said = world.typed("run plan.toml --follow");
    assert_eq!(said.code, Some(1), "{said}");
    assert!(said.stdout.contains("Nonsense"), "the trainer's own words: {said}");
    assert!(said.stdout.contains("preflight runs logs"), "{said}");
    let run = only_run(&world);
    assert_eq!(run["state"], "failed");
    let id = run["id"].as_str().expect("an id");
    let said = world.preflight(["runs", "show", id, "--lang", "zh-CN"]);
    assert_eq!(said.code, Some(0), "reporting is no failure: {said}");
    assert!(said.stdout.contains("Nonsense") && said.stdout.contains("失败"), "{said}");
}

#[test]
fn a_run_goes_on_by_itself_and_can_be_cancelled() {
    let Some(python) = python("a run without a follower") else { return };
    let world = World::new();
    let yaml = plates::write(&world, "plates");
    plan(&world, &yaml, &python, &QUICK.replace("--epochs 2", "--epochs 5000"));
    let id = world.typed("run plan.toml").stdout_of(0);
    let id = id.trim_end();
    let said = world.preflight(["runs", "cancel", id]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), "Cancelled\n"), "{said}");
    let run = world.preflight(["runs", "show", id, "--format", "json"]).json();
    assert_eq!(run["state"], "cancelled");
    nothing_is_left(&run);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_run_it_follows() {
    let Some(python) = python("Ctrl-C while following") else { return };
    let world = World::new();
    let yaml = plates::write(&world, "plates");
    plan(&world, &yaml, &python, &QUICK.replace("--epochs 2", "--epochs 5000"));
    let mut follower = world
        .command(["run", "plan.toml", "--follow"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut remarks = BufReader::new(follower.stderr.take().expect("its stderr")).lines().map_while(Result::ok);
    assert!(remarks.any(|line| line.contains("Epoch 1/5000")), "it trains");
    interrupt(&follower);
    let rest: Vec<_> = remarks.collect();
    let status = follower.wait().expect("its end");
    assert_eq!(status.code(), Some(130), "{rest:?}");
    let run = only_run(&world);
    assert_eq!((&run["state"], &run["progress"]["cancelling"]), (&"cancelled".into(), &"interrupted".into()));
    nothing_is_left(&run);
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

/// The trainer of a run that is over is gone; its supervisor, which wrote that down, is on its way out.
fn nothing_is_left(run: &Value) {
    if !cfg!(target_os = "linux") {
        return;
    }
    let process = |name: &str| run["progress"][name].as_u64().map(|pid| PathBuf::from(format!("/proc/{pid}/stat")));
    if let Some(trainer) = process("trainer") {
        assert!(!trainer.exists(), "the trainer is left: {run}");
    }
    let supervisor = process("supervisor").expect("a supervisor");
    let is_zombie = |stat: String| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'));
    while std::fs::read_to_string(&supervisor).is_ok_and(|stat| !is_zombie(stat)) {
        std::thread::yield_now();
    }
}

#[test]
fn a_real_dataset_trains() {
    let Some(python) = python("trains on coco128") else { return };
    let Some(data) = std::env::var_os("PREFLIGHT_DATA") else {
        println!("skipped: trains on coco128: PREFLIGHT_DATA is not set");
        return;
    };
    let world = World::new();
    let dataset = Path::new(&data).join("datasets/coco128");
    let training = "--imgsz 320 --batch 16 --epochs 1 --weights scratch --device cpu --set plots=false";
    plan(&world, &dataset, &python, training);
    let said = world.typed("run plan.toml --follow --format json");
    assert_eq!((said.code, &said.json()["state"]), (Some(0), &Value::from("succeeded")), "{said}");
    assert!(Path::new(said.json()["progress"]["best"].as_str().expect("a path")).is_file(), "{said}");
}

#[test]
fn a_run_that_is_not_there_is_said() {
    let world = World::new();
    for line in ["runs show 20200101-000000", "runs logs ../../etc", "runs cancel --help-me"] {
        let said = world.typed(line);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
        assert!(!said.stderr.is_empty(), "{said}");
    }
    assert_eq!(world.typed("runs show absent --format json").json()["problem"]["code"], "run.not-found");
}
