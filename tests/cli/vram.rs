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
