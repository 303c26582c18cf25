//! The unfinished wizard, so that it survives a restart.

use std::io::ErrorKind;

use preflight_core::plan::Plan;
use preflight_core::problem::Problem;
use serde::{Deserialize, Serialize};

use crate::dirs::Dirs;

/// An unfinished wizard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The step a person is at; the window's own name for it.
    pub step: String,
    /// The furthest step a person reached.
    pub furthest: String,
    /// What was chosen so far.
    pub plan: Plan,
}

/// The unfinished wizard; `None`: there is none.
///
/// # Errors
/// `plan.draft-broken` with what is wrong, and in which line. It is kept aside as `draft.toml.broken`, and from then on
/// there is none.
pub fn read(dirs: &Dirs) -> Result<Option<Draft>, Problem> {
    let path = dirs.draft_file();
    let problem = Problem::new("plan.draft-broken");
    let problem = match std::fs::read_to_string(&path) {
        Ok(text) => match toml::from_str(&text) {
            Ok(draft) => return Ok(Some(draft)),
            Err(error) => {
                let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
                problem.because_text(format!("{}:{line}: {}", path.display(), error.message()))
            }
        },
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => problem.because(&error),
    };
    let aside = path.with_extension("toml.broken");
    // Were it not to be moved, the next draft would overwrite it: an unfinished wizard is worth no more.
    let _ = std::fs::rename(&path, &aside);
    Err(problem.with("path", aside.as_path()))
}

/// Keeps the unfinished wizard; `None` forgets it.
///
/// # Errors
/// `plan.unwritable` for a path that is not valid Unicode, `file.unwritable`.
pub fn write(dirs: &Dirs, draft: Option<&Draft>) -> Result<(), Problem> {
    let path = dirs.draft_file();
    let Some(draft) = draft else {
        return match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(Problem::new("file.unwritable").with("path", path.as_path()).because(&error))
            }
            _ => Ok(()),
        };
    };
    let text = toml::to_string(draft).map_err(|error| Problem::new("plan.unwritable").because(&error))?;
    crate::write::atomically(&path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_is_kept_until_it_is_forgotten() {
        let home = tempfile::tempdir().unwrap();
        let dirs = Dirs::new(home.path());
        let draft = Draft { step: "model".to_owned(), furthest: "target".to_owned(), plan: Plan::default() };
        assert_eq!(read(&dirs), Ok(None));
        write(&dirs, None).unwrap();
        write(&dirs, Some(&draft)).unwrap();
        assert_eq!(read(&dirs), Ok(Some(draft)));
        write(&dirs, None).unwrap();
        assert_eq!(read(&dirs), Ok(None));
    }

    #[test]
    fn a_draft_that_cannot_be_read_is_kept_aside() {
        let home = tempfile::tempdir().unwrap();
        let dirs = Dirs::new(home.path());
        for broken in [&b"step = "[..], b"\xff"] {
            std::fs::write(dirs.draft_file(), broken).unwrap();
            let problem = read(&dirs).unwrap_err();
            let aside = dirs.draft_file().with_extension("toml.broken");
            assert_eq!((problem.code.as_str(), &problem.args["path"]), ("plan.draft-broken", &aside.as_path().into()));
            assert_eq!(read(&dirs), Ok(None));
            assert!(!dirs.draft_file().exists());
            assert_eq!(std::fs::read(dirs.draft_file().with_extension("toml.broken")).unwrap(), broken);
        }
    }
}
