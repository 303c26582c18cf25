//! The page as HTML.

use std::fmt::Write as _;

use preflight_core::report::LinkState;
use preflight_core::text::Texts;

use super::Part;

pub(super) fn page(parts: &[Part], texts: &Texts) -> String {
    let mut body = String::new();
    let mut title = "";
    for part in parts {
        // Writing to a string does not fail.
        let _ = match part {
            Part::Title(text) => {
                title = text;
                writeln!(body, "<h1>{}</h1>", escaped(text))
            }
            Part::Cause(cause, detail) => {
                writeln!(body, "<section><h2>{}</h2><p>{}</p></section>", escaped(cause), escaped(detail))
            }
            Part::Heading(text) => writeln!(body, "<h2>{}</h2>", escaped(text)),
            Part::Line(text) => writeln!(body, "<p>{}</p>", escaped(text)),
            Part::Log(line, text) => {
                let numbered = text.lines().zip(*line..).map(|(text, line)| format!("<i>{line}</i>{}", escaped(text)));
                writeln!(body, "<pre>{}</pre>", numbered.collect::<Vec<_>>().join("\n"))
            }
            Part::Rows(rows) => {
                let row = |(name, value): &(String, String)| {
                    format!("<tr><th>{}</th><td>{}</td></tr>", escaped(name), escaped(value))
                };
                writeln!(body, "<table>{}</table>", rows.iter().map(row).collect::<String>())
            }
            Part::List(items) => {
                let items = items.iter().map(|item| format!("<li>{}</li>", escaped(item))).collect::<String>();
                writeln!(body, "<ul>{items}</ul>")
            }
            Part::Chain(links) => {
                let link = |(state, name, word): &(LinkState, String, String)| {
                    let (class, sign) = look(*state);
                    format!(
                        "<li class=\"{class}\"><b>{sign}</b><span>{}</span><small>{}</small></li>",
                        escaped(name),
                        escaped(word)
                    )
                };
                writeln!(body, "<ol>{}</ol>", links.iter().map(link).collect::<String>())
            }
        };
    }
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>{}</style>\n<main>\n{body}</main>\n</html>\n",
        texts.language().tag(),
        escaped(title),
        include_str!("style.css"),
    )
}

fn look(state: LinkState) -> (&'static str, &'static str) {
    match state {
        LinkState::Ok => ("ok", "✓"),
        LinkState::Blocker => ("broken", "✗"),
        LinkState::Warning => ("warning", "!"),
        LinkState::Unknown => ("unknown", "?"),
        LinkState::NotNeeded => ("none", "–"),
        LinkState::Pending | LinkState::Active | LinkState::Paused | LinkState::Cancelled => ("pending", "○"),
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Colours of a terminal, and what else moves a cursor.
            _ if sign.is_control() && !matches!(sign, '\n' | '\t') => {}
            _ => escaped.push(sign),
        }
    }
    escaped
}
