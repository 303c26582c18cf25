//! A plan that waits for its card, or a person who wants to hear when a card is free: one at a time.
//!
//! What is waited for stands in a file, so that it is not forgotten when the app is closed; it is watched as long as the app
//! is open. Before a plan starts, the whole chain is looked at once more.

use std::io::ErrorKind;
use std::sync::Mutex;
use std::time::Duration;

use preflight_core::checks;
use preflight_core::facts::Fact;
use preflight_core::finding::Finding;
use preflight_core::machine::Gpus;
use preflight_core::plan::{Device, Plan};
use preflight_core::problem::Problem;
use preflight_core::text::{Args, Texts, Value};
use serde::{Deserialize, Serialize};

use crate::Engine;
use crate::dirs::Dirs;
use crate::runs::{self, SupervisorCommand};
use crate::work::lock;

/// How often cards are looked at while something waits for them.
const PACE: Duration = Duration::from_secs(2);
/// How many looks in a row must find a card free: between two steps of a script it is free for a moment, too.
const STEADY: u32 = 3;

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "goal", rename_all = "snake_case", deny_unknown_fields)]
pub enum Goal {
    /// Telling a person that a card is free.
    Tell {
        /// NVML index of the card.
        card: u32,
    },
    /// Starting a plan when its card is free.
    Start {
        /// The plan.
        plan: Box<Plan>,
        /// The codes of predicted blockers that a person accepts.
        accepted: Vec<String>,
    },
}

impl Goal {
    /// On which device it depends.
    fn device(&self) -> Device {
        match self {
            Self::Tell { card } => Device::Gpus(vec![*card]),
            Self::Start { plan, .. } => plan.device().clone(),
        }
    }
}

/// How waiting goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum WaitState {
    /// The card is not free yet.
    Waiting,
    /// It is over: the card is free.
    Free,
    /// It is over: the plan was started.
    Started {
        /// The run.
        run: String,
    },
    /// It is over: something else keeps the plan from starting, and waiting does not help.
    Stopped {
        /// What.
        findings: Vec<Finding>,
        /// What went wrong when it was started; `None`: the findings say it.
        problem: Option<Problem>,
    },
}

/// Something that waits, or did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Waiting {
    /// Since when, in milliseconds since 1970 UTC.
    pub since_ms: u64,
    /// For what.
    pub goal: Goal,
    /// How it goes.
    pub state: WaitState,
}

/// What waits, in memory and in its file.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    /// `None`: the file was not read yet.
    now: Mutex<Option<Option<Waiting>>>,
}

impl Waits {
    fn get(&self, dirs: &Dirs) -> Option<Waiting> {
        lock(&self.now).get_or_insert_with(|| read(dirs)).clone()
    }

    fn set(&self, dirs: &Dirs, waiting: Option<Waiting>) -> Result<(), Problem> {
        write(dirs, waiting.as_ref())?;
        *lock(&self.now) = Some(waiting);
        Ok(())
    }
}

fn read(dirs: &Dirs) -> Option<Waiting> {
    let text = std::fs::read_to_string(dirs.waiting_file()).ok()?;
    // One of another version of this app: nobody can wait for what is not understood.
    let mut waiting: Waiting = serde_json::from_str(&text).ok()?;
    // An app that was ended between starting a plan and writing that down does not start it twice.
    if let (WaitState::Waiting, Goal::Start { plan, .. }) = (&waiting.state, &waiting.goal)
        && let Some(run) = runs::begun_since(dirs, plan, waiting.since_ms)
    {
        waiting.state = WaitState::Started { run };
    }
    Some(waiting)
}

fn write(dirs: &Dirs, waiting: Option<&Waiting>) -> Result<(), Problem> {
    let path = dirs.waiting_file();
    let Some(waiting) = waiting else {
        return match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(Problem::new("file.unwritable").with("path", path.as_path()).because(&error))
            }
            _ => Ok(()),
        };
    };
    let text = serde_json::to_vec(waiting).map_err(|error| Problem::new("plan.unwritable").because(&error))?;
    crate::write::atomically(&path, &text)
}

impl Engine {
    /// What waits, or last did; `None`: nothing.
    #[must_use]
    pub fn waiting(&self) -> Option<Waiting> {
        self.waits().get(self.dirs())
    }

    /// Waits for a card from now on, in place of what waited before.
    ///
    /// # Errors
    /// `file.unwritable`.
    pub fn wait_for(&self, goal: Goal) -> Result<Waiting, Problem> {
        let waiting = Waiting { since_ms: crate::preflight::now_ms(), goal, state: WaitState::Waiting };
        self.waits().set(self.dirs(), Some(waiting.clone()))?;
        Ok(waiting)
    }

    /// Waits no longer, and forgets how it went.
    ///
    /// # Errors
    /// `file.unwritable`.
    pub fn stop_waiting(&self) -> Result<(), Problem> {
        self.waits().set(self.dirs(), None)
    }

