//! What files take on disk.

use std::path::Path;

/// Bytes that become free when a folder goes: what links lead to stays, and so does what has another name elsewhere.
/// Blocks for as long as looking at every file takes.
#[must_use]
pub(crate) fn freed_by(folder: &Path) -> u64 {
    walkdir::WalkDir::new(folder).into_iter().flatten().filter_map(|entry| own_bytes(&entry)).sum()
}

#[cfg(unix)]
fn own_bytes(entry: &walkdir::DirEntry) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    let metadata = entry.metadata().ok()?;
    (metadata.is_dir() || metadata.nlink() == 1).then(|| metadata.blocks() * 512)
}

#[cfg(not(unix))]
fn own_bytes(entry: &walkdir::DirEntry) -> Option<u64> {
    entry.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len())
}
