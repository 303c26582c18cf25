//! Numbers that show what a split is like: how many objects, how large, where.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::LabelBox;

/// Rows and columns of the maps of box sizes and places.
pub const GRID: usize = 16;
/// Halvings of an image's side that sizes are told apart for.
const OCTAVES: f32 = 12.0;
/// Steps a halving is told apart in: three percent each.
const STEPS: f32 = 24.0;

/// What a split is like.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Profile {
    /// Images the trainer takes.
    pub images: u32,
    /// Boxes per class.
    pub class_objects: Vec<u32>,
    /// Images per class.
    pub class_images: Vec<u32>,
    /// Images by their number of objects: none, 1, 2 to 3, 4 to 7, 8 to 15, …
    pub objects_per_image: Vec<u32>,
    /// Objects on the image that has most of them.
    pub most_objects: u32,
    /// Boxes by width (column) and height (row) as shares of the image, [`GRID`] by [`GRID`] cells, row by row; each
    /// cell is half as large again as the one before, the last ends at the whole image.
    pub box_sizes: Vec<u32>,
    /// Boxes by where their centre is, [`GRID`] by [`GRID`] cells, row by row from the top left.
    pub box_places: Vec<u32>,
    /// Images by width and height in pixels, the most frequent sizes.
    pub image_sizes: Vec<ImageSize>,
    /// Boxes by their smaller side as a share of the image's larger side, on a logarithmic scale.
    #[serde(skip)]
    smaller_sides: Vec<u32>,
    #[serde(skip)]
    sizes: HashMap<(u32, u32), u32>,
}

/// A size of images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct ImageSize {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Images of this size.
    pub images: u32,
}

/// Sizes that are listed.
const MOST_SIZES: usize = 20;

impl Profile {
    /// Adds an image with its boxes.
    pub fn add(&mut self, (width, height): (u32, u32), boxes: &[LabelBox]) {
        self.images += 1;
        let count = u32::try_from(boxes.len()).unwrap_or(u32::MAX);
        self.most_objects = self.most_objects.max(count);
        // 0 → 0, 1 → 1, 2 and 3 → 2, …
        let bucket = (u32::BITS - count.leading_zeros()) as usize;
        bump(&mut self.objects_per_image, bucket, bucket + 1);
        *self.sizes.entry((width, height)).or_default() += 1;
        let mut seen: Vec<u32> = Vec::new();
        for found in boxes {
            let class = found.class as usize;
            bump(&mut self.class_objects, class, class + 1);
            if !seen.contains(&found.class) {
                seen.push(found.class);
                bump(&mut self.class_images, class, class + 1);
            }
            bump(&mut self.box_sizes, cell(size_cell(found.w), size_cell(found.h)), GRID * GRID);
            bump(&mut self.box_places, cell(place_cell(found.x), place_cell(found.y)), GRID * GRID);
            if let Some(share) = smaller_side(found, (width, height)) {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 288")]
                let step = ((share.log2() + OCTAVES) * STEPS).clamp(0.0, OCTAVES * STEPS) as usize;
                bump(&mut self.smaller_sides, step, step + 1);
            }
        }
    }

    /// Adds another part of the same split.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.images += other.images;
        self.most_objects = self.most_objects.max(other.most_objects);
        for (ours, theirs) in [
            (&mut self.class_objects, &other.class_objects),
            (&mut self.class_images, &other.class_images),
            (&mut self.objects_per_image, &other.objects_per_image),
            (&mut self.box_sizes, &other.box_sizes),
            (&mut self.box_places, &other.box_places),
            (&mut self.smaller_sides, &other.smaller_sides),
        ] {
            ours.resize(ours.len().max(theirs.len()), 0);
            ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| *ours += theirs);
        }
        for (size, count) in other.sizes {
            *self.sizes.entry(size).or_default() += count;
        }
        self
    }

    /// Ends adding: a count for each of the dataset's classes, and the most frequent sizes.
    #[must_use]
    pub fn finished(mut self, classes: usize) -> Self {
        self.class_objects.resize(classes, 0);
        self.class_images.resize(classes, 0);
        self.box_sizes.resize(GRID * GRID, 0);
        self.box_places.resize(GRID * GRID, 0);
        let sorted: BTreeMap<_, _> =
            self.sizes.iter().map(|(size, count)| ((std::cmp::Reverse(*count), *size), ())).collect();
        self.image_sizes = sorted
            .into_keys()
            .take(MOST_SIZES)
            .map(|(count, (width, height))| ImageSize { width, height, images: count.0 })
            .collect();
        self
    }

    /// Boxes in all.
    #[must_use]
    pub fn objects(&self) -> u32 {
        self.class_objects.iter().sum()
    }

    /// Which share of the boxes has a side below this many pixels once images are scaled to `imgsz`.
    #[must_use]
    pub fn share_below(&self, pixels: f32, imgsz: u32) -> f64 {
        let all: u32 = self.smaller_sides.iter().sum();
        #[expect(clippy::cast_precision_loss, reason = "image sizes are small")]
        let limit = ((pixels / imgsz.max(1) as f32).log2() + OCTAVES) * STEPS;
        #[expect(clippy::cast_precision_loss, reason = "at most 288")]
        let below: u32 = self
            .smaller_sides
            .iter()
            .enumerate()
            .filter(|(step, _)| (*step as f32) < limit)
            .map(|(_, count)| count)
            .sum();
        if all == 0 { 0.0 } else { f64::from(below) / f64::from(all) }
    }

    /// The smallest image size, a multiple of 32, at which no more than this share of the boxes is below this many
    /// pixels; `None`: none up to `largest`.
    #[must_use]
    pub fn size_that_keeps(&self, pixels: f32, share: f64, largest: u32) -> Option<u32> {
        (1..=largest / 32).map(|step| step * 32).find(|imgsz| self.share_below(pixels, *imgsz) <= share)
    }

    /// The smallest and the largest side of all images.
    #[must_use]
    pub fn sides(&self) -> Option<(u32, u32)> {
        let sides = || self.sizes.keys().flat_map(|(width, height)| [*width, *height]);
        sides().min().zip(sides().max())
    }
}

