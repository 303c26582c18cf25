//! Whole images, sorted into a folder a class.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use preflight_core::dataset::overall::{self, Seen};
use preflight_core::dataset::suits;
use preflight_core::dataset::tally::{Faults, Tally};
use preflight_core::dataset::{Dataset, SplitKind, SplitSource, Task};
use preflight_core::problem::Problem;
use rayon::prelude::*;
use tokio_util::sync::CancellationToken;

use super::judge::Judge;
use super::listing::Listing;
use super::scan::{Pace, Progress};
use super::{cancelled, places};

/// What the trainer calls the splits, the first that is there counts.
const SPLITS: [(SplitKind, &[&str]); 3] =
    [(SplitKind::Train, &["train"]), (SplitKind::Val, &["val", "validation", "valid"]), (SplitKind::Test, &["test"])];

/// Reads a folder with `train/<class>/…` and `val/<class>/…`.
pub(super) fn read(path: &Path, progress: Progress<'_>, cancel: &CancellationToken) -> Result<Dataset, Problem> {
    let began = Instant::now();
    let root = places::folder(path)?;
    let mut faults = Faults::default();
    let mut listings = Vec::new();
    for (kind, names) in SPLITS {
        let Some(name) = names.iter().find(|name| root.join(name).is_dir()) else { continue };
        let resolved = places::real(&root.join(name));
        let sources = vec![SplitSource { written: (*name).to_owned(), resolved, rule: "plain-folder".to_owned() }];
        let listing = Listing::read(&sources, &root, &mut faults, cancel)?;
        listings.push((kind, sources, listing));
    }
    // The classes are the folders of the training images, in the order of their names.
    let names = listings
        .iter()
        .find(|(kind, ..)| *kind == SplitKind::Train)
        .map(|(_, sources, _)| folders(&sources[0].resolved));
    let names = names.unwrap_or_default();
    let kinds: Vec<_> = listings.iter().map(|(kind, ..)| *kind).collect();
    let mut findings = suits::of_folders(&root, &names, &kinds);
    let pace = Pace::new(listings.iter().map(|(_, _, listing)| listing.len()).sum(), progress);
    let mut splits = Vec::new();
    let mut strangers = BTreeMap::new();
    for (kind, sources, listing) in listings {
        let of_class: Vec<Option<usize>> = (0..listing.len())
            .map(|index| {
                let image = listing.image(index);
                let folder = class_folder(&sources[0].resolved, &image)?;
                let class = names.binary_search(&folder).ok();
                if class.is_none() {
                    *strangers.entry((kind, folder)).or_insert(0u32) += 1;
                }
                class
            })
            .collect();
        let verdicts = (0..listing.len())
            .into_par_iter()
            .map_init(Judge::default, |judge, index| {
                if cancel.is_cancelled() {
                    return Err(cancelled());
                }
                pace.step();
                Ok(of_class[index].map(|class| judge.judge_alone(&listing.image(index), class)))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut tally = Tally::default();
        for (index, verdict) in verdicts.iter().enumerate() {
            if let Some(verdict) = verdict {
                tally.add(verdict, &mut faults, || (listing.image(index), PathBuf::new()));
            }
        }
        let seen = Seen { kind, sources: &sources, others: &listing.others, first_label: None };
        findings.extend(overall::of_split(&seen, &tally));
        splits.push(tally.split(kind, sources, names.len()));
    }
    findings.extend(suits::of_unknown_folders(&root, &strangers));
    findings.extend(faults.findings(names.len()));
    findings.extend(overall::of_dataset(&splits, &names, None, 0));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Ok(Dataset {
        root,
        yaml: None,
        task: Task::Classify,
        names,
        keypoints: None,
        channels: 3,
        splits,
        most_boxes: 0,
        findings,
        took_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

/// The names of the folders in a folder, sorted as the trainer sorts them.
fn folders(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The folder right below a split's that an image is in.
fn class_folder(split: &Path, image: &Path) -> Option<String> {
    let below = image.strip_prefix(split).ok()?;
    let mut parts = below.components();
    let folder = parts.next()?.as_os_str().to_string_lossy().into_owned();
    parts.next().map(|_| folder)
}
