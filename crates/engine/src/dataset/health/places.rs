//! Names and places of files that make trouble on other systems, or on this one.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use preflight_core::dataset::SplitKind;
use preflight_core::dataset::tally::Fault;

use super::super::listing::Listing;

/// Names in a folder that are one name on systems that do not tell cases apart, and images that share a label file.
pub(super) fn names(listing: &Listing, faults: &mut super::Found) {
    let mut lower: HashMap<(u32, String), usize> = HashMap::new();
    let mut stems: BTreeMap<(u32, PathBuf), usize> = BTreeMap::new();
    for index in 0..listing.len() {
        let (folder, name) = listing.place(index);
        let other = lower.insert((folder, name.to_string_lossy().to_lowercase()), index);
        if let Some(other) = other.filter(|other| listing.place(*other).1 != name) {
            let other = listing.place(other).1.to_string_lossy().into_owned();
            faults.add(&Fault::image("names-differ-by-case").saying(other), &listing.image(index));
        }
        let stem = Path::new(name).with_extension("");
        let other = stems.insert((folder, stem), index);
        if let Some(other) = other.filter(|other| listing.place(*other).1 != name) {
            let other = listing.place(other).1.to_string_lossy().into_owned();
            faults.add(&Fault::image("label-shared").saying(other), &listing.image(index));
        }
    }
}

/// Whether a file's content is not on this computer though its name is: a placeholder of a cloud storage.
#[cfg(unix)]
pub(in crate::dataset) fn is_elsewhere(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    // Some file systems keep small files without a block of their own.
    const SMALL: u64 = 4096;
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.blocks() == 0 && found.len() > SMALL)
}

/// Whether a file's content is not on this computer though its name is: a placeholder of a cloud storage.
#[cfg(windows)]
pub(in crate::dataset) fn is_elsewhere(path: &Path) -> bool {
    use std::os::windows::fs::MetadataExt;
    // FILE_ATTRIBUTE_OFFLINE, FILE_ATTRIBUTE_RECALL_ON_OPEN, FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS.
    const ELSEWHERE: u32 = 0x1000 | 0x4_0000 | 0x40_0000;
    std::fs::metadata(path).is_ok_and(|found| found.file_attributes() & ELSEWHERE != 0)
}

/// Says when files come slowly, by the trainer's own measure (`check_file_speeds`): more than 10 ms to find a file, or
/// less than 50 MB/s to read one.
pub(super) fn slow(listings: &[(SplitKind, Listing)], faults: &mut super::Found) {
    const SAMPLES: usize = 5;
    const SLOWEST_PING: Duration = Duration::from_millis(10);
    const SLOWEST: f64 = 50.0 * 1024.0 * 1024.0;
    // Smaller files say nothing about speed: opening them takes longer than reading.
    const LEAST_BYTES: u64 = 16 << 10;
    let Some((_, listing)) = listings.iter().find(|(_, listing)| listing.len() > 0) else { return };
    let step = (listing.len() / SAMPLES).max(1);
    let (mut ping, mut reading, mut bytes, mut files) = (Duration::ZERO, Duration::ZERO, 0u64, 0u32);
    for index in (0..listing.len()).step_by(step).take(SAMPLES) {
        let path = listing.image(index);
        let began = Instant::now();
        if std::fs::metadata(&path).is_err() || is_elsewhere(&path) {
            continue;
        }
        ping += began.elapsed();
        let began = Instant::now();
        let mut content = Vec::new();
        if super::super::opener::open(&path).and_then(|file| file.take(64 << 20).read_to_end(&mut content)).is_ok() {
            reading += began.elapsed();
            bytes += content.len() as u64;
            files += 1;
        }
    }
    if files == 0 {
        return;
    }
    #[expect(clippy::cast_precision_loss, reason = "a speed")]
    let speed = bytes as f64 / reading.as_secs_f64().max(1e-9);
    if ping / files > SLOWEST_PING || (bytes / u64::from(files) >= LEAST_BYTES && speed < SLOWEST) {
        let said = format!("{:.1} ms, {:.0} MB/s", (ping / files).as_secs_f64() * 1e3, speed / 1024.0 / 1024.0);
        let folder = listing.image(0);
        faults.add(&Fault::image("slow-drive").saying(said), folder.parent().unwrap_or(Path::new(OsStr::new(""))));
    }
}
