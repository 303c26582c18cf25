//! One image of a dataset with everything that is known of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use preflight_core::dataset::health::absurd;
use preflight_core::dataset::marks::{self, Mark};
use preflight_core::dataset::tally::{Fault, Faults, Outcome};
use preflight_core::dataset::{Dataset, SplitKind};
use preflight_core::finding::Finding;
use preflight_core::problem::Problem;
use serde::Serialize;

use super::closely::Examined;
use super::judge::Judge;
use super::listing::Listing;
use super::scan::Snapshot;
use crate::Engine;
use crate::work::blocking;

/// An image, large.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct ImageView {
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
    /// In bytes.
    pub bytes: u64,
    /// Its label file; `None`: it has none.
    pub label: Option<PathBuf>,
    /// What the label file says, row by row.
    pub marks: Vec<Mark>,
    /// Whether the trainer refuses it.
    pub refused: bool,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
}

/// An image of a dataset, by its file or by its label file; `None`: neither is in the dataset.
///
/// # Errors
/// Those of [`Engine::dataset`].
pub async fn picture(engine: &Engine, path: &Path, file: PathBuf) -> Result<Option<ImageView>, Problem> {
    let snapshot = super::browse::current(engine, path).await?;
    let examined = super::closely::fresh(engine, path, &snapshot);
    let found = blocking(move || Ok(find(&snapshot, &file).map(|at| look_at(&snapshot, examined, at)))).await?;
    Ok(found.map(|mut picture| {
        picture.image = engine.images().id(&picture.file);
        engine.named().remember_files([Some(picture.file.clone()), picture.label.clone()].into_iter().flatten());
        engine.named().remember(&picture.findings);
        picture
    }))
}

/// Which split, and which image of it, a file belongs to.
fn find(snapshot: &Snapshot, file: &Path) -> Option<(usize, usize)> {
    let folder = file.parent()?;
    let (name, stem) = (file.file_name()?, file.file_stem()?);
    for (at, (_, listing, records)) in snapshot.splits().enumerate() {
        for index in 0..records.len() {
            let (id, image) = listing.place(index);
            let (images, labels) = listing.folder(id);
            let is_image = image == name && images == folder;
            let is_label = || Path::new(image).file_stem() == Some(stem) && labels == folder && is_text(file);
            if is_image || is_label() {
                return Some((at, index));
            }
        }
    }
    None
}

fn is_text(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "txt")
}

fn look_at(snapshot: &Snapshot, examined: Option<Arc<Examined>>, (split, index): (usize, usize)) -> ImageView {
    let mut judge = Judge::default();
    let empty = Listing::default();
    let (kind, listing, records) = snapshot.splits().nth(split).unwrap_or((SplitKind::Train, &empty, &[]));
    let (file, label) = (listing.image(index), listing.label(index));
    let verdict = &records[index].verdict;
    let size = verdict.size.or_else(|| judge.size(&file)).unwrap_or((0, 0));
    let mut faults = Faults::default();
    let mut add = |fault: &Fault| faults.add(fault, if fault.in_label { &label } else { &file });
    let all = if verdict.is_refused_for_label() { judge.faults_of(&label, snapshot.rules()) } else { Vec::new() };
    let in_image = verdict.faults.iter().filter(|fault| all.is_empty() || !fault.in_label);
    in_image.chain(&all).for_each(&mut add);
    if verdict.outcome == Outcome::Unlabelled {
        add(&Fault::image("images-unlabelled"));
    }
    if let Some(examined) = examined {
        let boxes = judge.boxes(&label, snapshot.rules());
        let lines = judge.lines();
        for found in absurd(&boxes, size) {
            add(&Fault { line: lines.get(found.index).copied().unwrap_or(0), ..Fault::label(found.what) });
        }
        for what in examined.health.marked.of(&file, &label).filter(|what| !what.starts_with("box-")) {
            add(&closer(&examined, what, &file));
        }
    }
    let marks = marks(&mut judge, &label, &snapshot.dataset, size);
    ImageView {
        image: String::new(),
        name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        split: kind,
        width: size.0,
        height: size.1,
        bytes: std::fs::metadata(&file).map_or(0, |found| found.len()),
        label: label.is_file().then(|| label.clone()),
        marks,
        refused: verdict.outcome == Outcome::Corrupt,
        findings: faults.findings(snapshot.dataset.names.len()),
        file,
    }
}

/// A fault that the second look found, with what it looks like.
fn closer(examined: &Examined, what: &'static str, file: &Path) -> Fault {
    let fault = Fault::image(what);
    if !what.starts_with("leak-") && !what.starts_with("duplicates-") {
        return fault;
    }
    let group = examined.health.alike.iter().find(|group| group.iter().any(|path| path == file));
    match group.and_then(|group| group.iter().find(|path| *path != file)) {
        Some(other) => fault.saying(format!("= {}", other.display())),
        None => fault,
    }
}

/// What a label file draws.
pub(super) fn marks(judge: &mut Judge, label: &Path, dataset: &Dataset, size: (u32, u32)) -> Vec<Mark> {
    judge.label_content(label).map(|bytes| marks::marks(bytes, dataset.keypoints, size)).unwrap_or_default()
}
