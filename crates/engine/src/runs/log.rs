//! A run's raw log, for reading: an index of its lines that grows with it.
//!
//! A progress bar is redrawn thousands of times in one line. The index keeps where the last state of each line is, so
//! a page never reads the others.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use preflight_core::problem::Problem;
use serde::Serialize;

use super::folder::Folder;

/// Bytes of a line that are looked through; nobody reads more of one.
const LONGEST: u32 = 16 * 1024;
/// Characters of a line that a page shows: it is asked for several times a second.
const SHOWN: usize = 2_000;
/// Lines that a page has at most.
const PAGE: u32 = 10_000;
/// Lines that are looked through at once.
const SEARCHED: u32 = 50_000;
/// Bytes that are read at once where lines lie close together.
const CHUNK: u64 = 4 * 1024 * 1024;

/// A piece of a run's raw log: control sequences taken out, of redrawn lines the last state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct LogLines {
    /// Lines there are now.
    pub total: u32,
    /// The number of the first line here, counted from 0.
    pub first: u32,
    /// The lines.
    pub lines: Vec<String>,
}

/// Where the visible part of a line is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: u64,
    length: u32,
}

impl Span {
    fn new(start: u64, end: u64) -> Self {
        Self { start, length: u32::try_from(end - start).unwrap_or(u32::MAX).min(LONGEST) }
    }

    fn end(self) -> u64 {
        self.start + u64::from(self.length)
    }
}

/// The raw log of a run, with an index that grows with it.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    lines: Vec<Span>,
    scanner: Scanner,
}

/// Where reading for the index has come to, inside a line that has not ended.
#[derive(Debug, Default)]
struct Scanner {
    /// Bytes read so far.
    offset: u64,
    /// Where the newest state of the line begins.
    start: u64,
    /// The newest state that was something and was then redrawn.
    before: Option<Span>,
}

impl Scanner {
    fn feed(&mut self, bytes: &[u8], lines: &mut Vec<Span>) {
        for (index, byte) in bytes.iter().enumerate() {
            let at = self.offset + index as u64;
            match byte {
                b'\n' => {
                    lines.push(self.visible(at));
                    (self.start, self.before) = (at + 1, None);
                }
                b'\r' => {
                    if at > self.start {
                        self.before = Some(Span::new(self.start, at));
                    }
                    self.start = at + 1;
                }
                _ => {}
            }
        }
        self.offset += bytes.len() as u64;
    }

    /// The newest state of the line if it ended here.
    fn visible(&self, end: u64) -> Span {
        match self.before {
            Some(before) if end == self.start => before,
            _ => Span::new(self.start, end),
        }
    }

    /// The line that has not ended, if it has begun.
    fn open_line(&self) -> Option<Span> {
        let line = self.visible(self.offset);
        (line.length > 0).then_some(line)
    }
}

impl Log {
    /// Opens a run's log; one that does not exist yet is empty.
    #[must_use]
    pub fn open(run_folder: &Path) -> Self {
        Self { path: Folder::new(run_folder).trainer_log(), lines: Vec::new(), scanner: Scanner::default() }
    }

    /// Some lines, from `first` on, counted from 0. No lines: only how many there are.
    ///
    /// # Errors
    /// `run.unreadable`.
    pub fn page(&mut self, first: u32, count: u32) -> Result<LogLines, Problem> {
        self.try_page(Some(first), count).map_err(|error| self.unreadable(&error))
    }

    /// The last lines.
    ///
    /// # Errors
    /// `run.unreadable`.
    pub fn end(&mut self, count: u32) -> Result<LogLines, Problem> {
        self.try_page(None, count).map_err(|error| self.unreadable(&error))
    }

    /// Numbers of lines that contain a text, whatever its case; at most `limit`, the first ones.
    ///
    /// # Errors
    /// `run.unreadable`.
    pub fn search(&mut self, text: &str, limit: u32) -> Result<Vec<u32>, Problem> {
        let mut found = Vec::new();
        let mut next = Some(0);
        while let Some(from) = next {
            next = self.search_on(text, limit, from, &mut found)?;
        }
        Ok(found)
    }

