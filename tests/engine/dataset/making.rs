//! New datasets made for the window.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use preflight_core::dataset::{SplitKind, Task};
use preflight_core::finding::Severity;
use preflight_engine::dataset::making::{self, FixChoice, Found};
use preflight_engine::room::{self, Belonging};

use super::browse::Home;
use super::folder::{Folder, ROW};
use super::{codes, scan};

const CHOICE: FixChoice = FixChoice { labels: true, leave_out: true, val_percent: 0, seed: 0, tile: None };

fn quiet() -> preflight_engine::dataset::OnProgress {
    Arc::new(|_, _| {})
}

fn zip(to: &Path, from: &Folder, names: &[&str]) {
    let mut writer = zip::ZipWriter::new(std::fs::File::create(to).unwrap());
    for name in names {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(&std::fs::read(from.at(name)).unwrap()).unwrap();
    }
    writer.finish().unwrap();
}

/// What is in a folder, hidden names included.
fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn what_a_person_has_is_recognised_and_a_free_place_proposed() {
    let (folder, beside) = (Folder::good(), tempfile::tempdir().unwrap());
    assert_eq!(making::what_is(folder.path()).await.unwrap(), Found::Dataset);
    assert_eq!(making::what_is(folder.at("data.yaml")).await.unwrap(), Found::Dataset);
    assert_eq!(making::what_is(folder.at("not there")).await.unwrap(), Found::Dataset);
    let archive = beside.path().join("export.zip");
    zip(&archive, &folder, &["data.yaml"]);
    let to = |found: Found| match found {
        Found::Archive { to, .. } => to,
        other => panic!("{other:?}"),
    };
    assert_eq!(to(making::what_is(archive.clone()).await.unwrap()), beside.path().join("export"));
    std::fs::create_dir(beside.path().join("export")).unwrap();
    assert_eq!(to(making::what_is(archive).await.unwrap()), beside.path().join("export-2"));
}

#[tokio::test]
async fn an_archive_is_unpacked_whole_or_not_at_all() {
    let (home, folder, beside) = (Home::new(), Folder::good(), tempfile::tempdir().unwrap());
    let archive = beside.path().join("export.zip");
    zip(&archive, &folder, &["data.yaml", "images/train/a.jpg", "labels/train/a.txt", "images/val/d.jpg"]);
    let to = beside.path().join("new");
    let unpacked = making::unpack(&home.engine, archive.clone(), to.clone(), quiet()).await.unwrap();
    assert_eq!(unpacked.folder.as_os_str(), to.as_os_str());
    assert_eq!((unpacked.folder.clone(), unpacked.findings.len()), (to.clone(), 0));
    assert_eq!(scan(&unpacked.folder).split(SplitKind::Train).unwrap().images, 1);
    let again = making::unpack(&home.engine, archive.clone(), to, quiet()).await.unwrap_err();
    assert_eq!(again.code, "dataset.folder-not-empty");

    let bytes = std::fs::read(&archive).unwrap();
    std::fs::write(&archive, &bytes[..bytes.len() / 2]).unwrap();
    let cut = making::unpack(&home.engine, archive.clone(), beside.path().join("cut"), quiet()).await.unwrap_err();
    assert_eq!(cut.code, "dataset.archive-damaged");
    assert_eq!(entries(beside.path()), ["export.zip", "new"], "nothing half made is left");
}

#[tokio::test]
async fn what_is_cancelled_leaves_nothing_behind() {
    let (home, folder) = (Arc::new(Home::new()), Folder::good());
    let to = tempfile::tempdir().unwrap();
    let path = folder.path();
    making::plan_fix(&home.engine, &path, FixChoice { tile: Some(64), ..CHOICE }, quiet()).await.unwrap();
    let cancelling = Arc::clone(&home);
    let stop: preflight_engine::dataset::OnProgress = Arc::new(move |_, _| {
        cancelling.engine.cancel_dataset_work(preflight_engine::dataset::DatasetWork::Making);
    });
    let stopped = making::write_fix(&home.engine, to.path().join("new"), stop).await.unwrap_err();
    assert_eq!(stopped.code, "dataset.cancelled");
    assert_eq!(entries(to.path()), Vec::<String>::new());
    // What was proposed still stands.
    let yaml = making::write_fix(&home.engine, to.path().join("new"), quiet()).await.unwrap();
    assert_eq!(yaml, to.path().join("new/data.yaml"));
}

