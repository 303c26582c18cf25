//! Everything that reads files of strangers, as functions of bytes: for fuzzing, and for the tests that run the same
//! functions over files that were changed at random. None may panic, hang or need much memory, whatever it is given.

use std::path::Path;

use preflight_core::dataset::labels::{LabelReader, LabelRules};
use preflight_core::dataset::tally::Faults;
use preflight_core::dataset::{declaration, mend};
use tokio_util::sync::CancellationToken;

use super::header::{self, Bytes, Source};
use super::{archive, convert, listing, manifest};

/// A parser: its name, and what it does with any bytes.
pub type Parser = (&'static str, fn(&[u8]));

/// All of them. `tests/fuzz` has a target for each.
pub const ALL: [Parser; 13] = [
    ("yaml", yaml),
    ("labels", labels),
    ("image", image),
    ("list", list),
    ("archive", unpack),
    ("voc", |bytes| convert::parsers::one(convert::Form::PascalVoc, bytes)),
    ("labelme", |bytes| convert::parsers::one(convert::Form::LabelMe, bytes)),
    ("cvat", |bytes| convert::parsers::one(convert::Form::Cvat, bytes)),
    ("coco", |bytes| convert::parsers::one(convert::Form::Coco, bytes)),
    ("label-studio", |bytes| convert::parsers::one(convert::Form::LabelStudio, bytes)),
    ("manifest", kept),
    ("pickle", |bytes| drop(preflight_core::weights::read(bytes))),
    ("weights", weights),
];

/// Runs the parser of this name.
pub fn read(name: &str, bytes: &[u8]) {
    if let Some((_, read)) = ALL.iter().find(|(known, _)| *known == name) {
        read(bytes);
    }
}

fn yaml(bytes: &[u8]) {
    let _ = declaration::read(Path::new("data.yaml"), bytes);
}

fn labels(bytes: &[u8]) {
    const CLASSES: u32 = 3;
    let mut reader = LabelReader::default();
    let pose = LabelRules { keypoints: Some((2, 3)), pose: true, ..LabelRules::boxes(CLASSES) };
    for rules in [LabelRules::boxes(CLASSES), pose] {
        if reader.read(bytes, rules).is_err() {
            let _ = reader.faults(bytes, rules, 20);
        }
        let _ = reader.lines();
        let _ = mend::mend(bytes, rules, (640, 480));
    }
}

fn image(bytes: &[u8]) {
    let mut window = Vec::new();
    // What is refused is an answer.
    let _ = header::read(&mut Source::new(Bytes::Memory(bytes), bytes.len() as u64, &mut window));
}

/// Calls a function with a file that holds the bytes, in a folder of its own.
pub(super) fn in_file(name: &str, bytes: &[u8], read: impl FnOnce(&Path)) {
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = folder.path().join(name);
    if std::fs::write(&path, bytes).is_ok() {
        read(&path);
    }
}

fn list(bytes: &[u8]) {
    in_file("train.txt", bytes, |path| {
        let root = path.parent().unwrap_or(path);
        listing::Listing::of_list(path, root, &mut Faults::default());
    });
}

fn unpack(bytes: &[u8]) {
    let bounds = archive::Bounds { always: 1 << 20, ratio: 20 };
    in_file("export.zip", bytes, |path| {
        let to = path.with_extension("out");
        let _ = archive::unpack(path, &to, bounds, &|_, _| {}, &CancellationToken::new());
    });
}

fn kept(bytes: &[u8]) {
    in_file("manifest.json", bytes, |path| {
        if let Ok(Some(manifest)) = manifest::Manifest::load(path) {
            let _ = manifest.fingerprint();
            let _ = manifest.changes_since(&manifest::Manifest::default());
        }
    });
}

fn weights(bytes: &[u8]) {
    in_file("best.pt", bytes, |path| {
        let _ = crate::weights::examine(path);
    });
}

#[cfg(test)]
mod tests;
