//! Reading again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use preflight_core::dataset::{Dataset, SplitKind};
use preflight_core::finding::Severity;
use preflight_engine::dataset::Cache;
use tokio_util::sync::CancellationToken;

use super::folder::{Folder, ROW};
use super::{codes, scan, split};

async fn get(cache: &Cache, folder: &Folder) -> Arc<Dataset> {
    cache.get(&folder.path(), Arc::new(|_, _| {}), CancellationToken::new()).await.unwrap()
}

/// What was read, without how long it took.
fn content(dataset: &Dataset) -> Dataset {
    Dataset { took_ms: 0, ..dataset.clone() }
}

#[tokio::test]
async fn every_change_is_seen() {
    let folder = Folder::good();
    let cache = Cache::default();
    let same_as_fresh = async |what: &str| {
        let kept = get(&cache, &folder).await;
        assert_eq!(content(&kept), content(&scan(&folder.path())), "{what}");
        kept
    };
    same_as_fresh("at first").await;
    same_as_fresh("unchanged").await;
    folder.put("labels/train/a.txt", "7 0.5 0.5 0.1 0.1\n");
    assert_eq!(codes(&*same_as_fresh("label").await, Severity::Blocker), ["data.class-out-of-range"]);
    folder.put("labels/train/a.txt", ROW);
    assert_eq!(codes(&*same_as_fresh("mended").await, Severity::Note), Vec::<&str>::new());
    folder.image("images/train/0.jpg");
    assert_eq!(split(&*same_as_fresh("added").await, SplitKind::Train).images, 4);
    folder.put("labels/train/0.txt", format!("{ROW}1 0.1 0.1 0.1 0.1\n"));
    assert_eq!(same_as_fresh("labelled").await.most_boxes, 2);
    folder.put("images/train/b.jpg", "");
    same_as_fresh("image").await;
    folder.put("labels/train/b.txt", "");
    folder.image("images/train/b.jpg");
    same_as_fresh("both").await;
    folder.remove("images/train/a.jpg");
    same_as_fresh("removed").await;
    folder.yaml("train: images/val\nval: images/train\nnames: [scratch]\n");
    same_as_fresh("declared otherwise").await;
    folder.yaml("train: images/train\nval: images/val\nnames: [scratch, dent, hole]\n");
    same_as_fresh("names").await;
}

#[tokio::test]
async fn several_who_ask_at_once_get_the_same_answer() {
    let folder = Folder::good();
    let cache = Cache::default();
    let (a, b) = tokio::join!(get(&cache, &folder), get(&cache, &folder));
    assert_eq!(content(&a), content(&b));
}

#[tokio::test]
async fn reading_can_be_stopped_and_begun_again() {
    let folder = Folder::good();
    let cache = Cache::default();
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    // Told once before the first file: stopping there is stopping in the middle.
    let progress = Arc::new(move |_, _| stop.cancel());
    let problem = cache.get(&folder.path(), progress, cancel).await.unwrap_err();
    assert_eq!(problem.code, "dataset.cancelled");
    assert_eq!(split(&*get(&cache, &folder).await, SplitKind::Train).images, 3);
}

#[tokio::test]
async fn a_reading_that_was_stopped_goes_on_where_it_was() {
    const IMAGES: u32 = 2_000;
    const JUDGED: u32 = 1_024;
    let folder = Folder::good();
    let label = |n: u32| format!("labels/train/{n}.txt");
    let image = folder.image("images/train/0.jpg");
    folder.put(&label(0), ROW);
    for n in 1..IMAGES {
        std::fs::copy(&image, folder.at(&format!("images/train/{n}.jpg"))).unwrap();
        std::fs::write(folder.at(&label(n)), ROW).unwrap();
    }
    let cache = Cache::default();
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let progress = Arc::new(move |done, _| {
        if done >= JUDGED {
            stop.cancel();
        }
    });
    let problem = cache.get(&folder.path(), progress, cancel).await.unwrap_err();
    assert_eq!(problem.code, "dataset.cancelled");

    // Behind its back, so that what is read anew can be told from what is not.
    let other = ROW.replacen('0', "7", 1);
    for n in 0..IMAGES {
        let path = folder.at(&label(n));
        let modified = std::fs::metadata(&path).unwrap().modified().unwrap();
        std::fs::write(&path, &other).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    }
    let train = split(&*get(&cache, &folder).await, SplitKind::Train).clone();
    assert_eq!(train.images + train.corrupt, IMAGES + 3);
    assert!((1..=IMAGES + 3 - JUDGED).contains(&train.corrupt), "{} were judged anew", train.corrupt);
}

#[test]
fn progress_ends_at_the_number_of_files() {
    let folder = Folder::good();
    let last = AtomicU32::new(0);
    let progress = |done: u32, total: u32| {
        assert_eq!(total, 5);
        last.fetch_max(done, Ordering::Relaxed);
    };
    preflight_engine::dataset::scan(&folder.path(), &progress, &CancellationToken::new()).unwrap();
    assert_eq!(last.into_inner(), 5);
}
