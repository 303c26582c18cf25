//! `preflight`: the checks and runs of the app without a window, for scripts, CI pipelines and people at a terminal.
//!
//! Results go to stdout, everything else to stderr; the exit codes are in [`exit`].

mod arguments;
mod commands;
mod context;
mod exit;
mod help;
mod live;
mod output;
mod page;
mod render;
mod usage;
mod values;
mod words;
mod wrap;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{FromArgMatches, ValueEnum};
use preflight_core::text::{Language, Texts};
use preflight_engine::dirs::Dirs;
use preflight_engine::settings::{Settings, system_language};

use crate::arguments::{Arguments, Command, Format};
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::words::Words;

fn main() -> ExitCode {
    let typed: Vec<OsString> = std::env::args_os().collect();
    if let [_, supervise, folder] = typed.as_slice()
        && supervise == "supervise"
    {
        return own_run(folder.as_ref());
    }
    // Help and usage errors need the language and the format before everything is understood.
    let language = peek(&typed, "--lang").and_then(|tag| tag.parse().ok()).unwrap_or_else(default_language);
    let format = peek(&typed, "--format").and_then(|format| Format::from_str(format, false).ok()).unwrap_or_default();
    let texts = Texts::new(language);
    let command = help::command(&texts);
    let parsed = command.clone().try_get_matches_from(&typed).and_then(|matches| Arguments::from_arg_matches(&matches));
    let words = Words::new(texts);
    match parsed {
        Ok(Arguments { command, .. })
            if format == Format::Html && !matches!(command, Command::Dataset(_) | Command::Diagnose(_)) =>
        {
            let problem = preflight_core::problem::Problem::new("usage.html-of-datasets-only");
            context::fail(&problem, &words, &Output::new(Format::Text)).into()
        }
        Ok(Arguments { command, .. }) => start(command, words, Output::new(format)),
        Err(error) => {
            let output = Output::new(format);
            answered(&error, &words, &output)
                .unwrap_or_else(|| context::fail(&usage::problem(&error, &command, &typed), &words, &output))
                .into()
        }
    }
}

/// The value of an option, wherever it was typed.
fn peek<'a>(typed: &'a [OsString], option: &str) -> Option<&'a str> {
    let mut words = typed.iter().map_while(|word| (word != "--").then(|| word.to_str()));
    while let Some(word) = words.next() {
        let Some(rest) = word.and_then(|word| word.strip_prefix(option)) else { continue };
        match rest.strip_prefix('=') {
            Some(value) => return Some(value),
            None if rest.is_empty() => return words.next().flatten(),
            None => {}
        }
    }
    None
}

/// The language a person set in the app, else the system's. Settings that cannot be read are the commands' matter.
fn default_language() -> Language {
    Dirs::from_environment()
        .and_then(|dirs| Settings::load(&dirs))
        .map_or_else(|_| system_language(), |settings| settings.effective_language())
}

/// `--help` and `--version` are answers that clap gives as errors. `None`: a refusal.
fn answered(error: &clap::Error, words: &Words, output: &Output) -> Option<Exit> {
    let text = error.render().ansi().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let printed = output.print(&text);
            Some(printed.map_or_else(|problem| context::fail(&problem, words, output), |()| Exit::Clear))
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            output.tell(&text);
            Some(Exit::CouldNot)
        }
        _ => None,
    }
}

/// `preflight supervise FOLDER`: the detached owner of a run. Started by `run`, not by people: it is in no help.
fn own_run(folder: &Path) -> ExitCode {
    match tokio::runtime::Runtime::new() {
        Ok(runtime) => ExitCode::from(runtime.block_on(preflight_engine::runs::supervise(folder))),
        Err(_) => Exit::CouldNot.into(),
    }
}

fn start(command: Command, words: Words, output: Output) -> ExitCode {
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            let problem = preflight_core::problem::Problem::new("internal.task").because(&error);
            return context::fail(&problem, &words, &output).into();
        }
    };
    let exit = runtime.block_on(async {
        let context = Context::new(words, output);
        let exit = match commands::run(&context, command).await {
            Ok(exit) => exit,
            Err(Failure::Interrupted) => Exit::Interrupted,
            Err(Failure::Problem(problem)) => {
                context.live.clear();
                context::fail(&problem, &context.words, &context.output)
            }
        };
        context.live.clear();
        exit.into()
    });
    // A look at a hung driver or network drive keeps its thread; the answer does not wait for it.
    runtime.shutdown_background();
    exit
}
