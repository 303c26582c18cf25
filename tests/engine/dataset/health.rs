//! What the second look finds that the trainer does not.

use image::{DynamicImage, ImageFormat, RgbImage};
use preflight_core::dataset::SplitKind;
use preflight_core::finding::{Evidence, Finding};
use preflight_core::text::{Language, Texts};
use preflight_engine::dataset::health::{Health, changed, examine};
use preflight_engine::dataset::manifest::Manifest;
use preflight_engine::dataset::report::html;
use tokio_util::sync::CancellationToken;

use super::folder::{Folder, ROW, turned};
use super::{scan, shared_data};

#[track_caller]
fn looked(folder: &Folder) -> Health {
    examine(&scan(&folder.path()), 640, &|_, _| {}, &CancellationToken::new()).unwrap()
}

fn codes(health: &Health) -> Vec<&str> {
    health.findings.iter().map(|finding| finding.code.as_str()).collect()
}

#[track_caller]
fn found<'h>(health: &'h Health, code: &str) -> &'h Finding {
    health.findings.iter().find(|f| f.code == code).unwrap_or_else(|| panic!("{code} is not among {:?}", codes(health)))
}

/// A picture unlike those with other seeds.
pub(super) fn picture(seed: u32, width: u32, height: u32) -> DynamicImage {
    let mut state = seed.wrapping_mul(2_654_435_761).max(1);
    let mut cells = [0u8; 100];
    for cell in &mut cells {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        *cell = u8::try_from(state >> 24).unwrap();
    }
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, y| {
        let value = cells[(y * 10 / height * 10 + x * 10 / width) as usize];
        image::Rgb([value, value / 2, 255 - value])
    }))
}

