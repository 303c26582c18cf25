//! The second look at a dataset: every file is read and every image decoded, to find what the trainer does not.

mod places;

pub(super) use places::is_elsewhere;

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::Instant;

use image::{DynamicImage, ImageReader, Limits};
use preflight_core::dataset::labels::LabelRules;
use preflight_core::dataset::profile::Profile;
use preflight_core::dataset::tally::{Fault, Faults};
use preflight_core::dataset::{Dataset, SplitKind, Task, health};
use preflight_core::finding::{Evidence, Finding};
use preflight_core::problem::Problem;
use rayon::prelude::*;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::cancelled;
use super::header::{Colors, Header};
use super::judge::Judge;
use super::listing::Listing;
use super::manifest::{Changes, Entry, Manifest, UNREAD, hash, hash_file};
use super::near::{self, Groups, Look};
use super::scan::{Pace, Progress};

/// What the second look found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Health {
    /// The image size that small boxes were judged for.
    pub imgsz: u32,
    /// What each split is like.
    pub profiles: Vec<(SplitKind, Profile)>,
    /// What ruins a result though the trainer takes it; worst first.
    #[serde(skip)]
    pub findings: Vec<Finding>,
    /// Images that are, or look, the same.
    pub alike: Vec<Vec<PathBuf>>,
    /// Files with each kind of fault.
    #[serde(skip)]
    pub(super) marked: Marked,
    /// Identifies the content.
    pub fingerprint: String,
    /// The hashes behind it.
    #[serde(skip)]
    pub manifest: Manifest,
    /// Bytes read.
    pub bytes: u64,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
}

/// Which files have a fault, by its kind. A hash a file: there may be a million.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Marked(HashMap<&'static str, HashSet<u64>>);

impl Marked {
    fn hash(file: &Path) -> u64 {
        let mut hasher = DefaultHasher::new();
        file.hash(&mut hasher);
        hasher.finish()
    }

    /// The kinds of faults of an image or its label file.
    pub(super) fn of(&self, image: &Path, label: &Path) -> impl Iterator<Item = &'static str> {
        let files = [Self::hash(image), Self::hash(label)];
        self.0.iter().filter(move |(_, marked)| files.iter().any(|file| marked.contains(file))).map(|(what, _)| *what)
    }
}

/// Faults with every file that has them.
#[derive(Default)]
struct Found {
    faults: Faults,
    marked: Marked,
}

impl Found {
    fn add(&mut self, fault: &Fault, file: &Path) {
        self.marked.0.entry(fault.what).or_default().insert(Marked::hash(file));
        self.faults.add(fault, file);
    }
}

/// Memory that decoding one image may take: enough for 100 megapixels.
const MOST_MEMORY: u64 = 400 << 20;
/// Files larger than this are hashed, but not decoded.
const LARGEST_DECODED: u64 = 256 << 20;
/// More pixels than this slow every epoch down: the trainer decodes each image anew for every use.
const HUGE: u64 = 20_000_000;
/// Windows' limit for the length of a path, its end included, where long paths are not switched on.
const LONGEST_PATH: usize = 260;

/// One image after the second look. Small: there may be a million.
struct Seen {
    content: [u8; 16],
    label: Option<[u8; 16]>,
    look: Option<Look>,
    colors: Colors,
    bytes: u64,
    faults: Vec<Fault>,
}

