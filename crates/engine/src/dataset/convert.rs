//! Datasets of other tools, converted to the trainer's form in a new folder.

mod coco;
mod cvat;
mod files;
mod label_studio;
mod labelme;
mod model;
#[cfg(any(test, feature = "testing"))]
pub(super) mod parsers;
mod rows;
mod voc;
mod xml;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use preflight_core::dataset::tally::{Fault, Faults};
use preflight_core::dataset::{SplitKind, Task};
use preflight_core::finding::Finding;
use preflight_core::problem::Problem;
use rayon::prelude::*;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::judge::Judge;
use super::output::{self, NewDataset};
use super::scan::Pace;
use files::{Files, Missing};
use model::{Annotated, Trouble};

/// A form that can be converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// One JSON file a split.
    Coco,
    /// One XML file an image.
    PascalVoc,
    /// One JSON file an image.
    LabelMe,
    /// One XML file for all images.
    Cvat,
    /// One JSON file for all images: a list of tasks.
    LabelStudio,
}

impl Form {
    /// Its name, the same in every language.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Coco => "COCO",
            Self::PascalVoc => "Pascal VOC",
            Self::LabelMe => "LabelMe",
            Self::Cvat => "CVAT",
            Self::LabelStudio => "Label Studio",
        }
    }
}

/// A dataset that was converted.
#[derive(Debug, Clone, PartialEq)]
pub struct Converted {
    /// What it was.
    pub form: Form,
    /// The `data.yaml` of the new folder.
    pub yaml: PathBuf,
    /// Images in its splits.
    pub images: u32,
    /// Objects in them.
    pub objects: u32,
    /// Images that no split lists; they are kept apart.
    pub unlisted: u32,
    /// What could not be converted, or not as it was.
    pub findings: Vec<Finding>,
}

/// What form a folder or annotation file has; `None`: none that is known.
#[must_use]
pub fn recognise(path: &Path) -> Option<Form> {
    let files = sources(path, &CancellationToken::new()).ok()?;
    form(&files)
}

/// What form a folder without a yaml has, by a look at its upper part.
pub(super) fn glance(root: &Path) -> Option<Form> {
    if ["labels", "train/labels", "images/train"].iter().any(|folder| root.join(folder).is_dir()) {
        return None;
    }
    form(&Files::glance(root))
}

fn sources(path: &Path, cancel: &CancellationToken) -> Result<Files, Problem> {
    // An annotation file belongs to the images around it.
    let root = if path.is_file() { path.parent().unwrap_or(path) } else { path };
    let mut files = Files::below(root, cancel)?;
    if path.is_file() {
        files.xml.retain(|file| file == path);
        files.json.retain(|file| file == path);
    }
    Ok(files)
}

/// How many files are looked at to recognise a form: the first few tell it.
const LOOKED_AT: usize = 20;

fn form(files: &Files) -> Option<Form> {
    let any = |paths: &[PathBuf], is: fn(&Path) -> bool| paths.iter().take(LOOKED_AT).any(|path| is(path));
    if any(&files.xml, cvat::recognise) {
        return Some(Form::Cvat);
    }
    if any(&files.json, coco::recognise) {
        return Some(Form::Coco);
    }
    if any(&files.json, label_studio::recognise) {
        return Some(Form::LabelStudio);
    }
    if any(&files.xml, |file| {
        let bytes = files::read_limited(file).unwrap_or_default();
        voc::read(file, &bytes, &mut Vec::new()).is_some()
    }) {
        return Some(Form::PascalVoc);
    }
    any(&files.json, labelme::recognise).then_some(Form::LabelMe)
}

/// A dataset of another tool as it would be after conversion. Nothing was written yet.
#[derive(Debug)]
pub struct Prepared {
    /// What it is.
    pub form: Form,
    /// Images in its splits, and in each.
    pub splits: Vec<(SplitKind, u32)>,
    /// Objects in them.
    pub objects: u32,
    /// Class names by id.
    pub names: Vec<String>,
    /// Images that no split lists; they are kept apart.
    pub unlisted: u32,
    /// What cannot be converted, or not as it is.
    pub findings: Vec<Finding>,
    keypoints: Option<(u32, u32)>,
    root: PathBuf,
    items: Vec<Item>,
}

/// An image of the new dataset.
#[derive(Debug)]
struct Item {
    file: PathBuf,
    split: Option<SplitKind>,
    /// Its label file; `None`: nobody annotated it.
    rows: Option<String>,
}

/// Converts a folder, or an annotation file with the images around it, into a new folder.
///
/// # Errors
/// `dataset.nothing-to-convert`, `dataset.folder-not-empty`, `dataset.inside-source`, `dataset.cancelled`,
/// `file.unwritable`. What could not be converted is in the findings.
pub fn convert(
    path: &Path,
    to: &Path,
    task: Task,
    progress: &(dyn Fn(u32, u32) + Send + Sync),
    cancel: &CancellationToken,
) -> Result<Converted, Problem> {
    prepare(path, task, progress, cancel)?.write(to, progress, cancel)
}

