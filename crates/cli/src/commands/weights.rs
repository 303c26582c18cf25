//! `preflight weights`: the pretrained weights on this computer, and where they come from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use preflight_core::facts::WeightsState;
use preflight_core::models;
use preflight_core::text::{Message, bytes};
use preflight_core::weights::{Contents, WeightsProgress};
use preflight_engine::weights::{self, Fetch, Outcome as Came, WeightsEntry};
use preflight_engine::{Engine, blocking};
use serde::Serialize;
use serde_json::json;

use super::sample::absolute;
use crate::arguments::Weights;
use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::page::{BOLD, DIM, Page};
use crate::words::visible;

pub(crate) async fn weights(context: &Context, command: Weights) -> Outcome {
    let engine = context.engine()?;
    match command {
        Weights::List => list(context, &engine).await,
        Weights::Fetch { model, again } => {
            let came = fetch(context, &engine, &model, again).await?;
            answer(context, &model, &came)
        }
        Weights::Verify { files } => verify(context, &engine, files).await,
        Weights::Remove { model } => remove(context, &engine, model).await,
    }
}

async fn list(context: &Context, engine: &Engine) -> Outcome {
    let entries = engine.weights().await?;
    if context.output.is_json() {
        context.output.json(&entries)?;
        return Ok(Exit::Clear);
    }
    let mut page = context.page();
    let rows: Vec<_> = entries.iter().map(|entry| (entry.model.clone(), described(&page, entry))).collect();
    page.table(&rows);
    page.line(&format!("{DIM}{}{DIM:#}", visible(&engine.dirs().weights().to_string_lossy())));
    context.output.print(&page.text())?;
    Ok(Exit::Clear)
}

fn described(page: &Page<'_>, entry: &WeightsEntry) -> String {
    let message = match entry.bytes {
        Some(bytes) => Message::new("weights-here").with("bytes", bytes),
        None if entry.part > 0 => Message::new("weights-part").with("part", entry.part).with("bytes", entry.about),
        None => Message::new("weights-not-here").with("bytes", entry.about),
    };
    let text = page.words.say(&message);
    if entry.bytes.is_some() { format!("✓ {text}") } else { format!("{DIM}– {text}{DIM:#}") }
}

/// Fetches a model's weights, with progress on stderr. Ctrl-C ends it; what came down stays.
pub(crate) async fn fetch(context: &Context, engine: &Engine, model: &str, again: bool) -> Result<Came, Failure> {
    let (live, words) = (Arc::clone(&context.live), context.words.again());
    let progress = Arc::new(move |step: WeightsProgress| match step {
        WeightsProgress::Waiting => live.line(&words.get("weights-waiting")),
        WeightsProgress::Asking { url } => live.line(&words.say(&Message::new("weights-asking").with("url", url))),
        WeightsProgress::Failed { problem } => live.line(&words.say(&problem.message())),
        WeightsProgress::Downloading { done, total: Some(total) } => {
            live.update(&words.say(&Message::new("weights-downloading").with("done", done).with("total", total)));
        }
        WeightsProgress::Downloading { done, total: None } => {
            live.update(&words.say(&Message::new("weights-downloading-so-far").with("done", done)));
        }
        WeightsProgress::Verifying => live.line(&words.get("weights-verifying")),
    });
    let fetch = Fetch { again, ..Fetch::of(model) };
    let cancel = context.interrupt.clone();
    let came = weights::fetch(engine.dirs(), &engine.settings(), &fetch, progress, cancel).await;
    context.live.clear();
    let came = match came {
        Err(_) if context.interrupt.is_cancelled() => return Err(Failure::Interrupted),
        came => came?,
    };
    if let Some(before) = &came.before {
        let text = Message::new("weights-fetched-another").with("model", model);
        context.output.tell(&format!("{}\n  SHA-256 {before} → {}", context.words.say(&text), came.sha256));
    }
    Ok(came)
}

fn answer(context: &Context, model: &str, came: &Came) -> Outcome {
    if context.output.is_json() {
        context.output.json(came)?;
        return Ok(Exit::Clear);
    }
    let mut page = context.page();
    page.line(&format!("{BOLD}✓ {}{BOLD:#}", visible(&came.path.to_string_lossy())));
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let size = bytes(came.bytes as f64);
    page.line(&format!("  {model}  {size}  SHA-256 {}", came.sha256));
    context.output.print(&page.text())?;
    Ok(Exit::Clear)
}

