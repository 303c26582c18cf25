//! Beside a trainer that works, and at its end.

use std::path::Path;
use std::time::{Duration, Instant};

use preflight_core::finding::Severity;
use preflight_core::run::{EpochPoint, Event, PauseReason, Progress, table};

use super::ending::Ending;
use super::{Exit, GRACE, Meter, Space, Supervisor, TICK, Trainer, Tree, hear, note};
use crate::runs::folder::{Folder, OUTPUT};
use crate::runs::{aftermath, failure};

/// How often the use of the machine is noted in the first minutes, and after [`SETTLED`].
const USAGE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(5));
const TRIAL: Duration = Duration::from_millis(250);
const SETTLED: Duration = Duration::from_secs(600);
/// How often it is looked whether the disk has room for the end of the epoch.
const ROOM: Duration = Duration::from_secs(5);
/// How long what the trainer left behind has to end by itself once the trainer ended well: workers see that their
/// parent is gone within seconds.
const LEFT_BEHIND: Duration = Duration::from_secs(10);

/// `train.py`: there is no room on the disk.
const NO_ROOM: i32 = 74;
/// `train.py`: it rests.
const RESTING: i32 = 75;

impl Supervisor {
    /// Passes on what the trainer says and ends it when that is asked, until it is gone.
    pub(super) async fn watch(&mut self, trainer: &mut Trainer, tree: &mut Tree) -> Exit {
        let mut ending = Ending::NotAsked;
        let mut left = self.unfinished_ending();
        let mut meter = Meter::new(&self.record.device, self.folder.path());
        let began = Instant::now();
        let mut noted: Option<Instant> = None;
        let mut room = Instant::now();
        loop {
            // Asked before it is heard: what it said before it ended is not missed.
            let exit = trainer.exit(tree);
            hear(&mut self.journal, &mut self.lines);
            match exit {
                Ok(Some(exit)) => return exit,
                Ok(None) => {}
                Err(error) => {
                    note(&format!("waiting for the trainer: {error}"));
                    return Exit::UNSEEN;
                }
            }
            let grace = self.requested().or(left.take());
            ending = ending.next(grace, trainer, tree);
            let every = match began.elapsed() {
                // A trial on a card may be over in seconds.
                _ if self.record.trial.is_some() => TRIAL,
                elapsed if elapsed < SETTLED => USAGE.0,
                _ => USAGE.1,
            };
            if noted.is_none_or(|noted| noted.elapsed() >= every) {
                noted = Some(Instant::now());
                let usage = meter.read(tree).await;
                self.journal.append(Event::Usage { usage });
                self.attend();
            }
            if room.elapsed() >= ROOM {
                room = Instant::now();
                self.look_for_room();
            }
            self.hashed().await;
            self.journal.flush();
            tokio::time::sleep(TICK).await;
        }
    }

    /// How long a trainer has that an earlier supervisor was ending when it died.
    fn unfinished_ending(&self) -> Option<Duration> {
        let progress = self.journal.progress();
        if progress.pausing.is_some() {
            self.ask_to_rest();
        }
        (progress.cancelling.is_some() || progress.pausing.is_some_and(|pausing| pausing.now)).then_some(GRACE)
    }

    /// Lets the run rest at the end of the epoch where the disk may not hold what is written then.
    fn look_for_room(&mut self) {
        let progress = self.journal.progress();
        if progress.pausing.is_some() || progress.cancelling.is_some() || progress.done {
            return;
        }
        if let Some(space) = Space::of(&self.folder, self.journal.progress()).filter(|space| space.is_short()) {
            self.short = Some(space);
            let finding = failure::disk_full(self.folder.path(), self.short);
            self.journal.append(Event::Found { finding });
            self.journal.append(Event::PauseRequested { reason: PauseReason::DiskFull, now: false });
            self.ask_to_rest();
        }
    }

    /// Sees to it that nothing is left of the trainer, and writes down how it ended. `None`: nobody was there when it
    /// did.
    pub(super) async fn end(&mut self, exit: Option<Exit>, tree: &mut Tree) {
        hear(&mut self.journal, &mut self.lines);
        let seen = exit.unwrap_or(Exit::UNSEEN);
        let well = self.journal.progress().done && seen.may_be_well();
        let patience = if well { LEFT_BEHIND } else { Duration::ZERO };
        let began = Instant::now();
        while tree.lives() {
            if began.elapsed() >= patience {
                tree.kill();
            }
            tokio::time::sleep(TICK).await;
        }
        // On several GPUs, those who speak are among what was left.
        hear(&mut self.journal, &mut self.lines);
        self.find_untold();
        self.hashed_at_last(well).await;
        if !well {
            aftermath::note(&self.folder, self.killed_before);
        }
        let event = self.judge(well, exit);
        self.journal.append(event);
    }

