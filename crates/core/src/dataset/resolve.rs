//! From what a `data.yaml` says to places on this computer.
//!
//! The trainer's rules, with one difference: it takes a relative `path` from whatever folder it was started in, and
//! then from its own datasets folder; we take it from the yaml's folder, and then from the datasets folder. Where the
//! trainer would give up, we also look beside the yaml: exported datasets carry the paths of the computer they were
//! made on. Such a place is used, and said.

use std::path::{Component, Path, PathBuf};

use super::declaration::{Declaration, Written};
use super::faults::{choose_dataset, fault, open_file};
use super::{SplitKind, SplitSource};
use crate::finding::{Evidence, Finding};

/// What a yaml's paths are resolved against.
pub struct Surroundings<'a> {
    /// The yaml.
    pub yaml: &'a Path,
    /// The folder the trainer keeps its datasets in, where its settings name one.
    pub datasets_folder: Option<&'a Path>,
    /// Whether something is at this path.
    pub exists: &'a dyn Fn(&Path) -> bool,
}

/// A dataset's places.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// The folder that relative paths start from.
    pub root: PathBuf,
    /// The splits with the places that were found.
    pub splits: Vec<(SplitKind, Vec<SplitSource>)>,
    /// Places that were not found, or not where the yaml says.
    pub findings: Vec<Finding>,
}

/// Resolves the places of a declaration.
#[must_use]
pub fn resolve(declaration: &Declaration, around: &Surroundings<'_>) -> Resolved {
    let yaml_folder = around.yaml.parent().unwrap_or(Path::new(""));
    let (root, rule, root_missing) = root(declaration, around, yaml_folder);
    let mut findings = Vec::new();
    let mut splits = Vec::new();
    let mut moved: Vec<(&Written, PathBuf)> = Vec::new();
    for split in &declaration.splits {
        let mut sources = Vec::new();
        for place in &split.places {
            let mut tried = Vec::new();
            let mut look = |candidate: PathBuf| -> Option<PathBuf> {
                if (around.exists)(&candidate) {
                    return Some(candidate);
                }
                if !tried.contains(&candidate) {
                    tried.push(candidate);
                }
                None
            };
            let written = Path::new(&place.text);
            // Only for a place that is no list does the trainer forgive one `../` too many, as Roboflow writes it.
            let forgiven = if split.list { None } else { place.text.strip_prefix("../") };
            let by_rule =
                if root_missing { None } else { look(root.join(written)).or_else(|| look(root.join(forgiven?))) };
            let source = |path: PathBuf, rule: &str| SplitSource {
                written: place.text.clone(),
                resolved: path,
                rule: rule.to_owned(),
            };
            if let Some(path) = by_rule {
                sources.push(source(path, if written.is_absolute() { "absolute" } else { rule }));
            } else if let Some(path) = nearby(&place.text, yaml_folder, &mut look) {
                moved.push((place, path.clone()));
                sources.push(source(path, "yaml-folder"));
            } else {
                if root_missing {
                    look(root.join(written));
                }
                let what = if split.kind == SplitKind::Test { "test-missing" } else { "split-missing" };
                let mut finding = fault(what)
                    .with("split", split.kind.name())
                    .with("written", place.text.as_str())
                    .seen(Evidence::line(around.yaml, place.line, place.text.as_str()));
                for path in tried {
                    finding = finding.seen(Evidence::value("fact-looked-in", path.display().to_string()));
                }
                findings.push(finding.remedy(open_file(around.yaml, Some(place.line))).remedy(choose_dataset()));
            }
        }
        splits.push((split.kind, sources));
    }
    if !moved.is_empty() {
        let mut finding = fault("moved").with("count", moved.len());
        for (place, path) in &moved {
            finding = finding
                .seen(Evidence::line(around.yaml, place.line, place.text.as_str()))
                .seen(Evidence::value("fact-used-instead", path.display().to_string()));
        }
        findings.push(finding.remedy(open_file(around.yaml, moved.first().map(|(place, _)| place.line))));
    }
    let root = if root_missing { yaml_folder.to_owned() } else { root };
    Resolved { root, splits, findings }
}

/// The dataset's folder, the rule that found it, and whether nothing is there.
fn root(declaration: &Declaration, around: &Surroundings<'_>, yaml_folder: &Path) -> (PathBuf, &'static str, bool) {
    let Some(written) = &declaration.path else { return (yaml_folder.to_owned(), "yaml-folder", false) };
    let beside = yaml_folder.join(&written.text);
    if (around.exists)(&beside) {
        return (beside, "dataset-root", false);
    }
    match around.datasets_folder.map(|folder| folder.join(&written.text)) {
        Some(path) if Path::new(&written.text).is_relative() && (around.exists)(&path) => {
            (path, "datasets-folder", false)
        }
        _ => (beside, "dataset-root", true),
    }
}

/// Looks beside the yaml for a place: its whole path, then ever shorter ends of it, so that
/// `/content/fruit/train/images` finds `train/images`, but never just any `images`.
fn nearby(written: &str, yaml_folder: &Path, look: &mut dyn FnMut(PathBuf) -> Option<PathBuf>) -> Option<PathBuf> {
    // The path may come from the other kind of system.
    let written = written.replace('\\', "/");
    let parts: Vec<_> = Path::new(&written)
        .components()
        .filter(|part| matches!(part, Component::Normal(_)))
        .map(Component::as_os_str)
        .collect();
    let mut ends = (0..parts.len()).filter(|start| parts[*start..] != ["images"]);
    ends.find_map(|start| look(yaml_folder.join(parts[start..].iter().collect::<PathBuf>())))
}
