//! A text that grows line by line, for a given width.

use anstyle::Style;

use crate::words::Words;
use crate::wrap::{columns, lines, pad};

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

/// A text that grows line by line.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    pub(crate) words: &'a Words,
    width: usize,
    text: String,
}

impl<'a> Page<'a> {
    pub(crate) fn new(words: &'a Words, width: usize) -> Self {
        Self { words, width, text: String::new() }
    }

    /// The text so far.
    pub(crate) fn text(self) -> String {
        self.text
    }

    pub(crate) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A paragraph: `mark` before its first line, the others indented as far.
    pub(crate) fn paragraph(&mut self, indent: usize, mark: &str, style: Style, text: &str) {
        let hang = indent + columns(mark);
        for (index, line) in lines(text, self.width.saturating_sub(hang).max(20)).iter().enumerate() {
            let before = if index == 0 { format!("{}{mark}", " ".repeat(indent)) } else { " ".repeat(hang) };
            self.text.push_str(&format!("{style}{before}{line}{style:#}\n"));
        }
    }

    /// A line that is never broken.
    pub(crate) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Rows of a name and a value, the values under one another.
    pub(crate) fn table(&mut self, rows: &[(String, String)]) {
        let widest = rows.iter().map(|(name, _)| columns(name)).max().unwrap_or(0);
        for (name, value) in rows {
            self.line(&format!("{DIM}{}{DIM:#}  {value}", pad(name, widest)));
        }
    }
}
