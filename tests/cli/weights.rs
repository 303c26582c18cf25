//! `preflight weights`, and plans that begin with pretrained weights.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

#[path = "../engine/weights/checkpoint.rs"]
mod checkpoint;

use crate::plates;
use crate::world::World;

/// A mirror that has one file, and nothing under any other name.
struct Mirror {
    address: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Mirror {
    fn of(name: &'static str, file: Vec<u8>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let seen = Arc::<Mutex<Vec<String>>>::default();
        let noted = Arc::clone(&seen);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
                let asked = lines.next().and_then(|line| line.split(' ').nth(1).map(str::to_owned)).unwrap_or_default();
                let _ = lines.find(String::is_empty);
                let (status, body) =
                    if asked == format!("/{name}") { ("200 OK", file.as_slice()) } else { ("404 Not Found", &b""[..]) };
                noted.lock().expect("the list").push(asked);
                let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
                // A client that hangs up is no failure of the mirror's.
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
            }
        });
        Self { address, seen }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().expect("the list").clone()
    }
}

/// Names mirrors in the settings.
fn mirrors(world: &World, addresses: &[&str]) {
    let text = format!("[sources]\nweights = {addresses:?}\n");
    std::fs::write(world.app().join("settings.toml"), text).expect("settings");
}

/// A text as if the terminal were wide.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Puts a plan on the desk.
fn plan(world: &World, training: &str) {
    plates::write(world, "plates");
    let said = world.typed(&format!("plan --dataset plates --output plan.toml {training}"));
    assert_eq!(said.code, Some(0), "{said}");
}

#[test]
fn listed_fetched_verified_removed() {
    let world = World::new();
    let file = checkpoint::of("yolov8n", 20_000);
    let mirror = Mirror::of("pt/yolov8n.pt", file.clone());
    mirrors(&world, &[&format!("{}/none", mirror.address), &format!("{}/pt/{{name}}.pt", mirror.address)]);

    let listed = world.typed("weights list").stdout_of(0);
    assert_eq!(listed.lines().filter(|line| line.contains("Not on this computer yet: about")).count(), 15, "{listed}");
    assert!(mirror.seen().is_empty());

    let said = world.typed("weights fetch yolov8n");
    assert_eq!(said.code, Some(0), "{said}");
    assert!(
        flat(&said.stderr).contains("/none/yolov8n.pt is not there.") && said.stderr.contains("Checking the file"),
        "{said}"
    );
    assert!(said.stdout.contains("yolov8n.pt") && said.stdout.contains("SHA-256"), "{said}");
    assert_eq!(mirror.seen(), ["/none/yolov8n.pt", "/pt/yolov8n.pt"]);
    let again = world.typed("weights fetch yolov8n --format json").json();
    assert_eq!((&again["url"], &again["bytes"]), (&serde_json::Value::Null, &file.len().into()));
    let listed = world.typed("weights list --format json").json();
    let here = listed.as_array().expect("a list").iter().filter(|entry| !entry["bytes"].is_null());
    assert_eq!(here.map(|entry| entry["model"].as_str()).collect::<Vec<_>>(), [Some("yolov8n")]);

    let said = world.typed("weights verify");
    assert!(said.stdout.contains("yolov8n, 10,000 parameters"), "{said}");
    assert_eq!(said.code, Some(0), "{said}");
    let kept = world.app().join("weights/yolov8n.pt");
    let mut damaged = file;
    damaged[9000] ^= 1;
    std::fs::write(&kept, damaged).expect("the file");
    let said = world.typed("weights verify yolov8n --lang zh-CN");
    assert!(said.code == Some(1) && said.stdout.contains("文件已损坏"), "{said}");
    world.file("mine.pt", "hello");
    let said = world.typed("weights verify mine.pt");
    assert!(said.code == Some(1) && flat(&said.stdout).contains("not a PyTorch weights file"), "{said}");

    assert_eq!(world.typed("weights remove yolov8n").code, Some(0));
    assert!(!kept.exists());
    let said = world.typed("weights fetch yolov8s");
    assert_eq!(said.code, Some(2), "{said}");
    assert!(flat(&said.stderr).contains("None of the 2 addresses") && said.stderr.contains("404 Not Found"), "{said}");
}

