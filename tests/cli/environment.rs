//! `preflight env`: nothing is made or removed unasked.

use crate::world::World;

#[test]
fn an_environment_that_was_not_made_is_listed_as_missing() {
    let world = World::new();
    // The search path has the Pythons of the computer that runs the tests.
    let list = |arguments: &[&str]| {
        let output = world.command(arguments).env("PATH", "").output().expect("the binary starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let json: serde_json::Value = serde_json::from_str(&list(&["env", "list", "--format", "json"])).expect("JSON");
    assert_eq!(json, serde_json::json!([{ "state": "missing" }]));
    let said = list(&["env", "list"]);
    assert!(said.contains("preflight env create"), "{said}");
}

#[test]
fn without_a_terminal_a_yes_must_be_given() {
    let world = World::new();
    for line in ["env create --cpu", "env repair --cuda 12.8"] {
        let said = world.typed(line);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
        assert!(said.stderr.contains("GiB"), "the size is said: {said}");
        assert!(said.stderr.contains("--yes"), "{said}");
    }
    assert!(!world.app().join("environment").exists());
    let said = world.typed("env create --cpu --format json");
    assert_eq!(said.json()["problem"]["code"], "confirmation.missing");
}

#[test]
fn what_is_not_there_needs_no_removal() {
    let world = World::new();
    let said = world.typed("env remove --format json");
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(said.json()["freed"], 0);
}

/// An environment with stand-ins of the packages that are tried, made from the system's Python.
#[cfg(target_os = "linux")]
fn environment(world: &World) -> Option<()> {
    let folder = world.app().join("environment");
    let made = std::process::Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(&folder).status();
    if !made.is_ok_and(|status| status.success()) {
        return None;
    }
    let lib = std::fs::read_dir(folder.join("lib")).ok()?.flatten().next()?.path().join("site-packages");
    for (name, module) in [
        (
            "torch",
            "__version__ = '2.15.0'\nclass version: cuda = None\nclass cuda:\n    is_available = staticmethod(lambda: False)\ntensor = list\n",
        ),
        ("torchvision", "__version__ = '0.30.0'\nclass ops:\n    nms = staticmethod(lambda *boxes: [0])\n"),
        ("ultralytics", "__version__ = '8.4.190'\n"),
    ] {
        std::fs::create_dir_all(lib.join(name)).ok()?;
        std::fs::write(lib.join(name).join("__init__.py"), module).ok()?;
    }
    std::fs::create_dir_all(world.app().join("weights")).ok()?;
    std::fs::write(world.app().join("weights/yolov8n.pt"), "weights").ok()
}

/// What is taken along from one computer makes the environment of another one that has no network at all.
#[cfg(target_os = "linux")]
#[test]
fn an_environment_is_taken_along_to_a_computer_without_a_network() {
    let (connected, cut_off) = (World::new(), World::new());
    if environment(&connected).is_none() {
        eprintln!("skipped: python3 makes no environments here");
        return;
    }
    let kit = cut_off.desk().join("工具包 kit.zip");
    let kit_name = kit.to_str().expect("Unicode");
    let said = connected.preflight(["env", "export", kit_name, "--weights", "yolov8s"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stderr.contains("yolov8s") && !kit.exists(), "{said}");
    let said = connected.preflight(["env", "export", kit_name, "--weights", "yolov8n", "--format", "json"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(said.json()["torch"], "2.15.0");

    let Some(said) = cut_off.cut_off(["env", "import", kit_name, "--format", "json"]) else {
        eprintln!("skipped: a process without a network is not allowed here");
        return;
    };
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(said.json()["managed"], true);
    assert_eq!(said.json()["ultralytics"], "8.4.190");
    let weights = cut_off.app().join("weights/yolov8n.pt");
    assert_eq!(std::fs::read_to_string(weights).expect("the weights came along"), "weights");
    let listed = cut_off.preflight(["env", "list", "--format", "json"]);
    assert_eq!(listed.json()[0]["state"], "ready", "{listed}");

    // A second time it replaces what is there; a damaged or foreign one leaves it alone.
    assert_eq!(cut_off.preflight(["env", "import", kit_name]).code, Some(0));
    let bytes = std::fs::read(&kit).expect("the kit");
    std::fs::write(&kit, &bytes[..bytes.len() / 2]).expect("half a kit");
    let said = cut_off.preflight(["env", "import", kit_name, "--format", "json"]);
    assert_eq!(said.json()["problem"]["code"], "kit.unreadable", "{said}");
    let listed = cut_off.preflight(["env", "list", "--format", "json"]);
    assert_eq!(listed.json()[0]["state"], "ready", "{listed}");
    let left = std::fs::read_dir(cut_off.app()).expect("the app's folder");
    let left: Vec<_> = left.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert!(!left.iter().any(|name| name.contains("partial")), "{left:?}");
}
