//! Showing files and pages in the programs a person has for them.

use std::path::Path;

use preflight_core::problem::Problem;

/// What a desktop shows rather than runs. Anything else is shown in its folder.
const DOCUMENTS: &[&str] = &[
    "bmp", "csv", "gif", "jpeg", "jpg", "json", "jsonl", "log", "png", "tif", "tiff", "toml", "txt", "webp", "yaml",
    "yml",
];

/// Opens a document or a folder; a file that a desktop might run is shown in its folder.
///
/// # Errors
/// `open.failed`.
pub fn open(path: &Path) -> Result<(), Problem> {
    let failed = |error: &dyn std::error::Error| Problem::new("open.failed").with("target", path).because(error);
    // From the root, so that no name is taken for an option.
    let path = std::path::absolute(path).map_err(|error| failed(&error))?;
    opener::open(shown(&path)).map_err(|error| failed(&error))
}

/// Opens a page in the browser.
///
/// # Errors
/// `open.failed`.
pub fn browse(url: &str) -> Result<(), Problem> {
    opener::open_browser(url).map_err(|error| Problem::new("open.failed").with("target", url).because(&error))
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
