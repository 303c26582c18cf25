//! Trainings that fail for real, each for a reason of its own, and what is said about them.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::world::World;

/// The failures of `causes.py`, and their causes.
const CAUSES: [(&str, &str); 37] = [
    ("class_out_of_range", "label_class_out_of_range"),
    ("not_normalized", "label_not_normalized"),
    ("boxes_over_the_edge", "label_not_normalized"),
    ("labels_beside_the_point", "labels_path_layout"),
    ("images_elsewhere", "dataset_path_datasets_dir"),
    ("yaml_missing", "dataset_yaml_missing"),
    ("yaml_broken", "dataset_yaml_invalid"),
    ("wrong_task", "dataset_wrong_type_for_task"),
    ("weights_garbage", "weights_corrupt"),
    ("weights_truncated", "weights_corrupt"),
    ("weights_of_a_stranger", "torch_weights_only"),
    ("weights_offline", "weights_download_failed"),
    // Which of both it is depends on the torch that the environment has, and on the computer.
    ("no_card_for_this_torch", "torch_cpu_build|driver_not_loaded|gpu_not_passed_to_container"),
    ("card_that_is_not_there", "torch_cpu_build|invalid_device_id|driver_not_loaded"),
    ("disk_full", "disk_full_saving"),
    ("log_on_a_full_disk", "disk_full_saving"),
    ("memory_of_the_computer", "host_ram_oom"),
    ("memory_of_python", "host_ram_oom"),
    ("image_loader_killed", "host_ram_oom"),
    ("image_loader_without_shared_memory", "shm_too_small"),
    ("shared_memory_of_a_megabyte", "shm_too_small"),
    ("disk_of_a_megabyte", "disk_full_saving"),
    ("results_on_a_read_only_disk", "read_only_fs"),
    // The trainer warns, and trains.
    ("dataset_on_a_read_only_disk", "none"),
    ("checkpoint_cut_short", "weights_corrupt"),
    ("no_torch", "package_missing"),
    ("torchvision_of_another_build", "torchvision_mismatch"),
    ("no_main_guard", "windows_spawn_main_guard"),
    ("one_of_several_processes", "torchvision_mismatch|ddp_child_error_masked"),
    ("no_such_host", "dns_failure"),
    ("proxy_wants_a_password", "proxy_auth_required"),
    ("certificate_nobody_knows", "tls_untrusted_ca"),
    ("permission_denied", "permission_denied"),
    ("a_training_that_goes_well", "none"),
    ("numbers_of_another_numpy", "numpy_abi_mismatch"),
    ("argument_that_is_none", "argument_invalid"),
    ("images_that_are_none", "images_corrupt"),
];

#[test]
fn trainings_that_fail_for_real_are_understood() {
    let Some(python) = std::env::var_os("PREFLIGHT_TEST_PYTHON") else {
        println!("skipped: PREFLIGHT_TEST_PYTHON names no training environment");
        return;
    };
    let world = World::new();
    let script = world.file("causes.py", include_str!("causes.py"));
    let folder = world.desk().join("causes");
    std::fs::create_dir(&folder).expect("a folder");
    let output = Command::new(python)
        .arg(&script)
        .arg(&folder)
        .envs([("YOLO_CONFIG_DIR", &folder), ("MPLCONFIGDIR", &folder)])
        .env("YOLO_OFFLINE", "true")
        .env("HOME", &folder)
        .stdin(Stdio::null())
        .output()
        .expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8_lossy(&output.stdout);
    let skipped: Vec<&str> = told.lines().filter(|line| line.starts_with("skipped: ")).collect();
    skipped.iter().for_each(|line| println!("{line}"));
    let rows = folder.join("rows.jsonl");
    let logs: BTreeMap<String, String> = lines(&std::fs::read_to_string(&rows).expect("rows"))
        .into_iter()
        .map(|row| (text(&row["id"]), text(&row["log"])))
        .collect();

    let output = world.command(["diagnose", "--rows"]).arg(&rows).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let mut wrong = Vec::new();
    for answer in lines(&String::from_utf8(output.stdout).expect("UTF-8")) {
        let id = text(&answer["id"]);
        let expected = CAUSES.iter().find(|(name, _)| *name == id).map(|(_, cause)| *cause);
        let said = text(&answer["cause"]);
        if !expected.is_some_and(|expected| expected.split('|').any(|cause| cause == said)) {
            let end: Vec<&str> = logs[&id].lines().rev().take(12).collect();
            let end: Vec<&str> = end.into_iter().rev().collect();
            wrong.push(format!("{id}: {said} instead of {expected:?}\n{}", end.join("\n")));
        }
        // What proves it stands in the log, to the letter.
        let known = format!("{}\nexit-code: 0\nexit-code: 1", logs[&id]);
        for piece in answer["evidence"].as_array().expect("evidence") {
            assert!(known.contains(text(piece).trim_end()), "{id}: {piece} is not in its log");
        }
    }
    assert_eq!(logs.len() + skipped.len(), CAUSES.len(), "{:?}", logs.keys());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
