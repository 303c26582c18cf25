//! One image and its label file, judged as the trainer does.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::SystemTime;

use preflight_core::dataset::labels::{LabelReader, LabelRules, Shape};
use preflight_core::dataset::tally::{Fault, Outcome, Verdict, class_counts};

use super::header::{self, Bytes, Format, Header, Refusal, Source};

/// What identifies a file's content without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    /// Nanoseconds since 1970, wrapped.
    modified: u64,
    /// In bytes.
    length: u64,
}

impl Stamp {
    /// No file.
    const ABSENT: Self = Self { modified: 0, length: u64::MAX };

    fn of(found: &Metadata) -> Self {
        let modified = found.modified().ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        #[expect(clippy::cast_possible_truncation, reason = "wraps after five centuries; only compared")]
        let modified = modified.map_or(0, |since| since.as_nanos() as u64);
        Self { modified, length: found.len() }
    }

    fn now(path: &Path) -> Self {
        std::fs::metadata(path).map_or(Self::ABSENT, |found| Self::of(&found))
    }
}

/// The verdict on an image and its label file, and what they were when it was given.
#[derive(Debug, Clone)]
pub(super) struct Record {
    image: Stamp,
    label: Stamp,
    pub(super) verdict: Verdict,
}

impl Record {
    /// Whether both files are as they were. A file that could not be opened is always looked at again.
    pub(super) fn is_current(&self, image: &Path, label: &Path) -> bool {
        self.image != Stamp::ABSENT && self.image == Stamp::now(image) && self.label == Stamp::now(label)
    }
}

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
    pub(super) fn judge(&mut self, image: &Path, label: &Path, rules: LabelRules) -> Record {
        let mut record = Record { image: Stamp::ABSENT, label: Stamp::ABSENT, verdict: corrupt(None, Vec::new()) };
        record.verdict = self.verdict(image, label, rules, &mut record.image, &mut record.label);
        record
    }

    fn verdict(
        &mut self,
        image: &Path,
        label: &Path,
        rules: LabelRules,
        image_stamp: &mut Stamp,
        label_stamp: &mut Stamp,
    ) -> Verdict {
        let mut faults = Vec::new();
        let header = match self.header(image, image_stamp) {
            Ok(header) => header,
            Err(refusal) => {
                // The label file is not opened, but a change of it must not go unseen once the image is mended.
                *label_stamp = Stamp::now(label);
                return corrupt(None, vec![refused(&refusal)]);
            }
        };
        let size = Some(header.upright());
        if header.repaired {
            faults.push(Fault::image("image-repaired"));
        }
        if header.format == Format::Heif {
            *label_stamp = Stamp::now(label);
            faults.push(Fault::image("image-needs-heif"));
            return corrupt(size, faults);
        }
        match self.read_label(label, label_stamp) {
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

    /// The width and height the trainer sees.
    pub(super) fn size(&mut self, image: &Path) -> Option<(u32, u32)> {
        self.header(image, &mut Stamp::ABSENT.clone()).ok().map(|header| header.upright())
    }

    fn header(&mut self, image: &Path, stamp: &mut Stamp) -> Result<Header, Refusal> {
        let file = open(image)?;
        let found = file.metadata()?;
        *stamp = Stamp::of(&found);
        if found.is_dir() {
            return Err(Refusal::Unreadable(ErrorKind::IsADirectory.into()));
        }
        if !found.is_file() {
            return Err(Refusal::Unreadable(ErrorKind::Unsupported.into()));
        }
        header::read(&mut Source::new(Bytes::File(&file), found.len(), &mut self.window))
    }

    /// Reads a label file into memory; whether there is one.
    fn read_label(&mut self, label: &Path, stamp: &mut Stamp) -> Result<bool, Fault> {
        self.label.clear();
        let mut read = || -> std::io::Result<bool> {
            let file = open(label)?;
            let found = file.metadata()?;
            *stamp = Stamp::of(&found);
            if !found.is_file() || found.len() > LARGEST_LABEL {
                return Ok(false);
            }
            // One byte more than there is room for tells the end without another call.
            self.label.reserve(usize::try_from(found.len()).unwrap_or(0) + 1);
            file.take(LARGEST_LABEL).read_to_end(&mut self.label)?;
            Ok(true)
        };
        match read() {
            Ok(false) if stamp.length > LARGEST_LABEL && *stamp != Stamp::ABSENT => {
                Err(Fault::label("label-too-large"))
            }
            // To the trainer, what is no file is not there.
            Ok(found) => Ok(found),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(false),
            Err(error) => Err(Fault::label("label-unreadable").saying(error.to_string())),
        }
    }

    /// An accepted label file's boxes.
    pub(super) fn boxes(&mut self, label: &Path, rules: LabelRules) -> Vec<preflight_core::dataset::LabelBox> {
        match self.read_label(label, &mut Stamp::ABSENT.clone()) {
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
