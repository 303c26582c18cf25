//! What a supervisor does for the person: it keeps the computer awake, and has the desktop tell what they would want to
//! know though the window is closed.

use std::time::Duration;

use notify_rust::Notification;
use preflight_core::finding::{Action, Applicability, Evidence, Finding, Remedy, Stage};
use preflight_core::run::{PauseReason, Progress, RunRecord, RunState};
use preflight_core::text::{Args, Message, Texts, Value};
use tokio::sync::oneshot;

use super::awake::{Awake, may_fall_asleep};
use super::folder::dataset_name;
use super::supervisor::note;
use crate::dirs::Dirs;
use crate::settings::Settings;

/// How long the desktop has to take a notification. One that hangs must not keep a supervisor from ending.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is done for the person who started a run.
pub(super) struct Desk {
    dirs: Dirs,
    /// Notifications that the desktop did not take yet.
    telling: Vec<oneshot::Receiver<()>>,
    awake: Option<Awake>,
    /// It cannot be had, which was said.
    is_refused: bool,
    state: RunState,
    is_stalled: bool,
    /// Why it failed, once that is known.
    why: Option<Message>,
}

impl Desk {
    /// Of a run as it stands: what became of it before is not told again.
    pub(super) fn new(dirs: Dirs, progress: &Progress) -> Self {
        Self {
            dirs,
            telling: Vec::new(),
            awake: None,
            is_refused: false,
            state: progress.state,
            is_stalled: false,
            why: None,
        }
    }

    /// Why it failed: told with the news that it did.
    pub(super) fn explained(&mut self, why: Message) {
        self.why = Some(why);
    }

    /// Looks at the run, every few seconds and when it is over. Answers what is to be written down of it.
    pub(super) fn attend(&mut self, record: &RunRecord, progress: &Progress) -> Option<Finding> {
        // Looked up each time: a person may change their mind while it trains. What cannot be read is as usual.
        let settings = Settings::load(&self.dirs).unwrap_or_default();
        if let Some(news) = self.news(progress)
            && settings.notifies()
            // Whoever tries a plan out is looking at it.
            && record.trial.is_none()
        {
            let texts = Texts::new(settings.effective_language());
            let why = self.why.clone().or_else(|| Some(progress.findings.last()?.title()));
            let (title, text) = words(&texts, news, record, progress, why.as_ref());
            self.telling.extend(tell(title, text));
        }
        let is_under_way = matches!(progress.state, RunState::Queued | RunState::Preparing | RunState::Running);
        self.keep_awake(is_under_way && settings.keeps_awake())
    }

    /// Waits for what is still being told, but not long: a desktop may hang.
    pub(super) async fn leave(self) {
        let told = async {
            for telling in self.telling {
                let _ = telling.await;
            }
        };
        let _ = tokio::time::timeout(PATIENCE, told).await;
    }

    fn keep_awake(&mut self, keep: bool) -> Option<Finding> {
        if !keep {
            self.awake = None;
            return None;
        }
        if self.is_refused {
            return None;
        }
        if self.awake.is_none() {
            self.is_refused = !may_fall_asleep();
            if !self.is_refused {
                self.awake = Awake::ask("Training".to_owned());
            }
            return None;
        }
        let error = self.awake.as_ref()?.refused()?;
        self.awake = None;
        self.is_refused = true;
        let explain = Remedy::new("no-automatic-sleep", Applicability::Manual, Action::Explain);
        let seen = Evidence::value("fact-system-answer", error);
        Some(Finding::note(Stage::Start, "not-kept-awake").seen(seen).remedy(explain))
    }

    /// What is new since the last look.
    fn news(&mut self, progress: &Progress) -> Option<&'static str> {
        let state = std::mem::replace(&mut self.state, progress.state);
        // Its own events tell how long nothing moved: the supervisor notes what is used every few seconds.
        let findings = progress.findings_at(progress.last_ms);
        let is_stalled = findings.iter().any(|finding| finding.code == "train.stalled");
        let was_stalled = std::mem::replace(&mut self.is_stalled, is_stalled);
        match progress.state {
            now if now == state => (is_stalled && !was_stalled).then_some("stalled"),
            RunState::Succeeded => Some("succeeded"),
            RunState::Failed => Some("failed"),
            RunState::Paused if progress.pausing.is_some_and(|pausing| pausing.reason == PauseReason::DiskFull) => {
                Some("paused")
            }
            _ => None,
        }
    }
}

