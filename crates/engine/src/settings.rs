//! What a person set, in `settings.toml`.

use std::path::{Path, PathBuf};

use preflight_core::problem::Problem;
use preflight_core::text::Language;
use serde::{Deserialize, Serialize};

use crate::dirs::Dirs;

/// Datasets that are remembered as recent.
const RECENT: usize = 8;

/// What a person set. Everything has a default; only what differs needs to be in the file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// `None`: the system's language.
    pub language: Option<Language>,
    /// Light or dark.
    pub theme: Theme,
    /// Datasets chosen lately, newest first.
    pub recent_datasets: Vec<PathBuf>,
    /// Pythons that plans may name, or folders with such, beside those that are found on this computer.
    pub accepted_pythons: Vec<PathBuf>,
    /// Where packages come from.
    pub sources: Sources,
    /// Seconds a training that is cancelled has to end by itself before it is made to; `None`: 15.
    pub stop_grace_s: Option<u32>,
    /// Whether the computer is kept from falling asleep while a training runs; `None`: it is.
    pub keep_awake: Option<bool>,
    /// Whether the desktop tells when a training ends, pauses by itself, or comes to a halt; `None`: it does.
    pub notifications: Option<bool>,
    /// GPU hours that are to be left before anything is started on a platform, as decimal text; `None`: 1.0.
    pub least_gpu_hours: Option<String>,
    /// Whether trainings that were lost when the computer was restarted go on by themselves once the app is opened.
    pub resume_after_restart: bool,
    /// From this share of used memory on a graphics card counts as busy, in percent; `None`: 90.
    pub busy_above: Option<u32>,
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Where packages, torch and Python come from. `None` everywhere: the public sources, or what the variables that
/// pip and uv read say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(default, deny_unknown_fields)]
pub struct Sources {
    /// Package index (a "simple" index, as PyPI's).
    pub index: Option<String>,
    /// PyTorch's index; the folder of the CUDA version (`cu128`, `cpu`) is appended.
    pub torch_index: Option<String>,
    /// Mirror of python-build-standalone releases.
    pub python_mirror: Option<String>,
    /// Where pretrained weights come from, in the order they are tried: addresses in which `{name}` stands for the model,
    /// or of folders.
    pub weights: Vec<String>,
    /// Proxy for everything.
    pub proxy: Option<String>,
    /// PEM file with additional certificate authorities.
    pub ca_file: Option<PathBuf>,
    /// Where downloaded packages are kept; `None`: where uv keeps them.
    pub package_cache: Option<PathBuf>,
}

/// The system's language, or the one of ours that serves it best.
#[must_use]
pub fn system_language() -> Language {
    sys_locale::get_locale().map_or(Language::En, |locale| Language::for_locale(&locale))
}

impl Settings {
    /// The language a person set, else the system's.
    #[must_use]
    pub fn effective_language(&self) -> Language {
        self.language.unwrap_or_else(system_language)
    }

    /// Seconds a training that is cancelled has to end by itself.
    #[must_use]
    pub fn effective_stop_grace_s(&self) -> u32 {
        self.stop_grace_s.unwrap_or(15)
    }

    /// Whether the computer is kept from falling asleep while a training runs.
    #[must_use]
    pub fn keeps_awake(&self) -> bool {
        self.keep_awake.unwrap_or(true)
    }

    /// From which share of used memory on a graphics card counts as busy, in percent.
    #[must_use]
    pub fn effective_busy_above(&self) -> u32 {
        self.busy_above.unwrap_or(preflight_core::facts::BUSY_ABOVE).clamp(1, 100)
    }

    /// Whether the desktop tells how a training goes.
    #[must_use]
    pub fn notifies(&self) -> bool {
        self.notifications.unwrap_or(true)
    }

    /// Puts a dataset first among the recent ones; whether that changed anything.
    pub fn remember_dataset(&mut self, path: &Path) -> bool {
        let recent = &mut self.recent_datasets;
        if recent.first().is_some_and(|first| first == path) {
            return false;
        }
        recent.retain(|other| other != path);
        recent.insert(0, path.to_owned());
        recent.truncate(RECENT);
        true
    }

    /// Reads the settings; defaults where there is no file.
    ///
    /// # Errors
    /// `settings.invalid` with what is wrong: a file that cannot be read is never overwritten silently.
    pub fn load(dirs: &Dirs) -> Result<Self, Problem> {
        let path = dirs.settings_file();
        match std::fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text).map_err(|error| {
                Problem::new("settings.invalid").with("path", path.as_path()).because_text(error.message())
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(Problem::new("settings.invalid").with("path", path.as_path()).because(&error)),
        }
    }

    /// Writes the settings.
    ///
    /// # Errors
    /// `file.unwritable`.
    pub fn save(&self, dirs: &Dirs) -> Result<(), Problem> {
        let text = toml::to_string_pretty(self).map_err(|error| Problem::new("settings.unwritable").because(&error))?;
        crate::write::atomically(&dirs.settings_file(), text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_datasets_are_the_last_ones_newest_first() {
        let mut settings = Settings::default();
        for name in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "b"] {
            assert!(settings.remember_dataset(Path::new(name)));
        }
        assert!(!settings.remember_dataset(Path::new("b")));
        assert_eq!(settings.recent_datasets, ["b", "i", "h", "g", "f", "e", "d", "c"].map(PathBuf::from));
    }
}
