//! Folders without a `data.yaml`.

use std::path::{Path, PathBuf};

use super::SplitKind;
use super::faults::{choose_dataset, fault};
use crate::finding::{Evidence, Finding};

/// What people call the splits.
const NAMES: [(SplitKind, [&str; 3]); 3] = [
    (SplitKind::Train, ["train", "training", "Train"]),
    (SplitKind::Val, ["val", "valid", "validation"]),
    (SplitKind::Test, ["test", "testing", "Test"]),
];

/// The folders of a plain dataset's splits, relative to its root: `images/train` or `train/images`, else `train`, else
/// `obj_train_data` (as CVAT exports for Darknet), else everything in `images` or in the folder itself is for training.
#[must_use]
pub fn layout(root: &Path, is_folder: &dyn Fn(&Path) -> bool) -> Vec<(SplitKind, PathBuf)> {
    type Shape = fn(&str) -> PathBuf;
    let shapes: [Shape; 4] = [
        |name| Path::new("images").join(name),
        |name| Path::new(name).join("images"),
        |name| PathBuf::from(name),
        |name| PathBuf::from(format!("obj_{name}_data")),
    ];
    for shape in shapes {
        let found: Vec<_> = NAMES
            .into_iter()
            .filter_map(|(kind, names)| {
                let folder = names.into_iter().map(shape).find(|folder| is_folder(&root.join(folder)))?;
                Some((kind, folder))
            })
            .collect();
        if !found.is_empty() {
            return found;
        }
    }
    let images = PathBuf::from("images");
    let everything = if is_folder(&root.join(&images)) { images } else { PathBuf::new() };
    vec![(SplitKind::Train, everything)]
}

/// What a layout lacks.
#[must_use]
pub fn findings(root: &Path, layout: &[(SplitKind, PathBuf)]) -> Vec<Finding> {
    let has = |kind| layout.iter().any(|(found, _)| *found == kind);
    let unsplit = matches!(layout, [(SplitKind::Train, folder)] if folder.as_os_str().is_empty() || folder == Path::new("images"));
    let lacking = |what| fault(what).seen(Evidence::file(root)).remedy(choose_dataset());
    let mut findings = Vec::new();
    if !has(SplitKind::Train) {
        findings.push(lacking("no-train"));
    }
    if !has(SplitKind::Val) {
        findings.push(lacking(if unsplit { "no-split" } else { "no-val" }));
    }
    findings
}

/// A folder in another tool's form, which has to be converted.
#[must_use]
pub fn foreign(root: &Path, form: &str) -> Finding {
    fault("foreign-form").with("form", form).seen(Evidence::file(root)).remedy(choose_dataset())
}

/// The class names of a `classes.txt`: one a line, empty lines at the end left out.
#[must_use]
pub fn class_names(text: &str) -> Vec<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.trim_end().lines().map(|line| line.trim().to_owned()).collect()
}
