//! Listing, judging, counting.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use preflight_core::dataset::labels::LabelRules;
use preflight_core::dataset::overall::{self, Seen};
use preflight_core::dataset::suits;
use preflight_core::dataset::tally::{Faults, Tally};
use preflight_core::dataset::{Dataset, MOST_CLASSES, SplitKind, SplitSource, Task};
use preflight_core::problem::Problem;
use rayon::prelude::*;
use tokio_util::sync::CancellationToken;

use super::judge::{Judge, Pair, Record};
use super::listing::Listing;
use super::opener::Folder;
use super::places::{self, Places};
use super::{cancelled, orphans};

/// Called with files done and files in all.
pub(super) type Progress<'a> = &'a (dyn Fn(u32, u32) + Send + Sync);

/// A dataset with what is needed to read it again quickly.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) dataset: std::sync::Arc<Dataset>,
    rules: LabelRules,
    splits: Vec<SplitFiles>,
}

#[derive(Debug)]
struct SplitFiles {
    kind: SplitKind,
    listing: Listing,
    /// One for each file of the listing.
    records: Vec<Record>,
}

impl Snapshot {
    /// Files in it.
    pub(super) fn len(&self) -> usize {
        self.splits.iter().map(|split| split.records.len()).sum()
    }

    fn split(&self, kind: SplitKind, rules: LabelRules) -> Option<&SplitFiles> {
        self.splits.iter().find(|split| split.kind == kind && self.rules == rules)
    }
}

/// Reads a dataset for a task, else for boxes. What `before` knows of files that did not change is not read again.
pub(super) fn read(
    path: &Path,
    task: Option<Task>,
    before: Option<&Snapshot>,
    progress: Progress<'_>,
    cancel: &CancellationToken,
) -> Result<Snapshot, Problem> {
    let began = Instant::now();
    let mut places = places::find(path)?;
    let rules = rules(&places, task);
    let mut faults = Faults::default();
    let mut listings = Vec::new();
    for (kind, sources) in std::mem::take(&mut places.splits) {
        let listing = Listing::read(&sources, &places.root, &mut faults, cancel)?;
        listings.push((kind, sources, listing));
    }
    let pace = Pace::new(listings.iter().map(|(_, _, listing)| listing.len()).sum(), progress);
    let mut splits = Vec::new();
    let mut counted = Vec::new();
    for (kind, sources, listing) in listings {
        let known = before.and_then(|before| before.split(kind, rules));
        let records = judge(&listing, known, rules, &pace, cancel)?;
        let mut tally = Tally::default();
        // Training never opens the test split: what is wrong in it is counted, but holds nothing up.
        let mut unsaid = Faults::default();
        let faults = if kind == SplitKind::Test { &mut unsaid } else { &mut faults };
        let mut judge = Judge::default();
        for (index, record) in records.iter().enumerate() {
            let paths = || (listing.image(index), listing.label(index));
            // Of the few files that are shown, every line that is wrong.
            if record.verdict.is_refused_for_label() && faults.wants(&record.verdict) {
                let all = judge.faults_of(&listing.label(index), rules);
                if !all.is_empty() {
                    let mut verdict = record.verdict.clone();
                    verdict.faults.retain(|fault| !fault.in_label);
                    verdict.faults.extend(all);
                    tally.add(&verdict, faults, paths);
                    continue;
                }
            }
            tally.add(&record.verdict, faults, paths);
        }
        counted.push((sources, tally));
        splits.push(SplitFiles { kind, listing, records });
    }
    orphans::find(splits.iter().map(|split| &split.listing), &mut faults, cancel)?;
    let dataset = summary(places, task, &splits, counted, faults, began);
    Ok(Snapshot { dataset: dataset.into(), rules, splits })
}

fn rules(places: &Places, task: Option<Task>) -> LabelRules {
    // A plain folder without a list of its classes has those that its labels use.
    let classes = if places.names.is_empty() { MOST_CLASSES } else { u32::try_from(places.names.len()).unwrap_or(0) };
    LabelRules { classes, keypoints: places.keypoints, pose: task == Some(Task::Pose) && places.keypoints.is_some() }
}

fn judge(
    listing: &Listing,
    known: Option<&SplitFiles>,
    rules: LabelRules,
    pace: &Pace<'_>,
    cancel: &CancellationToken,
) -> Result<Vec<Record>, Problem> {
    let known = known.map(|known| (known.listing.places_in(listing), &known.records));
    (0..listing.len())
        .into_par_iter()
        .map_init(Bench::default, |bench, index| {
            if cancel.is_cancelled() {
                return Err(cancelled());
            }
            let Bench { judge, folders } = bench;
            let pair = folders.pair(listing, index);
            let known = known.as_ref().and_then(|(places, records)| records.get(places.before(index)?));
            let record = match known.filter(|record| judge.is_current(record, pair)) {
                Some(record) => record.clone(),
                None => judge.judge(pair, rules),
            };
            pace.step();
            Ok(record)
        })
        .collect()
}

