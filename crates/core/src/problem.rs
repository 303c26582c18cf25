//! Something that could not be done, as a value.

use serde::{Deserialize, Serialize};

use crate::text::{Args, Language, Message, Texts, Value};

/// Something that could not be done: a stable code, what a person reads, what lay behind it, what helps.
///
/// The sentence is `problem-<code with dashes>` of `locales/`, its help the sentence's `.help` attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Problem {
    /// Stable and documented: `environment.index-unreachable`. Scripts and the window may act on it.
    pub code: String,
    /// The arguments of the sentence and of its help.
    pub args: Args,
    /// What lay behind it, outermost first, in the words of the system or library that said so.
    pub causes: Vec<String>,
}

impl Problem {
    /// A problem with this code.
    #[must_use]
    pub fn new(code: impl Into<String>) -> Self {
        Self { code: code.into(), args: Args::new(), causes: Vec::new() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.args.insert(name.to_owned(), value.into());
        self
    }

    /// Adds an error and everything it names as its source.
    #[must_use]
    pub fn because(mut self, error: &dyn std::error::Error) -> Self {
        let mut next = Some(error);
        while let Some(error) = next {
            self.causes.push(error.to_string());
            next = error.source();
        }
        self
    }

    /// Adds a cause in words of the system.
    #[must_use]
    pub fn because_text(mut self, cause: impl Into<String>) -> Self {
        self.causes.push(cause.into());
        self
    }

    /// What a person reads.
    #[must_use]
    pub fn message(&self) -> Message {
        Message { id: format!("problem-{}", self.code.replace('.', "-")), args: self.args.clone() }
    }

    /// What helps; not every problem has such a sentence.
    #[must_use]
    pub fn help(&self) -> Message {
        let message = self.message();
        Message { id: format!("{}.help", message.id), args: message.args }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message().render(&Texts::new(Language::En)))
    }
}

impl std::error::Error for Problem {}
