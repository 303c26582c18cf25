//! A training that really fails: what is said of it, what mends it, and what is sent to who is to help.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::key::Key;
use preflight_core::finding::Stage;
use preflight_engine::Engine;
use preflight_engine::dirs::Dirs;
use preflight_engine::runs::{self, Run, SupervisorCommand};

use crate::app::{App, World};
use crate::training::{IMPORT, test_python};

#[path = "../failures/mod.rs"]
mod failures;

use failures::{ALL, Failing, Make, Scene, failing};

const SOON: Duration = Duration::from_secs(30);
/// A training of seconds on a machine that does much else.
const LIMIT: Duration = Duration::from_secs(600);

/// Which looks the failures are shown in, in turn.
const LOOKS: [(&str, &str, (u32, u32)); 4] = [
    ("en", "light", (1180, 780)),
    ("zh-CN", "dark", (1180, 780)),
    ("en", "dark", (760, 560)),
    ("zh-CN", "light", (760, 560)),
];

/// The app's folder, before its window is opened for the first time.
struct Home {
    engine: Engine,
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = "language = \"en\"\ntheme = \"light\"\nkeep_awake = false\nnotifications = false\n";
        std::fs::create_dir(folder.path().join("app")).unwrap();
        std::fs::write(folder.path().join("app/settings.toml"), settings).unwrap();
        let engine = Engine::open(Dirs::new(folder.path().join("app"))).unwrap();
        engine.accept_python(Path::new("/")).unwrap();
        Self { engine, folder }
    }

    /// Has a training fail, and waits for its end; `None`: this computer does not allow it.
    async fn fail(&self, name: &str, python: &Path) -> Option<Run> {
        let make = ALL.iter().find(|(other, _)| *other == name).unwrap().1;
        self.fail_as(make, name, python).await
    }

    async fn fail_as(&self, make: Make, name: &str, python: &Path) -> Option<Run> {
        let scene = self.folder.path().join(name);
        std::fs::create_dir(&scene).unwrap();
        let Failing { cause, stage, plan, before, after, killed } = make(&Scene { folder: &scene, python })?;
        let script = format!("for folder; do :; done\n{before}\nexec \"$@\"");
        let arguments = ["-c", &script, "sh", env!("CARGO_BIN_EXE_yolo-preflight"), "supervise"].map(Into::into).into();
        let supervisor = SupervisorCommand { program: "/bin/sh".into(), arguments };
        let id = runs::start(&self.engine, &plan, &[], &supervisor).await.unwrap();
        if killed {
            let run = self.until(&id, |run| run.progress.batch > 0).await;
            let trainer = i32::try_from(run.progress.trainer.unwrap().0).unwrap();
            rustix::process::kill_process(
                rustix::process::Pid::from_raw(trainer).unwrap(),
                rustix::process::Signal::KILL,
            )
            .unwrap();
        }
        let run = self.until(&id, |run| run.progress.state.is_over() && run.why().is_some()).await;
        let _ = std::process::Command::new("sh").args(["-c", &after]).status();
        let said = runs::diagnose(&self.engine, &id).unwrap().unwrap();
        assert_eq!((said.cause.as_str(), said.finding.stage), (cause, stage));
        Some(run)
    }

    async fn until(&self, id: &str, is: impl Fn(&Run) -> bool) -> Run {
        let began = Instant::now();
        loop {
            let run = runs::open(&self.engine, id).unwrap();
            if is(&run) {
                return run;
            }
            assert!(began.elapsed() < LIMIT, "{:#?}", run.progress);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    async fn window(&self, python: &Path) -> App {
        World::default().environment(python).at(self.engine.dirs().root()).open().await
    }
}

impl App {
    async fn until_address(&self, is: &str) {
        self.until(is, &format!("location.hash {is}"), IMPORT).await;
    }

    /// Opens a run of the list that failed, and waits until it is known why.
    async fn open_failed(&self, id: &str) {
        self.press("nav-runs").await;
        self.press(&format!("run-{id}")).await;
        self.find_within("diagnosis", SOON).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_training_that_fails_is_explained_mended_and_started_again() {
    let Some(python) = test_python() else { return };
    let home = Home::new();
    let Some(failed) = home.fail("address-space-short", &python).await else { return };
    let id = failed.record.id.as_str();
    let app = home.window(&python).await;

    // The list says why in a line, the page in full.
    app.press("nav-runs").await;
    let line = app.read(&format!("run-{id}")).await;
    assert!(line.contains("memory ran out"), "{line}");
    app.shot("failed-list").await;
    app.open_failed(id).await;
    let lit = "document.querySelector('[data-testid=\"chain-link-memory\"]')?.dataset.state === 'blocker'";
    app.until("the broken link is lit", lit, SOON).await;
    for (link, state) in [("data", "ok"), ("train", "pending"), ("results", "pending")] {
        let is = format!("document.querySelector('[data-testid=\"chain-link-{link}\"]')?.dataset.state");
        assert_eq!(app.evaluate(&is).await, state, "{link}");
    }
    app.find("diagnosis-why").await;
    // What else it could be is said where it is not sure. How memory runs out differs from time to time.
    let is_sure = app.read("diagnosis-why").await.contains("We are sure of this.");
    let others = app.evaluate("document.querySelector('[data-testid=\"diagnosis-others\"]') !== null").await;
    assert_eq!(others, !is_sure);
    let primary =
        "[...document.querySelectorAll('[data-testid=\"diagnosis\"] button.primary')].map((b) => b.dataset.testid)";
    assert_eq!(app.evaluate(primary).await, serde_json::json!(["remedy-run-batch"]), "one, and that does something");
    app.look("failed-run").await;

    // A piece of evidence leads to its line in the log, which is marked and in sight.
    app.press("show-line").await;
    let marked = "(() => { const log = document.querySelector('[data-testid=\"log\"]')?.getBoundingClientRect();
        const line = document.querySelector('[data-testid=\"log\"] .proof')?.getBoundingClientRect();
        return log && line && line.top >= log.top - 1 && line.bottom <= log.bottom + 1 && line.top < innerHeight; })()";
    app.until("the line is in sight", marked, SOON).await;
    app.shot("failed-log").await;

    // Everything that would be sent is shown first.
    app.press("open-bundle").await;
    let preview = "document.querySelector('[data-testid=\"bundle-dialog\"] pre')";
    app.until("the report is read first", &format!("{preview}?.ariaLabel === 'report.md'"), SOON).await;
    let files =
        "[...document.querySelectorAll('[data-testid=\"bundle-file\"] .mono')].map((f) => f.textContent).join(' ')";
    let files = app.evaluate(files).await;
    for file in ["report.html", "report.md", "plan.toml", "trainer.log"] {
        assert!(files.as_str().unwrap().contains(file), "{files}");
    }
    for theme in ["light", "dark"] {
        app.evaluate(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
        app.shot(&format!("failed-bundle-{theme}")).await;
        app.assert_accessible().await;
    }
    app.evaluate("document.documentElement.dataset.theme = 'light'").await;
    app.key(Key::Escape).await;

    // One click: the change is shown, the chain is looked at, the training starts.
    app.press("remedy-run-batch").await;
    app.find_within("mend-changes", SOON).await;
    assert!(app.read("mend-changes").await.contains("32"), "{}", app.read("mend-changes").await);
    app.shot("failed-mending").await;
    app.until_address(&format!("!== '#/runs/{id}'")).await;
    let second = app.evaluate("location.hash").await.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    app.find_within("mended", SOON).await;
    assert!(app.read("mended").await.contains("32"), "{}", app.read("mended").await);
    app.assert_accessible().await;
    app.shot("failed-started-again").await;

    // Undone, it is as before.
    app.press("mended-undo").await;
    app.until_address(&format!("=== '#/runs/{id}'")).await;
    app.find_within("diagnosis", SOON).await;
    home.until(&second, |run| run.progress.state.is_over()).await;

    // Left alone, it trains to its end.
    app.press("remedy-run-batch").await;
    app.until_address(&format!("!== '#/runs/{id}'")).await;
    app.until_run("succeeded", IMPORT).await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_of_every_kind_are_shown() {
    let Some(python) = test_python() else { return };
    let home = Home::new();
    let mut failed = Vec::new();
    for (name, _) in ALL {
        if let Some(run) = home.fail(name, &python).await {
            failed.push((name, run.record.id));
        }
    }
    let app = home.window(&python).await;
    let mut said = String::new();
    for ((name, id), (language, theme, size)) in failed.iter().zip(LOOKS.into_iter().cycle()) {
        app.resize(1180, 780).await;
        app.speak("en").await;
        app.open_failed(id).await;
        let _ = writeln!(said, "== {name}\n{}\n", app.read("diagnosis").await);
        app.speak("zh-CN").await;
        let _ = writeln!(said, "{}\n", app.read("diagnosis").await);
        app.assert_accessible().await;
        app.speak(language).await;
        app.wear(theme).await;
        app.resize(size.0, size.1).await;
        app.assert_nothing_scrolls_sideways().await;
        app.assert_accessible().await;
        let shot = app.shot(&format!("failure-{name}")).await;
        std::fs::write(shot.with_file_name("failures.txt"), &said).unwrap();
    }
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_takes_room_is_shown_and_deleted_where_the_disk_is_full() {
    let Some(python) = test_python() else { return };
    let home = Home::new();
    let Some(run) = home.fail("disk-of-results-full", &python).await else { return };
    let weights = home.engine.dirs().weights().join("yolov8n.pt");
    std::fs::create_dir_all(weights.parent().unwrap()).unwrap();
    std::fs::write(&weights, vec![7; 3_000_000]).unwrap();
    let app = home.window(&python).await;
    app.open_failed(&run.record.id).await;
    app.press("remedy-run-free-disk").await;
    app.find_within("room-taken", SOON).await;
    for theme in ["light", "dark"] {
        app.evaluate(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
        app.shot(&format!("failed-room-{theme}")).await;
        app.assert_accessible().await;
    }
    app.evaluate("document.documentElement.dataset.theme = 'light'").await;
    app.press("room-delete-weights").await;
    assert!(weights.exists(), "it is asked first");
    app.press("room-delete-yes").await;
    let gone = "!document.querySelector('[data-testid=\"room-delete-weights\"]')";
    app.until("the weights are gone", gone, SOON).await;
    assert!(!weights.exists());
    assert!(run.folder.exists());
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dataset_on_a_share_that_is_cut_off_is_copied_and_trained_on() {
    let Some(python) = test_python() else { return };
    let home = Home::new();
    let run = home.fail_as(share_cut_off, "share", &python).await.unwrap();
    let before = home.folder.path().join("share/plates");
    let app = home.window(&python).await;
    app.open_failed(&run.record.id).await;
    app.press("remedy-run-copy-dataset").await;
    app.find_within("copy-size", SOON).await;
    app.shot("failed-copy").await;
    app.assert_accessible().await;
    app.press("copy-begin").await;
    app.find_within("mend-changes", SOON).await;
    app.until_address(&format!("!== '#/runs/{}'", run.record.id)).await;
    app.until_run("succeeded", IMPORT).await;
    app.close().await;
    let copy = home.engine.dirs().copies().join("plates");
    let files = |folder: &Path| {
        let mut files: Vec<_> = ["images", "labels"]
            .into_iter()
            .flat_map(|name| failures::files(&folder.join(name)))
            .map(|path| (path.strip_prefix(folder).unwrap().to_owned(), std::fs::read(&path).unwrap()))
            .collect();
        files.sort();
        files
    };
    assert!(files(&copy) == files(&before), "to the byte");
}

/// A file server that is cut off as long as the images are links to its folder. It is only played: what an own computer
/// cannot do to itself.
fn share_cut_off(scene: &Scene<'_>) -> Option<Failing> {
    let (mut plan, folder) = scene.training();
    let lines = format!(
        "case \"$(readlink -f dataset/images/train/* | head -n 1)\" in '{}'/*)
           echo \"OSError: [Errno 116] Stale file handle: '/mnt/nas/plates/1.jpg'\" >&2; exit 1
         esac
         exec '{}' \"$@\"",
        folder.canonicalize().unwrap().display(),
        scene.python.display()
    );
    scene.trains_after(&mut plan, &lines);
    failing("nas_stale_handle", Stage::Data, plan)
}
