//! Whether a dataset is what a task needs.

use std::collections::BTreeMap;
use std::path::Path;

use super::faults::{choose_dataset, fault};
use super::tally::Tally;
use super::{SplitKind, Task};
use crate::finding::{Evidence, Finding};

/// What a yaml says about key points.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeyPoints<'a> {
    /// Points of an object and values of each (`kpt_shape`).
    pub shape: Option<(u32, u32)>,
    /// Where each of them is in a mirrored image (`flip_idx`).
    pub mirrored: Option<&'a [i64]>,
}

/// Whether a model for the task that is wanted learns from labels for the task that was found: boxes can be had from
/// every kind of label, and rotated boxes from outlines.
#[must_use]
pub fn learns_from(wanted: Task, found: Task) -> bool {
    let is_outlined = |task| matches!(task, Task::Segment | Task::Obb);
    wanted == found
        || (wanted == Task::Detect && found != Task::Classify)
        || (is_outlined(wanted) && is_outlined(found))
}

/// What the labels that were found mean for the task that is wanted.
#[must_use]
pub fn of_task<'a>(
    place: &Path,
    wanted: Task,
    found: Task,
    tallies: impl IntoIterator<Item = &'a Tally>,
    points: KeyPoints<'_>,
) -> Vec<Finding> {
    let said =
        |what: &str| fault(what).with("task", wanted.name()).seen(Evidence::file(place)).remedy(choose_dataset());
    if found == Task::Classify && wanted != Task::Classify {
        return vec![said("task-needs-labels")];
    }
    match wanted {
        Task::Pose => match points.shape {
            None => vec![said("task-needs-key-points")],
            Some((_, values @ (..2 | 4..))) => vec![said("key-point-values").with("values", values)],
            Some((count, _)) => mirroring(count, points.mirrored, said).into_iter().collect(),
        },
        // One label file with boxes, and the trainer refuses the whole dataset.
        Task::Segment | Task::Obb => {
            let boxed: u32 = tallies.into_iter().map(Tally::boxed).sum();
            if boxed > 0 { vec![said("task-needs-outlines").with("count", boxed)] } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

/// What is wrong with the order of key points in a mirrored image.
fn mirroring(count: u32, mirrored: Option<&[i64]>, said: impl Fn(&str) -> Finding) -> Option<Finding> {
    match mirrored.unwrap_or_default() {
        // Without it, the trainer mirrors no image.
        [] => Some(Finding { remedies: Vec::new(), ..said("mirroring-off") }),
        order if u32::try_from(order.len()) != Ok(count) => {
            Some(said("mirroring-length").with("count", order.len()).with("points", count))
        }
        order => {
            let other = order.iter().find(|index| !(0..i64::from(count)).contains(*index))?;
            let shown = if *other == i64::MIN { "?".to_owned() } else { other.to_string() };
            Some(said("mirroring-index").with("index", shown).with("last", count.saturating_sub(1)))
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(shape: (u32, u32), mirrored: Option<&[i64]>) -> Vec<String> {
        let points = KeyPoints { shape: Some(shape), mirrored };
        let found = of_task(Path::new("data.yaml"), Task::Pose, Task::Pose, [], points);
        found.into_iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn the_order_of_mirrored_key_points_fits_their_number() {
        assert_eq!(pose((3, 3), Some(&[0, 2, 1])), Vec::<String>::new());
        assert_eq!(pose((3, 3), Some(&[0, 2])), ["data.mirroring-length"]);
        assert_eq!(pose((3, 3), Some(&[0, 2, 3])), ["data.mirroring-index"]);
        assert_eq!(pose((3, 3), Some(&[0, 2, i64::MIN])), ["data.mirroring-index"]);
        assert_eq!(pose((3, 3), Some(&[])), ["data.mirroring-off"]);
        assert_eq!(pose((3, 3), None), ["data.mirroring-off"]);
        assert_eq!(pose((3, 5), Some(&[0, 2, 1])), ["data.key-point-values"]);
    }

    #[test]
    fn a_model_learns_from_labels_that_hold_more_than_it_needs() {
        for found in [Task::Detect, Task::Segment, Task::Obb, Task::Pose] {
            assert!(learns_from(Task::Detect, found) && learns_from(found, found), "{found:?}");
            assert!(!learns_from(Task::Classify, found), "{found:?}");
        }
        assert!(learns_from(Task::Obb, Task::Segment) && learns_from(Task::Segment, Task::Obb));
        assert!(!learns_from(Task::Segment, Task::Detect) && !learns_from(Task::Pose, Task::Detect));
        assert!(!learns_from(Task::Detect, Task::Classify));
    }
}
