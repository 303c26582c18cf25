//! What the trainer makes of a label file: its boxes, or why it refuses the file.
//!
//! The rules are those of `verify_image_label` of Ultralytics 8.4, down to its number formats (Python's `float`,
//! kept as 32-bit floats) and its tolerance of one percent.

use super::LabelBox;

/// What a label file is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelRules {
    /// How many classes the dataset has; ids are below it.
    pub classes: u32,
    /// Values per row that describe key points (`kpt_shape` multiplied out); 0: none. They are cut off for boxes.
    pub keypoint_values: u32,
}

/// Why the trainer refuses a label file, and with it its image. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelFault {
    /// UTF-16 text, as some Windows editors write it.
    Utf16,
    /// Holds zero bytes: no text at all.
    Binary,
    /// Text in another encoding than UTF-8.
    NotUtf8 {
        /// The first line that is not UTF-8.
        line: u32,
    },
    /// Rows with a box and rows with an outline in one file.
    Mixed {
        /// The first row with a box.
        line: u32,
    },
    /// A row that has neither 5 columns nor an outline.
    Columns {
        /// The row.
        line: u32,
        /// What it has.
        columns: u32,
    },
    /// An outline without a point, or with an x that has no y.
    Outline {
        /// The row.
        line: u32,
        /// What it has.
        columns: u32,
    },
    /// Something that is no number.
    NotANumber {
        /// The row.
        line: u32,
        /// A comma in place of the decimal point or between the columns.
        comma: bool,
    },
    /// A coordinate beyond the image: more than one percent above 1.
    OutOfBounds {
        /// The row.
        line: u32,
        /// The value.
        value: f32,
    },
    /// A negative class id or coordinate.
    Negative {
        /// The row.
        line: u32,
        /// The value.
        value: f32,
    },
    /// A class id that is no whole number.
    FractionalClass {
        /// The row.
        line: u32,
        /// The value.
        value: f32,
    },
    /// A class id that the dataset does not declare.
    ClassOutOfRange {
        /// The row.
        line: u32,
        /// The id.
        class: u32,
    },
}

impl LabelFault {
    /// The row it is about, counted from 1; `None`: the whole file.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        match self {
            Self::Utf16 | Self::Binary => None,
            Self::NotUtf8 { line }
            | Self::Mixed { line }
            | Self::Columns { line, .. }
            | Self::Outline { line, .. }
            | Self::NotANumber { line, .. }
            | Self::OutOfBounds { line, .. }
            | Self::Negative { line, .. }
            | Self::FractionalClass { line, .. }
            | Self::ClassOutOfRange { line, .. } => Some(*line),
        }
    }
}

/// The accepted content of a label file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Labels<'reader> {
    /// Its boxes, each once, in the order of the file.
    pub boxes: &'reader [LabelBox],
    /// Rows that say the same as an earlier one; the trainer drops them.
    pub duplicates: u32,
    /// The first of these rows, counted from 1; 0: there is none.
    pub first_duplicate: u32,
    /// What its rows describe.
    pub shape: Shape,
}

/// What the rows of a label file describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Boxes, or nothing.
    Boxes,
    /// Outlines; the boxes are those around them.
    Outlines,
    /// Outlines of four points each: rotated boxes.
    Rotated,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    line: u32,
    start: usize,
    columns: usize,
}

/// Reads label files one after another and keeps its memory between them.
#[derive(Debug, Default)]
pub struct LabelReader {
    values: Vec<f32>,
    rows: Vec<Row>,
    boxes: Vec<LabelBox>,
    repeats: Vec<u32>,
}

