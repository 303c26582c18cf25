//! `preflight env`: the Python environments that train.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use preflight_core::environment::{Environment, EnvironmentProgress, EnvironmentState, TorchBuild};
use preflight_core::facts::Fact;
use preflight_core::problem::Problem;
use preflight_core::text::{Message, bytes};
use preflight_engine::{Engine, environment, preflight};
use serde_json::json;

use super::confirm::confirmed;
use crate::arguments::{Env, Make};
use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::page::{BOLD, DIM, PLAIN, Page};
use crate::words::{Words, visible};

pub(crate) async fn env(context: &Context, command: Env) -> Outcome {
    let engine = context.engine()?;
    match command {
        Env::List => list(context, &engine).await,
        Env::Create(arguments) => create(context, &engine, &arguments).await,
        Env::Repair(arguments) => repair(context, &engine, &arguments).await,
        Env::Export { kit, weights } => export(context, &engine, &kit, &weights).await,
        Env::Import { kit } => import(context, &engine, &kit).await,
        Env::Remove { yes } => remove(context, &engine, yes).await,
    }
}

async fn list(context: &Context, engine: &Engine) -> Outcome {
    let states = context.waiting("cli-env-looking", environment::list(engine.dirs())).await?;
    if context.output.is_json() {
        context.output.json(&states)?;
    } else {
        let mut page = context.page();
        for state in &states {
            describe(&mut page, state);
        }
        context.output.print(&page.text())?;
    }
    Ok(Exit::Clear)
}

async fn create(context: &Context, engine: &Engine, arguments: &Make) -> Outcome {
    let build = build(context, arguments).await?;
    if !confirmed(context, &price(context, engine, &build)?, arguments.yes).await? {
        return Ok(Exit::CouldNot);
    }
    let environment = make(context, engine, &build).await?;
    answer(context, environment)
}

async fn repair(context: &Context, engine: &Engine, arguments: &Make) -> Outcome {
    let state = context.waiting("cli-env-looking", environment::own(engine.dirs())).await?;
    match state {
        EnvironmentState::Ready { environment } => {
            context.output.tell(&context.words.get("cli-env-works"));
            answer(context, environment)
        }
        EnvironmentState::Missing | EnvironmentState::Broken { .. } => create(context, engine, arguments).await,
    }
}

async fn remove(context: &Context, engine: &Engine, yes: bool) -> Outcome {
    // What is not there needs no yes to be gone.
    if engine.dirs().environment().exists() {
        let dirs = engine.dirs().clone();
        let size = context.blocking(move || environment::size(&dirs)).await?;
        let path = engine.dirs().environment();
        let text = Message::new("cli-env-remove-question").with("path", path.as_path()).with("bytes", size);
        if !confirmed(context, &context.words.say(&text), yes).await? {
            return Ok(Exit::CouldNot);
        }
    }
    let freed = environment::remove(engine.dirs()).await?;
    if context.output.is_json() {
        context.output.json(&json!({ "freed": freed }))?;
    } else {
        context.output.print(&context.words.say(&Message::new("cli-env-removed").with("bytes", freed)))?;
    }
    Ok(Exit::Clear)
}

/// Writes the app's own environment into a file.
async fn export(context: &Context, engine: &Engine, kit: &Path, weights: &[String]) -> Outcome {
    let (progress, cancel) = (steps(context), context.interrupt.clone());
    let made = environment::kit::export(engine.dirs(), kit, weights, progress, cancel).await;
    context.live.clear();
    let made = match made {
        Err(_) if context.interrupt.is_cancelled() => return Err(Failure::Interrupted),
        made => made?,
    };
    if context.output.is_json() {
        context.output.json(&made)?;
    } else {
        let python = if made.carries_python { "cli-env-kit-python" } else { "cli-env-kit-no-python" };
        let size = kit.metadata().map_or(0, |file| file.len());
        let said = Message::new("cli-env-kit").with("path", kit).with("bytes", size).with("torch", made.torch.as_str());
        let said = context.words.say(&said.with("system", format!("{} {}", made.os, made.arch)));
        let python = context.words.say(&Message::new(python).with("version", made.python.as_str()));
        let mut page = context.page();
        page.paragraph(0, "", PLAIN, &said);
        page.paragraph(0, "", PLAIN, &python);
        context.output.print(&page.text())?;
    }
    Ok(Exit::Clear)
}

/// Makes the app's own environment of such a file.
async fn import(context: &Context, engine: &Engine, kit: &Path) -> Outcome {
    let (progress, cancel) = (steps(context), context.interrupt.clone());
    let made = environment::kit::import(engine.dirs(), kit, progress, cancel).await;
    context.live.clear();
    match made {
        Err(_) if context.interrupt.is_cancelled() => Err(Failure::Interrupted),
        made => answer(context, made?),
    }
}