#[tokio::test]
async fn mending_shows_its_difference_first_and_writes_beside() {
    let (home, folder) = (Home::new(), Folder::good());
    folder.put("labels/train/a.txt", "0 0,5 0,5 0,25 0,25\n1 1.4 0.5 0.1 0.1\n");
    folder.put("images/train/broken.jpg", "");
    let (path, before) = (folder.path(), folder.state());
    let plan = making::plan_fix(&home.engine, &path, CHOICE, quiet()).await.unwrap();
    assert_eq!((plan.files, plan.left_out_count, plan.to_val), (1, 1, 0));
    assert_eq!(plan.left_out, [folder.at("images/train/broken.jpg")]);
    let rows = &plan.diff[0].rows;
    assert_eq!(plan.diff[0].label, folder.at("labels/train/a.txt"));
    assert_eq!((rows[0].line, rows[0].before.as_str()), (1, "0 0,5 0,5 0,25 0,25"));
    assert_eq!((rows[0].after.as_deref(), rows[0].why.as_str()), (Some("0 0.5 0.5 0.25 0.25"), "commas"));
    assert_eq!((rows[1].after.clone(), rows[1].why.as_str()), (None, "empty"));

    let inside = making::write_fix(&home.engine, folder.at("mended"), quiet()).await.unwrap_err();
    assert_eq!(inside.code, "dataset.inside-source");
    let to = tempfile::tempdir().unwrap();
    let yaml = making::write_fix(&home.engine, to.path().join("deep/mended"), quiet()).await.unwrap();
    assert_eq!(codes(&scan(&yaml), Severity::Note), Vec::<&str>::new());
    assert_eq!(scan(&yaml).split(SplitKind::Train).unwrap().images, 3);
    assert_eq!(folder.state(), before, "the dataset is as it was");
    let done = making::write_fix(&home.engine, to.path().join("other"), quiet()).await.unwrap_err();
    assert_eq!(done.code, "dataset.nothing-proposed");
}

#[tokio::test]
async fn what_is_not_wanted_is_not_mended() {
    let (home, folder) = (Home::new(), Folder::good());
    folder.put("labels/train/a.txt", "0 0,5 0,5 0,25 0,25\n");
    folder.put("images/train/broken.jpg", "");
    let choice = FixChoice { labels: false, leave_out: false, ..CHOICE };
    let plan = making::plan_fix(&home.engine, &folder.path(), choice, quiet()).await.unwrap();
    assert_eq!((plan.files, plan.left_out_count, plan.images), (0, 0, 6));
}

#[tokio::test]
async fn a_missing_validation_is_chosen_by_the_seed() {
    let (home, folder) = (Home::new(), Folder::empty());
    folder.put("data.yaml", "train: images/train\nval: images/val\nnames: [scratch, dent]\n");
    for number in 0..10u32 {
        let picture = image::RgbImage::from_fn(64, 48, |x, y| {
            let value = (x * (number + 3) + y * (number * number + 7)) % 256;
            image::Rgb([u8::try_from(value).unwrap(), 90, 200])
        });
        let path = folder.put(&format!("images/train/{number}.png"), "");
        picture.save(path).unwrap();
        folder.put(&format!("labels/train/{number}.txt"), ROW);
    }
    let path = folder.path();
    let choice = FixChoice { val_percent: 20, ..CHOICE };
    let plan = making::plan_fix(&home.engine, &path, choice, quiet()).await.unwrap();
    assert_eq!(plan.to_val, 2);
    let to = tempfile::tempdir().unwrap();
    let mut chosen = Vec::new();
    for name in ["one", "two"] {
        making::plan_fix(&home.engine, &path, choice, quiet()).await.unwrap();
        let yaml = making::write_fix(&home.engine, to.path().join(name), quiet()).await.unwrap();
        chosen.push(entries(&yaml.with_file_name("images").join("val")));
    }
    assert_eq!(chosen[0], chosen[1]);
}

