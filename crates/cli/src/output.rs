//! The one place that writes: results on stdout, everything else on stderr.
//!
//! Colours are taken out again where nobody sees them (no terminal, `NO_COLOR`).

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use preflight_core::problem::Problem;
use serde::Serialize;

use crate::arguments::Format;

/// The widest a text gets: longer lines are hard to read.
const WIDEST: usize = 100;
/// The width where there is no terminal to ask: what logs of CI pipelines show without wrapping.
const USUAL: usize = 80;

/// Where results and remarks go.
#[derive(Debug)]
pub(crate) struct Output {
    format: Format,
    closed: AtomicBool,
}

impl Output {
    pub(crate) fn new(format: Format) -> Self {
        Self { format, closed: AtomicBool::new(false) }
    }

    /// Whether results are for programs.
    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Whether a dataset or a diagnosis is wanted as a page.
    pub(crate) fn is_html(&self) -> bool {
        self.format == Format::Html
    }

    /// Nobody reads the results any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// A result.
    ///
    /// # Errors
    /// `output.unwritable`. That the reader went away (`| head`) is no error.
    pub(crate) fn print(&self, text: &str) -> Result<(), Problem> {
        let mut stdout = anstream::stdout().lock();
        self.written(writeln!(stdout, "{}", text.trim_end_matches('\n')).and_then(|()| stdout.flush()))
    }

    /// A result for programs.
    ///
    /// # Errors
    /// As [`Self::print`], and for a path that is not valid Unicode: JSON cannot hold it.
    pub(crate) fn json(&self, value: &impl Serialize) -> Result<(), Problem> {
        let text =
            serde_json::to_string_pretty(value).map_err(|error| Problem::new("output.unwritable").because(&error))?;
        self.bytes(text.as_bytes())
    }

    /// One of several results for programs: a line of its own.
    ///
    /// # Errors
    /// As [`Self::json`].
    pub(crate) fn json_line(&self, value: &impl Serialize) -> Result<(), Problem> {
        let text = serde_json::to_string(value).map_err(|error| Problem::new("output.unwritable").because(&error))?;
        self.bytes(text.as_bytes())
    }

    /// Whether a person watches results as they come.
    pub(crate) fn is_watched(&self) -> bool {
        io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
    }

    /// A path, to the byte.
    ///
    /// # Errors
    /// As [`Self::print`].
    pub(crate) fn path(&self, path: &Path) -> Result<(), Problem> {
        self.bytes(path.as_os_str().as_encoded_bytes())
    }

    /// A result as it is, with a line end.
    ///
    /// # Errors
    /// As [`Self::print`].
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<(), Problem> {
        let mut stdout = io::stdout().lock();
        let write = stdout.write_all(bytes).and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush());
        self.written(write)
    }

    fn written(&self, result: io::Result<()>) -> Result<(), Problem> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed.store(true, Ordering::Relaxed);
                Ok(())
            }
            Err(error) => Err(Problem::new("output.unwritable").because(&error)),
            Ok(()) => Ok(()),
        }
    }

    /// A remark. One that cannot be written is lost: there is nowhere to say so.
    pub(crate) fn tell(&self, text: &str) {
        let _ = writeln!(anstream::stderr().lock(), "{}", text.trim_end_matches('\n'));
    }

    /// A question, left open for the answer.
    pub(crate) fn ask(&self, text: &str) {
        let mut stderr = anstream::stderr().lock();
        let _ = write!(stderr, "{text} ").and_then(|()| stderr.flush());
    }

    /// Columns to write results in.
    pub(crate) fn width(&self) -> usize {
        columns(terminal_size::terminal_size_of(io::stdout()))
    }
}

/// Columns to write remarks in.
pub(crate) fn stderr_width() -> usize {
    columns(terminal_size::terminal_size_of(io::stderr()))
}

/// Whether a person watches stderr.
pub(crate) fn is_watched() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn columns(size: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    // A terminal without a size says 0.
    let width = size.map_or(USUAL, |(width, _)| usize::from(width.0));
    if width < 20 { USUAL } else { width.min(WIDEST) }
}