/// Looks at every file of a dataset that was read before.
///
/// # Errors
/// `dataset.cancelled`.
pub fn examine(
    dataset: &Dataset,
    imgsz: u32,
    progress: Progress<'_>,
    cancel: &CancellationToken,
) -> Result<Health, Problem> {
    let began = Instant::now();
    let mut faults = Found::default();
    let listings: Vec<(SplitKind, Listing)> =
        dataset.splits.iter().map(|split| (split.kind, Listing::of(split, &dataset.root))).collect();
    let pace = Pace::new(listings.iter().map(|(_, listing)| listing.len()).sum(), progress);
    let (mut profiles, mut all, mut bytes) = (Vec::new(), Vec::new(), 0);
    let mut manifest = Manifest { names: dataset.names.clone(), entries: Vec::new() };
    places::slow(&listings, &mut faults);
    for (kind, listing) in &listings {
        let rules = dataset.label_rules();
        let whole = dataset.task == Task::Classify;
        let chunk = |range: std::ops::Range<usize>| {
            let mut judge = Judge::default();
            let mut profile = Profile::default();
            let mut seen = Vec::with_capacity(range.len());
            for index in range {
                if cancel.is_cancelled() {
                    return Err(cancelled());
                }
                seen.push(look_at(listing, index, rules, whole, &mut judge, &mut profile));
                pace.step();
            }
            Ok((seen, profile))
        };
        const CHUNK: usize = 64;
        let chunks: Vec<_> = (0..listing.len().div_ceil(CHUNK))
            .into_par_iter()
            .map(|at| chunk(at * CHUNK..((at + 1) * CHUNK).min(listing.len())))
            .collect::<Result<_, _>>()?;
        let mut profile = Profile::default();
        let mut index = 0;
        for (seen, part) in chunks {
            profile = profile.and(part);
            for seen in seen {
                let (image, label) = (listing.image(index), listing.label(index));
                for fault in &seen.faults {
                    faults.add(fault, if fault.in_label { &label } else { &image });
                }
                bytes += seen.bytes;
                let label = seen.label.as_ref();
                manifest.entries.push(Entry::new(*kind, image, &dataset.root, &seen.content, label));
                all.push((*kind, index, seen));
                index += 1;
            }
        }
        places::names(listing, &mut faults);
        profiles.push((*kind, profile.finished(dataset.names.len())));
    }
    mixed_colors(&listings, &all, &mut faults);
    let alike = alike(&listings, &all, &mut faults);
    let place = dataset.yaml.as_ref().unwrap_or(&dataset.root);
    let mut findings = health::findings(place, &profiles, &dataset.names, imgsz);
    let Found { faults, marked } = faults;
    findings.extend(faults.findings(dataset.names.len()));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Ok(Health {
        imgsz,
        profiles,
        findings,
        alike,
        marked,
        fingerprint: manifest.fingerprint(),
        manifest,
        bytes,
        took_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

fn look_at(
    listing: &Listing,
    index: usize,
    rules: LabelRules,
    whole: bool,
    judge: &mut Judge,
    profile: &mut Profile,
) -> Seen {
    let (image, label) = (listing.image(index), listing.label(index));
    let mut seen = Seen { content: UNREAD, label: None, look: None, colors: Colors::Rgb, bytes: 0, faults: Vec::new() };
    if image.as_os_str().len() >= LONGEST_PATH {
        seen.faults.push(Fault::image("path-too-long"));
    }
    // Reading it would download it, one file after the other.
    if is_elsewhere(&image) {
        seen.faults.push(Fault::image("not-downloaded"));
        return seen;
    }
    let content = small(&image);
    let (hashed, length) = match &content {
        Some(content) => (hash(content), content.len() as u64),
        None => hash_file(&image).unwrap_or((UNREAD, 0)),
    };
    (seen.content, seen.bytes) = (hashed, length);
    if !whole && let Some((hash, length)) = hash_file(&label) {
        seen.label = Some(hash);
        seen.bytes += length;
    }
    let Ok(header) = judge.look_at(&image) else { return seen };
    seen.colors = header.colors;
    seen.faults.extend(of_header(&header));
    seen.look = content.as_deref().and_then(decoded).as_ref().and_then(near::look);
    let boxes = if whole { Vec::new() } else { judge.boxes(&label, rules) };
    let lines = judge.lines();
    for absurd in health::absurd(&boxes, header.upright()) {
        let line = lines.get(absurd.index).copied().unwrap_or(0);
        seen.faults.push(Fault { line, ..Fault::label(absurd.what) });
    }
    profile.add(header.upright(), &boxes);
    seen
}

/// A file's content; `None` for one too large to decode, or that cannot be read.
fn small(image: &Path) -> Option<Vec<u8>> {
    use std::io::Read;
    let file = super::opener::open(image).ok()?;
    let length = file.metadata().ok().filter(|found| found.is_file() && found.len() <= LARGEST_DECODED)?.len();
    let mut content = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
    file.take(LARGEST_DECODED).read_to_end(&mut content).ok()?;
    Some(content)
}

fn of_header(header: &Header) -> Vec<Fault> {
    let mut faults = Vec::new();
    match header.colors {
        Colors::Cmyk => faults.push(Fault::image("image-cmyk")),
        Colors::Deep => faults.push(Fault::image("image-sixteen-bit")),
        Colors::Gray | Colors::Rgb => {}
    }
    if u64::from(header.width) * u64::from(header.height) > HUGE {
        faults.push(Fault::image("image-huge").saying(format!("{} × {}", header.width, header.height)));
    }
    if header.orientation != 1 {
        faults.push(Fault::image("image-turned"));
    }
    faults
}

/// Decodes an image; `None` for what this program cannot decode.
fn decoded(content: &[u8]) -> Option<DynamicImage> {
    let mut reader = ImageReader::new(Cursor::new(content)).with_guessed_format().ok()?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    reader.decode().ok()
}

/// Grey images among coloured ones: the model may learn the difference instead of the objects.
fn mixed_colors(listings: &[(SplitKind, Listing)], all: &[(SplitKind, usize, Seen)], faults: &mut Found) {
    let is_gray = |seen: &Seen| seen.colors == Colors::Gray;
    let gray = all.iter().filter(|(.., seen)| is_gray(seen)).count();
    if gray == 0 || gray == all.len() {
        return;
    }
    for (kind, index, _) in all.iter().filter(|(.., seen)| is_gray(seen)) {
        if let Some((_, listing)) = listings.iter().find(|(found, _)| found == kind) {
            faults.add(&Fault::image("image-gray-mixed"), &listing.image(*index));
        }
    }
}

/// Images that are the same or look so, in groups. Those on both sides of a split leak what is tested into what is
/// learned.
fn alike(listings: &[(SplitKind, Listing)], all: &[(SplitKind, usize, Seen)], faults: &mut Found) -> Vec<Vec<PathBuf>> {
    let path = |at: u32| {
        let (kind, index, _) = &all[at as usize];
        listings.iter().find(|(found, _)| found == kind).map(|(_, listing)| listing.image(*index)).unwrap_or_default()
    };
    let kind = |at: u32| all[at as usize].0;
    let mut same: HashMap<[u8; 16], Vec<u32>> = HashMap::new();
    for (at, (.., seen)) in (0u32..).zip(all) {
        if seen.content != UNREAD {
            same.entry(seen.content).or_default().push(at);
        }
    }
    let mut same: Vec<Vec<u32>> = same.into_values().filter(|group| group.len() > 1).collect();
    same.sort();
    let mut groups = Groups::alone(all.len());
    let mut told = vec![false; all.len()];
    let mut tell = |group: &[u32], leak: &'static str, twice: &'static str, faults: &mut Found| {
        let train = group.iter().find(|at| kind(**at) == SplitKind::Train);
        for at in group {
            let (what, like) = match (kind(*at), train) {
                (SplitKind::Val | SplitKind::Test, Some(train)) => (leak, *train),
                _ if *at != group[0] && kind(*at) == kind(group[0]) => (twice, group[0]),
                _ => continue,
            };
            // Of the same and the alike, what is said is the stronger.
            if !std::mem::replace(&mut told[*at as usize], true) {
                faults.add(&Fault::image(what).saying(format!("= {}", path(like).display())), &path(*at));
            }
        }
    };
    for group in &same {
        group.windows(2).for_each(|pair| groups.join(pair[0], pair[1]));
        tell(group, "leak-exact", "duplicates-exact", faults);
    }
    let looks: Vec<Option<Look>> = all.iter().map(|(.., seen)| seen.look).collect();
    for (a, b) in near::pairs(&looks) {
        groups.join(a, b);
    }
    let groups = groups.several();
    for group in &groups {
        tell(group, "leak-near", "duplicates-near", faults);
    }
    groups.into_iter().map(|group| group.into_iter().map(path).collect()).collect()
}

/// What changed since another look, as a finding; `None`: nothing.
#[must_use]
pub fn changed(place: &Path, changes: &Changes) -> Option<Finding> {
    Some(counted("changed", changes)?.seen(Evidence::file(place)))
}

/// Files that are named where more changed.
const SHOWN: usize = 5;

/// What changed since a run trained with the dataset, as a finding; `None`: nothing.
pub(super) fn changed_since_run(root: &Path, run: &str, changes: &Changes) -> Option<Finding> {
    let lists = [&changes.labels, &changes.images, &changes.added, &changes.moved];
    let shown = lists.into_iter().flatten().take(SHOWN);
    let finding = counted("changed-since-run", changes)?.with("run", run).with("names", changes.names.to_string());
    Some(shown.fold(finding, |finding, image| finding.seen(Evidence::file(root.join(image)))))
}

/// How much changed; `None`: nothing.
fn counted(what: &'static str, changes: &Changes) -> Option<Finding> {
    if changes.is_empty() {
        return None;
    }
    let finding = Finding::note(preflight_core::finding::Stage::Data, what)
        .with("added", changes.added.len())
        .with("removed", changes.removed.len())
        .with("images", changes.images.len())
        .with("labels", changes.labels.len())
        .with("moved", changes.moved.len());
    Some(finding)
}
