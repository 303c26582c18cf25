//! The images of a dataset as the window asks for them.

use std::path::PathBuf;
use std::sync::Arc;

use preflight_core::dataset::SplitKind;
use preflight_engine::Engine;
use preflight_engine::dataset::{Filter, closely, inspect, matches, page, picture};
use preflight_engine::dirs::Dirs;

use super::folder::{Folder, ROW};

/// The app over a home that is gone when the test ends.
pub(super) struct Home {
    pub(super) engine: Engine,
    _folder: tempfile::TempDir,
}

impl Home {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { engine: Engine::open(Dirs::new(folder.path())).unwrap(), _folder: folder }
    }
}

fn all() -> Filter {
    Filter::default()
}

async fn names(home: &Home, folder: &Folder, filter: Filter) -> Vec<String> {
    let found = page(&home.engine, &folder.path(), filter, 0, 100).await.unwrap();
    found.into_iter().map(|image| image.name).collect()
}

/// Five good images, one whose class is unknown, one without labels.
fn folder() -> Folder {
    let folder = Folder::good();
    for name in ["Wrong", "unlabelled"] {
        folder.image(&format!("images/train/{name}.jpg"));
    }
    folder.put("labels/train/Wrong.txt", format!("{ROW}7 0.25 0.25 0.1 0.1\n"));
    folder
}

#[tokio::test]
async fn images_are_narrowed_down_by_split_class_finding_and_name() {
    let (home, folder) = (Home::new(), folder());
    assert_eq!(
        names(&home, &folder, all()).await,
        ["Wrong.jpg", "a.jpg", "b.jpg", "c.jpg", "unlabelled.jpg", "d.jpg", "e.jpg"]
    );
    let val = Filter { split: Some(SplitKind::Val), ..all() };
    assert_eq!(names(&home, &folder, val.clone()).await, ["d.jpg", "e.jpg"]);
    let dents = Filter { class: Some(1), ..all() };
    assert_eq!(names(&home, &folder, dents.clone()).await, ["b.jpg", "e.jpg"]);
    assert_eq!(names(&home, &folder, Filter { class: Some(1), ..val }).await, ["e.jpg"]);
    let wrong = Filter { finding: Some("data.class-out-of-range".to_owned()), ..all() };
    assert_eq!(names(&home, &folder, wrong).await, ["Wrong.jpg"]);
    let bare = Filter { finding: Some("data.images-unlabelled".to_owned()), ..all() };
    assert_eq!(names(&home, &folder, bare).await, ["unlabelled.jpg"]);
    assert_eq!(names(&home, &folder, Filter { name: " WRO ".to_owned(), ..all() }).await, ["Wrong.jpg"]);
    let nothing = Filter { name: "a".to_owned(), ..dents };
    assert_eq!(names(&home, &folder, nothing).await, Vec::<String>::new());
}

#[tokio::test]
async fn each_count_takes_the_rest_of_the_filter_into_account() {
    let (home, folder) = (Home::new(), folder());
    let everything = matches(&home.engine, &folder.path(), all()).await.unwrap();
    assert_eq!((everything.total, everything.all), (7, 7));
    assert_eq!(everything.splits, [(SplitKind::Train, 5), (SplitKind::Val, 2)]);
    assert_eq!(everything.classes, [3, 2]);
    let count = |code: &str| everything.findings.iter().find(|(known, _)| known == code).map(|(_, count)| *count);
    assert_eq!(count("data.class-out-of-range"), Some(1));
    assert_eq!(count("data.images-unlabelled"), Some(1));

    let train = Filter { split: Some(SplitKind::Train), class: Some(1), ..all() };
    let train = matches(&home.engine, &folder.path(), train).await.unwrap();
    assert_eq!(train.total, 1);
    // Of the other splits, those with this class; of the other classes, those in this split.
    assert_eq!(train.splits, [(SplitKind::Train, 1), (SplitKind::Val, 1)]);
    assert_eq!(train.classes, [2, 1]);
}

#[tokio::test]
async fn a_page_is_bounded_and_drawn_even_where_the_trainer_refuses() {
    let (home, folder) = (Home::new(), folder());
    for number in 0..300 {
        folder.put(&format!("images/train/many/{number:03}.jpg"), "no image");
    }
    let path = folder.path();
    let first = page(&home.engine, &path, all(), 0, u32::MAX).await.unwrap();
    assert_eq!(first.len(), 200);
    let wrong = &first[0];
    assert_eq!((wrong.name.as_str(), wrong.refused, wrong.boxes.len()), ("Wrong.jpg", true, 2));
    assert_eq!((wrong.width, wrong.height), (64, 48));
    assert!(!wrong.image.contains('/'));
    let rest = page(&home.engine, &path, all(), 306, 100).await.unwrap();
    assert_eq!(rest.into_iter().map(|image| image.name).collect::<Vec<_>>(), ["e.jpg"]);
    assert_eq!(page(&home.engine, &path, all(), u32::MAX, u32::MAX).await.unwrap(), []);
}

#[tokio::test]
async fn what_changed_on_disk_is_seen_once_the_dataset_is_read_again() {
    let (home, folder) = (Home::new(), folder());
    let path = folder.path();
    assert_eq!(matches(&home.engine, &path, all()).await.unwrap().total, 7);
    folder.image("images/val/f.jpg");
    inspect(&home.engine, &path, Arc::new(|_, _| {})).await.unwrap();
    assert_eq!(matches(&home.engine, &path, all()).await.unwrap().total, 8);
}

