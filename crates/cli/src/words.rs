//! Sentences for a terminal: what comes from outside (file names, log lines) cannot move the cursor or hide.

use preflight_core::problem::Problem;
use preflight_core::text::{Message, Texts, Value};

/// The sentences of the person's language.
#[derive(Debug)]
pub(crate) struct Words(Texts);

impl Words {
    pub(crate) fn new(texts: Texts) -> Self {
        Self(texts)
    }

    /// The sentences as they are, for a page that is no terminal.
    pub(crate) fn texts(&self) -> &Texts {
        &self.0
    }

    /// The same words for another thread.
    pub(crate) fn again(&self) -> Self {
        Self(Texts::new(self.0.language()))
    }

    /// The sentence, with its arguments made visible.
    pub(crate) fn say(&self, message: &Message) -> String {
        self.find(message).unwrap_or_else(|| message.id.clone())
    }

    /// The sentence, if there is one.
    pub(crate) fn find(&self, message: &Message) -> Option<String> {
        let args = message.args.iter().map(|(name, value)| {
            let value = match value {
                Value::Text(text) => Value::Text(visible(text)),
                Value::Number(number) => Value::Number(*number),
            };
            (name.clone(), value)
        });
        self.0.render(&message.id, &args.collect())
    }

    /// The sentence with this id and no arguments.
    pub(crate) fn get(&self, id: &str) -> String {
        self.0.get(id)
    }

    /// A problem as one of the answers in JSON.
    pub(crate) fn problem_json(&self, problem: &Problem) -> serde_json::Value {
        serde_json::json!({
            "problem": {
                "code": problem.code,
                "message": self.say(&problem.message()),
                "help": self.find(&problem.help()),
                "causes": problem.causes,
            }
        })
    }
}

/// The text with line breaks, control characters and invisible characters written out.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => shown.extend(c.escape_default()),
            _ if c.is_control() || is_invisible(c) => shown.extend(c.escape_unicode()),
            _ => shown.push(c),
        }
    }
    shown
}

/// Soft hyphen, zero-width characters, direction marks, byte order mark, tags.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_moves_the_cursor_or_hides() {
        assert_eq!(visible("a\nb\u{1b}[31m\u{202e}c\u{200b}"), "a\\nb\\u{1b}[31m\\u{202e}c\\u{200b}");
        assert_eq!(visible("数据集 plates"), "数据集 plates");
    }
}
