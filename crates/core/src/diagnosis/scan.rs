//! A log on its way through: what rules look for is found piece by piece, so that a log may be of any length and may
//! still grow.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::known::Known;
use super::lines::{Encoding, Line, Lines};
use super::rules::{Id, RULES, Rules};
use super::wordy::Wordy;

/// A log is searched in pieces of about this size.
const PIECE: usize = 256 * 1024;
/// A line longer than this is cut.
const LONGEST_LINE: usize = 1024 * 1024;
/// What is kept of a piece, for a message that the next one goes on with.
const OVERLAP: u64 = 4096;
/// Lines before and after a word in which a text that has it may begin and end.
const AROUND: usize = 4;
/// The most text around a word that is searched on each side.
const FAR: usize = 4096;
/// Places of a text that are kept; of what is seen more often only the first ones and the last matter.
const KEPT: usize = 4;
/// From here on only the last place of each piece is looked at.
const MANY: u64 = 8;
/// The longest piece of a log that is shown for a place.
const SHOWN: u64 = 600;
/// Fewer bytes of a log prove nothing.
pub(super) const PROOF: u64 = 8;
/// Lines that a log's end is shown with.
const END: usize = 3;
/// Lines of progress that are remembered.
const RECENT: usize = 8;

/// Where something was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// In the log.
    Log,
    /// Among what is known besides.
    Context,
}

/// A piece of a log or of what is known besides, to the byte.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// Of which.
    pub source: Source,
    /// Its first byte, counted from 0.
    pub start: u64,
    /// The byte behind its last one.
    pub end: u64,
    /// The line that it begins in, counted from 1.
    pub line: u64,
    /// Its text: the bytes, decoded.
    pub text: String,
    /// What a rule saw of it, without colours.
    #[serde(skip)]
    pub(super) seen: String,
}

/// Where a text was seen.
#[derive(Debug, Default, Clone)]
pub(super) struct Seen {
    pub(super) first: Vec<Quote>,
    pub(super) last: u64,
    count: u64,
}

/// What was seen in one source.
#[derive(Debug)]
pub(super) struct Places {
    source: Source,
    pub(super) seen: Vec<Seen>,
    /// The last lines of progress: where, and which epoch.
    pub(super) recent: VecDeque<(u64, u64)>,
}

/// A log that is being read.
#[derive(Debug)]
pub struct Scan {
    rules: &'static Rules,
    encoding: Option<Encoding>,
    /// What is not searched yet, behind what is kept of the last piece.
    pending: Vec<u8>,
    /// How much of it is searched already.
    searched: usize,
    /// Of its first byte.
    start: u64,
    number: u64,
    pub(super) log: Places,
    pub(super) context: Places,
    /// What is different from a training that went well, by name.
    pub(super) changed: Vec<String>,
}

impl Default for Scan {
    fn default() -> Self {
        Self::new()
    }
}

impl Scan {
    /// Nothing was read yet.
    #[must_use]
    pub fn new() -> Self {
        let rules = &*RULES;
        let places =
            |source| Places { source, seen: vec![Seen::default(); rules.patterns.len()], recent: VecDeque::new() };
        Self {
            rules,
            encoding: None,
            pending: Vec::new(),
            searched: 0,
            start: 0,
            number: 1,
            log: places(Source::Log),
            context: places(Source::Context),
            changed: Vec::new(),
        }
    }

    /// Takes in the log's next bytes, as they come.
    pub fn feed(&mut self, bytes: &[u8]) {
        // No more than a piece is held at once, however much comes.
        for bytes in bytes.chunks(PIECE) {
            self.pending.extend_from_slice(bytes);
            if self.pending.len() - self.searched >= PIECE {
                self.search(false);
            }
        }
    }

    /// Searches what has come so far, an unfinished last line too. More may follow.
    pub fn settle(&mut self) {
        self.search(true);
    }

    /// Takes in what is known besides the log: lines such as `exit-code: 137`, or a description in words.
    pub fn know(&mut self, text: &str) {
        let lines = Lines::new(text.as_bytes(), Encoding::Bytes, 0, 1);
        find(self.rules, &lines, text.as_bytes(), 0, Encoding::Bytes, &mut self.context);
        if let Some(joined) = lines.joined() {
            find(self.rules, &joined, text.as_bytes(), 0, Encoding::Bytes, &mut self.context);
        }
    }

    /// Takes in what is known besides the log by name, and the names of what is different from a training that went
    /// well: a cause that such a change can have brought about becomes surer.
    pub fn given(&mut self, known: &[Known], changed: Vec<String>) {
        self.know(&known.iter().map(Known::line).collect::<String>());
        self.changed = changed;
    }

    /// The last lines so far that say anything, in their order.
    pub(super) fn end(&self) -> Vec<Quote> {
        let encoding = self.encoding.unwrap_or(Encoding::Bytes);
        let lines = Lines::new(&self.pending, encoding, self.start, self.number);
        let place = |at: u64| usize::try_from(at - self.start).unwrap_or(usize::MAX).min(self.pending.len());
        let quote = |line: &Line| {
            let end = line.end.min(line.start + SHOWN);
            let text = encoding.text(&self.pending[place(line.start)..place(end)]);
            let text = text.trim_start_matches('\u{feff}').trim_end_matches('\u{fffd}').to_owned();
            Quote { source: Source::Log, start: line.start, end, line: line.number, seen: text.clone(), text }
        };
        let said = lines.lines.iter().rev().map(quote).filter(|quote| quote.text.trim().len() as u64 >= PROOF);
        let mut said: Vec<Quote> = said.take(END).collect();
        said.reverse();
        said
    }

