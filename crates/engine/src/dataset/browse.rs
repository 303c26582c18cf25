//! The images of a dataset, a page at a time, as a person narrows them down.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use preflight_core::dataset::tally::{Outcome, Verdict};
use preflight_core::dataset::{LabelBox, SplitKind};
use preflight_core::problem::Problem;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::closely::Examined;
use super::judge::{Judge, Record};
use super::listing::Listing;
use super::scan::Snapshot;
use crate::Engine;
use crate::work::{blocking, lock};

/// Images that one call may ask for: a screen of the smallest thumbnails.
const MOST: u32 = 200;

/// Which images of a dataset are shown. What is not said is not asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Filter {
    /// Of this split.
    pub split: Option<SplitKind>,
    /// With an object of this class.
    pub class: Option<u32>,
    /// With this finding, by its code.
    pub finding: Option<String>,
    /// With this in their file names, whatever its case.
    pub name: String,
}

/// How many images there are. Each count takes the other parts of the filter into account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Matches {
    /// That the filter lets through.
    pub total: u32,
    /// In the dataset.
    pub all: u32,
    /// In each split.
    pub splits: Vec<(SplitKind, u32)>,
    /// With each class, by its id.
    pub classes: Vec<u32>,
    /// With each finding that is about images, by its code.
    pub findings: Vec<(String, u32)>,
}

/// An image of a dataset, small.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct GalleryImage {
    /// Its id, for [`crate::images::Images`].
    pub image: String,
    /// Its file name.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// The split it is in.
    pub split: SplitKind,
    /// Pixels; 0: it cannot be read.
    pub width: u32,
    /// Pixels; 0: it cannot be read.
    pub height: u32,
    /// Its boxes. Of a label file that the trainer refuses, those that can be made out.
    pub boxes: Vec<LabelBox>,
    /// Whether the trainer refuses it.
    pub refused: bool,
}

/// What was narrowed down last: the next page is most likely of the same.
#[derive(Debug, Default)]
pub(crate) struct Browsing(Mutex<Option<Selection>>);

#[derive(Debug, Clone)]
struct Selection {
    snapshot: Arc<Snapshot>,
    filter: Filter,
    hits: Arc<[Place]>,
}

/// Which split, and which image of it.
type Place = (u8, u32);

/// Counts the images that a filter lets through.
///
/// # Errors
/// Those of [`Engine::dataset`].
pub async fn matches(engine: &Engine, path: &Path, filter: Filter) -> Result<Matches, Problem> {
    let snapshot = current(engine, path).await?;
    let examined = super::closely::fresh(engine, path, &snapshot);
    let (selection, matches) = blocking(move || Ok(select(snapshot, examined, filter))).await?;
    *lock(&engine.browsing().0) = Some(selection);
    Ok(matches)
}

/// Some of the images that a filter lets through, in the trainer's order.
///
/// # Errors
/// Those of [`Engine::dataset`].
pub async fn page(
    engine: &Engine,
    path: &Path,
    filter: Filter,
    offset: u32,
    count: u32,
) -> Result<Vec<GalleryImage>, Problem> {
    let snapshot = current(engine, path).await?;
    let known = lock(&engine.browsing().0).clone();
    let is_known = |known: &Selection| Arc::ptr_eq(&known.snapshot, &snapshot) && known.filter == filter;
    let selection = match known.filter(is_known) {
        Some(known) => known,
        None => {
            let examined = super::closely::fresh(engine, path, &snapshot);
            let selection = blocking(move || Ok(select(snapshot, examined, filter).0)).await?;
            *lock(&engine.browsing().0) = Some(selection.clone());
            selection
        }
    };
    let mut found = blocking(move || Ok(read(&selection, offset, count.min(MOST)))).await?;
    for image in &mut found {
        image.image = engine.images().id(&image.file);
    }
    Ok(found)
}

/// The dataset as it was read last; it is read when it was not.
pub(super) async fn current(engine: &Engine, path: &Path) -> Result<Arc<Snapshot>, Problem> {
    if let Some(last) = engine.datasets().last(path) {
        return Ok(last);
    }
    engine.dataset(path, Arc::new(|_, _| {}), CancellationToken::new()).await?;
    engine.datasets().last(path).ok_or_else(|| Problem::new("dataset.not-found").with("path", path))
}

/// What an image has of what a filter asks for.
struct Seen<'a> {
    split: bool,
    class: bool,
    finding: bool,
    name: bool,
    verdict: &'a Verdict,
}

