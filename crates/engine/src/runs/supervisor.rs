//! The supervisor: the one owner of a run's truth. A process of its own that outlives the app.

use std::path::Path;
use std::time::{Duration, Instant};

use preflight_core::diagnosis::Circumstances;
use preflight_core::problem::Problem;
use preflight_core::run::{CancelReason, Event, PauseReason, RunRecord, RunState, TrainerEvent};

use super::desk::Desk;
use super::failure;
use super::folder::{Folder, Lock};
use super::journal::{Journal, Lines};
use super::meter::Meter;
use super::process::{Exit, Trainer, Tree};
use super::request::Request;
use super::space::Space;
use super::{aftermath, diagnosis, is_from_here, lessons};
use crate::work::blocking;

mod ending;
mod hashing;
mod preparing;
mod room;
mod training;

use hashing::Hashing;

/// How often it looks at the trainer and at requests.
const TICK: Duration = Duration::from_millis(100);
/// How long it waits for the one who wrote the run's folder, or a looker, to let go of the lock.
const LOCK: Duration = Duration::from_secs(10);
/// How long it tries to write the end of a run to a disk that is full or gone.
const LAST_WORDS: Duration = Duration::from_secs(600);
/// How often it tries that, and looks whether a full disk has room again.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long the trainer of a run has to end by itself whose supervisor died while it was being ended.
const GRACE: Duration = Duration::from_secs(15);

/// The supervisor's whole life: owns the run in this folder until it is over or rests. Answers the process's exit code:
/// 0 when the run's end was written down, 2 when it could not own the run.
pub async fn supervise(run_folder: &Path) -> u8 {
    let (supervisor, begin) = match take_over(&Folder::new(run_folder)).await {
        Ok(begun) => begun,
        Err(problem) => {
            note(&problem.to_string());
            problem.causes.iter().for_each(|cause| note(cause));
            return 2;
        }
    };
    supervisor.run(begin).await
}

