//! Images for people to look at.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageDecoder, ImageReader, Limits};
use preflight_core::dataset::{Dataset, LabelBox, SplitKind};
use preflight_core::problem::Problem;

use super::judge::Judge;
use super::listing::Listing;

/// An image with its boxes, for the gallery.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// The image.
    pub path: PathBuf,
    /// Width and height in pixels, as the trainer sees it; zero for an image that cannot be read.
    pub size: (u32, u32),
    /// Its boxes; none where the trainer would refuse the label file.
    pub boxes: Vec<LabelBox>,
}

/// Some images of a split, in the trainer's order.
///
/// # Errors
/// `dataset.no-split` when the dataset has no such split.
pub fn previews(dataset: &Dataset, split: SplitKind, offset: u32, count: u32) -> Result<Vec<Preview>, Problem> {
    let found = dataset.split(split).ok_or_else(|| Problem::new("dataset.no-split").with("split", split.name()))?;
    let listing = Listing::of(found, &dataset.root);
    let mut judge = Judge::default();
    let end = listing.len().min(offset.saturating_add(count) as usize);
    Ok((offset as usize..end)
        .map(|index| {
            let path = listing.image(index);
            let size = judge.size(&path).unwrap_or((0, 0));
            let boxes = judge.boxes(&listing.label(index), dataset.label_rules());
            Preview { path, size, boxes }
        })
        .collect())
}

/// Memory that decoding one image may take: enough for 100 megapixels.
const MOST_MEMORY: u64 = 400 << 20;
const JPEG_QUALITY: u8 = 82;

/// A JPEG no larger than `side` pixels, upright.
///
/// # Errors
/// `image.unreadable`.
pub fn thumbnail(image: &Path, side: u32) -> Result<Vec<u8>, Problem> {
    let unreadable =
        |error: &dyn std::error::Error| Problem::new("image.unreadable").with("path", image).because(error);
    let side = side.clamp(1, 4096);
    let decode = || -> image::ImageResult<DynamicImage> {
        let file = std::io::BufReader::new(super::opener::open(image)?);
        let mut reader = ImageReader::new(file).with_guessed_format()?;
        let mut limits = Limits::default();
        limits.max_alloc = Some(MOST_MEMORY);
        reader.limits(limits.clone());
        let mut decoder = reader.into_decoder()?;
        // The decoder limits what it needs itself, not the picture.
        limits.reserve(decoder.total_bytes())?;
        decoder.set_limits(limits)?;
        let orientation = decoder.orientation()?;
        let mut picture = DynamicImage::from_decoder(decoder)?;
        if picture.width() > side || picture.height() > side {
            picture = picture.thumbnail(side, side);
        }
        picture.apply_orientation(orientation);
        Ok(picture)
    };
    let picture = decode().map_err(|error| unreadable(&error))?.into_rgb8();
    let mut bytes = Cursor::new(Vec::new());
    JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY)
        .encode_image(&picture)
        .map_err(|error| unreadable(&error))?;
    Ok(bytes.into_inner())
}
