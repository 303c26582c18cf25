//! A run's events on disk: written by the one who holds the lock, read by everyone.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use preflight_core::problem::Problem;
use preflight_core::run::{Event, Progress, RunEvent, TrainerEvent};
use serde::{Deserialize, Serialize};

use super::folder::{Folder, Lock};
use crate::preflight::now_ms;

/// The version of `state.json`; one of another version is made anew from the events.
const STATE_FORMAT: u32 = 2;

/// Bytes of the longest line that a trainer writes: an error with its traceback is below that.
const LONGEST: u64 = 1 << 20;

/// Bytes that are set aside for the events that tell of a full disk: a finding with a piece of a log is the longest.
const RESERVE: usize = 128 * 1024;

/// What the events before `events_bytes` add up to, so that a long run is opened without reading all of them.
#[derive(Debug, Serialize, Deserialize)]
struct State {
    format: u32,
    events_bytes: u64,
    progress: Progress,
}

/// Reads whole lines of a file as it grows; a torn last one is left for later.
#[derive(Debug)]
pub(super) struct Lines {
    path: PathBuf,
    /// Where the first line that was not answered yet begins.
    offset: u64,
    /// Values from there on that are known already.
    skip: u64,
}

impl Lines {
    pub(super) fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), offset: 0, skip: 0 }
    }

    /// Those after the first `heard` values.
    pub(super) fn after(path: impl Into<PathBuf>, heard: u64) -> Self {
        Self { skip: heard, ..Self::new(path) }
    }

    /// Takes what was begun after the last whole line out of the file: whoever writes next begins a line of its own.
    pub(super) fn cut_off_torn(&self) -> io::Result<()> {
        let mut file = match File::options().read(true).write(true).open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let length = file.metadata()?.len();
        let skipped = length.saturating_sub(LONGEST);
        file.seek(SeekFrom::Start(skipped))?;
        let mut end = Vec::new();
        file.read_to_end(&mut end)?;
        match end.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => file.set_len(skipped + last as u64 + 1),
            None if skipped == 0 => file.set_len(0),
            None => Ok(()),
        }
    }

    /// The lines since the last call, as JSON values of a kind; `odd` is told those that are not of that kind.
    /// A file that is not there yet is empty.
    pub(super) fn read<T: for<'a> Deserialize<'a>>(&mut self, mut odd: impl FnMut(&[u8])) -> io::Result<Vec<T>> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        if file.metadata()?.len() <= self.offset {
            return Ok(Vec::new());
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        self.offset += whole as u64;
        let mut values = Vec::new();
        for line in bytes[..whole].split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            match serde_json::from_slice(line) {
                Ok(_) if self.skip > 0 => self.skip -= 1,
                Ok(value) => values.push(value),
                Err(_) => odd(line),
            }
        }
        Ok(values)
    }
}

/// Reads a run's events as they come. Cheap to poll; a torn last line is left for later.
#[derive(Debug)]
pub struct Follower {
    lines: Lines,
}

impl Follower {
    /// From the first event on.
    #[must_use]
    pub fn new(run_folder: &Path) -> Self {
        Self { lines: Lines::new(Folder::new(run_folder).events()) }
    }

    /// The events since the last call.
    ///
    /// # Errors
    /// `run.unreadable`.
    pub fn poll(&mut self) -> Result<Vec<RunEvent>, Problem> {
        // A line that is no event was torn by a power cut or written by a later version: the others still count.
        self.lines
            .read(|_| ())
            .map_err(|error| Problem::new("run.unreadable").with("path", self.lines.path.as_path()).because(&error))
    }
}

/// A run as it stands, and a follower that goes on from there.
pub(super) fn read(folder: &Folder) -> Result<(Progress, Follower), Problem> {
    let mut follower = Follower::new(folder.path());
    let mut progress = Progress::default();
    if let Some(state) = read_state(folder) {
        follower.lines.offset = state.events_bytes;
        progress = state.progress;
    }
    for event in follower.poll()? {
        progress.apply(&event);
    }
    Ok((progress, follower))
}

fn read_state(folder: &Folder) -> Option<State> {
    let state: State = serde_json::from_slice(&std::fs::read(folder.state()).ok()?).ok()?;
    let events = std::fs::metadata(folder.events()).ok()?.len();
    (state.format == STATE_FORMAT && state.events_bytes <= events).then_some(state)
}

/// The one writer of a run's events.
#[derive(Debug)]
pub(super) struct Journal {
    folder: Folder,
    file: File,
    /// Bytes of whole events in the file.
    length: u64,
    /// Events that could not be written yet: the disk is full, or gone for a while.
    unwritten: VecDeque<Vec<u8>>,
    progress: Progress,
    _lock: Lock,
}

