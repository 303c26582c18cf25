//! The environment variables that commands get.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{At, Failure, Outcome};
use crate::project::Project;

/// What may appear in the tests' home: what the package managers keep.
const CACHES: [&str; 5] = [".cargo", ".npm", ".cache/pip", ".cache/uv", ".local/share/uv"];

/// The variables that commands get beside this process's own.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    set: Vec<(OsString, OsString)>,
    removed: Vec<&'static str>,
    home: Option<PathBuf>,
}

impl Surroundings {
    /// As this process has them.
    pub(crate) fn own() -> Self {
        Self::default()
    }

    /// An empty home and no trace of the person's settings, so that tests see the same on every machine. Package
    /// caches, and the package managers' settings for mirrors and certificates, stay where they are.
    pub(crate) fn hermetic(project: &Project) -> Outcome<Self> {
        let home = project.work.join("home");
        if home.exists() {
            std::fs::remove_dir_all(&home).at(&home)?;
        }
        let runtime = project.work.join("runtime");
        for folder in [&home, &runtime] {
            std::fs::create_dir_all(folder).at(folder)?;
        }
        restrict(&runtime)?;
        let mut this = Self { home: Some(home.clone()), ..Self::default() };

        let real = |variable: &str, below: &str| {
            std::env::var_os(variable).map(PathBuf::from).or_else(|| real_home().map(|home| home.join(below)))
        };
        let cache = real("XDG_CACHE_HOME", ".cache");
        let config = real("XDG_CONFIG_HOME", ".config");
        let below = |folder: &Option<PathBuf>, name: &str| folder.as_ref().map(|folder| folder.join(name));
        this.keep("CARGO_HOME", real("CARGO_HOME", ".cargo"));
        this.keep("RUSTUP_HOME", real("RUSTUP_HOME", ".rustup"));
        this.keep("npm_config_cache", real("npm_config_cache", ".npm"));
        this.keep("UV_CACHE_DIR", below(&cache, "uv"));
        this.keep("PIP_CACHE_DIR", below(&cache, "pip"));
        this.keep_file("NPM_CONFIG_USERCONFIG", real("NPM_CONFIG_USERCONFIG", ".npmrc"));
        this.keep_file("PIP_CONFIG_FILE", below(&config, "pip/pip.conf"));
        this.keep_file("UV_CONFIG_FILE", below(&config, "uv/uv.toml"));
        this.keep_file("GIT_CONFIG_GLOBAL", real("GIT_CONFIG_GLOBAL", ".gitconfig"));

        this.set("HOME", &home);
        this.set("USERPROFILE", &home);
        this.set("XDG_CONFIG_HOME", home.join(".config"));
        this.set("XDG_CACHE_HOME", home.join(".cache"));
        this.set("XDG_DATA_HOME", home.join(".local/share"));
        this.set("XDG_STATE_HOME", home.join(".local/state"));
        this.set("XDG_RUNTIME_DIR", &runtime);
        this.removed = vec![
            "PREFLIGHT_HOME",
            "YOLO_CONFIG_DIR",
            "VIRTUAL_ENV",
            "CONDA_PREFIX",
            "WAYLAND_DISPLAY",
            "DBUS_SESSION_BUS_ADDRESS",
        ];
        Ok(this)
    }

    /// Sets one more variable.
    pub(crate) fn set(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.set.push((name.into(), value.as_ref().into()));
    }

    fn keep(&mut self, name: &str, folder: Option<PathBuf>) {
        if let (None, Some(folder)) = (std::env::var_os(name), folder) {
            self.set(name, folder);
        }
    }

    fn keep_file(&mut self, name: &str, file: Option<PathBuf>) {
        self.keep(name, file.filter(|file| file.exists()));
    }

    /// A command in these surroundings, in the repository.
    pub(crate) fn command(&self, project: &Project, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&project.root);
        for name in &self.removed {
            command.env_remove(name);
        }
        command.envs(self.set.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Fails when anything but package caches appeared in the tests' home.
    pub(crate) fn check_home(&self) -> Outcome {
        let Some(home) = &self.home else { return Ok(()) };
        let mut strays = Vec::new();
        collect_strays(home, home, &mut strays)?;
        if strays.is_empty() {
            return Ok(());
        }
        strays.sort();
        let list = strays.iter().map(|path| format!("\n  ~/{}", path.display())).collect::<String>();
        Err(Failure::new(format!("The tests wrote into the home folder:{list}"))
            .remedy("give what wrote it a folder of its own (HOME, XDG_*, PREFLIGHT_HOME) in the test"))
    }
}

fn collect_strays(home: &Path, folder: &Path, strays: &mut Vec<PathBuf>) -> Outcome {
    for entry in std::fs::read_dir(folder).at(folder)? {
        let path = entry.at(folder)?.path();
        let name = path.strip_prefix(home).unwrap_or(&path);
        if CACHES.iter().any(|cache| name == Path::new(cache)) {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            collect_strays(home, &path, strays)?;
        } else {
            strays.push(name.to_owned());
        }
    }
    Ok(())
}

fn real_home() -> Option<PathBuf> {
    std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from)
}

#[cfg(unix)]
fn restrict(folder: &Path) -> Outcome {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700)).at(folder)
}

#[cfg(not(unix))]
fn restrict(_folder: &Path) -> Outcome {
    Ok(())
}
