//! A home of its own, a small dataset, and a look at what processes are left.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use preflight_core::plan::{Device, Plan, Target, Weights};
use preflight_core::run::{Changes, Event, ResumeReason, RunEvent, RunState, TrainerEvent};
use preflight_engine::Engine;
use preflight_engine::dirs::Dirs;
use preflight_engine::runs::{self, Follower, Resumed, Run, SupervisorCommand};
use preflight_engine::settings::Settings;
use rustix::process::{Pid, Signal, kill_process};

/// Far longer than anything here takes on a busy machine.
const LIMIT: Duration = Duration::from_secs(240);

pub(super) struct World {
    pub(super) engine: Engine,
    home: tempfile::TempDir,
}

impl World {
    pub(super) fn new() -> Self {
        Self::named("home")
    }

    /// A world whose app folder has this name.
    pub(super) fn named(name: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let engine = quiet(home.path().join(name));
        Self { engine, home }
    }

    /// A world whose app folder is a disk of this many MiB; says so where mounting is not allowed.
    pub(super) fn on_disk(mebibytes: u32) -> Option<Self> {
        let home = tempfile::tempdir().unwrap();
        let disk = home.path().join("home");
        std::fs::create_dir(&disk).unwrap();
        let options = format!("size={mebibytes}m");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&disk).output();
        if !mount.is_ok_and(|output| output.status.success()) {
            println!("skipped: mounting a small disk is not allowed here");
            return None;
        }
        Some(Self { engine: quiet(disk), home })
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// A script that answers as the Python of an environment would, and whose trainer does this.
    pub(super) fn stand_in(&self, trainer: &str) -> PathBuf {
        let path = self.path("python");
        let text = format!(
            r#"#!/bin/sh
if [ "$1" = "-c" ]; then
  echo '{{"python":"3.11.7","torch":"2.15.0","torchvision":"0.29.2","ultralytics":"8.4.190"}}'
  exit
fi
say() {{ printf '%s\n' "$1" >> trainer.jsonl; }}
{trainer}
"#
        );
        std::fs::write(&path, text).unwrap();
        executable(&path);
        path
    }

    /// A trainer of this many epochs of at least so many seconds each. It rests and goes on as the real one does.
    pub(super) fn epochs(&self, epochs: u32, seconds: f64) -> String {
        let whole = self.path("whole.pt");
        if !whole.exists() {
            let mut archive = zip::ZipWriter::new(std::fs::File::create(&whole).unwrap());
            let stored = zip::CompressionMethod::Stored;
            let options = zip::write::SimpleFileOptions::default().compression_method(stored);
            archive.start_file("data", options).unwrap();
            std::io::Write::write_all(&mut archive, &[7; 100_000]).unwrap();
            archive.finish().unwrap();
        }
        let script = include_str!("../../stand-in/epochs.sh");
        format!("whole='{}'\nepochs={epochs}\nseconds={seconds}\n{script}", whole.display())
    }

    /// A plan over this dataset: yolov8n from scratch, on the CPU, in this environment.
    pub(super) fn plan(dataset: &Path, python: &Path) -> Plan {
        let mut plan = Plan { dataset: dataset.to_owned(), ..Plan::default() };
        plan.model.weights = Weights::Scratch;
        plan.training.imgsz = 64;
        plan.training.batch = 4;
        plan.training.epochs = 2;
        plan.target = Target::ThisComputer { device: Device::Cpu, python: Some(python.to_owned()) };
        plan
    }

    /// Starts a run of a stand-in.
    pub(super) async fn start(&self, trainer: &str) -> String {
        let dataset = Dataset::new(self.path("plates")).write();
        let plan = Self::plan(&dataset, &self.stand_in(trainer));
        runs::start(&self.engine, &plan, &[], &supervisor()).await.unwrap()
    }

    pub(super) fn open(&self, id: &str) -> Run {
        runs::open(&self.engine, id).unwrap()
    }

    pub(super) fn folder(&self, id: &str) -> PathBuf {
        self.engine.dirs().runs().join(id)
    }

