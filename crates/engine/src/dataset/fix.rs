//! What can be mended is mended on a copy: first planned and shown, then written into a new folder.

mod tiles;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use preflight_core::dataset::labels::LabelRules;
use preflight_core::dataset::mend::{self, Change, Mended};
use preflight_core::dataset::part::{Item, stratified};
use preflight_core::dataset::{Dataset, LabelBox, SplitKind};
use preflight_core::problem::Problem;
use rayon::prelude::*;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::cancelled;
use super::judge::Judge;
use super::listing::Listing;
use super::output::{self, NewDataset};
use super::scan::{Pace, Progress};

pub use tiles::Tiling;

/// What is to be mended besides the label files.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted {
    /// The share of the training images to keep for validation where the dataset has none, between 0 and 1.
    pub val_share: f64,
    /// The same seed chooses the same images.
    pub seed: u64,
    /// Cut large images into tiles.
    pub tiling: Option<Tiling>,
    /// Mend label files.
    pub labels: bool,
    /// Leave out images that the trainer refuses.
    pub leave_out: bool,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { val_share: 0.2, seed: 0, tiling: None, labels: true, leave_out: true }
    }
}

/// A label file and what would be changed in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChanges {
    /// The file.
    pub label: PathBuf,
    /// The changes, in the order of its rows.
    pub changes: Vec<Change>,
}

/// What mending would do. Nothing was written yet.
#[derive(Debug)]
pub struct Planned {
    /// Label files that would change.
    pub files: Vec<FileChanges>,
    /// Images the trainer would refuse whatever is done to their labels; they are left out.
    pub left_out: Vec<PathBuf>,
    /// Images that would go from training to validation.
    pub to_val: u32,
    /// Images that would be cut, and the tiles they become.
    pub tiled: (u32, u32),
    /// Images that would be in the new dataset as they are.
    pub kept: u32,
    names: Vec<String>,
    keypoints: Option<(u32, u32)>,
    channels: u32,
    source: PathBuf,
    images: Vec<Image>,
}

/// An image of the new dataset.
#[derive(Debug)]
struct Image {
    split: SplitKind,
    path: PathBuf,
    /// Its label file; `None`: it has none.
    label: Option<String>,
    classes: Vec<u32>,
    group: u32,
    tiles: Vec<tiles::Tile>,
}

/// A dataset that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Written {
    /// Its `data.yaml`.
    pub yaml: PathBuf,
    /// Images in it.
    pub images: u32,
}

/// Plans what mending a dataset would do. `alike`: groups of images that look the same; they stay on one side of a new
/// split.
///
/// # Errors
/// `dataset.tiles-need-boxes`, `dataset.cancelled`.
pub fn plan(
    dataset: &Dataset,
    wanted: Wanted,
    alike: &[Vec<PathBuf>],
    progress: Progress<'_>,
    cancel: &CancellationToken,
) -> Result<Planned, Problem> {
    let rules = dataset.label_rules();
    let listings: Vec<(SplitKind, Listing)> =
        dataset.splits.iter().map(|split| (split.kind, Listing::of(split, &dataset.root))).collect();
    let pace = Pace::new(listings.iter().map(|(_, listing)| listing.len()).sum(), progress);
    let mut planned = Planned {
        files: Vec::new(),
        left_out: Vec::new(),
        to_val: 0,
        tiled: (0, 0),
        kept: 0,
        names: dataset.names.clone(),
        keypoints: dataset.keypoints,
        channels: dataset.channels,
        source: dataset.root.clone(),
        images: Vec::new(),
    };
    for (kind, listing) in &listings {
        let looked = (0..listing.len())
            .into_par_iter()
            .map_init(Judge::default, |judge, index| {
                if cancel.is_cancelled() {
                    return Err(cancelled());
                }
                pace.step();
                look_at(judge, listing.image(index), listing.label(index), *kind, rules, wanted)
            })
            .collect::<Result<Vec<_>, _>>()?;
        for looked in looked {
            match looked {
                Looked::Refused(path) => planned.left_out.push(path),
                Looked::Usable(image, label, changes) => {
                    if !changes.is_empty() {
                        planned.files.push(FileChanges { label, changes });
                    }
                    planned.images.push(image);
                }
            }
        }
    }
    planned.choose_val(wanted, alike);
    planned.choose_tiles();
    Ok(planned)
}

enum Looked {
    Refused(PathBuf),
    Usable(Image, PathBuf, Vec<Change>),
}

