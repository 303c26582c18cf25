//! Packed datasets. What comes out of an archive stays in its folder and within bounds, whatever the archive says.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};

use preflight_core::dataset::tally::{Fault, Faults};
use preflight_core::finding::Finding;
use preflight_core::problem::Problem;
use tokio_util::sync::CancellationToken;
use zip::ZipArchive;

use super::output;

/// Entries of an archive. ImageNet, with a file for every image and label, has less than three million.
const MOST_ENTRIES: usize = 4_000_000;
/// The largest size in all, in bytes: 2 TiB.
const MOST_BYTES: u64 = 2 << 40;

/// How much may come out of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// So many bytes come out of any.
    pub always: u64,
    /// So many times its size may come out of a larger one.
    pub ratio: u64,
}

impl Default for Bounds {
    /// Images hardly shrink, and text shrinks at best by a factor of 20; the most that deflate can do is 1,032.
    fn default() -> Self {
        Self { always: 256 << 20, ratio: 50 }
    }
}

/// A dataset that came out of an archive.
#[derive(Debug, Clone, PartialEq)]
pub struct Unpacked {
    /// The folder to read: the one folder in the archive that holds everything, else the whole.
    pub folder: PathBuf,
    /// Entries that were left out.
    pub findings: Vec<Finding>,
}

/// A folder that is gone when this is dropped.
#[derive(Debug)]
pub struct Temporary(tempfile::TempDir);

impl Temporary {
    /// Makes one where the system keeps such folders.
    ///
    /// # Errors
    /// `file.unwritable`.
    pub fn new() -> Result<Self, Problem> {
        let made = tempfile::Builder::new().prefix("preflight-dataset-").tempdir();
        made.map(Self).map_err(|error| {
            Problem::new("file.unwritable").with("path", std::env::temp_dir().as_path()).because(&error)
        })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Whether a file is a zip archive, by its first bytes.
#[must_use]
pub fn is_zip(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = super::opener::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && matches!(&start, b"PK\x03\x04" | b"PK\x05\x06")
}

/// Unpacks a zip archive into a folder that is empty or not there yet.
///
/// # Errors
/// `dataset.archive-damaged`, `dataset.archive-encrypted`, `dataset.archive-too-large`, `dataset.folder-not-empty`,
/// `dataset.cancelled`, `dataset.unreadable`, `file.unwritable`.
pub fn unpack(
    path: &Path,
    to: &Path,
    bounds: Bounds,
    progress: &(dyn Fn(u32, u32) + Send + Sync),
    cancel: &CancellationToken,
) -> Result<Unpacked, Problem> {
    let unreadable =
        |error: &dyn std::error::Error| Problem::new("dataset.unreadable").with("path", path).because(error);
    let damaged =
        |error: &dyn std::error::Error| Problem::new("dataset.archive-damaged").with("path", path).because(error);
    let too_large = || Problem::new("dataset.archive-too-large").with("path", path);
    let file = super::opener::open(path).map_err(|error| unreadable(&error))?;
    let length = file.metadata().map_err(|error| unreadable(&error))?.len();
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| damaged(&error))?;
    if archive.len() > MOST_ENTRIES {
        return Err(too_large());
    }
    let folder = output::new_folder(to, path)?;
    let mut left = bounds.always.max(length.saturating_mul(bounds.ratio)).min(MOST_BYTES);
    let total = u32::try_from(archive.len()).unwrap_or(u32::MAX);
    let mut faults = Faults::default();
    for (done, index) in (1..).zip(0..archive.len()) {
        if cancel.is_cancelled() {
            return Err(super::cancelled());
        }
        let entry = archive.by_index_raw(index).map_err(|error| damaged(&error))?;
        let shown = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let (encrypted, link, is_folder, name) =
            (entry.encrypted(), entry.is_symlink(), entry.is_dir(), entry.enclosed_name());
        drop(entry);
        if encrypted {
            return Err(Problem::new("dataset.archive-encrypted").with("path", path));
        }
        let mut leave_out = |what| faults.add(&Fault::image(what).saying(shown.as_str()), path);
        // A name that leads out of the folder, and a link, which could.
        let Some(name) = name.filter(|name| !link && is_plain(name)) else {
            leave_out("archive-entry-unsafe");
            continue;
        };
        let to = folder.join(&name);
        if is_folder {
            output::make_folder(&to)?;
            continue;
        }
        if let Some(parent) = to.parent() {
            output::make_folder(parent)?;
        }
        let mut file = match File::create_new(&to) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                leave_out("archive-entry-twice");
                continue;
            }
            Err(error) => return Err(Problem::new("file.unwritable").with("path", to.as_path()).because(&error)),
        };
        let entry = archive.by_index(index).map_err(|error| damaged(&error))?;
        // What the archive says about sizes is not believed: what comes out is counted.
        let written = copy(entry, &mut file, left).map_err(|error| match error {
            Copying::Read(error) => damaged(&error),
            Copying::Write(error) => Problem::new("file.unwritable").with("path", to.as_path()).because(&error),
        })?;
        left = left.checked_sub(written).ok_or_else(too_large)?;
        progress(done, total);
    }
    Ok(Unpacked { folder: only_folder(&folder).unwrap_or(folder), findings: faults.findings(0) })
}

fn is_plain(name: &Path) -> bool {
    name.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

enum Copying {
    Read(io::Error),
    Write(io::Error),
}

/// Copies up to one byte more than `most`.
fn copy(from: impl Read, to: &mut File, most: u64) -> Result<u64, Copying> {
    let mut from = from.take(most.saturating_add(1));
    let mut buffer = vec![0; 1 << 16];
    let mut done = 0;
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(done),
            Ok(count) => {
                to.write_all(&buffer[..count]).map_err(Copying::Write)?;
                done += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Copying::Read(error)),
        }
    }
}

/// The one folder that everything in a folder is in. What systems add of their own does not count.
fn only_folder(folder: &Path) -> Option<PathBuf> {
    let mut found = None;
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let name = entry.file_name();
        if name == "__MACOSX" || name == ".DS_Store" {
            continue;
        }
        if found.is_some() || !entry.file_type().ok()?.is_dir() {
            return None;
        }
        found = Some(entry.path());
    }
    // `images` or `train` alone is a part of the dataset, not its folder.
    found.filter(|path| {
        path.file_name().is_some_and(|name| !["images", "train", "labels"].iter().any(|part| name == *part))
    })
}
