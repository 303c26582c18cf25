//! The second look at the dataset that a person chose, and what is kept of it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use preflight_core::dataset::health::RECOMMENDED_IMAGES;
use preflight_core::dataset::profile::Profile;
use preflight_core::dataset::{Dataset, SplitKind};
use preflight_core::finding::Finding;
use preflight_core::problem::Problem;
use preflight_core::text::Texts;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::OnProgress;
use super::browse::current;
use super::health::{self, Health};
use super::scan::Snapshot;
use crate::Engine;
use crate::work::{blocking, lock};

/// What a second look found, and what it looked at.
#[derive(Debug)]
pub(crate) struct Examined {
    path: PathBuf,
    state: u64,
    pub(super) health: Health,
}

/// The second look that was made last.
#[derive(Debug, Default)]
pub(crate) struct LastLook(Mutex<Option<Arc<Examined>>>);

/// What a second look found, as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct HealthView {
    /// The image size that small boxes were judged for.
    pub imgsz: u32,
    /// What each split is like.
    pub profiles: Vec<(SplitKind, Profile)>,
    /// What ruins a result though the trainer takes it; worst first.
    pub findings: Vec<Finding>,
    /// Groups of images that are, or look, the same.
    pub alike: u32,
    /// Classes with fewer training images than is recommended.
    pub few: u32,
    /// Images per class that are recommended.
    pub recommended: u32,
    /// Identifies the content.
    pub fingerprint: String,
    /// Bytes read.
    pub bytes: u64,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
}

impl HealthView {
    fn of(health: &Health) -> Self {
        let train = health.profiles.iter().find(|(kind, _)| *kind == SplitKind::Train);
        let few = train
            .map_or(0, |(_, profile)| profile.class_images.iter().filter(|count| **count < RECOMMENDED_IMAGES).count());
        Self {
            imgsz: health.imgsz,
            profiles: health.profiles.clone(),
            findings: health.findings.clone(),
            alike: u32::try_from(health.alike.len()).unwrap_or(u32::MAX),
            few: u32::try_from(few).unwrap_or(u32::MAX),
            recommended: RECOMMENDED_IMAGES,
            fingerprint: health.fingerprint.clone(),
            bytes: health.bytes,
            took_ms: health.took_ms,
        }
    }
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum ReportForm {
    /// A page that needs nothing else.
    Html,
    /// For programs.
    Json,
}

impl ReportForm {
    /// What its files' names end in.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Json => "json",
        }
    }
}

/// The second look at a dataset as it is now; `None`: it changed since, or nobody looked.
pub(super) fn fresh(engine: &Engine, path: &Path, snapshot: &Snapshot) -> Option<Arc<Examined>> {
    let last = lock(&engine.last_look().0).clone()?;
    (last.path == path && last.state == snapshot.state()).then_some(last)
}

/// Looks at every file of a dataset, one dataset at a time; small boxes are judged for this image size.
///
/// # Errors
/// Those of [`Engine::dataset`], `dataset.busy`, `dataset.cancelled`.
pub async fn examine(engine: &Engine, path: &Path, imgsz: u32, progress: OnProgress) -> Result<HealthView, Problem> {
    let (cancel, _under_way) = engine.examination().begin().ok_or_else(|| Problem::new("dataset.busy"))?;
    let examined = look(engine, path, imgsz, progress, cancel).await?;
    Ok(HealthView::of(&examined.health))
}

/// Looks closely, or answers what was seen when nothing changed since.
pub(super) async fn look(
    engine: &Engine,
    path: &Path,
    imgsz: u32,
    progress: OnProgress,
    cancel: CancellationToken,
) -> Result<Arc<Examined>, Problem> {
    let snapshot = current(engine, path).await?;
    if let Some(last) = fresh(engine, path, &snapshot).filter(|last| last.health.imgsz == imgsz) {
        return Ok(last);
    }
    let owned = path.to_owned();
    let dirs = engine.dirs().clone();
    let examined = blocking(move || {
        let mut health = health::examine(&snapshot.dataset, imgsz, &*progress, &cancel)?;
        if let Some((run, manifest)) = crate::runs::trained_with(&dirs, &owned) {
            let changes = health.manifest.changes_since(&manifest);
            health.findings.extend(health::changed_since_run(&snapshot.dataset.root, &run, &changes));
        }
        Ok(Arc::new(Examined { path: owned, state: snapshot.state(), health }))
    })
    .await?;
    engine.named().remember(&examined.health.findings);
    *lock(&engine.last_look().0) = Some(Arc::clone(&examined));
    Ok(examined)
}

/// What the second look at a dataset found; `None`: it changed since, or nobody looked.
///
/// # Errors
/// Those of [`Engine::dataset`].
pub async fn health(engine: &Engine, path: &Path) -> Result<Option<HealthView>, Problem> {
    let snapshot = current(engine, path).await?;
    Ok(fresh(engine, path, &snapshot).map(|examined| HealthView::of(&examined.health)))
}

/// The findings of the second look at a dataset as it is now.
pub(crate) fn findings(engine: &Engine, path: &Path) -> Vec<Finding> {
    let Some(snapshot) = engine.datasets().last(path) else { return Vec::new() };
    fresh(engine, path, &snapshot).map(|examined| examined.health.findings.clone()).unwrap_or_default()
}

/// Writes what is known of a dataset into a file.
///
/// # Errors
/// Those of [`Engine::dataset`], `file.unwritable`.
pub async fn save_report(engine: &Engine, path: &Path, to: PathBuf, form: ReportForm) -> Result<(), Problem> {
    let snapshot = current(engine, path).await?;
    let examined = fresh(engine, path, &snapshot);
    let language = engine.settings().effective_language();
    blocking(move || {
        let health = examined.as_ref().map(|examined| &examined.health);
        let mut findings = snapshot.dataset.findings.clone();
        findings.extend(health.iter().flat_map(|health| health.findings.iter().cloned()));
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        let text = match form {
            ReportForm::Html => super::report::html(&snapshot.dataset, health, &findings, &Texts::new(language)),
            ReportForm::Json => json(&snapshot.dataset, health, &findings)?,
        };
        crate::write::atomically(&to, text.as_bytes())
    })
    .await
}

fn json(dataset: &Dataset, health: Option<&Health>, findings: &[Finding]) -> Result<String, Problem> {
    let dataset = Dataset { findings: findings.to_vec(), ..dataset.clone() };
    let value = serde_json::json!({ "format": 1, "dataset": dataset, "health": health });
    serde_json::to_string_pretty(&value).map_err(|error| Problem::new("internal.task").because(&error))
}
