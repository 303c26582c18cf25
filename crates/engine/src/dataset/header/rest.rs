//! The formats that are rare in datasets.

use super::{Colors, Format, Header, Refusal, Source};

fn header(format: Format, width: u32, height: u32) -> Result<Header, Refusal> {
    if width == 0 || height == 0 {
        return Err(Refusal::Damaged);
    }
    Ok(Header { format, width, height, orientation: 1, repaired: false, colors: Colors::Rgb })
}

pub(super) fn bmp(source: &mut Source<'_>) -> Result<Header, Refusal> {
    let size = u32::from_le_bytes(source.array(14)?);
    let (width, height) = match size {
        12 => {
            let [w0, w1, h0, h1] = source.array(18)?;
            (u32::from(u16::from_le_bytes([w0, w1])), u32::from(u16::from_le_bytes([h0, h1])))
        }
        40 | 52 | 56 | 64 | 108 | 124 => {
            let height = i32::from_le_bytes(source.array(22)?);
            (u32::from_le_bytes(source.array(18)?), height.unsigned_abs())
        }
        _ => return Err(Refusal::Damaged),
    };
    header(Format::Bmp, width, height)
}

pub(super) fn webp(source: &mut Source<'_>) -> Result<Header, Refusal> {
    if u64::from(u32::from_le_bytes(source.array(4)?)) + 8 > source.length() {
        return Err(Refusal::Truncated);
    }
    let kind: [u8; 4] = source.array(12)?;
    let (width, height) = match &kind {
        b"VP8 " => {
            let [w0, w1, h0, h1] = source.array(26)?;
            (u32::from(u16::from_le_bytes([w0, w1]) & 0x3FFF), u32::from(u16::from_le_bytes([h0, h1]) & 0x3FFF))
        }
        b"VP8L" => {
            let bits = u32::from_le_bytes(source.array(21)?);
            ((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
        }
        b"VP8X" => {
            let [w0, w1, w2, h0, h1, h2] = source.array(24)?;
            (u32::from_le_bytes([w0, w1, w2, 0]) + 1, u32::from_le_bytes([h0, h1, h2, 0]) + 1)
        }
        _ => return Err(Refusal::Damaged),
    };
    header(Format::Webp, width, height)
}

pub(super) fn tiff(source: &mut Source<'_>) -> Result<Header, Refusal> {
    let start: [u8; 4] = source.array(0)?;
    let little = start[0] == b'I';
    let big = start[2] == 43 || start[3] == 43;
    let u16_of = |bytes: [u8; 2]| if little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) };
    let u32_of = |bytes: [u8; 4]| if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
    let u64_of = |bytes: [u8; 8]| if little { u64::from_le_bytes(bytes) } else { u64::from_be_bytes(bytes) };
    let (directory, count, first, step) = if big {
        let directory = u64_of(source.array(8)?);
        (directory, u64_of(source.array(directory)?), 8, 20)
    } else {
        let directory = u64::from(u32_of(source.array(4)?));
        (directory, u64::from(u16_of(source.array(directory)?)), 2, 12)
    };
    let (mut width, mut height, mut orientation, mut bits, mut kind) = (0, 0, 1, 8, 2);
    for entry in 0..count.min(4096) {
        let at = directory.saturating_add(first + step * entry);
        let (tag, size) = (u16_of(source.array(at)?), u16_of(source.array(at + 2)?));
        if !matches!(tag, 256 | 257 | 258 | 262 | 274) {
            continue;
        }
        let count = u32_of(source.array(at + 4)?);
        let at = at + if big { 12 } else { 8 };
        // Bits of several channels lie elsewhere; they are the same for all.
        let at = if tag == 258 && count > 2 && !big { u64::from(u32_of(source.array(at)?)) } else { at };
        let value = match size {
            3 => u32::from(u16_of(source.array(at)?)),
            4 => u32_of(source.array(at)?),
            _ => continue,
        };
        match tag {
            256 => width = value,
            257 => height = value,
            258 => bits = value,
            262 => kind = value,
            _ => orientation = u8::try_from(value).ok().filter(|value| (1..=8).contains(value)).unwrap_or(1),
        }
    }
    let colors = match kind {
        _ if bits > 8 => Colors::Deep,
        0 | 1 => Colors::Gray,
        5 => Colors::Cmyk,
        _ => Colors::Rgb,
    };
    Ok(Header { orientation, colors, ..header(Format::Tiff, width, height)? })
}

/// AVIF and HEIC share a container. The picture's size is the largest that its items declare: tiles and thumbnails
/// declare theirs as well.
pub(super) fn heif(source: &mut Source<'_>) -> Result<Header, Refusal> {
    let head = source.piece(0, 1 << 16)?;
    let brands = usize::try_from(u32::from_be_bytes(source.array(0)?)).unwrap_or(0);
    let brands = head.get(8..brands.min(head.len())).unwrap_or_default();
    let any = |wanted: &[&[u8; 4]]| brands.chunks_exact(4).any(|brand| wanted.iter().any(|wanted| *wanted == brand));
    let format = if any(&[b"avif", b"avis"]) {
        Format::Avif
    } else if any(&[b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"]) {
        Format::Heif
    } else {
        return Err(Refusal::WrongFormat("MP4"));
    };
    let sizes = head.windows(16).filter(|bytes| bytes.starts_with(b"ispe")).map(|bytes| {
        let side = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        (side(8), side(12))
    });
    let (width, height) = sizes.max_by_key(|(w, h)| u64::from(*w) * u64::from(*h)).ok_or(Refusal::Damaged)?;
    header(format, width, height)
}

pub(super) fn jpeg2000(source: &mut Source<'_>) -> Result<Header, Refusal> {
    let head = source.piece(0, 1 << 12)?;
    let u32_at = |at: usize| -> Option<u32> { Some(u32::from_be_bytes(head.get(at..at + 4)?.try_into().ok()?)) };
    // A bare code stream says its size in its first marker, a boxed one in its image header.
    let size = if head.starts_with(&[0xFF, 0x4F]) {
        let side = |end: usize, start: usize| u32_at(end)?.checked_sub(u32_at(start)?);
        side(8, 16).zip(side(12, 20))
    } else {
        head.windows(4).position(|bytes| bytes == b"ihdr").and_then(|at| u32_at(at + 8).zip(u32_at(at + 4)))
    };
    let (width, height) = size.ok_or(Refusal::Damaged)?;
    header(Format::Jpeg2000, width, height)
}
