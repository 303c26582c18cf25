//! What a dataset is, and the rules the trainer has for it.

use std::path::PathBuf;

pub mod declaration;
mod faults;
pub mod health;
pub mod labels;
pub mod marks;
pub mod mend;
pub mod overall;
pub mod part;
pub mod paths;
pub mod plain;
pub mod profile;
pub mod resolve;
pub mod suits;
pub mod tally;
pub mod yaml;

use serde::{Deserialize, Serialize};

use crate::finding::Finding;

/// The most classes a dataset may have here: far above any real one, and low enough to count each.
pub const MOST_CLASSES: u32 = 20_000;

/// What the labels describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Boxes.
    Detect,
    /// Outlines.
    Segment,
    /// Key points.
    Pose,
    /// Rotated boxes.
    Obb,
    /// Whole images.
    Classify,
}

impl Task {
    /// As Ultralytics names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Detect => "detect",
            Self::Segment => "segment",
            Self::Pose => "pose",
            Self::Obb => "obb",
            Self::Classify => "classify",
        }
    }

    /// What a model's name ends in when it is for this task: `yolov8n-seg`.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Detect => "",
            Self::Segment => "-seg",
            Self::Pose => "-pose",
            Self::Obb => "-obb",
            Self::Classify => "-cls",
        }
    }
}

/// A dataset, read and judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Dataset {
    /// The folder that relative paths start from.
    pub root: PathBuf,
    /// The `data.yaml`; `None`: a plain folder.
    pub yaml: Option<PathBuf>,
    /// What the labels describe.
    pub task: Task,
    /// Class names by id.
    pub names: Vec<String>,
    /// Key points per object and values per key point (`kpt_shape`), where the yaml declares them.
    pub keypoints: Option<(u32, u32)>,
    /// Channels of an image (`channels`); 3 unless the yaml says otherwise.
    pub channels: u32,
    /// The splits that are there.
    pub splits: Vec<Split>,
    /// Boxes in the image that has most of them; drives GPU memory.
    pub most_boxes: u32,
    /// What is wrong with it, worst first.
    pub findings: Vec<Finding>,
    /// How long reading it took, in milliseconds.
    pub took_ms: u64,
}

impl Dataset {
    /// What its label files are judged by.
    #[must_use]
    pub fn label_rules(&self) -> labels::LabelRules {
        let classes = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        labels::LabelRules { classes, keypoints: self.keypoints, pose: false }
    }

    /// The split of this kind.
    #[must_use]
    pub fn split(&self, kind: SplitKind) -> Option<&Split> {
        self.splits.iter().find(|split| split.kind == kind)
    }
}

/// Which part of a dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum SplitKind {
    /// Learned from.
    Train,
    /// Measured on after each epoch.
    Val,
    /// Kept apart.
    Test,
}

impl SplitKind {
    /// The name used in a `data.yaml`, JSON and sentences.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Val => "val",
            Self::Test => "test",
        }
    }
}

/// One part of a dataset.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Split {
    /// Which.
    pub kind: SplitKind,
    /// The places its images come from, as written and as resolved.
    pub sources: Vec<SplitSource>,
    /// Images the trainer takes.
    pub images: u32,
    /// Of these, with at least one box.
    pub labelled: u32,
    /// Of these, without a box.
    pub background: u32,
    /// Files the trainer will refuse.
    pub corrupt: u32,
    /// Boxes.
    pub instances: u32,
    /// Boxes per class id.
    pub class_instances: Vec<u32>,
    /// The smallest and largest image sides in pixels; `None`: no image could be read.
    pub sides: Option<(u32, u32)>,
}

/// One place a split's images come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct SplitSource {
    /// As the yaml says it; for a plain folder, the folder's name.
    pub written: String,
    /// Absolute.
    pub resolved: PathBuf,
    /// Which rule resolved it: `absolute`, `dataset-root`, `yaml-folder`, `datasets-folder`, `plain-folder`.
    pub rule: String,
}

/// A box of a label file, normalised to the image: centre and size in 0..1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct LabelBox {
    /// Class id.
    pub class: u32,
    /// Centre, from the left.
    pub x: f32,
    /// Centre, from the top.
    pub y: f32,
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}
