//! How far packing an environment into a file, and installing it from one, says that it is.

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use preflight_core::environment::EnvironmentProgress;
use preflight_engine::dirs::Dirs;
use preflight_engine::environment::{OnProgress, kit};
use tokio_util::sync::CancellationToken;

/// What a package of this test takes in bytes: some steps of what is told.
const LARGE: usize = 40 << 20;

/// An environment with stand-ins of the packages that are tried, one of them large.
fn environment(folder: &Path) -> Option<()> {
    let made = Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(folder).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: python3 makes no environments here");
        return None;
    }
    let packages = std::fs::read_dir(folder.join("lib")).ok()?.flatten().next()?.path().join("site-packages");
    let torch = "__version__ = '2.15.0'\nclass version: cuda = None\nclass cuda:\n    is_available = staticmethod(lambda: False)\ntensor = list\n";
    let torchvision = "__version__ = '0.30.0'\nclass ops:\n    nms = staticmethod(lambda *boxes: [0])\n";
    for (name, module) in [("torch", torch), ("torchvision", torchvision), ("ultralytics", "__version__ = '8.4.190'\n")]
    {
        std::fs::create_dir_all(packages.join(name)).ok()?;
        std::fs::write(packages.join(name).join("__init__.py"), module).ok()?;
    }
    std::fs::write(packages.join("torch/libtorch.so"), vec![7; LARGE]).ok()
}

/// How far it was, each time that was told: done, of all.
type Told = Arc<Mutex<Vec<(u64, u64)>>>;

/// Keeps the bytes that are told, and ends the work at the first of them where that is wanted.
fn told(ends: Option<CancellationToken>) -> (OnProgress, Told) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&told);
    let progress = move |progress| {
        if let EnvironmentProgress::Installing { done, total, .. } = progress {
            kept.lock().unwrap().push((done, total));
            if let Some(cancel) = &ends {
                cancel.cancel();
            }
        }
    };
    (Arc::new(progress), told)
}

#[tokio::test]
async fn both_ways_tell_their_part_of_the_whole_and_leave_nothing_half_when_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (Dirs::new(folder.path().join("here")), Dirs::new(folder.path().join("there")));
    here.create().unwrap();
    if environment(&here.environment()).is_none() {
        return;
    }
    let file = folder.path().join("out/kit.zip");
    std::fs::create_dir(file.parent().unwrap()).unwrap();
    let cancel = CancellationToken::new();
    let (progress, _) = told(Some(cancel.clone()));
    let problem = kit::export(&here, &file, &[], progress, cancel).await.unwrap_err();
    assert_eq!(problem.code, "environment.cancelled");
    assert_eq!(std::fs::read_dir(file.parent().unwrap()).unwrap().count(), 0, "nothing is left of it");

    let (progress, packed) = told(None);
    let made = kit::export(&here, &file, &[], progress, CancellationToken::new()).await.unwrap();
    let (progress, installed) = told(None);
    kit::import(&there, &file, progress, CancellationToken::new()).await.unwrap();
    for told in [packed, installed] {
        let told = told.lock().unwrap();
        assert!(!told.is_empty());
        assert!(told.iter().all(|(done, total)| *total == made.bytes && done <= total), "{told:?}");
        assert!(told.is_sorted_by(|one, other| one.0 < other.0), "{told:?}");
    }

    let cancel = CancellationToken::new();
    let (progress, _) = told(Some(cancel.clone()));
    let again = Dirs::new(folder.path().join("again"));
    let problem = kit::import(&again, &file, progress, cancel).await.unwrap_err();
    assert_eq!(problem.code, "environment.cancelled");
    assert!(!again.environment().exists());
}
