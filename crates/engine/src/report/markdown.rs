//! The page as Markdown, as issue trackers read it.

use std::fmt::Write as _;

use preflight_core::report::LinkState;

use super::Part;

pub(super) fn page(parts: &[Part]) -> String {
    let mut page = String::new();
    for part in parts {
        // Writing to a string does not fail.
        let _ = match part {
            Part::Title(text) => writeln!(page, "# {}\n", plain(text)),
            Part::Cause(cause, detail) => writeln!(page, "**{}**\n\n{}\n", plain(cause), plain(detail)),
            Part::Heading(text) => writeln!(page, "## {}\n", plain(text)),
            Part::Line(text) => writeln!(page, "{}\n", plain(text)),
            Part::Log(line, text) => {
                let lines = text.lines().zip(*line..).map(|(text, line)| format!("{line:>6} | {text}"));
                let lines = lines.collect::<Vec<_>>().join("\n");
                let fence = fence(&lines);
                writeln!(page, "{fence}text\n{lines}\n{fence}\n")
            }
            Part::Rows(rows) => {
                let row = |(name, value): &(String, String)| format!("| {} | {} |\n", cell(name), cell(value));
                writeln!(page, "| | |\n|---|---|\n{}", rows.iter().map(row).collect::<String>())
            }
            Part::List(items) => {
                let items = items.iter().map(|item| format!("- {}\n", plain(item))).collect::<String>();
                writeln!(page, "{items}")
            }
            Part::Chain(links) => {
                let link = |(state, name, _): &(LinkState, String, String)| format!("{} {name}", sign(*state));
                writeln!(page, "{}\n", links.iter().map(link).collect::<Vec<_>>().join(" → "))
            }
        };
    }
    page
}

fn sign(state: LinkState) -> &'static str {
    match state {
        LinkState::Ok => "✓",
        LinkState::Blocker => "✗",
        LinkState::Warning => "!",
        LinkState::Unknown => "?",
        LinkState::NotNeeded => "–",
        LinkState::Pending | LinkState::Active | LinkState::Paused | LinkState::Cancelled => "○",
    }
}

/// Longer than any run of backticks within.
fn fence(text: &str) -> String {
    let longest = text.split(|sign| sign != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

/// A line in which nothing is taken for a sign of Markdown.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '\n' | '\r' => plain.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' => {
                plain.push('\\');
                plain.push(sign);
            }
            _ if sign.is_control() => {}
            _ => plain.push(sign),
        }
    }
    plain
}

fn cell(text: &str) -> String {
    if text.is_empty() { "–".to_owned() } else { plain(text) }
}
