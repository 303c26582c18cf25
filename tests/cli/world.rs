//! A world of its own for each test: a home, a place for the app's files, a place for the person's files.
//! Their names are not ASCII and have spaces, as people's folders do.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What one command answered.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Said {
    pub(crate) fn new(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("what is written is valid UTF-8");
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The JSON on stdout.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{self}"))
    }

    /// stdout, when the command ended with this code.
    #[track_caller]
    pub(crate) fn stdout_of(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self}");
        self.stdout
    }
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let code = self.code.map_or("signal".to_owned(), |code| code.to_string());
        write!(f, "exit {code}\n--- stdout\n{}--- stderr\n{}", self.stdout, self.stderr)
    }
}

/// The folders of one test. When it ends, nothing may have appeared in the home.
#[derive(Debug)]
pub(crate) struct World {
    folder: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("preflight-cli-").tempdir().expect("a temporary folder");
        let world = Self { folder };
        for place in [world.home(), world.app(), world.desk()] {
            std::fs::create_dir_all(place).expect("a folder");
        }
        // Whoever runs the tests is not to hear of it.
        let quiet = "keep_awake = false\nnotifications = false\n";
        std::fs::write(world.app().join("settings.toml"), quiet).expect("settings");
        world
    }

    /// The person's home.
    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The app's own files.
    pub(crate) fn app(&self) -> PathBuf {
        self.folder.path().join("应用 app")
    }

    /// Where commands are typed.
    pub(crate) fn desk(&self) -> PathBuf {
        self.folder.path().join("桌面 desk")
    }

    /// A file on the desk.
    pub(crate) fn file(&self, name: impl AsRef<Path>, content: &str) -> PathBuf {
        let path = self.desk().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, content).expect("a file");
        path
    }

    /// The command, ready to be started.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_preflight"));
        command.args(arguments).current_dir(self.desk()).stdin(Stdio::null());
        for variable in [
            "LC_ALL",
            "LC_MESSAGES",
            "LC_CTYPE",
            "LANGUAGE",
            "NO_COLOR",
            "COLUMNS",
            "VIRTUAL_ENV",
            "API_TOKEN",
            "PREFLIGHT_TOKEN",
        ] {
            command.env_remove(variable);
        }
        command.env("LANG", "en_US.UTF-8").env("TZ", "UTC").env("PREFLIGHT_HOME", self.app());
        let home = self.home();
        command.env("HOME", &home).env("USERPROFILE", &home);
        for variable in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] {
            command.env_remove(variable);
        }
        command
    }

    /// Does it and waits for the answer.
    pub(crate) fn preflight<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Said {
        Said::new(self.command(arguments).output().expect("the binary starts"))
    }

    /// Does it where there is no network at all, the computer's own addresses included; `None`: that is not allowed
    /// here.
    #[cfg(target_os = "linux")]
    pub(crate) fn cut_off<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Option<Said> {
        let unshare = || {
            let mut command = Command::new("unshare");
            command.arg("--net");
            command
        };
        if !unshare().arg("true").output().is_ok_and(|output| output.status.success()) {
            return None;
        }
        let command = self.command(arguments);
        let mut cut_off = unshare();
        cut_off.arg(command.get_program()).args(command.get_args()).current_dir(self.desk()).stdin(Stdio::null());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => cut_off.env(name, value),
                None => cut_off.env_remove(name),
            };
        }
        Some(Said::new(cut_off.output().expect("the binary starts")))
    }

    /// Does what was typed, split at spaces.
    pub(crate) fn typed(&self, line: &str) -> Said {
        self.preflight(line.split(' '))
    }

    /// The text with what differs from test to test and from system to system taken out.
    pub(crate) fn same_everywhere(&self, text: impl ToString) -> String {
        let folder = self.folder.path().to_str().expect("a temporary folder's name");
        let text = text.to_string().replace(folder, "[WORLD]");
        let lines = text.lines().map(|line| if line.contains("(os error ") { "  [SYSTEM ERROR]" } else { line });
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let left: Vec<_> = std::fs::read_dir(self.home())
            .map(|entries| entries.flatten().map(|entry| entry.file_name()).collect())
            .unwrap_or_default();
        if !std::thread::panicking() {
            assert!(left.is_empty(), "something was written into the home: {left:?}");
        }
    }
}
