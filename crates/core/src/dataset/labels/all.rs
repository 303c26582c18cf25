//! Everything that is wrong in a label file, where the trainer stops at the first thing.

use super::{LabelBox, LabelFault, LabelReader, LabelRules, Row, around, is_space, lines, python_float, text, tokens};

impl LabelReader {
    /// Every fault of a refused label file, at most one a row, in the order of its rows; no more than `most`.
    /// What is wrong with a row is told as if the other rows were right.
    #[must_use]
    pub fn faults(&mut self, bytes: &[u8], rules: LabelRules, most: usize) -> Vec<LabelFault> {
        let text = match text(bytes) {
            Ok(text) => text,
            Err(fault) => return vec![fault],
        };
        // What most rows are, the others should be as well.
        let columns = |row: &str| row.split(is_space).filter(|token| !token.is_empty()).count();
        let (boxes, outlines) = lines(text).fold((0u32, 0u32), |(boxes, outlines), (_, row)| match columns(row) {
            5 => (boxes + 1, outlines),
            7.. => (boxes, outlines + 1),
            _ => (boxes, outlines),
        });
        let expects = if rules.pose {
            Expected::Pose
        } else if outlines > 0 && outlines >= boxes {
            Expected::Outlines
        } else {
            Expected::Boxes { mixed: outlines > 0 }
        };
        lines(text).filter_map(|(line, row)| self.fault(line, row, rules, expects)).take(most).collect()
    }

    fn fault(&mut self, line: u32, text: &str, rules: LabelRules, expects: Expected) -> Option<LabelFault> {
        self.clear();
        for token in tokens(text, rules) {
            let Some(value) = python_float(token) else {
                return Some(LabelFault::NotANumber { line, comma: token.contains([',', '，', ';']) });
            };
            #[expect(clippy::cast_possible_truncation, reason = "the trainer keeps 32-bit floats")]
            self.values.push(value as f32);
        }
        let mut row = Row { line, start: 0, columns: self.values.len() };
        let columns = u32::try_from(row.columns).unwrap_or(u32::MAX);
        let values = rules.keypoint_values();
        match (expects, row.columns) {
            (_, 0) => return None,
            (Expected::Pose, count) if count == 5 + values => {}
            (Expected::Pose, _) => return Some(LabelFault::Columns { line, columns }),
            (_, count) if values > 0 && count == 5 + values => row.columns = 5,
            (Expected::Boxes { .. }, 5) => {}
            (Expected::Boxes { mixed: true }, 7..) | (Expected::Outlines, 5) => {
                return Some(LabelFault::Mixed { line });
            }
            (Expected::Boxes { .. }, _) => return Some(LabelFault::Columns { line, columns }),
            (Expected::Outlines, count) if count < 7 || count.is_multiple_of(2) => {
                return Some(LabelFault::Outline { line, columns });
            }
            (Expected::Outlines, _) => {}
        }
        let v = &self.values;
        let [x, y, w, h] = if row.columns > 6 && !rules.pose { around(&v[1..]) } else { [v[1], v[2], v[3], v[4]] };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let found = LabelBox { class: v[0] as u32, x, y, w, h };
        let floor = if w < 0.0 || h < 0.0 { 0.0 } else { -super::TOLERANCE };
        if let Some(value) = self.beyond(&row, &found, rules) {
            return Some(LabelFault::OutOfBounds { line, value });
        }
        if let Some(value) = self.below(&row, &found, rules, floor) {
            return Some(LabelFault::Negative { line, value });
        }
        let class = self.values[0];
        if class % 1.0 != 0.0 {
            return Some(LabelFault::FractionalClass { line, value: class });
        }
        (found.class >= rules.classes).then_some(LabelFault::ClassOutOfRange { line, class: found.class })
    }
}

/// What the rows of a file should be.
#[derive(Clone, Copy)]
enum Expected {
    /// `mixed`: some rows are outlines.
    Boxes {
        mixed: bool,
    },
    Outlines,
    Pose,
}
