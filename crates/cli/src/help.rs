//! Puts the words of a language into the command: `arguments.rs` holds ids where clap expects words.

use clap::builder::StyledStr;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Arg, ArgAction, Command, CommandFactory};
use preflight_core::text::{Message, Texts};

use crate::arguments::Arguments;

/// Colours of `--help`.
const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The command with its words.
pub(crate) fn command(texts: &Texts) -> Command {
    let version = Arg::new("version").long("version").short('V').action(ArgAction::Version).help("cli-arg-version");
    let command = Arguments::command().styles(STYLES).max_term_width(100).disable_version_flag(true).arg(version);
    let mut command = localised(command, texts);
    // Only a built command knows its usage line.
    command.build();
    with_usage(command, texts)
}

/// clap writes `[OPTIONS]` itself; everything else of the usage line is ours.
fn with_usage(mut command: Command, texts: &Texts) -> Command {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().replace("OPTIONS", &texts.get("cli-placeholder-options"));
    command.override_usage(usage).mut_subcommands(|command| with_usage(command, texts))
}

fn localised(command: Command, texts: &Texts) -> Command {
    let help = Arg::new("help").long("help").short('h').action(ArgAction::Help).help("cli-arg-help");
    let about = command.get_about().map(ToString::to_string);
    let heading = STYLES.get_header();
    let template = format!(
        "{{about-with-newline}}\n{heading}{}{heading:#} {{usage}}\n\n{{all-args}}{{after-help}}",
        texts.get("cli-heading-usage")
    );
    let mut command = command
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .arg(help)
        .help_template(StyledStr::from(template))
        .subcommand_help_heading(texts.get("cli-heading-commands"))
        .subcommand_value_name(texts.get("cli-heading-command"))
        .after_help(texts.get("cli-exit-codes"))
        .mut_args(|arg| argument(arg, texts))
        .mut_subcommands(|command| localised(command, texts));
    if let Some(about) = about {
        command = command.about(texts.get(&about));
    }
    command
}

fn argument(arg: Arg, texts: &Texts) -> Arg {
    let heading = if arg.is_positional() { "cli-heading-arguments" } else { "cli-heading-options" };
    let takes_value = arg.get_action().takes_values();
    let arg = arg.help_heading(texts.get(heading));
    let arg = match arg.get_id().as_str() {
        "help" | "version" => arg.display_order(1001),
        _ if arg.is_global_set() => arg.display_order(1000),
        _ => arg,
    };
    let arg = if takes_value { arg.hide_default_value(true).hide_possible_values(true) } else { arg };
    let Some(id) = arg.get_help().map(ToString::to_string) else { return arg };
    let default: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let help = Message::new(id).with("default", default.join(" ")).render(texts);
    arg.help(help)
}

#[cfg(test)]
mod tests {
    use preflight_core::text::Language;

    use super::*;

    fn each(command: &Command, look: &mut dyn FnMut(&str)) {
        look(&command.get_about().map(ToString::to_string).unwrap_or_default());
        for arg in command.get_arguments() {
            look(&arg.get_help().map(ToString::to_string).unwrap_or_default());
        }
        for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
            each(command, look);
        }
    }

    #[test]
    fn every_command_and_option_has_words_in_every_language() {
        for language in Language::ALL {
            let command = command(&Texts::new(language));
            command.clone().debug_assert();
            each(&command, &mut |words| {
                assert!(!words.is_empty() && !words.starts_with("cli-"), "{words:?} in {}", language.tag());
            });
        }
    }
}
