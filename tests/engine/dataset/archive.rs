//! Packed datasets, honest and hostile.

use std::io::{Cursor, Write};
use std::path::Path;

use preflight_core::finding::Severity;
use preflight_core::problem::Problem;
use preflight_engine::dataset::archive::{Bounds, Unpacked, is_zip, unpack};
use tokio_util::sync::CancellationToken;
use zip::write::SimpleFileOptions;

use super::folder::{Folder, ROW, encoded};
use super::{codes, scan};

/// Small, so that a bomb need not be large.
const BOUNDS: Bounds = Bounds { always: 1 << 20, ratio: 50 };

fn packed(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn unpacked(path: &Path, to: &Path) -> Result<Unpacked, Problem> {
    unpack(path, to, BOUNDS, &|_, _| {}, &CancellationToken::new())
}

#[test]
fn a_roboflow_export_is_a_dataset() {
    let folder = Folder::empty();
    let jpeg = encoded(image::ImageFormat::Jpeg, 64, 48);
    let yaml = b"train: ../train/images\nval: ../valid/images\ntest: ../test/images\nnc: 1\nnames: ['dent']\n";
    let path = folder.put(
        "export.zip",
        packed(&[
            ("README.roboflow.txt", b"hello"),
            ("data.yaml", yaml),
            ("train/images/a_jpg.rf.0.jpg", &jpeg),
            ("train/labels/a_jpg.rf.0.txt", ROW.as_bytes()),
            ("valid/images/b_jpg.rf.1.jpg", &jpeg),
            ("valid/labels/b_jpg.rf.1.txt", ROW.as_bytes()),
        ]),
    );
    assert!(is_zip(&path));
    let found = unpacked(&path, &folder.at("out")).unwrap();
    assert_eq!((found.folder.as_path(), found.findings.len()), (folder.at("out").as_path(), 0));
    assert_eq!(codes(&scan(&found.folder), Severity::Warning), Vec::<&str>::new());
}

#[test]
fn a_label_studio_export_is_a_dataset_in_its_one_folder() {
    let folder = Folder::empty();
    let jpeg = encoded(image::ImageFormat::Jpeg, 64, 48);
    let path = folder.put(
        "export.zip",
        packed(&[
            ("project-1/classes.txt", b"dent\n"),
            ("project-1/notes.json", b"{\"categories\": [{\"id\": 0, \"name\": \"dent\"}], \"info\": {}}"),
            ("project-1/images/a.jpg", &jpeg),
            ("project-1/labels/a.txt", ROW.as_bytes()),
            ("__MACOSX/._a.jpg", b"x"),
        ]),
    );
    let found = unpacked(&path, &folder.at("out")).unwrap();
    assert_eq!(found.folder, folder.at("out/project-1"));
    let dataset = scan(&found.folder);
    assert_eq!(
        (dataset.names.as_slice(), codes(&dataset, Severity::Blocker)),
        (["dent".to_owned()].as_slice(), vec!["data.no-split"])
    );
}

#[test]
fn cvat_exports_for_darknet_and_for_ultralytics_are_datasets() {
    let folder = Folder::empty();
    let jpeg = encoded(image::ImageFormat::Jpeg, 64, 48);
    let darknet = folder.put(
        "darknet.zip",
        packed(&[
            ("obj.data", b"classes = 1\ntrain = data/train.txt\nvalid = data/valid.txt\nnames = data/obj.names\nbackup = backup/\n"),
            ("obj.names", b"dent\n"),
            ("train.txt", b"data/obj_train_data/a.jpg\n"),
            ("valid.txt", b"data/obj_valid_data/b.jpg\n"),
            ("obj_train_data/a.jpg", &jpeg),
            ("obj_train_data/a.txt", ROW.as_bytes()),
            ("obj_valid_data/b.jpg", &jpeg),
            ("obj_valid_data/b.txt", ROW.as_bytes()),
        ]),
    );
    let ultralytics = folder.put(
        "ultralytics.zip",
        packed(&[
            ("data.yaml", b"names:\n  0: dent\npath: .\ntrain: train.txt\nval: val.txt\n"),
            ("train.txt", b"data/images/train/a.jpg\n"),
            ("val.txt", b"images/val/b.jpg\n"),
            ("images/train/a.jpg", &jpeg),
            ("labels/train/a.txt", ROW.as_bytes()),
            ("images/val/b.jpg", &jpeg),
            ("labels/val/b.txt", ROW.as_bytes()),
        ]),
    );
    for (path, to) in [(darknet, "one"), (ultralytics, "two")] {
        let found = unpacked(&path, &folder.at(to)).unwrap();
        let dataset = scan(&found.folder);
        assert_eq!(dataset.names, ["dent"], "{to}");
        let counts: Vec<_> = dataset.splits.iter().map(|split| (split.kind.name(), split.labelled)).collect();
        assert_eq!(counts, [("train", 1), ("val", 1)], "{to}");
        assert_eq!(codes(&dataset, Severity::Blocker), Vec::<&str>::new(), "{to}");
    }
}

#[test]
fn nothing_gets_out_of_the_folder() {
    let folder = Folder::empty();
    let names = ["../outside.txt", "/absolute.txt", "a/../../outside2.txt", "C:\\x.txt", "a/b.txt", "a/b.txt/c.txt"];
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in &names[..5] {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(b"x").unwrap();
    }
    zip.add_symlink("link", "../..", SimpleFileOptions::default()).unwrap();
    zip.start_file("link/through.txt", SimpleFileOptions::default()).unwrap();
    zip.write_all(b"x").unwrap();
    let path = folder.put("in/evil.zip", zip.finish().unwrap().into_inner());
    let found = unpacked(&path, &folder.at("in/out")).unwrap();
    assert_eq!(found.findings[0].code, "data.archive-entry-unsafe");
    let outside: Vec<_> = folder
        .state()
        .into_iter()
        .map(|(path, ..)| path)
        .filter(|path| {
            !path.starts_with(folder.at("in/out"))
                && *path != folder.at("in")
                && path.file_name().unwrap() != "evil.zip"
        })
        .collect();
    assert_eq!(outside, Vec::<std::path::PathBuf>::new());
    assert!(folder.at("in/out").join("a/b.txt").is_file() || found.folder.join("b.txt").is_file());
    assert!(!folder.at("in/out/link").is_symlink());
}

#[test]
fn a_bomb_is_stopped_and_what_is_cut_is_said() {
    let folder = Folder::empty();
    let zeros = vec![0; 512 << 10];
    let many: Vec<(String, &[u8])> = (0..6).map(|index| (format!("{index}.bmp"), zeros.as_slice())).collect();
    let many: Vec<_> = many.iter().map(|(name, content)| (name.as_str(), *content)).collect();
    let bomb = folder.put("bomb.zip", packed(&many));
    assert_eq!(unpacked(&bomb, &folder.at("out")).unwrap_err().code, "dataset.archive-too-large");

    let whole = packed(&[("a.txt", b"some text that is long enough to be cut")]);
    let cut = folder.put("cut.zip", &whole[..whole.len() - 30]);
    assert_eq!(unpacked(&cut, &folder.at("cut")).unwrap_err().code, "dataset.archive-damaged");
    let mut changed = whole.clone();
    changed[40] ^= 0xFF;
    let changed = folder.put("changed.zip", changed);
    assert_eq!(unpacked(&changed, &folder.at("changed")).unwrap_err().code, "dataset.archive-damaged");
    assert!(!is_zip(&folder.put("no.zip", "text")));
    assert_eq!(unpacked(&folder.at("no.zip"), &folder.at("no")).unwrap_err().code, "dataset.archive-damaged");
    folder.put("full/x", "x");
    assert_eq!(unpacked(&bomb, &folder.at("full")).unwrap_err().code, "dataset.folder-not-empty");
}

/// Not with proptest's own number of cases: each is a file and a folder.
#[test]
fn an_archive_changed_anywhere_is_unpacked_or_refused_inside_its_folder() {
    let folder = Folder::empty();
    let good = packed(&[("a/b.txt", b"some text"), ("c.txt", &[7; 300])]);
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << (at % 8);
        let path = folder.put(&format!("in/{at}.zip"), &bytes);
        let _ = unpacked(&path, &folder.at(&format!("out/{at}")));
        let _ = unpacked(&folder.put(&format!("in/{at}c.zip"), &good[..at]), &folder.at(&format!("out/{at}c")));
    }
    let mut top: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    top.sort();
    assert_eq!(top, ["in", "out"]);
}
