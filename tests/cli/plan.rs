//! `preflight plan`, and reading plans.

use std::process::Stdio;

use insta::assert_snapshot;

use crate::world::World;

#[test]
fn a_plan_is_a_small_readable_file_with_absolute_paths() {
    let world = World::new();
    let said = world.typed("plan --dataset plates --model yolov8n --imgsz 160 --batch 8 --epochs 3 --device cpu");
    assert_snapshot!("plan", world.same_everywhere(said.stdout_of(0)));
    let said = world.typed(
        "plan --dataset plates --weights own.pt --python venv/bin/python --workers 0 --seed 7 --device 0,1 \
         --set lr0=0.002 --set optimizer=AdamW --set cos_lr=true --set nbs=8",
    );
    assert_snapshot!("plan-with-everything", world.same_everywhere(said.stdout_of(0)));
}

#[test]
fn a_plan_can_go_to_a_file_as_well() {
    let world = World::new();
    let said = world.typed("plan --dataset plates --output my.toml");
    let file = std::fs::read_to_string(world.desk().join("my.toml")).expect("the plan");
    assert_eq!(said.stdout_of(0), file);
    let said = world.typed("plan --dataset plates --output missing/my.toml");
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stderr.contains("my.toml"), "{said}");
}

#[test]
fn a_plan_is_json_for_programs() {
    let world = World::new();
    let plan = world.typed("plan --dataset plates --format json").json();
    assert_eq!(plan["model"]["name"], "yolov8n");
    assert_eq!(plan["training"]["imgsz"], 640);
    assert_eq!(plan["target"]["device"], "auto");
}

#[test]
fn names_that_look_like_something_else_are_names() {
    let world = World::new();
    for name in ["--help", "$(rm)", "two\nlines", "with space", "数据集", "'\"", "-"] {
        let said = world.preflight(["plan".to_owned(), format!("--dataset={name}"), "--format=json".to_owned()]);
        assert_eq!(said.code, Some(0), "{said}");
        assert_eq!(said.json()["dataset"], world.desk().join(name).to_str().expect("UTF-8"));
        let text = world.preflight(["plan".to_owned(), format!("--dataset={name}")]).stdout_of(0);
        let plan = preflight_core::plan::Plan::from_toml(&text).expect("a plan");
        assert_eq!(plan.dataset, world.desk().join(name));
    }
}

#[test]
fn a_plan_that_cannot_be_read_says_where_it_is_wrong() {
    let world = World::new();
    let plan = world.typed("plan --dataset plates").stdout_of(0);
    world.file("unknown.toml", &plan.replace("imgsz", "image_size"));
    world.file("torn.toml", &plan.replace("epochs = 100", "epochs ="));
    world.file("later.toml", &plan.replace("format = 1", "format = 99"));
    for name in ["unknown", "torn", "later", "absent"] {
        for command in ["check", "run"] {
            let said = world.typed(&format!("{command} {name}.toml"));
            assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
            let chinese = world.typed(&format!("{command} {name}.toml --lang zh-CN"));
            assert_snapshot!(format!("plan-{name}"), world.same_everywhere(said.stderr + &chinese.stderr));
        }
    }
    let problem = world.typed("check unknown.toml --format json").json();
    assert_eq!(problem["problem"]["code"], "plan.invalid");
}

#[test]
fn further_arguments_are_judged_before_anything_starts() {
    let world = World::new();
    for (setting, expected) in [
        ("lr0=abc", "It takes a number from 0 to 1."),
        ("lr0=2", "It takes a number from 0 to 1."),
        ("optimizer=Adm", "It takes one of: auto, SGD, MuSGD"),
        ("patience=-1", "It takes a whole number of at least 0."),
        ("cos_lr=1", "It takes true or false."),
    ] {
        let said = world.typed(&format!("plan --dataset plates --set {setting}"));
        assert!(said.code == Some(2) && said.stderr.contains(expected), "{setting}: {said}");
    }
    let plan = world.typed("plan --dataset plates --set lr0=0.5").stdout_of(0);
    world.file("plan.toml", &plan.replace("lr0 = 0.5", "lr0 = \"abc\""));
    let said = world.typed("check plan.toml --lang zh-CN");
    assert!(said.code == Some(2) && said.stderr.contains("lr0 不能是“abc”"), "{said}");
}

#[test]
fn the_home_folder_may_be_written_as_people_do() {
    let world = World::new();
    let home = world.desk().parent().expect("a folder").join("home");
    let plan = world.typed("plan --dataset=~/plates --format json").json();
    assert_eq!(plan["dataset"], home.join("plates").to_str().expect("UTF-8"));
    let text = world.typed("plan --dataset plates").stdout_of(0);
    let written = world.desk().join("plates").display().to_string();
    world.file("plan.toml", &text.replace(&written, "~/my plates"));
    let said = world.typed("check plan.toml");
    assert!(said.stdout.contains(home.join("my plates").to_str().expect("UTF-8")), "{said}");
}

/// Whoever sends a plan could name any program in it.
#[cfg(unix)]
#[test]
fn a_python_that_only_a_plan_names_is_not_started_unasked() {
    use std::os::unix::fs::PermissionsExt;

    let world = World::new();
    let program = world.file("mail/python", "#!/bin/sh\ntouch \"$(dirname \"$0\")/started\"\n");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let started = || world.desk().join("mail/started").exists();
    let plan = world.typed("plan --dataset plates --device cpu --format json").stdout_of(0);
    let mut plan: preflight_core::plan::Plan = serde_json::from_str(&plan).expect("a plan");
    let preflight_core::plan::Target::ThisComputer { python, .. } = &mut plan.target else {
        panic!("a plan for this computer")
    };
    *python = Some("python".into());
    world.file("mail/plan.toml", &plan.to_toml().expect("a plan"));
    for command in ["check mail/plan.toml", "run mail/plan.toml --yes"] {
        let said = world.typed(command);
        assert!(said.code == Some(1) && said.stdout.contains("image.python-not-accepted"), "{said}");
        assert!(said.stdout.contains("--trust-python") && !started(), "{said}");
    }
    let said = world.typed("check mail/plan.toml --trust-python");
    assert!(started() && said.stdout.contains("image.broken"), "{said}");
    // From now on.
    std::fs::remove_file(world.desk().join("mail/started")).expect("it was started");
    world.typed("check mail/plan.toml");
    assert!(started());
}

#[test]
fn a_plan_can_come_through_a_pipe() {
    let world = World::new();
    let mut child = world
        .command(["check", "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a child");
    let plan = world.typed("plan --dataset=absent").stdout_of(0);
    std::io::Write::write_all(&mut child.stdin.take().expect("its stdin"), plan.as_bytes()).expect("a pipe");
    let output = child.wait_with_output().expect("its end");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert!(report["links"].is_array(), "{report}");
}
