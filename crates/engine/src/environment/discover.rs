//! Where Pythons with Ultralytics may be.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::python;

/// How a variable of the environment is looked up.
pub(super) type Lookup = Box<dyn Fn(&str) -> Option<OsString> + Send + Sync>;

/// What a person's computer says: variables, home folder, working folder, the system's configuration.
pub(super) struct Surroundings {
    pub(super) variable: Lookup,
    pub(super) home: Option<PathBuf>,
    pub(super) current: Option<PathBuf>,
    pub(super) system: PathBuf,
}

impl Surroundings {
    /// This process's.
    pub(super) fn of_this_process() -> Self {
        Self {
            variable: Box::new(|name| std::env::var_os(name).filter(|value| !value.is_empty())),
            home: etcetera::home_dir().ok(),
            current: std::env::current_dir().ok(),
            system: "/etc".into(),
        }
    }

    /// Pythons worth trying, the likeliest first, each once. None is started.
    pub(super) fn candidates(&self) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = Vec::new();
        let mut add = |python: PathBuf| {
            // The link is kept as it is: a virtual environment's Python is a link to the one it was made from.
            if python.is_file() && !found.iter().any(|known| same_place(known, &python)) {
                found.push(python);
            }
        };
        for name in ["VIRTUAL_ENV", "CONDA_PREFIX"] {
            (self.variable)(name).into_iter().for_each(|prefix| add(in_prefix(Path::new(&prefix))));
        }
        if let Some(current) = &self.current {
            [".venv", "venv"].iter().for_each(|name| add(in_prefix(&current.join(name))));
        }
        if let Some(home) = &self.home {
            // conda writes every environment it makes into this file.
            let listed = std::fs::read_to_string(home.join(".conda").join("environments.txt")).unwrap_or_default();
            listed
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .for_each(|line| add(in_prefix(Path::new(line))));
            for parent in [".virtualenvs", ".pyenv/versions"] {
                folders(&home.join(parent)).iter().for_each(|prefix| add(in_prefix(prefix)));
            }
            // What `uv tool install ultralytics` and `pipx install ultralytics` make.
            for prefix in [".local/share/uv/tools/ultralytics", ".local/share/pipx/venvs/ultralytics"] {
                add(in_prefix(&home.join(prefix)));
            }
        }
        if let Some(path) = (self.variable)("PATH") {
            let names: &[&str] = if cfg!(windows) { &["python.exe"] } else { &["python3", "python"] };
            for folder in std::env::split_paths(&path).filter(|folder| folder.is_absolute()) {
                names.iter().for_each(|name| add(folder.join(name)));
            }
        }
        found
    }
}

/// The Python of a prefix: virtual environments and conda keep it in different places on Windows.
fn in_prefix(prefix: &Path) -> PathBuf {
    let usual = python::of(prefix);
    if cfg!(windows) && !usual.is_file() { prefix.join("python.exe") } else { usual }
}

/// The same program reached through the same folder, whatever it is called there (`python`, `python3`).
fn same_place(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        folder.zip(path.canonicalize().ok())
    };
    matches!((place(one), place(other)), (Some(one), Some(other)) if one == other)
}

fn folders(parent: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(parent)
        .map(|entries| entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect())
        .unwrap_or_default();
    folders.sort();
    folders
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn python(prefix: &Path) -> PathBuf {
        let path = prefix.join("bin/python");
        std::fs::create_dir_all(prefix.join("bin")).unwrap();
        std::fs::write(&path, "").unwrap();
        path
    }

    #[test]
    fn each_place_once_and_the_active_one_first() {
        let home = tempfile::tempdir().unwrap();
        let active = python(&home.path().join("my env"));
        let conda = python(&home.path().join("miniconda3/envs/yolo"));
        let pyenv = python(&home.path().join(".pyenv/versions/3.11.7"));
        std::fs::create_dir(home.path().join(".conda")).unwrap();
        let listed = format!("{}\n/gone/env\n\n", home.path().join("miniconda3/envs/yolo").display());
        std::fs::write(home.path().join(".conda/environments.txt"), listed).unwrap();
        std::os::unix::fs::symlink("python", home.path().join("my env/bin/python3")).unwrap();
        let prefix = home.path().join("my env");
        let surroundings = Surroundings {
            variable: Box::new(move |name| match name {
                "VIRTUAL_ENV" => Some(prefix.clone().into()),
                "PATH" => Some(std::env::join_paths([prefix.join("bin"), PathBuf::from("relative")]).unwrap()),
                _ => None,
            }),
            home: Some(home.path().to_owned()),
            current: None,
            system: PathBuf::new(),
        };
        assert_eq!(surroundings.candidates(), [active, conda, pyenv]);
    }
}
