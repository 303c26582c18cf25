//! Writing files so that a reader sees the old content or the new one, never half of it.

use std::io::Write;
use std::path::Path;

use preflight_core::problem::Problem;

/// Replaces a file's content in one step: written beside, flushed to disk, renamed over.
///
/// # Errors
/// `file.unwritable` with the path.
pub fn atomically(path: &Path, content: &[u8]) -> Result<(), Problem> {
    let write = || -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(content)?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|error| Problem::new("file.unwritable").with("path", path).because(&error))
}
