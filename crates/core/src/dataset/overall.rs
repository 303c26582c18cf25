//! What is wrong with a split or a dataset as a whole.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::faults::{choose_dataset, fault, open_file};
use super::tally::Tally;
use super::{Split, SplitKind, SplitSource, Task};
use crate::finding::{Evidence, Finding};

/// What was seen of a split besides its tally.
#[derive(Debug)]
pub struct Seen<'a> {
    /// Which.
    pub kind: SplitKind,
    /// Where its images are.
    pub sources: &'a [SplitSource],
    /// Files there that are no images to the trainer, by ending.
    pub others: &'a BTreeMap<String, u32>,
    /// The first image's label file, or where it would be.
    pub first_label: Option<PathBuf>,
}

/// What stops the trainer at a split, or makes it worthless.
#[must_use]
pub fn of_split(seen: &Seen<'_>, tally: &Tally) -> Vec<Finding> {
    // Training never opens the test split.
    if seen.sources.is_empty() || seen.kind == SplitKind::Test {
        return Vec::new();
    }
    let places = |what: &str| {
        let mut finding = fault(what).with("split", seen.kind.name());
        for source in seen.sources {
            finding = finding.seen(Evidence::file(&source.resolved));
        }
        finding.remedy(choose_dataset())
    };
    let labels = |what: &str| {
        let finding = fault(what).with("split", seen.kind.name()).with("count", tally.images());
        let looked = seen.first_label.as_ref().map(|label| label.display().to_string()).unwrap_or_default();
        finding.seen(Evidence::value("fact-looked-for-label", looked)).remedy(choose_dataset())
    };
    let mut findings = Vec::new();
    if tally.images() == 0 {
        let endings: Vec<_> = seen.others.iter().filter(|(ending, _)| is_picture(ending)).collect();
        findings.push(if tally.corrupt() > 0 {
            places("no-usable-image").with("count", tally.corrupt())
        } else if endings.is_empty() {
            places("split-empty")
        } else {
            let endings: Vec<_> = endings.into_iter().map(|(ending, count)| format!(".{ending} ({count})")).collect();
            places("split-unsupported").with("endings", endings.join(", "))
        });
    } else if tally.labelled() == 0 {
        findings.push(match (seen.kind, tally.unlabelled() == tally.images()) {
            (SplitKind::Train, true) => labels("no-labels"),
            (SplitKind::Train, false) => labels("no-boxes"),
            _ => labels("val-no-boxes"),
        });
    }
    findings
}

/// What the labels describe, by what most label files hold. `keypoints`: the yaml declares key points.
#[must_use]
pub fn task<'a>(tallies: impl IntoIterator<Item = &'a Tally>, keypoints: bool) -> Task {
    let (mut labelled, mut outlines, mut rotated) = (0, 0, 0);
    for tally in tallies {
        labelled += tally.labelled();
        outlines += tally.outlines().0;
        rotated += tally.outlines().1;
    }
    match labelled {
        _ if keypoints => Task::Pose,
        // Outlines that all have four points are rotated boxes; a few of them among others are not.
        labelled if labelled > 0 && rotated * 2 > labelled => Task::Obb,
        labelled if labelled > 0 && (outlines + rotated) * 2 > labelled => Task::Segment,
        _ => Task::Detect,
    }
}

/// Endings of pictures that the trainer passes over.
fn is_picture(ending: &str) -> bool {
    matches!(
        ending,
        "gif"
            | "jfif"
            | "jpe"
            | "jxl"
            | "jxr"
            | "svg"
            | "psd"
            | "ppm"
            | "pgm"
            | "pbm"
            | "pnm"
            | "tga"
            | "ico"
            | "exr"
            | "hdr"
            | "raw"
            | "arw"
            | "cr2"
            | "cr3"
            | "nef"
            | "orf"
            | "rw2"
            | "dcm"
            | "npy"
            | "mp4"
            | "avi"
            | "mov"
    )
}

/// Class names in a sentence; of many, the first.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 8;
    let more = if names.len() > MOST { ", …" } else { "" };
    format!("{}{more}", names[..names.len().min(MOST)].join(", "))
}

/// Names that the classes of a folder were given, because nothing in it names them.
#[must_use]
pub fn of_made_up_names(root: &Path, names: &[String]) -> Finding {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    fault("class-names-made-up").with("names", listed(&names)).seen(Evidence::file(root)).remedy(choose_dataset())
}

/// What the splits say together. `shared`: how many validation images are training images as well.
#[must_use]
pub fn of_dataset(splits: &[Split], names: &[String], yaml: Option<&PathBuf>, shared: usize) -> Vec<Finding> {
    let mut findings = Vec::new();
    let split = |kind| splits.iter().find(|split| split.kind == kind && split.labelled > 0);
    let (train, val) = (split(SplitKind::Train), split(SplitKind::Val));
    let same = val.is_some_and(|val| shared >= val.images as usize);
    if let Some(val) = val
        && shared > 0
    {
        let mut finding = if same { fault("val-is-train") } else { fault("val-in-train").with("count", shared) };
        for source in &val.sources {
            finding = finding.seen(Evidence::file(&source.resolved));
        }
        findings.push(match yaml {
            Some(yaml) => finding.remedy(open_file(yaml, None)),
            None => finding.remedy(choose_dataset()),
        });
    }
    let absent = |split: &Split| -> Vec<&str> {
        names
            .iter()
            .zip(&split.class_instances)
            .filter(|(_, count)| **count == 0)
            .map(|(name, _)| name.as_str())
            .collect()
    };
    for (split, what) in [(train, "class-not-in-train"), (val.filter(|_| !same), "class-not-in-val")] {
        let Some(split) = split else { continue };
        let absent = absent(split);
        if !absent.is_empty() {
            let finding = fault(what).with("count", absent.len()).with("names", listed(&absent));
            findings.push(finding.seen(Evidence::value("fact-boxes", split.instances.to_string())));
        }
    }
    findings
}
