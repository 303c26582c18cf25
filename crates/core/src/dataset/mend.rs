//! Label files mended where what was meant is beyond doubt.

use std::collections::HashSet;

use super::labels::LabelRules;

/// A row that is another afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Counted from 1; 0: the whole file.
    pub line: u32,
    /// As it was.
    pub before: String,
    /// As it is; `None`: it is gone.
    pub after: Option<String>,
    /// What was done to it.
    pub why: Why,
}

/// What was done to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The file was saved as UTF-8.
    Recoded,
    /// Commas became points, or spaces.
    Commas,
    /// Pixels became shares of the image.
    Pixels,
    /// What reached beyond the image was cut off.
    Clipped,
    /// Nothing of it was on the image.
    Empty,
    /// It said the same as an earlier row.
    Duplicate,
}

impl Why {
    /// The name used in JSON and sentences.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Recoded => "recoded",
            Self::Commas => "commas",
            Self::Pixels => "pixels",
            Self::Clipped => "clipped",
            Self::Empty => "empty",
            Self::Duplicate => "duplicate",
        }
    }
}

/// A label file after mending.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mended {
    /// Its text.
    pub text: String,
    /// What changed.
    pub changes: Vec<Change>,
}

/// How far a box may reach beyond the image before it is cut: what rounding to three digits does.
const ROUNDING: f64 = 0.001;

/// Mends a label file of an image with this width and height. Rows that are right stay as they are, to the letter; so do
/// rows of which nobody can tell what was meant.
#[must_use]
pub fn mend(bytes: &[u8], rules: LabelRules, size: (u32, u32)) -> Mended {
    let (text, coding) = decoded(bytes);
    let mut mended = Mended::default();
    if let Some(coding) = coding {
        let (before, after) = (coding.to_owned(), Some("UTF-8".to_owned()));
        mended.changes.push(Change { line: 0, before, after, why: Why::Recoded });
    }
    let mut seen: HashSet<String> = HashSet::new();
    for (line, row) in (1u32..).zip(text.lines()) {
        let change = |after: Option<String>, why| Change { line, before: row.trim_end().to_owned(), after, why };
        let (mut row_now, mut why) = (row.trim_end().to_owned(), None);
        if let Some(after) = without_commas(&row_now) {
            (row_now, why) = (after, Some(Why::Commas));
        }
        let values: Option<Vec<f64>> = row_now.split_whitespace().map(|token| token.parse().ok()).collect();
        if let Some(mut values) = values.filter(|values| values.len() >= 5 && values.iter().all(|v| v.is_finite())) {
            if in_pixels(&values, size) {
                to_shares(&mut values, size);
                (row_now, why) = (written(&values), Some(Why::Pixels));
            }
            match clipped(&values, rules) {
                Clip::Inside => {}
                Clip::Cut(values) => (row_now, why) = (written(&values), Some(Why::Clipped)),
                Clip::Nothing => {
                    mended.changes.push(change(None, Why::Empty));
                    continue;
                }
            }
        }
        if !row_now.is_empty() && seen.contains(&row_now) {
            mended.changes.push(change(None, Why::Duplicate));
            continue;
        }
        if let Some(why) = why {
            mended.changes.push(change(Some(row_now.clone()), why));
        }
        mended.text.push_str(&row_now);
        mended.text.push('\n');
        seen.insert(row_now);
    }
    mended
}

/// The text, and the name of its coding where it is not plain UTF-8.
pub(super) fn decoded(bytes: &[u8]) -> (String, Option<&'static str>) {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => (wide(rest, u16::from_le_bytes), Some("UTF-16")),
        [0xFE, 0xFF, rest @ ..] => (wide(rest, u16::from_be_bytes), Some("UTF-16")),
        [0xEF, 0xBB, 0xBF, rest @ ..] => (String::from_utf8_lossy(rest).into_owned(), None),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => (text.to_owned(), None),
            // All that counts in a label file is ASCII, which every Windows code page shares.
            Err(_) => (bytes.iter().map(|byte| char::from(*byte)).collect(), Some("Windows-1252")),
        },
    }
}

/// A row with points for decimal commas, or spaces for separating ones; `None`: there is none, or it is unclear.
fn without_commas(row: &str) -> Option<String> {
    if !row.contains([',', ';', '，']) {
        return None;
    }
    let is_number = |token: &str| token.parse::<f64>().is_ok();
    let decimals: Vec<String> = row.split_whitespace().map(|token| token.replace([',', '，'], ".")).collect();
    if decimals.len() >= 5 && decimals.iter().all(|token| is_number(token)) {
        return Some(decimals.join(" "));
    }
    let separated: Vec<&str> = row.split([',', ';', '，', ' ', '\t']).filter(|token| !token.is_empty()).collect();
    (separated.len() >= 5 && separated.iter().all(|token| is_number(token))).then(|| separated.join(" "))
}

/// Whether a row's coordinates are pixels: some are far above 1, and all fit the image.
pub(super) fn in_pixels(values: &[f64], (width, height): (u32, u32)) -> bool {
    let sides = [f64::from(width), f64::from(height)];
    let coordinates = || values[1..].iter().enumerate();
    (values.len() == 5 || values.len() % 2 == 1)
        && coordinates().any(|(_, value)| *value > 2.0)
        && coordinates().all(|(at, value)| *value >= 0.0 && *value <= sides[at % 2])
}