    pub(super) fn events(&self, id: &str) -> Vec<RunEvent> {
        Follower::new(&self.folder(id)).poll().unwrap()
    }

    /// Waits until a run is as described.
    pub(super) async fn until(&self, id: &str, what: &str, is: impl Fn(&Run) -> bool) -> Run {
        let began = Instant::now();
        loop {
            let run = self.open(id);
            if is(&run) {
                return run;
            }
            assert!(began.elapsed() < LIMIT, "waiting for {what}: {:#?}\n{}", run.progress, self.logs(id));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until the trainer said something of a kind.
    pub(super) async fn until_said(&self, id: &str, what: &str, is: impl Fn(&TrainerEvent) -> bool) {
        let said = |event: &RunEvent| matches!(&event.event, Event::Trainer { said } if is(said));
        self.until(id, what, |_| self.events(id).iter().any(said)).await;
    }

    /// Waits until a run rests and nothing of it is left.
    pub(super) async fn rest(&self, id: &str) -> Run {
        let run = self.until(id, "the rest", |run| run.progress.state == RunState::Paused).await;
        self.until(id, "its processes to be gone", |_| self.processes(id).is_empty()).await;
        run
    }

    /// Has a run go on.
    pub(super) async fn resume(&self, id: &str) -> Resumed {
        runs::resume(&self.engine, id, &Changes::default(), ResumeReason::User, &supervisor()).await.unwrap()
    }

    /// Waits until an epoch is done.
    pub(super) async fn until_epoch(&self, id: &str, epoch: u32) -> Run {
        self.until(id, "an epoch", |run| run.progress.history.last().is_some_and(|point| point.epoch >= epoch)).await
    }

    /// What happened, counted without gaps.
    pub(super) fn events_of(&self, id: &str) -> Vec<Event> {
        let events = self.events(id);
        let numbers: Vec<u32> = events.iter().map(|event| event.seq).collect();
        assert_eq!(numbers, (0..u32::try_from(events.len()).unwrap()).collect::<Vec<_>>(), "counted without gaps");
        events.into_iter().map(|event| event.event).collect()
    }

    /// The epochs a run told of, in the order it told them.
    pub(super) fn told_epochs(&self, id: &str) -> Vec<u32> {
        let epoch = |event: &Event| match event {
            Event::Trainer { said: TrainerEvent::Epoch { epoch, .. } } => Some(*epoch),
            _ => None,
        };
        self.events_of(id).iter().filter_map(epoch).collect()
    }

    /// Waits until a run is over and nothing of it is left.
    pub(super) async fn end(&self, id: &str) -> Run {
        let run = self.until(id, "the end", |run| run.progress.state.is_over()).await;
        self.until(id, "its processes to be gone", |_| self.processes(id).is_empty()).await;
        run
    }

    /// What a run's processes wrote.
    pub(super) fn logs(&self, id: &str) -> String {
        let log = |name| std::fs::read(self.folder(id).join(name)).unwrap_or_default();
        [log("supervisor.log"), log("trainer.log")].map(|log| String::from_utf8_lossy(&log).into_owned()).join("\n")
    }

    /// The living processes of a run: each of them works in its folder.
    pub(super) fn processes(&self, id: &str) -> Vec<u32> {
        processes_in(&self.folder(id))
    }
}

impl Drop for World {
    fn drop(&mut self) {
        for process in processes_in(self.home.path()) {
            kill(process);
        }
        // Only where a disk was mounted.
        let _ = Command::new("umount").arg("--lazy").arg(self.home.path().join("home")).output();
    }
}

pub(super) fn kill(process: u32) {
    let process = Pid::from_raw(i32::try_from(process).unwrap()).unwrap();
    // It may be gone already.
    let _ = kill_process(process, Signal::KILL);
}

pub(super) fn processes_in(folder: &Path) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse() else { continue };
        // A zombie works nowhere.
        if std::fs::read_link(entry.path().join("cwd")).is_ok_and(|at| at.starts_with(folder)) {
            found.push(pid);
        }
    }
    found
}

