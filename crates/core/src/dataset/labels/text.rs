//! A label file's bytes as the lines and words that Python makes of them.

use super::LabelFault;

/// A label file's text. The trainer takes UTF-8 with or without a byte order mark.
pub(super) fn text(bytes: &[u8]) -> Result<&str, LabelFault> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(LabelFault::Utf16);
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) if text.contains('\0') => Err(LabelFault::Binary),
        Ok(text) => Ok(text),
        Err(_) if bytes.contains(&0) => Err(LabelFault::Binary),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
            Err(LabelFault::NotUtf8 { line: u32::try_from(line).unwrap_or(u32::MAX) })
        }
    }
}

/// Lines as Python's `splitlines` makes them, with the number an editor shows for each.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let mut rest = Some(text);
    let mut line = 1u32;
    std::iter::from_fn(move || {
        let current = rest?;
        let number = line;
        let Some(end) = current.find(is_line_break) else {
            rest = None;
            return Some((number, current));
        };
        let (row, after) = current.split_at(end);
        let mut breaks = after.chars();
        let first = breaks.next();
        if first == Some('\r') && breaks.as_str().starts_with('\n') {
            breaks.next();
        }
        if matches!(first, Some('\n' | '\r')) {
            line = line.saturating_add(1);
        }
        rest = Some(breaks.as_str());
        Some((number, row))
    })
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\x0b' | '\x0c' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// What Python's `str.split` splits at.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r' | '\x1c'..='\x1f') || (!c.is_ascii() && c.is_whitespace())
}
