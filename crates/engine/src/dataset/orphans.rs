//! Label files that belong to no image.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use preflight_core::dataset::paths;
use preflight_core::dataset::tally::{Fault, Faults};
use preflight_core::problem::Problem;
use tokio_util::sync::CancellationToken;

use super::listing::Listing;

/// Text files that lie among labels and are none.
const NO_LABELS: [&str; 8] =
    ["classes.txt", "labels.txt", "names.txt", "train.txt", "val.txt", "valid.txt", "test.txt", "readme.txt"];

/// Looks through the label folders of all splits for label files without an image.
pub(super) fn find<'a>(
    listings: impl Iterator<Item = &'a Listing>,
    faults: &mut Faults,
    cancel: &CancellationToken,
) -> Result<(), Problem> {
    let listings: Vec<_> = listings.collect();
    // A hash a name instead of the name: a tenth of the memory, and a collision hides one finding in 10^13.
    let hasher = RandomState::new();
    let stem = |name: &Path| hasher.hash_one(name.file_stem().unwrap_or(OsStr::new("")));
    let mut folders: Vec<(&Path, &Path)> = listings.iter().flat_map(|listing| listing.folders()).collect();
    folders.sort_unstable();
    folders.dedup();
    for group in folders.chunk_by(|a, b| a.0 == b.0) {
        let labels = group[0].0;
        let mut known = HashSet::new();
        for (_, images) in group {
            // What is on the disk, not what a split uses: a list may leave images out on purpose.
            for entry in std::fs::read_dir(images).into_iter().flatten().flatten() {
                let name = entry.file_name();
                if paths::is_image(&name) {
                    known.insert(stem(Path::new(&name)));
                }
            }
        }
        let mut found: Vec<_> = std::fs::read_dir(labels)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.file_name())
            .filter(|name| is_label(name) && !known.contains(&stem(Path::new(name))))
            .collect();
        found.sort_unstable();
        for name in found {
            faults.add(&Fault::label("label-without-image"), &labels.join(name));
        }
        if cancel.is_cancelled() {
            return Err(super::cancelled());
        }
    }
    Ok(())
}

fn is_label(name: &OsStr) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "txt")
        && !paths::is_hidden(name)
        && !NO_LABELS.iter().any(|known| name.eq_ignore_ascii_case(known))
}
