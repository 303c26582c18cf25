//! Runs whose processes are killed at any moment: none is lost, none is doubled, nothing stays behind.
//!
//! `PREFLIGHT_TORTURE_SEED` repeats a round; `PREFLIGHT_TORTURE_RUNS` and `PREFLIGHT_TORTURE_TRAININGS` make it longer,
//! with nextest's `--profile long`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use preflight_core::plan::Plan;
use preflight_core::run::{Changes, Event, Progress, ResumeReason, RunState};
use preflight_engine::Engine;
use preflight_engine::dirs::Dirs;
use preflight_engine::runs;

use super::world::{Dataset, World, kill, processes_in, supervisor};

/// Runs at a time.
const ABREAST: u32 = 6;
/// Far longer than a run takes on a busy machine.
const LIMIT: Duration = Duration::from_secs(300);

fn number(variable: &str, default: u32) -> u32 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Numbers that look random and come again with their seed.
struct Dice(u64);

impl Dice {
    /// A number below this.
    fn roll(&mut self, below: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    }
}

fn seed() -> u64 {
    let seed = number("PREFLIGHT_TORTURE_SEED", std::process::id());
    println!("PREFLIGHT_TORTURE_SEED={seed}");
    u64::from(seed)
}

/// One run and those who mistreat it. Each has an engine of its own, as another window has.
struct Victim {
    engine: Engine,
    id: String,
    dice: Dice,
    /// The longest wait between two blows, in milliseconds.
    wait_ms: u64,
}

impl Victim {
    fn folder(&self) -> PathBuf {
        self.engine.dirs().runs().join(&self.id)
    }

    fn progress(&self) -> Progress {
        runs::open(&self.engine, &self.id).unwrap().progress
    }

    async fn wait(&mut self) {
        tokio::time::sleep(Duration::from_millis(self.dice.roll(self.wait_ms))).await;
    }

    /// Kills some of what there is: the supervisor, the trainer, both with all they started, or the supervisor of the
    /// one who looks after the dead just when it begins.
    async fn strike(&mut self) {
        let blow = self.dice.roll(5);
        let progress = self.progress();
        let of_run = processes_in(&self.folder());
        let supervisor_pid = progress.supervisor.filter(|pid| of_run.contains(pid));
        let trainer_pid = progress.trainer.map(|(pid, _)| pid).filter(|pid| of_run.contains(pid));
        match blow {
            0 => supervisor_pid.into_iter().for_each(kill),
            1 => trainer_pid.into_iter().for_each(kill),
            2 => of_run.into_iter().for_each(kill),
            3 => {
                supervisor_pid.into_iter().for_each(kill);
                let command = supervisor();
                let looking = runs::recover(&self.engine, &self.id, &command);
                let _ = tokio::time::timeout(Duration::from_millis(self.dice.roll(200)), looking).await;
                for pid in processes_in(&self.folder()) {
                    if Some(pid) != trainer_pid {
                        kill(pid);
                    }
                }
            }
            _ => {
                let now = self.dice.roll(2) == 0;
                // It may be over, or have nobody to ask.
                let _ = runs::pause(&self.engine, &self.id, now);
            }
        }
        if blow < 4 && self.dice.roll(3) == 0 {
            self.tear();
        }
    }

    /// Leaves half an event at the end, as a power cut does; only where nobody writes.
    fn tear(&self) {
        let lock = std::fs::File::open(self.folder().join("lock")).unwrap();
        if lock.try_lock().is_ok() {
            let path = self.folder().join("events.jsonl");
            let mut file = std::fs::File::options().append(true).open(path).unwrap();
            std::io::Write::write_all(&mut file, b"{\"seq\":7,\"at_ms\":1,\"event\":{\"ki").unwrap();
        }
    }

    /// Looks after it as the app does, and has it go on.
    async fn help(&mut self) {
        let _ = runs::recover(&self.engine, &self.id, &supervisor()).await;
        let progress = self.progress();
        self.is_true(&progress);
        if progress.state.is_resumable() {
            let changes = Changes::default();
            let resumed = runs::resume(&self.engine, &self.id, &changes, ResumeReason::User, &supervisor()).await;
            if let Err(problem) = resumed {
                // Killed before its first epoch was done: another run would be started. Here it is counted as ended.
                let expected = ["run.no-checkpoint", "run.no-supervisor", "run.busy", "run.under-way", "run.finished"];
                assert!(expected.contains(&problem.code.as_str()), "{problem:?}");
            }
        }
    }