pub(super) fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// This test program as a supervisor.
pub(super) fn supervisor() -> SupervisorCommand {
    let arguments = ["runs::supervisor_process", "--exact", "--nocapture"].map(Into::into).into();
    SupervisorCommand { program: std::env::current_exe().unwrap(), arguments }
}

/// A supervisor that is started by this shell script, whose `"$@"` starts the real one; `$folder` is the run's folder.
pub(super) fn supervisor_after(script: &str) -> SupervisorCommand {
    let SupervisorCommand { program, arguments } = supervisor();
    let script = format!("for folder; do :; done\n{script}\nexec \"$@\"");
    let before = ["-c".into(), script.into(), "sh".into(), program.into_os_string()];
    SupervisorCommand { program: "/bin/sh".into(), arguments: before.into_iter().chain(arguments).collect() }
}

/// A dataset of drawn squares.
pub(super) struct Dataset {
    root: PathBuf,
    names: [&'static str; 2],
}

impl Dataset {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root, names: ["dark", "light"] }
    }

    pub(super) fn with_names(self, names: [&'static str; 2]) -> Self {
        Self { names, ..self }
    }

    /// Writes it; answers its yaml.
    pub(super) fn write(&self) -> PathBuf {
        for (split, count) in [("train", 8), ("val", 4)] {
            for number in 0..count {
                self.image(&format!("images/{split}/{split} {number}.jpg"), number);
            }
        }
        self.yaml("images/train", "images/val")
    }

    /// Draws an image and writes its label where the trainer looks for it.
    pub(super) fn image(&self, name: &str, number: u8) -> PathBuf {
        let path = self.root.join(name);
        let label = preflight_core::dataset::paths::label_path(&path);
        for folder in [&path, &label].map(|path| path.parent().unwrap()) {
            std::fs::create_dir_all(folder).unwrap();
        }
        let class = number % 2;
        let image = image::RgbImage::from_fn(64, 64, |x, y| {
            let inside = (16..48).contains(&x) && (16..48).contains(&y);
            let shade = if inside { class * 200 + 20 } else { 110 + (x * y % 16) as u8 };
            image::Rgb([shade, shade, number * 20])
        });
        image.save(&path).unwrap();
        std::fs::write(label, format!("{class} 0.5 0.5 0.5 0.5\n")).unwrap();
        path
    }

    /// Writes the yaml with these sources.
    pub(super) fn yaml(&self, train: &str, val: &str) -> PathBuf {
        let path = self.root.join("data.yaml");
        let [first, second] = self.names;
        let text = format!("train: {train}\nval: {val}\nnames:\n  0: '{first}'\n  1: '{second}'\n");
        std::fs::write(&path, text).unwrap();
        path
    }
}

/// An engine over this folder that keeps nothing awake and tells the desktop nothing: whoever runs the tests is not to
/// hear of it. It takes whatever Python a test's plan names.
fn quiet(home: PathBuf) -> Engine {
    let engine = Engine::open(Dirs::new(home)).unwrap();
    let settings = Settings { keep_awake: Some(false), notifications: Some(false), ..Settings::default() };
    engine.change_settings(settings).unwrap();
    engine.accept_python(Path::new("/")).unwrap();
    engine
}

/// Everything below a folder: what it is, when it was changed, and its content.
pub(super) fn snapshot(folder: &Path) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
    fn look(path: &Path, seen: &mut BTreeMap<PathBuf, (SystemTime, Vec<u8>)>) {
        let found = path.symlink_metadata().unwrap();
        let content = if found.is_file() { std::fs::read(path).unwrap() } else { Vec::new() };
        seen.insert(path.to_owned(), (found.modified().unwrap(), content));
        if found.is_dir() {
            for entry in std::fs::read_dir(path).unwrap() {
                look(&entry.unwrap().path(), seen);
            }
        }
    }
    let mut seen = BTreeMap::new();
    look(folder, &mut seen);
    seen
}
