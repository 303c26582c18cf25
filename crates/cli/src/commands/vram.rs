//! `preflight vram`: what a training needs of a card, before anything is there to run it.

mod rows;

use std::path::Path;

use preflight_core::experience::Calibration;
use preflight_core::forecast::{self, Corrected};
use preflight_core::memory::{self, Boxes, Device, Graph, Interval, Part, Setup, Zone};
use preflight_core::problem::Problem;
use preflight_core::text::Message;
use preflight_engine::dirs::Dirs;
use preflight_engine::environment::python;
use preflight_engine::experience;
use serde::Serialize;

use crate::arguments::{Solve, Vram};
use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::page::{BOLD, DIM, PLAIN};

const GIB: f64 = 1_073_741_824.0;

/// The answer, all sizes in bytes.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    /// As Ultralytics names it.
    model: &'a str,
    /// What the card shows, CUDA's own memory included.
    card: Interval,
    /// What the card shows when mixed precision is off; `null`: it is off already.
    without_amp: Option<Interval>,
    /// What torch's allocator takes of it in the first epoch: what the trainer prints.
    reserved: Interval,
    /// What the expected figure of `card` is made of.
    parts: &'a [Part],
    /// The card's memory; `null`: not said.
    memory: Option<u64>,
    /// How they compare.
    zone: Option<Zone>,
    /// The largest batch that fits for sure.
    largest_batch: Option<u32>,
    /// The largest image size that fits for sure.
    largest_imgsz: Option<u32>,
    /// How finished trainings on such a card corrected the figures; `null`: they did not.
    calibration: Option<Calibration>,
}

pub(crate) async fn vram(context: &Context, arguments: Vram) -> Outcome {
    if let Some(file) = &arguments.rows {
        return table(context, file, arguments.terms).await;
    }
    let solve = arguments.solve;
    let memory = memory_of(&arguments);
    let no_calibration = arguments.no_calibration;
    let graph = own_model(context, &arguments).await?;
    let setup = Setup { graph, ..setup(arguments) };
    let unknown = || Problem::new("memory.unknown-model").with("model", setup.model.as_str());
    let calibration = calibration(&setup, no_calibration)?;
    let Corrected { shown: card, reserved, parts } = forecast::corrected(&setup, calibration).ok_or_else(unknown)?;
    if solve.is_some() && memory.is_none() {
        return Err(Problem::new("memory.no-card").into());
    }
    let without = Setup { amp: false, ..setup.clone() };
    let without = forecast::corrected(&without, calibration).map(|of| of.shown).filter(|need| *need != card);
    let answer = Answer {
        model: &setup.model,
        card,
        without_amp: without,
        reserved,
        parts: &parts,
        memory,
        zone: memory.map(|memory| Zone::of(card, memory)),
        largest_batch: memory.and_then(|memory| forecast::largest_batch(&setup, calibration, memory)),
        largest_imgsz: memory.and_then(|memory| forecast::largest_image_size(&setup, calibration, memory)),
        calibration: Some(calibration).filter(|calibration| calibration.runs > 0),
    };
    if context.output.is_json() {
        context.output.json(&answer)?;
    } else if let Some(solve) = solve {
        let largest = if solve == Solve::Batch { answer.largest_batch } else { answer.largest_imgsz };
        context.output.print(&largest.unwrap_or_default().to_string())?;
    } else {
        describe(context, &setup, &answer)?;
    }
    Ok(Exit::Clear)
}

