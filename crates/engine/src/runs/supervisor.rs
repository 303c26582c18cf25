//! The supervisor: the one owner of a run's truth. A process of its own that outlives the app.

use std::path::Path;
use std::time::{Duration, Instant};

use preflight_core::dataset::Dataset;
use preflight_core::finding::{Action, Applicability, Finding, Remedy, Stage, Verb};
use preflight_core::problem::Problem;
use preflight_core::run::{CancelReason, Event, RunRecord, RunState, TrainerEvent};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::desk::Desk;
use super::failure;
use super::folder::{Folder, Lock};
use super::journal::{Journal, Lines};
use super::meter::Meter;
use super::process::{Exit, Trainer, Tree};
use super::request::{Request, TOLD};
use crate::shadow::Shadow;

/// How often it looks at the trainer and at requests.
const TICK: Duration = Duration::from_millis(100);
/// How long it waits for the one who wrote the run's folder, or a looker, to let go of the lock.
const LOCK: Duration = Duration::from_secs(10);
/// How often the use of the machine is noted in the first minutes, and after [`SETTLED`].
const USAGE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(5));
const SETTLED: Duration = Duration::from_secs(600);
/// How long what the trainer left behind has to end by itself once the trainer ended well: workers see that their
/// parent is gone within seconds.
const LEFT_BEHIND: Duration = Duration::from_secs(10);
/// How long it tries to write the end of a run to a disk that is full or gone.
const LAST_WORDS: Duration = Duration::from_secs(600);

/// The supervisor's whole life: owns the run in this folder until it is over. Answers the process's exit code: 0 when
/// the run's end was written down, 2 when it could not own the run.
pub async fn supervise(run_folder: &Path) -> u8 {
    match take_over(&Folder::new(run_folder)).await {
        Ok(supervisor) => supervisor.run().await,
        Err(problem) => {
            note(&problem.to_string());
            problem.causes.iter().for_each(|cause| note(cause));
            2
        }
    }
}

/// Writes to `supervisor.log`, which standard error is.
pub(super) fn note(text: &str) {
    use std::io::Write;
    // Nothing is left to tell it to.
    let _ = writeln!(std::io::stderr(), "{text}");
}

async fn take_over(folder: &Folder) -> Result<Supervisor, Problem> {
    let record = folder.read_record()?;
    let unwritable = |error| Problem::new("file.unwritable").with("path", folder.path()).because(&error);
    let lock = lock(folder).await?;
    let mut journal = Journal::open(folder, lock).map_err(unwritable)?;
    match journal.progress().state {
        RunState::Queued => {}
        state if state.is_over() => return Err(Problem::new("run.over").with("id", record.id)),
        // Whoever owned it is dead; going on where it was is not possible.
        _ => {
            bury(&mut journal, folder).map_err(unwritable)?;
            return Err(Problem::new("run.over").with("id", record.id));
        }
    }
    let desk = Desk::new(folder.dirs(), journal.progress());
    Ok(Supervisor { folder: folder.clone(), record, journal, desk })
}

async fn lock(folder: &Folder) -> Result<Lock, Problem> {
    let began = Instant::now();
    loop {
        let lock = folder
            .lock()
            .map_err(|error| Problem::new("file.unwritable").with("path", folder.path()).because(&error))?;
        match lock {
            Some(lock) => return Ok(lock),
            None if began.elapsed() > LOCK => return Err(Problem::new("run.busy").with("path", folder.path())),
            None => tokio::time::sleep(TICK).await,
        }
    }
}

/// Ends what is left of a run whose supervisor is dead, and writes down that it was lost. Blocks.
#[expect(
    clippy::disallowed_methods,
    reason = "not called on a runtime's worker: there is nothing else to do meanwhile"
)]
pub(super) fn bury(journal: &mut Journal, folder: &Folder) -> std::io::Result<()> {
    let mut tree = Tree::of(journal.progress().trainer, folder)?;
    while tree.lives() {
        tree.kill();
        std::thread::sleep(TICK);
    }
    journal.append(Event::Lost);
    Ok(())
}