    /// Whether a training could begin on a device now.
    pub async fn is_free(&self, device: &Device) -> bool {
        let gpus = self.load().await.1;
        self.counted(device, &gpus, 0) > 0
    }

    /// Waits until a device stays free, for as long as the future is polled. `tell` hears of every look but the last.
    pub async fn until_free(&self, device: &Device, mut tell: impl FnMut(&Fact<Gpus>)) {
        let mut free = 0;
        loop {
            let gpus = self.load().await.1;
            free = self.counted(device, &gpus, free);
            if free >= STEADY {
                return;
            }
            tell(&gpus);
            tokio::time::sleep(PACE).await;
        }
    }

    /// How many looks in a row found a device free, this one included.
    fn counted(&self, device: &Device, gpus: &Fact<Gpus>, before: u32) -> u32 {
        let busy_above = self.settings().effective_busy_above();
        let is_free = gpus.known().is_some_and(|gpus| checks::is_free(gpus, device, busy_above));
        if is_free { before + 1 } else { 0 }
    }

    /// Watches what waits, for as long as the future is polled.
    pub async fn attend_waiting(&self, supervisor: &SupervisorCommand) {
        let mut free = 0;
        loop {
            free = self.attend_once(supervisor, free).await;
            tokio::time::sleep(PACE).await;
        }
    }

    /// Looks once at what waits; `free`: how many looks in a row found the card free. Answers how many it is now.
    pub async fn attend_once(&self, supervisor: &SupervisorCommand, free: u32) -> u32 {
        let Some(waiting) = self.waiting().filter(|waiting| waiting.state == WaitState::Waiting) else { return 0 };
        let gpus = self.load().await.1;
        let free = self.counted(&waiting.goal.device(), &gpus, free);
        if free < STEADY {
            return free;
        }
        let state = match &waiting.goal {
            Goal::Tell { .. } => WaitState::Free,
            Goal::Start { plan, accepted } => match self.start_or_wait(&waiting, plan, accepted, supervisor).await {
                Some(state) => state,
                None => return 0,
            },
        };
        // Somebody may have thought otherwise meanwhile.
        if self.waiting().as_ref() == Some(&waiting) {
            self.tell(&waiting, &state, &gpus);
            // What cannot be written is still so as long as the app is open.
            let over = Waiting { state, ..waiting };
            if self.waits().set(self.dirs(), Some(over.clone())).is_err() {
                *lock(&self.waits().now) = Some(Some(over));
            }
        }
        0
    }

    /// Looks at the whole chain and starts; `None`: waiting goes on.
    async fn start_or_wait(
        &self,
        waiting: &Waiting,
        plan: &Plan,
        accepted: &[String],
        supervisor: &SupervisorCommand,
    ) -> Option<WaitState> {
        // Of what takes long to look at, what was seen lately says whether it is worth looking anew.
        if self.preflight(plan).await.only_waits(accepted) {
            return None;
        }
        self.forget_observations();
        let report = self.preflight(plan).await;
        if report.only_waits(accepted) {
            return None;
        }
        let findings: Vec<Finding> = report.against(accepted).cloned().collect();
        if !findings.is_empty() {
            return Some(WaitState::Stopped { findings, problem: None });
        }
        // Looking takes seconds, in which a person may have called it off.
        if self.waiting().as_ref() != Some(waiting) {
            return None;
        }
        Some(match runs::start(self, plan, accepted, supervisor).await {
            Ok(run) => WaitState::Started { run },
            Err(problem) => WaitState::Stopped { findings, problem: Some(problem) },
        })
    }

    /// Tells the desktop, where a person wants to hear of it.
    fn tell(&self, waiting: &Waiting, state: &WaitState, gpus: &Fact<Gpus>) {
        let settings = self.settings();
        if !settings.notifies() {
            return;
        }
        let texts = Texts::new(settings.effective_language());
        let (title, text) = match state {
            WaitState::Waiting => return,
            WaitState::Free => ("notice-card-free", "notice-card-free-text"),
            WaitState::Started { .. } => ("notice-started", "notice-waited-text"),
            WaitState::Stopped { .. } => ("notice-not-started", "notice-waited-text"),
        };
        let card = match &waiting.goal {
            Goal::Tell { card } => {
                gpus.known().and_then(|gpus| gpus.card(*card)).map(preflight_core::machine::Gpu::label)
            }
            Goal::Start { plan, .. } => Some(runs::dataset_name(&plan.dataset)),
        };
        let args = Args::from([("name".to_owned(), Value::from(card.unwrap_or_default()))]);
        // Where there is no desktop, nobody hears of it; the window shows it.
        let _ = runs::notify(texts.get(title), texts.render(text, &args).unwrap_or_default());
    }
}
