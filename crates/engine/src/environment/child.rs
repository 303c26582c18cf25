//! A child process that can be ended together with everything it started.

use std::io;
use std::process::{ExitStatus, Stdio};

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};

use crate::account::SECRETS;

/// As much of an output as is kept: its end tells why a program failed.
const KEPT: usize = 256 * 1024;

/// What a child said until it ended.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a program to its end; `on_line` gets each line of its stderr. `None`: `stop` came first, and the program is
/// gone with everything it started. The same happens when the returned future is dropped.
pub(crate) async fn run(
    mut command: Command,
    stop: impl Future<Output = ()>,
    on_line: impl FnMut(&str),
) -> io::Result<Option<Output>> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut tree = Tree::spawn(command)?;
    let (stdout, stderr) = (tree.child.stdout().take(), tree.child.stderr().take());
    let work = async {
        let (stdout, stderr, status) = tokio::join!(all(stdout), lines(stderr, on_line), tree.child.wait());
        Ok::<_, io::Error>(Output { status: status?, stdout: stdout?, stderr: stderr? })
    };
    let finished = tokio::select! {
        output = work => Some(output),
        () = stop => None,
    };
    if finished.is_none() {
        tree.child.start_kill()?;
        tree.child.wait().await?;
    }
    tree.over = true;
    finished.transpose()
}

/// A child and its descendants: a process group of their own, on Windows a job.
#[derive(Debug)]
pub(crate) struct Tree {
    child: Box<dyn ChildWrapper>,
    over: bool,
}

impl Tree {
    /// Starts a program, without what is secret in this one's variables; dropping the tree ends all of it.
    pub(crate) fn spawn(mut command: Command) -> io::Result<Self> {
        for name in SECRETS {
            command.env_remove(name);
        }
        let mut command = CommandWrap::from(command);
        command.wrap(KillOnDrop);
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::tokio::JobObject);
        Ok(Self { child: command.spawn()?, over: false })
    }

    /// The first process's stdin, stdout and stderr, where they are pipes that nobody took yet.
    pub(crate) fn pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin().take(), self.child.stdout().take(), self.child.stderr().take())
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        if !self.over {
            // Dropping the child alone would end only the group's leader. What is gone already cannot be killed.
            let _ = self.child.start_kill();
        }
    }
}

async fn all(stream: Option<impl AsyncRead + Unpin>) -> io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        (&mut stream).take(KEPT as u64).read_to_end(&mut bytes).await?;
        // A pipe that nobody reads would stop the child.
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

async fn lines(stream: Option<impl AsyncRead + Unpin>, mut on_line: impl FnMut(&str)) -> io::Result<String> {
    let mut kept = String::new();
    let Some(stream) = stream else { return Ok(kept) };
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes).await? > 0 {
        let line = String::from_utf8_lossy(&bytes);
        on_line(line.trim_end());
        kept.push_str(&line);
        if kept.len() > 2 * KEPT {
            let cut = kept.ceil_char_boundary(kept.len() - KEPT);
            kept.drain(..cut);
        }
        bytes.clear();
    }
    Ok(kept)
}

/// The last lines of an output that say something, for a person to read; of a long one the beginning.
pub(crate) fn tail(output: &str) -> String {
    const LONGEST: usize = 400;
    let lines: Vec<&str> = output.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let cut = |line: &&str| match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => (*line).to_owned(),
    };
    lines[lines.len().saturating_sub(12)..].iter().map(cut).collect::<Vec<_>>().join("\n")
}
