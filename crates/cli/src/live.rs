//! Progress on stderr: one line that is redrawn where a person watches, a line now and then in a log.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::output::{is_watched, stderr_width};
use crate::wrap::cut;

/// Redrawing more often only flickers.
const REDRAW: Duration = Duration::from_millis(80);
/// In a log, silence for longer looks like a hang.
const SILENCE: Duration = Duration::from_secs(30);
/// In a log, steps that follow one another faster are left out.
const SPARSE: Duration = Duration::from_secs(5);

/// The progress line.
#[derive(Debug)]
pub(crate) struct Live {
    watched: bool,
    line: Mutex<Line>,
}

#[derive(Debug)]
struct Line {
    shown: bool,
    last: Instant,
}

impl Default for Live {
    fn default() -> Self {
        Self { watched: is_watched(), line: Mutex::new(Line { shown: false, last: Instant::now() }) }
    }
}

impl Live {
    /// What is going on now; replaced by the next one.
    pub(crate) fn update(&self, text: &str) {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = if self.watched { REDRAW } else { SILENCE };
        let first = self.watched && !line.shown;
        if !first && line.last.elapsed() < wait {
            return;
        }
        line.last = Instant::now();
        let mut stderr = std::io::stderr().lock();
        // What cannot be written is lost: there is nowhere to say so.
        let _ = if self.watched {
            line.shown = true;
            write!(stderr, "\r\x1b[2K{}", cut(text, stderr_width() - 1)).and_then(|()| stderr.flush())
        } else {
            writeln!(stderr, "{text}")
        };
    }

    /// A step on the way. In a log it is a line, unless the last one is only just written and this one does not
    /// `matter`; where a person watches, the changing line has it.
    pub(crate) fn step(&self, text: &str, matters: bool) {
        let elapsed = self.line.lock().unwrap_or_else(PoisonError::into_inner).last.elapsed();
        if !self.watched && (matters || elapsed >= SPARSE) {
            self.line(text);
        }
    }

    /// Something that stays.
    pub(crate) fn line(&self, text: &str) {
        self.clear();
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        line.last = Instant::now();
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }

    /// Takes the changing line away.
    pub(crate) fn clear(&self) {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if line.shown {
            line.shown = false;
            let mut stderr = std::io::stderr().lock();
            let _ = write!(stderr, "\r\x1b[2K").and_then(|()| stderr.flush());
        }
    }
}
