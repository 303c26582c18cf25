//! JPEG, and files of several JPEGs.

use super::{Colors, Format, Header, Refusal, Source, exif_orientation};

/// Image data that begins farther in than this is none: a file of this size without it must not take minutes.
const FARTHEST: u64 = 64 << 20;

/// Follows the markers up to the image data, as Pillow does, then looks whether the file ends where the image does.
pub(super) fn read(source: &mut Source<'_>) -> Result<Header, Refusal> {
    let mut header =
        Header { format: Format::Jpeg, width: 0, height: 0, orientation: 1, repaired: false, colors: Colors::Rgb };
    let mut at = 2;
    let data = loop {
        if at > FARTHEST {
            return Err(Refusal::Damaged);
        }
        let [byte] = source.array(at)?;
        if byte != 0xFF {
            at += 1;
            continue;
        }
        let [marker] = source.array(at + 1)?;
        match marker {
            // Padding.
            0xFF => {
                at += 1;
                continue;
            }
            // Markers without content, and data that looks like one.
            0x00 | 0x01 | 0xD0..=0xD9 => {
                at += 2;
                continue;
            }
            0x02..=0xBF => return Err(Refusal::Damaged),
            _ => {}
        }
        let length = u64::from(u16::from_be_bytes(source.array(at + 2)?));
        if length < 2 {
            return Err(Refusal::Damaged);
        }
        let (content, size) = (at + 4, length - 2);
        match marker {
            0xDA => break content + size,
            // Frame headers; C4, C8 and CC are tables.
            0xC0..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) => {
                let [bits, h1, h0, w1, w0, layers] = source.array(content)?;
                if bits != 8 || !matches!(layers, 1 | 3 | 4) {
                    return Err(Refusal::Damaged);
                }
                header.colors = match layers {
                    1 => Colors::Gray,
                    4 => Colors::Cmyk,
                    _ => Colors::Rgb,
                };
                header.height = u32::from(u16::from_be_bytes([h1, h0]));
                header.width = u32::from(u16::from_be_bytes([w1, w0]));
            }
            0xE1 if source.array(content).is_ok_and(|start: [u8; 6]| start == *b"Exif\0\0") => {
                header.orientation = exif_orientation(&source.piece(content + 6, size.saturating_sub(6))?);
            }
            0xE2 if source.array(content).is_ok_and(|start: [u8; 4]| start == *b"MPF\0")
                && images(&source.piece(content + 4, size.saturating_sub(4))?) > 1 =>
            {
                header.format = Format::Mpo;
            }
            _ => {}
        }
        at = content + size;
    };
    if header.width == 0 || header.height == 0 {
        return Err(Refusal::Damaged);
    }
    // The trainer looks at the last two bytes of a JPEG, not at those of a file of several.
    if header.format == Format::Jpeg && source.array(source.length().saturating_sub(2))? != [0xFF, 0xD9] {
        if !ends(source, data)? {
            return Err(Refusal::Truncated);
        }
        header.repaired = true;
    }
    Ok(header)
}

/// How many images an MPF index lists.
fn images(index: &[u8]) -> u32 {
    let little = index.starts_with(b"II");
    let u16_at = |at: usize| -> Option<u16> {
        let bytes = index.get(at..at + 2)?.try_into().ok()?;
        Some(if little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let u32_at = |at: usize| -> Option<u32> {
        let bytes = index.get(at..at + 4)?.try_into().ok()?;
        Some(if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    };
    let find = || {
        let directory = u32_at(4)? as usize;
        (0..usize::from(u16_at(directory)?)).find_map(|entry| {
            let at = directory + 2 + 12 * entry;
            (u16_at(at)? == 0xB001).then(|| u32_at(at + 8)).flatten()
        })
    };
    find().unwrap_or(0)
}

/// Whether the image data that begins here comes to its end mark.
fn ends(source: &mut Source<'_>, mut at: u64) -> Result<bool, Refusal> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = source.read_up_to(at, &mut buffer)?;
        if count < 2 {
            return Ok(false);
        }
        let Some(mark) = buffer[..count - 1]
            .windows(1)
            .zip(&buffer[1..count])
            .position(|(byte, next)| byte[0] == 0xFF && !matches!(next, 0x00 | 0xFF | 0xD0..=0xD7))
        else {
            at += count as u64 - 1;
            continue;
        };
        if buffer[mark + 1] == 0xD9 {
            return Ok(true);
        }
        // Tables and further scans lie between the scans of a progressive image.
        let marker = at + mark as u64;
        let Ok(length) = source.array(marker + 2) else { return Ok(false) };
        at = marker + 2 + u64::from(u16::from_be_bytes(length)).max(2);
    }
}
