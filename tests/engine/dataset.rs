//! Datasets on disk.

mod archive;
mod broken;
mod browse;
mod cache;
mod convert;
mod fix;
mod folder;
mod health;
mod making;
mod pictures;
mod places;
mod sample;
mod strange;
mod tasks;
mod ultralytics;
mod watch;

use std::path::{Path, PathBuf};

use preflight_core::dataset::{Dataset, Split, SplitKind};
use preflight_core::finding::{Finding, Severity};
use tokio_util::sync::CancellationToken;

/// Reads a dataset that can be read.
#[track_caller]
fn scan(path: &Path) -> Dataset {
    preflight_engine::dataset::scan(path, &|_, _| {}, &CancellationToken::new()).unwrap()
}

/// The code of the problem for which a dataset cannot be read.
#[track_caller]
fn refused(path: &Path) -> String {
    preflight_engine::dataset::scan(path, &|_, _| {}, &CancellationToken::new()).unwrap_err().code
}

/// Codes of findings of at least this severity.
fn codes(dataset: &Dataset, severity: Severity) -> Vec<&str> {
    dataset.findings.iter().filter(|finding| finding.severity >= severity).map(|f| f.code.as_str()).collect()
}

#[track_caller]
fn finding<'d>(dataset: &'d Dataset, code: &str) -> &'d Finding {
    dataset
        .findings
        .iter()
        .find(|finding| finding.code == code)
        .unwrap_or_else(|| panic!("{code} is not among {:?}", codes(dataset, Severity::Ok)))
}

#[track_caller]
fn split(dataset: &Dataset, kind: SplitKind) -> &Split {
    dataset.split(kind).unwrap()
}

/// Real data, where the environment names some.
fn shared_data(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("PREFLIGHT_DATA") else {
        eprintln!("skipped: PREFLIGHT_DATA does not name a folder with real datasets");
        return None;
    };
    let folder = Path::new(&folder).join("datasets").join(name);
    assert!(folder.is_dir(), "{} is not there", folder.display());
    Some(folder)
}

#[test]
fn real_data_has_the_counts_that_are_known() {
    let Some(folder) = shared_data("coco128") else { return };
    let dataset = scan(&folder);
    let counts = |kind| {
        let split = split(&dataset, kind);
        (split.images, split.labelled, split.background, split.corrupt, split.instances)
    };
    assert_eq!(counts(SplitKind::Train), (128, 126, 2, 0, 929));
    assert_eq!(dataset.names.len(), 80);
    assert_eq!(codes(&dataset, Severity::Blocker), Vec::<&str>::new());
}
