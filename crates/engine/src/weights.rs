//! Where first weights are.

use std::io::Read;
use std::path::{Path, PathBuf};

use preflight_core::facts::{Fact, WeightsState};
use preflight_core::plan::{Plan, Weights};
use preflight_core::text::Message;

use crate::dirs::Dirs;

/// How every `.pt` file of torch since 1.6 begins: it is a zip archive.
const ZIP: [u8; 4] = *b"PK\x03\x04";

/// Looks for the plan's first weights, without loading them.
#[must_use]
pub fn locate(dirs: &Dirs, plan: &Plan) -> Fact<WeightsState> {
    let path = match plan.model.weights {
        Weights::Scratch => return Fact::Known(WeightsState::NotNeeded),
        Weights::Pretrained => pretrained(dirs, &plan.model.name),
        Weights::File if plan.model.file.as_os_str().is_empty() => {
            return Fact::Known(WeightsState::Missing { path: PathBuf::new() });
        }
        Weights::File => plan.model.file.clone(),
    };
    match look(&path) {
        Ok(state) => Fact::Known(state),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Fact::Known(WeightsState::Missing { path }),
        Err(error) => {
            let why = Message::new("reason-system-error").with("error", error.to_string());
            Fact::Known(WeightsState::Unreadable { path, why })
        }
    }
}

/// Where the published weights of a model are kept.
#[must_use]
pub fn pretrained(dirs: &Dirs, model: &str) -> PathBuf {
    dirs.weights().join(format!("{model}.pt"))
}

fn look(path: &Path) -> std::io::Result<WeightsState> {
    // Asked before it is opened: opening a pipe waits for its other end.
    if !std::fs::metadata(path)?.is_file() {
        return Ok(not_a_checkpoint(path));
    }
    let mut file = std::fs::File::open(path)?;
    let bytes = file.metadata()?.len();
    let mut start = [0; ZIP.len()];
    match file.read_exact(&mut start) {
        Ok(()) if start == ZIP => Ok(WeightsState::Present { path: path.to_owned(), bytes }),
        Ok(()) => Ok(not_a_checkpoint(path)),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(not_a_checkpoint(path)),
        Err(error) => Err(error),
    }
}

fn not_a_checkpoint(path: &Path) -> WeightsState {
    WeightsState::Unreadable { path: path.to_owned(), why: Message::new("reason-not-a-checkpoint") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(weights: Weights, file: &Path) -> Plan {
        let mut plan = Plan::default();
        plan.model.weights = weights;
        plan.model.file = file.to_owned();
        plan
    }

    #[test]
    fn weights_are_present_missing_or_something_else() {
        let home = tempfile::tempdir().unwrap();
        let dirs = Dirs::new(home.path());
        let pretrained = || locate(&dirs, &plan(Weights::Pretrained, Path::new("")));
        let path = dirs.weights().join("yolov8n.pt");
        assert_eq!(locate(&dirs, &plan(Weights::Scratch, Path::new(""))), Fact::Known(WeightsState::NotNeeded));
        assert_eq!(pretrained(), Fact::Known(WeightsState::Missing { path: path.clone() }));

        std::fs::create_dir_all(dirs.weights()).unwrap();
        std::fs::write(&path, b"PK\x03\x04 and more").unwrap();
        assert_eq!(pretrained(), Fact::Known(WeightsState::Present { path: path.clone(), bytes: 13 }));

        let why = Message::new("reason-not-a-checkpoint");
        for content in ["<html>404</html>", "", "PK"] {
            std::fs::write(&path, content).unwrap();
            assert_eq!(pretrained(), Fact::Known(WeightsState::Unreadable { path: path.clone(), why: why.clone() }));
        }
        let folder = locate(&dirs, &plan(Weights::File, home.path()));
        assert_eq!(folder, Fact::Known(WeightsState::Unreadable { path: home.path().to_owned(), why }));
    }
}