pub(super) fn bytes(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Images that look different, 20 to learn from and 5 to validate with.
pub(super) fn varied() -> Folder {
    let folder = Folder::empty();
    folder.yaml("train: images/train\nval: images/val\nnames: [scratch, dent]\n");
    for seed in 1..=25 {
        let split = if seed > 20 { "val" } else { "train" };
        folder.put(&format!("images/{split}/{seed:02}.jpg"), bytes(&picture(seed, 320, 240), ImageFormat::Jpeg));
        folder.put(&format!("labels/{split}/{seed:02}.txt"), format!("{} 0.5 0.5 0.25 0.25\n", seed % 2));
    }
    folder
}

#[test]
fn nothing_is_found_where_nothing_is_wrong_and_nothing_is_written() {
    let folder = varied();
    let before = folder.state();
    let health = looked(&folder);
    assert_eq!(codes(&health), ["data.class-rare"], "both classes are on ten images");
    assert_eq!(health.alike, Vec::<Vec<std::path::PathBuf>>::new());
    assert_eq!(folder.state(), before);
}

#[test]
fn copies_and_look_alikes_are_found_within_and_across_splits() {
    let folder = varied();
    let copy = |from: &str, to: &str| folder.put(to, std::fs::read(folder.at(from)).unwrap());
    copy("images/train/01.jpg", "images/val/leaked.jpg");
    copy("images/train/02.jpg", "images/train/twice.jpg");
    folder.put("images/val/scaled.jpg", bytes(&picture(3, 200, 150), ImageFormat::Jpeg));
    folder.put("images/train/again.png", bytes(&picture(4, 300, 220), ImageFormat::Png));
    // Plain images look the same and are not.
    for (name, grey) in [("train/plain.png", 100), ("val/plain.png", 120)] {
        let plain = RgbImage::from_pixel(64, 48, image::Rgb([grey; 3]));
        folder.put(&format!("images/{name}"), bytes(&DynamicImage::ImageRgb8(plain), ImageFormat::Png));
    }
    let health = looked(&folder);
    for (code, name) in [
        ("data.leak-exact", "leaked.jpg"),
        ("data.leak-near", "scaled.jpg"),
        ("data.duplicates-exact", "twice.jpg"),
        ("data.duplicates-near", "again.png"),
    ] {
        let finding = found(&health, code);
        let names: Vec<_> = finding
            .evidence
            .iter()
            .map(|evidence| match evidence {
                Evidence::File { path, .. } => path.file_name().unwrap().to_str().unwrap(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(names == [name] || (code.ends_with("near") && names == ["04.jpg"]), "{code}: {names:?}");
    }
    assert_eq!(health.alike.len(), 4, "{:?}", health.alike);
}

#[test]
fn boxes_images_and_names_that_make_trouble_are_found() {
    let folder = varied();
    folder.put("labels/train/01.txt", "0 0.5 0.5 1 1\n0 0.3 0.3 0.002 0.2\n");
    folder.put("labels/train/02.txt", "0 0.5 0.5 0.25 0.25\n1 0.5 0.5 0.25 0.25\n0 0.2 0.2 0.01 0.01\n");
    folder.put(
        "images/train/gray.png",
        bytes(&DynamicImage::ImageLuma8(picture(40, 320, 240).into_luma8()), ImageFormat::Png),
    );
    folder.put(
        "images/train/deep.png",
        bytes(&DynamicImage::ImageRgb16(picture(41, 320, 240).into_rgb16()), ImageFormat::Png),
    );
    folder.put("images/train/turned.jpg", turned(6, 320, 240));
    folder.put("images/train/03.PNG", bytes(&picture(42, 320, 240), ImageFormat::Png));
    let deep = format!("images/train/{}/{}", "d".repeat(120), "e".repeat(120));
    folder.put(&format!("{deep}/x.png"), bytes(&picture(43, 320, 240), ImageFormat::Png));
    folder.put("images/train/tiny.png", bytes(&picture(44, 20, 20), ImageFormat::Png));
    folder.yaml("train: images/train\nval: images/val\nnames: [Scratch mark, scratch-mark]\n");
    #[cfg(target_os = "linux")]
    {
        folder.put("images/train/A.png", bytes(&picture(45, 320, 240), ImageFormat::Png));
        folder.put("images/train/a.png", bytes(&picture(46, 320, 240), ImageFormat::Png));
        // As a placeholder of a cloud storage: a size, and nothing behind it.
        std::fs::File::create(folder.at("images/val/cloud.jpg")).unwrap().set_len(1 << 20).unwrap();
        assert_eq!(found(&looked(&folder), "data.not-downloaded").evidence.len(), 1);
        found(&looked(&folder), "data.names-differ-by-case");
    }
    let health = looked(&folder);
    for code in [
        "box-sliver",
        "box-whole-image",
        "box-two-classes",
        "image-gray-mixed",
        "image-sixteen-bit",
        "image-turned",
        "image-sizes-mixed",
        "label-shared",
        "path-too-long",
        "many-backgrounds",
        "class-names-alike",
        "boxes-small",
    ] {
        found(&health, &format!("data.{code}"));
    }
    let Evidence::File { path, line, .. } = &found(&health, "data.box-two-classes").evidence[0] else {
        panic!("a file")
    };
    assert_eq!((path.as_path(), *line), (folder.at("labels/train/02.txt").as_path(), Some(2)));
    assert_eq!(found(&health, "data.boxes-small").remedies[0].id, "tile-images", "a box of 0.6 pixels");
}

#[test]
fn the_fingerprint_is_that_of_the_content_wherever_it_is() {
    let (one, other) = (varied(), varied());
    let first = looked(&one);
    assert_eq!(first.fingerprint, looked(&other).fingerprint);
    let hashed = Manifest::read(&scan(&one.path()), &|_, _| {}, &CancellationToken::new()).unwrap();
    assert_eq!(hashed, first.manifest, "without decoding");
    let kept = one.at("manifest.json");
    first.manifest.save(&kept).unwrap();
    assert_eq!(Manifest::load(&kept).unwrap().as_ref(), Some(&first.manifest));
    assert_eq!(Manifest::load(&one.at("none.json")).unwrap(), None);
    assert_eq!(Manifest::load(&one.put("no.json", "{")).unwrap_err().code, "dataset.manifest-unreadable");

    one.put("labels/train/01.txt", ROW.repeat(2));
    one.rename("images/train/02.jpg", "images/val/02.jpg");
    one.put("images/train/new.png", bytes(&picture(50, 32, 32), ImageFormat::Png));
    one.put("images/train/03.jpg", bytes(&picture(51, 320, 240), ImageFormat::Jpeg));
    one.yaml("train: images/train\nval: images/val\nnames: [scratch, hole]\n");
    let second = looked(&one);
    assert_ne!(second.fingerprint, first.fingerprint);
    let changes = second.manifest.changes_since(&first.manifest);
    let names = |paths: &[std::path::PathBuf]| -> Vec<String> {
        paths.iter().map(|path| path.display().to_string().replace('\\', "/")).collect()
    };
    assert_eq!(names(&changes.labels), ["images/train/01.jpg"]);
    assert_eq!(names(&changes.images), ["images/train/03.jpg"]);
    assert_eq!(names(&changes.added), ["images/train/new.png", "images/val/02.jpg"]);
    assert_eq!(names(&changes.removed), ["images/train/02.jpg"]);
    assert!(changes.names && !changes.is_empty());
    assert_eq!(changed(&kept, &changes).unwrap().code, "data.changed");
    assert_eq!(changed(&kept, &first.manifest.changes_since(&first.manifest)), None);
}

#[test]
fn the_report_is_one_page_that_shows_names_and_runs_nothing() {
    let folder = varied();
    folder.yaml("train: images/train\nval: images/val\nnames: ['<script>alert(1)</script>', \"a&b\"]\n");
    let dataset = scan(&folder.path());
    let health = looked(&folder);
    for language in Language::ALL {
        let page = html(&dataset, Some(&health), &health.findings, &Texts::new(language));
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("a&amp;b"));
        assert!(!page.contains("<script") && !page.contains("http"), "nothing runs, nothing is loaded");
        assert!(page.contains(&health.fingerprint) && page.contains("<svg"));
        assert!(!page.contains("report-"), "a sentence is missing");
    }
}

#[test]
fn real_images_have_a_profile() {
    let Some(folder) = shared_data("coco128") else { return };
    let dataset = scan(&folder);
    let health = examine(&dataset, 640, &|_, _| {}, &CancellationToken::new()).unwrap();
    let (_, train) = health.profiles.iter().find(|(kind, _)| *kind == SplitKind::Train).unwrap();
    assert_eq!((train.images, train.objects(), train.most_objects), (128, 929, dataset.most_boxes));
    let sizes: u32 = train.box_sizes.iter().sum();
    assert_eq!(sizes, 929);
    let codes = codes(&health);
    assert!(codes.contains(&"data.boxes-small") && codes.contains(&"data.class-rare"), "{codes:?}");
    assert!(!codes.contains(&"data.duplicates-near"), "{:?}", health.alike);
}