impl LabelReader {
    /// Judges a label file.
    ///
    /// # Errors
    /// The first thing the trainer would refuse it for.
    pub fn read(&mut self, bytes: &[u8], rules: LabelRules) -> Result<Labels<'_>, LabelFault> {
        self.tokenize(text(bytes)?)?;
        self.cut_keypoints(rules);
        let outlines = self.check_columns()?;
        self.make_boxes(outlines);
        self.check_values(rules)?;
        let (duplicates, first_duplicate) = self.drop_duplicates(outlines);
        let shape = match outlines {
            false => Shape::Boxes,
            true if self.rows.iter().all(|row| row.columns == 9) => Shape::Rotated,
            true => Shape::Outlines,
        };
        Ok(Labels { boxes: &self.boxes, duplicates, first_duplicate, shape })
    }

    fn tokenize(&mut self, text: &str) -> Result<(), LabelFault> {
        self.values.clear();
        self.rows.clear();
        self.boxes.clear();
        for (line, row) in lines(text) {
            let start = self.values.len();
            for token in row.split(is_space).filter(|token| !token.is_empty()) {
                let value = python_float(token)
                    .ok_or_else(|| LabelFault::NotANumber { line, comma: token.contains([',', '，', ';']) })?;
                #[expect(clippy::cast_possible_truncation, reason = "the trainer keeps 32-bit floats")]
                self.values.push(value as f32);
            }
            let columns = self.values.len() - start;
            if columns > 0 {
                self.rows.push(Row { line, start, columns });
            }
        }
        Ok(())
    }

    fn cut_keypoints(&mut self, rules: LabelRules) {
        if rules.keypoint_values > 0 {
            let pose = 5 + rules.keypoint_values as usize;
            for row in self.rows.iter_mut().filter(|row| row.columns == pose) {
                row.columns = 5;
            }
        }
    }

    /// Whether the rows are outlines.
    fn check_columns(&self) -> Result<bool, LabelFault> {
        let outlines = self.rows.iter().any(|row| row.columns > 6);
        for row in &self.rows {
            let (line, columns) = (row.line, u32::try_from(row.columns).unwrap_or(u32::MAX));
            match (outlines, row.columns) {
                (false, 5) => {}
                (false, _) => return Err(LabelFault::Columns { line, columns }),
                (true, 5) => return Err(LabelFault::Mixed { line }),
                (true, 1) => return Err(LabelFault::Outline { line, columns }),
                (true, count) if count.is_multiple_of(2) => return Err(LabelFault::Outline { line, columns }),
                (true, _) => {}
            }
        }
        Ok(outlines)
    }

    fn make_boxes(&mut self, outlines: bool) {
        for row in &self.rows {
            let values = &self.values[row.start..row.start + row.columns];
            let [x, y, w, h] =
                if outlines { around(&values[1..]) } else { [values[1], values[2], values[3], values[4]] };
            // A class that is no id is found by `check_values`, which looks at the value itself.
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
            let class = values[0] as u32;
            self.boxes.push(LabelBox { class, x, y, w, h });
        }
    }

    /// The trainer looks for one fault in the whole file before it looks for the next, so do we.
    fn check_values(&self, rules: LabelRules) -> Result<(), LabelFault> {
        let rows = || self.rows.iter().zip(&self.boxes).map(|(row, found)| (row.line, self.values[row.start], found));
        let coordinates = |found: &LabelBox| [found.x, found.y, found.w, found.h];
        for (line, _, found) in rows() {
            if let Some(value) = coordinates(found).into_iter().find(|value| value.is_nan() || *value > LIMIT) {
                return Err(LabelFault::OutOfBounds { line, value });
            }
        }
        // Once a side is negative, the tolerance for centres beside the image is gone for the whole file.
        let floor = if rows().any(|(_, _, found)| found.w < 0.0 || found.h < 0.0) { 0.0 } else { -TOLERANCE };
        for (line, class, found) in rows() {
            let [x, y, w, h] = coordinates(found);
            if let Some(value) = [class, x, y, w, h].into_iter().find(|value| value.is_nan() || *value < floor) {
                return Err(LabelFault::Negative { line, value });
            }
        }
        for (line, class, _) in rows() {
            if class % 1.0 != 0.0 {
                return Err(LabelFault::FractionalClass { line, value: class });
            }
        }
        for (line, _, found) in rows() {
            if found.class >= rules.classes {
                return Err(LabelFault::ClassOutOfRange { line, class: found.class });
            }
        }
        Ok(())
    }

    /// How many rows say the same as an earlier one, and the line of the first of them.
    fn drop_duplicates(&mut self, outlines: bool) -> (u32, u32) {
        /// Below this, comparing every pair is faster than sorting.
        const FEW: usize = 16;
        if !outlines {
            // To the trainer, boxes that differ only in the sign of a zero are the same; outlines are not.
            self.values.iter_mut().for_each(|value| *value += 0.0);
        }
        let Self { values, rows, boxes, repeats } = self;
        let row = |index: usize| &values[rows[index].start..rows[index].start + rows[index].columns];
        let same =
            |a: &[f32], b: &[f32]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
        repeats.clear();
        if rows.len() <= FEW {
            for index in 1..rows.len() {
                if (0..index).any(|earlier| same(row(earlier), row(index))) {
                    repeats.push(u32::try_from(index).unwrap_or(u32::MAX));
                }
            }
        } else {
            let mut sorted: Vec<usize> = (0..rows.len()).collect();
            sorted.sort_by(|a, b| row(*a).iter().map(|v| v.to_bits()).cmp(row(*b).iter().map(|v| v.to_bits())));
            for pair in sorted.windows(2) {
                if same(row(pair[0]), row(pair[1])) {
                    repeats.push(u32::try_from(pair[1]).unwrap_or(u32::MAX));
                }
            }
            repeats.sort_unstable();
        }
        let Some(first) = repeats.first() else { return (0, 0) };
        let first_line = rows[*first as usize].line;
        let mut repeat = repeats.iter().copied().peekable();
        let mut index = 0;
        boxes.retain(|_| {
            let keep = repeat.next_if_eq(&index).is_none();
            index += 1;
            keep
        });
        (u32::try_from(repeats.len()).unwrap_or(u32::MAX), first_line)
    }
}

