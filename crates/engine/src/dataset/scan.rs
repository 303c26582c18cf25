//! Listing, judging, counting.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
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
use super::listing::{self, Listing};
use super::opener::Folder;
use super::places::{self, Places};
use super::told::{Changes, Told};
use super::{cancelled, orphans};

/// Called with files done and files in all.
pub(super) type Progress<'a> = &'a (dyn Fn(u32, u32) + Send + Sync);

/// A dataset with what is needed to read it again quickly.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) dataset: Arc<Dataset>,
    /// Files that were judged for it, and files that were gone: all, unless it was read before.
    pub(super) changed: u64,
    files: Files,
    state: OnceLock<u64>,
}

/// The files of a dataset with the verdicts on them.
#[derive(Debug)]
pub(super) struct Files {
    rules: LabelRules,
    splits: Vec<SplitFiles>,
    /// Label files that belong to no image.
    orphans: Faults,
}

impl Files {
    fn split(&self, kind: SplitKind, rules: LabelRules) -> Option<&SplitFiles> {
        self.splits.iter().find(|split| split.kind == kind && self.rules == rules)
    }
}

/// Why a dataset was not read to its end.
#[derive(Debug)]
pub(super) struct Unread {
    pub(super) problem: Problem,
    /// What was judged before it was cancelled: the next reading goes on from there.
    pub(super) begun: Option<Box<Files>>,
}

impl From<Problem> for Unread {
    fn from(problem: Problem) -> Self {
        Self { problem, begun: None }
    }
}

#[derive(Debug)]
struct SplitFiles {
    kind: SplitKind,
    sources: Vec<SplitSource>,
    listing: Arc<Listing>,
    /// What was wrong with the folders and lists.
    noted: Faults,
    /// One for each file of the listing.
    records: Vec<Record>,
}

impl Snapshot {
    /// Files in it.
    pub(super) fn len(&self) -> usize {
        self.files.splits.iter().map(|split| split.records.len()).sum()
    }

    /// The listings of its splits, each with the places that the split was read from.
    pub(super) fn listings(&self) -> impl Iterator<Item = (&Listing, &[SplitSource])> {
        self.files.splits.iter().map(|split| (&*split.listing, split.sources.as_slice()))
    }

    /// The files of each split and the verdicts on them, in the trainer's order.
    pub(super) fn splits(&self) -> impl Iterator<Item = (SplitKind, &Listing, &[Record])> {
        self.files.splits.iter().map(|split| (split.kind, &*split.listing, split.records.as_slice()))
    }

    /// What its labels were judged by.
    pub(super) fn rules(&self) -> LabelRules {
        self.files.rules
    }

    /// Tells one state of the files from another: their places, lengths and times.
    pub(super) fn state(&self) -> u64 {
        *self.state.get_or_init(|| self.hashed())
    }

    fn hashed(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.dataset.names.hash(&mut hasher);
        for (kind, listing, records) in self.splits() {
            kind.hash(&mut hasher);
            for (index, record) in records.iter().enumerate() {
                listing.place(index).hash(&mut hasher);
                record.stamps().hash(&mut hasher);
            }
        }
        hasher.finish()
    }
}

/// What is known of a dataset before it is read.
#[derive(Clone, Copy)]
pub(super) enum Before<'a> {
    /// Nothing.
    Nothing,
    /// What was judged before the first reading was cancelled.
    Begun(&'a Files),
    /// How it was. Files whose length and time are the same still are.
    Looked(&'a Snapshot),
    /// How it was, and what changed since. The rest is not even looked at.
    Told(&'a Snapshot, &'a Changes),
}

impl<'a> Before<'a> {
    fn files(self) -> Option<&'a Files> {
        match self {
            Self::Nothing => None,
            Self::Begun(files) => Some(files),
            Self::Looked(before) | Self::Told(before, _) => Some(&before.files),
        }
    }

    /// The listing of a split as it was, where no image came or went.
    fn listing(self, kind: SplitKind, sources: &[SplitSource]) -> Option<(Arc<Listing>, Faults)> {
        let Self::Told(before, changes) = self else { return None };
        let is_told = sources.iter().any(|source| changes.files.contains(&source.resolved));
        let split = before.files.splits.iter().find(|split| split.kind == kind && split.sources == sources)?;
        (!changes.images && !is_told).then(|| (Arc::clone(&split.listing), split.noted.clone()))
    }

    /// Label files without an image as they were, where no file came or went.
    fn orphans(self, listings: &[Arc<Listing>]) -> Option<Faults> {
        let Self::Told(before, changes) = self else { return None };
        let before = &before.files;
        let same = before.splits.iter().map(|split| &split.listing);
        let is_same = listings.len() == before.splits.len() && same.zip(listings).all(|(a, b)| Arc::ptr_eq(a, b));
        (is_same && !changes.labels).then(|| before.orphans.clone())
    }
}

