#![no_main]

use preflight_core::diagnosis::{Scan, Source};

// Any bytes as a log, in pieces: an answer, whose evidence is within the log.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut scan = Scan::new();
    let cut = usize::from(bytes.first().copied().unwrap_or_default()) * 97 + 1;
    for piece in bytes.chunks(cut) {
        scan.feed(piece);
        scan.settle();
    }
    scan.know(&String::from_utf8_lossy(&bytes[..bytes.len().min(200)]));
    for quote in scan.diagnose().quotes {
        assert!(quote.start <= quote.end && (quote.source == Source::Context || quote.end <= bytes.len() as u64));
    }
});