/// What one thread keeps from file to file.
#[derive(Default)]
struct Bench {
    judge: Judge,
    folders: Open,
}

/// The folders that were opened last: the next file is nearly always in the same.
#[derive(Default)]
struct Open(Option<(u32, Folder, Folder)>);

impl Open {
    fn pair<'a>(&'a mut self, listing: &'a Listing, index: usize) -> Pair<'a> {
        let (id, image) = listing.place(index);
        let (_, images, labels) = match self.0.take().filter(|(open, ..)| *open == id) {
            Some(open) => self.0.insert(open),
            None => {
                let (images, labels) = listing.folder(id);
                self.0.insert((id, Folder::new(images.to_owned()), Folder::new(labels.to_owned())))
            }
        };
        Pair { images, labels, image }
    }
}

fn summary(
    places: Places,
    wanted: Option<Task>,
    splits: &[SplitFiles],
    counted: Vec<(Vec<SplitSource>, Tally)>,
    mut faults: Faults,
    began: Instant,
) -> Dataset {
    let tallies = || counted.iter().map(|(_, tally)| tally);
    let mut names = places.names;
    let mut named = true;
    if names.is_empty() && places.yaml.is_none() {
        let seen = tallies().map(Tally::classes_seen).max().unwrap_or(0);
        names = (0..seen).map(|id| format!("class_{id}")).collect();
        named = names.is_empty();
    }
    let learnable =
        |(split, (_, tally)): (&SplitFiles, &(_, Tally))| split.kind == SplitKind::Train && tally.labelled() > 0;
    let foreign = places.findings.iter().any(|finding| finding.code == "data.foreign-form");
    if foreign || !splits.iter().zip(&counted).any(learnable) {
        // Another finding says it of all of them.
        faults.forget("images-unlabelled");
    }
    let of = |kind| splits.iter().find(|split| split.kind == kind).map(|split| &split.listing);
    let (train, val) = (of(SplitKind::Train), of(SplitKind::Val));
    let shared = val.zip(train).map_or(0, |(val, train)| val.shared_with(train));
    // Without any label, images sorted into folders are whole images sorted into classes.
    let sorted = places.yaml.is_none()
        && tallies().all(|tally| tally.unlabelled() == tally.images())
        && train.is_some_and(|train| train.folder_count() > 1);
    let task = if sorted { Task::Classify } else { overall::task(tallies(), places.keypoints.is_some()) };
    let most_boxes = tallies().map(Tally::most_boxes).max().unwrap_or(0);
    let mut findings = places.findings;
    if let Some(wanted) = wanted {
        let place = places.yaml.as_ref().unwrap_or(&places.root);
        findings.extend(suits::of_task(place, wanted, task, tallies(), places.keypoints.is_some()));
    }
    findings.extend(faults.findings(names.len()));
    if !named {
        findings.push(overall::of_made_up_names(&places.root, &names));
    }
    let mut made = Vec::new();
    for (split, (sources, tally)) in splits.iter().zip(counted) {
        let first_label: Option<PathBuf> = (split.listing.len() > 0).then(|| split.listing.label(0));
        let seen = Seen { kind: split.kind, sources: &sources, others: &split.listing.others, first_label };
        // In another tool's form, nothing is where the trainer looks: one finding says it all.
        if !foreign {
            findings.extend(overall::of_split(&seen, &tally));
        }
        made.push(tally.split(split.kind, sources, names.len()));
    }
    findings.extend(overall::of_dataset(&made, &names, places.yaml.as_ref(), shared));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Dataset {
        root: places.root,
        yaml: places.yaml,
        task,
        names,
        keypoints: places.keypoints,
        channels: places.channels,
        splits: made,
        most_boxes,
        findings,
        took_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    }
}

/// Tells how far reading is, now and then.
pub(super) struct Pace<'a> {
    done: AtomicU32,
    total: u32,
    progress: Progress<'a>,
}

impl<'a> Pace<'a> {
    /// Files between two calls.
    const STEP: u32 = 256;

    pub(super) fn new(total: usize, progress: Progress<'a>) -> Self {
        let total = u32::try_from(total).unwrap_or(u32::MAX);
        progress(0, total);
        Self { done: AtomicU32::new(0), total, progress }
    }

    pub(super) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(Self::STEP) || done == self.total {
            (self.progress)(done, self.total);
        }
    }
}
