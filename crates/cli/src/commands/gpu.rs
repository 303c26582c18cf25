//! `preflight gpu`: which cards there are, and what is free on them.

use preflight_core::facts::Fact;
use preflight_core::machine::{Gpu, GpuLibrary, GpuSource, Gpus};
use preflight_core::problem::Problem;
use preflight_core::text::{Message, bytes};

use crate::arguments;
use crate::context::Context;
use crate::exit::{Exit, Outcome};
use crate::page::{BOLD, DIM, PLAIN, Page};
use crate::words::visible;

pub(crate) async fn gpu(context: &Context, arguments: &arguments::Gpu) -> Outcome {
    if arguments.watch {
        return watch(context, arguments.times).await;
    }
    let fact = context.interruptible(preflight_engine::preflight::gpus()).await?;
    let exit = if fact.known().is_some() { Exit::Clear } else { Exit::CouldNot };
    if context.output.is_json() {
        context.output.json(&fact)?;
    } else {
        let mut page = context.page();
        match &fact {
            Fact::Known(gpus) => describe(&mut page, gpus),
            Fact::Unknown(reason) => {
                let reason = page.words.say(reason);
                page.paragraph(0, "? ", PLAIN, &reason);
            }
        }
        context.output.print(&page.text())?;
    }
    Ok(exit)
}

/// The same again and again, about once a second: a page that is drawn anew where a person watches, else one page, or one
/// line of JSON, after the other.
async fn watch(context: &Context, times: Option<u32>) -> Outcome {
    let (mut left, mut exit, mut written) = (times, Exit::Clear, Ok(()));
    let looking = preflight_engine::preflight::watch_gpus(|fact| {
        exit = if fact.known().is_some() { Exit::Clear } else { Exit::CouldNot };
        written = show(context, fact);
        left = left.map(|left| left.saturating_sub(1));
        written.is_ok() && !context.output.is_closed() && left != Some(0)
    });
    context.interruptible(looking).await?;
    written?;
    Ok(exit)
}

fn show(context: &Context, fact: &Fact<Gpus>) -> Result<(), Problem> {
    if context.output.is_json() {
        return context.output.json_line(fact);
    }
    let mut page = context.page();
    match fact {
        Fact::Known(gpus) => describe(&mut page, gpus),
        Fact::Unknown(reason) => {
            let reason = page.words.say(reason);
            page.paragraph(0, "? ", PLAIN, &reason);
        }
    }
    // Home, and clear what is below: no flicker.
    let again = if context.output.is_watched() { "\x1b[H\x1b[J" } else { "" };
    context.output.print(&format!("{again}{}", page.text()))
}

fn describe(page: &mut Page<'_>, gpus: &Gpus) {
    match &gpus.library {
        GpuLibrary::NotInstalled => {
            let text = page.words.get("cli-gpu-no-driver");
            page.paragraph(0, "", PLAIN, &text);
            return;
        }
        GpuLibrary::Failed { message, .. } => {
            let text = page.words.say(&Message::new("cli-gpu-failed").with("message", message.as_str()));
            page.paragraph(0, "", PLAIN, &text);
            return;
        }
        GpuLibrary::Answers => {}
    }
    let driver = shown(page, &gpus.driver, |driver| visible(driver));
    let cuda = shown(page, &gpus.cuda, |(major, minor)| format!("{major}.{minor}"));
    let text = page.words.say(&Message::new("cli-gpu-driver").with("driver", driver).with("cuda", cuda));
    page.line(&format!("{DIM}{text}{DIM:#}"));
    if gpus.source == GpuSource::NvidiaSmi {
        let text = page.words.get("finding-driver-told-by-program");
        page.paragraph(0, "i ", PLAIN, &text);
    }
    if gpus.cards.is_empty() {
        let text = page.words.get("cli-gpu-none");
        page.line(&text);
    }
    for card in &gpus.cards {
        describe_card(page, card);
    }
}

fn describe_card(page: &mut Page<'_>, card: &Gpu) {
    let name = shown(page, &card.name, |name| visible(name));
    page.line(&format!("{BOLD}gpu:{}  {name}{BOLD:#}", card.index));
    let free = memory(page, card);
    page.paragraph(2, "", PLAIN, &free);
    let figures = figures(card);
    if !figures.is_empty() {
        page.paragraph(2, "", DIM, &figures);
    }
    describe_processes(page, card);
    for slice in card.slices() {
        let name = visible(slice.slice_name().unwrap_or_default());
        page.line(&format!("  {BOLD}{name}{BOLD:#}  {}", visible(&slice.label())));
        let free = memory(page, &slice);
        page.paragraph(4, "", PLAIN, &free);
        describe_processes(page, &slice);
    }
}

fn memory(page: &Page<'_>, card: &Gpu) -> String {
    match &card.memory {
        Fact::Known(memory) => {
            page.words.say(&Message::new("cli-gpu-memory").with("free", memory.free).with("total", memory.total))
        }
        Fact::Unknown(reason) => page.words.say(reason),
    }
}

fn describe_processes(page: &mut Page<'_>, card: &Gpu) {
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let size = |size: u64| bytes(size as f64);
    for process in card.processes.known().into_iter().flatten() {
        let name = match &process.run {
            Some(run) => page.words.say(&Message::new("cli-gpu-run").with("run", visible(run))),
            None => shown(page, &process.name, |name| visible(name)),
        };
        let memory = shown(page, &process.memory, |memory| size(*memory));
        page.line(&format!("    {:>7}  {name}  {memory}", process.pid));
    }
}

/// What a card does now, as far as it tells: nothing stands for what it does not.
fn figures(card: &Gpu) -> String {
    let details = &card.details;
    let watts = |milliwatts: u32| format!("{:.0} W", f64::from(milliwatts) / 1_000.0);
    let of = |now: Option<String>, most: Option<String>| match (now, most) {
        (Some(now), Some(most)) => Some(format!("{now} / {most}")),
        (now, _) => now,
    };
    let mega = |hertz: &u32| format!("{hertz} MHz");
    let figures = [
        card.utilization.known().map(|percent| format!("{percent} %")),
        card.temperature.known().map(|degrees| format!("{degrees} °C")),
        of(details.power.known().copied().map(watts), details.power_limit.known().copied().map(watts)),
        of(details.clock.known().map(mega), details.clock_max.known().map(mega)),
        of(details.link.known().map(ToString::to_string), details.link_max.known().map(ToString::to_string)),
    ];
    figures.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn shown<T>(page: &Page<'_>, fact: &Fact<T>, show: impl FnOnce(&T) -> String) -> String {
    match fact {
        Fact::Known(value) => show(value),
        Fact::Unknown(_) => page.words.get("link-unknown"),
    }
}
