//! Datasets that change while they are watched.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use preflight_core::dataset::Dataset;
use preflight_core::problem::Problem;
use preflight_engine::dataset::{Cache, DatasetChange};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::folder::{Folder, ROW};
use super::scan;

struct Watched {
    cache: Arc<Cache>,
    path: PathBuf,
    told: UnboundedReceiver<DatasetChange>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Watched {
    fn begin(path: PathBuf) -> Self {
        let (send, told) = unbounded_channel();
        let cache = Arc::new(Cache::default());
        let (watching, place) = (Arc::clone(&cache), path.clone());
        let task = tokio::spawn(async move {
            preflight_engine::dataset::watch(&watching, &place, |change| send.send(change.clone()).is_ok()).await;
        });
        Self { cache, path, told, task }
    }

    /// What is told next. A minute is for machines that do much else; nothing here takes a tenth of it.
    async fn next(&mut self) -> DatasetChange {
        tokio::time::timeout(Duration::from_secs(60), self.told.recv()).await.expect("nothing was told").unwrap()
    }

    /// Waits until what is told is what reading anew answers. Answers how many files were told to have changed.
    async fn follows(&mut self, what: &str) -> u32 {
        let expected = content(&scan(&self.path));
        let mut files = 0;
        loop {
            let DatasetChange::Read { dataset, files: some, .. } = self.next().await else { continue };
            files += some;
            if content(&dataset) == expected {
                let kept = self.cache.get(&self.path, Arc::new(|_, _| {}), CancellationToken::new()).await.unwrap();
                assert_eq!(content(&kept), expected, "{what}");
                return files;
            }
        }
    }

    async fn is_lost(&mut self) -> Problem {
        loop {
            if let DatasetChange::Lost { problem } = self.next().await {
                return problem;
            }
        }
    }
}

/// What was read, without how long it took.
fn content(dataset: &Dataset) -> Dataset {
    Dataset { took_ms: 0, ..dataset.clone() }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_is_told() {
    let folder = Folder::good();
    let mut watched = Watched::begin(folder.path());
    let DatasetChange::Read { dataset, files: 0, looked_for: None } = watched.next().await else {
        panic!("it is not told how the dataset is");
    };
    assert_eq!(content(&dataset), content(&scan(&folder.path())));

    folder.put("labels/train/a.txt", "7 0.5 0.5 0.1 0.1\n");
    assert_eq!(watched.follows("a label is written").await, 1);
    folder.put("labels/train/new.tmp", format!("{ROW}1 0.1 0.1 0.1 0.1\n"));
    folder.rename("labels/train/new.tmp", "labels/train/a.txt");
    watched.follows("a label is replaced, as editors do").await;
    folder.image("images/train/0.jpg");
    watched.follows("an image comes").await;
    folder.remove("labels/train/b.txt");
    watched.follows("a label goes").await;
    folder.put("images/train/c.jpg", "");
    watched.follows("an image is emptied").await;
    folder.image("images/train/more/deep/x.jpg");
    folder.put("labels/train/more/deep/x.txt", ROW);
    watched.follows("folders come").await;
    folder.put("labels/train/more/deep/x.txt", format!("{ROW}1 0.1 0.1 0.1 0.1\n"));
    watched.follows("in a folder that came").await;
    folder.yaml("train: images/val\nval: images/train\nnames: [scratch]\n");
    watched.follows("it is declared otherwise").await;
    folder.rename("images/train", "images/old");
    watched.follows("a split goes").await;
    folder.rename("images/old", "images/train");
    watched.follows("and comes back").await;
    folder.put("images/train/a.jpg", "");
    watched.follows("in a split that came back").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_images_is_read_again_when_it_changes() {
    let folder = Folder::good();
    folder.put("train.txt", "./images/train/a.jpg\n");
    folder.yaml("train: train.txt\nval: images/val\nnames: [scratch, dent]\n");
    let mut watched = Watched::begin(folder.path());
    watched.next().await;
    folder.put("train.txt", "./images/train/a.jpg\n./images/train/b.jpg\n");
    watched.follows("a line more").await;
    folder.put("labels/train/b.txt", "");
    watched.follows("a label of it").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_gone_is_told_once_and_read_again_when_it_is_back() {
    let folder = Folder::good();
    let inner = folder.at("plates");
    std::fs::create_dir(&inner).unwrap();
    for name in ["data.yaml", "images", "labels"] {
        folder.rename(name, &format!("plates/{name}"));
    }
    let mut watched = Watched::begin(inner);
    watched.next().await;
    folder.rename("plates", "elsewhere");
    // The folder above is not the dataset's: that it is gone is noticed with the first thing that happens in it.
    folder.put("elsewhere/labels/train/a.txt", "");
    assert_eq!(watched.is_lost().await.code, "dataset.not-found");
    folder.rename("elsewhere", "plates");
    watched.follows("it is back").await;
    folder.put("plates/labels/train/a.txt", format!("{ROW}{ROW}"));
    watched.follows("and watched again").await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn links_are_looked_after_since_nobody_tells_of_them() {
    let folder = Folder::good();
    folder.rename("images/train/a.jpg", "store/a.jpg");
    std::os::unix::fs::symlink(folder.at("store/a.jpg"), folder.at("images/train/a.jpg")).unwrap();
    let mut watched = Watched::begin(folder.path());
    let DatasetChange::Read { looked_for: Some(reason), .. } = watched.next().await else {
        panic!("it is not told that changes are looked for");
    };
    assert_eq!(reason.id, "reason-watch-links");
    folder.put("store/a.jpg", "");
    watched.follows("where the link leads").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_ends_when_nobody_listens() {
    let folder = Folder::good();
    let cache = Cache::default();
    // Answers at once that nobody does.
    preflight_engine::dataset::watch(&cache, &folder.path(), |_| false).await;
    folder.put("labels/train/a.txt", "7 0.5 0.5 0.1 0.1\n");
    let read = cache.get(&folder.path(), Arc::new(|_, _| {}), CancellationToken::new()).await.unwrap();
    assert_eq!(content(&read), content(&scan(&folder.path())), "what nobody tells of any more is looked for");
}
