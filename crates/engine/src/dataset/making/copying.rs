//! A dataset as it is, in a place that can be written to and does not go away.

use std::path::{Path, PathBuf};

use preflight_core::dataset::{Dataset, SplitKind};
use preflight_core::problem::Problem;
use rayon::prelude::*;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::super::output::{self, NewDataset, Place};
use super::super::scan::{Pace, Progress};
use super::super::{ImageFiles, OnProgress, cancelled, images};
use super::{begin, free, put};
use crate::work::blocking;
use crate::{Engine, computer};

/// What copying a dataset would take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct CopyPlan {
    /// Images that would be copied.
    pub images: u32,
    /// Bytes of them and their labels.
    pub bytes: u64,
    /// Where the copy would be.
    pub to: PathBuf,
    /// Bytes that are free there; `None`: the disk does not say.
    pub free: Option<u64>,
}

/// Says what copying a dataset would take.
///
/// # Errors
/// Those of [`Engine::dataset`], `dataset.busy`.
pub async fn plan_copy(engine: &Engine, path: &Path, progress: OnProgress) -> Result<CopyPlan, Problem> {
    let (cancel, _under_way) = begin(engine)?;
    let dataset = engine.dataset(path, progress, cancel).await?;
    let copies = engine.dirs().copies();
    let to = free(&copies.join(crate::runs::dataset_name(path)), "");
    blocking(move || {
        let files = files(&dataset);
        let size = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
        let bytes = files.par_iter().map(|(_, files)| size(&files.image) + size(&files.label)).sum();
        let there = copies.ancestors().find(|folder| folder.is_dir()).unwrap_or(&copies);
        let free = computer::space(there).ok().map(|(free, _)| free);
        Ok(CopyPlan { images: u32::try_from(files.len()).unwrap_or(u32::MAX), bytes, to, free })
    })
    .await
}

/// Copies a dataset's images and labels to the byte into a new folder; answers its `data.yaml`.
///
/// # Errors
/// Those of [`Engine::dataset`], `dataset.busy`, `dataset.folder-not-empty`, `dataset.inside-source`,
/// `dataset.cancelled`, `file.unreadable`, `file.unwritable`.
pub async fn copy(engine: &Engine, path: &Path, to: PathBuf, progress: OnProgress) -> Result<PathBuf, Problem> {
    let (cancel, _under_way) = begin(engine)?;
    let dataset = engine.dataset(path, OnProgress::clone(&progress), cancel.clone()).await?;
    blocking(move || {
        let (yaml, place) = put(&to, |new| write(&dataset, new, &*progress, &cancel))?;
        Ok(place.of(&yaml))
    })
    .await
}

fn files(dataset: &Dataset) -> Vec<(SplitKind, ImageFiles)> {
    let of = |kind| images(dataset, kind).into_iter().map(move |files| (kind, files));
    [SplitKind::Train, SplitKind::Val, SplitKind::Test].into_iter().flat_map(of).collect()
}

fn write(dataset: &Dataset, to: &Path, progress: Progress<'_>, cancel: &CancellationToken) -> Result<PathBuf, Problem> {
    let mut new = NewDataset::begin(to, &dataset.root)?;
    let place = |(kind, files): (SplitKind, ImageFiles)| {
        let place = new.place(Some(kind), files.image.file_name().unwrap_or_default())?;
        Ok((files, place))
    };
    let jobs: Vec<(ImageFiles, Place)> = files(dataset).into_iter().map(place).collect::<Result<_, Problem>>()?;
    let pace = Pace::new(jobs.len(), progress);
    jobs.par_iter().try_for_each(|(files, place)| {
        if cancel.is_cancelled() {
            return Err(cancelled());
        }
        copied(&files.image, &place.image)?;
        if files.label.is_file() {
            copied(&files.label, &place.label)?;
        }
        pace.step();
        Ok(())
    })?;
    new.finish(&dataset.names, dataset.keypoints, dataset.channels)
}

fn copied(from: &Path, to: &Path) -> Result<(), Problem> {
    // Told apart from a place that cannot be written to.
    let unreadable = |error| Problem::new("file.unreadable").with("path", from).because(&error);
    std::fs::File::open(from).map_err(unreadable)?;
    output::copy(from, to)
}