    fn search(&mut self, all: bool) {
        let encoding = *self.encoding.get_or_insert_with(|| Encoding::of(&self.pending));
        let whole = encoding.last_line_end(&self.pending).filter(|end| *end > self.searched);
        let end = match whole {
            _ if all => self.pending.len(),
            Some(end) => end,
            None if self.pending.len() >= LONGEST_LINE => self.pending.len() & !1,
            None => return,
        };
        if end == self.searched && !all {
            return;
        }
        let piece = &self.pending[..end];
        let lines = Lines::new(piece, encoding, self.start, self.number);
        find(self.rules, &lines, piece, self.start, encoding, &mut self.log);
        if let Some(joined) = lines.joined() {
            find(self.rules, &joined, piece, self.start, encoding, &mut self.log);
        }
        // The next piece begins with this one's last lines.
        let after = self.start + end as u64;
        let kept = lines.lines.iter().find(|line| line.start + OVERLAP >= after && line.start < after).copied();
        let feeds = lines.lines.last().map_or(0, |line| u64::from(line.end < after));
        let behind = lines.lines.last().map_or(self.number, |line| line.number) + feeds;
        let kept = kept.unwrap_or(Line { at: 0, start: after, end: after, number: behind });
        let drained = usize::try_from(kept.start - self.start).unwrap_or(end);
        drop(lines);
        self.pending.drain(..drained);
        self.searched = end - drained;
        self.start = kept.start;
        self.number = kept.number;
    }
}

/// Notes where texts are.
fn find(rules: &Rules, lines: &Lines<'_>, piece: &[u8], start: u64, encoding: Encoding, places: &mut Places) {
    let Some(words) = &rules.words else { return };
    let mut until = vec![0; rules.patterns.len()];
    let mut later: Vec<Option<usize>> = vec![None; rules.patterns.len()];
    let look = |id: Id, at: usize, places: &mut Places, until: &mut [usize]| {
        let line = lines.line_at(at);
        let last = line + AROUND;
        let from = lines.lines.get(line.saturating_sub(AROUND / 2)).map_or(0, |line| line.at);
        let from = from.max(at.saturating_sub(FAR));
        let to = lines.end_of(last).min(at + FAR).min(lines.text.len());
        until[id] = lines.end_of(line + AROUND / 2).min(to);
        let Some(regex) = rules.patterns[id].regex() else { return };
        for found in regex.find_iter(&lines.text[from..to]) {
            let range = (from + found.start(), from + found.end());
            places.note(id, range, lines, piece, start, encoding);
            if rules.marks.progress.contains(&id) {
                let line = lines.lines.get(lines.line_at(range.0)).map_or(0, |line| line.start);
                places.progress(line, found.as_bytes());
            }
        }
    };
    let (wordy, mut part) = (Wordy::of(&lines.text), 0);
    for hit in words.find_overlapping_iter(&wordy.text) {
        let at = wordy.place(hit.start(), &mut part);
        for &id in &rules.by_word[hit.pattern().as_usize()] {
            if at < until[id] {
                continue;
            }
            if places.seen[id].count >= MANY {
                later[id] = Some(at);
            } else {
                look(id, at, places, &mut until);
            }
        }
    }
    for (id, at) in later.into_iter().enumerate() {
        if let Some(at) = at {
            look(id, at, places, &mut until);
        }
    }
}

impl Places {
    fn note(
        &mut self,
        id: Id,
        (from, to): (usize, usize),
        lines: &Lines<'_>,
        piece: &[u8],
        start: u64,
        encoding: Encoding,
    ) {
        // Blanks that a pattern begins with may be the end of the line before.
        let blanks = lines.text[from..to].iter().take_while(|sign| sign.is_ascii_whitespace()).count();
        let from = (from + blanks).min(to.saturating_sub(1).max(from));
        let (mut first, last) = (lines.line_at(from), lines.line_at(to.saturating_sub(1).max(from)));
        // A word alone proves little: what came before it is shown, too.
        let length = |first: usize| lines.lines[first..=last].iter().map(|line| line.end - line.start).sum::<u64>();
        while first > 0 && last < lines.lines.len() && length(first) < PROOF && last - first < AROUND {
            first -= 1;
        }
        let (Some(first), Some(last)) = (lines.lines.get(first), lines.lines.get(last)) else { return };
        let seen = &mut self.seen[id];
        // A piece begins with the end of the one before, and is searched in two ways.
        if seen.first.iter().any(|quote| quote.start <= first.start && first.start < quote.end) {
            return;
        }
        if first.start > seen.last {
            seen.count += 1;
            seen.last = first.start;
        }
        let earlier = seen.first.first().is_some_and(|quote| first.start < quote.start);
        if seen.first.len() >= KEPT && !earlier {
            return;
        }
        let end = last.end.min(first.start + SHOWN);
        let place = |at: u64| usize::try_from(at - start).unwrap_or(usize::MAX).min(piece.len());
        let text = encoding.text(&piece[place(first.start)..place(end)]);
        let text = text.trim_start_matches('\u{feff}').trim_end_matches('\u{fffd}').to_owned();
        let shown = String::from_utf8_lossy(&lines.text[from..to]).into_owned();
        let quote = Quote { source: self.source, start: first.start, end, line: first.number, text, seen: shown };
        let index = if earlier { 0 } else { seen.first.len() };
        seen.first.insert(index, quote);
        seen.first.truncate(KEPT);
    }

    fn progress(&mut self, at: u64, text: &[u8]) {
        if self.recent.iter().any(|(place, _)| *place == at) {
            return;
        }
        let digits = text.iter().skip_while(|sign| !sign.is_ascii_digit()).take_while(|sign| sign.is_ascii_digit());
        let epoch = digits.take(9).fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
        self.recent.push_back((at, epoch));
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }
}