    /// What rests or is over has no trainer.
    fn is_true(&self, progress: &Progress) {
        if progress.state.is_active() || progress.state == RunState::Lost {
            return;
        }
        let trainer = progress.trainer.map(|(pid, _)| pid);
        let lives = processes_in(&self.folder()).into_iter().any(|pid| Some(pid) == trainer);
        assert!(!lives, "{:?} with a living trainer", progress.state);
    }

    /// To the end: it finishes, or failed before it had anything to go on from.
    async fn run(mut self, blows: u64) -> RunState {
        for _ in 0..=self.dice.roll(blows) {
            self.wait().await;
            self.strike().await;
            self.wait().await;
            self.help().await;
        }
        let began = Instant::now();
        loop {
            self.help().await;
            let progress = self.progress();
            let has_ended = progress.state == RunState::Succeeded
                || progress.state.is_over() && progress.state != RunState::Lost && progress.history.is_empty();
            if has_ended && processes_in(&self.folder()).is_empty() {
                self.check(&progress);
                return progress.state;
            }
            assert!(began.elapsed() < LIMIT, "{}: {progress:#?}\n{}", self.id, self.logs());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    fn logs(&self) -> String {
        let log = |name| std::fs::read(self.folder().join(name)).unwrap_or_default();
        [log("supervisor.log"), log("trainer.log")].map(|log| String::from_utf8_lossy(&log).into_owned()).join("\n")
    }

    fn check(&self, progress: &Progress) {
        let events = runs::Follower::new(&self.folder()).poll().unwrap();
        let numbers: Vec<u32> = events.iter().map(|event| event.seq).collect();
        assert_eq!(numbers, (0..u32::try_from(events.len()).unwrap()).collect::<Vec<_>>(), "counted without gaps");
        assert_eq!(Progress::of(&events), *progress, "the state is what the events add up to");
        assert!(matches!(
            events.last().unwrap().event,
            Event::Exited { .. } | Event::NotStarted | Event::Broken { .. }
        ));
        if progress.state == RunState::Succeeded {
            // Even one that was saved and, its trainer killed just then, never told.
            let epochs: Vec<u32> = progress.history.iter().map(|point| point.epoch).collect();
            assert_eq!(epochs, (1..=progress.epochs).collect::<Vec<_>>(), "every epoch once: {:?}", self.folder());
        }
    }
}

/// Runs of a plan, some at a time, each mistreated; answers how many finished.
async fn torture(world: &World, plan: &Plan, count: u32, abreast: u32, blows: u64, wait_ms: u64) -> u32 {
    let mut dice = Dice(seed());
    let mut finished = 0;
    let mut left = count;
    while left > 0 {
        let now = left.min(abreast);
        left -= now;
        let mut ends = tokio::task::JoinSet::new();
        for _ in 0..now {
            let id = runs::start(&world.engine, plan, &[], &supervisor()).await.unwrap();
            let engine = Engine::open(Dirs::new(world.engine.dirs().root())).unwrap();
            let victim = Victim { engine, id, dice: Dice(dice.roll(u64::MAX)), wait_ms };
            ends.spawn(victim.run(blows));
        }
        for state in ends.join_all().await {
            finished += u32::from(state == RunState::Succeeded);
        }
    }
    assert_eq!(runs::list(&world.engine).len(), count as usize, "none lost, none doubled");
    let home: &Path = world.engine.dirs().root();
    assert!(processes_in(home).is_empty(), "no process stays behind");
    finished
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_survive_whatever_is_killed() {
    let world = World::new();
    let dataset = Dataset::new(world.path("plates")).write();
    let plan = World::plan(&dataset, &world.stand_in(&world.epochs(5, 0.1)));
    let count = number("PREFLIGHT_TORTURE_RUNS", 24);
    let finished = torture(&world, &plan, count, ABREAST, 4, 500).await;
    println!("{finished} of {count} finished, the others had nothing to go on from");
    assert!(finished > count / 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn real_trainings_survive_whatever_is_killed() {
    let Some(python) = super::ultralytics::python() else { return };
    let world = World::new();
    let mut plan = World::plan(&Dataset::new(world.path("plates")).write(), &python);
    plan.training.epochs = 5;
    plan.training.extra.insert("plots".into(), preflight_core::plan::Scalar::Bool(false));
    let count = number("PREFLIGHT_TORTURE_TRAININGS", 2);
    // Most of the time goes into importing torch; one at a time.
    let finished = torture(&world, &plan, count, 1, 2, 15_000).await;
    println!("{finished} of {count} finished, the others had nothing to go on from");
}