/// Reads a dataset for a task, else for boxes. What `before` knows of files that did not change is not read again.
pub(super) fn read(
    path: &Path,
    task: Option<Task>,
    before: Before<'_>,
    progress: Progress<'_>,
    cancel: &CancellationToken,
) -> Result<Snapshot, Unread> {
    let began = Instant::now();
    let mut places = places::find(path)?;
    let rules = rules(&places, task);
    let mut faults = Faults::default();
    let mut listed = Vec::new();
    for (kind, sources) in std::mem::take(&mut places.splits) {
        let (listing, noted) = match before.listing(kind, &sources) {
            Some(kept) => kept,
            None => {
                let mut noted = Faults::default();
                (Listing::read(&sources, &places.root, &mut noted, cancel)?.into(), noted)
            }
        };
        faults.merge(&noted);
        listed.push((kind, sources, listing, noted));
    }
    let pace = Pace::new(listed.iter().map(|(_, _, listing, _)| listing.len()).sum(), progress);
    let mut changed = 0;
    let mut splits = Vec::new();
    let mut tallies = Vec::new();
    for (kind, sources, listing, noted) in listed {
        let known = Known::of(before, kind, rules, &listing);
        let (records, judged) = judge(&listing, known.as_ref(), rules, &pace, cancel);
        changed += judged + known.as_ref().map_or(0, |known| known.gone);
        // Training never opens the test split: what is wrong in it is counted, but holds nothing up.
        let mut unsaid = Faults::default();
        let faults = if kind == SplitKind::Test { &mut unsaid } else { &mut faults };
        tallies.push(tally(&listing, &records, rules, faults));
        splits.push(SplitFiles { kind, sources, listing, noted, records });
        if cancel.is_cancelled() {
            let begun = Some(Box::new(Files { rules, splits, orphans: Faults::default() }));
            return Err(Unread { problem: cancelled(), begun });
        }
    }
    let listings: Vec<_> = splits.iter().map(|split| Arc::clone(&split.listing)).collect();
    let orphans = match before.orphans(&listings) {
        Some(kept) => kept,
        None => {
            let mut found = Faults::default();
            orphans::find(listings.iter().map(|listing| &**listing), &mut found, cancel)?;
            found
        }
    };
    faults.merge(&orphans);
    places::still_there(path)?;
    let dataset = summary(places, task, &splits, tallies, faults, began);
    let files = Files { rules, splits, orphans };
    Ok(Snapshot { dataset: dataset.into(), changed, files, state: OnceLock::new() })
}

fn tally(listing: &Listing, records: &[Record], rules: LabelRules, faults: &mut Faults) -> Tally {
    let mut tally = Tally::default();
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
    tally
}

fn rules(places: &Places, task: Option<Task>) -> LabelRules {
    // A plain folder without a list of its classes has those that its labels use.
    let classes = if places.names.is_empty() { MOST_CLASSES } else { u32::try_from(places.names.len()).unwrap_or(0) };
    LabelRules { classes, keypoints: places.keypoints, pose: task == Some(Task::Pose) && places.keypoints.is_some() }
}

/// What is known of the files of a split.
struct Known<'a> {
    records: &'a [Record],
    places: listing::Places,
    /// For each folder, what was told of it; `None`: nothing was told of any, each file has to be looked at.
    told: Option<Vec<Told>>,
    /// Files that are no longer there.
    gone: u64,
}

