//! Breaking and padding text by the columns it takes: Chinese characters take two.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Punctuation that never begins a line.
const NOT_FIRST: &str = "，。、；：？！）》」』】”’…,.;:?!)%";
/// Punctuation that never ends a line.
const NOT_LAST: &str = "（《「『【“‘(";

/// Columns a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// The text, filled with spaces to a width.
pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// The text, cut with an ellipsis where it is wider.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut taken = 0;
    let mut kept = String::new();
    for c in text.chars() {
        taken += c.width().unwrap_or(0);
        // One column is the ellipsis's.
        if taken >= width {
            break;
        }
        kept.push(c);
    }
    kept + "…"
}

/// The text in lines no wider than `width`, as far as it can be broken: at spaces, and between characters where
/// one of them is Chinese. A path is never broken.
pub(crate) fn lines(text: &str, width: usize) -> Vec<String> {
    text.lines().flat_map(|line| wrapped(line, width)).collect()
}

fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = String::new();
    for piece in pieces(line) {
        let fits = columns(&current) + columns(piece.trim_end()) <= width;
        if !fits {
            if !current.trim_end().is_empty() {
                lines.push(current.trim_end().to_owned());
            }
            current.clear();
        }
        current.push_str(piece);
    }
    lines.push(current.trim_end().to_owned());
    lines
}

/// What stays together, with the spaces after it.
fn pieces(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (index, c) in line.char_indices() {
        if before.is_some_and(|before| may_break(before, c)) {
            pieces.push(&line[start..index]);
            start = index;
        }
        before = Some(c);
    }
    pieces.push(&line[start..]);
    pieces
}

fn may_break(before: char, after: char) -> bool {
    if before == ' ' {
        return after != ' ';
    }
    let wide = |c: char| c.width() == Some(2);
    after != ' ' && (wide(before) || wide(after)) && !NOT_FIRST.contains(after) && !NOT_LAST.contains(before)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn breaks_at_spaces_and_never_in_a_path() {
        let text = "The label file /home/anna/plates/labels/train/001.txt has 3 lines too many.";
        assert_eq!(
            lines(text, 30),
            ["The label file", "/home/anna/plates/labels/train/001.txt", "has 3 lines too many."]
        );
    }

    #[test]
    fn breaks_chinese_anywhere_but_before_punctuation() {
        assert_eq!(lines("标注文件中有三行的类别编号超出范围。", 16), ["标注文件中有三行", "的类别编号超出范", "围。"]);
        assert_eq!(lines("标注文件中有三行。请", 16), ["标注文件中有三", "行。请"]);
    }

    #[test]
    fn pads_and_cuts_by_columns() {
        assert_eq!(pad("数据", 6), "数据  ");
        assert_eq!(cut("数据集很大", 6), "数据…");
        assert_eq!(cut("数据", 4), "数据");
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_lines_fit(text in "[a-z数据，。（ ]{0,80}", width in 8_usize..40) {
            let lines = lines(&text, width);
            let letters = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
            for line in lines {
                prop_assert!(columns(&line) <= width || pieces(&line).len() == 1, "{}", line);
            }
        }
    }
}