fn look_at(
    judge: &mut Judge,
    path: PathBuf,
    label: PathBuf,
    split: SplitKind,
    rules: LabelRules,
    wanted: Wanted,
) -> Result<Looked, Problem> {
    let Some(header) = super::judge::taken(judge.look_at(&path)) else {
        if wanted.leave_out {
            return Ok(Looked::Refused(path));
        }
        let text = judge.label_content(&label).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let image = Image { split, path, label: text, classes: Vec::new(), group: 0, tiles: Vec::new() };
        return Ok(Looked::Usable(image, label, Vec::new()));
    };
    let size = header.upright();
    let mended = |bytes: &[u8]| if wanted.labels { mend::mend(bytes, rules, size) } else { Mended::default() };
    let content = judge.label_content(&label).map(|bytes| (bytes.to_vec(), mended(bytes)));
    let (text, changes) = match content {
        // What needs no mending is copied to the byte.
        Some((bytes, Mended { text, changes })) => match changes.is_empty() {
            true => (Some(String::from_utf8_lossy(&bytes).into_owned()), changes),
            false => (Some(text), changes),
        },
        None => (None, Vec::new()),
    };
    let read = text.as_deref().map_or(Some(Vec::new()), |text| judge.boxes_in(text.as_bytes(), rules));
    // What cannot be read even now stays in one piece: in tiles, nobody would see that labels are missing.
    let cut = wanted.tiling.filter(|tiling| tiling.cuts(size) && read.is_some());
    let boxes = read.unwrap_or_default();
    let tiles = match cut {
        Some(_) if text.as_deref().is_some_and(|text| !boxes.is_empty() && !tiles::are_boxes(text)) => {
            return Err(Problem::new("dataset.tiles-need-boxes").with("path", label.as_path()));
        }
        Some(tiling) => tiling.tiles(size, &boxes),
        None => Vec::new(),
    };
    let mut classes: Vec<u32> = boxes.iter().map(|found: &LabelBox| found.class).collect();
    classes.sort_unstable();
    classes.dedup();
    Ok(Looked::Usable(Image { split, path, label: text, classes, group: 0, tiles }, label, changes))
}

impl Planned {
    /// Chooses images for validation where there are none.
    fn choose_val(&mut self, wanted: Wanted, alike: &[Vec<PathBuf>]) {
        if self.images.iter().any(|image| image.split == SplitKind::Val) || wanted.val_share <= 0.0 {
            return;
        }
        let groups: HashMap<&Path, u32> = (0u32..)
            .zip(alike)
            .flat_map(|(group, paths)| paths.iter().map(move |path| (path.as_path(), group)))
            .collect();
        let alone = u32::try_from(alike.len()).unwrap_or(u32::MAX);
        let mut train: Vec<&mut Image> =
            self.images.iter_mut().filter(|image| image.split == SplitKind::Train).collect();
        for (index, image) in (0u32..).zip(&mut train) {
            image.group = groups.get(image.path.as_path()).copied().unwrap_or(alone.saturating_add(index));
        }
        let items: Vec<Item> =
            train.iter().map(|image| Item { group: image.group, classes: image.classes.clone() }).collect();
        for (image, val) in train.into_iter().zip(stratified(&items, wanted.val_share.min(0.9), wanted.seed)) {
            if val {
                image.split = SplitKind::Val;
                self.to_val += 1;
            }
        }
    }

    /// Keeps the tiles with objects, and of the others about a tenth as many: more empty images teach nothing more
    /// (Ultralytics recommends up to 10 % of images without objects).
    fn choose_tiles(&mut self) {
        let (mut full, mut empty) = (0u32, 0u32);
        for image in &mut self.images {
            if image.tiles.is_empty() {
                self.kept += 1;
                continue;
            }
            let background = image.classes.is_empty();
            image.tiles.retain(|tile| {
                if !tile.boxes.is_empty() {
                    full += 1;
                    return true;
                }
                let keep = empty * 10 < full || (background && empty == 0);
                empty += u32::from(keep);
                keep
            });
            self.tiled.0 += 1;
            self.tiled.1 += u32::try_from(image.tiles.len()).unwrap_or(u32::MAX);
        }
    }

    /// Whether the new dataset would be the same as the old.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.left_out.is_empty() && self.to_val == 0 && self.tiled.0 == 0
    }

    /// Writes the new dataset into a folder that is empty or not there yet.
    ///
    /// # Errors
    /// `dataset.folder-not-empty`, `dataset.inside-source`, `dataset.cancelled`, `image.unreadable`, `file.unwritable`.
    pub fn write(&self, to: &Path, progress: Progress<'_>, cancel: &CancellationToken) -> Result<Written, Problem> {
        let mut new = NewDataset::begin(to, &self.source)?;
        let mut jobs = Vec::new();
        for image in &self.images {
            let name = image.path.file_name().unwrap_or_default();
            if image.tiles.is_empty() {
                jobs.push((image, vec![new.place(Some(image.split), name)?]));
                continue;
            }
            let places = image.tiles.iter().map(|tile| new.place(Some(image.split), &tile.name(&image.path)));
            jobs.push((image, places.collect::<Result<Vec<_>, _>>()?));
        }
        let pace = Pace::new(jobs.len(), progress);
        jobs.par_iter().try_for_each(|(image, places)| {
            if cancel.is_cancelled() {
                return Err(cancelled());
            }
            if image.tiles.is_empty() {
                output::copy(&image.path, &places[0].image)?;
                if let Some(label) = &image.label {
                    output::write(&places[0].label, label.as_bytes())?;
                }
            } else {
                tiles::write(&image.path, &image.tiles, places)?;
            }
            pace.step();
            Ok(())
        })?;
        let images = jobs.iter().map(|(_, places)| places.len()).sum::<usize>();
        let yaml = new.finish(&self.names, self.keypoints, self.channels)?;
        Ok(Written { yaml, images: u32::try_from(images).unwrap_or(u32::MAX) })
    }
}
