//! Help, usage errors, languages, and what holds for every command.

use std::process::Stdio;

use insta::assert_snapshot;

use crate::world::World;

#[test]
fn help_is_an_answer_in_both_languages() {
    let world = World::new();
    assert_snapshot!("help", world.typed("--help").stdout_of(0));
    assert_snapshot!("help-zh", world.typed("--lang zh-CN --help").stdout_of(0));
    assert_snapshot!("help-run", world.typed("run --help").stdout_of(0));
    assert_snapshot!("help-plan-zh", world.typed("plan --help --lang=zh-CN").stdout_of(0));
    assert_eq!(world.typed("--version").stdout_of(0), format!("preflight {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_a_command_the_help_is_no_answer() {
    let world = World::new();
    let said = world.preflight::<&str>([]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    assert!(said.stderr.contains("Usage: preflight"), "{said}");
}

#[test]
fn what_cannot_be_understood_says_what_can() {
    let world = World::new();
    for (name, line) in [
        ("unknown-option", "plan --datset x"),
        ("unknown-command", "pan"),
        ("missing-argument", "check"),
        ("missing-value", "plan --dataset"),
        ("unknown-model", "plan --dataset x --model yolov9n"),
        ("not-a-device", "plan --dataset x --device first"),
        ("not-a-number", "plan --dataset x --epochs 0"),
        ("not-a-setting", "plan --dataset x --set lr0"),
        ("has-an-option", "plan --dataset x --set epochs=3"),
        ("unknown-setting", "plan --dataset x --set lr=0.1"),
        ("exclude-each-other", "env create --cpu --cuda cu128"),
        ("unknown-language", "gpu --lang fr"),
    ] {
        let said = world.typed(line);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{line}: {said}");
        let chinese = world.typed(&format!("{line} --lang zh-CN")).stderr;
        let chinese = if name == "unknown-language" { String::new() } else { chinese };
        assert_snapshot!(format!("usage-{name}"), format!("{}{chinese}", said.stderr));
    }
}

#[test]
fn a_usage_error_is_json_for_programs() {
    let world = World::new();
    let said = world.typed("plan --dataset x --batch many --format json");
    assert_eq!(said.code, Some(2));
    assert_eq!(said.stderr, "");
    let problem = &said.json()["problem"];
    assert_eq!(problem["code"], "usage.not-a-number");
    assert!(problem["message"].as_str().is_some_and(|message| message.contains("many")), "{problem}");
}

#[test]
fn the_language_is_the_one_typed_then_the_one_set_then_the_systems() {
    let world = World::new();
    let runs_none = |arguments: &[&str], lang: &str| {
        let output = world.command(arguments).env("LANG", lang).output().expect("the binary starts");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    assert!(runs_none(&["runs", "list"], "zh_CN.UTF-8").contains("还没有运行"));
    assert!(runs_none(&["runs", "list"], "C").contains("There are no runs yet"));
    std::fs::write(world.app().join("settings.toml"), "language = \"zh-CN\"\n").expect("settings");
    assert!(runs_none(&["runs", "list"], "C").contains("还没有运行"));
    assert!(runs_none(&["runs", "list", "--lang", "en"], "zh_CN.UTF-8").contains("There are no runs yet"));
}

#[test]
fn settings_that_cannot_be_read_are_said_and_left_alone() {
    let world = World::new();
    let settings = world.app().join("settings.toml");
    std::fs::write(&settings, "language = 7\n").expect("settings");
    let said = world.typed("runs list");
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stderr.contains("settings.toml"), "{said}");
    assert_eq!(std::fs::read_to_string(settings).expect("settings"), "language = 7\n");
}

#[test]
fn a_reader_that_went_away_is_no_error() {
    let world = World::new();
    let mut child = world.command(["--help"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a child");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("its end");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_written_is_an_error() {
    let world = World::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = world.command(["plan", "--dataset", "x"]).stdout(full).output().expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("could not be written"), "{output:?}");
}

#[test]
fn nothing_is_coloured_where_nobody_sees_it() {
    let world = World::new();
    for line in ["--help", "runs list", "plan", "gpu"] {
        let said = world.typed(line);
        assert!(!said.stdout.contains('\u{1b}') && !said.stderr.contains('\u{1b}'), "{line}: {said}");
    }
}
