//! Image files by their headers: what they are, their size, which way is up, and whether the trainer's image library
//! would refuse them. Nothing is decoded.

mod jpeg;
mod png;
mod rest;
mod source;

pub(super) use source::{Bytes, Source};

/// An image file's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    /// What it is, whatever its name says.
    pub(super) format: Format,
    /// As stored.
    pub(super) width: u32,
    /// As stored.
    pub(super) height: u32,
    /// EXIF: 1 to 8; 1 is upright.
    pub(super) orientation: u8,
    /// A JPEG with bytes after its end: the trainer writes it anew before it uses it.
    pub(super) repaired: bool,
    /// What a pixel is.
    pub(super) colors: Colors,
}

/// What a pixel is. The trainer makes three channels of 8 bits of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colors {
    /// Red, green and blue, or what is shown as such.
    Rgb,
    /// Brightness alone.
    Gray,
    /// More than 8 bits a channel.
    Deep,
    /// Cyan, magenta, yellow and black, for printing.
    Cmyk,
}

/// A format the trainer takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Avif,
    Bmp,
    Heif,
    Jpeg,
    Jpeg2000,
    /// Several JPEGs in one file, as some cameras and phones write.
    Mpo,
    Png,
    Tiff,
    Webp,
}

/// Why the trainer refuses an image file.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The system could not read it.
    Unreadable(std::io::Error),
    /// No bytes.
    Empty,
    /// It ends too early.
    Truncated,
    /// Not what an image of its kind begins with, or a checksum is wrong.
    Damaged,
    /// An image, of a format the trainer does not take.
    WrongFormat(&'static str),
    /// A side below ten pixels.
    TooSmall { width: u32, height: u32 },
    /// More pixels than the trainer's image library opens.
    TooLarge { width: u32, height: u32 },
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// The smallest side the trainer takes, in pixels.
const SMALLEST_SIDE: u32 = 10;
/// Pillow refuses images of more than twice `Image.MAX_IMAGE_PIXELS`, against decompression bombs.
const MOST_PIXELS: u64 = 2 * (1024 * 1024 * 1024 / 4 / 3);

impl Header {
    /// Width and height with its orientation applied.
    pub(super) fn upright(&self) -> (u32, u32) {
        if self.orientation >= 5 { (self.height, self.width) } else { (self.width, self.height) }
    }
}

/// Reads a header.
pub(super) fn read(source: &mut Source<'_>) -> Result<Header, Refusal> {
    if source.length() == 0 {
        return Err(Refusal::Empty);
    }
    let header = identify(source)?;
    let (width, height) = (header.width, header.height);
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(Refusal::TooLarge { width, height });
    }
    if width < SMALLEST_SIDE || height < SMALLEST_SIDE {
        return Err(Refusal::TooSmall { width, height });
    }
    Ok(header)
}