#[test]
fn a_pretrained_plan_says_what_to_type_and_asks_nobody() {
    let world = World::new();
    let mirror = Mirror::of("yolo11s.pt", Vec::new());
    mirrors(&world, &[&mirror.address]);
    plan(&world, "--model yolo11s --device cpu");
    let said = world.typed("check plan.toml");
    assert_eq!(said.code, Some(1), "{said}");
    assert!(flat(&said.stdout).contains("The pretrained weights of yolo11s are not on this computer"), "{said}");
    assert!(flat(&said.stdout).contains("preflight weights fetch yolo11s"), "{said}");
    assert!(mirror.seen().is_empty(), "nothing is asked of the network unasked");

    // A page instead of the file, as hotels send it.
    let kept = world.app().join("weights/yolo11s.pt");
    std::fs::create_dir_all(kept.parent().expect("a folder")).expect("a folder");
    std::fs::write(&kept, "<html>").expect("the file");
    let said = world.typed("check plan.toml");
    assert!(flat(&said.stdout).contains("preflight weights fetch yolo11s --again"), "{said}");
    std::fs::write(&kept, checkpoint::of("yolo11n", 2000)).expect("the file");
    let said = world.typed("check plan.toml");
    assert!(flat(&said.stdout).contains("The weights file does not hold yolo11s"), "{said}");
    std::fs::write(&kept, checkpoint::of("yolo11s", 2000)).expect("the file");
    let said = world.typed("check plan.toml --format json");
    let findings = said.json()["findings"].to_string();
    assert!(findings.contains("image.weights-ready") && !findings.contains("weights-other-model"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_network_it_says_so() {
    let world = World::new();
    let Some(said) = world.cut_off("weights fetch yolov8n".split(' ')) else {
        println!("skipped: a network of its own is not allowed here");
        return;
    };
    assert_eq!(said.code, Some(2), "{said}");
    assert!(flat(&said.stderr).contains("github.com") && flat(&said.stderr).contains("offline"), "{said}");
    assert!(flat(&said.stderr).contains("train from scratch"), "{said}");
}

#[test]
fn trained_from_weights_that_were_downloaded() {
    let Ok(python) = std::env::var("PREFLIGHT_TEST_PYTHON") else {
        println!("skipped: training from downloaded weights: PREFLIGHT_TEST_PYTHON is not set");
        return;
    };
    let world = World::new();
    let saved = world.desk().join("published.pt");
    save_untrained(&world, &python, &saved);
    let mirror = Mirror::of("yolov8n.pt", std::fs::read(&saved).expect("the weights"));
    mirrors(&world, &[&mirror.address]);
    let training = "--imgsz 64 --batch 4 --epochs 1 --device cpu --workers 0 --set plots=false";
    plan(&world, &format!("{training} --python {python}"));
    assert_eq!(world.typed("run plan.toml").code, Some(1), "nothing is downloaded unasked");
    assert!(mirror.seen().is_empty());

    let said = world.typed("run plan.toml --yes --follow");
    assert_eq!(said.code, Some(0), "{said}");
    assert!(flat(&said.stderr).contains("Download the pretrained weights of yolov8n"), "{said}");
    assert_eq!(mirror.seen(), ["/yolov8n.pt"]);
    let run = world.typed("runs show latest --format json").json();
    let log = Path::new(run["folder"].as_str().expect("a folder")).join("output/args.yaml");
    assert!(std::fs::read_to_string(&log).is_ok_and(|text| text.contains("pretrained")), "{}", log.display());
    let best = run["progress"]["best"].as_str().expect("the best weights");
    let said = world.preflight(["weights", "verify", best]);
    assert!(flat(&said.stdout).contains("yolov8n, ") && flat(&said.stdout).contains("2 classes"), "{said}");
    assert_eq!(said.code, Some(0), "{said}");
}

/// What Ultralytics would publish, had it not been trained.
fn save_untrained(world: &World, python: &str, at: &Path) {
    let script = "import sys\nfrom ultralytics import YOLO\nYOLO('yolov8n.yaml').save(sys.argv[1])";
    let saved = Command::new(python)
        .args(["-c", script])
        .arg(at)
        .current_dir(world.desk())
        .envs([("YOLO_OFFLINE", "true"), ("YOLO_AUTOINSTALL", "false"), ("MPLBACKEND", "Agg")])
        .env("YOLO_CONFIG_DIR", world.desk())
        .env("MPLCONFIGDIR", world.desk())
        .status();
    assert!(saved.is_ok_and(|status| status.success()), "saving weights failed");
}
