//! Showing files and pages in the programs a person has for them: only what this engine itself named.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use preflight_core::finding::{Evidence, Finding};
use preflight_core::models;
use preflight_core::problem::Problem;

use crate::work::lock;
use crate::{Engine, runs};

/// Pages that the app links to, besides the sources of the models' figures.
const PAGES: &[&str] = &["https://www.ultralytics.com/license", "https://docs.ultralytics.com/datasets/detect/"];

/// What a desktop shows rather than runs. Anything else is shown in its folder.
const DOCUMENTS: &[&str] = &[
    "bmp", "csv", "gif", "jpeg", "jpg", "json", "jsonl", "log", "png", "tif", "tiff", "toml", "txt", "webp", "yaml",
    "yml",
];

/// The files that findings named as evidence.
#[derive(Debug, Default)]
pub(crate) struct Named(Mutex<HashSet<PathBuf>>);

impl Named {
    pub(crate) fn remember(&self, findings: &[Finding]) {
        let evidence = findings.iter().flat_map(|finding| &finding.evidence);
        let files = evidence.filter_map(|seen| match seen {
            Evidence::File { path, .. } => Some(path.clone()),
            _ => None,
        });
        lock(&self.0).extend(files);
    }

    pub(crate) fn remember_files(&self, files: impl IntoIterator<Item = PathBuf>) {
        lock(&self.0).extend(files);
    }

    fn contains(&self, path: &Path) -> bool {
        lock(&self.0).contains(path)
    }
}

/// Opens a file that a finding named as evidence, or one in the app's own folder. Blocks.
///
/// # Errors
/// `open.refused`, `open.failed`.
pub fn open_file(engine: &Engine, path: &Path) -> Result<(), Problem> {
    let own = || Some(path.canonicalize().ok()?.starts_with(engine.dirs().root().canonicalize().ok()?));
    if engine.named().contains(path) || own() == Some(true) {
        open(path)
    } else {
        Err(Problem::new("open.refused").with("target", path))
    }
}

/// Shows what a run left behind in the file manager. Blocks.
///
/// # Errors
/// Those of [`runs::open`], `open.failed`.
pub fn open_run(engine: &Engine, id: &str) -> Result<(), Problem> {
    let run = runs::open(engine, id)?;
    open(&run.progress.folder.unwrap_or(run.folder))
}

/// Opens one of the pages that the app links to in the browser. Blocks.
///
/// # Errors
/// `open.refused`, `open.failed`.
pub fn open_page(url: &str) -> Result<(), Problem> {
    if !PAGES.contains(&url) && models::ALL.iter().all(|model| model.source != url) {
        return Err(Problem::new("open.refused").with("target", url));
    }
    opener::open_browser(url).map_err(|error| Problem::new("open.failed").with("target", url).because(&error))
}

/// Opens the page that a platform signs people in on. Blocks.
///
/// # Errors
/// `open.refused` for what is no page, `open.failed`.
pub fn open_sign_in(url: &str) -> Result<(), Problem> {
    if !url.starts_with("https://") && !url.starts_with("http://") {
        return Err(Problem::new("open.refused").with("target", url));
    }
    opener::open_browser(url).map_err(|error| Problem::new("open.failed").with("target", url).because(&error))
}

/// Opens a document or a folder; a file that a desktop might run is shown in its folder.
fn open(path: &Path) -> Result<(), Problem> {
    let failed = |error: &dyn std::error::Error| Problem::new("open.failed").with("target", path).because(error);
    // From the root, so that no name is taken for an option.
    let path = std::path::absolute(path).map_err(|error| failed(&error))?;
    opener::open(shown(&path)).map_err(|error| failed(&error))
}

fn shown(path: &Path) -> &Path {
    let is_document =
        path.extension().is_some_and(|kind| DOCUMENTS.iter().any(|document| kind.eq_ignore_ascii_case(document)));
    match path.parent() {
        Some(folder) if path.is_file() && !is_document => folder,
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_be_run_is_shown_in_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        for (name, is_opened) in [("a.txt", true), ("a.JPG", true), ("a.desktop", false), ("a.sh", false), ("a", false)]
        {
            let file = folder.path().join(name);
            std::fs::write(&file, "").unwrap();
            assert_eq!(shown(&file), if is_opened { &file } else { folder.path() }, "{name}");
        }
        assert_eq!(shown(folder.path()), folder.path());
    }
}