fn select(snapshot: Arc<Snapshot>, examined: Option<Arc<Examined>>, filter: Filter) -> (Selection, Matches) {
    let wanted = filter.finding.as_deref().and_then(|code| code.strip_prefix("data."));
    let name = filter.name.trim().to_lowercase();
    let mut codes = Codes::new(&snapshot, examined.as_deref());
    let mut matches = Matches {
        total: 0,
        all: 0,
        splits: Vec::new(),
        classes: vec![0; snapshot.dataset.names.len()],
        findings: Vec::new(),
    };
    let mut hits = Vec::new();
    for (at, (kind, listing, records)) in (0u8..).zip(snapshot.splits()) {
        let mut of_split = 0;
        for (index, record) in (0u32..).zip(records) {
            let faults = codes.of(listing, index as usize, record);
            let verdict = &record.verdict;
            let seen = Seen {
                split: filter.split.is_none_or(|split| split == kind),
                class: filter.class.is_none_or(|class| verdict.classes.iter().any(|(found, _)| *found == class)),
                finding: wanted.is_none_or(|wanted| faults.contains(&wanted)),
                name: name.is_empty() || contains(listing, index as usize, &name),
                verdict,
            };
            if seen.class && seen.finding && seen.name {
                of_split += 1;
            }
            matches.count(&seen);
            if seen.split && seen.class && seen.name {
                codes.count(&faults);
            }
            if seen.split && seen.class && seen.finding && seen.name {
                hits.push((at, index));
            }
            matches.all += 1;
        }
        matches.splits.push((kind, of_split));
    }
    matches.total = u32::try_from(hits.len()).unwrap_or(u32::MAX);
    matches.findings = codes.counts;
    (Selection { snapshot, filter, hits: hits.into() }, matches)
}

impl Matches {
    fn count(&mut self, seen: &Seen<'_>) {
        if !(seen.split && seen.finding && seen.name) {
            return;
        }
        for (class, _) in &seen.verdict.classes {
            if let Some(count) = self.classes.get_mut(*class as usize) {
                *count += 1;
            }
        }
    }
}

fn contains(listing: &Listing, index: usize, name: &str) -> bool {
    listing.place(index).1.to_string_lossy().to_lowercase().contains(name)
}

/// Which findings images have.
struct Codes<'a> {
    examined: Option<&'a Examined>,
    /// Codes of the findings that are told, in their order, with how many images have them.
    counts: Vec<(String, u32)>,
}

impl<'a> Codes<'a> {
    fn new(snapshot: &Snapshot, examined: Option<&'a Examined>) -> Self {
        let closely = examined.iter().flat_map(|examined| &examined.health.findings);
        let told = snapshot.dataset.findings.iter().chain(closely);
        let mut counts: Vec<(String, u32)> = Vec::new();
        for finding in told {
            if counts.iter().all(|(known, _)| *known != finding.code) {
                counts.push((finding.code.clone(), 0));
            }
        }
        Self { examined, counts }
    }

    /// The second halves of the codes of an image's findings.
    fn of(&self, listing: &Listing, index: usize, record: &Record) -> Vec<&'static str> {
        let mut found = kinds(&record.verdict);
        if let Some(examined) = self.examined {
            found.extend(examined.health.marked.of(&listing.image(index), &listing.label(index)));
        }
        found
    }

    fn count(&mut self, found: &[&str]) {
        for (at, what) in found.iter().enumerate() {
            let is = |(code, _): &&mut (String, u32)| code.strip_prefix("data.") == Some(what);
            if !found[..at].contains(what)
                && let Some((_, count)) = self.counts.iter_mut().find(is)
            {
                *count += 1;
            }
        }
    }
}

/// The kinds of faults that an image has by its verdict.
pub(super) fn kinds(verdict: &Verdict) -> Vec<&'static str> {
    let mut found: Vec<_> = verdict.faults.iter().map(|fault| fault.what).collect();
    if verdict.outcome == Outcome::Unlabelled {
        found.push("images-unlabelled");
    }
    found
}

fn read(selection: &Selection, offset: u32, count: u32) -> Vec<GalleryImage> {
    let Selection { snapshot, hits, .. } = selection;
    let splits: Vec<_> = snapshot.splits().collect();
    let mut judge = Judge::default();
    let first = (offset as usize).min(hits.len());
    let last = hits.len().min(first.saturating_add(count as usize));
    hits[first..last]
        .iter()
        .map(|(split, index)| {
            let (kind, listing, records) = splits[*split as usize];
            let (file, label) = (listing.image(*index as usize), listing.label(*index as usize));
            let verdict = &records[*index as usize].verdict;
            let size = verdict.size.unwrap_or((0, 0));
            let refused = verdict.outcome == Outcome::Corrupt;
            let boxes = match refused {
                false => judge.boxes(&label, snapshot.rules()),
                true => super::picture::marks(&mut judge, &label, &snapshot.dataset, size)
                    .into_iter()
                    .map(|mark| LabelBox { class: mark.class.unwrap_or(0), x: mark.x, y: mark.y, w: mark.w, h: mark.h })
                    .collect(),
            };
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            GalleryImage {
                image: String::new(),
                name,
                file,
                split: kind,
                width: size.0,
                height: size.1,
                boxes,
                refused,
            }
        })
        .collect()
}
