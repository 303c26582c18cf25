//! Steps with a title, a live line while they last, a log, and the time they took.

use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::failure::{At, Failure, Outcome};
use crate::project::Project;

/// How often a step that goes on says so where no line can be redrawn.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// Lines of a failed command's output that are shown.
const TAIL: usize = 120;
/// How long a command's leftover processes may hold its output open after it ended.
const DRAIN: Duration = Duration::from_secs(3);

/// Runs steps and tells of them.
#[derive(Debug)]
pub(crate) struct Steps {
    logs: PathBuf,
    live: bool,
    started: Instant,
}

/// A finished command.
#[derive(Debug)]
pub(crate) struct Finished {
    /// Its output and errors, in order.
    pub(crate) lines: Vec<String>,
}

impl Steps {
    /// Steps that log into the project's work folder.
    pub(crate) fn new(project: &Project) -> Self {
        Self { logs: project.work.clone(), live: std::io::stderr().is_terminal(), started: Instant::now() }
    }

    /// Time since the first step.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Tells a step that needed nothing, or was left out.
    pub(crate) fn note(&self, title: &str, note: &str) {
        line(&format!("  {title:<26} {note}"));
    }

    /// Runs a command as a step; its output goes to a log of its own.
    pub(crate) fn command(&self, title: &str, command: &mut Command) -> Outcome<Finished> {
        let log = self.logs.join(format!("{}.log", slug(title)));
        let started = Instant::now();
        let (status, lines) = self.watch(title, command, &log)?;
        let took = duration(started.elapsed());
        if self.live {
            redraw("");
        }
        if status.success() {
            line(&format!("  {title:<26} done in {took}"));
            return Ok(Finished { lines });
        }
        line(&format!("  {title:<26} FAILED after {took}"));
        Err(Failure {
            what: format!("{title}: `{}` {}", shown(command), ending(status)),
            remedy: None,
            tail: lines[lines.len().saturating_sub(TAIL)..].to_vec(),
            log: Some(log),
        })
    }

    fn watch(&self, title: &str, command: &mut Command, log: &PathBuf) -> Outcome<(ExitStatus, Vec<String>)> {
        let mut file = File::create(log).at(log)?;
        writeln!(file, "$ {}", shown(command)).at(log)?;
        let (reader, writer) = std::io::pipe()?;
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let mut child = command
            .spawn()
            .map_err(|error| Failure::new(format!("{title}: `{}` does not start: {error}", shown(command))))?;
        // The command holds the pipe's writing ends; without this the end of its output would never be seen.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let output = read_lines(reader);
        let mut lines = Vec::new();
        let mut said = Instant::now();
        let mut ended: Option<(ExitStatus, Instant)> = None;
        let started = Instant::now();
        if !self.live {
            line(&format!("  {title} …"));
        }
        loop {
            match output.recv_timeout(Duration::from_millis(200)) {
                Ok(text) => {
                    writeln!(file, "{text}").at(log)?;
                    lines.push(text);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let last = lines.iter().rev().find(|line| !line.trim().is_empty()).map_or("", String::as_str);
            if self.live {
                redraw(&format!("  {title:<26} {}  {}", duration(started.elapsed()), last.trim()));
            } else if said.elapsed() > HEARTBEAT {
                said = Instant::now();
                line(&format!("  {title} … {}  {}", duration(started.elapsed()), cut(last.trim(), 100)));
            }
            if ended.is_none() {
                ended = child.try_wait()?.map(|status| (status, Instant::now()));
            }
            if ended.is_some_and(|(_, at)| at.elapsed() > DRAIN) {
                break;
            }
        }
        Ok((child.wait()?, lines))
    }
}

fn read_lines(reader: std::io::PipeReader) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&bytes);
            // Of a line that was redrawn, its last state.
            let text = text.trim_end().rsplit('\r').next().unwrap_or_default();
            if sender.send(plain(text)).is_err() {
                break;
            }
            bytes.clear();
        }
    });
    receiver
}

/// A text without terminal control sequences.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            if characters.next() == Some('[') {
                characters.by_ref().find(char::is_ascii_alphabetic);
            }
        } else if character == '\t' || !character.is_control() {
            plain.push(character);
        }
    }
    plain
}

/// A command as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| {
            let word = word.to_string_lossy();
            if word.contains(|character: char| character.is_whitespace() || "'\"$();&|<>".contains(character)) {
                format!("'{word}'")
            } else {
                word.into_owned()
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

fn ending(status: ExitStatus) -> String {
    status.code().map_or_else(|| format!("ended with {status}"), |code| format!("ended with exit code {code}"))
}

fn slug(title: &str) -> String {
    let words: Vec<_> = title.split(|character: char| !character.is_ascii_alphanumeric()).collect();
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-").to_lowercase()
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

/// A duration as people say it.
pub(crate) fn duration(duration: Duration) -> String {
    match duration.as_secs() {
        0..10 => format!("{:.1} s", duration.as_secs_f64()),
        seconds @ 10..60 => format!("{seconds} s"),
        seconds => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

#[expect(clippy::print_stderr, reason = "this is where these tasks speak")]
pub(crate) fn line(text: &str) {
    eprintln!("{text}");
}

/// A task's result.
#[expect(clippy::print_stdout, reason = "this is where these tasks answer")]
pub(crate) fn result(text: &str) {
    println!("{text}");
}

#[expect(clippy::print_stderr, reason = "this is where these tasks speak")]
fn redraw(text: &str) {
    eprint!("\r\u{1b}[K{}", cut(text, 110));
}

/// Tells a failure: the end of the output, what is wrong, what to do.
pub(crate) fn tell_failure(failure: &Failure) {
    if !failure.tail.is_empty() {
        line("");
        for text in &failure.tail {
            line(&format!("  │ {text}"));
        }
    }
    line(&format!("\n{}", failure.what));
    if let Some(log) = &failure.log {
        line(&format!("The whole output: {}", log.display()));
    }
    if let Some(remedy) = &failure.remedy {
        line(&format!("What to do: {remedy}"));
    }
}
