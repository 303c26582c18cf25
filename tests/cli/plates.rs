//! A small dataset that a person could have made: grey images with a bright square, and its label.

use std::path::{Path, PathBuf};

use crate::world::World;

/// Sides of the images in pixels.
const SIDE: usize = 64;

/// Writes the dataset into a folder of the desk; answers its `data.yaml`. Nothing is wrong with it.
pub(crate) fn write(world: &World, folder: impl AsRef<Path>) -> PathBuf {
    let root = world.desk().join(folder);
    for (split, count) in [("train", 8), ("val", 4)] {
        let (images, labels) = (root.join("images").join(split), root.join("labels").join(split));
        std::fs::create_dir_all(&images).expect("a folder");
        std::fs::create_dir_all(&labels).expect("a folder");
        for index in 0..count {
            let at = 8 + 4 * index;
            std::fs::write(images.join(format!("{index}.bmp")), image(at)).expect("an image");
            std::fs::write(labels.join(format!("{index}.txt")), label(index % 2, at)).expect("a label");
        }
    }
    let yaml = root.join("data.yaml");
    std::fs::write(&yaml, "train: images/train\nval: images/val\nnames: [scratch, dent]\n").expect("data.yaml");
    yaml
}

/// A bitmap with a bright square of 16 pixels that begins at (`at`, `at`).
fn image(at: usize) -> Vec<u8> {
    let pixels = SIDE * SIDE * 3;
    let mut bytes = b"BM".to_vec();
    for number in [54 + pixels, 0, 54, 40, SIDE, SIDE] {
        bytes.extend((number as u32).to_le_bytes());
    }
    // One plane of 24 bits, not compressed.
    bytes.extend([1, 0, 24, 0]);
    for number in [0, pixels, 2835, 2835, 0, 0] {
        bytes.extend((number as u32).to_le_bytes());
    }
    let is_inside = |place: usize| (at..at + 16).contains(&place);
    // Bitmaps begin with the bottom row.
    for y in (0..SIDE).rev() {
        for x in 0..SIDE {
            bytes.extend([if is_inside(x) && is_inside(y) { 230 } else { 90 }; 3]);
        }
    }
    bytes
}

fn label(class: usize, at: usize) -> String {
    let centre = (at + 8) as f64 / SIDE as f64;
    format!("{class} {centre} {centre} 0.25 0.25\n")
}
