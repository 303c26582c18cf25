//! A dataset to break.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::{DynamicImage, ImageFormat};

/// A folder that is gone when the test ends.
#[derive(Debug)]
pub(super) struct Folder {
    folder: tempfile::TempDir,
}

/// A label row that is right.
pub(super) const ROW: &str = "0 0.5 0.5 0.25 0.25\n";

impl Folder {
    /// With nothing in it.
    pub(super) fn empty() -> Self {
        Self { folder: tempfile::Builder::new().prefix("preflight data 数据 ").tempdir().unwrap() }
    }

    /// Three images to learn from, two to validate with, two classes, nothing wrong.
    pub(super) fn good() -> Self {
        let folder = Self::empty();
        folder.put("data.yaml", "train: images/train\nval: images/val\nnames: [scratch, dent]\n");
        for (name, row) in [("train/a", "0"), ("train/b", "1"), ("train/c", "0"), ("val/d", "0"), ("val/e", "1")] {
            folder.image(&format!("images/{name}.jpg"));
            folder.put(&format!("labels/{name}.txt"), format!("{row} 0.5 0.5 0.25 0.25\n"));
        }
        folder
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(super) fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(super) fn image(&self, name: &str) -> PathBuf {
        let format = ImageFormat::from_path(name).unwrap_or(ImageFormat::Png);
        self.put(name, encoded(format, 64, 48))
    }

    pub(super) fn yaml(&self, text: &str) {
        self.put("data.yaml", text);
    }

    pub(super) fn remove(&self, name: &str) {
        let path = self.at(name);
        if path.is_dir() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
    }

    pub(super) fn rename(&self, from: &str, to: &str) {
        std::fs::create_dir_all(self.at(to).parent().unwrap()).unwrap();
        std::fs::rename(self.at(from), self.at(to)).unwrap();
    }

    /// Every file with its content and time, to see that nothing was written.
    pub(super) fn state(&self) -> Vec<(PathBuf, Vec<u8>, std::time::SystemTime)> {
        fn collect(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>, std::time::SystemTime)>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let times = path.metadata().unwrap().modified().unwrap();
                if path.is_dir() {
                    found.push((path.clone(), Vec::new(), times));
                    collect(&path, found);
                } else {
                    found.push((path.clone(), std::fs::read(&path).unwrap(), times));
                }
            }
        }
        let mut found = Vec::new();
        collect(&self.path(), &mut found);
        found.sort();
        found
    }
}

/// An image file's bytes.
pub(super) fn encoded(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
    let mut picture = image::RgbImage::new(width, height);
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let value = u8::try_from((x * 7 + y * 13) % 256).unwrap();
        *pixel = image::Rgb([value, 255 - value, 128]);
    }
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(picture).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A JPEG that says in its EXIF data which way is up.
pub(super) fn turned(orientation: u8, width: u32, height: u32) -> Vec<u8> {
    let plain = encoded(ImageFormat::Jpeg, width, height);
    let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0]);
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&plain[..2], &[0xFF, 0xE1], &length, &exif, &plain[2..]].concat()
}