#[tokio::test]
async fn a_picture_is_found_by_its_file_or_its_labels_and_says_what_is_wrong_in_which_row() {
    let (home, folder) = (Home::new(), folder());
    let path = folder.path();
    for file in ["images/train/Wrong.jpg", "labels/train/Wrong.txt"] {
        let found = picture(&home.engine, &path, folder.at(file)).await.unwrap().unwrap();
        assert_eq!((found.split, found.refused), (SplitKind::Train, true));
        assert_eq!(
            found.marks.iter().map(|mark| (mark.line, mark.class)).collect::<Vec<_>>(),
            [(1, Some(0)), (2, Some(7))]
        );
        assert_eq!(found.findings[0].code, "data.class-out-of-range");
        assert!(format!("{:?}", found.findings[0].evidence).contains("line: Some(2)"));
        assert_eq!(found.label, Some(folder.at("labels/train/Wrong.txt")));
    }
    let bare = picture(&home.engine, &path, folder.at("images/train/unlabelled.jpg")).await.unwrap().unwrap();
    assert_eq!((bare.label, bare.marks.len(), bare.findings[0].code.as_str()), (None, 0, "data.images-unlabelled"));
    assert_eq!(picture(&home.engine, &path, PathBuf::from("/etc/passwd")).await.unwrap(), None);
    assert_eq!(picture(&home.engine, &path, folder.at("data.yaml")).await.unwrap(), None);
}

#[tokio::test]
async fn a_second_look_joins_filters_and_pictures_until_the_dataset_changes() {
    let (home, folder) = (Home::new(), Folder::good());
    let path = folder.path();
    folder.put("images/val/twin.jpg", std::fs::read(folder.at("images/train/a.jpg")).unwrap());
    folder.put("labels/val/twin.txt", ROW);
    let health = closely::examine(&home.engine, &path, 640, Arc::new(|_, _| {})).await.unwrap();
    assert!(health.findings.iter().any(|finding| finding.code == "data.leak-exact"), "{:?}", health.findings);
    let leaks = Filter { finding: Some("data.leak-exact".to_owned()), ..all() };
    // All images of the folder are the same picture: what is in the validation leaks.
    assert_eq!(names(&home, &folder, leaks.clone()).await, ["d.jpg", "e.jpg", "twin.jpg"]);
    let twin = picture(&home.engine, &path, folder.at("images/val/twin.jpg")).await.unwrap().unwrap();
    assert_eq!(twin.findings.iter().map(|finding| finding.code.as_str()).collect::<Vec<_>>(), ["data.leak-exact"]);
    let view = inspect(&home.engine, &path, Arc::new(|_, _| {})).await.unwrap();
    assert_eq!(view.health.map(|health| health.fingerprint), Some(health.fingerprint));

    folder.put("labels/val/twin.txt", format!("{ROW}1 0.1 0.1 0.1 0.1\n"));
    assert_eq!(inspect(&home.engine, &path, Arc::new(|_, _| {})).await.unwrap().health, None);
    assert_eq!(names(&home, &folder, leaks).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_report_is_written_as_page_and_for_programs() {
    let (home, folder) = (Home::new(), folder());
    let to = tempfile::tempdir().unwrap();
    closely::examine(&home.engine, &folder.path(), 640, Arc::new(|_, _| {})).await.unwrap();
    let before = folder.state();
    for form in [closely::ReportForm::Html, closely::ReportForm::Json] {
        let file = to.path().join(format!("report.{}", form.ending()));
        closely::save_report(&home.engine, &folder.path(), file.clone(), form).await.unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        match form {
            closely::ReportForm::Html => assert!(text.starts_with("<!doctype html>") && text.contains("Wrong.txt")),
            closely::ReportForm::Json => {
                let value: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert_eq!(value["dataset"]["splits"][0]["images"], 4);
                assert_eq!(value["health"]["profiles"][0][0], "train");
            }
        }
    }
    assert_eq!(folder.state(), before);
}

#[tokio::test]
async fn thumbnails_stay_within_their_memory() {
    let home = Home::new();
    let folder = Folder::empty();
    let images = home.engine.images();
    let mut most = 0;
    for number in 0..40 {
        let path = folder.image(&format!("{number}.jpg"));
        let id = images.id(&path);
        let first = images.jpeg(&id, 64).await.unwrap();
        // The second time it is the same one.
        assert!(Arc::ptr_eq(&first, &images.jpeg(&id, 64).await.unwrap()));
        most = most.max(images.kept_bytes());
        // A large one is not kept.
        let kept = images.kept_bytes();
        images.jpeg(&id, 2048).await.unwrap();
        assert_eq!(images.kept_bytes(), kept);
    }
    assert!(most > 0 && most < 64 << 20);
    // Another content is another thumbnail.
    let path = folder.image("0.jpg");
    let id = images.id(&path);
    let before = images.jpeg(&id, 64).await.unwrap();
    std::fs::write(&path, super::folder::encoded(image::ImageFormat::Jpeg, 20, 10)).unwrap();
    assert_ne!(before, images.jpeg(&id, 64).await.unwrap());
}
