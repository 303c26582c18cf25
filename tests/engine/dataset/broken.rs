//! What a person reads about a dataset with something wrong, in both languages.

use std::fmt::Write;

use image::ImageFormat;
use preflight_core::dataset::Dataset;
use preflight_core::finding::{Evidence, Severity, Verb};
use preflight_core::text::{Language, Texts};

use super::folder::{Folder, ROW, encoded};
use super::scan;

/// All findings as they are read. What is not a blocker shows only its code.
fn told(folder: &Folder, dataset: &Dataset) -> String {
    let root = folder.path().display().to_string();
    let mut text = String::new();
    for finding in &dataset.findings {
        let severity = format!("{:?}", finding.severity).to_lowercase();
        writeln!(text, "{severity} {}", finding.code).unwrap();
        if finding.severity == Severity::Blocker {
            assert_eq!(finding.verb, Some(Verb::Change), "{}", finding.code);
            assert!(!finding.evidence.is_empty(), "{} has no evidence", finding.code);
            assert!(!finding.remedies.is_empty(), "{} has no remedy", finding.code);
        }
        for language in Language::ALL {
            let texts = Texts::new(language);
            writeln!(text, "  {}", finding.title().render(&texts)).unwrap();
            writeln!(text, "    {}", finding.detail().render(&texts)).unwrap();
            for remedy in &finding.remedies {
                writeln!(text, "    → {}", remedy.message().render(&texts)).unwrap();
            }
        }
        for evidence in &finding.evidence {
            match evidence {
                Evidence::File { path, line, text: said } => {
                    let line = line.map(|line| format!(":{line}")).unwrap_or_default();
                    let said = said.as_deref().map(|said| format!(" | {said}")).unwrap_or_default();
                    writeln!(text, "  - {}{line}{said}", path.display()).unwrap();
                }
                Evidence::Value { name, value } => {
                    writeln!(text, "  - {}: {value}", name.render(&Texts::new(Language::En))).unwrap();
                }
                Evidence::Log { .. } => panic!("a dataset has no log"),
            }
        }
    }
    text.replace(&root, "[dataset]")
}

macro_rules! broken {
    ($($name:ident: $break:expr;)*) => {$(
        #[test]
        fn $name() {
            let folder = Folder::good();
            let break_it: fn(&Folder) = $break;
            break_it(&folder);
            insta::assert_snapshot!(stringify!($name), told(&folder, &scan(&folder.at("data.yaml"))));
        }
    )*};
}