pub(super) fn to_shares(values: &mut [f64], (width, height): (u32, u32)) {
    for (at, value) in values[1..].iter_mut().enumerate() {
        *value /= f64::from(if at % 2 == 0 { width } else { height });
    }
}

enum Clip {
    Inside,
    Cut(Vec<f64>),
    Nothing,
}

fn clipped(values: &[f64], rules: LabelRules) -> Clip {
    let mut cut = values.to_vec();
    let has_points =
        rules.keypoints.is_some_and(|(count, each)| values.len() == 5 + count.saturating_mul(each) as usize);
    if values.len() == 5 || has_points {
        let edges = |centre: f64, side: f64| (centre - side / 2.0, centre + side / 2.0);
        for (centre, side) in [(1, 3), (2, 4)] {
            let (low, high) = edges(values[centre], values[side]);
            if low < -ROUNDING || high > 1.0 + ROUNDING {
                let (low, high) = (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0));
                (cut[centre], cut[side]) = (f64::midpoint(low, high), high - low);
            }
        }
        if cut[3] <= 0.0 || cut[4] <= 0.0 {
            return Clip::Nothing;
        }
    } else if values.len() > 6 && values.len() % 2 == 1 {
        let axis = |first: usize| values[first..].iter().step_by(2).copied();
        let is_beside = |first| axis(first).all(|value| value <= 0.0) || axis(first).all(|value| value >= 1.0);
        if is_beside(1) || is_beside(2) {
            return Clip::Nothing;
        }
        for value in &mut cut[1..] {
            if *value < -ROUNDING || *value > 1.0 + ROUNDING {
                *value = value.clamp(0.0, 1.0);
            }
        }
    }
    if cut == values { Clip::Inside } else { Clip::Cut(cut) }
}

/// A row of a class and coordinates.
fn written(values: &[f64]) -> String {
    values.iter().map(|value| format!("{}", (value * 1e6).round() / 1e6)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::labels::LabelReader;

    const RULES: LabelRules = LabelRules { classes: 3, keypoints: None, pose: false };

    fn rows(text: &str) -> Vec<String> {
        mend(text.as_bytes(), RULES, (640, 480)).text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn what_is_right_stays_to_the_letter() {
        let text = "0  0.50 .5 0.1000001 1e-1\n2 0.1 0.1 0.2 0.1 0.2 0.2\n";
        assert_eq!(mend(text.as_bytes(), RULES, (640, 480)), Mended { text: text.to_owned(), changes: Vec::new() });
        assert_eq!(rows("what is this\n0 1 2\n"), ["what is this", "0 1 2"]);
    }

    #[test]
    fn rows_are_mended() {
        assert_eq!(rows("0 0,5 0,5 0,25 0,25"), ["0 0.5 0.5 0.25 0.25"]);
        assert_eq!(rows("0,0.5,0.5,0.25,0.25"), ["0 0.5 0.5 0.25 0.25"]);
        assert_eq!(rows("1 320 240 64 48"), ["1 0.5 0.5 0.1 0.1"]);
        assert_eq!(rows("0 1.0 0.5 0.5 0.5"), ["0 0.875 0.5 0.25 0.5"]);
        assert_eq!(rows("0 -0.1 0.5 0.4 0.5"), ["0 0.05 0.5 0.1 0.5"]);
        assert_eq!(rows("0 1.5 0.5 0.4 0.5\n0 .5 .5 .1 .1\n0 .5 .5 .1 .1"), ["0 .5 .5 .1 .1"]);
        assert_eq!(rows("0 -0.5 0 1.5 0 0.5 0.5"), ["0 0 0 1 0 0.5 0.5"]);
    }

    #[test]
    fn many_rows_take_no_longer_each() {
        let text: String = (0..100_000).map(|row| format!("0 0.{:06} .5 .1 .1\n", 100_000 + row % 90_000)).collect();
        assert_eq!(mend(text.as_bytes(), RULES, (640, 480)).changes.len(), 10_000);
    }

    #[test]
    fn other_codings_become_utf_8() {
        let utf16: Vec<u8> = "\u{feff}0 .5 .5 .1 .1\r\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let mended = mend(&utf16, RULES, (640, 480));
        assert_eq!((mended.text.as_str(), mended.changes[0].why), ("0 .5 .5 .1 .1\n", Why::Recoded));
        assert_eq!(mend(b"0 .5 .5 .1 .1 \xa0", RULES, (640, 480)).changes[0].before, "Windows-1252");
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_can_be_mended_and_mending_twice_changes_nothing_more(bytes: Vec<u8>) {
            let once = mend(&bytes, RULES, (640, 480));
            proptest::prop_assert_eq!(mend(once.text.as_bytes(), RULES, (640, 480)).text, once.text);
        }

        #[test]
        fn boxes_anywhere_are_taken_by_the_trainer_afterwards(
            rows in proptest::collection::vec((0..3u32, -2.0..3.0f64, -2.0..3.0f64, 0.001..2.0f64, 0.001..2.0f64), 0..9)
        ) {
            let text: String = rows.iter().map(|(c, x, y, w, h)| format!("{c} {x} {y} {w} {h}\n")).collect();
            let mended = mend(text.as_bytes(), RULES, (1, 1));
            proptest::prop_assert!(LabelReader::default().read(mended.text.as_bytes(), RULES).is_ok(), "{}", mended.text);
        }
    }
}
