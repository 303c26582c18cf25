//! What the trainer makes of a label file: its boxes, or why it refuses the file.
//!
//! The rules are those of `verify_image_label` of Ultralytics 8.4, down to its number formats (Python's `float`,
//! kept as 32-bit floats) and its tolerance of one percent.

mod all;
mod numbers;
mod plain;
mod text;

use super::LabelBox;
use numbers::python_float;
use text::{is_space, lines, text};

/// What a label file is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LabelRules {
    /// How many classes the dataset has; ids are below it.
    pub classes: u32,
    /// Key points per object and values per key point (`kpt_shape`), where the dataset declares them.
    pub keypoints: Option<(u32, u32)>,
    /// Judged for a model that learns key points: every row needs them. Other models have them cut off.
    pub pose: bool,
}

impl LabelRules {
    /// For boxes of this many classes.
    #[must_use]
    pub fn boxes(classes: u32) -> Self {
        Self { classes, ..Self::default() }
    }

    /// Values per row that describe key points; 0: none.
    fn keypoint_values(&self) -> usize {
        self.keypoints.map_or(0, |(count, values)| count.saturating_mul(values)) as usize
    }
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
        self.clear();
        if !plain::tokenize(bytes, &mut self.values, &mut self.rows) {
            self.clear();
            self.tokenize(text(bytes)?, rules)?;
        }
        let outlines = if rules.pose {
            self.check_pose_columns(rules)?;
            false
        } else {
            self.cut_keypoints(rules);
            self.check_columns()?
        };
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

    /// The lines of the boxes that were read last, counted from 1.
    #[must_use]
    pub fn lines(&self) -> Vec<u32> {
        let is_kept =
            |index: usize| u32::try_from(index).is_ok_and(|index| self.repeats.binary_search(&index).is_err());
        self.rows.iter().enumerate().filter(|(index, _)| is_kept(*index)).map(|(_, row)| row.line).collect()
    }

    fn clear(&mut self) {
        self.values.clear();
        self.rows.clear();
        self.boxes.clear();
    }

    fn tokenize(&mut self, text: &str, rules: LabelRules) -> Result<(), LabelFault> {
        for (line, row) in lines(text) {
            let start = self.values.len();
            for token in tokens(row, rules) {
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
        let values = rules.keypoint_values();
        if values > 0 {
            let pose = 5 + values;
            for row in self.rows.iter_mut().filter(|row| row.columns == pose) {
                row.columns = 5;
            }
        }
    }

    /// Every row has a box and all key points.
    fn check_pose_columns(&self, rules: LabelRules) -> Result<(), LabelFault> {
        let expected = 5 + rules.keypoint_values();
        match self.rows.iter().find(|row| row.columns != expected) {
            Some(row) => {
                Err(LabelFault::Columns { line: row.line, columns: u32::try_from(row.columns).unwrap_or(u32::MAX) })
            }
            None => Ok(()),
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
        let rows = || self.rows.iter().zip(&self.boxes);
        for (row, found) in rows() {
            if let Some(value) = self.beyond(row, found, rules) {
                return Err(LabelFault::OutOfBounds { line: row.line, value });
            }
        }
        let floor = self.floor();
        for (row, found) in rows() {
            if let Some(value) = self.below(row, found, rules, floor) {
                return Err(LabelFault::Negative { line: row.line, value });
            }
        }
        for (row, _) in rows() {
            let class = self.values[row.start];
            if class % 1.0 != 0.0 {
                return Err(LabelFault::FractionalClass { line: row.line, value: class });
            }
        }
        for (row, found) in rows() {
            if found.class >= rules.classes {
                return Err(LabelFault::ClassOutOfRange { line: row.line, class: found.class });
            }
        }
        Ok(())
    }

    /// The first coordinate of a row that lies too far beyond the image. Of rows with key points, the trainer looks at
    /// those alone.
    fn beyond(&self, row: &Row, found: &LabelBox, rules: LabelRules) -> Option<f32> {
        let is_beyond = |value: &f32| value.is_nan() || *value > LIMIT;
        match rules.keypoints.filter(|_| rules.pose) {
            Some((_, values)) => self.values[row.start + 5..row.start + row.columns]
                .chunks(values.max(1) as usize)
                .flat_map(|point| &point[..point.len().min(2)])
                .copied()
                .find(is_beyond),
            None => [found.x, found.y, found.w, found.h].into_iter().find(is_beyond),
        }
    }

    /// The first value of a row that is too negative.
    fn below(&self, row: &Row, found: &LabelBox, rules: LabelRules, floor: f32) -> Option<f32> {
        let is_below = |value: &f32| value.is_nan() || *value < floor;
        if rules.pose {
            return self.values[row.start..row.start + row.columns].iter().copied().find(is_below);
        }
        [self.values[row.start], found.x, found.y, found.w, found.h].into_iter().find(is_below)
    }

    /// How negative a value may be. Once a side is negative, the tolerance for centres beside the image is gone for the
    /// whole file.
    fn floor(&self) -> f32 {
        if self.boxes.iter().any(|found| found.w < 0.0 || found.h < 0.0) { 0.0 } else { -TOLERANCE }
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

/// The words of a row. Key points that are not wanted are cut off before anybody asks whether they are numbers.
fn tokens(row: &str, rules: LabelRules) -> impl Iterator<Item = &str> {
    let words = || row.split(is_space).filter(|token| !token.is_empty());
    let values = if rules.pose { 0 } else { rules.keypoint_values() };
    let most = if values > 0 && words().count() == 5 + values { 5 } else { usize::MAX };
    words().take(most)
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

#[cfg(test)]
mod tests;