struct Supervisor {
    folder: Folder,
    record: RunRecord,
    journal: Journal,
    desk: Desk,
}

impl Supervisor {
    async fn run(mut self) -> u8 {
        self.journal.append(Event::Preparing { supervisor: std::process::id() });
        if self.prepare().await {
            self.train().await;
        }
        self.attend();
        let began = Instant::now();
        while !self.journal.flush() {
            if began.elapsed() > LAST_WORDS {
                note("the end of the run could not be written");
                return 2;
            }
            tokio::time::sleep(USAGE.0).await;
        }
        self.desk.leave().await;
        // What is left can be made again from the dataset. After a failure it helps to see what the trainer saw.
        if self.journal.progress().state != RunState::Failed {
            let _ = std::fs::remove_dir_all(self.folder.shadow());
        }
        0
    }

    /// Does what is done for the person who started the run.
    fn attend(&mut self) {
        if let Some(finding) = self.desk.attend(&self.record, self.journal.progress()) {
            self.journal.append(Event::Found { finding });
        }
    }

    /// Makes the shadow tree. Answers whether training may begin.
    async fn prepare(&mut self) -> bool {
        let stop = CancellationToken::new();
        let mut building = self.build(stop.clone());
        let built = loop {
            tokio::select! {
                built = &mut building => break built,
                () = tokio::time::sleep(TICK) => {
                    self.journal.flush();
                    if self.requested().is_some() {
                        stop.cancel();
                    }
                }
            }
        };
        // One that came just now counts as well.
        self.requested();
        if self.journal.progress().cancelling.is_some() {
            self.journal.append(Event::NotStarted);
            return false;
        }
        let problem = match built {
            Ok(Ok(Shadow { linked, copied, copied_bytes, .. })) => {
                self.journal.append(Event::DatasetReady { linked, copied, copied_bytes });
                return true;
            }
            Ok(Err(problem)) => problem,
            Err(error) => Problem::new("internal.task").because(&error),
        };
        let finding = Finding::blocker(Stage::Data, "not-prepared", Verb::Change).seen(failure::evidence(&problem));
        let choose = Remedy::new("choose-dataset", Applicability::NeedsChoice, Action::ChooseDataset);
        self.journal.append(Event::Broken { finding: finding.remedy(choose) });
        false
    }

    fn build(&self, stop: CancellationToken) -> JoinHandle<Result<Shadow, Problem>> {
        let folder = self.folder.clone();
        tokio::task::spawn_blocking(move || {
            let path = folder.dataset();
            let unreadable = |error: &dyn std::error::Error| {
                Problem::new("file.unreadable").with("path", path.as_path()).because(error)
            };
            let text = std::fs::read(&path).map_err(|error| unreadable(&error))?;
            let dataset: Dataset = serde_json::from_slice(&text).map_err(|error| unreadable(&error))?;
            crate::shadow::build(&dataset, &folder.shadow(), &stop)
        })
    }

    /// Takes a request. Answers how long a trainer has to end by itself when it is to be ended.
    fn requested(&mut self) -> Option<Duration> {
        let Request::Cancel { reason, grace_s } = Request::take(&self.folder)?;
        self.cancel(reason);
        Some(Duration::from_secs(grace_s.into()))
    }

    fn cancel(&mut self, reason: CancelReason) {
        if self.journal.progress().cancelling.is_none() {
            self.journal.append(Event::CancelRequested { reason });
        }
    }

    /// Starts the trainer and stays with it to its end.
    async fn train(&mut self) {
        let (mut trainer, mut tree) = match Tree::start(&self.record, &self.folder) {
            Ok(started) => started,
            Err(error) => {
                let program = self.record.command.first().map_or("", String::as_str);
                let problem = Problem::new("run.trainer-not-started").with("program", program).because(&error);
                let finding = Finding::blocker(Stage::Start, "trainer-not-started", Verb::Change);
                let finding = finding.seen(failure::evidence(&problem));
                let mend = if self.record.environment.managed {
                    Remedy::new("repair-environment", Applicability::OneClick, Action::RepairEnvironment)
                } else {
                    Remedy::new("mend-own-environment", Applicability::Manual, Action::Explain)
                };
                let finding = finding.remedy(mend);
                self.journal.append(Event::Broken { finding });
                return;
            }
        };
        self.journal.append(Event::Launched { pid: trainer.pid(), began_s: trainer.began_s() });
        let exit = self.watch(&mut trainer, &mut tree).await;
        self.end(exit, &mut tree).await;
    }

