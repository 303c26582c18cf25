//! A weights file is a zip archive: its description, and the numbers beside it.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use md5::Md5;
use preflight_core::text::Message;
use preflight_core::weights::{self, Contents};
use sha2::{Digest, Sha256};
use zip::ZipArchive;

/// A description is a few hundred kilobytes; what is larger is none.
const LONGEST_DESCRIPTION: u64 = 64 << 20;
/// So many times its size may come out of a file: numbers hardly shrink, and torch does not even try.
const MOST_SHRUNK: u64 = 20;
/// How every `.pt` file of torch since 1.6 begins.
const ZIP: [u8; 4] = *b"PK\x03\x04";

/// A whole file that was looked through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examined {
    /// Its size.
    pub bytes: u64,
    /// In lower-case hex.
    pub sha256: String,
    pub(super) md5: String,
    /// What it holds.
    pub contents: Contents,
}

/// Reads a whole file: every entry of the archive has the checksum that the archive tells, and every number that the
/// description names is there.
///
/// # Errors
/// What the file system says; a file that can be read and is no whole weights file is the inner error, a `reason-…`.
pub(super) fn examine(path: &Path) -> std::io::Result<Result<Examined, Message>> {
    // Asked before it is opened: opening a pipe waits for its other end.
    if !std::fs::metadata(path)?.is_file() {
        return Ok(Err(Message::new("reason-not-a-checkpoint")));
    }
    let mut file = File::open(path)?;
    let mut start = Vec::new();
    (&mut file).take(ZIP.len() as u64).read_to_end(&mut start)?;
    if start != ZIP {
        return Ok(Err(Message::new("reason-not-a-checkpoint")));
    }
    file.rewind()?;
    let (mut sha256, mut md5, mut bytes) = (Sha256::new(), Md5::new(), 0);
    let mut chunk = vec![0; 1 << 16];
    loop {
        match file.read(&mut chunk)? {
            0 => break,
            read => {
                sha256.update(&chunk[..read]);
                md5.update(&chunk[..read]);
                bytes += read as u64;
            }
        }
    }
    file.rewind()?;
    Ok(contents(file, bytes).map(|contents| Examined {
        bytes,
        sha256: hex(&sha256.finalize()),
        md5: hex(&md5.finalize()),
        contents,
    }))
}

/// Bytes as checksums are written.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a file of so many bytes holds.
fn contents(file: File, bytes: u64) -> Result<Contents, Message> {
    let damaged = |error: String| Message::new("reason-weights-damaged").with("error", error);
    // The directory of an archive is at its end: without it, the file is cut off.
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|_| Message::new("reason-weights-cut-off"))?;
    let mut left = bytes.saturating_mul(MOST_SHRUNK).saturating_add(LONGEST_DESCRIPTION);
    let mut sizes = HashMap::new();
    let mut description = None;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| damaged(error.to_string()))?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        // `archive/data.pkl`, `archive/data/17`: the first folder has any name.
        let inner = name.split_once('/').map_or(name.as_str(), |(_, inner)| inner).to_owned();
        let read = if inner == "data.pkl" && entry.size() <= LONGEST_DESCRIPTION {
            // What the archive says about sizes is not believed.
            let mut text = Vec::new();
            let read = (&mut entry).take(LONGEST_DESCRIPTION + 1).read_to_end(&mut text).map(|read| read as u64);
            if text.len() as u64 > LONGEST_DESCRIPTION {
                return Err(damaged(name));
            }
            description = Some(text);
            read
        } else {
            let most = left;
            std::io::copy(&mut (&mut entry).take(most.saturating_add(1)), &mut std::io::sink())
        };
        // Reading an entry to its end compares its checksum.
        let read = read.map_err(|error| damaged(format!("{name}: {error}")))?;
        left = left.checked_sub(read).ok_or_else(|| damaged(name.clone()))?;
        if let Some(key) = inner.strip_prefix("data/") {
            sizes.insert(key.to_owned(), read);
        }
    }
    let Some(description) = description else { return Err(Message::new("reason-not-a-checkpoint")) };
    let (contents, stored) = weights::read(&description).map_err(damaged)?;
    match stored.iter().find(|stored| sizes.get(&stored.key) != Some(&stored.bytes)) {
        Some(stored) => Err(damaged(format!("data/{}", stored.key))),
        None => Ok(contents),
    }
}
