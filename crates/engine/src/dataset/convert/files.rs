//! The files of a dataset in another form: where its images and annotations are.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use preflight_core::dataset::paths;
use preflight_core::problem::Problem;
use tokio_util::sync::CancellationToken;
use walkdir::WalkDir;

/// Folders nested deeper than this are no dataset.
const DEEPEST: usize = 16;
/// Annotation files of one image are far below this.
const LARGEST_SMALL: u64 = 16 << 20;

/// Everything below a folder that conversion looks at, in the order of names.
#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) images: Vec<PathBuf>,
    pub(super) xml: Vec<PathBuf>,
    pub(super) json: Vec<PathBuf>,
    /// Images by their name in lower case.
    named: HashMap<String, Vec<usize>>,
}

impl Files {
    /// Looks through a folder. What cannot be opened is passed over: its images will be missing, and said to be.
    pub(super) fn below(root: &Path, cancel: &CancellationToken) -> Result<Self, Problem> {
        let mut files = Self::default();
        let walk = WalkDir::new(root).max_depth(DEEPEST).follow_links(true).sort_by_file_name();
        let entries = walk.into_iter().filter_entry(|entry| entry.depth() == 0 || !paths::is_hidden(entry.file_name()));
        for entry in entries.flatten() {
            if cancel.is_cancelled() {
                return Err(super::super::cancelled());
            }
            if !entry.file_type().is_file() {
                continue;
            }
            let ending = entry.path().extension().unwrap_or(OsStr::new("")).to_ascii_lowercase();
            let path = entry.into_path();
            if path.file_name().is_some_and(paths::is_image) {
                files.named.entry(key(&path)).or_default().push(files.images.len());
                files.images.push(path);
            } else if ending == "xml" {
                files.xml.push(path);
            } else if ending == "json" {
                files.json.push(path);
            }
        }
        Ok(files)
    }

    /// The first annotation files of a folder, found without looking through all of it.
    pub(super) fn glance(root: &Path) -> Self {
        const DEPTH: usize = 3;
        const ENTRIES: usize = 5_000;
        let mut files = Self::default();
        for entry in WalkDir::new(root).max_depth(DEPTH).into_iter().take(ENTRIES).flatten() {
            match entry.path().extension().map(OsStr::to_ascii_lowercase) {
                Some(ending) if ending == "xml" => files.xml.push(entry.into_path()),
                Some(ending) if ending == "json" => files.json.push(entry.into_path()),
                _ => {}
            }
        }
        files
    }

    /// The image that an annotation file means: of those with its name, the one whose path has most in common with what
    /// is written, else the nearest to the annotation file. `None`: there is none, or several are as likely.
    pub(super) fn image(&self, annotation: &Path, written: &str) -> Result<usize, Missing> {
        let written = written.replace('\\', "/");
        let name = written.rsplit('/').next().unwrap_or(&written);
        let candidates = match self.named.get(&name.to_lowercase()) {
            Some(found) => found.as_slice(),
            None => return Err(Missing::Absent),
        };
        if let [only] = candidates {
            return Ok(*only);
        }
        let parts: Vec<&str> = written.split('/').filter(|part| !part.is_empty()).collect();
        let rate = |index: &usize| {
            let path = &self.images[*index];
            let same_end = parts.iter().rev().zip(path.components().rev());
            let same_end = same_end.take_while(|(part, found)| found.as_os_str() == **part).count();
            let same_start = path.components().zip(annotation.components()).take_while(|(a, b)| a == b).count();
            (same_end, same_split(path, annotation), same_start)
        };
        let best = candidates.iter().map(rate).max().unwrap_or_default();
        let mut likely = candidates.iter().filter(|index| rate(index) == best);
        match (likely.next(), likely.next()) {
            (Some(only), None) => Ok(*only),
            _ => Err(Missing::Ambiguous),
        }
    }

    /// The image with the annotation file's own name.
    pub(super) fn image_beside(&self, annotation: &Path) -> Result<usize, Missing> {
        let stem = annotation.file_stem().unwrap_or_default().to_string_lossy();
        let mut found = Err(Missing::Absent);
        for ending in paths::IMAGE_ENDINGS {
            match self.image(annotation, &format!("{stem}.{ending}")) {
                Err(Missing::Absent) => {}
                answer if found == Err(Missing::Absent) => found = answer,
                _ => return Err(Missing::Ambiguous),
            }
        }
        found
    }
}

/// Why an image was not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    Absent,
    Ambiguous,
}

fn key(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Whether the folders of both paths name the same split.
fn same_split(a: &Path, b: &Path) -> bool {
    let split = |path: &Path| {
        path.components().rev().find_map(|part| match part {
            Component::Normal(name) => super::model::split_named(&name.to_string_lossy()),
            _ => None,
        })
    };
    split(a).is_some() && split(a) == split(b)
}

/// The bytes of an annotation file of one image.
///
/// # Errors
/// Those of the system; a file far too large is one.
pub(super) fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = super::super::opener::open(path)?;
    file.take(LARGEST_SMALL + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_SMALL {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}