impl<'a> Known<'a> {
    fn of(before: Before<'a>, kind: SplitKind, rules: LabelRules, listing: &Listing) -> Option<Self> {
        let split = before.files()?.split(kind, rules)?;
        let places = split.listing.places_in(listing);
        let gone = split.listing.len().saturating_sub(split.listing.kept_in(&places)) as u64;
        let told = match before {
            Before::Told(_, changes) => Some(changes.of(listing)),
            _ => None,
        };
        Some(Self { records: &split.records, places, told, gone })
    }

    /// The record of a file, as it was.
    fn record(&self, index: usize) -> Option<&'a Record> {
        self.records.get(self.places.before(index)?)
    }

    /// The record of a file that did not change.
    fn current(&self, listing: &Listing, index: usize, bench: &mut Bench) -> Option<&'a Record> {
        let record = self.record(index)?;
        let is_current = match &self.told {
            Some(told) => {
                let (folder, name) = listing.place(index);
                told.get(folder as usize).is_some_and(|told| !told.concerns(name))
            }
            None => bench.judge.is_current(record, bench.folders.pair(listing, index)),
        };
        is_current.then_some(record)
    }
}

/// Judges the files of a split. Also answers how many had to be judged. What a cancellation left out is to be judged
/// whenever it is asked for.
fn judge(
    listing: &Listing,
    known: Option<&Known<'_>>,
    rules: LabelRules,
    pace: &Pace<'_>,
    cancel: &CancellationToken,
) -> (Vec<Record>, u64) {
    let judged = AtomicU64::new(0);
    let records = (0..listing.len())
        .into_par_iter()
        .map_init(Bench::default, |bench, index| {
            if cancel.is_cancelled() {
                // Whoever goes on looks whether it changed.
                return known.and_then(|known| known.record(index)).cloned().unwrap_or_else(Record::unread);
            }
            let record = match known.and_then(|known| known.current(listing, index, bench)) {
                Some(record) => record.clone(),
                None => {
                    judged.fetch_add(1, Ordering::Relaxed);
                    bench.judge.judge(bench.folders.pair(listing, index), rules)
                }
            };
            pace.step();
            record
        })
        .collect();
    (records, judged.into_inner())
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
    counted: Vec<Tally>,
    mut faults: Faults,
    began: Instant,
) -> Dataset {
    let tallies = || counted.iter();
    let mut names = places.names;
    let mut named = true;
    if names.is_empty() && places.yaml.is_none() {
        let seen = tallies().map(Tally::classes_seen).max().unwrap_or(0);
        names = (0..seen).map(|id| format!("class_{id}")).collect();
        named = names.is_empty();
    }
    let learnable = |(split, tally): (&SplitFiles, &Tally)| split.kind == SplitKind::Train && tally.labelled() > 0;
    let foreign = places.findings.iter().any(|finding| finding.code == "data.foreign-form");
    if foreign || !splits.iter().zip(&counted).any(learnable) {
        // Another finding says it of all of them.
        faults.forget("images-unlabelled");
    }
    let of = |kind| splits.iter().find(|split| split.kind == kind).map(|split| &*split.listing);
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
        let points = suits::KeyPoints { shape: places.keypoints, mirrored: places.mirrored.as_deref() };
        findings.extend(suits::of_task(place, wanted, task, tallies(), points));
    }
    findings.extend(faults.findings(names.len()));
    if !named {
        findings.push(overall::of_made_up_names(&places.root, &names));
    }
    let mut made = Vec::new();
    for (split, tally) in splits.iter().zip(counted) {
        let first_label: Option<PathBuf> = (split.listing.len() > 0).then(|| split.listing.label(0));
        let seen = Seen { kind: split.kind, sources: &split.sources, others: &split.listing.others, first_label };
        // In another tool's form, nothing is where the trainer looks: one finding says it all.
        if !foreign {
            findings.extend(overall::of_split(&seen, &tally));
        }
        made.push(tally.split(split.kind, split.sources.clone(), names.len()));
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
