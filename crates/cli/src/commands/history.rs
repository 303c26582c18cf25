//! `preflight runs list`, `note`, `delete`: what was trained before.

use std::collections::BTreeSet;
use std::sync::Arc;

use preflight_core::problem::Problem;
use preflight_core::run::RunState;
use preflight_core::text::{Message, bytes};
use preflight_engine::Engine;
use preflight_engine::runs::{self, Run};
use serde_json::json;

use super::confirm::confirmed;
use super::follow::{metric, state_id};
use super::outcome::Told;
use super::runs::named;
use crate::context::Context;
use crate::exit::{Exit, Outcome};
use crate::words::{Words, visible};
use crate::wrap::{columns, pad};

pub(crate) fn list(context: &Context, engine: &Engine, search: Option<&str>, states: &[RunState]) -> Outcome {
    let mut runs = runs::list(engine);
    let is_filtered = search.is_some() || !states.is_empty();
    let words: Vec<String> = search.unwrap_or_default().to_lowercase().split_whitespace().map(str::to_owned).collect();
    runs.retain(|run| {
        let text = searched(&context.words, run);
        (states.is_empty() || states.contains(&run.progress.state)) && words.iter().all(|word| text.contains(word))
    });
    if context.output.is_json() {
        context.output.json(&runs.iter().map(|run| Told::of(&context.words, run)).collect::<Vec<_>>())?;
    } else if runs.is_empty() {
        context.output.tell(&context.words.get(if is_filtered { "cli-runs-none-such" } else { "cli-runs-none" }));
    } else {
        let mut page = context.page();
        let widest = runs.iter().map(|run| columns(&run.record.id)).max().unwrap_or(0);
        for run in &runs {
            page.line(&row(&context.words, run, widest));
        }
        context.output.print(&page.text())?;
    }
    Ok(Exit::Clear)
}

/// What a search looks through: id, dataset, model, note, and the state in both the person's and the program's words.
fn searched(words: &Words, run: &Run) -> String {
    let state = words.get(state_id(run.progress.state));
    let plan = &run.record.plan;
    let text = format!("{}\n{}\n{}\n{state}\n{:?}", run.record.id, plan.model.name, run.note, run.progress.state);
    format!("{text}\n{}", plan.dataset.to_string_lossy()).to_lowercase()
}

fn row(words: &Words, run: &Run, widest: usize) -> String {
    let progress = &run.progress;
    let epochs = if progress.epochs == 0 { run.record.plan.training.epochs } else { progress.epochs };
    let best = progress
        .history
        .iter()
        .filter_map(|point| metric(&point.metrics, "mAP50"))
        .fold(None, |best, value| Some(best.map_or(value, |best: f64| best.max(value))));
    let mut parts = vec![
        pad(&run.record.id, widest),
        pad(&words.get(state_id(progress.state)), 9),
        format!("{:>7}", format!("{}/{epochs}", progress.history.len())),
    ];
    parts.push(best.map_or_else(|| " ".repeat(11), |best| format!("mAP50 {best:.3}")));
    parts.extend(run.why().map(|why| visible(&words.say(&why.title))));
    parts.extend(run.note.lines().next().map(visible));
    parts.join("  ").trim_end().to_owned()
}

pub(crate) fn note(context: &Context, engine: &Engine, run: &Run, text: Option<&str>) -> Outcome {
    let id = run.record.id.as_str();
    let note = match text {
        Some(text) => {
            runs::note(engine, id, text)?;
            runs::open(engine, id)?.note
        }
        None => run.note.clone(),
    };
    if context.output.is_json() {
        context.output.json(&json!({ "id": id, "note": note }))?;
    } else if text.is_none() {
        context.output.print(&note.lines().map(visible).collect::<Vec<_>>().join("\n"))?;
    }
    Ok(Exit::Clear)
}

pub(crate) async fn delete(context: &Context, engine: Engine, asked: &[String], yes: bool) -> Outcome {
    let mut ids = BTreeSet::new();
    for name in asked {
        let run = named(&engine, name)?;
        if !run.progress.state.is_over() {
            return Err(Problem::new("run.active").with("id", run.record.id).into());
        }
        ids.insert(run.record.id);
    }
    let engine = Arc::new(engine);
    let mut total = 0;
    for id in &ids {
        let (engine, measured) = (Arc::clone(&engine), id.clone());
        let size = context.blocking(move || runs::size(&engine, &measured)).await??;
        total += size;
        #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
        context.output.tell(&format!("{id}  {}", bytes(size as f64)));
    }
    let question = Message::new("cli-runs-delete-question").with("count", ids.len()).with("bytes", total);
    if !confirmed(context, &context.words.say(&question), yes).await? {
        return Ok(Exit::CouldNot);
    }
    let mut deleted = Vec::new();
    for id in ids {
        let (engine, gone) = (Arc::clone(&engine), id.clone());
        let freed = context.blocking(move || runs::delete(&engine, &gone)).await??;
        deleted.push(json!({ "id": id, "freed": freed }));
    }
    let freed: u64 = deleted.iter().filter_map(|run| run["freed"].as_u64()).sum();
    if context.output.is_json() {
        context.output.json(&json!({ "deleted": deleted, "freed": freed }))?;
    } else {
        let text = Message::new("cli-runs-deleted").with("count", deleted.len()).with("bytes", freed);
        context.output.print(&context.words.say(&text))?;
    }
    Ok(Exit::Clear)
}
