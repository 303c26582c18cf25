//! Raw bytes as lines that can be searched: decoded, without colours, and with the way back to the bytes.

use std::borrow::Cow;

use encoding_rs::{GBK, UTF_16BE, UTF_16LE};

/// How a log's characters are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// One byte a sign, at least for ASCII: UTF-8, GBK and what Windows calls ANSI.
    Bytes,
    /// What PowerShell's `>` writes.
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    /// What a log's first bytes say.
    pub(super) fn of(start: &[u8]) -> Self {
        let zeros = |odd: usize| start.iter().skip(odd).step_by(2).take(256).filter(|byte| **byte == 0).count();
        let many = start.len().min(512) / 4;
        match start {
            [0xff, 0xfe, ..] => Self::Utf16Le,
            [0xfe, 0xff, ..] => Self::Utf16Be,
            _ if start.len() >= 8 && zeros(1) > many && zeros(0) * 4 < zeros(1) => Self::Utf16Le,
            _ if start.len() >= 8 && zeros(0) > many && zeros(1) * 4 < zeros(0) => Self::Utf16Be,
            _ => Self::Bytes,
        }
    }

    /// Where the last whole line of a piece ends that begins at an even place of the log; `None`: in no place.
    pub(super) fn last_line_end(self, piece: &[u8]) -> Option<usize> {
        match self {
            Self::Bytes => memchr::memrchr2(b'\n', b'\r', piece).map(|at| at + 1),
            Self::Utf16Le | Self::Utf16Be => {
                let newline = if self == Self::Utf16Le { [b'\n', 0] } else { [0, b'\n'] };
                let ends = piece.chunks_exact(2).rposition(|pair| pair == newline);
                ends.map(|at| at * 2 + 2)
            }
        }
    }

    /// The text of some bytes.
    pub(super) fn text(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Self::Utf16Le => UTF_16LE.decode_without_bom_handling(bytes).0,
            Self::Utf16Be => UTF_16BE.decode_without_bom_handling(bytes).0,
            Self::Bytes => match std::str::from_utf8(bytes) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => match GBK.decode_without_bom_handling_and_without_replacement(bytes) {
                    Some(text) => Cow::Owned(text.into_owned()),
                    None => String::from_utf8_lossy(bytes),
                },
            },
        }
    }
}

/// A line of a piece: a carriage return ends one too, as progress bars write them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// Where it begins in the searched text.
    pub(super) at: usize,
    /// Its bytes in the log, without its end.
    pub(super) start: u64,
    pub(super) end: u64,
    /// Counted from 1 by line feeds, as editors do.
    pub(super) number: u64,
}

/// A piece of a log, ready to be searched.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    pub(super) text: Cow<'a, [u8]>,
    pub(super) lines: Vec<Line>,
}

/// Shorter lines are not taken for ones that a terminal broke.
const NARROWEST: usize = 40;
/// The widest terminal that breaks lines.
const WIDEST: usize = 260;
/// Pieces up to here are searched with every long line joined to the next one.
const SMALL: usize = 64 * 1024;

