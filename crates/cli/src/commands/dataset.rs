//! `preflight dataset`: what is in a dataset, and what is wrong with it.

mod mended;
mod told;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use preflight_core::dataset::{Dataset, Split, SplitKind, Task};
use preflight_core::finding::{Evidence, Finding};
use preflight_core::problem::Problem;
use preflight_core::report::Report;
use preflight_core::text::Message;
use preflight_engine::dataset::health::{self, Health};
use preflight_engine::dataset::manifest::Manifest;
use preflight_engine::dataset::report::html;
use preflight_engine::dataset::{archive, convert, fix};
use serde_json::json;

use super::check::findings_json;
use super::sample::absolute;
use crate::arguments;
use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::page::{BOLD, PLAIN, Page};
use crate::words::visible;

/// More class names than a person reads; JSON has all of them.
const MOST_CLASSES: usize = 100;

/// Called while a dataset is read, with files done and files in all.
type Progress = Arc<dyn Fn(u32, u32) + Send + Sync>;

pub(crate) async fn dataset(context: &Context, arguments: arguments::Dataset) -> Outcome {
    let mut source = Source::new(absolute(arguments.path)?);
    let task = arguments.task.map(Task::from);
    let to = arguments.to.map(absolute).transpose()?;
    let fix_to = arguments.fix_to.map(absolute).transpose()?;
    let mut findings = Vec::new();
    if archive::is_zip(&source.path) {
        let keep = to.as_deref().filter(|_| arguments.convert.is_none());
        findings.extend(source.unpack(context, keep).await?);
    }
    let mut converted = None;
    if let (Some(arguments::Form::Yolo), Some(to)) = (arguments.convert, to) {
        let from = source.path.clone();
        let progress = progress(context, "cli-converting");
        let cancel = context.interrupt.clone();
        let wanted = task.unwrap_or(Task::Detect);
        let made = work(context, move || convert::convert(&from, &to, wanted, &*progress, &cancel)).await?;
        findings.extend(made.findings.iter().cloned().map(|finding| source.named(finding)));
        converted = Some(made.clone());
        source = Source::new(made.yaml);
    }
    let mut dataset = source.read(context, task).await?;
    let mut health = None;
    // A page without the second look would be half empty.
    if arguments.deep || arguments.manifest.is_some() || context.output.is_html() {
        health = Some(look(context, &dataset, arguments.imgsz).await?);
    }
    let mut fixed = None;
    if let Some(to) = fix_to {
        let wanted = fix::Wanted {
            val_share: f64::from(arguments.val) / 100.0,
            seed: u64::from(arguments.seed),
            tiling: arguments.tile.map(|side| fix::Tiling { side, overlap: OVERLAP }),
            ..fix::Wanted::default()
        };
        match mended::mend(context, &dataset, health.as_ref(), wanted, &to, arguments.yes).await? {
            Some(written) => {
                source = Source::new(written.yaml.clone());
                dataset = source.read(context, task).await?;
                health = None;
                fixed = Some(written);
            }
            None => return Ok(Exit::Clear),
        }
    }
    findings.extend(dataset.findings.iter().cloned().map(|finding| source.named(finding)));
    if let Some(health) = &health {
        findings.extend(health.findings.iter().cloned().map(|finding| source.named(finding)));
        if let Some(path) = &arguments.manifest {
            let before = Manifest::load(path)?;
            let changes = before.map(|before| health.manifest.changes_since(&before));
            findings.extend(changes.and_then(|changes| health::changed(path, &changes)));
            health.manifest.save(&absolute(path.clone())?)?;
        }
    }
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    // Its links are not looked at: only the findings count here.
    let report = Report::new(0, findings, &[]);
    let verdict = report.verdict(&[], arguments.strict);
    if context.output.is_html() {
        let page = html(&dataset, health.as_ref(), &report.findings, context.words.texts());
        context.output.bytes(page.trim_end().as_bytes())?;
    } else if context.output.is_json() {
        let mut value = told::dataset(&dataset);
        value["verdict"] = json!(verdict);
        value["findings"] = json!(told::located(findings_json(&context.words, &report.findings)));
        value["converted"] = json!(converted.as_ref().map(told::converted));
        value["fixed"] = json!(fixed);
        value["health"] = json!(health);
        context.output.json(&value)?;
    } else {
        let mut page = context.page();
        if let Some(made) = &converted {
            let message = Message::new("cli-converted")
                .with("form", made.form.name())
                .with("images", made.images)
                .with("objects", made.objects)
                .with("unlisted", made.unlisted);
            let text = page.words.say(&message);
            page.paragraph(0, "", PLAIN, &text);
            page.blank();
        }
        describe(&mut page, &dataset);
        if let Some(health) = &health {
            let text = Message::new("report-fingerprint").with("fingerprint", health.fingerprint.as_str());
            let text = page.words.say(&text);
            page.blank();
            page.paragraph(0, "", PLAIN, &text);
        }
        page.findings(&report.findings);
        page.blank();
        page.verdict(&report, verdict);
        context.output.print(&page.text())?;
    }
    Ok(verdict.into())
}

