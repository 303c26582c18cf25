//! A place of its own in systemd's tree: where a desktop starts each app in a scope, what the app starts would be ended
//! with the scope (when memory runs out, or as the desktop sees fit).

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What comes before a command so that it runs in a scope of its own.
pub(crate) struct Scope {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
}

/// A scope of its own; `None`: there is no manager to ask for one.
pub(crate) fn scoped() -> Option<Scope> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let runtime = std::env::var_os("XDG_RUNTIME_DIR")?;
    if !Path::new(&runtime).join("systemd/private").exists() {
        return None;
    }
    let paths = std::env::var_os("PATH")?;
    let program = std::env::split_paths(&paths).map(|folder| folder.join("systemd-run")).find(|path| path.is_file())?;
    // The scope's first process is the command itself, with the same number and the same parent.
    let arguments = ["--user", "--scope", "--collect", "--quiet", "--"].map(Into::into).into();
    Some(Scope { program, arguments })
}
