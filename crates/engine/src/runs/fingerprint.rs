//! What identifies the dataset a run trains on.

use std::fmt::Write as _;
use std::path::Path;

use preflight_core::dataset::paths;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;
use walkdir::WalkDir;

/// SHA-256, in hexadecimal, over a shadow tree: names and sizes of the images, names and content of the labels, the
/// class names. `None`: it could not be read, or was cancelled. Blocks.
pub(super) fn of(shadow: &Path, cancel: &CancellationToken) -> Option<String> {
    let mut hash = Sha256::new();
    let declaration = std::fs::read_to_string(crate::shadow::yaml(shadow)).ok()?;
    // Its first line says where it lies.
    for line in declaration.lines().filter(|line| !line.starts_with("path:")) {
        part(&mut hash, line.as_bytes());
    }
    let images = WalkDir::new(shadow.join("images")).follow_links(true).sort_by_file_name();
    for entry in images {
        let entry = entry.ok()?;
        if cancel.is_cancelled() {
            return None;
        }
        if !entry.file_type().is_file() {
            continue;
        }
        let name = entry.path().strip_prefix(shadow).ok()?;
        part(&mut hash, name.to_string_lossy().replace('\\', "/").as_bytes());
        part(&mut hash, &entry.metadata().ok()?.len().to_le_bytes());
        // An image may have no label.
        part(&mut hash, &std::fs::read(paths::label_path(entry.path())).unwrap_or_default());
    }
    Some(hash.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// A part with its length, so that no two lists of parts look alike.
fn part(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(label: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["images/train", "labels/train"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        let path = folder.path().display();
        std::fs::write(folder.path().join("data.yaml"), format!("path: \"{path}\"\nnames:\n  0: \"a\"\n")).unwrap();
        std::fs::write(folder.path().join("images/train/1.jpg"), "picture").unwrap();
        std::fs::write(folder.path().join("labels/train/1.txt"), label).unwrap();
        folder
    }

    #[test]
    fn the_same_dataset_has_the_same_wherever_it_lies() {
        let mark = |label| of(tree(label).path(), &CancellationToken::new()).unwrap();
        assert_eq!(mark("0 0.5 0.5 1 1"), mark("0 0.5 0.5 1 1"));
        assert_ne!(mark("0 0.5 0.5 1 1"), mark("1 0.5 0.5 1 1"));
        assert_eq!(mark("").len(), 64);
    }
}
