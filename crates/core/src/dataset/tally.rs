//! From the verdict on every image to counts and findings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::faults::{EXAMPLES, fault, open_file};
use super::labels::{LabelFault, Labels, Shape};
use super::{LabelBox, Split, SplitKind, SplitSource};
use crate::finding::{Evidence, Finding, Severity};
use crate::text::Value;

/// What the trainer makes of one image and its label file. Small: there may be a million.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether and how it takes part.
    pub outcome: Outcome,
    /// Width and height, as the trainer sees them; `None`: not readable.
    pub size: Option<(u32, u32)>,
    /// Boxes per class id that occurs.
    pub classes: Box<[(u32, u32)]>,
    /// What its label rows describe.
    pub shape: Shape,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
}

impl Verdict {
    /// Whether its label file is why the trainer refuses the image.
    #[must_use]
    pub fn is_refused_for_label(&self) -> bool {
        self.outcome == Outcome::Corrupt && self.faults.iter().any(|fault| fault.in_label)
    }
}

/// Whether and how an image takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// With boxes.
    Labelled,
    /// Its label file is empty: nothing to be found on it.
    Background,
    /// It has no label file; the trainer takes it as a background.
    Unlabelled,
    /// The trainer refuses it.
    Corrupt,
}

/// Something wrong with an image or its label file.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// The second half of its finding's code.
    pub what: &'static str,
    /// Whether it is in the label file.
    pub in_label: bool,
    /// Counted from 1; 0: the whole file.
    pub line: u32,
    /// The line, shortened, or what the system said.
    pub text: Box<str>,
    /// What the finding's words need from the first of its kind.
    pub value: Option<(&'static str, Value)>,
}

impl Fault {
    /// A fault of the image.
    #[must_use]
    pub fn image(what: &'static str) -> Self {
        Self { what, in_label: false, line: 0, text: Box::default(), value: None }
    }

    /// A fault of the whole label file.
    #[must_use]
    pub fn label(what: &'static str) -> Self {
        Self { in_label: true, ..Self::image(what) }
    }

    /// With what the system said.
    #[must_use]
    pub fn saying(mut self, text: impl Into<Box<str>>) -> Self {
        self.text = text.into();
        self
    }

    /// With what the finding's words need.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.value = Some((name, value.into()));
        self
    }

    /// The fault for which the trainer refuses a label file.
    #[must_use]
    pub fn refused(refusal: &LabelFault, bytes: &[u8]) -> Self {
        let line = refusal.line().unwrap_or(0);
        let at = |what| {
            let text = if line > 0 { super::faults::shortened(bytes, line) } else { String::new() };
            Self { line, ..Self::label(what).saying(text) }
        };
        match refusal {
            LabelFault::Utf16 => at("label-utf16"),
            LabelFault::Binary => at("label-binary"),
            LabelFault::NotUtf8 { .. } => at("label-not-utf8"),
            LabelFault::Mixed { .. } => at("label-mixed"),
            LabelFault::Columns { columns, .. } => at("label-columns").with("columns", *columns),
            LabelFault::Outline { columns, .. } => at("label-outline").with("columns", *columns),
            LabelFault::NotANumber { comma: true, .. } => at("label-decimal-comma"),
            LabelFault::NotANumber { comma: false, .. } => at("label-not-a-number"),
            LabelFault::OutOfBounds { value, .. } => at("label-out-of-bounds").with("value", value.to_string()),
            LabelFault::Negative { value, .. } => at("label-negative").with("value", value.to_string()),
            LabelFault::FractionalClass { value, .. } => at("label-class-not-whole").with("value", value.to_string()),
            LabelFault::ClassOutOfRange { class, .. } => at("class-out-of-range").with("class", class.to_string()),
        }
    }

    /// What is worth saying about an accepted label file.
    #[must_use]
    pub fn accepted(labels: &Labels<'_>, bytes: &[u8]) -> Vec<Self> {
        let mut faults = Vec::new();
        if labels.duplicates > 0 {
            let line = labels.first_duplicate;
            faults.push(Self { line, ..Self::label("label-duplicates").saying(super::faults::shortened(bytes, line)) });
        }
        faults
    }
}

/// Boxes per class id that occurs, by id.
#[must_use]
pub fn class_counts(boxes: &[LabelBox]) -> Box<[(u32, u32)]> {
    let mut counts: Vec<(u32, u32)> = Vec::new();
    for found in boxes {
        match counts.binary_search_by_key(&found.class, |(class, _)| *class) {
            Ok(at) => counts[at].1 += 1,
            Err(at) => counts.insert(at, (found.class, 1)),
        }
    }
    counts.into_boxed_slice()
}

/// Counts of one split.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    images: u32,
    labelled: u32,
    unlabelled: u32,
    corrupt: u32,
    instances: u32,
    most_boxes: u32,
    class_instances: Vec<u32>,
    sides: Option<(u32, u32)>,
    outlines: u32,
    rotated: u32,
}