/// How far tiles overlap: objects up to a fifth of a tile are whole on one of them. The usual value (SAHI's
/// `overlap_height_ratio`).
const OVERLAP: f64 = 0.2;

async fn look(context: &Context, dataset: &Arc<Dataset>, imgsz: u32) -> Result<Health, Failure> {
    let (dataset, cancel) = (Arc::clone(dataset), context.interrupt.clone());
    let progress = progress(context, "cli-looking-closely");
    work(context, move || health::examine(&dataset, imgsz, &*progress, &cancel)).await
}

/// A dataset to read, and the archive it came out of.
struct Source {
    path: PathBuf,
    archive: Option<(PathBuf, PathBuf)>,
    /// Where an archive was unpacked to, for as long as this command runs.
    _unpacked: Option<archive::Temporary>,
}

impl Source {
    fn new(path: PathBuf) -> Self {
        Self { path, archive: None, _unpacked: None }
    }

    /// Unpacks it: into `keep`, else into a folder that is gone when the command ends.
    async fn unpack(&mut self, context: &Context, keep: Option<&Path>) -> Result<Vec<Finding>, Failure> {
        let (path, keep) = (self.path.clone(), keep.map(Path::to_owned));
        let bounds = archive::Bounds::default();
        let progress = progress(context, "cli-unpacking");
        let cancel = context.interrupt.clone();
        let (unpacked, temporary) = work(context, move || match keep {
            Some(to) => archive::unpack(&path, &to, bounds, &*progress, &cancel).map(|unpacked| (unpacked, None)),
            None => {
                let temporary = archive::Temporary::new()?;
                let unpacked = archive::unpack(&path, temporary.path(), bounds, &*progress, &cancel)?;
                Ok((unpacked, Some(temporary)))
            }
        })
        .await?;
        if temporary.is_some() {
            self.archive = Some((unpacked.folder.clone(), self.path.clone()));
        }
        self.path = unpacked.folder;
        self._unpacked = temporary;
        Ok(unpacked.findings)
    }

    async fn read(&self, context: &Context, task: Option<Task>) -> Result<Arc<Dataset>, Failure> {
        let progress = progress(context, "cli-reading");
        match task {
            None => {
                let engine = context.engine()?;
                let answer = engine.dataset(&self.path, progress, context.interrupt.clone()).await;
                done(context, answer)
            }
            Some(task) => {
                let (path, cancel) = (self.path.clone(), context.interrupt.clone());
                work(context, move || preflight_engine::dataset::scan_for(&path, task, &*progress, &cancel))
                    .await
                    .map(Arc::new)
            }
        }
    }

    /// A finding that names what a person knows: the archive, not where it was unpacked.
    fn named(&self, mut finding: Finding) -> Finding {
        if let Some((folder, archive)) = &self.archive {
            for evidence in &mut finding.evidence {
                if let Evidence::File { path, .. } = evidence
                    && let Ok(inside) = path.strip_prefix(folder)
                {
                    *path = archive.join(inside);
                }
            }
            finding.remedies.clear();
        }
        finding
    }
}

fn progress(context: &Context, doing: &str) -> Progress {
    let live = Arc::clone(&context.live);
    let doing = context.words.get(doing);
    Arc::new(move |done, all| {
        live.update(&if all == 0 { doing.clone() } else { format!("{doing} {done} / {all}") });
    })
}

/// What a function that can be cancelled answers.
async fn work<T: Send + 'static>(
    context: &Context,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Failure> {
    // It is told to end and then waited for, so that what it made is gone again.
    let answer = tokio::task::spawn_blocking(work).await;
    done(context, answer.unwrap_or_else(|error| Err(Problem::new("internal.task").because(&error))))
}

fn done<T>(context: &Context, answer: Result<T, Problem>) -> Result<T, Failure> {
    context.live.clear();
    match answer {
        Err(_) if context.interrupt.is_cancelled() => Err(Failure::Interrupted),
        answer => Ok(answer?),
    }
}

fn describe(page: &mut Page<'_>, dataset: &Dataset) {
    let place = dataset.yaml.as_ref().unwrap_or(&dataset.root);
    page.line(&format!("{BOLD}{}{BOLD:#}", visible(&place.to_string_lossy())));
    let mut names = dataset.names.iter().take(MOST_CLASSES).map(String::as_str).collect::<Vec<_>>();
    if names.len() < dataset.names.len() {
        names.push("…");
    }
    let classes = Message::new("cli-classes").with("count", dataset.names.len()).with("names", names.join(", "));
    let text = page.words.say(&classes);
    page.paragraph(0, "", PLAIN, &text);
    if !dataset.splits.is_empty() {
        page.blank();
    }
    let rows: Vec<_> = dataset.splits.iter().map(|split| row(page, split)).collect();
    page.table(&rows);
}

fn row(page: &Page<'_>, split: &Split) -> (String, String) {
    let name = match split.kind {
        SplitKind::Train => "cli-split-train",
        SplitKind::Val => "cli-split-val",
        SplitKind::Test => "cli-split-test",
    };
    let counts = Message::new("cli-split-counts")
        .with("images", split.images)
        .with("background", split.background)
        .with("corrupt", split.corrupt)
        .with("instances", split.instances);
    (page.words.get(name), page.words.say(&counts))
}
