//! What a supervisor asks of the desktop and tells it, on a bus of its own with a desktop of ours.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, PipeReader, Read};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use preflight_core::run::RunState;
use preflight_core::text::Language;
use preflight_engine::runs::{self, SupervisorCommand};
use preflight_engine::settings::Settings;
use zbus::blocking::{Connection, connection};
use zbus::zvariant::OwnedValue;

use super::stand_in::{BEGINS, FINISHES};
use super::world::{Dataset, World, kill, supervisor_after};

/// A message bus that nobody else is on.
struct Bus {
    daemon: Child,
    address: String,
}

impl Bus {
    /// Starts it; says so where there is no D-Bus.
    fn start() -> Option<Self> {
        let mut command = Command::new("dbus-daemon");
        command.args(["--session", "--nofork", "--nopidfile", "--print-address=1"]);
        let Ok(mut daemon) = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn() else {
            println!("skipped: there is no dbus-daemon here");
            return None;
        };
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Some(Self { daemon, address: address.trim().to_owned() })
    }

    /// A supervisor on this bus.
    fn supervisor(&self) -> SupervisorCommand {
        let address = &self.address;
        supervisor_after(&format!("export DBUS_SESSION_BUS_ADDRESS='{address}' DBUS_SYSTEM_BUS_ADDRESS='{address}'"))
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

/// What a desktop was told: title, text, and the app's name for it.
type Told = Arc<Mutex<Vec<(String, String, String)>>>;

struct Notifications(Told);

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Notifications {
    #[expect(clippy::too_many_arguments, reason = "as the desktops' specification has it")]
    fn notify(
        &self,
        _app_name: String,
        _replaces: u32,
        _icon: String,
        summary: String,
        body: String,
        _actions: Vec<String>,
        hints: HashMap<String, OwnedValue>,
        _expires: i32,
    ) -> u32 {
        let entry = hints.get("desktop-entry").map(|entry| entry.to_string()).unwrap_or_default();
        let mut told = self.0.lock().unwrap();
        told.push((summary, body, entry));
        u32::try_from(told.len()).unwrap()
    }

    fn get_capabilities(&self) -> Vec<String> {
        vec!["body".to_owned()]
    }

    fn get_server_information(&self) -> (String, String, String, String) {
        ("test".to_owned(), "test".to_owned(), "1".to_owned(), "1.2".to_owned())
    }
}

/// What keeps the computer awake: for what, in whose name, and the end of a pipe whose other end its holder has.
type Held = Arc<Mutex<Vec<(String, String, PipeReader)>>>;

struct Login {
    held: Held,
    refuses: bool,
}

#[zbus::interface(name = "org.freedesktop.login1.Manager")]
impl Login {
    fn inhibit(
        &self,
        what: String,
        who: String,
        _why: String,
        mode: String,
    ) -> zbus::fdo::Result<zbus::zvariant::OwnedFd> {
        assert_eq!(mode, "block");
        if self.refuses {
            return Err(zbus::fdo::Error::AccessDenied("not you".to_owned()));
        }
        let (reader, writer) = std::io::pipe().unwrap();
        self.held.lock().unwrap().push((what, who, reader));
        Ok(OwnedFd::from(writer).into())
    }
}

/// A desktop on a bus.
struct Desktop {
    told: Told,
    held: Held,
    _connection: Connection,
}

impl Desktop {
    fn on(bus: &Bus, refuses: bool) -> Self {
        let (told, held) = (Told::default(), Held::default());
        let connection = connection::Builder::address(bus.address.as_str())
            .unwrap()
            .serve_at("/org/freedesktop/Notifications", Notifications(Arc::clone(&told)))
            .unwrap()
            .serve_at("/org/freedesktop/login1", Login { held: Arc::clone(&held), refuses })
            .unwrap()
            .name("org.freedesktop.Notifications")
            .unwrap()
            .name("org.freedesktop.login1")
            .unwrap()
            .build()
            .unwrap();
        Self { told, held, _connection: connection }
    }

    fn told(&self) -> Vec<(String, String, String)> {
        self.told.lock().unwrap().clone()
    }

    /// What is kept off, once both are.
    async fn kept_off(&self) -> Vec<String> {
        loop {
            let mut kinds: Vec<String> = self.held.lock().unwrap().iter().map(|(what, ..)| what.clone()).collect();
            if kinds.len() == 2 {
                kinds.sort();
                return kinds;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until nobody keeps the computer awake any more.
    async fn may_sleep(&self) {
        let held = std::mem::take(&mut *self.held.lock().unwrap());
        let ended = move || {
            for (_, _, mut pipe) in held {
                assert_eq!(pipe.read(&mut [0]).unwrap(), 0);
            }
        };
        tokio::task::spawn_blocking(ended).await.unwrap();
    }
}

async fn start(world: &World, bus: &Bus, trainer: &str) -> String {
    let dataset = Dataset::new(world.path("plates")).write();
    let plan = World::plan(&dataset, &world.stand_in(trainer));
    runs::start(&world.engine, &plan, &[], &bus.supervisor()).await.unwrap()
}

/// A world whose person left everything on.
fn world(language: Language) -> World {
    let world = World::new();
    world
        .engine
        .change_settings(Settings {
            language: Some(language),
            accepted_pythons: vec!["/".into()],
            ..Settings::default()
        })
        .unwrap();
    world
}

#[tokio::test(flavor = "multi_thread")]
async fn the_computer_stays_awake_until_the_end_which_is_told_once() {
    let Some(bus) = Bus::start() else { return };
    let (desktop, world) = (Desktop::on(&bus, false), world(Language::En));
    let wait = format!("while [ ! -e '{}' ]; do sleep 0.05; done", world.path("go").display());
    let id = start(&world, &bus, &format!("{BEGINS}{wait}{FINISHES}")).await;
    assert_eq!(desktop.kept_off().await, ["idle", "sleep"]);
    assert!(desktop.held.lock().unwrap().iter().all(|(_, who, _)| who == "YOLO Preflight"));
    assert_eq!(desktop.told(), []);
    std::fs::write(world.path("go"), "").unwrap();
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Succeeded, "{}", world.logs(&id));
    assert!(run.progress.findings.is_empty());
    desktop.may_sleep().await;
    let [(title, text, entry)] = &desktop.told()[..] else { panic!("{:?}", desktop.told()) };
    assert_eq!((title.as_str(), text.as_str()), ("Training finished", "plates · yolov8n: mAP50 0.500"));
    assert!(entry.contains("yolo-preflight"), "{entry}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_told_in_the_persons_language_with_its_reason() {
    let Some(bus) = Bus::start() else { return };
    let (desktop, world) = (Desktop::on(&bus, false), world(Language::ZhCn));
    let id = start(&world, &bus, &format!("{BEGINS} exit 3")).await;
    assert_eq!(world.end(&id).await.progress.state, RunState::Failed);
    let [(title, text, _)] = &desktop.told()[..] else { panic!("{:?}", desktop.told()) };
    assert_eq!(title, "训练失败");
    assert!(text.starts_with("plates · yolov8n：") && text.contains('3'), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_told_of_a_failure_is_its_cause_which_nobody_had_to_ask_for() {
    let Some(bus) = Bus::start() else { return };
    let (desktop, world) = (Desktop::on(&bus, false), world(Language::En));
    let trainer = "echo 'OSError: [Errno 116] Stale file handle: /mnt/nas/1.jpg'; exit 1";
    let id = start(&world, &bus, &format!("{BEGINS} {trainer}")).await;
    let run = world.end(&id).await;
    let why = run.why().expect("it was worked out at the end");
    assert_eq!(why.cause, "nas_stale_handle");
    let texts = preflight_core::text::Texts::new(Language::En);
    let [(_, text, _)] = &desktop.told()[..] else { panic!("{:?}", desktop.told()) };
    assert_eq!(*text, format!("plates · yolov8n: {}", why.title.render(&texts)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_supervisor_keeps_nothing_awake() {
    let Some(bus) = Bus::start() else { return };
    let (desktop, world) = (Desktop::on(&bus, false), world(Language::En));
    let id = start(&world, &bus, &format!("{BEGINS} sleep 1000")).await;
    desktop.kept_off().await;
    kill(world.open(&id).progress.supervisor.unwrap());
    desktop.may_sleep().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_wants_neither_has_neither() {
    let Some(bus) = Bus::start() else { return };
    let (desktop, world) = (Desktop::on(&bus, false), World::new());
    let id = start(&world, &bus, &format!("{BEGINS}{FINISHES}")).await;
    assert_eq!(world.end(&id).await.progress.state, RunState::Succeeded, "{}", world.logs(&id));
    assert_eq!(desktop.told(), []);
    assert!(desktop.held.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_computer_that_will_not_stay_awake_is_said_and_trains() {
    let Some(bus) = Bus::start() else { return };
    let (_desktop, world) = (Desktop::on(&bus, true), world(Language::En));
    let wait = format!("while [ ! -e '{}' ]; do sleep 0.05; done", world.path("go").display());
    let id = start(&world, &bus, &format!("{BEGINS}{wait}{FINISHES}")).await;
    let said = |run: &runs::Run| run.progress.findings.iter().any(|finding| finding.code == "start.not-kept-awake");
    world.until(&id, "it to be said", said).await;
    std::fs::write(world.path("go"), "").unwrap();
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Succeeded, "{}", world.logs(&id));
    assert_eq!(run.progress.findings.len(), 1, "once");
}
