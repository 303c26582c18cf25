//! `preflight runs try`: what a trained model finds in images.

use std::path::{Path, PathBuf};

use preflight_core::problem::Problem;
use preflight_core::text::Message;
use preflight_engine::Engine;
use preflight_engine::results::{self, OnProcessor, Prediction, Trial};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::{Exit, Outcome};
use crate::page::{BOLD, DIM, PLAIN};
use crate::words::visible;
use crate::wrap::{columns, pad};

pub(crate) async fn try_model(context: &Context, engine: &Engine, id: &str, images: &[PathBuf], conf: f64) -> Outcome {
    let named = images.to_owned();
    let images = context.blocking(move || results::chosen(&named, usize::MAX).images).await?;
    let mut trial = context.waiting("cli-try-loading", Trial::start(engine, id)).await??;
    let mut told = Vec::new();
    let mut exit = Exit::Clear;
    let mut warned = false;
    for image in &images {
        match context.interruptible(trial.predict(image)).await? {
            Ok(mut prediction) => {
                prediction.boxes.retain(|found| found.confidence >= conf);
                if let Some(reason) = prediction.on_processor.filter(|_| !warned) {
                    warned = true;
                    context.output.tell(&context.words.get(on_processor(reason)));
                }
                if context.output.is_json() {
                    told.push(as_json(image, &prediction));
                } else {
                    show(context, image, &prediction, conf)?;
                }
            }
            Err(problem) if problem.code == "image.unreadable" => {
                exit = Exit::CouldNot;
                refuse(context, image, &problem, &mut told);
            }
            Err(problem) => return Err(problem.into()),
        }
    }
    if context.output.is_json() {
        context.output.json(&told)?;
    }
    Ok(exit)
}

fn on_processor(reason: OnProcessor) -> &'static str {
    match reason {
        OnProcessor::CardTrains => "try-on-processor-card-trains",
        OnProcessor::CardUnavailable => "try-on-processor-card-unavailable",
    }
}

fn refuse(context: &Context, image: &Path, problem: &Problem, told: &mut Vec<Value>) {
    if context.output.is_json() {
        let mut refused = context.words.problem_json(problem);
        refused["image"] = json!(image);
        told.push(refused);
    } else {
        let mut page = context.remarks();
        page.problem(problem);
        context.output.tell(&page.text());
    }
}

fn as_json(image: &Path, prediction: &Prediction) -> Value {
    let named = |class: u32| prediction.names.get(class as usize).map_or("", String::as_str);
    let boxes = prediction.boxes.iter().map(|found| {
        let mut found_json = json!(found);
        found_json["name"] = named(found.class).into();
        found_json
    });
    json!({
        "image": image,
        "width": prediction.width,
        "height": prediction.height,
        "device": prediction.device,
        "inference_s": prediction.inference_s,
        "total_s": prediction.total_s,
        "boxes": boxes.collect::<Vec<_>>(),
    })
}

fn show(context: &Context, image: &Path, prediction: &Prediction, conf: f64) -> Result<(), Problem> {
    let mut page = context.page();
    let Prediction { width, height, boxes, names, .. } = prediction;
    let milliseconds = prediction.total_s * 1000.0;
    page.line(&format!(
        "{BOLD}{}{BOLD:#}  {DIM}{width} × {height} px · {milliseconds:.0} ms{DIM:#}",
        visible(&image.to_string_lossy())
    ));
    if boxes.is_empty() {
        let text = Message::new("cli-try-nothing").with("conf", format!("{conf}"));
        page.paragraph(2, "", PLAIN, &page.words.say(&text));
    }
    let name = |class: u32| names.get(class as usize).map_or_else(|| class.to_string(), |name| visible(name));
    let widest = boxes.iter().map(|found| columns(&name(found.class))).max().unwrap_or(0);
    for found in boxes {
        let [left, top, right, bottom] =
            [found.left, found.top, found.right, found.bottom].map(|pixels| format!("{pixels:>6.0}"));
        page.line(&format!(
            "  {}  {:.3}  {left}{top}{right}{bottom}",
            pad(&name(found.class), widest),
            found.confidence
        ));
    }
    context.output.print(&page.text())
}