#[tokio::test]
async fn annotations_of_another_tool_are_looked_through_before_anything_is_written() {
    let (home, folder) = (Home::new(), Folder::empty());
    folder.image("images/a.jpg");
    folder.image("images/b.jpg");
    folder.put(
        "instances_train.json",
        r#"{"images":[{"id":1,"file_name":"a.jpg","width":64,"height":48}],
            "categories":[{"id":3,"name":"scratch"}],
            "annotations":[{"id":1,"image_id":1,"category_id":3,"bbox":[8,8,16,16]},
                           {"id":2,"image_id":1,"category_id":3,"bbox":[8,8,0,0]}]}"#,
    );
    let found = making::what_is(folder.path()).await.unwrap();
    assert!(matches!(&found, Found::Foreign { form: preflight_engine::dataset::convert::Form::Coco, .. }), "{found:?}");
    let before = folder.state();
    let view = making::prepare_conversion(&home.engine, folder.path(), Task::Detect, quiet()).await.unwrap();
    assert_eq!((view.splits.clone(), view.objects, view.unlisted), (vec![(SplitKind::Train, 1)], 1, 1));
    assert_eq!(view.names, ["scratch"]);
    assert!(view.findings.iter().any(|finding| finding.code == "data.convert-box-empty"), "{:?}", view.findings);
    assert_eq!(folder.state(), before);

    let to = tempfile::tempdir().unwrap();
    let yaml = making::convert(&home.engine, to.path().join("yolo"), quiet()).await.unwrap();
    assert_eq!(scan(&yaml).split(SplitKind::Train).unwrap().instances, 1);
    let again = making::convert(&home.engine, to.path().join("again"), quiet()).await.unwrap_err();
    assert_eq!(again.code, "dataset.nothing-proposed");
}

#[tokio::test]
async fn a_copy_is_the_same_to_the_byte_and_goes_once_nothing_trains_on_it() {
    let (home, folder) = (Home::new(), Folder::good());
    // Neither in UTF-8 nor right.
    folder.put("labels/train/a.txt", "0 0,5 0,5 0,25 0,25\n");
    std::fs::write(folder.at("labels/train/b.txt"), b"\xff\xfe0\0 \0").unwrap();
    folder.put("images/train/broken.jpg", "no image");
    let (path, before) = (folder.path(), folder.state());
    let plan = making::plan_copy(&home.engine, &path, quiet()).await.unwrap();
    assert_eq!((plan.images, plan.to.parent().unwrap()), (6, home.engine.dirs().copies().as_path()));
    assert!(plan.bytes > 0 && plan.free.is_some());
    let yaml = making::copy(&home.engine, &path, plan.to.clone(), quiet()).await.unwrap();
    assert_eq!(yaml, plan.to.join("data.yaml"));
    for name in ["labels/train/a.txt", "labels/train/b.txt", "images/train/broken.jpg", "images/train/a.jpg"] {
        assert_eq!(std::fs::read(plan.to.join(name)).unwrap(), std::fs::read(folder.at(name)).unwrap(), "{name}");
    }
    assert_eq!(folder.state(), before, "the dataset is as it was");
    // The next one has a place of its own; nothing is written over, nor into the dataset.
    assert_ne!(making::plan_copy(&home.engine, &path, quiet()).await.unwrap().to, plan.to);
    let again = making::copy(&home.engine, &path, plan.to.clone(), quiet()).await.unwrap_err();
    assert_eq!(again.code, "dataset.folder-not-empty");
    let inside = making::copy(&home.engine, &path, folder.at("copy"), quiet()).await.unwrap_err();
    assert_eq!(inside.code, "dataset.inside-source");

    let room = room::look(&home.engine).unwrap();
    let taken = room.taken.iter().find(|taken| matches!(taken.what, Belonging::Copy { .. })).expect("it takes room");
    assert!(taken.can_go && taken.bytes >= plan.bytes, "{taken:?}");
    assert!(room::clear(&home.engine, &taken.what).unwrap() >= plan.bytes);
    assert!(!plan.to.exists());
    assert!(room::look(&home.engine).unwrap().taken.iter().all(|taken| !matches!(taken.what, Belonging::Copy { .. })));
    for name in ["..", "", "/", "../weights"] {
        let outside = room::clear(&home.engine, &Belonging::Copy { name: name.to_owned() }).unwrap_err();
        assert_eq!(outside.code, "dataset.not-found", "{name}");
    }
}