/// Writes to `supervisor.log`, which standard error is.
pub(super) fn note(text: &str) {
    use std::io::Write;
    // Nothing is left to tell it to.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Where a supervisor begins.
enum Begin {
    /// With the dataset's shadow tree.
    Preparing,
    /// With a trainer that works.
    Training(Trainer, Tree),
    /// With what is left of a trainer that ended while nobody looked.
    Ended(Tree),
    /// With waiting for room on the disk.
    Waiting,
}

async fn take_over(folder: &Folder) -> Result<(Supervisor, Begin), Problem> {
    let record = folder.read_record()?;
    let unwritable = |error| Problem::new("file.unwritable").with("path", folder.path()).because(&error);
    let lock = lock(folder).await?;
    let journal = Journal::open(folder, lock).map_err(unwritable)?;
    let progress = journal.progress();
    let was_launched = progress.trainer.is_some();
    let begin = match progress.state {
        RunState::Queued => Begin::Preparing,
        RunState::Preparing | RunState::Running => {
            let mut tree = Tree::of(progress.trainer, folder).map_err(unwritable)?;
            match tree.orphan() {
                Some(trainer) => Begin::Training(trainer, tree),
                // Nothing was lost but time.
                None if !was_launched && !rebooted_since(progress.last_ms) && is_from_here(folder, &record) => {
                    Begin::Preparing
                }
                None => Begin::Ended(tree),
            }
        }
        RunState::Paused if progress.pausing.is_some_and(|pausing| pausing.reason == PauseReason::DiskFull) => {
            Begin::Waiting
        }
        RunState::Paused | RunState::Succeeded | RunState::Failed | RunState::Cancelled | RunState::Lost => {
            return Err(Problem::new("run.over").with("id", record.id));
        }
    };
    let lines = Lines::after(folder.trainer_events(), progress.heard);
    let desk = Desk::new(folder.dirs(), journal.progress());
    let killed_before = aftermath::killed_for_memory();
    let folder = folder.clone();
    let mut supervisor = Supervisor { folder, record, journal, lines, short: None, hashing: None, desk, killed_before };
    if let Begin::Training(trainer, _) = &begin {
        if !was_launched {
            supervisor.journal.append(Event::Launched { pid: trainer.pid(), began_s: trainer.began_s() });
        }
        supervisor.journal.append(Event::Found { finding: failure::adopted(&supervisor.folder.supervisor_log()) });
        supervisor.journal.append(Event::Adopted { supervisor: std::process::id() });
    }
    Ok((supervisor, begin))
}

/// Whether the computer was started after this moment.
pub(super) fn rebooted_since(ms: u64) -> bool {
    sysinfo::System::boot_time().is_ok_and(|boot_s| boot_s > ms / 1000)
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
    hear(journal, &mut Lines::after(folder.trainer_events(), journal.progress().heard));
    journal.append(Event::Lost);
    Ok(())
}

/// Takes in what the trainer said since the last time.
fn hear(journal: &mut Journal, lines: &mut Lines) {
    let odd = |line: &[u8]| note(&format!("not an event: {}", String::from_utf8_lossy(line)));
    match lines.read::<TrainerEvent>(odd) {
        Ok(said) => said.into_iter().for_each(|said| journal.append(Event::Trainer { said })),
        Err(error) => note(&format!("reading the trainer's events: {error}")),
    }
}

struct Supervisor {
    folder: Folder,
    record: RunRecord,
    journal: Journal,
    /// What the trainer tells.
    lines: Lines,
    /// The room on the disk when there was too little of it.
    short: Option<Space>,
    /// The dataset is read through, beside the trainer.
    hashing: Option<Hashing>,
    desk: Desk,
    /// Programs that the system had ended for lack of memory when this supervisor began; `None`: it does not tell.
    killed_before: Option<u64>,
}

impl Supervisor {
    async fn run(mut self, mut begin: Begin) -> u8 {
        self.journal.set_room_aside();
        loop {
            match begin {
                Begin::Preparing => {
                    self.journal.append(Event::Preparing { supervisor: std::process::id() });
                    if self.prepare().await {
                        self.train().await;
                    }
                }
                Begin::Training(mut trainer, mut tree) => self.stay(&mut trainer, &mut tree).await,
                Begin::Ended(mut tree) => self.end(None, &mut tree).await,
                Begin::Waiting => {}
            }
            self.explain().await;
            self.attend();
            if !self.wait_for_room().await {
                break;
            }
            begin = Begin::Preparing;
        }
        self.leave().await
    }

    /// Sees to it that the end is written, and clears up.
    async fn leave(mut self) -> u8 {
        let began = Instant::now();
        while !self.journal.flush() {
            if began.elapsed() > LAST_WORDS {
                note("the end of the run could not be written");
                return 2;
            }
            tokio::time::sleep(PATIENCE).await;
        }
        self.attend();
        self.desk.leave().await;
        let state = self.journal.progress().state;
        if state == RunState::Succeeded
            && let Err(problem) = lessons::learn(&self.folder, &self.record, self.journal.progress())
        {
            note(&problem.to_string());
        }
        // What is left can be made again from the dataset. After a failure it helps to see what the trainer saw.
        if state != RunState::Failed {
            let _ = std::fs::remove_dir_all(self.folder.shadow());
        }
        if state == RunState::Succeeded {
            let _ = std::fs::remove_file(self.folder.checkpoint());
        }
        for path in [self.folder.reserve(), self.folder.pause(), self.folder.paused()] {
            let _ = std::fs::remove_file(path);
        }
        0
    }

    /// Finds out why the run ended as it did, for the desktop to tell and for whoever looks later.
    async fn explain(&mut self) {
        let progress = self.journal.progress();
        // Whoever tries a plan out is told otherwise.
        if self.record.trial.is_some() || !Circumstances::is_due(progress) {
            return;
        }
        let (folder, record, progress) = (self.folder.clone(), self.record.clone(), progress.clone());
        match blocking(move || diagnosis::of(&folder, &record, &progress)).await {
            Ok(said) => self.desk.explained(said.finding.title()),
            Err(problem) => note(&problem.to_string()),
        }
    }

    /// Does what is done for the person who started the run.
    fn attend(&mut self) {
        if let Some(finding) = self.desk.attend(&self.record, self.journal.progress()) {
            self.journal.append(Event::Found { finding });
        }
    }

    fn is_to_stop(&self) -> bool {
        let progress = self.journal.progress();
        progress.cancelling.is_some() || progress.pausing.is_some()
    }

    /// Takes a request. Answers how long a trainer has to end by itself when it is to be ended.
    fn requested(&mut self) -> Option<Duration> {
        let progress = self.journal.progress();
        match Request::take(&self.folder)? {
            Request::Cancel { reason, grace_s } => {
                self.cancel(reason);
                return Some(Duration::from_secs(grace_s.into()));
            }
            Request::Pause { .. } if progress.cancelling.is_some() => {}
            Request::Pause { grace_s } => {
                let now = grace_s.is_some();
                if progress.pausing.is_none_or(|pausing| now && !pausing.now) {
                    self.journal.append(Event::PauseRequested { reason: PauseReason::User, now });
                }
                self.ask_to_rest();
                return grace_s.map(|grace_s| Duration::from_secs(grace_s.into()));
            }
            Request::KeepOn => {
                if progress.pausing.is_some_and(|pausing| !pausing.now)
                    && std::fs::remove_file(self.folder.pause()).is_ok()
                {
                    self.journal.append(Event::PauseWithdrawn);
                }
            }
            Request::LetGo => {}
        }
        None
    }

    /// Has the trainer rest at the end of its epoch.
    fn ask_to_rest(&self) {
        // On a full disk, an empty file still finds a place; where it does not, the trainer fails for want of room and
        // rests for that.
        let _ = std::fs::write(self.folder.pause(), "");
    }

    fn cancel(&mut self, reason: CancelReason) {
        if self.journal.progress().cancelling.is_none() {
            self.journal.append(Event::CancelRequested { reason });
        }
    }

    /// Starts the trainer and stays with it to its end.
    async fn train(&mut self) {
        self.clear_the_way();
        match Tree::start(&self.record, &self.folder) {
            Ok((mut trainer, mut tree)) => {
                self.journal.append(Event::Launched { pid: trainer.pid(), began_s: trainer.began_s() });
                self.stay(&mut trainer, &mut tree).await;
            }
            Err(error) => {
                let finding = failure::not_started(&self.record, &error);
                self.journal.append(Event::Broken { finding });
            }
        }
    }

    /// What an earlier trainer left must not be taken for the next one's.
    fn clear_the_way(&mut self) {
        for path in [self.folder.pause(), self.folder.paused()] {
            let _ = std::fs::remove_file(path);
        }
        hear(&mut self.journal, &mut self.lines);
        if let Err(error) = self.lines.cut_off_torn() {
            note(&format!("cutting off the trainer's last line: {error}"));
        }
    }

    async fn stay(&mut self, trainer: &mut Trainer, tree: &mut Tree) {
        // Of a plan that is only tried out, nothing is kept.
        self.hashing = self.record.trial.is_none().then(|| Hashing::begin(&self.folder));
        let exit = self.watch(trainer, tree).await;
        self.end(Some(exit), tree).await;
    }
}