fn identify(source: &mut Source<'_>) -> Result<Header, Refusal> {
    let mut start = [0; 16];
    let length = source.read_up_to(0, &mut start)?;
    match &start[..length] {
        [0xFF, 0xD8, 0xFF, ..] => jpeg::read(source),
        [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => png::read(source),
        [b'B', b'M', ..] => rest::bmp(source),
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => rest::tiff(source),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => rest::webp(source),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => rest::heif(source),
        [0xFF, 0x4F, 0xFF, 0x51, ..] | [0, 0, 0, 12, b'j', b'P', b' ', b' ', ..] => rest::jpeg2000(source),
        [b'G', b'I', b'F', b'8', ..] => Err(Refusal::WrongFormat("GIF")),
        [b'8', b'B', b'P', b'S', ..] => Err(Refusal::WrongFormat("PSD")),
        [b'P', b'1'..=b'7', b' ' | b'\n' | b'\r' | b'\t', ..] => Err(Refusal::WrongFormat("PPM")),
        [0, 0, 1, 0, ..] => Err(Refusal::WrongFormat("ICO")),
        [b'%', b'P', b'D', b'F', ..] => Err(Refusal::WrongFormat("PDF")),
        [b'<', b's', b'v', b'g', ..] => Err(Refusal::WrongFormat("SVG")),
        _ => Err(Refusal::Damaged),
    }
}

/// The orientation in EXIF data: a small TIFF file of its own.
fn exif_orientation(exif: &[u8]) -> u8 {
    let little = match exif.get(..4) {
        Some([b'I', b'I', 42, 0]) => true,
        Some([b'M', b'M', 0, 42]) => false,
        _ => return 1,
    };
    let u16_at = |at: usize| -> Option<u16> {
        let bytes = exif.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let u32_at = |at: usize| -> Option<usize> {
        let bytes = exif.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some((if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }) as usize)
    };
    let find = || -> Option<u8> {
        let directory = u32_at(4)?;
        (0..usize::from(u16_at(directory)?)).find_map(|entry| {
            let at = directory + 2 + 12 * entry;
            let value = match (u16_at(at)?, u16_at(at + 2)?) {
                (0x0112, 3) => usize::from(u16_at(at + 8)?),
                (0x0112, 4) => u32_at(at + 8)?,
                _ => return None,
            };
            u8::try_from(value).ok().filter(|value| (1..=8).contains(value))
        })
    };
    find().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(format: image::ImageFormat, width: u32, height: u32) -> Vec<u8> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image::DynamicImage::new_rgb8(width, height).write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn header(bytes: &[u8]) -> Result<Header, Refusal> {
        read(&mut Source::new(Bytes::Memory(bytes), bytes.len() as u64, &mut Vec::new()))
    }

    #[test]
    fn what_the_encoders_write_is_read() {
        use image::ImageFormat as F;
        for (encoder, format) in [
            (F::Jpeg, Format::Jpeg),
            (F::Png, Format::Png),
            (F::Bmp, Format::Bmp),
            (F::Tiff, Format::Tiff),
            (F::WebP, Format::Webp),
        ] {
            let found = header(&encoded(encoder, 31, 17)).unwrap();
            assert_eq!(
                (found.format, found.width, found.height, found.repaired),
                (format, 31, 17, false),
                "{encoder:?}"
            );
        }
    }

    #[test]
    fn a_jpeg_cut_anywhere_is_refused_and_one_with_more_after_its_end_is_repaired() {
        let whole = encoded(image::ImageFormat::Jpeg, 64, 64);
        for end in 0..whole.len() {
            assert!(header(&whole[..end]).is_err(), "cut at {end}");
        }
        assert!(!header(&whole).unwrap().repaired);
        assert!(header(&[&whole[..], b"\n"].concat()).unwrap().repaired);
    }

    #[test]
    fn a_png_cut_or_changed_anywhere_is_refused() {
        let whole = encoded(image::ImageFormat::Png, 20, 20);
        for at in 0..whole.len() {
            // The checksum and length of the last chunk are not looked at.
            if at < whole.len() - 4 {
                assert!(header(&whole[..at]).is_err(), "cut at {at}");
            }
            if at < whole.len() - 12 {
                let mut changed = whole.clone();
                changed[at] ^= 0x10;
                assert!(header(&changed).is_err(), "changed at {at}");
            }
        }
    }

    #[test]
    fn headers_with_anything_in_them_are_read_or_refused() {
        use image::ImageFormat as F;
        let mut files: Vec<_> =
            [F::Jpeg, F::Png, F::Bmp, F::Tiff, F::WebP].map(|format| encoded(format, 20, 20)).into();
        files.push(b"\0\0\0\x18ftypavif\0\0\0\0mif1avif\0\0\0\x14ispe\0\0\0\0\0\0\0\x40\0\0\0\x30".to_vec());
        files.push([&b"\xff\x4f\xff\x51\0\x29\0\0\0\0\0\x40\0\0\0\x30"[..], &[0; 40]].concat());
        files.push([&b"II\x2b\0\x08\0\0\0\x10\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0"[..], &[0xFF; 60]].concat());
        for file in files {
            for at in 0..file.len().min(300) {
                for value in [0, 1, 0x7F, 0x80, 0xFF] {
                    let mut changed = file.clone();
                    changed[at] = value;
                    let _ = header(&changed);
                    let _ = header(&changed[..at]);
                }
            }
        }
    }

    #[test]
    fn sides_below_ten_pixels_are_too_small() {
        assert!(matches!(header(&encoded(image::ImageFormat::Png, 9, 100)), Err(Refusal::TooSmall { .. })));
        assert!(header(&encoded(image::ImageFormat::Png, 10, 10)).is_ok());
    }
}
