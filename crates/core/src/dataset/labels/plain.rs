//! The label files that nearly all are: ASCII digits, points, spaces and line ends.

use super::Row;

/// Ten to the power of every number of decimals that a number here may have; all of them exact.
const POWERS: [f64; 20] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19];
/// Whole numbers up to this are exact as floats; an exact number divided by an exact power of ten is rounded once, so
/// it is what Python reads (Clinger, "How to read floating point numbers accurately", 1990).
const EXACT: u64 = 1 << 53;

/// Reads the numbers of a label file. `false`: something rarer is in it, and what was read so far is worthless.
pub(super) fn tokenize(bytes: &[u8], values: &mut Vec<f32>, rows: &mut Vec<Row>) -> bool {
    let mut line = 1;
    let mut start = values.len();
    let mut at = 0;
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t') => at += 1,
            Some(b'0'..=b'9' | b'.' | b'-') => {
                let Some(value) = number(bytes, &mut at) else { return false };
                values.push(value);
            }
            Some(b'\r') if bytes.get(at + 1) == Some(&b'\n') => at += 1,
            end @ (Some(b'\n') | None) => {
                if values.len() > start {
                    rows.push(Row { line, start, columns: values.len() - start });
                    start = values.len();
                }
                if end.is_none() {
                    return true;
                }
                line += 1;
                at += 1;
            }
            Some(_) => return false,
        }
    }
}

fn number(bytes: &[u8], at: &mut usize) -> Option<f32> {
    let negative = bytes[*at] == b'-';
    let mut here = *at + usize::from(negative);
    let first = here;
    let mut mantissa: u64 = 0;
    let mut point = None;
    loop {
        match bytes.get(here) {
            // The twentieth digit may not fit, and is not used.
            Some(digit @ b'0'..=b'9') => mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')),
            Some(b'.') if point.is_none() => point = Some(here),
            Some(b' ' | b'\n' | b'\t' | b'\r') | None => break,
            Some(_) => return None,
        }
        here += 1;
        // More digits might not fit; such numbers take the long way.
        if here - first > 19 {
            return None;
        }
    }
    let decimals = point.map_or(0, |point| here - point - 1);
    let digits = here - first - usize::from(point.is_some());
    if digits == 0 || mantissa > EXACT {
        return None;
    }
    *at = here;
    #[expect(clippy::cast_precision_loss, reason = "exact below 2^53")]
    let value = mantissa as f64 / POWERS[decimals];
    #[expect(clippy::cast_possible_truncation, reason = "the trainer keeps 32-bit floats")]
    Some(if negative { -value } else { value } as f32)
}
