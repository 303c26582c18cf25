//! Where the trainer looks for images and their labels.
//!
//! Paths are taken as the system's own strings, never as Unicode: a name that is no valid text is still a file.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

/// The endings of the files that the trainer takes for images, in any case.
pub const IMAGE_ENDINGS: [&str; 13] =
    ["avif", "bmp", "dng", "heic", "heif", "jp2", "jpeg", "jpg", "mpo", "png", "tif", "tiff", "webp"];

/// Whether the trainer takes a file of this name for an image.
#[must_use]
pub fn is_image(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    let Some(dot) = bytes.iter().rposition(|byte| *byte == b'.') else { return false };
    IMAGE_ENDINGS.iter().any(|ending| ending.as_bytes().eq_ignore_ascii_case(&bytes[dot + 1..]))
}

/// Whether the trainer passes over an entry of this name when it looks through a folder.
#[must_use]
pub fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().first() == Some(&b'.')
}

/// The label file of an image: its last folder named `images` becomes `labels`, its ending `.txt`.
/// Without such a folder, the label file lies beside the image.
#[must_use]
pub fn label_path(image: &Path) -> PathBuf {
    let folder = image.parent().unwrap_or(Path::new(""));
    label_folder(folder).join(label_name(image.file_name().unwrap_or_default()))
}

/// The name of the label file for an image of this name.
#[must_use]
pub fn label_name(image: &OsStr) -> PathBuf {
    Path::new(image).with_extension("txt")
}

/// The folder where the labels of the images in this folder are.
#[must_use]
pub fn label_folder(images: &Path) -> PathBuf {
    let parts: Vec<Component<'_>> = images.components().collect();
    let Some(last) = parts.iter().rposition(|part| part.as_os_str() == "images") else { return images.to_owned() };
    // The trainer looks for `/images/` in the text of the path: at the very start of a relative one it finds none.
    if last == 0 {
        return images.to_owned();
    }
    let part = |(index, part): (usize, &Component<'_>)| -> OsString {
        if index == last { "labels".into() } else { part.as_os_str().to_owned() }
    };
    parts.iter().enumerate().map(part).collect()
}