    /// A part of such a search, from a line on, that takes no longer than a person can wait for something else. Answers
    /// where to go on; `None`: it is done.
    ///
    /// # Errors
    /// `run.unreadable`.
    pub(super) fn search_on(
        &mut self,
        text: &str,
        limit: u32,
        from: u32,
        found: &mut Vec<u32>,
    ) -> Result<Option<u32>, Problem> {
        self.try_search(text, limit, from, found).map_err(|error| self.unreadable(&error))
    }

    fn unreadable(&self, error: &io::Error) -> Problem {
        Problem::new("run.unreadable").with("path", self.path.as_path()).because(error)
    }

    fn try_page(&mut self, first: Option<u32>, count: u32) -> io::Result<LogLines> {
        let Some(mut file) = self.update()? else { return Ok(LogLines { total: 0, first: 0, lines: Vec::new() }) };
        let total = self.total();
        let count = count.min(PAGE);
        let first = first.unwrap_or(total.saturating_sub(count)).min(total);
        let last = first.saturating_add(count).min(total);
        let mut lines = Vec::with_capacity((last - first) as usize);
        self.read(&mut file, first..last, |_, line| {
            lines.push(cut(shown(line)));
            true
        })?;
        Ok(LogLines { total, first, lines })
    }

    fn try_search(&mut self, text: &str, limit: u32, from: u32, found: &mut Vec<u32>) -> io::Result<Option<u32>> {
        let wanted = text.to_lowercase();
        if wanted.is_empty() || limit == 0 {
            return Ok(None);
        }
        let Some(mut file) = self.update()? else { return Ok(None) };
        let end = from.saturating_add(SEARCHED).min(self.total());
        self.read(&mut file, from..end, |number, line| {
            if contains(line, &wanted) {
                found.push(number);
            }
            found.len() < limit as usize
        })?;
        Ok((end < self.total() && found.len() < limit as usize).then_some(end))
    }

    /// Lines there are now, one that has not ended included.
    fn total(&self) -> u32 {
        u32::try_from(self.lines.len() + usize::from(self.scanner.open_line().is_some())).unwrap_or(u32::MAX)
    }

    fn span(&self, number: u32) -> Option<Span> {
        self.lines.get(number as usize).copied().or_else(|| self.scanner.open_line())
    }

    /// Takes in what was written since. `None`: there is no log yet.
    fn update(&mut self) -> io::Result<Option<File>> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        if file.metadata()?.len() < self.scanner.offset {
            self.lines.clear();
            self.scanner = Scanner::default();
        }
        file.seek(SeekFrom::Start(self.scanner.offset))?;
        let mut reader = BufReader::with_capacity(1024 * 1024, &file);
        loop {
            let bytes = io::BufRead::fill_buf(&mut reader)?;
            if bytes.is_empty() {
                break;
            }
            let read = bytes.len();
            self.scanner.feed(bytes, &mut self.lines);
            io::BufRead::consume(&mut reader, read);
        }
        Ok(Some(file))
    }

    /// Hands out the visible bytes of lines in order until told to stop, reading lines that lie close at once.
    fn read(
        &self,
        file: &mut File,
        numbers: std::ops::Range<u32>,
        mut each: impl FnMut(u32, &[u8]) -> bool,
    ) -> io::Result<()> {
        let mut buffer = Vec::new();
        let mut next = numbers.start;
        while next < numbers.end {
            let Some(first) = self.span(next) else { return Ok(()) };
            let mut end = first.end();
            let mut after = next + 1;
            while let Some(span) = (after < numbers.end).then(|| self.span(after)).flatten() {
                // A long bar between two lines is passed over rather than read.
                if span.start - end > u64::from(LONGEST) || span.end() - first.start > CHUNK {
                    break;
                }
                end = end.max(span.end());
                after += 1;
            }
            file.seek(SeekFrom::Start(first.start))?;
            buffer.clear();
            Read::by_ref(file).take(end - first.start).read_to_end(&mut buffer)?;
            for number in next..after {
                let Some(span) = self.span(number) else { return Ok(()) };
                let start = usize::try_from(span.start - first.start).unwrap_or(usize::MAX);
                let line = buffer.get(start..).unwrap_or_default();
                if !each(number, &line[..line.len().min(span.length as usize)]) {
                    return Ok(());
                }
            }
            next = after;
        }
        Ok(())
    }
}

