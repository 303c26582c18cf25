//! What went wrong, and what to do about it.

use std::path::PathBuf;

/// Why a task ended early.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What is wrong, in a sentence.
    pub(crate) what: String,
    /// What the person can do, as commands or sentences.
    pub(crate) remedy: Option<String>,
    /// The whole output of the command that failed.
    pub(crate) log: Option<PathBuf>,
    /// The end of that output.
    pub(crate) tail: Vec<String>,
}

impl Failure {
    /// A failure without a log.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: None, log: None, tail: Vec::new() }
    }

    /// Says what to do.
    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}

/// A result whose error a person reads.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// Names the file in an input or output error.
pub(crate) trait At<T> {
    /// Adds what was being done.
    fn at(self, path: &std::path::Path) -> Outcome<T>;
}

impl<T> At<T> for std::io::Result<T> {
    fn at(self, path: &std::path::Path) -> Outcome<T> {
        self.map_err(|error| Failure::new(format!("{}: {error}", path.display())))
    }
}
