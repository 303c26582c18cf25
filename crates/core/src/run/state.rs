//! The life of a run, and what moves it.

use serde::{Deserialize, Serialize};

use super::{Event, TrainerEvent};

/// The life of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Written down, not begun.
    Queued,
    /// The dataset's shadow tree is made and the trainer is starting.
    Preparing,
    /// The trainer works.
    Running,
    /// It rests and can go on: nothing of it runs, and that is as it should be.
    Paused,
    /// It finished.
    Succeeded,
    /// It ended by itself without finishing.
    Failed,
    /// A person ended it.
    Cancelled,
    /// It was found dead: nobody wrote down how it ended.
    Lost,
}

impl RunState {
    /// Whether it has ended.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled | Self::Lost)
    }

    /// Whether a supervisor is to look after it.
    #[must_use]
    pub fn is_active(self) -> bool {
        matches!(self, Self::Queued | Self::Preparing | Self::Running)
    }

    /// Whether it may go on from where it was.
    #[must_use]
    pub fn is_resumable(self) -> bool {
        matches!(self, Self::Paused | Self::Failed | Self::Cancelled | Self::Lost)
    }
}

/// Why a run was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum CancelReason {
    /// A person asked for it.
    User,
    /// The command that follows it was interrupted.
    Interrupted,
}

/// Why a run rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// A person asked for it.
    User,
    /// The disk has no room for what comes next. It goes on by itself when there is room.
    DiskFull,
}

/// Who has a run go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum ResumeReason {
    /// A person.
    User,
    /// The disk has room again.
    Space,
    /// The app after a restart of the computer, as its settings say.
    Restart,
}

/// What was said before that decides how an end is to be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Before {
    /// Someone asked to end it.
    pub cancelling: bool,
    /// It is to rest, and its trainer is ended for that.
    pub pausing_now: bool,
    /// It is to rest.
    pub pausing: bool,
    /// The trainer said that it ended in order to rest.
    pub paused: bool,
    /// The trainer said that it finished.
    pub done: bool,
}

/// The state after an event. Pure; the supervisor, the app and the CLI agree because they all use it.
///
/// An event that makes no sense in a state (a trainer's word after the end) leaves it as it is: the log of a
/// run must stay readable whatever happened. A state never goes back, but for a run that rests or has ended without
/// finishing: it may go on, and is queued again. A run that finished stays finished.
#[must_use]
pub fn next(state: RunState, before: Before, event: &Event) -> RunState {
    match (state, event) {
        (_, Event::Resumed { .. }) if state.is_resumable() => return RunState::Queued,
        (RunState::Paused, Event::NotStarted) if before.cancelling => return RunState::Cancelled,
        _ if state.is_over() || state == RunState::Paused => return state,
        _ => {}
    }
    match event {
        Event::Preparing { .. } | Event::DatasetReady { .. } | Event::Launched { .. } if state == RunState::Queued => {
            RunState::Preparing
        }
        Event::Trainer { said: TrainerEvent::Start { .. } } => RunState::Running,
        Event::Preparing { .. }
        | Event::DatasetReady { .. }
        | Event::DatasetHashed { .. }
        | Event::EpochFound { .. }
        | Event::Launched { .. }
        | Event::Adopted { .. }
        | Event::Trainer { .. }
        | Event::Usage { .. }
        | Event::PauseRequested { .. }
        | Event::PauseWithdrawn
        | Event::Resumed { .. }
        | Event::CancelRequested { .. }
        | Event::Found { .. } => state,
        // A training that was done before the request to end it arrived is done. How a trainer left whose supervisor
        // died is not known: its word counts.
        Event::Exited { code: Some(0), .. } | Event::Exited { code: None, signal: None } if before.done => {
            RunState::Succeeded
        }
        Event::Exited { .. } | Event::NotStarted | Event::Lost if before.cancelling => RunState::Cancelled,
        Event::Exited { .. } if before.paused || before.pausing_now => RunState::Paused,
        Event::NotStarted if before.pausing => RunState::Paused,
        Event::Exited { .. } | Event::NotStarted | Event::Broken { .. } => RunState::Failed,
        Event::Lost => RunState::Lost,
    }
}
