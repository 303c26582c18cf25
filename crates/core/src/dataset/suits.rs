//! Whether a dataset is what a task needs.

use std::collections::BTreeMap;
use std::path::Path;

use super::faults::{choose_dataset, fault};
use super::tally::Tally;
use super::{SplitKind, Task};
use crate::finding::{Evidence, Finding};

/// What the labels that were found mean for the task that is wanted. `keypoints`: the yaml declares key points.
#[must_use]
pub fn of_task<'a>(
    place: &Path,
    wanted: Task,
    found: Task,
    tallies: impl IntoIterator<Item = &'a Tally>,
    keypoints: bool,
) -> Vec<Finding> {
    let said =
        |what: &str| fault(what).with("task", wanted.name()).seen(Evidence::file(place)).remedy(choose_dataset());
    if found == Task::Classify && wanted != Task::Classify {
        return vec![said("task-needs-labels")];
    }
    match wanted {
        Task::Pose if !keypoints => vec![said("task-needs-key-points")],
        // One label file with boxes, and the trainer refuses the whole dataset.
        Task::Segment | Task::Obb => {
            let boxed: u32 = tallies.into_iter().map(Tally::boxed).sum();
            if boxed > 0 { vec![said("task-needs-outlines").with("count", boxed)] } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

/// What a folder of images sorted into classes lacks.
#[must_use]
pub fn of_folders(root: &Path, names: &[String], splits: &[SplitKind]) -> Vec<Finding> {
    let said = |what: &str| fault(what).seen(Evidence::file(root)).remedy(choose_dataset());
    let mut findings = Vec::new();
    if !splits.contains(&SplitKind::Train) {
        findings.push(said("no-train-folder"));
    } else if names.is_empty() {
        findings.push(said("no-class-folders"));
    }
    if splits.contains(&SplitKind::Train) && !splits.contains(&SplitKind::Val) {
        // Without val, the trainer measures on the test images, and without those not at all.
        findings.push(if splits.contains(&SplitKind::Test) { said("val-is-test") } else { said("no-val-folder") });
    }
    findings
}

/// Folders of a split that are no class of the training images, with how many images are in each.
#[must_use]
pub fn of_unknown_folders(root: &Path, folders: &BTreeMap<(SplitKind, String), u32>) -> Option<Finding> {
    let images: u32 = folders.values().sum();
    let mut finding = fault("class-folder-unknown").with("count", images);
    for ((kind, name), _) in folders.iter().take(super::faults::EXAMPLES) {
        finding = finding.seen(Evidence::file(root.join(kind.name()).join(name)));
    }
    (images > 0).then_some(finding)
}
