//! The script that uses a trained model: a process of its own in the environment that trained it.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use preflight_core::problem::Problem;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

use crate::Engine;
use crate::environment::child::{self, Tree};
use crate::environment::fonts;
use crate::runs::{self, Run};
use crate::work::{blocking, lock};

const SCRIPT: &str = include_str!("model.py");
/// As much of what it prints as is kept: the end tells why it failed.
const KEPT: usize = 16 * 1024;

/// How long the rest of what it printed is waited for once it ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The script at work. Dropping it ends its process and everything that process started.
#[derive(Debug)]
pub(super) struct Script {
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    printed: Arc<Mutex<String>>,
    keeping: JoinHandle<()>,
    _tree: Tree,
}

impl Script {
    /// Starts it in a run's folder with what it is asked, in the run's environment: offline, and checkpoints are data.
    ///
    /// # Errors
    /// `results.no-environment`, `results.model-failed`.
    pub(super) async fn start(engine: &Engine, run: &Run, asked: &impl Serialize) -> Result<Self, Problem> {
        let python = run.record.environment.python.as_path();
        let gone = || Problem::new("results.no-environment").with("path", python);
        if !python.is_file() {
            return Err(gone());
        }
        let dirs = engine.dirs().clone();
        let provided = python.to_owned();
        // Ultralytics looks for fonts as soon as it is imported.
        blocking(move || fonts::provide(&dirs, &provided)).await?;
        let mut command = Command::new(python);
        command.arg("-c").arg(SCRIPT).current_dir(&run.folder);
        for name in runs::UNSET {
            command.env_remove(name);
        }
        command.envs(runs::variables(engine.dirs(), python));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut tree = Tree::spawn(command).map_err(|error| gone().because(&error))?;
        let (Some(stdin), Some(stdout), Some(stderr)) = tree.pipes() else { return Err(gone()) };
        let printed = Arc::default();
        let keeping = tokio::spawn(keep(stderr, Arc::clone(&printed)));
        let mut script = Self { stdin, lines: BufReader::new(stdout).lines(), printed, keeping, _tree: tree };
        script.ask(asked).await?;
        Ok(script)
    }

    /// Asks it something.
    ///
    /// # Errors
    /// `results.model-failed`: it is gone.
    pub(super) async fn ask(&mut self, what: &impl Serialize) -> Result<(), Problem> {
        let mut line = serde_json::to_vec(what).map_err(|error| self.failed().because(&error))?;
        line.push(b'\n');
        let sent = match self.stdin.write_all(&line).await {
            Ok(()) => self.stdin.flush().await,
            Err(error) => Err(error),
        };
        if sent.is_ok() { Ok(()) } else { Err(self.ended().await) }
    }

    /// What it says next.
    ///
    /// # Errors
    /// `results.model-failed`: it said why, or it is gone.
    pub(super) async fn hear<T: DeserializeOwned>(&mut self) -> Result<T, Problem> {
        let Ok(Some(line)) = self.lines.next_line().await else { return Err(self.ended().await) };
        if let Ok(Failed::Failed { text }) = serde_json::from_str(&line) {
            return Err(self.failed().because_text(text));
        }
        serde_json::from_str(&line).map_err(|error| self.failed().because(&error).because_text(line))
    }

    fn failed(&self) -> Problem {
        Problem::new("results.model-failed")
    }

    /// It ended without a word of its own: the last ones of whoever ended it.
    async fn ended(&mut self) -> Problem {
        let _ = tokio::time::timeout(LAST_WORDS, &mut self.keeping).await;
        let printed = child::tail(&lock(&self.printed));
        if printed.is_empty() { self.failed() } else { self.failed().because_text(printed) }
    }
}

/// What any part of the script says when it fails.
#[derive(Debug, serde::Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Failed {
    Failed { text: String },
}

/// Reads what it prints, so that it can go on printing, and keeps the end.
async fn keep(mut stderr: ChildStderr, printed: Arc<Mutex<String>>) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
        let mut printed = lock(&printed);
        printed.push_str(&String::from_utf8_lossy(&buffer[..read]));
        if printed.len() > 2 * KEPT {
            let cut = printed.ceil_char_boundary(printed.len() - KEPT);
            printed.drain(..cut);
        }
    }
}

/// A path as the script takes it: relative to the run's folder, since Ultralytics takes quotes out of paths.
pub(super) fn relative(path: &Path, run: &Run) -> String {
    path.strip_prefix(&run.folder).unwrap_or(path).to_string_lossy().into_owned()
}
