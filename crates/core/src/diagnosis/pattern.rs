//! What a rule looks for: a regular expression that forgives how a log was written.
//!
//! Two signs are added to the usual ones: a blank stands for any white space, a line break among it (`" ?"` for white
//! space or none), and `…` for at most [`GAP`] bytes of anything. Upper and lower case are the same.

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::hir::{Hir, HirKind};

/// What `…` reaches over, in bytes: the paths and numbers that a message has in its middle.
const GAP: usize = 160;

/// A text that a log may have.
#[derive(Debug)]
pub(super) struct Pattern {
    source: String,
    /// Compiled once a log has one of its words: most logs have the words of few.
    regex: OnceLock<Option<Regex>>,
    /// One of these is in every match.
    words: Vec<Vec<u8>>,
}

impl Pattern {
    /// # Errors
    /// In words for who writes a rule: no regular expression, or no word that every match has.
    pub(super) fn new(source: &str) -> Result<Self, String> {
        let expanded = expand(source);
        let hir = regex_syntax::ParserBuilder::new()
            .utf8(false)
            .multi_line(true)
            .build()
            .parse(&expanded)
            .map_err(|error| format!("{source}: {error}"))?;
        let words = required(&hir).filter(|words| words.iter().all(|word| word.len() >= 3));
        let words = words.ok_or_else(|| format!("{source}: no word of three letters that every match has"))?;
        Ok(Self { source: expanded, regex: OnceLock::new(), words })
    }

    /// One of these is in every match, in upper or lower case.
    pub(super) fn words(&self) -> &[Vec<u8>] {
        &self.words
    }

    /// `None` only for what a test of the rules refuses.
    pub(super) fn regex(&self) -> Option<&Regex> {
        let compile = || {
            let mut builder = RegexBuilder::new(&self.source);
            builder.case_insensitive(true).multi_line(true).crlf(true).size_limit(1 << 24).build().ok()
        };
        self.regex.get_or_init(compile).as_ref()
    }
}

fn expand(source: &str) -> String {
    let mut expanded = String::with_capacity(source.len() * 2);
    let mut characters = source.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            ' ' if characters.next_if(|next| matches!(next, '?' | '*')).is_some() => expanded.push_str(r"\s*"),
            ' ' if characters.next_if_eq(&'+').is_some() => expanded.push_str(r"\s+"),
            ' ' => expanded.push_str(r"\s+"),
            '…' => expanded.push_str(&format!("(?s-u:.{{0,{GAP}}}?)")),
            _ => expanded.push(character),
        }
    }
    expanded
}

/// Texts of which every match has at least one, the longest there are.
fn required(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    match hir.kind() {
        HirKind::Literal(literal) => Some(vec![literal.0.to_vec()]),
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Alternation(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(required).collect();
            Some(parts?.into_iter().flatten().collect())
        }
        HirKind::Concat(parts) => {
            let shortest = |words: &Vec<Vec<u8>>| words.iter().map(Vec::len).min().unwrap_or(0);
            parts.iter().filter_map(required).max_by_key(shortest)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Pattern::new(pattern).unwrap().regex().unwrap().is_match(text.as_bytes())
    }

    #[test]
    fn forgives_case_line_breaks_and_what_is_in_between() {
        assert!(matches("could not select device driver", "docker: Could not select\r\n   device driver \"\""));
        assert!(matches("unknown runtime…nvidia", "unknown runtime specified (a/b/c): NVIDIA."));
        assert!(matches("num ?= ?3", "num=3") && matches("num ?= ?3", "num = 3"));
        assert!(!matches("unknown runtime…nvidia", &format!("unknown runtime {} nvidia", "x".repeat(GAP))));
    }

    #[test]
    fn has_a_word_to_look_for() {
        assert_eq!(Pattern::new("a driver|too old").unwrap().words(), [b"driver".to_vec(), b"old".to_vec()]);
        assert!(Pattern::new(r"\d+ \w+").is_err());
        assert!(Pattern::new("(").is_err());
    }
}