fn bump(counts: &mut Vec<u32>, at: usize, least: usize) {
    if counts.len() < least {
        counts.resize(least, 0);
    }
    if let Some(count) = counts.get_mut(at) {
        *count = count.saturating_add(1);
    }
}

fn cell(column: usize, row: usize) -> usize {
    row * GRID + column
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "clamped")]
fn size_cell(share: f32) -> usize {
    // Factors of 1.5 from the whole image down: the first cell holds everything below a quarter of a percent.
    let steps = share.max(f32::MIN_POSITIVE).ln() / 1.5f32.ln();
    (GRID as f32 + steps).clamp(0.0, (GRID - 1) as f32) as usize
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "clamped")]
fn place_cell(share: f32) -> usize {
    (share * GRID as f32).clamp(0.0, (GRID - 1) as f32) as usize
}

/// A box's smaller side as a share of the image's larger side.
#[expect(clippy::cast_precision_loss, reason = "image sides are small")]
fn smaller_side(found: &LabelBox, (width, height): (u32, u32)) -> Option<f32> {
    let (width, height) = (width as f32, height as f32);
    let share = (found.w * width).min(found.h * height) / width.max(height);
    (share.is_finite() && share > 0.0).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(class: u32, side: f32) -> LabelBox {
        LabelBox { class, x: 0.5, y: 0.5, w: side, h: side }
    }

    #[test]
    fn the_size_that_keeps_small_boxes_is_found() {
        let mut profile = Profile::default();
        // Nine large boxes, and one of 0.5 percent of a large image: 3.2 pixels at 640.
        profile.add((4000, 4000), &[&[square(0, 0.2); 9][..], &[square(1, 0.005)]].concat());
        assert!((profile.share_below(8.0, 640) - 0.1).abs() < 1e-9);
        assert_eq!(profile.share_below(8.0, 1664), 0.0);
        assert_eq!(profile.size_that_keeps(8.0, 0.02, 4096), Some(1632));
        assert_eq!(profile.size_that_keeps(8.0, 0.02, 1280), None);
        assert_eq!(profile.size_that_keeps(8.0, 0.2, 1280), Some(64));
    }

    #[test]
    fn parts_add_up() {
        let (mut a, mut b) = (Profile::default(), Profile::default());
        a.add((64, 48), &[square(0, 0.1), square(2, 1.0)]);
        a.add((64, 48), &[]);
        b.add((32, 32), &[square(0, 0.1), square(0, 0.1), square(0, 0.5)]);
        let mut whole = a.clone();
        whole.add((32, 32), &[square(0, 0.1), square(0, 0.1), square(0, 0.5)]);
        let parts = a.and(b).finished(4);
        assert_eq!(parts, whole.finished(4));
        assert_eq!((parts.images, parts.objects(), parts.most_objects), (3, 5, 3));
        assert_eq!(
            (parts.class_objects.as_slice(), parts.class_images.as_slice()),
            (&[4, 0, 1, 0][..], &[2, 0, 1, 0][..])
        );
        assert_eq!(parts.objects_per_image, [1, 0, 2]);
        assert_eq!(parts.image_sizes[0], ImageSize { width: 64, height: 48, images: 2 });
        assert_eq!(parts.box_sizes[GRID * GRID - 1], 1, "the box of the whole image");
        assert_eq!(parts.sides(), Some((32, 64)));
    }
}
