//! The sample dataset.

use preflight_core::dataset::SplitKind;
use preflight_core::finding::Severity;
use preflight_core::run::arguments;
use preflight_engine::{Engine, dirs::Dirs, sample};
use sha2::{Digest, Sha256};

use super::folder::Folder;
use super::{codes, scan, split};

#[test]
fn the_sample_is_a_dataset_without_fault() {
    let folder = Folder::empty();
    let yaml = sample::write(&folder.at("plates")).unwrap();
    let dataset = scan(&yaml);
    assert_eq!(codes(&dataset, Severity::Note), Vec::<&str>::new());
    assert_eq!(dataset.names, ["scratch", "dent", "hole"]);
    let counts = |kind| {
        let split = split(&dataset, kind);
        (split.images, split.labelled, split.background)
    };
    assert_eq!(counts(SplitKind::Train), (48, 45, 3));
    assert_eq!(counts(SplitKind::Val), (12, 12, 0));
    assert!(split(&dataset, SplitKind::Val).class_instances.iter().all(|count| *count >= 5));
}

/// The pictures are part of what is promised: the same bytes on every platform, in every version.
#[test]
fn the_sample_is_the_same_everywhere() {
    let folder = Folder::empty();
    sample::write(&folder.path()).unwrap();
    let mut hash = Sha256::new();
    for (path, content, _) in folder.state().into_iter().filter(|(path, ..)| path.is_file()) {
        if path.file_name().is_some_and(|name| name != "README.txt") {
            hash.update(path.strip_prefix(folder.path()).unwrap().to_string_lossy().replace('\\', "/"));
            hash.update(content);
        }
    }
    let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    insta::assert_snapshot!(hex, @"9e63bee73860aeef0656a85764220f1df9a5c8227afcaaa08401051e7ea8b182");
}

#[tokio::test]
async fn the_apps_own_sample_is_drawn_once_and_again_when_it_is_damaged() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::open(Dirs::new(home.path())).unwrap();
    let yaml = sample::own(&engine).await.unwrap();
    let drawn = || std::fs::metadata(&yaml).unwrap().modified().unwrap();
    let first = drawn();
    assert_eq!(sample::own(&engine).await.unwrap(), yaml);
    assert_eq!(drawn(), first);

    let images = yaml.with_file_name("images");
    std::fs::remove_dir_all(&images).unwrap();
    assert_eq!(sample::own(&engine).await.unwrap(), yaml);
    assert!(images.is_dir());
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let folder = Folder::empty();
    folder.put("mine.txt", "mine");
    assert_eq!(sample::write(&folder.path()).unwrap_err().code, "sample.folder-not-empty");
    assert_eq!(folder.state().len(), 1);
}

#[test]
fn the_plan_for_it_is_one_the_trainer_takes() {
    let plan = sample::plan(std::path::Path::new("data.yaml"));
    assert_eq!(arguments::check(&plan.training), Ok(()));
    assert_eq!((plan.training.imgsz, plan.training.batch, plan.training.epochs), (160, 8, 60));
}