/// A file that was looked through, as a program reads it.
#[derive(Debug, Serialize)]
struct Verified {
    path: PathBuf,
    #[serde(flatten)]
    state: WeightsState,
    /// It can be trained with, as what it is called.
    usable: bool,
}

async fn verify(context: &Context, engine: &Engine, files: Vec<PathBuf>) -> Outcome {
    let mut named = Vec::new();
    for file in files {
        // A model's name is the file that is kept under it.
        let model = file.to_str().filter(|name| models::card(name).is_some()).map(str::to_owned);
        let path = match &model {
            Some(model) => weights::pretrained(engine.dirs(), model),
            None => absolute(file)?,
        };
        named.push((model, path));
    }
    if named.is_empty() {
        let here = engine.weights().await?.into_iter().filter(|entry| entry.bytes.is_some());
        named = here.map(|entry| (Some(entry.model), entry.path)).collect();
    }
    let dirs = engine.dirs().clone();
    let look = move || {
        let look = |(model, path): (Option<String>, PathBuf)| {
            let state = weights::observe(&dirs, &path);
            Verified { usable: usable(&state, model.as_deref()), path, state }
        };
        Ok(named.into_iter().map(look).collect::<Vec<_>>())
    };
    let verified = context.waiting("weights-verifying", blocking(look)).await??;
    if context.output.is_json() {
        context.output.json(&verified)?;
    } else {
        let mut page = context.page();
        verified.iter().for_each(|one| tell(&mut page, one));
        context.output.print(&page.text())?;
    }
    Ok(if verified.iter().all(|one| one.usable) { Exit::Clear } else { Exit::Blocked })
}

fn usable(state: &WeightsState, model: Option<&str>) -> bool {
    match state {
        WeightsState::Present { holds: Contents::Model { checkpoint }, changed, .. } => {
            !changed && model.is_none_or(|model| !checkpoint.is_other_than(model))
        }
        _ => false,
    }
}

fn tell(page: &mut Page<'_>, Verified { path, state, usable }: &Verified) {
    let mark = if *usable { '✓' } else { '✗' };
    page.line(&format!("{BOLD}{mark} {}{BOLD:#}", visible(&path.to_string_lossy())));
    let about = |id: &str, path: &Path| Message::new(id).with("path", path);
    let message = match state {
        WeightsState::Present { holds: Contents::Model { checkpoint }, bytes, .. } => {
            let message = Message::new("cli-weights-holds")
                .with("model", checkpoint.model.as_deref().unwrap_or("?"))
                .with("parameters", checkpoint.parameters)
                .with("classes", checkpoint.classes)
                .with("bytes", *bytes);
            Some(message)
        }
        WeightsState::Present { holds: Contents::NoModel, .. } => Some(about("finding-image-weights-no-model", path)),
        WeightsState::Present { holds: Contents::Foreign { names }, .. } => {
            let names = names.join(", ");
            Some(about("finding-image-weights-foreign.detail", path).with("names", names))
        }
        WeightsState::Missing { path } => Some(about("finding-image-weights-missing", path)),
        WeightsState::Unreadable { why, .. } => Some(why.clone()),
        WeightsState::NotNeeded => None,
    };
    let changed = matches!(state, WeightsState::Present { changed: true, .. });
    let changed = changed.then(|| Message::new("finding-image-weights-changed"));
    for message in message.into_iter().chain(changed) {
        let text = page.words.say(&message);
        page.paragraph(2, "", DIM, &text);
    }
}

async fn remove(context: &Context, engine: &Engine, model: String) -> Outcome {
    let dirs = engine.dirs().clone();
    let freed = context.interruptible(blocking(move || weights::remove(&dirs, &model))).await??;
    if context.output.is_json() {
        context.output.json(&json!({ "freed": freed }))?;
    } else {
        context.output.print(&context.words.say(&Message::new("cli-env-removed").with("bytes", freed)))?;
    }
    Ok(Exit::Clear)
}