impl Tally {
    /// Counts an image. `paths` answers where it and its label file are; asked only when something is wrong.
    pub fn add(&mut self, verdict: &Verdict, faults: &mut Faults, paths: impl FnOnce() -> (PathBuf, PathBuf)) {
        match verdict.outcome {
            Outcome::Corrupt => self.corrupt += 1,
            Outcome::Labelled => {
                self.labelled += 1;
                self.outlines += u32::from(verdict.shape == Shape::Outlines);
                self.rotated += u32::from(verdict.shape == Shape::Rotated);
            }
            Outcome::Unlabelled => self.unlabelled += 1,
            Outcome::Background => {}
        }
        if verdict.outcome != Outcome::Corrupt {
            self.images += 1;
        }
        let mut boxes = 0;
        for (class, count) in &verdict.classes {
            let class = *class as usize;
            if self.class_instances.len() <= class {
                self.class_instances.resize(class + 1, 0);
            }
            self.class_instances[class] = self.class_instances[class].saturating_add(*count);
            boxes += count;
        }
        self.instances = self.instances.saturating_add(boxes);
        self.most_boxes = self.most_boxes.max(boxes);
        if let Some((width, height)) = verdict.size {
            let (low, high) = (width.min(height), width.max(height));
            self.sides = Some(self.sides.map_or((low, high), |(lowest, highest)| (lowest.min(low), highest.max(high))));
        }
        let unlabelled = verdict.outcome == Outcome::Unlabelled;
        if unlabelled || !verdict.faults.is_empty() {
            let (image, label) = paths();
            if unlabelled {
                faults.add(&Fault::image("images-unlabelled"), &image);
            }
            for fault in &verdict.faults {
                faults.add(fault, if fault.in_label { &label } else { &image });
            }
        }
    }

    /// Boxes in the image that has most of them.
    #[must_use]
    pub fn most_boxes(&self) -> u32 {
        self.most_boxes
    }

    /// Images the trainer takes.
    #[must_use]
    pub fn images(&self) -> u32 {
        self.images
    }

    /// Images with boxes.
    #[must_use]
    pub fn labelled(&self) -> u32 {
        self.labelled
    }

    /// Images the trainer refuses.
    #[must_use]
    pub fn corrupt(&self) -> u32 {
        self.corrupt
    }

    /// Images without a label file.
    #[must_use]
    pub fn unlabelled(&self) -> u32 {
        self.unlabelled
    }

    /// Images whose labels are outlines of any shape, and images whose labels are rotated boxes.
    #[must_use]
    pub fn outlines(&self) -> (u32, u32) {
        (self.outlines, self.rotated)
    }

    /// Images whose labels are boxes.
    #[must_use]
    pub fn boxed(&self) -> u32 {
        self.labelled - self.outlines - self.rotated
    }

    /// Class ids seen, as one more than the highest.
    #[must_use]
    pub fn classes_seen(&self) -> usize {
        self.class_instances.len()
    }

    /// The split as counted, with a count for each of the dataset's classes.
    #[must_use]
    pub fn split(mut self, kind: SplitKind, sources: Vec<SplitSource>, classes: usize) -> Split {
        self.class_instances.resize(classes, 0);
        Split {
            kind,
            sources,
            images: self.images,
            labelled: self.labelled,
            background: self.images - self.labelled,
            corrupt: self.corrupt,
            instances: self.instances,
            class_instances: self.class_instances,
            sides: self.sides,
        }
    }
}

/// Faults by kind, with the first examples of each.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    kinds: BTreeMap<&'static str, Kind>,
}

#[derive(Debug, Clone)]
struct Kind {
    /// Files with it.
    count: u32,
    /// The file counted last: several faults of a kind in one file count once.
    last: PathBuf,
    first: Fault,
    examples: Vec<Evidence>,
    remedy: (PathBuf, u32),
}

impl Faults {
    /// Counts a fault of this file.
    pub fn add(&mut self, fault: &Fault, file: &Path) {
        let kind = self.kinds.entry(fault.what).or_insert_with(|| Kind {
            count: 0,
            last: PathBuf::new(),
            first: fault.clone(),
            examples: Vec::new(),
            remedy: (file.to_owned(), fault.line),
        });
        if !fault.in_label || kind.last != file {
            kind.count += 1;
            if fault.in_label {
                kind.last = file.to_owned();
            }
        }
        if kind.examples.len() < EXAMPLES {
            let text = (!fault.text.is_empty()).then(|| fault.text.to_string());
            let line = (fault.line > 0).then_some(fault.line);
            kind.examples.push(Evidence::File { path: file.to_owned(), line, text });
        }
    }

    /// Adds what was counted elsewhere, of other files.
    pub fn merge(&mut self, other: &Self) {
        for (what, found) in &other.kinds {
            match self.kinds.get_mut(what) {
                Some(kind) => {
                    kind.count += found.count;
                    let room = EXAMPLES.saturating_sub(kind.examples.len());
                    kind.examples.extend(found.examples.iter().take(room).cloned());
                }
                None => {
                    self.kinds.insert(what, found.clone());
                }
            }
        }
    }

    /// Whether more examples of a verdict's faults would be kept.
    #[must_use]
    pub fn wants(&self, verdict: &Verdict) -> bool {
        let wants = |fault: &Fault| self.kinds.get(fault.what).is_none_or(|kind| kind.examples.len() < EXAMPLES);
        verdict.faults.iter().any(wants)
    }

    /// Leaves out a kind of fault: another finding says it better.
    pub fn forget(&mut self, what: &str) {
        self.kinds.remove(what);
    }

    /// A finding for each kind, in a dataset of this many classes.
    #[must_use]
    pub fn findings(self, classes: usize) -> Vec<Finding> {
        self.kinds
            .into_iter()
            .map(|(what, kind)| {
                let mut finding = fault(what).with("count", kind.count);
                if let Some((name, value)) = kind.first.value {
                    finding = finding.with(name, value);
                }
                if what == "class-out-of-range" {
                    finding = finding.with("classes", classes).with("last", classes.saturating_sub(1));
                }
                finding.evidence = kind.examples;
                // What is only worth knowing needs no mending.
                if finding.severity > Severity::Note {
                    let (path, line) = kind.remedy;
                    finding = finding.remedy(open_file(&path, (line > 0).then_some(line)));
                }
                finding
            })
            .collect()
    }
}