broken! {
    nothing_wrong: |_| {};
    yaml_invalid: |folder| folder.yaml("train: images/train\nval: [images/val\nnames: [a]\n");
    yaml_not_a_mapping: |folder| folder.yaml("- images/train\n- images/val\n");
    yaml_empty: |folder| folder.yaml("# nothing yet\n");
    yaml_wrong_types: |folder| folder.yaml("path: 5\ntrain: {a: b}\nval: images/val\nnames: scratch\n");
    no_val: |folder| folder.yaml("train: images/train\nnames: [scratch, dent]\n");
    val_is_none: |folder| folder.yaml("train: images/train\nval:\nnames: [scratch, dent]\n");
    val_missing: |folder| folder.rename("images/val", "elsewhere");
    val_empty: |folder| {
        folder.remove("images/val");
        folder.put("images/val/readme.md", "later");
    };
    val_unsupported: |folder| {
        folder.remove("images/val");
        folder.put("images/val/d.gif", encoded(ImageFormat::Gif, 64, 48));
    };
    val_is_train: |folder| folder.yaml("train: images/train\nval: images/train\nnames: [scratch, dent]\n");
    val_inside_train: |folder| folder.yaml("train: images\nval: images/val\nnames: [scratch, dent]\n");
    val_overlaps_train: |folder| {
        folder.put("val.txt", "./images/val/d.jpg\n./images/val/e.jpg\n./images/train/a.jpg\n");
        folder.yaml("train: images/train\nval: val.txt\nnames: [scratch, dent]\n");
    };
    moved_from_another_computer: |folder| folder.yaml(
        "path: /content/drive/MyDrive/plates\ntrain: /content/drive/MyDrive/plates/images/train\nval: images/val\nnames: [scratch, dent]\n"
    );
    names_missing: |folder| folder.yaml("train: images/train\nval: images/val\n");
    names_empty: |folder| folder.yaml("train: images/train\nval: images/val\nnames: []\n");
    names_and_nc_differ: |folder| folder.yaml("train: images/train\nval: images/val\nnc: 3\nnames: [scratch, dent]\n");
    nc_is_no_number: |folder| folder.yaml("train: images/train\nval: images/val\nnc: two\nnames: [scratch, dent]\n");
    names_with_a_gap: |folder| folder.yaml("train: images/train\nval: images/val\nnames:\n  1: scratch\n  2: dent\n");
    name_is_a_boolean: |folder| folder.yaml("train: images/train\nval: images/val\nnames: [scratch, no]\n");
    class_out_of_range: |folder| {
        folder.put("labels/train/b.txt", format!("{ROW}2 0.5 0.5 0.25 0.25\n"));
        folder.put("labels/val/d.txt", "80 0.1 0.1 0.1 0.1\n");
    };
    pixels_instead_of_shares: |folder| { folder.put("labels/train/a.txt", format!("{ROW}0 320 240 64 48\n")); };
    negative: |folder| { folder.put("labels/train/a.txt", "0 0.5 0.5 -0.25 0.25\n"); };
    columns: |folder| { folder.put("labels/train/a.txt", "0 0.5 0.5 0.25 0.25 0.99\n"); };
    names_in_labels: |folder| { folder.put("labels/train/a.txt", "scratch 0.5 0.5 0.25 0.25\n"); };
    decimal_commas: |folder| { folder.put("labels/train/a.txt", "0 0,5 0,5 0,25 0,25\n"); };
    encodings: |folder| {
        let utf16: Vec<u8> = format!("\u{feff}{ROW}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        folder.put("labels/train/a.txt", utf16);
        folder.put("labels/train/b.txt", b"0 0.5 0.5 0.25 0.25\n# d\xe9faut\n");
        folder.put("labels/train/c.txt", encoded(ImageFormat::Png, 64, 48));
    };
    boxes_and_outlines: |folder| { folder.put("labels/train/a.txt", format!("{ROW}0 .1 .1 .2 .1 .2 .2\n")); };
    outline_without_y: |folder| { folder.put("labels/train/a.txt", "0 .1 .1 .2 .1 .2 .2 .1\n"); };
    duplicates: |folder| { folder.put("labels/train/a.txt", format!("{ROW}{ROW}")); };
    no_labels: |folder| folder.remove("labels/train");
    labels_all_empty: |folder| {
        for name in ["a", "b", "c"] {
            folder.put(&format!("labels/train/{name}.txt"), "");
        }
    };
    val_without_boxes: |folder| folder.remove("labels/val");
    some_unlabelled: |folder| folder.remove("labels/train/c.txt");
    labels_without_image: |folder| folder.remove("images/train/c.jpg");
    images_of_every_bad_kind: |folder| {
        let jpeg = encoded(ImageFormat::Jpeg, 64, 48);
        folder.put("images/train/empty.jpg", "");
        folder.put("images/train/cut.jpg", &jpeg[..jpeg.len() / 2]);
        folder.put("images/train/tail.jpg", [&jpeg[..], b"\0\0"].concat());
        folder.put("images/train/page.jpg", "<html>not found</html>");
        folder.put("images/train/gif.png", encoded(ImageFormat::Gif, 64, 48));
        folder.put("images/train/tiny.png", encoded(ImageFormat::Png, 9, 64));
        let mut png = encoded(ImageFormat::Png, 64, 48);
        png[60] ^= 1;
        folder.put("images/train/bad.png", png);
        folder.put("images/train/phone.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x14ispe\0\0\0\0\0\0\x0f\xc0\0\0\x0b\xd0");
    };
    no_image_usable: |folder| {
        for name in ["a", "b", "c"] {
            folder.put(&format!("images/train/{name}.jpg"), "");
        }
    };
}
