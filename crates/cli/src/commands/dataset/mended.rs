//! `preflight dataset --fix-to`: shows what would change, asks, writes a new folder.

use std::path::Path;
use std::sync::Arc;

use preflight_core::dataset::{Dataset, SplitKind};
use preflight_core::text::Message;
use preflight_engine::dataset::fix::{self, Planned, Wanted, Written};
use preflight_engine::dataset::health::Health;

use super::{look, progress, work};
use crate::commands::confirm::confirmed;
use crate::context::Context;
use crate::exit::Failure;
use crate::words::visible;

/// Changed rows that are shown; a person reads no more, and the numbers count them all.
const MOST_SHOWN: usize = 40;

/// Mends a dataset into a new folder. `None`: there is nothing to mend, or a person said no.
pub(super) async fn mend(
    context: &Context,
    dataset: &Arc<Dataset>,
    health: Option<&Health>,
    wanted: Wanted,
    to: &Path,
    yes: bool,
) -> Result<Option<Written>, Failure> {
    let needs_split = dataset.split(SplitKind::Val).is_none_or(|split| split.images + split.corrupt == 0);
    let alike = match health {
        Some(health) => health.alike.clone(),
        // What looks the same has to stay together; without a split to make, nobody asks.
        None if needs_split && wanted.val_share > 0.0 => look(context, dataset, 640).await?.alike,
        None => Vec::new(),
    };
    let (read, cancel) = (Arc::clone(dataset), context.interrupt.clone());
    let shown = progress(context, "cli-reading");
    let planned = work(context, move || fix::plan(&read, wanted, &alike, &*shown, &cancel)).await?;
    if planned.is_empty() {
        context.output.tell(&context.words.get("cli-nothing-to-mend"));
        return Ok(None);
    }
    context.output.tell(&difference(context, &planned));
    let question = Message::new("cli-mending")
        .with("files", planned.files.len())
        .with("left", planned.left_out.len())
        .with("val", planned.to_val)
        .with("cut", planned.tiled.0)
        .with("tiles", planned.tiled.1)
        .with("path", to);
    if !confirmed(context, &context.words.say(&question), yes).await? {
        return Ok(None);
    }
    let (to, cancel) = (to.to_owned(), context.interrupt.clone());
    let shown = progress(context, "cli-writing");
    work(context, move || planned.write(&to, &*shown, &cancel)).await.map(Some)
}

/// The rows before and after.
fn difference(context: &Context, planned: &Planned) -> String {
    let mut text = String::new();
    let mut shown = 0;
    for file in &planned.files {
        if shown >= MOST_SHOWN {
            break;
        }
        text.push_str(&format!("{}\n", visible(&file.label.to_string_lossy())));
        for change in file.changes.iter().take(MOST_SHOWN - shown) {
            let why = context.words.get(&format!("cli-mended-{}", change.why.name()));
            let line = if change.line > 0 { format!("{}: ", change.line) } else { String::new() };
            text.push_str(&format!("  - {line}{}\n", visible(&change.before)));
            match &change.after {
                Some(after) => text.push_str(&format!("  + {line}{}  ({why})\n", visible(after))),
                None => text.push_str(&format!("    ({why})\n")),
            }
            shown += 1;
        }
    }
    let all: usize = planned.files.iter().map(|file| file.changes.len()).sum();
    if all > shown {
        let more = Message::new("cli-more-changes").with("count", all - shown);
        text.push_str(&format!("{}\n", context.words.say(&more)));
    }
    for path in planned.left_out.iter().take(MOST_SHOWN) {
        text.push_str(&format!("- {}\n", visible(&path.to_string_lossy())));
    }
    text
}
