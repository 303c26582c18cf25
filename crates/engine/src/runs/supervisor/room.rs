//! A run rests while its disk is full, and goes on by itself when there is room.

use preflight_core::run::{Changes, Event, PauseReason, ResumeReason, RunState};

use super::{PATIENCE, Space, Supervisor, note};
use crate::runs::request::Request;
use crate::runs::{failure, launch};

impl Supervisor {
    /// The disk is full: the run is to rest, at once.
    pub(super) fn rest_for_room(&mut self) {
        self.short = Space::of(&self.folder, self.journal.progress());
        self.journal.append(Event::Found { finding: failure::disk_full(self.folder.path(), self.short) });
        self.journal.append(Event::PauseRequested { reason: PauseReason::DiskFull, now: true });
    }

    /// Where the run rests because the disk is full, waits for room. Answers whether it goes on.
    pub(super) async fn wait_for_room(&mut self) -> bool {
        let progress = self.journal.progress();
        let for_room = progress.pausing.is_some_and(|pausing| pausing.reason == PauseReason::DiskFull);
        if progress.state != RunState::Paused || !for_room {
            return false;
        }
        let short = self.short.take();
        loop {
            self.journal.flush();
            match Request::take(&self.folder) {
                Some(Request::Cancel { reason, .. }) => {
                    self.cancel(reason);
                    self.journal.append(Event::NotStarted);
                    return false;
                }
                Some(Request::LetGo) => return false,
                Some(Request::Pause { .. } | Request::KeepOn) | None => {}
            }
            if Space::of(&self.folder, self.journal.progress()).is_some_and(|space| space.is_ample_after(short)) {
                match launch::go_on(&self.folder, &self.record) {
                    Ok(_) => break,
                    Err(problem) => note(&problem.to_string()),
                }
            }
            tokio::time::sleep(PATIENCE).await;
        }
        self.journal.append(Event::Resumed { by: ResumeReason::Space, changes: Changes::default() });
        self.journal.set_room_aside();
        true
    }
}
