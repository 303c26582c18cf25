//! How far packing or unpacking is.

use std::io::{self, Read, Write};

use preflight_core::environment::EnvironmentProgress;
use tokio_util::sync::CancellationToken;

use super::{Kit, OnProgress};

/// Told in steps of this many bytes.
const STEP: u64 = 16 << 20;
/// Copied at a time.
const CHUNK: usize = 64 << 10;

/// How far packing or unpacking is.
pub(super) struct Steps {
    progress: OnProgress,
    done: u64,
    said: u64,
    total: u64,
}

impl Steps {
    /// Of all that is in a kit.
    pub(super) fn of(kit: &Kit, progress: &OnProgress) -> Self {
        Self { progress: progress.clone(), done: 0, said: 0, total: kit.bytes }
    }

    /// Copies, and tells as it goes: one library of torch can be larger than all the rest. Answers the bytes; `None`: it
    /// was cancelled.
    pub(super) fn copy(
        &mut self,
        from: &mut impl Read,
        to: &mut impl Write,
        name: &str,
        cancel: &CancellationToken,
    ) -> io::Result<Option<u64>> {
        let mut buffer = vec![0; CHUNK];
        let mut copied = 0;
        while !cancel.is_cancelled() {
            let read = match from.read(&mut buffer) {
                Ok(0) => return Ok(Some(copied)),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            to.write_all(&buffer[..read])?;
            copied += read as u64;
            self.more(read as u64, name);
        }
        Ok(None)
    }

    /// So many bytes more are done.
    pub(super) fn more(&mut self, bytes: u64, name: &str) {
        self.done += bytes;
        if self.done >= self.said + STEP {
            self.said = self.done;
            let total = self.total.max(self.done);
            (self.progress)(EnvironmentProgress::Installing { done: self.done, total, line: name.to_owned() });
        }
    }
}
