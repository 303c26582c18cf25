//! One image and its label file, judged as the trainer does.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use preflight_core::dataset::LabelBox;
use preflight_core::dataset::labels::{LabelReader, LabelRules, Shape};
use preflight_core::dataset::tally::{Fault, Outcome, Verdict, class_counts};

use super::header::{self, Bytes, Format, Header, Refusal, Source};
use super::opener::{Folder, Kind, Stamp, look, open, read_at};

/// The verdict on an image and its label file, and what they were when it was given.
#[derive(Debug, Clone)]
pub(super) struct Record {
    image: Stamp,
    label: Stamp,
    pub(super) verdict: Verdict,
}

impl Record {
    /// Of a file that nobody looked at yet. It is never current.
    pub(super) fn unread() -> Self {
        Self { image: Stamp::ABSENT, label: Stamp::ABSENT, verdict: corrupt(None, Vec::new()) }
    }

    /// What both files were.
    pub(super) fn stamps(&self) -> [Stamp; 2] {
        [self.image, self.label]
    }
}

/// An image and its label file, by their folders and names.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) images: &'a Folder,
    pub(super) labels: &'a Folder,
    pub(super) image: &'a OsStr,
}

/// Memory that is used again for every file.
#[derive(Default)]
pub(super) struct Judge {
    window: Vec<u8>,
    label: Vec<u8>,
    name: OsString,
    reader: LabelReader,
}

/// A label file larger than this is no label file: it would hold millions of boxes for one image.
const LARGEST_LABEL: u64 = 256 << 20;
/// Faults of one label file that are told. A file of a million wrong lines has the same few mistakes in all of them.
const MOST_FAULTS: usize = 20;

impl Judge {
    /// Judges an image and its label file.
    pub(super) fn judge(&mut self, pair: Pair<'_>, rules: LabelRules) -> Record {
        let mut name = std::mem::take(&mut self.name);
        label_name(pair.image, &mut name);
        let mut record = Record::unread();
        record.verdict = self.verdict(pair, &name, rules, &mut record.image, &mut record.label);
        self.name = name;
        record
    }

    /// Judges an image that needs no label file: its folder says its class.
    pub(super) fn judge_alone(&mut self, image: &Path, class: usize) -> Verdict {
        let header = match self.look_at(image) {
            Ok(header) => header,
            Err(refusal) => return corrupt(None, vec![refused(&refusal)]),
        };
        let size = Some(header.upright());
        if header.format == Format::Heif {
            return corrupt(size, vec![Fault::image("image-needs-heif")]);
        }
        let class = u32::try_from(class).unwrap_or(u32::MAX);
        let faults = if header.repaired { vec![Fault::image("image-repaired")] } else { Vec::new() };
        Verdict { outcome: Outcome::Labelled, classes: Box::new([(class, 1)]), ..corrupt(size, faults) }
    }

    /// Whether both files are as they were. A file that could not be opened is always looked at again.
    pub(super) fn is_current(&mut self, record: &Record, pair: Pair<'_>) -> bool {
        label_name(pair.image, &mut self.name);
        record.image != Stamp::ABSENT
            && record.image == pair.images.stamp(pair.image)
            && record.label == pair.labels.stamp(&self.name)
    }

    fn verdict(
        &mut self,
        pair: Pair<'_>,
        label: &OsStr,
        rules: LabelRules,
        image_stamp: &mut Stamp,
        label_stamp: &mut Stamp,
    ) -> Verdict {
        let mut faults = Vec::new();
        let header = match self.header(pair.images.open(pair.image), image_stamp) {
            Ok(header) => header,
            Err(refusal) => {
                // The label file is not opened, but a change of it must not go unseen once the image is mended.
                *label_stamp = pair.labels.stamp(label);
                return corrupt(None, vec![refused(&refusal)]);
            }
        };
        let size = Some(header.upright());
        if header.repaired {
            faults.push(Fault::image("image-repaired"));
        }
        if header.format == Format::Heif {
            *label_stamp = pair.labels.stamp(label);
            faults.push(Fault::image("image-needs-heif"));
            return corrupt(size, faults);
        }
        match self.read_label(pair.labels.open(label), label_stamp) {
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
            Err(_) => {
                for fault in self.label_faults(rules) {
                    // Once a kind; all of its lines are read again for the few files that are shown.
                    if !faults.iter().any(|known| known.what == fault.what) {
                        faults.push(fault);
                    }
                }
                corrupt(size, faults)
            }
        }
    }

