//! The pictures that the trainer drew, by what they show.

use std::path::{Path, PathBuf};

use serde::Serialize;

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum PictureKind {
    /// Validation images with the boxes that the model drew.
    Predictions,
    /// The same images with the boxes that people drew.
    Truth,
    /// Which classes are taken for which, as shares of each class.
    ConfusionShares,
    /// The same, counted.
    Confusion,
    /// Precision over recall.
    PrecisionRecall,
    /// Both in one figure, over confidence.
    F1,
    /// Precision over confidence.
    Precision,
    /// Recall over confidence.
    Recall,
    /// Losses and figures over the epochs.
    Course,
    /// How classes and sizes of boxes are spread in the training images.
    Labels,
    /// Images as the trainer saw them, changed at random.
    TrainingBatch,
    /// Something else.
    Other,
}

/// A picture that the trainer drew.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) kind: PictureKind,
    pub(super) number: Option<u32>,
    pub(super) path: PathBuf,
}

/// The pictures in a folder, the most telling first.
pub(super) fn of(folder: &Path) -> Vec<Picture> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut pictures: Vec<Picture> = entries.filter_map(|entry| picture(entry.path())).collect();
    pictures.sort_by(|a, b| (a.kind, a.number, &a.path).cmp(&(b.kind, b.number, &b.path)));
    pictures
}

fn picture(path: PathBuf) -> Option<Picture> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_suffix(".png").or_else(|| name.strip_suffix(".jpg"))?;
    let (kind, number) = kind(stem);
    Some(Picture { kind, number, path })
}

fn kind(stem: &str) -> (PictureKind, Option<u32>) {
    // Newer versions name the head: `BoxPR_curve`.
    let kind = match stem.strip_prefix("Box").unwrap_or(stem) {
        "confusion_matrix_normalized" => PictureKind::ConfusionShares,
        "confusion_matrix" => PictureKind::Confusion,
        "PR_curve" => PictureKind::PrecisionRecall,
        "F1_curve" => PictureKind::F1,
        "P_curve" => PictureKind::Precision,
        "R_curve" => PictureKind::Recall,
        "results" => PictureKind::Course,
        "labels" => PictureKind::Labels,
        stem => return batch(stem).unwrap_or((PictureKind::Other, None)),
    };
    (kind, None)
}

/// `val_batch0_pred`, `val_batch0_labels`, `train_batch210`.
fn batch(stem: &str) -> Option<(PictureKind, Option<u32>)> {
    let (kind, number) = if let Some(rest) = stem.strip_prefix("val_batch") {
        match rest.split_once('_')? {
            (number, "pred") => (PictureKind::Predictions, number),
            (number, "labels") => (PictureKind::Truth, number),
            _ => return None,
        }
    } else {
        (PictureKind::TrainingBatch, stem.strip_prefix("train_batch")?)
    };
    Some((kind, Some(number.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_known_by_what_they_show() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "BoxPR_curve.png",
            "F1_curve.png",
            "args.yaml",
            "confusion_matrix.png",
            "confusion_matrix_normalized.png",
            "labels.jpg",
            "mine.png",
            "results.csv",
            "results.png",
            "train_batch2.jpg",
            "train_batch10.jpg",
            "val_batch1_pred.jpg",
            "val_batch0_labels.jpg",
            "val_batch0_pred.jpg",
        ] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        use PictureKind::*;
        let found: Vec<_> = of(folder.path()).into_iter().map(|picture| (picture.kind, picture.number)).collect();
        let expected = [
            (Predictions, Some(0)),
            (Predictions, Some(1)),
            (Truth, Some(0)),
            (ConfusionShares, None),
            (Confusion, None),
            (PrecisionRecall, None),
            (F1, None),
            (Course, None),
            (Labels, None),
            (TrainingBatch, Some(2)),
            (TrainingBatch, Some(10)),
            (Other, None),
        ];
        assert_eq!(found, expected);
        assert!(of(&folder.path().join("nowhere")).is_empty());
    }
}
