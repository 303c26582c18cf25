//! Files by their name in a folder that is already open: the system need not walk the whole path for each.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
#[cfg(not(unix))]
use std::time::SystemTime;

/// What identifies a file's content without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Stamp {
    /// Nanoseconds since 1970, wrapped.
    modified: u64,
    /// In bytes.
    pub(super) length: u64,
}

impl Stamp {
    /// No file.
    pub(super) const ABSENT: Self = Self { modified: 0, length: u64::MAX };
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    Other,
}

/// A folder that files are opened in.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    #[cfg(unix)]
    open: Option<std::os::fd::OwnedFd>,
    /// Whether files are asked for without noting that they were read.
    #[cfg(unix)]
    unnoticed: std::cell::Cell<bool>,
}

/// Has the system not note in a file when it was read: without it, reading a million files for the first time writes
/// a million inodes. Only a file's owner may ask for it.
#[cfg(target_os = "linux")]
const UNNOTICED: rustix::fs::OFlags = rustix::fs::OFlags::NOATIME;
#[cfg(all(unix, not(target_os = "linux")))]
const UNNOTICED: rustix::fs::OFlags = rustix::fs::OFlags::empty();

#[cfg(unix)]
impl Folder {
    pub(super) fn new(path: PathBuf) -> Self {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let open = rustix::fs::open(&path, flags, Mode::empty()).ok();
        Self { path, open, unnoticed: std::cell::Cell::new(true) }
    }

    /// Opens a file to read it, without waiting for anybody to write to a pipe that lies among the images.
    pub(super) fn open(&self, name: &OsStr) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags};
        let Some(folder) = &self.open else { return open(&self.path.join(name)) };
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        if self.unnoticed.get() {
            match rustix::fs::openat(folder, name, flags | UNNOTICED, Mode::empty()) {
                Err(rustix::io::Errno::PERM) => self.unnoticed.set(false),
                answer => return Ok(answer?.into()),
            }
        }
        Ok(rustix::fs::openat(folder, name, flags, Mode::empty())?.into())
    }

    /// What a file is now.
    pub(super) fn stamp(&self, name: &OsStr) -> Stamp {
        let found = match &self.open {
            Some(folder) => rustix::fs::statat(folder, name, rustix::fs::AtFlags::empty()),
            None => rustix::fs::stat(self.path.join(name)),
        };
        found.map_or(Stamp::ABSENT, |found| of(&found).0)
    }
}

#[cfg(unix)]
fn of(found: &rustix::fs::Stat) -> (Stamp, Kind) {
    use rustix::fs::FileType;
    let kind = match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        _ => Kind::Other,
    };
    #[expect(clippy::unnecessary_cast, reason = "the fields have other types on other systems")]
    let modified = (found.st_mtime as u64).wrapping_mul(1_000_000_000).wrapping_add(found.st_mtime_nsec as u64);
    let length = u64::try_from(found.st_size).unwrap_or(0);
    (Stamp { modified, length }, kind)
}

/// What an open file is.
#[cfg(unix)]
pub(super) fn look(file: &File) -> io::Result<(Stamp, Kind)> {
    Ok(of(&rustix::fs::fstat(file)?))
}

#[cfg(not(unix))]
impl Folder {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    pub(super) fn open(&self, name: &OsStr) -> io::Result<File> {
        open(&self.path.join(name))
    }

    pub(super) fn stamp(&self, name: &OsStr) -> Stamp {
        std::fs::metadata(self.path.join(name)).map_or(Stamp::ABSENT, |found| of(&found).0)
    }
}

#[cfg(not(unix))]
fn of(found: &std::fs::Metadata) -> (Stamp, Kind) {
    let modified = found.modified().ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    #[expect(clippy::cast_possible_truncation, reason = "wraps after five centuries; only compared")]
    let modified = modified.map_or(0, |since| since.as_nanos() as u64);
    let kind = match found.file_type() {
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Folder,
        _ => Kind::Other,
    };
    (Stamp { modified, length: found.len() }, kind)
}

#[cfg(not(unix))]
pub(super) fn look(file: &File) -> io::Result<(Stamp, Kind)> {
    Ok(of(&file.metadata()?))
}

/// Opens a file to read it, without waiting for anybody to write to a pipe.
pub(super) fn open(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let with =
            |flags: rustix::fs::OFlags| File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path);
        match with(rustix::fs::OFlags::NONBLOCK | UNNOTICED) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => with(rustix::fs::OFlags::NONBLOCK),
            answer => answer,
        }
    }
    #[cfg(not(unix))]
    File::open(path)
}

/// Reads at a place of a file.
pub(super) fn read_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_at(file, buffer, offset);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_read(file, buffer, offset);
}
