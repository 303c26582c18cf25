//! From the path a person chose to the places of a dataset.

use std::path::{Path, PathBuf};

use preflight_core::dataset::resolve::{Resolved, Surroundings, resolve};
use preflight_core::dataset::{SplitKind, SplitSource, declaration, plain, yaml};
use preflight_core::finding::Finding;
use preflight_core::problem::Problem;

/// A dataset before any of its images was looked at.
pub(super) struct Places {
    pub(super) root: PathBuf,
    pub(super) yaml: Option<PathBuf>,
    pub(super) names: Vec<String>,
    pub(super) keypoints: Option<(u32, u32)>,
    /// Where each key point is in a mirrored image, where the yaml says so.
    pub(super) mirrored: Option<Vec<i64>>,
    pub(super) channels: u32,
    pub(super) splits: Vec<(SplitKind, Vec<SplitSource>)>,
    pub(super) findings: Vec<Finding>,
}

/// Finds out what a path is: a `data.yaml`, a folder with one, or a plain folder.
pub(super) fn find(path: &Path) -> Result<Places, Problem> {
    let (path, is_folder) = there(path)?;
    if is_folder {
        let names = folder_names(&path).map_err(|error| unreadable(&path, &error))?;
        return match yaml_in(&path, &names) {
            Some(yaml) => declared(&yaml),
            None => Ok(undeclared(&path)),
        };
    }
    if is_yaml(&path) { declared(&path) } else { Err(no_dataset(&path)) }
}

/// A folder that has to be one.
pub(super) fn folder(path: &Path) -> Result<PathBuf, Problem> {
    let (path, is_folder) = there(path)?;
    if is_folder { Ok(path) } else { Err(no_dataset(&path)) }
}

/// Says when what was read is no longer there: a drive that was pulled out leaves a list of images and none of them.
pub(super) fn still_there(path: &Path) -> Result<(), Problem> {
    std::fs::metadata(path).map(drop).map_err(|error| unreadable(path, &error))
}

/// The real path, and whether it is a folder.
fn there(path: &Path) -> Result<(PathBuf, bool), Problem> {
    let real = real(&std::path::absolute(path).map_err(|error| unreadable(path, &error))?);
    let found = std::fs::metadata(&real).map_err(|error| unreadable(path, &error))?;
    Ok((real, found.is_dir()))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Problem {
    let code = match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => "dataset.not-found",
        _ => "dataset.unreadable",
    };
    Problem::new(code).with("path", path).because(error)
}

fn no_dataset(path: &Path) -> Problem {
    let kind = if is_archive(path) { "archive" } else { "other" };
    Problem::new("dataset.not-a-dataset").with("path", path).with("kind", kind)
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("yaml") || ending.eq_ignore_ascii_case("yml"))
}

fn is_archive(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    ending.is_some_and(|ending| ["zip", "7z", "rar", "tar", "gz", "tgz", "bz2", "xz", "zst"].contains(&&*ending))
}

fn folder_names(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    Ok(paths)
}

/// The yaml of a folder: the one with a usual name, else the only one that looks like a dataset's.
fn yaml_in(folder: &Path, paths: &[PathBuf]) -> Option<PathBuf> {
    let yamls = || paths.iter().filter(|path| is_yaml(path) && path.is_file());
    let stem_is = |path: &Path, stem: &str| path.file_stem().is_some_and(|found| found.eq_ignore_ascii_case(stem));
    let own_name = folder.file_name().and_then(|name| name.to_str()).unwrap_or("data");
    for stem in ["data", "dataset", own_name] {
        if let Some(path) = yamls().find(|path| stem_is(path, stem)) {
            return Some(path.clone());
        }
    }
    let declares = |path: &&PathBuf| {
        let bytes = read_limited(path).unwrap_or_default();
        yaml::parse(&bytes).is_ok_and(|root| root.get("train").is_some() || root.get("names").is_some())
    };
    let mut declaring = yamls().filter(declares);
    let first = declaring.next()?;
    declaring.next().is_none().then(|| first.clone())
}

/// The largest yaml that is read: a hundred times that of a dataset with twenty thousand classes.
const LARGEST_YAML: u64 = 64 << 20;

fn read_limited(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let file = super::opener::open(path)?;
    if file.metadata()?.len() > LARGEST_YAML {
        return Err(std::io::ErrorKind::FileTooLarge.into());
    }
    file.take(LARGEST_YAML).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn declared(yaml: &Path) -> Result<Places, Problem> {
    let bytes =
        read_limited(yaml).map_err(|error| Problem::new("dataset.unreadable").with("path", yaml).because(&error))?;
    let (declaration, mut findings) = declaration::read(yaml, &bytes);
    let datasets_folder = datasets_folder();
    let around =
        Surroundings { yaml, datasets_folder: datasets_folder.as_deref(), exists: &|path: &Path| path.exists() };
    let Resolved { root, mut splits, findings: resolving } = resolve(&declaration, &around);
    findings.extend(resolving);
    for (_, sources) in &mut splits {
        for source in sources {
            source.resolved = real(&source.resolved);
        }
    }
    Ok(Places {
        root: real(&root),
        yaml: Some(yaml.to_owned()),
        names: declaration.names,
        keypoints: declaration.keypoints,
        mirrored: declaration.mirrored,
        channels: declaration.channels.unwrap_or(3),
        splits,
        findings,
    })
}

fn undeclared(root: &Path) -> Places {
    let layout = plain::layout(root, &|folder: &Path| folder.is_dir());
    let findings = match super::convert::glance(root) {
        // Where nothing is as the trainer wants it, saying what is missing would lead astray.
        Some(form) => vec![plain::foreign(root, form.name())],
        None => plain::findings(root, &layout),
    };
    let splits = layout
        .into_iter()
        .map(|(kind, folder)| {
            let source = SplitSource {
                written: folder.display().to_string(),
                resolved: real(&root.join(folder)),
                rule: "plain-folder".to_owned(),
            };
            (kind, vec![source])
        })
        .collect();
    let names = ["classes.txt", "labels/classes.txt", "obj.names"]
        .into_iter()
        .find_map(|name| String::from_utf8(read_limited(&root.join(name)).ok()?).ok())
        .map(|text| plain::class_names(&text))
        .unwrap_or_default();
    let (keypoints, mirrored) = (None, None);
    Places { root: root.to_owned(), yaml: None, names, keypoints, mirrored, channels: 3, splits, findings }
}

/// The path with links followed, as the trainer resolves it; as it is where that fails.
pub(super) fn real(path: &Path) -> PathBuf {
    let Ok(real) = path.canonicalize() else { return path.to_owned() };
    // Windows answers `\\?\C:\…`, which few programs read.
    match real.to_str().and_then(|text| text.strip_prefix(r"\\?\")) {
        Some(text) if text.as_bytes().get(1) == Some(&b':') => PathBuf::from(text),
        _ => real,
    }
}

/// Where a person's own Ultralytics keeps its datasets, by its settings file.
fn datasets_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let folder = match std::env::var_os("YOLO_CONFIG_DIR") {
        Some(folder) => PathBuf::from(folder),
        None if cfg!(target_os = "macos") => etcetera::home_dir().ok()?.join("Library/Application Support"),
        None => etcetera::choose_base_strategy().ok()?.config_dir(),
    };
    let text = std::fs::read(folder.join("Ultralytics").join("settings.json")).ok()?;
    let settings: serde_json::Value = serde_json::from_slice(&text).ok()?;
    settings.get("datasets_dir")?.as_str().map(PathBuf::from)
}
