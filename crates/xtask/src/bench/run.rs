//! A run as it is looked at and looked after: how quickly the log page takes what is typed while lines pour in, what the
//! app holds after a day of events, and what the supervisor costs. A stand-in trains, so that nothing else is measured.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::training::{fresh, sample, succeed};
use super::window::{Display, Window, pause, processor_time, proportional, until};
use super::{Row, mib};
use crate::failure::{At, Failure, Outcome};
use crate::project::Project;
use crate::steps::Steps;
use crate::surroundings::Surroundings;

/// How long keys are typed while the log grows, how long when it does not, and how often.
const TYPING: Duration = Duration::from_secs(50);
const QUIET: Duration = Duration::from_secs(15);
const KEY: Duration = Duration::from_millis(150);
/// How long the window is left alone before its memory is read.
const SETTLE: Duration = Duration::from_secs(5);
/// Epochs of the day: one a minute.
const EPOCHS: u64 = 1440;
/// How long a day's events may take to arrive.
const DAY: Duration = Duration::from_secs(300);

/// Notes, for every key that comes down, the milliseconds until the frame that shows it is done.
const LISTEN: &str = "
    const input = document.querySelector('[data-testid=log-search]');
    if (!input) { document.querySelector('[data-testid=tab-log]')?.click(); return null; }
    window.waits = [];
    input.addEventListener('keydown', (event) => requestAnimationFrame(() => {
        const after = new MessageChannel();
        after.port1.onmessage = () => window.waits.push(performance.now() - event.timeStamp);
        after.port2.postMessage(null);
    }));
    return true";
const EPOCH: &str = "
    const epoch = document.querySelector('[data-testid=run-epoch]')?.textContent.match(/[\\d,]+/);
    return epoch ? Number(epoch[0].replace(/,/g, '')) : null";

pub(super) fn measure(
    project: &Project,
    steps: &Steps,
    surroundings: &Surroundings,
    display: &Display,
) -> Outcome<Vec<Row>> {
    let mut rows = log(project, surroundings, display)?;
    steps.note("Log page", "10,000 lines a second measured");
    rows.push(day(project, surroundings, display)?);
    steps.note("A day of events", "measured");
    Ok(rows)
}

/// The log page while 10,000 lines a second come, and meanwhile the supervisor.
fn log(project: &Project, surroundings: &Surroundings, display: &Display) -> Outcome<Vec<Row>> {
    let run = Run::start(project, surroundings, "log")?;
    let window = Window::open(project, surroundings, display, &run.home)?;
    window.execute(&run.show())?;
    window.wait_for(LISTEN, "The log page did not come up.")?;
    let supervisor = run.supervisor()?;
    let (began, used) = (Instant::now(), processor_time(supervisor)?);
    let growing = typed(&window, TYPING)?;
    let share = (processor_time(supervisor)? - used) / began.elapsed().as_secs_f64();
    let memory = proportional(supervisor)?;
    // The same page with the same log, now that no line comes any more: what typing takes on this computer anyway.
    pause(SETTLE + SETTLE);
    let quiet = typed(&window, QUIET)?;
    window.close()?;
    Ok(vec![
        Row {
            what: "Typing while the log grows",
            value: format!("{growing:.0} ms"),
            how: format!("key to frame, 95 of 100, 10,000 lines a second for a minute; {quiet:.0} ms with none"),
        },
        Row {
            what: "Supervisor, processor",
            value: format!("{:.1} %", share * 100.0),
            how: format!("of one core, over {} s of a run, four steps a second", TYPING.as_secs()),
        },
        Row { what: "Supervisor, memory", value: mib(memory), how: "PSS, at the end of that".into() },
    ])
}

/// Types into the log page's search for a while. Answers the milliseconds within which 95 of 100 keys were shown.
fn typed(window: &Window, long: Duration) -> Outcome<f64> {
    window.execute("window.waits = []")?;
    let began = Instant::now();
    for key in ["z", "\u{e003}"].into_iter().cycle() {
        if began.elapsed() > long {
            break;
        }
        window.type_into("[data-testid=log-search]", key)?;
        pause(KEY);
    }
    let waits = window.execute("return window.waits")?;
    let mut waits: Vec<f64> = waits.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    waits.sort_by(f64::total_cmp);
    waits.get(waits.len() * 95 / 100).copied().ok_or_else(|| Failure::new("No key came down in the log page."))
}

