//! `preflight gpu`: which cards there are, and what is free on them.

use preflight_core::facts::Fact;
use preflight_core::machine::{Gpu, GpuLibrary, Gpus};
use preflight_core::text::{Message, bytes};

use crate::context::Context;
use crate::exit::{Exit, Outcome};
use crate::page::{BOLD, DIM, PLAIN, Page};
use crate::words::visible;

pub(crate) async fn gpu(context: &Context) -> Outcome {
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
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let size = |size: u64| bytes(size as f64);
    let memory = match &card.memory {
        Fact::Known(memory) => {
            page.words.say(&Message::new("cli-gpu-memory").with("free", memory.free).with("total", memory.total))
        }
        Fact::Unknown(reason) => page.words.say(reason),
    };
    page.paragraph(2, "", PLAIN, &memory);
    for process in card.processes.known().into_iter().flatten() {
        let name = shown(page, &process.name, |name| visible(name));
        let memory = shown(page, &process.memory, |memory| size(*memory));
        page.line(&format!("    {:>7}  {name}  {memory}", process.pid));
    }
}

fn shown<T>(page: &Page<'_>, fact: &Fact<T>, show: impl FnOnce(&T) -> String) -> String {
    match fact {
        Fact::Known(value) => show(value),
        Fact::Unknown(_) => page.words.get("link-unknown"),
    }
}
