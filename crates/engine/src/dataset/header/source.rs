//! Bytes at a position, with as few system calls as a header needs.

use std::fs::File;
use std::io;

use super::super::opener::read_at;

/// Where bytes come from.
pub(in crate::dataset) enum Bytes<'a> {
    File(&'a File),
    #[cfg(any(test, feature = "testing"))]
    Memory(&'a [u8]),
}

impl Bytes<'_> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => read_at(file, offset, buffer),
            #[cfg(any(test, feature = "testing"))]
            Self::Memory(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
                let count = rest.len().min(buffer.len());
                buffer[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            }
        }
    }
}

/// The first bytes of a file stay in memory; what lies farther in is read when asked for.
pub(in crate::dataset) struct Source<'a> {
    bytes: Bytes<'a>,
    length: u64,
    window: &'a mut Vec<u8>,
    /// Where the window begins.
    start: u64,
}

/// Read at once: the header of nearly every image lies within.
const WINDOW: usize = 4096;

impl<'a> Source<'a> {
    /// `window` is memory to be used again for the next file.
    pub(in crate::dataset) fn new(bytes: Bytes<'a>, length: u64, window: &'a mut Vec<u8>) -> Self {
        window.clear();
        Self { bytes, length, window, start: 0 }
    }

    pub(in crate::dataset) fn length(&self) -> u64 {
        self.length
    }

    /// Fills as much of the buffer as there is.
    pub(super) fn read_up_to(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(found) = self.held(offset, buffer.len()) {
            buffer.copy_from_slice(found);
            return Ok(buffer.len());
        }
        if buffer.len() > WINDOW {
            return self.fill(offset, buffer);
        }
        let mut window = std::mem::take(self.window);
        window.resize(WINDOW, 0);
        let count = self.fill(offset, &mut window)?;
        window.truncate(count);
        let count = count.min(buffer.len());
        buffer[..count].copy_from_slice(&window[..count]);
        *self.window = window;
        self.start = offset;
        Ok(count)
    }

    fn held(&self, offset: u64, length: usize) -> Option<&[u8]> {
        let start = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        self.window.get(start..start.checked_add(length)?)
    }

    fn fill(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        // Asking beyond the end would cost another call to learn nothing.
        let wanted = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX).min(buffer.len());
        let mut done = 0;
        while done < wanted {
            match self.bytes.read_at(offset + done as u64, &mut buffer[done..wanted]) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    /// Exactly this many bytes.
    ///
    /// # Errors
    /// [`super::Refusal::Truncated`] when the file ends before.
    pub(super) fn array<const N: usize>(&mut self, offset: u64) -> Result<[u8; N], super::Refusal> {
        let mut bytes = [0; N];
        if self.read_up_to(offset, &mut bytes)? < N { Err(super::Refusal::Truncated) } else { Ok(bytes) }
    }

    /// A piece of the file, cut at its end and at a size no header needs.
    pub(super) fn piece(&mut self, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        const MOST: u64 = 1 << 20;
        let length = length.min(MOST).min(self.length.saturating_sub(offset));
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
        let count = self.read_up_to(offset, &mut bytes)?;
        bytes.truncate(count);
        Ok(bytes)
    }
}