/// What the app holds after a day's events, against what it holds after the first hour's.
fn day(project: &Project, surroundings: &Surroundings, display: &Display) -> Outcome<Row> {
    let run = Run::start(project, surroundings, "day")?;
    let window = Window::open(project, surroundings, display, &run.home)?;
    window.execute(&run.show())?;
    let supervisor = run.supervisor()?;
    let began = Instant::now();
    let mut held = 0;
    let mut reach = |epoch: u64| loop {
        // It ends with its run, which the window may see later.
        held = proportional(supervisor).unwrap_or(held);
        if window.execute(EPOCH)?.as_u64().is_some_and(|seen| seen >= epoch) {
            return Outcome::Ok(held);
        }
        if began.elapsed() > DAY {
            return Err(Failure::new(format!("The window did not come to epoch {epoch}.")));
        }
        pause(Duration::from_millis(200));
    };
    reach(EPOCHS / 24)?;
    let (early, _) = window.memory()?;
    let supervisor = reach(EPOCHS)?;
    pause(SETTLE);
    let (late, _) = window.memory()?;
    window.close()?;
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let grown = (late as f64 - early as f64) / 1024.0 / 1024.0;
    Ok(Row {
        what: "Memory over a day's run",
        value: format!("{grown:+.1} MiB"),
        how: format!(
            "PSS of the app, {} after its first hour, {} at the end; 86,400 steps, {EPOCHS} epochs; supervisor {}",
            mib(early),
            mib(late),
            mib(supervisor)
        ),
    })
}

/// A run of the stand-in.
struct Run {
    home: PathBuf,
    folder: PathBuf,
}

impl Run {
    fn start(project: &Project, surroundings: &Surroundings, what: &str) -> Outcome<Self> {
        let folder = fresh(project, &format!("bench-{what}"))?;
        let home = folder.join("home");
        let dataset = sample(project, surroundings, &folder)?;
        let python = stand_in(&folder)?;
        let plan = folder.join("plan.toml");
        let preflight = |arguments: &[&OsStr]| {
            let mut command = surroundings.command(project, project.release("preflight"));
            command.args(arguments).env("PREFLIGHT_HOME", &home).env("PREFLIGHT_BENCH", what);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            command
        };
        std::fs::create_dir_all(&home).at(&home)?;
        let quiet = home.join("settings.toml");
        std::fs::write(&quiet, "language = \"en\"\nkeep_awake = false\nnotifications = false\n").at(&quiet)?;
        let mut write = preflight(&["plan".as_ref(), "--dataset".as_ref(), dataset.as_ref(), "--python".as_ref()]);
        write.arg(&python).args(["--weights", "scratch", "--device", "cpu", "--output"]).arg(&plan);
        succeed(write)?;
        succeed(preflight(&["run".as_ref(), plan.as_ref(), "--yes".as_ref()]))?;
        let runs = home.join("runs");
        let folder = std::fs::read_dir(&runs).at(&runs)?.flatten().next().map(|entry| entry.path());
        let folder = folder.ok_or_else(|| Failure::new("`preflight run` left no run."))?;
        Ok(Self { home, folder })
    }

    /// The script that goes to its page.
    fn show(&self) -> String {
        let id = self.folder.file_name().unwrap_or_default().to_string_lossy();
        format!("location.hash = '#/runs/{id}'")
    }

    /// Its supervisor's process id, once it trains.
    fn supervisor(&self) -> Outcome<u32> {
        let events = self.folder.join("events.jsonl");
        let look = || {
            let text = std::fs::read_to_string(&events).unwrap_or_default();
            let mut events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            Ok(events.find_map(|event| u32::try_from(event["event"]["supervisor"].as_u64()?).ok()))
        };
        until(look, "The run's supervisor did not come up.")
    }
}

/// The stand-in as a program.
fn stand_in(folder: &Path) -> Outcome<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("python");
    let text = format!("#!/usr/bin/env python3\n{}", include_str!("stand_in.py"));
    std::fs::write(&path, text).at(&path)?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).at(&path)?;
    Ok(path)
}
