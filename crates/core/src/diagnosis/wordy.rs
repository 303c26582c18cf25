//! The parts of a log that can have words. Progress bars are mostly figures, and most of a long log is progress bars.

use std::borrow::Cow;

/// From this length on a run of figures, blanks and signs has no words.
const FIGURES: usize = 16;
/// What is kept of its ends, where a word may begin or end with some.
const MARGIN: usize = 6;

/// A text without the middles of its long runs of figures.
#[derive(Debug)]
pub(super) struct Wordy<'a> {
    /// What is left of it, at once: searching it in many small pieces would cost more than the search.
    pub(super) text: Cow<'a, [u8]>,
    /// Where each part begins: in what is left, and in the text.
    parts: Vec<(usize, usize)>,
}

impl<'a> Wordy<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        let mut parts = vec![(0, 0)];
        let mut left = Vec::new();
        let (mut begin, mut at) = (0, 0);
        while let Some(window) = window(text, at) {
            if !are_figures(window) {
                // Behind its last byte that is no figure, the next run may begin.
                at += window.iter().rposition(|byte| !is_figure(*byte)).map_or(FIGURES, |word| word + 1);
                continue;
            }
            let from = at;
            while self::window(text, at).is_some_and(are_figures) {
                at += FIGURES;
            }
            at += text[at..].iter().take_while(|byte| is_figure(**byte)).count();
            left.extend_from_slice(&text[begin..from + MARGIN]);
            begin = at - MARGIN;
            parts.push((left.len(), begin));
        }
        if parts.len() == 1 {
            return Self { text: Cow::Borrowed(text), parts };
        }
        left.extend_from_slice(&text[begin..]);
        Self { text: Cow::Owned(left), parts }
    }

    /// Where a byte of what is left is in the text. `part`: the part that the last byte asked for is in, at first 0; the
    /// next one is near.
    pub(super) fn place(&self, at: usize, part: &mut usize) -> usize {
        while self.parts.get(*part + 1).is_some_and(|(begin, _)| *begin <= at) {
            *part += 1;
        }
        while *part > 0 && self.parts[*part].0 > at {
            *part -= 1;
        }
        let (begin, place) = self.parts[*part];
        place + (at - begin)
    }
}

fn window(text: &[u8], at: usize) -> Option<&[u8; FIGURES]> {
    text.get(at..)?.first_chunk()
}

/// Whether a byte is a figure, a blank or a sign of a progress bar: of what lies between a blank and `?` all but
/// `! " $ & ' ;`, and some more. No table and no branches: a processor does many bytes of this at once.
const fn is_figure(byte: u8) -> bool {
    let row = byte & 0xE0 == 0x20;
    let sign = (byte == b'!') | (byte == b'"') | (byte == b'$') | (byte == b'&') | (byte == b'\'') | (byte == b';');
    (row & !sign) | (byte == b'\t') | (byte == b'|') | (byte == b'[') | (byte == b']') | (byte == b'~')
}

fn are_figures(window: &[u8; FIGURES]) -> bool {
    window.iter().fold(true, |all, byte| all & is_figure(*byte))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// However a word is surrounded, it is left, and found where it is.
        #[test]
        fn no_word_is_left_out(parts in prop::collection::vec(("[0-9 |:#]{0,50}", "[a-zA-Z]{1,20}"), 0..20)) {
            let text: String = parts.iter().map(|(figures, word)| format!("{figures}{word}")).collect();
            let wordy = Wordy::of(text.as_bytes());
            let letters = |text: &[u8]| text.iter().copied().filter(u8::is_ascii_alphabetic).collect::<Vec<_>>();
            prop_assert_eq!(letters(&wordy.text), letters(text.as_bytes()));
            let mut part = 0;
            for at in (0..wordy.text.len()).flat_map(|at| [at, at.saturating_sub(9)]) {
                prop_assert_eq!(text.as_bytes()[wordy.place(at, &mut part)], wordy.text[at]);
            }
        }
    }

    #[test]
    fn a_progress_bar_is_mostly_left_out() {
        let bar = "      2/300      7.31G      1.8281      0.8818      1.3749        111        640:  71%|####      | ";
        let text = format!("{bar}284/400 [00:71<01:02,  6.59it/s]\r").repeat(100);
        assert!(Wordy::of(text.as_bytes()).text.len() * 3 < text.len());
    }

    #[test]
    fn figures_are_what_progress_bars_are_made_of() {
        let all: String = (0..=u8::MAX).filter(|byte| is_figure(*byte)).map(char::from).collect();
        assert_eq!(all, "\t #%()*+,-./0123456789:<=>?[]|~");
    }
}