impl<'a> Lines<'a> {
    /// `start` and `number` are those of the piece's first byte and line.
    pub(super) fn new(piece: &'a [u8], encoding: Encoding, start: u64, number: u64) -> Self {
        let plain =
            encoding == Encoding::Bytes && memchr::memchr(0x1b, piece).is_none() && std::str::from_utf8(piece).is_ok();
        let mut lines = Vec::with_capacity(piece.len() / 64 + 1);
        let mut text = Vec::new();
        let mut number = number;
        let mut begin = 0;
        let mut add = |end: usize, line_feed: bool, begin: &mut usize, next: usize| {
            let at = if plain { *begin } else { text.len() };
            lines.push(Line { at, start: start + *begin as u64, end: start + end as u64, number });
            if !plain {
                push_clean(&encoding.text(&piece[*begin..end]), &mut text);
            }
            number += u64::from(line_feed);
            *begin = next;
        };
        if encoding == Encoding::Bytes {
            for at in memchr::memchr2_iter(b'\n', b'\r', piece) {
                let both = piece[at] == b'\r' && piece.get(at + 1) == Some(&b'\n');
                if at >= begin {
                    add(at, both || piece[at] == b'\n', &mut begin, at + 1 + usize::from(both));
                }
            }
        } else {
            let low = usize::from(encoding == Encoding::Utf16Be);
            let sign = |index: usize| match (piece.get(index + low), piece.get(index + 1 - low)) {
                (Some(sign @ (b'\n' | b'\r')), Some(0)) => Some(*sign),
                _ => None,
            };
            for at in (0..piece.len()).step_by(2) {
                if let Some(end) = sign(at).filter(|_| at >= begin) {
                    let both = end == b'\r' && sign(at + 2) == Some(b'\n');
                    add(at, both || end == b'\n', &mut begin, at + 2 + 2 * usize::from(both));
                }
            }
        }
        if begin < piece.len() {
            add(piece.len(), false, &mut begin, piece.len());
        }
        let text = if plain { Cow::Borrowed(piece) } else { Cow::Owned(text) };
        Self { text, lines }
    }

    /// The same with lines joined that a terminal may have broken; `None` where none looks like it.
    pub(super) fn joined(&self) -> Option<Lines<'static>> {
        let content = |index: usize| {
            let bytes = self.text.get(self.lines[index].at..self.end_of(index)).unwrap_or_default();
            let ends = bytes.iter().rev().take_while(|sign| matches!(sign, b'\n' | b'\r')).count();
            &bytes[..bytes.len() - ends]
        };
        let width = |index: usize| content(index).len();
        let small = self.text.len() <= SMALL;
        let full = if small {
            0
        } else {
            let widest = (0..self.lines.len()).map(width).max()?;
            let count = (0..self.lines.len()).filter(|index| width(*index) == widest).count();
            // Lines of a progress bar are equally long, too, and have none that goes on with another.
            if count < 3 || count * 2 > self.lines.len() || widest > WIDEST {
                return None;
            }
            widest
        };
        let mut text = Vec::with_capacity(self.text.len());
        let mut lines = Vec::with_capacity(self.lines.len());
        let mut any = false;
        for (index, line) in self.lines.iter().enumerate() {
            lines.push(Line { at: text.len(), ..*line });
            text.extend_from_slice(content(index));
            if (NARROWEST.max(full)..=WIDEST).contains(&width(index)) {
                any = true;
            } else {
                text.push(b'\n');
            }
        }
        any.then_some(Lines { text: Cow::Owned(text), lines })
    }

    /// The index of the line that a place of the text is in.
    pub(super) fn line_at(&self, at: usize) -> usize {
        self.lines.partition_point(|line| line.at <= at).saturating_sub(1)
    }

    /// Where in the text a line ends, its line end included; the text's end behind the last one.
    pub(super) fn end_of(&self, line: usize) -> usize {
        self.lines.get(line + 1).map_or(self.text.len(), |next| next.at)
    }
}

/// Without the commands that colour a terminal and move its cursor.
fn push_clean(line: &str, text: &mut Vec<u8>) {
    let mut rest = line;
    while let Some(at) = rest.find('\u{1b}') {
        text.extend_from_slice(&rest.as_bytes()[..at]);
        let after = &rest[at + 1..];
        rest = match after.as_bytes().first() {
            // A sequence ends with a letter or one of `@ [ \ ] ^ _ { | } ~`.
            Some(b'[') => {
                let end = after[1..].find(|sign: char| ('@'..='~').contains(&sign));
                end.map_or("", |end| after.get(end + 2..).unwrap_or_default())
            }
            // A title or link ends with BEL or with ESC and a backslash.
            Some(b']') => {
                let end = after.find(['\u{7}', '\u{1b}']);
                end.map_or("", |end| after[end..].trim_start_matches(['\u{7}', '\u{1b}', '\\']))
            }
            Some(_) => after.char_indices().nth(1).map_or("", |(next, _)| &after[next..]),
            None => "",
        };
    }
    text.extend_from_slice(rest.as_bytes());
    text.push(b'\n');
}
