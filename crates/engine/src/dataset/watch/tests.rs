use std::path::Path;

use preflight_core::dataset::SplitKind;

use super::super::scan::{self, Before, Snapshot};
use super::*;

const ROW: &str = "0 0.5 0.5 0.25 0.25\n";

fn put(root: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path
}

fn image(root: &Path, name: &str) -> PathBuf {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(32, 32).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    put(root, name, bytes.into_inner())
}

fn dataset() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    put(&root, "data.yaml", "train: images/train\nval: images/val\nnames: [a, b]\n");
    for name in ["train/1", "train/2", "val/3"] {
        image(&root, &format!("images/{name}.png"));
        put(&root, &format!("labels/{name}.txt"), ROW);
    }
    (folder, root)
}

fn read(root: &Path, before: Before<'_>) -> Snapshot {
    scan::read(root, None, before, &|_, _| {}, &CancellationToken::new()).unwrap()
}

fn boxes(snapshot: &Snapshot) -> u32 {
    snapshot.dataset.splits.iter().map(|split| split.instances).sum()
}

fn images(snapshot: &Snapshot) -> u32 {
    snapshot.dataset.split(SplitKind::Train).unwrap().images
}

fn told(files: &[PathBuf]) -> Changes {
    Changes { files: files.iter().cloned().collect(), ..Changes::default() }
}

#[test]
fn only_what_was_told_is_looked_at() {
    let (_folder, root) = dataset();
    let first = read(&root, Before::Nothing);
    assert_eq!((first.changed, boxes(&first)), (3, 3));
    let label = put(&root, "labels/train/1.txt", ROW.to_owned() + "1 0.2 0.2 0.1 0.1\n");
    let added = image(&root, "images/train/4.png");
    // Both changes are there, and nobody told of them: nothing was looked at.
    let untold = read(&root, Before::Told(&first, &told(&[])));
    assert_eq!((untold.changed, boxes(&untold), images(&untold)), (0, 3, 2));
    let one = read(&root, Before::Told(&untold, &told(&[label])));
    assert_eq!((one.changed, boxes(&one), images(&one)), (1, 4, 2));
    let both = read(&root, Before::Told(&one, &Changes { images: true, ..told(&[added]) }));
    assert_eq!((both.changed, boxes(&both), images(&both)), (1, 4, 3));
    let looked = read(&root, Before::Looked(&first));
    assert_eq!((looked.changed, boxes(&looked), images(&looked)), (2, 4, 3));
    assert_eq!(both.dataset.splits, looked.dataset.splits);
    assert_eq!(both.dataset.findings, looked.dataset.findings);
}

#[test]
fn what_is_gone_is_counted_and_labels_that_are_left_over_are_found() {
    let (_folder, root) = dataset();
    let first = read(&root, Before::Nothing);
    let gone = root.join("images/train/1.png");
    std::fs::remove_file(&gone).unwrap();
    let now = read(&root, Before::Told(&first, &Changes { images: true, ..told(&[gone]) }));
    assert_eq!((now.changed, images(&now)), (1, 1));
    assert!(now.dataset.findings.iter().any(|finding| finding.code == "data.label-without-image"));
}

#[test]
fn the_folders_of_a_dataset_are_watched_with_those_above_and_those_to_come() {
    let (_folder, root) = dataset();
    std::fs::create_dir_all(root.join("images/train/empty")).unwrap();
    std::fs::remove_dir_all(root.join("labels/val")).unwrap();
    let expected =
        ["", "images", "images/train", "images/train/empty", "images/val", "labels", "labels/train"].map(|name| {
            // A path that ends in a separator is another text, and the same path.
            if name.is_empty() { root.clone() } else { root.join(name) }
        });
    assert_eq!(folders(&read(&root, Before::Nothing)), BTreeSet::from(expected));
}

#[test]
fn a_limit_of_the_system_is_named() {
    let error = notify::Error::new(ErrorKind::MaxFilesWatch);
    assert_eq!(reason(&error).id, "reason-watch-limit");
    let error = notify::Error::io(std::io::Error::from_raw_os_error(EMFILE));
    assert_eq!(reason(&error).id, if cfg!(unix) { "reason-watch-limit" } else { "reason-system-error" });
}

#[test]
fn a_watch_that_gave_up_has_everything_looked_at() {
    let watch = Watch::begin().unwrap();
    watch.give_up(Message::new("reason-watch-limit"));
    assert!(watch.take().all && watch.take().all);
    assert_eq!(watch.reason().unwrap().id, "reason-watch-limit");
}

#[tokio::test]
async fn a_drive_that_is_pulled_out_is_missed_although_nobody_tells() {
    let (_folder, root) = dataset();
    let desk = tempfile::tempdir().unwrap();
    let (drive, unplugged) = (desk.path().join("drive"), desk.path().join("unplugged"));
    std::fs::create_dir(&drive).unwrap();
    std::fs::rename(&root, drive.join("plates")).unwrap();
    let yaml = drive.join("plates/data.yaml");
    let (cache, watch) = (Cache::default(), Watch::begin().unwrap());
    let look = |watch| cache.current(&yaml, Task::Detect, watch, Arc::new(|_, _| {}), CancellationToken::new());
    look(Some(&watch)).await.unwrap();
    std::fs::rename(&drive, &unplugged).unwrap();
    // Those who wait hear of it, too.
    watch.heard().await;
    let problem = look(None).await.unwrap_err();
    assert_eq!(problem.code, "dataset.not-found");
    std::fs::rename(&unplugged, &drive).unwrap();
    look(None).await.unwrap();
    // And from there on, it tells again.
    put(&drive, "plates/labels/train/1.txt", ROW.to_owned() + "1 0.2 0.2 0.1 0.1\n");
    watch.heard().await;
    let boxes: u32 = look(None).await.unwrap().dataset.splits.iter().map(|split| split.instances).sum();
    assert_eq!(boxes, 4);
}