    /// Passes on what the trainer says and ends it when that is asked, until it is gone.
    async fn watch(&mut self, trainer: &mut Trainer, tree: &mut Tree) -> Exit {
        let mut lines = Lines::new(self.folder.trainer_events());
        let mut ending = Ending::NotAsked;
        let mut meter = Meter::new(&self.record.device, self.folder.path());
        let began = Instant::now();
        let mut noted: Option<Instant> = None;
        loop {
            // Asked before it is heard: what it said before it ended is not missed.
            let exit = trainer.exit();
            self.hear(&mut lines);
            match exit {
                Ok(Some(exit)) => return exit,
                Ok(None) => {}
                Err(error) => {
                    note(&format!("waiting for the trainer: {error}"));
                    return Exit { code: None, signal: None };
                }
            }
            let grace = self.requested();
            ending = ending.next(grace, trainer, tree);
            let every = if began.elapsed() < SETTLED { USAGE.0 } else { USAGE.1 };
            if noted.is_none_or(|noted| noted.elapsed() >= every) {
                noted = Some(Instant::now());
                let usage = meter.read(tree).await;
                self.journal.append(Event::Usage { usage });
                self.attend();
            }
            self.journal.flush();
            tokio::time::sleep(TICK).await;
        }
    }

    fn hear(&mut self, lines: &mut Lines) {
        let odd = |line: &[u8]| note(&format!("not an event: {}", String::from_utf8_lossy(line)));
        match lines.read::<TrainerEvent>(odd) {
            Ok(said) => said.into_iter().for_each(|said| self.journal.append(Event::Trainer { said })),
            Err(error) => note(&format!("reading the trainer's events: {error}")),
        }
    }

    /// Sees to it that nothing is left of the trainer, and writes down how it ended.
    async fn end(&mut self, exit: Exit, tree: &mut Tree) {
        let progress = self.journal.progress();
        let well = progress.done && exit.code == Some(0);
        let patience = if well { LEFT_BEHIND } else { Duration::ZERO };
        let began = Instant::now();
        while tree.lives() {
            if began.elapsed() >= patience {
                tree.kill();
            }
            tokio::time::sleep(TICK).await;
        }
        let progress = self.journal.progress();
        if !well && progress.cancelling.is_none() {
            let finding = failure::of_trainer(progress, exit, &self.folder.trainer_log());
            self.journal.append(Event::Found { finding });
        }
        self.journal.append(Event::Exited { code: exit.code, signal: exit.signal });
    }
}

/// How far ending the trainer has come.
enum Ending {
    NotAsked,
    /// It was asked, and has this long.
    Asked {
        since: Instant,
        grace: Duration,
    },
    /// It was told.
    Told {
        since: Instant,
    },
    /// It is killed again and again: what was just starting was not there yet.
    Killed,
}

impl Ending {
    fn next(self, request: Option<Duration>, trainer: &Trainer, tree: &mut Tree) -> Self {
        let next = match (self, request) {
            (Self::NotAsked, None) => return Self::NotAsked,
            (Self::NotAsked, Some(grace)) if trainer.interrupt() => Self::Asked { since: Instant::now(), grace },
            (Self::NotAsked, Some(_)) => Self::Killed,
            (Self::Asked { since, grace }, _) if since.elapsed() < grace => return Self::Asked { since, grace },
            (Self::Asked { .. }, _) if trainer.terminate() => Self::Told { since: Instant::now() },
            (Self::Told { since }, _) if since.elapsed() < TOLD => return Self::Told { since },
            (Self::Asked { .. } | Self::Told { .. } | Self::Killed, _) => Self::Killed,
        };
        if let Self::Killed = next {
            tree.kill();
        }
        next
    }
}