/// How far beyond the image the trainer lets a coordinate be.
const TOLERANCE: f32 = 0.01;
const LIMIT: f32 = 1.01;

/// The box around points, as centre and size, computed in 32 bits as the trainer does.
fn around(points: &[f32]) -> [f32; 4] {
    let mut low = [f32::INFINITY; 2];
    let mut high = [f32::NEG_INFINITY; 2];
    for point in points.chunks_exact(2) {
        for axis in 0..2 {
            if point[axis].is_nan() {
                return [f32::NAN; 4];
            }
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0, high[0] - low[0], high[1] - low[1]]
}

/// A label file's text. The trainer takes UTF-8 with or without a byte order mark.
fn text(bytes: &[u8]) -> Result<&str, LabelFault> {
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
fn lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
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
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r' | '\x1c'..='\x1f') || (!c.is_ascii() && c.is_whitespace())
}

/// A number as Python's `float` reads it.
fn python_float(token: &str) -> Option<f64> {
    if let Ok(value) = token.parse() {
        return Some(value);
    }
    if token.is_ascii() && !token.contains('_') {
        return None;
    }
    // Python also takes digits of other scripts, and single underscores between digits.
    let mut plain = String::with_capacity(token.len());
    let mut characters = token.chars().peekable();
    let mut after_digit = false;
    while let Some(c) = characters.next() {
        match digit(c) {
            Some(value) => {
                plain.push(value);
                after_digit = true;
            }
            None if c == '_' => {
                if !after_digit || characters.peek().is_none_or(|next| digit(*next).is_none()) {
                    return None;
                }
                after_digit = false;
            }
            None => {
                plain.push(c);
                after_digit = false;
            }
        }
    }
    plain.parse().ok()
}

/// The ASCII digit for a decimal digit of any script.
fn digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    let code = u32::from(c);
    let zero = ZEROS[..ZEROS.partition_point(|zero| *zero <= code)].last()?;
    char::from_digit(code - zero, 10)
}

/// The zeros of every script's decimal digits (Unicode's general category Nd), ascending.
const ZEROS: &[u32] = &[
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6, 0x0E50,
    0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50,
    0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136,
    0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0,
    0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0,
];

#[cfg(test)]
mod tests;
