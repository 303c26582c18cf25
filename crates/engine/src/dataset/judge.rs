//! One image and its label file, judged as the trainer does.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use preflight_core::dataset::labels::{LabelReader, LabelRules, Shape};
use preflight_core::dataset::tally::{Fault, Outcome, Verdict, class_counts};

use super::header::{self, Bytes, Format, Refusal, Source};

/// Memory that is used again for every file.
#[derive(Default)]
pub(super) struct Judge {
    window: Vec<u8>,
    label: Vec<u8>,
    reader: LabelReader,
}

/// A label file larger than this is no label file: it would hold millions of boxes for one image.
const LARGEST_LABEL: u64 = 256 << 20;

impl Judge {
    /// Judges an image and its label file.
    pub(super) fn judge(&mut self, image: &Path, label: &Path, rules: LabelRules) -> Verdict {
        let mut faults = Vec::new();
        let size = match self.header(image) {
            Ok(header) => {
                if header.repaired {
                    faults.push(Fault::image("image-repaired"));
                }
                if header.format == Format::Heif {
                    faults.push(Fault::image("image-needs-heif"));
                    return corrupt(Some(header.upright()), faults);
                }
                Some(header.upright())
            }
            Err(refusal) => {
                faults.push(refused(&refusal));
                return corrupt(None, faults);
            }
        };
        match self.read_label(label) {
            Ok(true) => {}
            Ok(false) => return Verdict { outcome: Outcome::Unlabelled, ..corrupt(size, faults) },
            Err(fault) => {
                faults.push(fault);
                return corrupt(size, faults);
            }
        }
        match self.reader.read(&self.label, rules) {
            Ok(labels) => {
                let outcome = if labels.boxes.is_empty() { Outcome::Background } else { Outcome::Labelled };
                faults.extend(Fault::accepted(&labels, &self.label));
                Verdict { outcome, size, classes: class_counts(labels.boxes), shape: labels.shape, faults }
            }
            Err(refusal) => {
                faults.push(Fault::refused(&refusal, &self.label));
                corrupt(size, faults)
            }
        }
    }

    pub(super) fn header(&mut self, image: &Path) -> Result<header::Header, Refusal> {
        let file = open(image)?;
        let found = file.metadata()?;
        if found.is_dir() {
            return Err(Refusal::Unreadable(ErrorKind::IsADirectory.into()));
        }
        if !found.is_file() {
            return Err(Refusal::Unreadable(ErrorKind::Unsupported.into()));
        }
        header::read(&mut Source::new(Bytes::File(&file), found.len(), &mut self.window))
    }

    /// Reads a label file into memory; whether there is one.
    fn read_label(&mut self, label: &Path) -> Result<bool, Fault> {
        self.label.clear();
        let unreadable = |error: std::io::Error| Fault::label("label-unreadable").saying(error.to_string());
        let file = match open(label) {
            Ok(file) => file,
            // To the trainer, what is no file is not there.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(false),
            Err(error) => return Err(unreadable(error)),
        };
        match file.take(LARGEST_LABEL + 1).read_to_end(&mut self.label) {
            Ok(length) if length as u64 > LARGEST_LABEL => Err(Fault::label("label-too-large")),
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::IsADirectory => Ok(false),
            Err(error) => Err(unreadable(error)),
        }
    }

    /// An accepted label file's boxes.
    pub(super) fn boxes(&mut self, label: &Path, rules: LabelRules) -> Vec<preflight_core::dataset::LabelBox> {
        match self.read_label(label) {
            Ok(true) => self.reader.read(&self.label, rules).map(|labels| labels.boxes.to_vec()).unwrap_or_default(),
            _ => Vec::new(),
        }
    }
}

/// Opens a file to read it, without waiting for anybody to write to a pipe that lies among the images.
pub(super) fn open(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(path)
}

fn corrupt(size: Option<(u32, u32)>, faults: Vec<Fault>) -> Verdict {
    Verdict { outcome: Outcome::Corrupt, size, classes: Box::default(), shape: Shape::Boxes, faults }
}

fn refused(refusal: &Refusal) -> Fault {
    match refusal {
        Refusal::Unreadable(error) if error.kind() == ErrorKind::NotFound => Fault::image("image-missing"),
        Refusal::Unreadable(error) => Fault::image("image-unreadable").saying(error.to_string()),
        Refusal::Empty => Fault::image("image-empty"),
        Refusal::Truncated => Fault::image("image-truncated"),
        Refusal::Damaged => Fault::image("image-damaged"),
        Refusal::WrongFormat(format) => Fault::image("image-wrong-format").with("format", *format),
        Refusal::TooSmall { width, height } => Fault::image("image-too-small").saying(format!("{width} × {height}")),
        Refusal::TooLarge { width, height } => Fault::image("image-too-large").saying(format!("{width} × {height}")),
    }
}