/// Whether a line, as a person reads it, contains a text in lower case.
fn contains(line: &[u8], wanted: &str) -> bool {
    // Most lines need not be taken apart: they are plain, and so is the text.
    let is_plain = |bytes: &[u8]| bytes.iter().all(|byte| (b' '..=b'~').contains(byte));
    if is_plain(line) && is_plain(wanted.as_bytes()) {
        let wanted = wanted.as_bytes();
        return line.windows(wanted.len()).any(|piece| piece.eq_ignore_ascii_case(wanted));
    }
    shown(line).to_lowercase().contains(wanted)
}

/// The beginning of a long line.
fn cut(mut line: String) -> String {
    if let Some((end, _)) = line.char_indices().nth(SHOWN) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// A line as a person reads it: without colours, cursor movements and other control characters.
pub(super) fn shown(line: &[u8]) -> String {
    let mut text = String::with_capacity(line.len());
    let decoded = String::from_utf8_lossy(line);
    let mut rest = decoded.chars();
    while let Some(c) = rest.next() {
        match c {
            '\x1b' => match rest.next() {
                // ESC [ parameters, ended by a letter or another of these.
                Some('[') => {
                    rest.by_ref().find(|c| ('\x40'..='\x7e').contains(c));
                }
                // ESC ] text, ended by BEL or ESC \.
                Some(']') => {
                    let mut before = ' ';
                    rest.by_ref().find(|c| {
                        let ended = *c == '\x07' || (before == '\x1b' && *c == '\\');
                        before = *c;
                        ended
                    });
                }
                _ => {}
            },
            '\t' => text.push('\t'),
            c if c.is_control() => {}
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    struct Trainer {
        _folder: tempfile::TempDir,
        file: File,
        log: Log,
    }

    impl Trainer {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let log = Log::open(folder.path());
            let file = File::create(&log.path).unwrap();
            Self { _folder: folder, file, log }
        }

        fn prints(&mut self, bytes: impl AsRef<[u8]>) -> Vec<String> {
            self.file.write_all(bytes.as_ref()).unwrap();
            self.log.page(0, 100).unwrap().lines
        }
    }

    #[test]
    fn a_log_that_is_not_there_is_empty() {
        let mut log = Log::open(Path::new("/nowhere/at/all"));
        assert_eq!(log.page(0, 10).unwrap(), LogLines { total: 0, first: 0, lines: Vec::new() });
        assert!(log.search("x", 10).unwrap().is_empty());
    }

    #[test]
    fn lines_grow_and_a_bar_shows_its_last_state() {
        let mut trainer = Trainer::new();
        assert_eq!(trainer.prints("one\ntw"), ["one", "tw"]);
        assert_eq!(trainer.prints("o\n"), ["one", "two"]);
        assert_eq!(trainer.prints("\r\x1b[K 1/2 ━━ 0%"), ["one", "two", " 1/2 ━━ 0%"]);
        assert_eq!(trainer.prints("\r\x1b[K 1/2 ━━ 50%\r"), ["one", "two", " 1/2 ━━ 50%"]);
        assert_eq!(trainer.prints("\r\x1b[K 1/2 ━━ 100%\nend\r\n"), ["one", "two", " 1/2 ━━ 100%", "end"]);
        assert_eq!(trainer.prints("\n\nx\n")[4..], ["", "", "x"]);
    }

    #[test]
    fn control_sequences_and_broken_text_are_taken_out() {
        assert_eq!(shown(b"\x1b[34m\x1b[1mtrain: \x1b[0mok\tthen\x07"), "train: ok\tthen");
        assert_eq!(shown(b"\x1b]0;title\x07a\x1b]8;;url\x1b\\b\x1b"), "ab");
        assert_eq!(shown("钢板\u{200d}".as_bytes()), "钢板\u{200d}");
        assert_eq!(shown(b"a\xffb\x1b[12;"), "a\u{fffd}b");
    }

    #[test]
    fn pages_and_search_are_bounded() {
        let mut trainer = Trainer::new();
        trainer.prints((0..500).map(|n| format!("Zeile {n}\n")).collect::<String>());
        let page = trainer.log.page(490, 100).unwrap();
        assert_eq!((page.total, page.first, page.lines.len()), (500, 490, 10));
        assert_eq!(trainer.log.page(900, 5).unwrap(), LogLines { total: 500, first: 500, lines: Vec::new() });
        assert_eq!(
            trainer.log.search("zeile 49", 100).unwrap(),
            [49, 490, 491, 492, 493, 494, 495, 496, 497, 498, 499]
        );
        assert_eq!(trainer.log.search("ZEILE", 3).unwrap(), [0, 1, 2]);
        assert!(trainer.log.search("", 3).unwrap().is_empty());

        let page = trainer.log.end(3).unwrap();
        assert_eq!(
            (page.total, page.first, page.lines),
            (500, 497, vec!["Zeile 497".into(), "Zeile 498".into(), "Zeile 499".into()])
        );
        let all = trainer.log.end(900).unwrap();
        assert_eq!((all.first, all.lines.len()), (0, 500));
        assert_eq!(trainer.log.page(7, 0).unwrap(), LogLines { total: 500, first: 7, lines: Vec::new() });
    }

    #[test]
    fn a_long_log_is_searched_to_its_end() {
        let mut trainer = Trainer::new();
        let lines = SEARCHED * 2 + 7;
        trainer.prints((0..lines).map(|n| format!("\x1b[1mÄpoch {n}\n")).collect::<String>());
        let last = lines - 1;
        assert_eq!(trainer.log.search(&format!("äpoch {last}"), 9).unwrap(), [last]);
        assert!(trainer.log.search("\u{1b}[1m", 9).unwrap().is_empty(), "nobody sees it");
        let mut found = Vec::new();
        assert_eq!(trainer.log.search_on("poch", u32::MAX, 0, &mut found).unwrap(), Some(SEARCHED));
        assert_eq!(found.len(), SEARCHED as usize);
    }

    #[test]
    fn a_page_shows_the_beginning_of_a_long_line() {
        let mut trainer = Trainer::new();
        let lines = trainer.prints(format!("{}end\nnext\n", "字".repeat(3000)));
        assert_eq!(lines[0].chars().count(), SHOWN + 1);
        assert!(lines[0].ends_with("字…") && lines[1] == "next");
        assert_eq!(trainer.log.search("end", 9).unwrap(), [0]);
    }

    #[test]
    fn a_log_that_was_replaced_is_read_anew() {
        let mut trainer = Trainer::new();
        trainer.prints("a long first line\n");
        trainer.file = File::create(&trainer.log.path).unwrap();
        assert_eq!(trainer.prints("b\n"), ["b"]);
    }

    #[test]
    fn many_lines_with_redrawn_bars_are_indexed_by_what_is_seen() {
        let mut trainer = Trainer::new();
        let mut text = String::new();
        for n in 0..1_000_000 {
            use std::fmt::Write as _;
            writeln!(text, "epoch {n}").unwrap();
        }
        text.push_str(&"\r\x1b[K bar ".repeat(100_000));
        text.push_str("\nend\n");
        trainer.file.write_all(text.as_bytes()).unwrap();
        let page = trainer.log.page(999_999, 10).unwrap();
        assert_eq!((page.total, page.lines), (1_000_002, vec!["epoch 999999".into(), " bar ".into(), "end".into()]));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_in_any_pieces_give_the_same_lines(pieces in proptest::collection::vec("[a-c\r\n\x1b\\[]{0,6}", 0..12)) {
            let mut pieced = Trainer::new();
            let mut lines = Vec::new();
            for piece in &pieces {
                lines = pieced.prints(piece);
            }
            let mut whole = Trainer::new();
            proptest::prop_assert_eq!(lines, whole.prints(pieces.concat()));
        }
    }
}
