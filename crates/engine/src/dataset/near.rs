//! Images that look the same though their bytes differ: scaled, saved anew, taken a moment later.

use std::collections::HashMap;

use image::DynamicImage;

/// What an image looks like: whether brightness rises to the right (the lower 64 bits) and downwards (the upper), in
/// every cell of a grid of 8 by 8. This is the "difference hash" (Neal Krawetz, "Kind of Like That", 2013), taken in both
/// directions.
pub(super) type Look = u128;

/// Bits in which images that look the same may differ: half of what is usual for a difference hash (10 of 64), since a
/// pair that is called the same and is not would take an image out of the validation.
pub(super) const MOST_DIFFERENT: u32 = 10;
/// Images whose grey cells differ by less than this are plain: they look the same without being so.
const LEAST_CONTRAST: u8 = 24;
/// Pieces a look is cut into. Looks that differ in fewer bits than there are pieces have a piece in common.
const PIECES: usize = MOST_DIFFERENT as usize + 1;
/// Images that share a piece and are compared with each other; a piece that more share is no distinction.
const MOST_COMPARED: usize = 64;

/// The look of an image; `None` for a plain one.
pub(super) fn look(image: &DynamicImage) -> Option<Look> {
    let small = image.thumbnail_exact(9, 9).into_luma8();
    let at = |x: u32, y: u32| small.get_pixel(x, y).0[0];
    let (least, most) = small.pixels().fold((255, 0), |(least, most), p| (p.0[0].min(least), p.0[0].max(most)));
    if most - least < LEAST_CONTRAST {
        return None;
    }
    let mut look = 0;
    for y in 0..8 {
        for x in 0..8 {
            let bit = y * 8 + x;
            look |= u128::from(at(x, y) < at(x + 1, y)) << bit;
            look |= u128::from(at(x, y) < at(x, y + 1)) << (64 + bit);
        }
    }
    Some(look)
}

/// Pairs of images that look the same, by their place in the list.
pub(super) fn pairs(looks: &[Option<Look>]) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for piece in 0..PIECES {
        let (start, end) = (128 * piece / PIECES, 128 * (piece + 1) / PIECES);
        let mask = (1u128 << (end - start)) - 1;
        let mut alike: HashMap<u128, Vec<u32>> = HashMap::new();
        for (index, look) in (0u32..).zip(looks) {
            if let Some(look) = look {
                alike.entry((look >> start) & mask).or_default().push(index);
            }
        }
        for group in alike.into_values() {
            // In a crowd, only neighbours in the order of files: those are the frames of one video.
            for (at, one) in group.iter().enumerate() {
                for other in group[at + 1..].iter().take(MOST_COMPARED) {
                    let different = looks[*one as usize].zip(looks[*other as usize]).map(|(a, b)| (a ^ b).count_ones());
                    if different.is_some_and(|different| different <= MOST_DIFFERENT) {
                        found.push((*one, *other));
                    }
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Groups of things that are pairwise connected.
#[derive(Debug)]
pub(super) struct Groups(Vec<u32>);

impl Groups {
    /// Each of so many things alone.
    pub(super) fn alone(count: usize) -> Self {
        Self((0..u32::try_from(count).unwrap_or(u32::MAX)).collect())
    }

    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// The group's first thing.
    pub(super) fn of(&mut self, mut index: u32) -> u32 {
        while self.0[index as usize] != index {
            let above = self.0[self.0[index as usize] as usize];
            self.0[index as usize] = above;
            index = above;
        }
        index
    }

    /// The groups of more than one, in order.
    pub(super) fn several(mut self) -> Vec<Vec<u32>> {
        let mut groups: std::collections::BTreeMap<u32, Vec<u32>> = std::collections::BTreeMap::new();
        for index in 0..u32::try_from(self.0.len()).unwrap_or(u32::MAX) {
            let first = self.of(index);
            if first != index || groups.contains_key(&first) {
                groups.entry(first).or_insert_with(|| vec![first]).push(index);
            }
        }
        groups.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32, seed: u32) -> DynamicImage {
        DynamicImage::ImageRgb8(image::RgbImage::from_fn(width, height, |x, y| {
            let (x, y) = (x * 8 / width, y * 8 / height);
            let value = (x * 31 + y * 57 + seed * (1 + x * y)) % 251;
            image::Rgb([u8::try_from(value).unwrap(); 3])
        }))
    }

    #[test]
    fn a_scaled_and_brighter_image_looks_the_same_and_another_does_not() {
        let one = look(&picture(320, 240, 3)).unwrap();
        let same = look(&picture(200, 150, 3).brighten(4)).unwrap();
        let other = look(&picture(320, 240, 90)).unwrap();
        assert!((one ^ same).count_ones() <= MOST_DIFFERENT, "{}", (one ^ same).count_ones());
        assert!((one ^ other).count_ones() > MOST_DIFFERENT, "{}", (one ^ other).count_ones());
        assert_eq!(look(&DynamicImage::new_rgb8(64, 64)), None);
        assert_eq!(pairs(&[Some(one), Some(other), None, Some(same)]), [(0, 3)]);
    }

    #[test]
    fn every_pair_that_differs_little_is_found() {
        let base: Look = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978;
        for seed in 0..200u32 {
            let mut changed = base;
            for step in 0..MOST_DIFFERENT {
                changed ^= 1 << ((seed * 37 + step * 13 + seed * step) % 128);
            }
            assert_eq!(pairs(&[Some(base), Some(changed)]), [(0, 1)], "{seed}");
        }
    }

    #[test]
    fn groups_join() {
        let mut groups = Groups::alone(6);
        for (a, b) in [(0, 3), (4, 5), (3, 4)] {
            groups.join(a, b);
        }
        assert_eq!(groups.several(), [[0, 3, 4, 5]]);
    }
}
