//! Images by ids that mean nothing outside this process: no path ever is in an address, and what was not handed out
//! cannot be had.

mod kept;
mod turns;

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::work::{blocking, lock};
use kept::{Kept, Source};
use turns::Turns;

/// Ids that stay valid. A gallery shows some hundreds at a time.
const REMEMBERED: usize = 10_000;
/// Shortest and longest side in pixels that is served.
const SIDES: (u32, u32) = (16, 4096);
/// Images up to this side are thumbnails: they are kept for a while.
const THUMBNAIL: u32 = 512;
/// Memory for thumbnails: some six thousand of them.
const MOST_KEPT: usize = 64 << 20;

/// The images that were handed out.
#[derive(Debug)]
pub struct Images {
    table: Mutex<Table>,
    /// Decoding takes a core and the picture's full size in memory.
    turns: Turns,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Table {
    next: u64,
    paths: HashMap<String, PathBuf>,
    ids: HashMap<PathBuf, String>,
    order: VecDeque<String>,
}

impl Default for Images {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self { table: Mutex::default(), turns: Turns::new(cores), kept: Arc::new(Mutex::new(Kept::new(MOST_KEPT))) }
    }
}

impl Images {
    /// An id for an image; the same for the same path as long as it is remembered.
    #[must_use]
    pub fn id(&self, path: &Path) -> String {
        let mut table = lock(&self.table);
        if let Some(id) = table.ids.get(path) {
            return id.clone();
        }
        table.next += 1;
        let id = format!("i{}", table.next);
        table.paths.insert(id.clone(), path.to_owned());
        table.ids.insert(path.to_owned(), id.clone());
        table.order.push_back(id.clone());
        if table.order.len() > REMEMBERED
            && let Some(oldest) = table.order.pop_front()
            && let Some(path) = table.paths.remove(&oldest)
        {
            table.ids.remove(&path);
        }
        id
    }

    /// The image with this id as a JPEG, its longer side no more than `side` pixels; `None`: no such id was handed
    /// out, the file cannot be drawn, or nobody looks at it any more. Whoever asked last is served first.
    pub async fn jpeg(&self, id: &str, side: u32) -> Option<Arc<Vec<u8>>> {
        let path = self.path(id)?;
        let side = side.clamp(SIDES.0, SIDES.1);
        let kept = Arc::clone(&self.kept);
        let asked = path.clone();
        let (source, known) = blocking(move || {
            let source = Source::now(&asked, side);
            let known = source.as_ref().and_then(|source| lock(&kept).get(source));
            Ok((source, known))
        })
        .await
        .ok()?;
        if known.is_some() {
            return known;
        }
        let turn = self.turns.wait(id).await?;
        let made = blocking(move || {
            // Held until it is decoded, though nobody may wait for it any more.
            let _turn = turn;
            crate::dataset::thumbnail(&path, side).map(Arc::new)
        })
        .await
        .ok()?;
        if let Some(source) = source.filter(|_| side <= THUMBNAIL) {
            lock(&self.kept).put(source, Arc::clone(&made));
        }
        Some(made)
    }

    /// Says which images are looked at now: what waits for any other is given up.
    pub fn look_at_only(&self, ids: &[String]) {
        let ids: HashSet<&str> = ids.iter().map(String::as_str).collect();
        self.turns.keep_only(|id| ids.contains(id));
    }

    /// Bytes of thumbnails that are kept.
    #[must_use]
    pub fn kept_bytes(&self) -> usize {
        lock(&self.kept).bytes()
    }

    /// The path behind an id.
    pub(crate) fn path(&self, id: &str) -> Option<PathBuf> {
        lock(&self.table).paths.get(id).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_keeps_its_id_and_forgotten_ids_lead_nowhere() {
        let images = Images::default();
        let first = images.id(Path::new("/data/first.jpg"));
        assert_eq!(images.id(Path::new("/data/first.jpg")), first);
        for number in 0..REMEMBERED {
            let _ = images.id(Path::new(&format!("/data/{number}.jpg")));
        }
        assert_eq!(images.path(&first), None);
        assert_ne!(images.id(Path::new("/data/first.jpg")), first);
    }

    #[tokio::test]
    async fn only_what_was_handed_out_can_be_had_and_no_larger_than_is_served() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.png");
        image::RgbImage::new(5000, 300).save(&path).unwrap();
        let images = Images::default();
        for asked in ["", "i1", "etc/passwd", "%2Fetc%2Fpasswd", "../i1"] {
            assert_eq!(images.jpeg(asked, 64).await, None);
        }
        let id = images.id(&path);
        for (asked, side) in [(0, 16), (256, 256), (u32::MAX, 4096)] {
            let bytes = images.jpeg(&id, asked).await.unwrap();
            assert_eq!(image::load_from_memory(&bytes).unwrap().width(), side);
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(images.jpeg(&id, 64).await, None);
    }
}