/// The torch build a person chose, or the one that fits this computer.
pub(crate) async fn build(context: &Context, arguments: &Make) -> Result<TorchBuild, Failure> {
    if arguments.cpu {
        return Ok(TorchBuild::Cpu);
    }
    if let Some(version) = &arguments.cuda {
        return Ok(TorchBuild::Cuda(version.clone()));
    }
    fitting_build(context).await
}

/// The torch build that fits this computer.
pub(crate) async fn fitting_build(context: &Context) -> Result<TorchBuild, Failure> {
    let gpus = context.interruptible(preflight::gpus()).await?;
    let build = match gpus {
        Fact::Known(gpus) => environment::fitting_build(&gpus),
        Fact::Unknown(reason) => Fact::Unknown(reason),
    };
    match build {
        Fact::Known(build) => Ok(build),
        Fact::Unknown(reason) => {
            Err(Problem::new("environment.build-unknown").because_text(context.words.say(&reason)).into())
        }
    }
}

/// What making it takes, before anything comes down.
pub(crate) fn price(context: &Context, engine: &Engine, build: &TorchBuild) -> Result<String, Failure> {
    let cost = environment::cost(&engine.settings(), build)?;
    let build = match build {
        TorchBuild::Cpu => "CPU",
        TorchBuild::Cuda(version) => version,
    };
    let message = Message::new("cli-env-price")
        .with("build", build)
        .with("download", cost.download)
        .with("disk", cost.disk)
        .with("seconds", cost.seconds())
        .with("path", engine.dirs().environment().as_path());
    Ok(context.words.say(&message))
}

/// Makes the environment, with progress on stderr. Ctrl-C ends it and leaves what was there before.
pub(crate) async fn make(context: &Context, engine: &Engine, build: &TorchBuild) -> Result<Environment, Failure> {
    let progress = steps(context);
    let settings = engine.settings();
    let made = environment::create(engine.dirs(), &settings, build, progress, context.interrupt.clone()).await;
    context.live.clear();
    match made {
        Err(_) if context.interrupt.is_cancelled() => Err(Failure::Interrupted),
        made => Ok(made?),
    }
}

/// Shows on stderr how far the making of an environment is.
pub(crate) fn steps(context: &Context) -> environment::OnProgress {
    let live = Arc::clone(&context.live);
    let steps = Steps { words: context.words.again(), installs: AtomicBool::new(false) };
    Arc::new(move |step| steps.show(&live, &step))
}

/// The words of the steps: progress comes from other threads.
struct Steps {
    words: Words,
    /// Whether packages are coming down already.
    installs: AtomicBool,
}

impl Steps {
    fn show(&self, live: &crate::live::Live, step: &EnvironmentProgress) {
        let Self { words, installs } = self;
        match step {
            EnvironmentProgress::FetchingInstaller => live.line(&words.get("cli-env-step-installer")),
            EnvironmentProgress::Python { version } => {
                live.line(&format!("{} {version}", words.get("cli-env-step-python")));
            }
            EnvironmentProgress::Resolving => live.line(&words.get("cli-env-step-resolving")),
            EnvironmentProgress::Installing { done, total, line } => {
                #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
                let (done, total) = (bytes(*done as f64), bytes(*total as f64));
                let doing = words.get("cli-env-step-installing");
                if !installs.swap(true, Ordering::Relaxed) {
                    live.line(&doing);
                }
                live.update(&format!("{doing} {done} / {total}  {}", visible(line)));
            }
            EnvironmentProgress::Verifying => live.line(&words.get("cli-env-step-verifying")),
            EnvironmentProgress::Note { note } => live.line(&words.say(note)),
        }
    }
}

fn answer(context: &Context, environment: Environment) -> Outcome {
    if context.output.is_json() {
        context.output.json(&environment)?;
    } else {
        let mut page = context.page();
        describe(&mut page, &EnvironmentState::Ready { environment });
        context.output.print(&page.text())?;
    }
    Ok(Exit::Clear)
}

fn describe(page: &mut Page<'_>, state: &EnvironmentState) {
    match state {
        EnvironmentState::Missing => {
            let text = page.words.get("cli-env-missing");
            page.paragraph(0, "– ", DIM, &text);
            page.line("  → preflight env create");
        }
        EnvironmentState::Broken { python, problem, .. } => {
            page.line(&format!("{BOLD}{}{BOLD:#}", visible(&python.to_string_lossy())));
            page.problem(problem);
        }
        EnvironmentState::Ready { environment } => {
            let whose = page.words.get(if environment.managed { "cli-env-own" } else { "cli-env-found" });
            let python = visible(&environment.python.to_string_lossy());
            page.line(&format!("{BOLD}✓ {python}{BOLD:#}  {DIM}{whose}{DIM:#}"));
            page.line(&format!(
                "  Python {} · Ultralytics {} · torch {}",
                environment.python_version, environment.ultralytics, environment.torch
            ));
        }
    }
}
