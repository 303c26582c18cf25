//! What a run can go on from.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::folder::{CHECKPOINT, Folder, OUTPUT};

/// The checkpoints of a run that are whole, relative to its folder, the likely newest first. Which of them training can
/// go on from only the trainer can tell. Blocks: reads each to its end.
pub(super) fn whole(folder: &Folder) -> Vec<PathBuf> {
    let weights = Path::new(OUTPUT).join("weights");
    let candidates = [weights.join("last.pt"), PathBuf::from(CHECKPOINT), weights.join("best.pt")];
    candidates.into_iter().filter(|candidate| is_whole(&folder.path().join(candidate)).unwrap_or(false)).collect()
}

/// Whether a checkpoint, which is a ZIP archive, holds what it says: a torn one lacks its directory, one with holes
/// does not fit its checksums.
fn is_whole(path: &Path) -> io::Result<bool> {
    let file = io::BufReader::with_capacity(1 << 20, File::open(path)?);
    let Ok(mut archive) = zip::ZipArchive::new(file) else { return Ok(false) };
    for index in 0..archive.len() {
        let Ok(mut entry) = archive.by_index(index) else { return Ok(false) };
        if io::copy(&mut entry, &mut io::sink()).is_err() {
            return Ok(false);
        }
    }
    Ok(!archive.is_empty())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_torn_or_damaged_checkpoint_is_none() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("last.pt");
        let mut archive = zip::ZipWriter::new(File::create(&path).unwrap());
        let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        archive.start_file("archive/data/0", stored).unwrap();
        archive.write_all(&[7; 10_000]).unwrap();
        archive.finish().unwrap();
        assert!(is_whole(&path).unwrap());

        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert!(!is_whole(&path).unwrap());
        let mut holed = bytes.clone();
        holed[5_000] = 0;
        std::fs::write(&path, holed).unwrap();
        assert!(!is_whole(&path).unwrap());
        std::fs::write(&path, "").unwrap();
        assert!(!is_whole(&path).unwrap());
        std::fs::write(&path, bytes).unwrap();
        assert!(is_whole(&path).unwrap());
    }
}
