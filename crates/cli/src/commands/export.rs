//! `preflight runs export`: a trained model as ONNX, compared with its weights.

use std::path::Path;
use std::sync::Arc;

use preflight_core::problem::Problem;
use preflight_core::results::Agreement;
use preflight_core::text::{Message, bytes};
use preflight_engine::results::{self, Export, ExportProgress, Needs};
use preflight_engine::{Engine, environment};
use serde_json::json;

use super::confirm::confirmed;
use super::env::steps;
use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::page::Page;
use crate::words::visible;

pub(crate) async fn export(context: &Context, engine: &Engine, id: &str, to: Option<&Path>, yes: bool) -> Outcome {
    let needs = context.interruptible(results::needs(engine, id)).await??;
    if !needs.packages.is_empty() && !provided(context, engine, &needs, yes).await? {
        return Ok(Exit::CouldNot);
    }
    let (live, words) = (Arc::clone(&context.live), context.words.again());
    let progress = move |step| match step {
        ExportProgress::Loading => live.update(&words.get("export-loading")),
        ExportProgress::Converting => live.update(&words.get("export-converting")),
        ExportProgress::Comparing { done, total } => {
            live.update(&words.say(&Message::new("export-comparing").with("done", done).with("total", total)));
        }
    };
    let exported = results::export(engine, id, Arc::new(progress), context.interrupt.clone()).await;
    context.live.clear();
    if context.interrupt.is_cancelled() {
        return Err(Failure::Interrupted);
    }
    let mut export = exported?;
    if let Some(to) = to {
        export.path = results::save(engine, id, to)?;
    }
    answer(context, &export)?;
    let agrees = export.agreement.as_ref().is_none_or(|agreement| agreement.agrees);
    Ok(if agrees { Exit::Clear } else { Exit::Blocked })
}

/// Adds the packages that are missing, once a person said yes.
async fn provided(context: &Context, engine: &Engine, needs: &Needs, yes: bool) -> Result<bool, Failure> {
    if !needs.managed {
        return Err(needs.problem().unwrap_or_else(|| Problem::new("results.packages-missing")).into());
    }
    let question = Message::new("cli-export-price")
        .with("packages", needs.packages.join(", "))
        .with("download", needs.download)
        .with("disk", needs.disk);
    if !confirmed(context, &context.words.say(&question), yes).await? {
        return Ok(false);
    }
    let added =
        environment::add_onnx(engine.dirs(), &engine.settings(), steps(context), context.interrupt.clone()).await;
    context.live.clear();
    match added {
        Err(_) if context.interrupt.is_cancelled() => Err(Failure::Interrupted),
        added => Ok(added.map(|()| true)?),
    }
}

fn answer(context: &Context, export: &Export) -> Result<(), Problem> {
    if context.output.is_json() {
        return context.output.json(&json!(export));
    }
    let mut page = context.page();
    page.line(&visible(&export.path.to_string_lossy()));
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let size = bytes(export.bytes as f64);
    page.line(&format!("ONNX · 1 × 3 × {0} × {0} · {size}", export.imgsz));
    match &export.agreement {
        None => page.paragraph(0, "? ", crate::page::PLAIN, &context.words.get("export-not-compared")),
        Some(agreement) => compared(&mut page, agreement),
    }
    context.output.print(&page.text())
}

fn compared(page: &mut Page<'_>, agreement: &Agreement) {
    let Agreement { agrees, images, boxes, unmatched, .. } = agreement;
    let (mark, id) = if *agrees { ("✓ ", "export-agrees") } else { ("✗ ", "export-differs") };
    let text = page.words.get(id);
    page.paragraph(0, mark, crate::page::PLAIN, &text);
    let figures = Message::new("export-figures")
        .with("images", *images)
        .with("boxes", *boxes)
        .with("from", agreement.from_confidence.to_string())
        .with("unmatched", *unmatched)
        .with("difference", figure(agreement.confidence_difference))
        .with("overlap", format!("{:.4}", agreement.overlap))
        .with("differencemost", agreement.confidence_tolerance.to_string())
        .with("overlapleast", agreement.overlap_tolerance.to_string());
    let figures = page.words.say(&figures);
    page.paragraph(2, "", crate::page::DIM, &figures);
}

/// A difference from 0 with its first digit that tells something.
fn figure(difference: f64) -> String {
    if difference > 0.0 && difference < 0.0005 { format!("{difference:.0e}") } else { format!("{difference:.3}") }
}