impl Journal {
    /// Opens a run's events and cuts off what a power cut left of a last one.
    pub(super) fn open(folder: &Folder, lock: Lock) -> io::Result<Self> {
        let mut file = File::options().create(true).truncate(false).read(true).write(true).open(folder.events())?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let length = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end as u64 + 1);
        file.set_len(length)?;
        let (progress, _) = read(folder).map_err(io::Error::other)?;
        Ok(Self { folder: folder.clone(), file, length, unwritten: VecDeque::new(), progress, _lock: lock })
    }

    /// The run as it stands.
    pub(super) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Takes in an event now. What cannot be written is kept and written as soon as it can be.
    pub(super) fn append(&mut self, event: Event) {
        let before = self.progress.state;
        let event = RunEvent { seq: self.progress.next_seq, at_ms: now_ms(), event };
        self.progress.apply(&event);
        if let Ok(mut line) = serde_json::to_vec(&event) {
            line.push(b'\n');
            self.unwritten.push_back(line);
        }
        let worth_keeping = matches!(
            event.event,
            Event::Found { .. }
                | Event::Launched { .. }
                | Event::Adopted { .. }
                | Event::CancelRequested { .. }
                | Event::PauseRequested { .. }
                | Event::PauseWithdrawn
                | Event::Trainer { said: TrainerEvent::Epoch { .. } | TrainerEvent::Done { .. } }
        );
        if self.flush() && (worth_keeping || self.progress.state != before) {
            self.keep();
        }
    }

    /// Sets room aside for the events that tell of a full disk.
    pub(super) fn set_room_aside(&self) {
        // Where there is none, it would be given up at once.
        let _ = std::fs::write(self.folder.reserve(), [b'.'; RESERVE]);
    }

    /// Writes what is not written yet; answers whether all is.
    pub(super) fn flush(&mut self) -> bool {
        while let Some(line) = self.unwritten.front() {
            let written = self.file.seek(SeekFrom::Start(self.length)).and_then(|_| self.file.write_all(line));
            if let Err(error) = written {
                // Half an event must not stay in front of the next one. Where even this fails, the next try repeats it.
                let _ = self.file.set_len(self.length);
                if is_full(&error) && std::fs::remove_file(self.folder.reserve()).is_ok() {
                    continue;
                }
                return false;
            }
            self.length += line.len() as u64;
            self.unwritten.pop_front();
        }
        true
    }

    /// Makes sure that what was written so far survives a power cut, and is quick to open.
    fn keep(&self) {
        let state = State { format: STATE_FORMAT, events_bytes: self.length, progress: self.progress.clone() };
        // Both only save time or guard against a power cut; the events themselves are written.
        let _ = self.file.sync_data();
        if let Ok(state) = serde_json::to_vec(&state) {
            let _ = crate::write::atomically(&self.folder.state(), &state);
        }
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

#[cfg(test)]
mod tests {
    use preflight_core::run::RunState;

    use super::*;

    fn journal(folder: &Folder) -> Journal {
        Journal::open(folder, folder.lock().unwrap().unwrap()).unwrap()
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_counting_goes_on() {
        let temp = tempfile::tempdir().unwrap();
        let folder = Folder::new(temp.path());
        let mut first = journal(&folder);
        first.append(Event::Preparing { supervisor: 1 });
        first.append(Event::DatasetReady { linked: 1, copied: 0, copied_bytes: 0, fingerprint: None });
        drop(first);
        let mut bytes = std::fs::read(folder.events()).unwrap();
        bytes.extend(b"{\"seq\":2,\"at_ms\":17,\"ev");
        std::fs::write(folder.events(), &bytes).unwrap();

        let mut follower = Follower::new(temp.path());
        assert_eq!(follower.poll().unwrap().len(), 2);
        let mut second = journal(&folder);
        second.append(Event::Launched { pid: 3, began_s: 4 });
        let events = follower.poll().unwrap();
        assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), [2]);
        assert_eq!(second.progress().trainer, Some((3, 4)));
        assert_eq!(read(&folder).unwrap().0, *second.progress());
    }

    #[test]
    fn a_state_of_another_version_or_torn_is_made_anew() {
        let temp = tempfile::tempdir().unwrap();
        let folder = Folder::new(temp.path());
        let mut journal = journal(&folder);
        journal.append(Event::Preparing { supervisor: 1 });
        for broken in ["", "{\"format\":1", "{\"format\":99,\"events_bytes\":0,\"progress\":{}}"] {
            std::fs::write(folder.state(), broken).unwrap();
            assert_eq!(read(&folder).unwrap().0.state, RunState::Preparing);
        }
    }

    #[test]
    fn a_line_of_rubbish_does_not_hide_the_events_after_it() {
        let temp = tempfile::tempdir().unwrap();
        let folder = Folder::new(temp.path());
        drop(journal(&folder));
        let event = |seq| serde_json::to_string(&RunEvent { seq, at_ms: 1, event: Event::Lost }).unwrap();
        std::fs::write(folder.events(), format!("{}\n\0\0\0\n\n{}\n", event(0), event(1))).unwrap();
        assert_eq!(Follower::new(temp.path()).poll().unwrap().len(), 2);
    }
}
