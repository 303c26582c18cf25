//! Where the images are, by every form a dataset may have.

use preflight_core::dataset::{SplitKind, Task};
use preflight_core::finding::Severity;
use preflight_engine::dataset::images;

use super::folder::{Folder, ROW};
use super::{codes, finding, refused, scan, split};

/// The splits as `kind rule images`.
fn splits(dataset: &preflight_core::dataset::Dataset) -> Vec<String> {
    let told = |split: &preflight_core::dataset::Split| {
        let rules: Vec<_> = split.sources.iter().map(|source| source.rule.as_str()).collect();
        format!("{} {} {}", split.kind.name(), rules.join("+"), split.images)
    };
    dataset.splits.iter().map(told).collect()
}

#[test]
fn a_yaml_and_its_folder_are_the_same_dataset() {
    let folder = Folder::good();
    let (by_yaml, by_folder) = (scan(&folder.at("data.yaml")), scan(&folder.path()));
    assert_eq!(by_yaml.splits, by_folder.splits);
    assert_eq!(by_folder.yaml, Some(folder.at("data.yaml")));
    assert_eq!(splits(&by_yaml), ["train yaml-folder 3", "val yaml-folder 2"]);
    assert_eq!(by_yaml.names, ["scratch", "dent"]);
    assert_eq!((by_yaml.task, by_yaml.most_boxes), (Task::Detect, 1));
    assert_eq!(split(&by_yaml, SplitKind::Train).class_instances, [2, 1]);
    assert_eq!(split(&by_yaml, SplitKind::Train).sides, Some((48, 64)));
}

#[test]
fn path_is_absolute_or_relative_to_the_yaml() {
    let folder = Folder::good();
    folder.rename("images", "set/images");
    folder.rename("labels", "set/labels");
    for path in ["set".to_owned(), "./set".to_owned(), folder.at("set").display().to_string()] {
        folder.yaml(&format!("path: \"{path}\"\ntrain: images/train\nval: images/val\nnames: [a, b]\n"));
        let dataset = scan(&folder.at("data.yaml"));
        assert_eq!(splits(&dataset), ["train dataset-root 3", "val dataset-root 2"], "{path}");
        assert_eq!(dataset.root, folder.at("set"));
        assert_eq!(codes(&dataset, Severity::Note), Vec::<&str>::new());
    }
}

#[test]
fn one_step_up_too_many_is_forgiven_as_roboflow_writes_it() {
    let folder = Folder::good();
    for (from, to) in [
        ("images/train", "train/images"),
        ("labels/train", "train/labels"),
        ("images/val", "valid/images"),
        ("labels/val", "valid/labels"),
    ] {
        folder.rename(from, to);
    }
    folder.yaml("train: ../train/images\nval: ../valid/images\ntest: ../test/images\nnc: 2\nnames: ['a', 'b']\n");
    let dataset = scan(&folder.path());
    assert_eq!(splits(&dataset), ["train yaml-folder 3", "val yaml-folder 2", "test  0"]);
    assert_eq!(codes(&dataset, Severity::Note), ["data.test-missing"]);
}

#[test]
fn a_split_may_be_several_folders_or_lists_of_files() {
    let folder = Folder::good();
    folder.image("more/images/f.png");
    folder.put("more/labels/f.txt", ROW);
    folder.put("val.txt", "\u{feff}./images/val/d.jpg\n./images/val/e.jpg\nnotes.md\n");
    folder.yaml("train: [images/train, more/images]\nvalidation: val.txt\nnames: {0: a, 1: b}\n");
    let dataset = scan(&folder.path());
    assert_eq!(splits(&dataset), ["train yaml-folder+yaml-folder 4", "val yaml-folder 2"]);
    assert_eq!(codes(&dataset, Severity::Note), Vec::<&str>::new());
    let found: Vec<_> = images(&dataset, SplitKind::Train).into_iter().map(|files| files.label).collect();
    let expected = ["labels/train/a.txt", "labels/train/b.txt", "labels/train/c.txt", "more/labels/f.txt"];
    assert_eq!(found, expected.map(|name| folder.at(name)));
}

#[test]
fn paths_in_a_list_may_be_relative_to_the_dataset_and_may_be_missing() {
    let folder = Folder::good();
    folder.put("lists/val.txt", "images/val/d.jpg\nimages/val/gone.jpg\n");
    folder.yaml("train: images/train\nval: lists/val.txt\nnames: [a, b]\n");
    let dataset = scan(&folder.path());
    let val = split(&dataset, SplitKind::Val);
    assert_eq!((val.images, val.corrupt), (1, 1));
    assert_eq!(codes(&dataset, Severity::Note), ["data.image-missing", "data.class-not-in-val", "data.list-relative"]);
}