    /// Takes in the epochs that were done and saved and that the trainer, killed just then, did not come to tell of.
    fn find_untold(&mut self) {
        for point in untold(&self.folder, self.journal.progress()) {
            self.journal.append(Event::EpochFound { point });
        }
    }

    /// What an end means, by what was said and asked before it.
    fn judge(&mut self, well: bool, exit: Option<Exit>) -> Event {
        let Exit { code, signal } = exit.unwrap_or(Exit::UNSEEN);
        let ended = Event::Exited { code, signal };
        let progress = self.journal.progress();
        let was_asked = progress.cancelling.is_some() || progress.paused || progress.pausing.is_some_and(|p| p.now);
        if well || was_asked {
            return ended;
        }
        if code == Some(RESTING)
            && let Some(pausing) = progress.pausing
        {
            // Its last word found no room.
            self.journal.append(Event::PauseRequested { reason: pausing.reason, now: true });
            return ended;
        }
        if self.is_for_want_of_room(code) {
            self.rest_for_room();
            return ended;
        }
        let progress = self.journal.progress();
        if exit.is_none() && progress.error.is_none() {
            self.journal.append(Event::Found { finding: failure::lost(progress) });
            return Event::Lost;
        }
        // Its supervisor may have died just before it wrote the last event.
        let was_found = progress.findings.iter().any(|finding| finding.severity == Severity::Blocker);
        if exit.is_some() || !was_found {
            let finding = failure::of_trainer(progress, Exit { code, signal }, &self.folder.trainer_log());
            self.journal.append(Event::Found { finding });
        }
        ended
    }

    /// Whether the trainer ended because the disk is full. That something is full that the trainer uses beside its
    /// folder, as shared memory, is a failure like any other.
    fn is_for_want_of_room(&self, code: Option<i32>) -> bool {
        let Some(space) = Space::of(&self.folder, self.journal.progress()) else { return false };
        let progress = self.journal.progress();
        if is_over_quota(progress) {
            return true;
        }
        // Freed again what it had written of the checkpoint.
        let is_tight = space.free < 2 * space.needed;
        is_tight && (code == Some(NO_ROOM) || is_no_room(progress)) || space.is_short() && code != Some(0)
    }
}

/// Epochs of the trainer's own table that nobody heard of and that training can go on after. Ultralytics writes a row
/// first and the checkpoint then; what comes after the last epoch cannot be gone on from, so that one is done anew.
fn untold(folder: &Folder, progress: &Progress) -> Vec<EpochPoint> {
    let written = |path: &Path| path.metadata().and_then(|found| found.modified()).ok();
    let table = folder.path().join(OUTPUT).join("results.csv");
    let last = folder.path().join(OUTPUT).join("weights").join("last.pt");
    let saved = [folder.checkpoint(), last].iter().filter_map(|path| written(path)).max();
    if progress.done || saved.is_none() || written(&table).is_none_or(|written| saved < Some(written)) {
        return Vec::new();
    }
    let told = progress.history.last().map_or(0, |point| point.epoch);
    let mut found = table::epochs(&std::fs::read_to_string(&table).unwrap_or_default());
    found.retain(|point| point.epoch > told && point.epoch < progress.epochs);
    for point in &mut found {
        point.seconds += progress.trained_s;
    }
    found
}

fn says(progress: &Progress, words: &[&str]) -> bool {
    progress
        .error
        .as_ref()
        .is_some_and(|(_, text, traceback)| words.iter().any(|words| text.contains(words) || traceback.contains(words)))
}

/// The words of Python and of C for `ENOSPC`.
fn is_no_room(progress: &Progress) -> bool {
    says(progress, &["[Errno 28]", "No space left on device"])
}

/// Those for `EDQUOT`: the disk itself says that there is room.
fn is_over_quota(progress: &Progress) -> bool {
    says(progress, &["[Errno 122] Disk quota exceeded", "[Errno 69] Disc quota exceeded"])
}
