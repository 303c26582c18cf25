//! clap's refusals as problems, so that they are said in the person's language and in JSON.

use std::error::Error as _;
use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use preflight_core::problem::Problem;

/// What clap refused of what was typed, as a problem.
pub(crate) fn problem(error: &clap::Error, root: &Command, typed: &[OsString]) -> Problem {
    let help = help(root, typed);
    // A value that one of our own readers refused: it said it best.
    if let Some(problem) = error.source().and_then(|source| source.downcast_ref::<Problem>()) {
        let argument = context(error, ContextKind::InvalidArg);
        return problem.clone().with("argument", argument).with("help", help);
    }
    let problem = match error.kind() {
        ErrorKind::UnknownArgument => Problem::new("usage.unknown-argument")
            .with("argument", context(error, ContextKind::InvalidArg))
            .with("suggestion", or_none(context(error, ContextKind::SuggestedArg))),
        ErrorKind::InvalidSubcommand => Problem::new("usage.unknown-command")
            .with("command", context(error, ContextKind::InvalidSubcommand))
            .with("suggestion", or_none(context(error, ContextKind::SuggestedSubcommand))),
        ErrorKind::InvalidValue if context(error, ContextKind::InvalidValue).is_empty() => {
            Problem::new("usage.missing-value").with("argument", context(error, ContextKind::InvalidArg))
        }
        ErrorKind::InvalidValue => Problem::new("usage.invalid-value")
            .with("argument", context(error, ContextKind::InvalidArg))
            .with("value", context(error, ContextKind::InvalidValue))
            .with("values", context(error, ContextKind::ValidValue)),
        ErrorKind::MissingRequiredArgument => {
            Problem::new("usage.missing-argument").with("argument", context(error, ContextKind::InvalidArg))
        }
        // Given twice, an option is said to be in conflict with itself.
        ErrorKind::ArgumentConflict
            if context(error, ContextKind::InvalidArg) == context(error, ContextKind::PriorArg) =>
        {
            Problem::new("usage.given-twice").with("argument", context(error, ContextKind::InvalidArg))
        }
        ErrorKind::ArgumentConflict => Problem::new("usage.conflict")
            .with("argument", context(error, ContextKind::InvalidArg))
            .with("other", context(error, ContextKind::PriorArg)),
        _ => Problem::new("usage.other").because_text(first_line(&error.render().to_string())),
    };
    problem.with("help", help)
}

fn context(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        Some(ContextValue::StyledStr(text)) => text.to_string(),
        _ => String::new(),
    }
}

/// A sentence chooses its form by this word: Fluent has no empty variant.
fn or_none(text: String) -> String {
    if text.is_empty() { "none".to_owned() } else { text }
}

fn first_line(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line)
}

/// The command whose `--help` says what can be typed: the deepest one that was named.
fn help(root: &Command, typed: &[OsString]) -> String {
    let mut command = root;
    let mut path = vec![root.get_name()];
    for word in typed.iter().skip(1) {
        if let Some(named) = command.find_subcommand(word) {
            command = named;
            path.push(named.get_name());
        }
    }
    format!("{} --help", path.join(" "))
}