#[test]
fn plain_folders_of_every_usual_shape() {
    for (train, val) in [
        ("images/train", "images/val"),
        ("train/images", "valid/images"),
        ("train/images", "validation/images"),
        ("train", "val"),
    ] {
        let folder = Folder::empty();
        for (place, name) in [(train, "a"), (train, "b"), (val, "c")] {
            folder.image(&format!("{place}/{name}.jpg"));
            let labels = if place.contains("images") { place.replace("images", "labels") } else { place.to_owned() };
            folder.put(&format!("{labels}/{name}.txt"), "1 0.5 0.5 0.1 0.1\n");
        }
        let dataset = scan(&folder.path());
        assert_eq!(splits(&dataset), ["train plain-folder 2", "val plain-folder 1"], "{train}");
        assert_eq!(dataset.names, ["class_0", "class_1"]);
        assert_eq!(dataset.yaml, None);
        assert_eq!(split(&dataset, SplitKind::Train).labelled, 2, "{train}");
        folder.put("classes.txt", "scratch\r\ndent\r\n\r\n");
        assert_eq!(scan(&folder.path()).names, ["scratch", "dent"]);
    }
}

#[test]
fn a_folder_without_splits_says_how_to_make_them() {
    let folder = Folder::empty();
    folder.image("images/a.jpg");
    folder.put("labels/a.txt", ROW);
    let dataset = scan(&folder.path());
    assert_eq!(codes(&dataset, Severity::Blocker), ["data.no-split"]);
    assert_eq!(split(&dataset, SplitKind::Train).labelled, 1);
}

#[test]
fn the_trainers_order_is_that_of_the_paths_as_text() {
    let folder = Folder::good();
    for name in ["a/x.jpg", "a-b/x.jpg", "a.jpg", "B.JPG", "ä.jpg", "sub.d/y.PNG", ".hidden/z.jpg", ".z.jpg"] {
        folder.image(&format!("images/val/{name}"));
    }
    let dataset = scan(&folder.path());
    let root = folder.at("images/val");
    let found: Vec<_> = images(&dataset, SplitKind::Val)
        .into_iter()
        .map(|files| files.image.strip_prefix(&root).unwrap().display().to_string())
        .collect();
    assert_eq!(found, ["B.JPG", "a-b/x.jpg", "a.jpg", "a/x.jpg", "d.jpg", "e.jpg", "sub.d/y.PNG", "ä.jpg"]);
}

#[test]
fn what_is_no_dataset_is_refused() {
    let folder = Folder::good();
    assert_eq!(refused(&folder.at("nowhere.yaml")), "dataset.not-found");
    assert_eq!(refused(&folder.at("data.yaml/x")), "dataset.not-found");
    assert_eq!(refused(&folder.at("images/train/a.jpg")), "dataset.not-a-dataset");
    folder.put("other/readme.md", "nothing");
    assert_eq!(codes(&scan(&folder.at("other")), Severity::Blocker), ["data.no-split", "data.split-empty"]);
}

#[test]
fn outlines_rotated_boxes_and_key_points_are_recognised() {
    for (row, yaml, task) in [
        ("0 .1 .1 .2 .1 .2 .2 .15 .3 .1 .2", "", Task::Segment),
        ("0 .1 .1 .2 .1 .2 .2 .1 .2", "", Task::Obb),
        ("0 .5 .5 .1 .1 .2 .2 2 .3 .3 1", "kpt_shape: [2, 3]\n", Task::Pose),
    ] {
        let folder = Folder::good();
        folder.yaml(&format!("train: images/train\nval: images/val\nnames: [a]\n{yaml}"));
        for name in ["train/a", "train/b", "train/c", "val/d", "val/e"] {
            folder.put(&format!("labels/{name}.txt"), row);
        }
        let dataset = scan(&folder.path());
        assert_eq!(dataset.task, task);
        assert_eq!((codes(&dataset, Severity::Note), split(&dataset, SplitKind::Train).labelled), (vec![], 3));
    }
}

#[test]
fn images_sorted_into_folders_are_for_another_task() {
    let folder = Folder::empty();
    for name in ["train/cat/a", "train/dog/b", "val/cat/c", "val/dog/d"] {
        folder.image(&format!("{name}.jpg"));
    }
    assert_eq!(scan(&folder.path()).task, Task::Classify);
}

#[cfg(unix)]
#[test]
fn labels_are_looked_for_where_the_trainer_looks_when_images_are_linked() {
    let folder = Folder::good();
    let data = Folder::empty();
    std::fs::rename(folder.at("images/train"), data.at("pictures")).unwrap();
    std::os::unix::fs::symlink(data.at("pictures"), folder.at("images/train")).unwrap();
    let dataset = scan(&folder.path());
    // The trainer follows the link first: it looks for labels beside the pictures.
    let missing = finding(&dataset, "data.no-labels");
    assert!(format!("{missing:?}").contains("pictures/a.txt"), "{missing:?}");
}
