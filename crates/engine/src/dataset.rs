//! Reading datasets from disk.
//!
//! Files are opened, their headers and labels read, and nothing is ever written: a person's dataset is theirs.

mod header;
mod judge;
mod listing;
mod pictures;
mod places;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use preflight_core::dataset::labels::LabelRules;
use preflight_core::dataset::overall::Seen;
use preflight_core::dataset::tally::{Faults, Tally, Verdict};
use preflight_core::dataset::{Dataset, MOST_CLASSES, SplitKind, overall};
use preflight_core::problem::Problem;
use rayon::prelude::*;
use tokio_util::sync::CancellationToken;

pub use pictures::{Preview, previews, thumbnail};

use judge::Judge;
use listing::Listing;

/// Called now and then while reading, with files done and files in all (0: not known yet).
pub type OnProgress = Arc<dyn Fn(u32, u32) + Send + Sync>;

/// Datasets read lately.
#[derive(Debug, Default)]
pub struct Cache {}

impl Cache {
    /// Reads a dataset, or takes it from memory when nothing changed.
    ///
    /// # Errors
    /// As [`scan`].
    pub async fn get(
        &self,
        path: &Path,
        progress: OnProgress,
        cancel: CancellationToken,
    ) -> Result<Arc<Dataset>, Problem> {
        let path = path.to_owned();
        match tokio::task::spawn_blocking(move || scan(&path, &*progress, &cancel)).await {
            Ok(dataset) => dataset.map(Arc::new),
            Err(error) => Err(Problem::new("internal.task").because(&error)),
        }
    }
}

fn cancelled() -> Problem {
    Problem::new("dataset.cancelled")
}

/// Reads and judges a dataset: a `data.yaml`, or a folder with `images/` and `labels/`.
///
/// # Errors
/// `dataset.not-found`, `dataset.unreadable`, `dataset.not-a-dataset`, `dataset.cancelled`; what is wrong *with* a
/// dataset is in its findings.
pub fn scan(
    path: &Path,
    progress: &(dyn Fn(u32, u32) + Send + Sync),
    cancel: &CancellationToken,
) -> Result<Dataset, Problem> {
    let began = Instant::now();
    let mut places = places::find(path)?;
    let mut faults = Faults::default();
    let mut listings = Vec::new();
    for (kind, sources) in std::mem::take(&mut places.splits) {
        let listing = Listing::read(&sources, &places.root, &mut faults, cancel)?;
        listings.push((kind, sources, listing));
    }
    let total = u32::try_from(listings.iter().map(|(_, _, listing)| listing.len()).sum::<usize>()).unwrap_or(u32::MAX);
    let pace = Pace { done: AtomicU32::new(0), total, progress };
    // A plain folder without a list of its classes has those that its labels use.
    let classes = if places.names.is_empty() { MOST_CLASSES } else { u32::try_from(places.names.len()).unwrap_or(0) };
    let keypoint_values = places.keypoints.map_or(0, |(count, values)| count.saturating_mul(values));
    let rules = LabelRules { classes, keypoint_values };

    let mut tallies = Vec::new();
    for (kind, sources, listing) in listings {
        let verdicts = judge_all(&listing, rules, &pace, cancel)?;
        let mut tally = Tally::default();
        for (index, verdict) in verdicts.iter().enumerate() {
            tally.add(verdict, &mut faults, || (listing.image(index), listing.label(index)));
        }
        tallies.push((kind, sources, listing, tally));
    }
    if places.names.is_empty() && places.yaml.is_none() {
        let seen = tallies.iter().map(|(_, _, _, tally)| tally.classes_seen()).max().unwrap_or(0);
        places.names = (0..seen).map(|id| format!("class_{id}")).collect();
    }
    let mut findings = places.findings;
    let most_boxes = tallies.iter().map(|(_, _, _, tally)| tally.most_boxes()).max().unwrap_or(0);
    let names = places.names;
    if tallies.iter().all(|(_, _, _, tally)| tally.labelled() == 0) {
        faults.forget("images-unlabelled");
    }
    findings.extend(faults.findings(names.len()));
    let task = overall::task(tallies.iter().map(|(_, _, _, tally)| tally), places.keypoints.is_some());
    let mut splits = Vec::new();
    for (kind, sources, listing, tally) in tallies {
        let first_label = (listing.len() > 0).then(|| listing.label(0));
        findings
            .extend(overall::of_split(&Seen { kind, sources: &sources, others: &listing.others, first_label }, &tally));
        splits.push(tally.split(kind, sources, names.len()));
    }
    findings.extend(overall::of_dataset(&splits, &names, places.yaml.as_ref()));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Ok(Dataset {
        root: places.root,
        yaml: places.yaml,
        task,
        names,
        keypoints: places.keypoints,
        channels: places.channels,
        splits,
        most_boxes,
        findings,
        took_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

/// Tells how far reading is, now and then.
struct Pace<'a> {
    done: AtomicU32,
    total: u32,
    progress: &'a (dyn Fn(u32, u32) + Send + Sync),
}

impl Pace<'_> {
    /// Files between two calls.
    const STEP: u32 = 256;

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(Self::STEP) || done == self.total {
            (self.progress)(done, self.total);
        }
    }
}

fn judge_all(
    listing: &Listing,
    rules: LabelRules,
    pace: &Pace<'_>,
    cancel: &CancellationToken,
) -> Result<Vec<Verdict>, Problem> {
    (0..listing.len())
        .into_par_iter()
        .map_init(Judge::default, |judge, index| {
            if cancel.is_cancelled() {
                return Err(cancelled());
            }
            let verdict = judge.judge(&listing.image(index), &listing.label(index), rules);
            pace.step();
            Ok(verdict)
        })
        .collect()
}

/// An image and where its label file is, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageFiles {
    /// The image.
    pub image: PathBuf,
    /// Its label file, whether there is one or not.
    pub label: PathBuf,
}

/// The images of a split in the trainer's order. Looks at the disk: files may have come or gone since the scan.
#[must_use]
pub fn images(dataset: &Dataset, kind: SplitKind) -> Vec<ImageFiles> {
    let Some(split) = dataset.split(kind) else { return Vec::new() };
    let listing = Listing::of(split, &dataset.root);
    (0..listing.len()).map(|index| ImageFiles { image: listing.image(index), label: listing.label(index) }).collect()
}