/// Reads a folder, or an annotation file with the images around it, without writing anything.
///
/// # Errors
/// `dataset.nothing-to-convert`, `dataset.cancelled`.
pub fn prepare(
    path: &Path,
    task: Task,
    progress: &(dyn Fn(u32, u32) + Send + Sync),
    cancel: &CancellationToken,
) -> Result<Prepared, Problem> {
    let files = sources(path, cancel)?;
    let form = form(&files).ok_or_else(|| Problem::new("dataset.nothing-to-convert").with("path", path))?;
    let root = if path.is_file() { path.parent().unwrap_or(path) } else { path };
    let mut read = read(form, root, &files);
    let unsplit = read.images.iter().all(|image| image.split.is_none());
    let mut names = std::mem::take(&mut read.names);
    let others: BTreeSet<&str> = read.images.iter().flat_map(|i| &i.objects).map(|o| o.class.as_str()).collect();
    let others: Vec<_> = others.into_iter().filter(|class| !names.iter().any(|name| name == class)).collect();
    names.extend(others.into_iter().map(str::to_owned).collect::<Vec<_>>());

    let mut writer = rows::Writer::new(task, &names, &read.images);
    let mut faults = Faults::default();
    let mut add = |trouble: Trouble| {
        let fault = Fault { line: trouble.line, ..Fault::image(trouble.what).saying(trouble.text) };
        faults.add(&fault, &trouble.file);
    };
    read.troubles.into_iter().for_each(&mut add);
    let mut used = vec![false; files.images.len()];
    let (mut items, mut objects, mut unlisted) = (Vec::new(), 0, 0);
    let total = u32::try_from(read.images.len()).unwrap_or(u32::MAX);
    let mut judge = Judge::default();
    for (done, image) in (1..).zip(&read.images) {
        if cancel.is_cancelled() {
            return Err(super::cancelled());
        }
        let missing = |what| Trouble::new(what, &image.source, 0, image.file.as_str());
        let at = match find(&files, image, form) {
            Ok(at) => at,
            Err(Missing::Absent) => {
                add(missing("convert-image-missing"));
                continue;
            }
            Err(Missing::Ambiguous) => {
                add(missing("convert-image-ambiguous"));
                continue;
            }
        };
        if std::mem::replace(&mut used[at], true) {
            add(missing("convert-image-twice"));
            continue;
        }
        let file = &files.images[at];
        let Some(header) = super::judge::taken(judge.look_at(file)) else {
            add(Trouble::new("convert-image-refused", file, 0, ""));
            continue;
        };
        let mut troubles = Vec::new();
        let rows = writer.rows(image, &header, &mut troubles);
        troubles.into_iter().for_each(&mut add);
        let Some((rows, count)) = rows else { continue };
        let split = image.split.or_else(|| unsplit.then_some(SplitKind::Train));
        match split {
            Some(_) => objects += count,
            None => {
                unlisted += 1;
                add(Trouble::new("convert-unlisted", file, 0, ""));
            }
        }
        items.push(Item { file: file.clone(), split, rows: Some(rows) });
        progress(done, total);
    }
    for (at, used) in used.iter().enumerate() {
        let file = &files.images[at];
        if !used && super::judge::taken(judge.look_at(file)).is_some() {
            unlisted += 1;
            add(Trouble::new("convert-unannotated", file, 0, ""));
            items.push(Item { file: file.clone(), split: None, rows: None });
        }
    }
    let keypoints = writer.keypoints();
    let findings = faults.findings(names.len());
    let mut splits: Vec<(SplitKind, u32)> = Vec::new();
    for kind in [SplitKind::Train, SplitKind::Val, SplitKind::Test] {
        let count = items.iter().filter(|item| item.split == Some(kind)).count();
        if count > 0 {
            splits.push((kind, u32::try_from(count).unwrap_or(u32::MAX)));
        }
    }
    Ok(Prepared { form, splits, objects, names, unlisted, findings, keypoints, root: root.to_owned(), items })
}

