//! Numbers as Python writes them.

/// A number as Python's `float` reads it.
pub(super) fn python_float(token: &str) -> Option<f64> {
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
