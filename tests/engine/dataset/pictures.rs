//! Images for people to look at.

use image::ImageFormat;
use preflight_core::dataset::SplitKind;
use preflight_engine::dataset::{previews, thumbnail};

use super::folder::{Folder, encoded, turned};
use super::scan;

#[test]
fn previews_are_in_the_trainers_order_with_upright_sizes() {
    let folder = Folder::good();
    folder.put("images/train/turned.jpg", turned(6, 64, 48));
    folder.put("labels/train/turned.txt", "1 0.5 0.25 0.5 0.125\n");
    folder.put("images/train/unreadable.jpg", "");
    let dataset = scan(&folder.path());
    let all = previews(&dataset, SplitKind::Train, 0, 100).unwrap();
    let sizes: Vec<_> = all.iter().map(|preview| preview.size).collect();
    assert_eq!(sizes, [(64, 48), (64, 48), (64, 48), (48, 64), (0, 0)]);
    let boxes: Vec<_> = all.iter().map(|preview| preview.boxes.len()).collect();
    assert_eq!(boxes, [1, 1, 1, 1, 0]);
    assert_eq!((all[3].boxes[0].class, all[3].boxes[0].y), (1, 0.25));
    assert_eq!(previews(&dataset, SplitKind::Train, 1, 2).unwrap(), all[1..3]);
    assert_eq!(previews(&dataset, SplitKind::Train, 5, 2).unwrap(), []);
    assert_eq!(previews(&dataset, SplitKind::Train, u32::MAX, u32::MAX).unwrap(), []);
    assert_eq!(previews(&dataset, SplitKind::Test, 0, 1).unwrap_err().code, "dataset.no-split");
}

#[test]
fn thumbnails_are_small_and_upright() {
    let folder = Folder::empty();
    for (orientation, expected) in [(1, (40, 20)), (3, (40, 20)), (6, (20, 40)), (8, (20, 40))] {
        let path = folder.put("turned.jpg", turned(orientation, 200, 100));
        let shown = image::load_from_memory(&thumbnail(&path, 40).unwrap()).unwrap();
        assert_eq!((shown.width(), shown.height()), expected, "{orientation}");
    }
    for format in [ImageFormat::Png, ImageFormat::Bmp, ImageFormat::WebP, ImageFormat::Tiff] {
        // Whatever its name says.
        let path = folder.put("any.jpg", encoded(format, 30, 20));
        let shown = image::load_from_memory(&thumbnail(&path, 40).unwrap()).unwrap();
        assert_eq!((shown.width(), shown.height()), (30, 20), "{format:?}");
    }
}

#[test]
fn what_is_no_image_is_a_problem() {
    let folder = Folder::empty();
    let jpeg = encoded(ImageFormat::Jpeg, 64, 48);
    for bytes in [&b""[..], b"text", &jpeg[..20]] {
        let path = folder.put("x.jpg", bytes);
        assert_eq!(thumbnail(&path, 40).unwrap_err().code, "image.unreadable");
    }
    assert_eq!(thumbnail(&folder.at("gone.jpg"), 40).unwrap_err().code, "image.unreadable");
}

#[test]
fn a_huge_image_is_refused_before_it_takes_memory() {
    let folder = Folder::empty();
    let mut png = encoded(ImageFormat::Png, 16, 16);
    // 60,000 × 60,000 in the header, with its checksum made right.
    png[16..24].copy_from_slice(&[0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60]);
    let sum = crc32fast::hash(&png[12..29]).to_be_bytes();
    png[29..33].copy_from_slice(&sum);
    let mut jpeg = encoded(ImageFormat::Jpeg, 16, 16);
    let frame = jpeg.windows(2).position(|marker| marker == [0xFF, 0xC0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xEA, 0x60, 0xEA, 0x60]);
    for (name, bytes) in [("huge.png", png), ("huge.jpg", jpeg)] {
        let problem = thumbnail(&folder.put(name, bytes), 40).unwrap_err();
        assert_eq!(problem.code, "image.unreadable");
        assert!(problem.causes.iter().any(|cause| cause.contains("limit")), "{:?}", problem.causes);
    }
}
