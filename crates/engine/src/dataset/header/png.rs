//! PNG. The trainer's image library checks every chunk's checksum, so the whole file is read.

use super::{Colors, Format, Header, Refusal, Source, exif_orientation};

pub(super) fn read(source: &mut Source<'_>) -> Result<Header, Refusal> {
    let mut header =
        Header { format: Format::Png, width: 0, height: 0, orientation: 1, repaired: false, colors: Colors::Rgb };
    let mut buffer = vec![0; 1 << 16];
    let mut at = 8;
    let mut data_seen = false;
    loop {
        let [l3, l2, l1, l0, kind @ ..] = source.array::<8>(at)?;
        let length = u64::from(u32::from_be_bytes([l3, l2, l1, l0]));
        if !kind.iter().all(u8::is_ascii_alphanumeric) {
            return Err(Refusal::Damaged);
        }
        if &kind == b"IEND" {
            break;
        }
        let content = at + 8;
        let mut sum = crc32fast::Hasher::new();
        sum.update(&kind);
        let mut done = 0;
        while done < length {
            let piece = usize::try_from(length - done).unwrap_or(usize::MAX).min(buffer.len());
            let count = source.read_up_to(content + done, &mut buffer[..piece])?;
            if count < piece {
                return Err(Refusal::Truncated);
            }
            sum.update(&buffer[..piece]);
            done += piece as u64;
        }
        if sum.finalize().to_be_bytes() != source.array::<4>(content + length)? {
            return Err(Refusal::Damaged);
        }
        match &kind {
            b"IHDR" => {
                let [w3, w2, w1, w0, h3, h2, h1, h0, depth, kind] = source.array(content)?;
                header.colors = match (depth, kind) {
                    (16, _) => Colors::Deep,
                    (_, 0 | 4) => Colors::Gray,
                    _ => Colors::Rgb,
                };
                header.width = u32::from_be_bytes([w3, w2, w1, w0]);
                header.height = u32::from_be_bytes([h3, h2, h1, h0]);
            }
            b"IDAT" => data_seen = true,
            b"eXIf" if !data_seen => header.orientation = exif_orientation(&source.piece(content, length)?),
            _ => {}
        }
        at = content + length + 4;
    }
    if header.width == 0 || header.height == 0 || !data_seen {
        return Err(Refusal::Damaged);
    }
    Ok(header)
}
