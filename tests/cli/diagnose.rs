//! `preflight diagnose`: what ended a training, asked of its log.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::world::World;

const LOG: &str = "Ultralytics 8.3.0 Python-3.10.12 torch-2.4.0+cu121 CUDA:0 (NVIDIA GeForce RTX 3060, 12036MiB)\n\
                   train: Scanning /data/parts/labels/train... 812 images, 3 backgrounds, 0 corrupt\n\
                   /pytorch/aten/src/ATen/native/cuda/IndexKernel.cu:92: operator(): block: [1,0,0], thread: [3,0,0] \
                   Assertion `-sizes[i] <= index && index < sizes[i] && \"index out of bounds\"` failed.\n\
                   WARNING CUDA OutOfMemoryError in TaskAlignedAssigner, using CPU\n\
                   RuntimeError: CUDA error: device-side assert triggered\n";

#[test]
fn a_log_says_what_ended_its_training() {
    let world = World::new();
    world.file("train.log", LOG);
    let answered = |more: &[&str], code: i32| {
        let mut command = world.command(["diagnose", "train.log"]);
        let output = command.args(more).output().expect("it starts");
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let english = answered(&[], 1);
    for said in [
        "A label has a class",
        "data.label-class-out-of-range",
        "    3 | ",
        "index out of bounds",
        "We are sure of this.",
    ] {
        assert!(english.contains(said), "{said} is not in {english}");
    }
    let chinese = answered(&["--lang", "zh-CN"], 1);
    assert!(chinese.contains("有标签用了没有名称的类别编号"), "{chinese}");
    let json: Value = serde_json::from_str(&answered(&["--format", "json"], 1)).expect("JSON");
    assert_eq!((&json["cause"], &json["verdict"]), (&json!("label_class_out_of_range"), &json!("blocked")));
    for piece in json["evidence"].as_array().expect("evidence") {
        let at = |name: &str| usize::try_from(piece[name].as_u64().expect(name)).expect(name);
        assert_eq!(&LOG[at("start")..at("end")], piece["text"]);
    }

    // The facts decide where the log does not.
    world.file("train.log", "starting\n");
    assert!(answered(&[], 2).contains("not found"));
    let facts = world.file("facts.json", r#"{"pod": {"reason": "OOMKilled", "exit_code": 137}}"#);
    let facts = facts.to_str().expect("UTF-8");
    assert!(answered(&["--facts", facts], 1).contains("pod.reason: OOMKilled"));
}

#[test]
fn what_is_piped_in_is_read_too() {
    use std::io::Write;
    let world = World::new();
    let mut command = world.command(["diagnose", "-", "--format", "json"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(LOG.as_bytes()).expect("read");
    let output = child.wait_with_output().expect("it ends");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["cause"], "label_class_out_of_range");
}

#[test]
fn many_logs_at_once() {
    let world = World::new();
    let row = |id: &str, log: &str, context: &str| json!({"id": id, "log": log, "context": context}).to_string();
    let text = [row("a", LOG, ""), row("b", "hello\n", ""), row("c", "", "exit code 137, OOMKilled")].join("\n");
    let rows = world.file("rows.jsonl", &text);
    let output = world.command(["diagnose", "--rows"]).arg(&rows).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let causes: Vec<Value> =
        text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")["cause"].clone()).collect();
    assert_eq!(causes, ["label_class_out_of_range", "unknown", "host_ram_oom"]);

    let rows = world.file("rows.jsonl", "{\"id\": 1}\n");
    let output = world.command(["diagnose", "--rows"]).arg(&rows).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("(line 1)"), "{output:?}");
}

#[test]
fn what_cannot_be_read_is_said() {
    let world = World::new();
    let typed = |arguments: &[&str]| {
        let output = world.command(arguments).output().expect("it starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = typed(&["diagnose", "no-such.log"]);
    assert!(code == Some(2) && said.contains("no-such.log"), "{said}");
    assert_eq!(typed(&["diagnose"]).0, Some(2));
}

#[cfg(unix)]
#[test]
fn a_run_that_failed_says_why_wherever_it_is_named() {
    let world = World::new();
    let trainer = "echo 'OSError: [Errno 116] Stale file handle: /mnt/nas/plates/1.jpg'\nexit 1\n";
    crate::stand_in::plan(&world, trainer, &["--device", "cpu"]);
    let title = "The network drive has come loose";
    let said = world.typed("run plan.toml --follow");
    assert_eq!(said.code, Some(1), "{said}");
    assert!(said.stdout.contains(title), "{said}");
    let line = world.typed("runs list").stdout_of(0);
    assert!(line.lines().count() == 1 && line.trim_end().ends_with(title), "{line}");
    let list = world.typed("runs list --format json").json();
    assert_eq!(list[0]["why"], json!({"cause": "nas_stale_handle", "title": title}));
    assert_eq!(list[0]["diagnosis"], Value::Null);
    let shown = world.typed("runs show latest").stdout_of(0);
    for said in [title, "Stale file handle", "Dataset", "preflight runs logs"] {
        assert!(shown.contains(said), "{said} is not in {shown}");
    }
    let shown = world.typed("runs show latest --format json").json();
    assert_eq!((&shown["diagnosis"]["cause"], &shown["state"]), (&json!("nas_stale_handle"), &json!("failed")));
    assert_eq!(shown["diagnosis"], world.typed("diagnose latest --format json").json());
}