fn describe(context: &Context, setup: &Setup, answer: &Answer<'_>) -> Result<(), Problem> {
    let mut page = context.page();
    let said = |message: Message| page.words.say(&message);
    let headline = Message::new("cli-vram-headline")
        .with("model", setup.model.as_str())
        .with("imgsz", setup.imgsz)
        .with("batch", setup.batch);
    let headline = said(headline);
    let interval = |id: &str, of: Interval| {
        Message::new(id).with("low", of.low).with("expected", of.expected).with("high", of.high)
    };
    let card = said(interval("cli-vram-card", answer.card));
    let reserved = said(interval("cli-vram-reserved", answer.reserved));
    let verdict = answer.zone.zip(answer.memory).map(|(zone, memory)| {
        let id = match zone {
            Zone::Fits => "cli-vram-fits",
            Zone::Tight => "cli-vram-tight",
            Zone::Unlikely => "cli-vram-unlikely",
            Zone::Impossible => "cli-vram-impossible",
        };
        said(Message::new(id).with("memory", memory))
    });
    let largest = answer
        .largest_batch
        .zip(answer.largest_imgsz)
        .map(|(batch, imgsz)| said(Message::new("cli-vram-largest").with("batch", batch).with("imgsz", imgsz)));
    let parts: Vec<String> = answer
        .parts
        .iter()
        .map(|part| {
            let name = page.words.say(&part.name);
            said(Message::new("cli-vram-part").with("bytes", part.bytes).with("part", name))
        })
        .collect();
    let calibrated = answer.calibration.map(|Calibration { factor, runs }| {
        let percent = format!("{:+.0} %", (factor - 1.0) * 100.0);
        said(Message::new("cli-vram-calibrated").with("runs", runs).with("percent", percent))
    });
    page.line(&format!("{BOLD}{headline}{BOLD:#}"));
    page.paragraph(0, "", PLAIN, &card);
    for part in parts {
        page.line(&format!("  {DIM}{part}{DIM:#}"));
    }
    page.paragraph(0, "", PLAIN, &reserved);
    let without = answer.without_amp.map(|need| {
        let zone = answer.memory.map(|memory| Zone::of(need, memory));
        let id = if zone.is_some_and(|zone| zone > Zone::Tight) { "cli-vram-without-no" } else { "cli-vram-without" };
        said(interval(id, need))
    });
    for text in verdict.into_iter().chain(without).chain(largest).chain(calibrated) {
        page.paragraph(0, "", PLAIN, &text);
    }
    context.output.print(&page.text())
}

/// What trainings that finished on such a card say; only a card that is named can be looked up.
fn calibration(setup: &Setup, none: bool) -> Result<Calibration, Problem> {
    if none || !matches!(&setup.device, Device::Cards { name: Some(_), .. }) {
        return Ok(Calibration::NONE);
    }
    let known = experience::load(&Dirs::from_environment()?)?;
    Ok(forecast::calibration(setup, &known))
}

/// The figures of a person's own model, found out in an environment; `None`: a published one is named.
async fn own_model(context: &Context, arguments: &Vram) -> Result<Option<Graph>, Failure> {
    let file = Path::new(&arguments.model);
    let known = memory::need(&Setup::new(&named(&arguments.model), 640, 1)).is_some();
    let is_file = file.extension().is_some_and(|extension| extension == "pt" || extension == "yaml");
    if !is_file || known && !file.is_file() {
        return Ok(None);
    }
    let engine = context.engine()?;
    let given = arguments.python.clone().map(super::plan::program).transpose()?;
    let python = given.unwrap_or_else(|| python::of(&engine.dirs().environment()));
    let looking = preflight_engine::memory::model(engine.dirs(), &python, file);
    Ok(Some(context.waiting("cli-vram-looking", looking).await??))
}

fn named(model: &str) -> String {
    model.trim_end_matches(".pt").trim_end_matches(".yaml").to_owned()
}

fn setup(arguments: Vram) -> Setup {
    let suffix = arguments.task.map_or("", |task| preflight_core::dataset::Task::from(task).suffix());
    let model = named(&arguments.model);
    let model = if model.ends_with(suffix) { model } else { format!("{model}{suffix}") };
    Setup {
        device: Device::Cards { count: arguments.gpus, name: arguments.gpu },
        amp: arguments.amp,
        optimizer: Some(arguments.optimizer).filter(|name| !name.eq_ignore_ascii_case("auto")),
        classes: arguments.nc,
        boxes: Boxes { most: arguments.max_boxes, mean: arguments.boxes_per_image },
        multi_scale: arguments.multi_scale,
        ultralytics: arguments.ultralytics,
        ..Setup::new(&model, arguments.imgsz, arguments.batch)
    }
}

/// The card's memory in bytes: as said, or as its name ends, `RTX 3060 12 GB`.
fn memory_of(arguments: &Vram) -> Option<u64> {
    let named = || {
        let name = arguments.gpu.as_deref()?.trim_end();
        let digits = name.strip_suffix("GiB").or_else(|| name.strip_suffix("GB"))?.trim_end();
        digits.rsplit([' ', '-']).next()?.parse::<f64>().ok()
    };
    let gib = arguments.memory.or_else(named)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and saturates")]
    Some((gib * GIB) as u64)
}

/// What many setups need, as the scorer of measured trainings reads it.
async fn table(context: &Context, file: &Path, terms: bool) -> Outcome {
    let file = file.to_owned();
    let table = context.blocking(move || if terms { rows::terms(&file) } else { rows::estimate(&file) }).await??;
    context.output.bytes(table.trim_end().as_bytes())?;
    Ok(Exit::Clear)
}
