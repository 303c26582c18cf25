//! The app in a world of its own, and the driver that holds it.

use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::json;
use tempfile::TempDir;

use crate::display::Display;

/// How long the driver and the app may take to come up on a busy machine.
const START: Duration = Duration::from_secs(60);

/// What a test's world is like.
#[derive(Debug, Clone, Default)]
pub(crate) struct World {
    variables: Vec<(String, String)>,
    home: Option<PathBuf>,
    cards: Option<String>,
}

impl World {
    pub(crate) fn variable(mut self, name: &str, value: impl Into<String>) -> Self {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    /// With NVIDIA cards, played by a scenario of `tests/fake-nvml`.
    pub(crate) fn cards(mut self, scenario: &str) -> Self {
        self.cards = Some(std::fs::read_to_string(fake_nvml::scenario(scenario)).unwrap());
        self
    }

    /// With cards as this text of a scenario says.
    pub(crate) fn cards_as(mut self, scenario: &str) -> Self {
        self.cards = Some(scenario.to_owned());
        self
    }

    /// With a training environment that is active, as in a terminal.
    pub(crate) fn environment(self, python: &Path) -> Self {
        let prefix = python.parent().and_then(Path::parent).unwrap();
        self.variable("VIRTUAL_ENV", prefix.to_str().unwrap())
    }

    /// The app's folder of another world, to start it a second time.
    pub(crate) fn at(mut self, home: &Path) -> Self {
        self.home = Some(home.to_owned());
        self
    }

    /// Opens the window.
    pub(crate) async fn open(self) -> App {
        let folder = TempDir::with_prefix("preflight-window-").unwrap();
        let home = self.home.clone().unwrap_or_else(|| folder.path().join("preflight"));
        std::fs::create_dir_all(&home).unwrap();
        write_settings(&home);
        let mut world = self;
        if let Some(scenario) = &world.cards {
            let library = fake_nvml::playing(folder.path(), scenario);
            world = world.variable("PREFLIGHT_NVML", library.to_str().unwrap());
        }

        let display = Display::get();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let driver = world.driver(&folder, &home, &display, port);
        let driver = Driver(driver.spawn_in_group());
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < START, "WebKitWebDriver does not answer");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let mut capabilities = serde_json::Map::new();
        let program = env!("CARGO_BIN_EXE_yolo-preflight");
        capabilities.insert("webkitgtk:browserOptions".into(), json!({ "binary": program, "args": [] }));
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .expect("a window");
        let app = App { client, home, _driver: driver, display, folder };
        app.listen().await;
        app
    }

    fn driver(&self, folder: &TempDir, home: &Path, display: &Display, port: u16) -> Command {
        let below = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(&path).unwrap();
            path
        };
        let mut driver = Command::new("WebKitWebDriver");
        driver
            .args([format!("--port={port}"), "--host=127.0.0.1".to_owned()])
            // Without it the driver waits for a window for ever.
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("PREFLIGHT_HOME", home)
            .env("HOME", below("home"))
            .env("XDG_DATA_HOME", below("data"))
            .env("XDG_CONFIG_HOME", below("config"))
            .env("XDG_CACHE_HOME", below("cache"))
            .env("XDG_RUNTIME_DIR", below("runtime"))
            .env("DISPLAY", display.name())
            // No session bus: nothing of the person's desktop is met, and nothing is left running.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/dev/null")
            .env("GSETTINGS_BACKEND", "memory")
            .env("NO_AT_BRIDGE", "1")
            .env("LC_ALL", "C.UTF-8")
            .env_remove("WAYLAND_DISPLAY")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        driver
    }
}

/// English and light, unless this folder was used before.
fn write_settings(home: &Path) {
    let file = home.join("settings.toml");
    if file.exists() {
        return;
    }
    std::fs::write(file, "language = \"en\"\ntheme = \"light\"\nkeep_awake = false\nnotifications = false\n").unwrap();
}

trait SpawnInGroup {
    fn spawn_in_group(self) -> Child;
}

impl SpawnInGroup for Command {
    fn spawn_in_group(mut self) -> Child {
        self.process_group(0).spawn().expect("WebKitWebDriver, of the package webkit2gtk-driver")
    }
}

/// The driver with everything it started. Runs have sessions of their own and outlive it, as they should.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        let group = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = group {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.0.wait();
    }
}

/// The app with its window open. Dropping it leaves nothing of it running.
pub(crate) struct App {
    pub(crate) client: Client,
    pub(crate) home: PathBuf,
    _driver: Driver,
    display: Display,
    folder: TempDir,
}

impl App {
    /// What the fake cards play. It is read anew at every look.
    pub(crate) fn scenario(&self) -> PathBuf {
        self.folder.path().join("libfake_nvml.toml")
    }

    /// From now on the cards are as this text of a scenario says.
    pub(crate) fn plays(&self, scenario: &str) {
        std::fs::write(self.scenario(), scenario).unwrap();
    }

    /// The name of the display it is on.
    pub(crate) fn display(&self) -> &str {
        self.display.name()
    }

    /// Closes the window, as a person does.
    pub(crate) async fn close(self) -> TempDir {
        assert_eq!(self.noted().await, Vec::<String>::new());
        self.client.close().await.unwrap();
        self.folder
    }

    /// Kills the window and everything that belongs to it, as a crash does.
    pub(crate) fn kill(self) -> TempDir {
        // Dropping the driver kills its group.
        self.folder
    }
}