    /// What is wrong with the label file in memory, the trainer's reason first.
    fn label_faults(&mut self, rules: LabelRules) -> Vec<Fault> {
        let Err(first) = self.reader.read(&self.label, rules) else { return Vec::new() };
        let all = self.reader.faults(&self.label, rules, MOST_FAULTS);
        let others: Vec<_> = all.into_iter().filter(|other| (other.line(), other) != (first.line(), &first)).collect();
        let mut faults = vec![Fault::refused(&first, &self.label)];
        faults.extend(others.iter().map(|other| Fault::refused(other, &self.label)));
        if !others.is_empty() {
            faults.push(Fault { what: "label-several", value: None, ..faults[0].clone() });
        }
        faults
    }

    /// Every fault of a refused label file.
    pub(super) fn faults_of(&mut self, label: &Path, rules: LabelRules) -> Vec<Fault> {
        match self.read_label(open(label), &mut Stamp::ABSENT.clone()) {
            Ok(true) => self.label_faults(rules),
            _ => Vec::new(),
        }
    }

    /// The width and height the trainer sees.
    pub(super) fn size(&mut self, image: &Path) -> Option<(u32, u32)> {
        self.look_at(image).ok().map(|header| header.upright())
    }

    /// An image file's header.
    pub(super) fn look_at(&mut self, image: &Path) -> Result<Header, Refusal> {
        self.header(open(image), &mut Stamp::ABSENT.clone())
    }

    fn header(&mut self, file: io::Result<File>, stamp: &mut Stamp) -> Result<Header, Refusal> {
        let file = file?;
        let (found, kind) = look(&file)?;
        *stamp = found;
        match kind {
            Kind::File => header::read(&mut Source::new(Bytes::File(&file), found.length, &mut self.window)),
            Kind::Folder => Err(Refusal::Unreadable(ErrorKind::IsADirectory.into())),
            Kind::Other => Err(Refusal::Unreadable(ErrorKind::Unsupported.into())),
        }
    }

    /// Reads a label file into memory; whether there is one.
    fn read_label(&mut self, file: io::Result<File>, stamp: &mut Stamp) -> Result<bool, Fault> {
        self.label.clear();
        let label = &mut self.label;
        let read = || -> io::Result<bool> {
            let file = file?;
            let (found, kind) = look(&file)?;
            *stamp = found;
            if kind != Kind::File || found.length > LARGEST_LABEL {
                return Ok(false);
            }
            label.resize(usize::try_from(found.length).unwrap_or(0), 0);
            let mut done = 0;
            while done < label.len() {
                match read_at(&file, done as u64, &mut label[done..]) {
                    Ok(0) => break,
                    Ok(count) => done += count,
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
            label.truncate(done);
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

    /// A label file's bytes; `None`: there is none that could be one.
    pub(super) fn label_content(&mut self, label: &Path) -> Option<&[u8]> {
        match self.read_label(open(label), &mut Stamp::ABSENT.clone()) {
            Ok(true) => Some(&self.label),
            _ => None,
        }
    }

    /// The boxes of a label file's content; `None`: the trainer would refuse it.
    pub(super) fn boxes_in(&mut self, content: &[u8], rules: LabelRules) -> Option<Vec<LabelBox>> {
        self.reader.read(content, rules).map(|labels| labels.boxes.to_vec()).ok()
    }

    /// The lines of the boxes that [`Self::boxes`] answered last.
    pub(super) fn lines(&self) -> Vec<u32> {
        self.reader.lines()
    }

    /// An accepted label file's boxes.
    pub(super) fn boxes(&mut self, label: &Path, rules: LabelRules) -> Vec<LabelBox> {
        match self.read_label(open(label), &mut Stamp::ABSENT.clone()) {
            Ok(true) => self.reader.read(&self.label, rules).map(|labels| labels.boxes.to_vec()).unwrap_or_default(),
            _ => Vec::new(),
        }
    }
}

/// The name of an image's label file.
fn label_name(image: &OsStr, name: &mut OsString) {
    name.clear();
    name.push(Path::new(image).file_stem().unwrap_or(image));
    name.push(".txt");
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

/// The header of an image file that the trainer takes.
pub(super) fn taken(header: Result<Header, Refusal>) -> Option<Header> {
    header.ok().filter(|header| header.format != Format::Heif)
}
