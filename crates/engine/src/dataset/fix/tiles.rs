//! Large images cut into tiles that overlap, so that small objects stay as large as they are.

use std::ffi::OsString;
use std::io::BufWriter;
use std::path::Path;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use preflight_core::dataset::LabelBox;
use preflight_core::problem::Problem;

use super::super::output::{self, Place};

/// How images are cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tiling {
    /// Side of a tile in pixels.
    pub side: u32,
    /// How far neighbours overlap at least, as a share of the side. An object up to this size is whole on one of them.
    pub overlap: f64,
}

/// The part of a box that a tile must show for the tile to keep it, as a share of the box's area: what the trainer itself
/// asks of boxes when it cuts images (`area_thr` of `box_candidates`).
const LEAST_SHOWN: f32 = 0.1;
/// And the side that it must have left, in pixels (`wh_thr` of `box_candidates`).
const LEAST_SIDE: f32 = 2.0;
/// Memory that decoding one image may take: enough for 400 megapixels.
const MOST_MEMORY: u64 = 1600 << 20;
const JPEG_QUALITY: u8 = 95;

/// A part of an image, with the boxes on it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tile {
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) boxes: Vec<LabelBox>,
}

impl Tiling {
    /// Whether an image of this size is cut.
    pub(super) fn cuts(&self, (width, height): (u32, u32)) -> bool {
        width > self.side || height > self.side
    }

    /// The tiles of an image, row by row.
    pub(super) fn tiles(&self, (width, height): (u32, u32), boxes: &[LabelBox]) -> Vec<Tile> {
        let mut tiles = Vec::new();
        for top in self.starts(height) {
            for left in self.starts(width) {
                let (tile_width, tile_height) = (self.side.min(width), self.side.min(height));
                let mut tile = Tile { left, top, width: tile_width, height: tile_height, boxes: Vec::new() };
                tile.boxes = boxes.iter().filter_map(|found| tile.shown(found, (width, height))).collect();
                tiles.push(tile);
            }
        }
        tiles
    }

    /// Where tiles begin along a side: evenly, from edge to edge.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the side")]
    fn starts(&self, length: u32) -> Vec<u32> {
        if length <= self.side {
            return vec![0];
        }
        let (side, free) = (f64::from(self.side), f64::from(length - self.side));
        let step = (side * (1.0 - self.overlap.clamp(0.0, 0.9))).max(1.0);
        let gaps = (free / step).ceil() as u32;
        (0..=gaps).map(|at| (free * f64::from(at) / f64::from(gaps)).round() as u32).collect()
    }
}

impl Tile {
    /// A box as this tile shows it.
    #[expect(clippy::cast_precision_loss, reason = "image sides are small")]
    fn shown(&self, found: &LabelBox, (width, height): (u32, u32)) -> Option<LabelBox> {
        let axis = |centre: f32, side: f32, length: u32, start: u32, tile: u32| {
            let (low, high) = ((centre - side / 2.0) * length as f32, (centre + side / 2.0) * length as f32);
            let (start, end) = (start as f32, (start + tile) as f32);
            let (low_now, high_now) = (low.clamp(start, end), high.clamp(start, end));
            ((low_now - start) / tile as f32, (high_now - start) / tile as f32, high_now - low_now, high - low)
        };
        let (left, right, shown_width, box_width) = axis(found.x, found.w, width, self.left, self.width);
        let (top, bottom, shown_height, box_height) = axis(found.y, found.h, height, self.top, self.height);
        let is_kept = shown_width >= LEAST_SIDE
            && shown_height >= LEAST_SIDE
            && shown_width * shown_height >= LEAST_SHOWN * box_width * box_height;
        is_kept.then(|| LabelBox {
            class: found.class,
            x: f32::midpoint(left, right),
            y: f32::midpoint(top, bottom),
            w: right - left,
            h: bottom - top,
        })
    }

    /// The name of its file, by where it begins in its image.
    pub(super) fn name(&self, image: &Path) -> OsString {
        let mut name = image.file_stem().unwrap_or_default().to_owned();
        name.push(format!("_{}_{}.{}", self.left, self.top, if is_lossy(image) { "jpg" } else { "png" }));
        name
    }
}

/// Whether an image's form loses something when it is saved: its tiles may then as well.
fn is_lossy(image: &Path) -> bool {
    !matches!(ImageFormat::from_path(image), Ok(ImageFormat::Png | ImageFormat::Bmp | ImageFormat::Tiff))
}

/// Whether all rows of a label file are boxes.
pub(super) fn are_boxes(text: &str) -> bool {
    text.lines().all(|row| matches!(row.split_whitespace().count(), 0 | 5))
}

/// Cuts an image and writes its tiles with their label files.
pub(super) fn write(image: &Path, tiles: &[Tile], places: &[Place]) -> Result<(), Problem> {
    let unreadable =
        |error: &dyn std::error::Error| Problem::new("image.unreadable").with("path", image).because(error);
    let picture = upright(image).map_err(|error| unreadable(&error))?;
    for (tile, place) in tiles.iter().zip(places) {
        let part = picture.crop_imm(tile.left, tile.top, tile.width, tile.height);
        let unwritable = |error: &dyn std::error::Error| {
            Problem::new("file.unwritable").with("path", place.image.as_path()).because(error)
        };
        if is_lossy(image) {
            let file = std::fs::File::create_new(&place.image).map_err(|error| unwritable(&error))?;
            let encoder = JpegEncoder::new_with_quality(BufWriter::new(file), JPEG_QUALITY);
            part.into_rgb8().write_with_encoder(encoder).map_err(|error| unwritable(&error))?;
        } else {
            part.save_with_format(&place.image, ImageFormat::Png).map_err(|error| unwritable(&error))?;
        }
        let row = |found: &LabelBox| {
            let values = [found.x, found.y, found.w, found.h].map(|value| format!(" {value:.6}")).concat();
            format!("{}{values}\n", found.class)
        };
        output::write(&place.label, tile.boxes.iter().map(row).collect::<String>().as_bytes())?;
    }
    Ok(())
}

fn upright(image: &Path) -> image::ImageResult<DynamicImage> {
    let file = std::io::BufReader::new(super::super::opener::open(image)?);
    let mut reader = ImageReader::new(file).with_guessed_format()?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let orientation = decoder.orientation()?;
    let mut picture = DynamicImage::from_decoder(decoder)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}