/// A notification's title and text.
fn words(
    texts: &Texts,
    news: &str,
    record: &RunRecord,
    progress: &Progress,
    why: Option<&Message>,
) -> (String, String) {
    let mut args = Args::from([
        ("dataset".to_owned(), Value::from(dataset_name(&record.plan.dataset))),
        ("model".to_owned(), Value::from(record.plan.model.name.as_str())),
    ]);
    let title = texts.get(&format!("notice-{news}"));
    let map50 = progress.metrics.iter().find(|(name, _)| name.starts_with("metrics/mAP50("));
    let text = match (news, map50) {
        ("succeeded", Some((_, map50))) => {
            args.insert("map50".to_owned(), Value::from(*map50));
            texts.render("notice-result", &args)
        }
        ("failed", _) => why.map(|why| {
            args.insert("why".to_owned(), Value::from(why.render(texts)));
            texts.render("notice-why", &args).unwrap_or_default()
        }),
        _ => texts.render("notice-run", &args),
    };
    (title, text.unwrap_or_default())
}

/// Hands a notification to the desktop, beside everything else; answers what tells that it is done. Where there is no
/// desktop, or it does not take it, that is no concern of the run.
pub(crate) fn tell(title: String, text: String) -> Option<oneshot::Receiver<()>> {
    let (done, telling) = oneshot::channel();
    let tell = move || {
        let mut notification = Notification::new();
        notification.appname("YOLO Preflight").summary(&title).body(&text).icon("yolo-preflight");
        // A click on it opens the app, on desktops that know it by this name.
        #[cfg(all(unix, not(target_os = "macos")))]
        notification.hint(notify_rust::Hint::DesktopEntry("yolo-preflight".to_owned()));
        if let Err(error) = notification.show() {
            note(&format!("the desktop took no notification: {error}"));
        }
        let _ = done.send(());
    };
    // Nobody waits for this thread when the program ends, unlike for the runtime's own.
    std::thread::Builder::new().name("notice".into()).spawn(tell).ok()?;
    Some(telling)
}

#[cfg(test)]
mod tests {
    use preflight_core::run::{Event, RunEvent, TrainerEvent, Usage};

    use super::*;

    /// A run in the middle of its first epoch, and its next event's number and time.
    fn training() -> (Progress, u32, u64) {
        let said = |said: &str| Event::Trainer { said: serde_json::from_str::<TrainerEvent>(said).unwrap() };
        let start = r#"{"event":"start","epochs":9,"first_epoch":1,"batch":4,"batches":100,"imgsz":64,"device":"cpu","amp":false,"optimizer":"SGD","parameters":1,"train_images":400,"val_images":4}"#;
        let mut events = vec![Event::Preparing { supervisor: 1 }, Event::Launched { pid: 1, began_s: 1 }, said(start)];
        events.extend((1..20).map(|batch| {
            said(&format!(
                r#"{{"event":"batch","epoch":1,"batch":{batch},"batches":100,"losses":{{}},"gpu_reserved":0}}"#
            ))
        }));
        let events: Vec<RunEvent> = (0..).zip(events).map(|(seq, event)| event_at(seq, event)).collect();
        let seq = u32::try_from(events.len()).unwrap();
        (Progress::of(&events), seq, events.last().unwrap().at_ms)
    }

    fn event_at(seq: u32, event: Event) -> RunEvent {
        RunEvent { seq, at_ms: u64::from(seq) * 1000, event }
    }

    #[test]
    fn a_stall_is_news_once_and_again_after_it_moved_on() {
        let (mut progress, mut seq, mut at_ms) = training();
        let usage: Usage = serde_json::from_str(r#"{"cpu":0,"memory":1}"#).unwrap();
        let mut desk = Desk::new(Dirs::new("/nowhere"), &progress);
        let mut told = Vec::new();
        for minute in 0..10 {
            if minute == 5 {
                let step = r#"{"event":"batch","epoch":1,"batch":20,"batches":100,"losses":{},"gpu_reserved":0}"#;
                let said = serde_json::from_str(step).unwrap();
                progress.apply(&RunEvent { seq, at_ms, event: Event::Trainer { said } });
                seq += 1;
            }
            at_ms += 59_000;
            progress.apply(&RunEvent { seq, at_ms, event: Event::Usage { usage } });
            seq += 1;
            told.push(desk.news(&progress));
        }
        assert_eq!(told.iter().flatten().collect::<Vec<_>>(), [&"stalled"; 2]);
    }
}
