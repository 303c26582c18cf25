//! From nothing to `best.pt`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::app::{App, World};

pub(crate) const IMPORT: Duration = Duration::from_secs(180);
const TRAINING: Duration = Duration::from_secs(600);

/// The Python that trains in tests; without one it is said that something is left out.
pub(crate) fn test_python() -> Option<PathBuf> {
    let python = std::env::var_os("PREFLIGHT_TEST_PYTHON").map(PathBuf::from);
    if python.is_none() {
        println!("skipped: PREFLIGHT_TEST_PYTHON does not name the Python of a training environment");
    }
    python
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sample_is_trained_though_window_and_trainer_are_killed_meanwhile() {
    let Some(python) = test_python() else { return };
    let app = World::default().environment(&python).open().await;
    app.press("use-sample").await;
    app.find_within("dataset-summary", Duration::from_secs(120)).await;
    app.press("panel-images").await;
    let drawn = "[...document.querySelectorAll('[data-testid=\"gallery\"] img')].filter((i) => i.naturalWidth > 0).length >= 12";
    app.until("images are drawn", drawn, Duration::from_secs(60)).await;

    app.press("next").await;
    app.press("model-yolov8n").await;
    app.press("next").await;
    app.press("device-cpu").await;
    app.press_css("[data-testid='environment-other'] input", IMPORT).await;
    app.press("next").await;
    app.fill("epochs", "30").await;
    app.press("next").await;
    app.press("next").await;
    let plan = app.read("plan-toml").await;
    for line in ["name = \"yolov8n\"", "epochs = 30", "batch = 8", "imgsz = 160", "device = \"cpu\""] {
        assert!(plan.contains(line), "{line} is not in\n{plan}");
    }
    app.until_start_is_possible().await;
    app.shot("review-ready").await;
    app.press("start").await;

    app.until_run("running", IMPORT).await;
    let epochs = "/\\d+\\D+30/.test(document.querySelector('[data-testid=\"run-epoch\"]')?.textContent)";
    app.until("epochs are told as they come", epochs, TRAINING).await;
    app.assert_accessible().await;
    app.shot("run-live").await;
    let address = app.evaluate("location.hash").await.as_str().unwrap().to_owned();
    let home = app.home.clone();
    let _world = app.kill();

    // The run went on; the window finds it again.
    let id = address.rsplit('/').next().unwrap();
    let run = home.join("runs").join(id);
    let app = again(&python, &home, id).await;
    app.until_run("running", IMPORT).await;
    app.press("run-pause").await;
    app.press("run-pause-yes").await;
    app.until_run("paused", TRAINING).await;
    app.shot("run-paused").await;
    app.press("run-resume").await;
    app.press("run-resume-yes").await;
    app.until_run("running", IMPORT).await;

    // As a power cut: nothing of it is left.
    let _second = app.kill();
    kill_processes_of(&run);
    let app = again(&python, &home, id).await;
    app.until_run("lost", IMPORT).await;
    app.shot("run-lost").await;
    app.press("run-resume").await;
    app.press("run-resume-yes").await;
    app.until_run("succeeded", TRAINING).await;
    app.look("run-done").await;
    for tab in ["log", "details"] {
        app.press(&format!("tab-{tab}")).await;
        app.shot(&format!("run-{tab}")).await;
    }
    let best = best(&run);
    assert!(loads(&python, &best), "{} cannot be loaded", best.display());
    app.use_results(&run, &home.join("samples/plates/images/val")).await;
    app.note_and_delete(id, &run).await;
    app.close().await;
}

/// The window on a run of before.
async fn again(python: &Path, home: &Path, id: &str) -> App {
    let app = World::default().environment(python).at(home).open().await;
    app.press("nav-runs").await;
    app.press(&format!("run-{id}")).await;
    app
}

/// Kills every process whose command names this run's folder: its supervisor, its trainer, and the trainer's workers.
fn kill_processes_of(run: &Path) {
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse() else { continue };
        let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&command).contains(run.to_str().unwrap())
            && let Some(pid) = rustix::process::Pid::from_raw(pid)
        {
            // One that is gone by itself is gone.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
}

/// The best weights below a run's folder.
fn best(run: &Path) -> PathBuf {
    fn find(folder: &Path) -> Option<PathBuf> {
        let entries = std::fs::read_dir(folder).ok()?.map(|entry| entry.unwrap().path());
        let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir() && !path.is_symlink());
        let best = files.into_iter().find(|path| path.ends_with("best.pt"));
        best.or_else(|| folders.iter().find_map(|folder| find(folder)))
    }
    find(run).unwrap_or_else(|| panic!("no best.pt below {}", run.display()))
}

fn loads(python: &Path, weights: &Path) -> bool {
    let settings = tempfile::tempdir().unwrap();
    Command::new(python)
        .args(["-c", "import sys; from ultralytics import YOLO; assert YOLO(sys.argv[1]).names[0]"])
        .arg(weights)
        .env("YOLO_CONFIG_DIR", settings.path())
        .env("MPLCONFIGDIR", settings.path())
        .env("HOME", settings.path())
        .env("YOLO_OFFLINE", "true")
        .current_dir(settings.path())
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap()
        .success()
}

impl App {
    pub(crate) async fn until_start_is_possible(&self) {
        let possible = "document.querySelector('[data-testid=\"start\"]')?.disabled === false";
        self.until("training can be started", possible, IMPORT).await;
    }

    pub(crate) async fn until_run(&self, state: &str, patience: Duration) {
        let expression = format!("document.querySelector('[data-testid=\"run-state\"]')?.dataset.state === '{state}'");
        self.until(&format!("the run is {state}"), &expression, patience).await;
    }
}
