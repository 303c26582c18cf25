//! The same dataset for other tasks.

use preflight_core::dataset::{Dataset, SplitKind, Task};
use preflight_core::finding::Severity;
use preflight_engine::dataset::scan_for;
use tokio_util::sync::CancellationToken;

use super::folder::{Folder, ROW};
use super::{codes, scan, split};

#[track_caller]
fn judged(folder: &Folder, task: Task) -> Dataset {
    scan_for(&folder.path(), task, &|_, _| {}, &CancellationToken::new()).unwrap()
}

fn blockers(folder: &Folder, task: Task) -> Vec<String> {
    codes(&judged(folder, task), Severity::Blocker).into_iter().map(str::to_owned).collect()
}

#[test]
fn boxes_do_for_boxes_and_nothing_else() {
    let folder = Folder::good();
    assert_eq!(blockers(&folder, Task::Detect), Vec::<String>::new());
    assert_eq!(blockers(&folder, Task::Segment), ["data.task-needs-outlines"]);
    assert_eq!(blockers(&folder, Task::Obb), ["data.task-needs-outlines"]);
    assert_eq!(blockers(&folder, Task::Pose), ["data.task-needs-key-points"]);
    assert_eq!(blockers(&folder, Task::Classify), ["data.no-train-folder"]);
}

#[test]
fn outlines_do_for_segments_and_rotated_boxes() {
    let folder = Folder::good();
    for name in ["train/a", "train/b", "train/c", "val/d", "val/e"] {
        folder.put(&format!("labels/{name}.txt"), "0 .1 .1 .2 .1 .2 .2 .1 .2\n");
    }
    assert_eq!(blockers(&folder, Task::Segment), Vec::<String>::new());
    assert_eq!(blockers(&folder, Task::Obb), Vec::<String>::new());
    assert_eq!(judged(&folder, Task::Obb).task, Task::Obb);
    folder.put("labels/train/a.txt", ROW);
    assert_eq!(blockers(&folder, Task::Segment), ["data.task-needs-outlines"], "one is enough");
}

#[test]
fn key_points_are_needed_on_every_row_where_they_are_learned() {
    let folder = Folder::good();
    folder.yaml("train: images/train\nval: images/val\nnames: [scratch, dent]\nkpt_shape: [2, 3]\n");
    for name in ["train/a", "train/b", "train/c", "val/d", "val/e"] {
        folder.put(&format!("labels/{name}.txt"), "0 .5 .5 .25 .25 .4 .4 2 .6 .6 1\n");
    }
    assert_eq!(blockers(&folder, Task::Pose), Vec::<String>::new());
    assert_eq!(blockers(&folder, Task::Detect), Vec::<String>::new(), "they are cut off");
    folder.put("labels/train/a.txt", ROW);
    assert_eq!(blockers(&folder, Task::Pose), ["data.label-columns"]);
    folder.put("labels/train/a.txt", "0 .5 .5 .25 .25 .4 1.4 2 .6 .6 1\n");
    assert_eq!(blockers(&folder, Task::Pose), ["data.label-out-of-bounds"]);
    assert_eq!(blockers(&folder, Task::Detect), Vec::<String>::new());
}

#[test]
fn folders_of_classes_are_for_classifying() {
    let folder = Folder::empty();
    for (place, count) in [("train/cat", 3), ("train/dog", 2), ("val/cat", 1), ("val/dog", 1), ("val/cow", 2)] {
        for index in 0..count {
            folder.image(&format!("{place}/deeper/{index}.png"));
        }
    }
    folder.put("train/cat/broken.jpg", "");
    folder.image("train/stray.png");
    let dataset = judged(&folder, Task::Classify);
    assert_eq!(
        (dataset.names.as_slice(), dataset.task),
        (["cat", "dog"].map(str::to_owned).as_slice(), Task::Classify)
    );
    let train = split(&dataset, SplitKind::Train);
    assert_eq!((train.images, train.corrupt, train.class_instances.as_slice()), (5, 1, [3, 2].as_slice()));
    assert_eq!(split(&dataset, SplitKind::Val).images, 2);
    assert_eq!(codes(&dataset, Severity::Warning), ["data.class-folder-unknown", "data.image-empty"]);
    assert_eq!(blockers(&folder, Task::Detect)[..1], ["data.task-needs-labels"]);
    assert_eq!(scan(&folder.path()).task, Task::Classify);
    folder.rename("val", "elsewhere");
    assert_eq!(blockers(&folder, Task::Classify), ["data.no-val-folder"]);
}
