//! Keeps the computer from falling asleep.

use std::sync::mpsc;
use std::thread;

/// Keeps the computer awake for as long as it is there. The system itself ends that when this process dies.
pub(super) struct Awake {
    answer: mpsc::Receiver<Result<(), String>>,
    /// Dropped, it lets go.
    _hold: mpsc::Sender<()>,
}

impl Awake {
    /// Asks the system, beside everything else. `None`: no thread could be started for that.
    pub(super) fn ask(reason: String) -> Option<Self> {
        let (answers, answer) = mpsc::channel();
        let (hold, held) = mpsc::channel::<()>();
        // A thread of its own: Windows takes back what a thread asked for when that thread ends.
        let asking = move || {
            let asked = keepawake::Builder::default()
                .idle(true)
                // Linux desktops put a computer to sleep by asking for it, as a person would. Where a person really
                // does so they are told that something keeps it awake, and can insist.
                .sleep(cfg!(target_os = "linux"))
                .reason(reason)
                .app_name("YOLO Preflight")
                .create();
            let awake = asked.map_err(|error| error.to_string());
            let _ = answers.send(awake.as_ref().map(drop).map_err(Clone::clone));
            // Until the other end is dropped.
            let _ = held.recv();
        };
        thread::Builder::new().name("awake".into()).spawn(asking).ok()?;
        Some(Self { answer, _hold: hold })
    }

    /// Why it cannot be had, once.
    pub(super) fn refused(&self) -> Option<String> {
        self.answer.try_recv().ok()?.err()
    }
}

/// Whether there is anyone who would put this computer to sleep. On Linux that goes over the system's bus: where there
/// is none, as in a container, nobody does.
pub(super) fn may_fall_asleep() -> bool {
    let named = std::env::var_os("DBUS_SYSTEM_BUS_ADDRESS").is_some();
    let usual = ["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"];
    !cfg!(target_os = "linux") || named || usual.iter().any(|socket| std::path::Path::new(socket).exists())
}
