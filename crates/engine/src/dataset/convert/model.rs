//! What every annotation format comes to: images, and objects on them in pixels.

use std::path::{Path, PathBuf};

use preflight_core::dataset::SplitKind;

/// Points around an object, in pixels.
pub(super) type Outline = Vec<[f64; 2]>;

/// An image as an annotation file describes it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Annotated {
    /// The annotation file.
    pub(super) source: PathBuf,
    /// The image's name or path as written.
    pub(super) file: String,
    /// Its width in pixels, where the file says it.
    pub(super) width: Option<f64>,
    /// Its height in pixels, where the file says it.
    pub(super) height: Option<f64>,
    /// Whether places are in percent of its width and height, since the file says neither.
    pub(super) percent: bool,
    /// The split it is in, where the file says it.
    pub(super) split: Option<SplitKind>,
    pub(super) objects: Vec<Object>,
}

impl Annotated {
    pub(super) fn of(source: &Path) -> Self {
        let source = source.to_owned();
        let (file, objects) = (String::new(), Vec::new());
        Self { source, file, width: None, height: None, percent: false, split: None, objects }
    }
}

/// An object on an image.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Object {
    pub(super) class: String,
    /// Left, top, right, bottom in pixels, or in what its image says.
    pub(super) sides: [f64; 4],
    pub(super) outline: Option<Outline>,
    /// x and y in pixels, and visibility.
    pub(super) keypoints: Vec<[f64; 3]>,
    /// Where it is in the annotation file, counted from 1; 0: not known.
    pub(super) line: u32,
}

impl Object {
    pub(super) fn boxed(class: &str, sides: [f64; 4]) -> Self {
        Self { class: class.to_owned(), sides, outline: None, keypoints: Vec::new(), line: 0 }
    }

    pub(super) fn outlined(class: &str, outline: Outline) -> Self {
        Self { sides: around(&outline), outline: Some(outline), ..Self::boxed(class, [0.0; 4]) }
    }
}

/// The box around points: left, top, right, bottom.
pub(super) fn around(points: &Outline) -> [f64; 4] {
    points.iter().fold([f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY], |sides, [x, y]| {
        [sides[0].min(*x), sides[1].min(*y), sides[2].max(*x), sides[3].max(*y)]
    })
}

/// A number that is one: no infinity.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|value: &f64| value.is_finite())
}

/// Something in an annotation file that cannot be converted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trouble {
    /// The second half of its finding's code.
    pub(super) what: &'static str,
    pub(super) file: PathBuf,
    /// Counted from 1; 0: the whole file.
    pub(super) line: u32,
    pub(super) text: String,
}

impl Trouble {
    pub(super) fn new(what: &'static str, file: &Path, line: u32, text: impl Into<String>) -> Self {
        Self { what, file: file.to_owned(), line, text: text.into() }
    }

    /// A file that cannot be read.
    pub(super) fn unreadable(file: &Path, line: u32, message: String) -> Self {
        Self::new("convert-unreadable", file, line, message)
    }

    /// An object without a place or a class.
    pub(super) fn unusable(file: &Path, line: u32, text: String) -> Self {
        Self::new("convert-object-unusable", file, line, text)
    }

    /// A shape that is no box and no outline.
    pub(super) fn shape(file: &Path, line: u32, kind: &str) -> Self {
        Self::new("convert-shape-unsupported", file, line, kind)
    }
}

/// The split that a folder or file name stands for.
pub(super) fn split_named(name: &str) -> Option<SplitKind> {
    let name = name.to_ascii_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).collect();
    words.iter().rev().find_map(|word| match *word {
        "train" | "training" => Some(SplitKind::Train),
        "val" | "valid" | "validation" | "minival" => Some(SplitKind::Val),
        "test" | "testing" => Some(SplitKind::Test),
        _ => None,
    })
}