impl Prepared {
    /// Writes the new dataset into a folder that is empty or not there yet.
    ///
    /// # Errors
    /// `dataset.folder-not-empty`, `dataset.inside-source`, `dataset.cancelled`, `file.unwritable`.
    pub fn write(
        &self,
        to: &Path,
        progress: &(dyn Fn(u32, u32) + Send + Sync),
        cancel: &CancellationToken,
    ) -> Result<Converted, Problem> {
        let mut new = NewDataset::begin(to, &self.root)?;
        let mut places = Vec::with_capacity(self.items.len());
        for item in &self.items {
            places.push((item, new.place(item.split, item.file.file_name().unwrap_or_default())?));
        }
        let pace = Pace::new(places.len(), progress);
        places.par_iter().try_for_each(|(item, place)| {
            if cancel.is_cancelled() {
                return Err(super::cancelled());
            }
            if let Some(rows) = &item.rows {
                output::write(&place.label, rows.as_bytes())?;
            }
            output::copy(&item.file, &place.image)?;
            pace.step();
            Ok(())
        })?;
        Ok(Converted {
            form: self.form,
            yaml: new.finish(&self.names, self.keypoints, 3)?,
            images: self.splits.iter().map(|(_, count)| count).sum(),
            objects: self.objects,
            unlisted: self.unlisted,
            findings: self.findings.clone(),
        })
    }
}

fn find(files: &Files, image: &Annotated, form: Form) -> Result<usize, Missing> {
    let named = if image.file.is_empty() { Err(Missing::Absent) } else { files.image(&image.source, &image.file) };
    match named {
        // Renamed images keep the name of their annotation file.
        Err(Missing::Absent) if matches!(form, Form::PascalVoc | Form::LabelMe) => files.image_beside(&image.source),
        Err(Missing::Absent) if form == Form::LabelStudio => {
            label_studio::without_upload_id(&image.file).map_or(named, |name| files.image(&image.source, &name))
        }
        answer => answer,
    }
}

/// All annotations of a dataset.
struct Annotations {
    images: Vec<Annotated>,
    /// Class names whose order is given.
    names: Vec<String>,
    troubles: Vec<Trouble>,
}

fn read(form: Form, root: &Path, files: &Files) -> Annotations {
    let mut all = Annotations { images: Vec::new(), names: Vec::new(), troubles: Vec::new() };
    match form {
        Form::PascalVoc => {
            all.take(each(&files.xml, voc::read));
            let lists = voc::lists(root);
            for image in &mut all.images {
                let stem = image.source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                image.split = match &lists {
                    Some(lists) => lists.get(&stem).copied(),
                    None => folder_split(root, &image.source),
                };
            }
        }
        Form::LabelMe => {
            // Other JSON files may lie around.
            let own: Vec<_> = files.json.iter().filter(|file| labelme::recognise(file)).cloned().collect();
            all.take(each(&own, labelme::read));
            for image in &mut all.images {
                image.split = folder_split(root, &image.source);
            }
        }
        Form::Coco => all.take_whole(&files.json, coco::recognise, coco::read),
        Form::Cvat => all.take_whole(&files.xml, cvat::recognise, cvat::read),
        Form::LabelStudio => all.take_whole(&files.json, label_studio::recognise, label_studio::read),
    }
    all
}

impl Annotations {
    fn take_whole(&mut self, paths: &[PathBuf], is: fn(&Path) -> bool, read: ReadWhole) {
        for file in paths.iter().filter(|file| is(file)) {
            let (images, names) = read(file, &mut self.troubles);
            self.images.extend(images);
            for name in names {
                if !self.names.contains(&name) {
                    self.names.push(name);
                }
            }
        }
    }

    fn take(&mut self, found: Vec<(Option<Annotated>, Vec<Trouble>)>) {
        for (image, troubles) in found {
            self.images.extend(image);
            self.troubles.extend(troubles);
        }
    }
}

/// Reads a file of many images; also answers class names whose order is given.
type ReadWhole = fn(&Path, &mut Vec<Trouble>) -> (Vec<Annotated>, Vec<String>);
/// Reads the content of a file of one image.
type ReadOne = fn(&Path, &[u8], &mut Vec<Trouble>) -> Option<Annotated>;

/// Reads the annotation files of single images.
fn each(paths: &[PathBuf], read: ReadOne) -> Vec<(Option<Annotated>, Vec<Trouble>)> {
    paths
        .par_iter()
        .map(|path| {
            let mut troubles = Vec::new();
            let image = match files::read_limited(path) {
                Ok(bytes) => read(path, &bytes, &mut troubles),
                Err(error) => {
                    troubles.push(Trouble::unreadable(path, 0, error.to_string()));
                    None
                }
            };
            (image, troubles)
        })
        .collect()
}

/// The split that a folder on the way to a file stands for.
fn folder_split(root: &Path, file: &Path) -> Option<SplitKind> {
    let below = file.strip_prefix(root).ok()?.parent()?;
    below.components().rev().find_map(|part| model::split_named(&part.as_os_str().to_string_lossy()))
}

/// Ids of classes by name.
fn ids(names: &[String]) -> HashMap<&str, usize> {
    names.iter().enumerate().map(|(id, name)| (name.as_str(), id)).collect()
}

#[cfg(test)]
mod tests;
