//! `preflight vram`: memory of a card, asked without one.

use insta::assert_snapshot;
use serde_json::Value;

use crate::world::World;

#[test]
fn a_training_on_a_card_that_is_not_here() {
    let world = World::new();
    let asked = "vram --model yolov8s --batch 32 --gpu";
    let card = "RTX 3060 12 GB";
    let answered = |more: &[&str]| {
        let mut arguments: Vec<&str> = asked.split(' ').collect();
        arguments.push(card);
        arguments.extend(more);
        let output = world.command(&arguments).output().expect("the binary starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert_snapshot!("vram-fits", answered(&[]));
    assert_snapshot!("vram-single-zh", answered(&["--amp", "off", "--lang", "zh-CN"]));
    let json: Value = serde_json::from_str(&answered(&["--format", "json"])).expect("JSON");
    assert_eq!(json["zone"], "fits");
    assert_eq!(json["memory"], 12_u64 << 30);
    let figure = |pointer: &str| json.pointer(pointer).and_then(Value::as_u64).expect(pointer);
    assert!(figure("/reserved/expected") < figure("/card/expected"));
    let parts = json["parts"].as_array().expect("parts").iter().filter_map(|part| part["bytes"].as_u64());
    assert!(parts.sum::<u64>().abs_diff(figure("/card/expected")) < 16);

    // What it says fits, fits; and one more image does not.
    let largest: u32 = answered(&["--solve", "batch"]).trim().parse().expect("a number");
    let zone = |batch: u32| {
        let typed = format!("vram --model yolov8s --batch {batch} --memory 12 --format json");
        serde_json::from_str::<Value>(&world.typed(&typed).stdout_of(0)).expect("JSON")["zone"].clone()
    };
    assert_eq!(zone(largest), "fits");
    assert_eq!(zone(largest + 1), "tight");
}

#[test]
fn many_setups_at_once() {
    let world = World::new();
    let file = world.desk().join("setups.csv");
    let text = "id,model,imgsz,batch,n_gpus,amp,train_images,boxes_last_batch\n\
                a,yolov8n,640,16,1,True,1000,40\n\
                b,no-such-model,640,16,,,,\n\
                c,yolov8n,640,,,,,\n\
                d,yolov8n,640,16,2,True,1000,40\n";
    std::fs::write(&file, text).expect("a file");
    let output = world.command(["vram".as_ref(), "--rows".as_ref(), file.as_os_str()]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let table = String::from_utf8(output.stdout).expect("UTF-8");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["id", "low_mib", "expected_mib", "high_mib"]);
    let figure = |row: usize, column: usize| rows[row][column].parse::<u64>().expect("MiB");
    assert!(figure(1, 1) <= figure(1, 2) && figure(1, 2) <= figure(1, 3));
    assert_eq!(rows[2], ["b", "", "", ""]);
    assert_eq!(rows[3], ["c", "", "", ""]);
    assert!(figure(4, 2) < figure(1, 2), "two cards share the batch");

    std::fs::write(&file, "id,model,imgsz,batch\na,yolov8n,large,16\n").expect("a file");
    let output = world.command(["vram".as_ref(), "--rows".as_ref(), file.as_os_str()]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("line: 2"), "{output:?}");
}

#[test]
fn what_cannot_be_told_is_refused() {
    let world = World::new();
    for (typed, said) in [
        ("vram --model resnet", "no memory figures for"),
        ("vram --solve batch", "memory is not known"),
        ("vram --memory -1", "at least 0"),
        ("vram --amp maybe", "on or off"),
    ] {
        let output = world.command(typed.split(' ')).output().expect("the binary starts");
        assert_eq!(output.status.code(), Some(2), "{typed}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(said), "{typed}: {output:?}");
    }
}

#[test]
fn an_own_model_is_looked_at_in_an_environment() {
    let Some(python) = std::env::var_os("PREFLIGHT_TEST_PYTHON").map(std::path::PathBuf::from) else {
        println!("skipped: an own model is looked at: PREFLIGHT_TEST_PYTHON is not set");
        return;
    };
    let world = World::new();
    // A published architecture under a name of its own, so that the table's figures are there to compare with.
    let prefix = python.parent().and_then(std::path::Path::parent).expect("an environment");
    let mine = world.desk().join("yolov8n-mine.yaml");
    let code = "import pathlib, sys, ultralytics; \
        text = (pathlib.Path(ultralytics.__file__).parent / 'cfg/models/v8/yolov8.yaml').read_text(); \
        pathlib.Path(sys.argv[1]).write_text(text)";
    let written = std::process::Command::new(&python)
        .args(["-c", code])
        .arg(&mine)
        .envs([("YOLO_OFFLINE", "true"), ("YOLO_AUTOINSTALL", "false")])
        // Ultralytics writes its settings as soon as it is imported.
        .env("YOLO_CONFIG_DIR", world.desk())
        .env("MPLCONFIGDIR", world.desk())
        .status()
        .expect("Python starts");
    assert!(written.success());
    let expected = |model: &str, python: &[&str]| {
        let arguments = ["vram", "--model", model, "--batch", "16", "--format", "json"];
        let mut command = world.command([&arguments, python].concat());
        // From where a relative path is one.
        let output = command.current_dir(prefix).output().expect("the binary starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        json.pointer("/card/expected").and_then(Value::as_f64).expect("a figure")
    };
    let mine = mine.to_str().expect("UTF-8");
    let looked_at = expected(mine, &["--python", "bin/python"]);
    let ratio = looked_at / expected("yolov8n", &[]);
    assert!((0.85..1.15).contains(&ratio), "{ratio}");
    // Found out once: no Python is needed any more.
    assert_eq!(expected(mine, &["--python", "/usr/bin/false"]), looked_at);

    let broken = world.file("broken.yaml", "backbone: [[-1, 1, NoSuchLayer, [16]]]\nhead: []\n");
    let broken = broken.to_str().expect("UTF-8");
    let output = world.command(["vram", "--model", broken, "--python", python.to_str().expect("UTF-8")]).output();
    let output = output.expect("the binary starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("broken.yaml") && said.contains("NoSuchLayer"), "{said}");
}
