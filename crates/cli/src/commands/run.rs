//! `preflight run`: look first, then start.

use std::time::Duration;

use preflight_core::finding::{Action, Finding, Severity};
use preflight_core::models;
use preflight_core::plan::Plan;
use preflight_core::report::Verdict;
use preflight_core::text::Message;
use preflight_core::weights::published_bytes;
use preflight_engine::Engine;
use preflight_engine::runs::{self, SupervisorCommand};
use serde_json::json;

use super::check::{Judged, judge};
use super::{env, follow, outcome, plan, wait, weights};
use crate::arguments::Run;
use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};

pub(crate) async fn run(context: &Context, arguments: &Run) -> Outcome {
    let plan = plan::read(&arguments.plan)?;
    let engine = context.engine()?;
    let mut judged = ready(context, &engine, &plan, arguments).await?;
    let mut waited = Duration::ZERO;
    if arguments.when_free {
        (judged, waited) = wait::until_free(context, &engine, &plan, &arguments.judgement, judged).await?;
    }
    if judged.verdict != Verdict::Clear {
        judged.answer(context, &plan)?;
        return Ok(judged.verdict.into());
    }
    judged.remark(context);
    let supervisor = SupervisorCommand::this_program()?;
    let id = runs::start(&engine, &plan, &judged.accepted, &supervisor).await?;
    context.output.tell(&context.words.say(&Message::new("cli-run-started").with("id", id.as_str())));
    if arguments.follow {
        let state = follow::to_the_end(context, &engine, &id, 0, &supervisor).await?;
        outcome::answer(context, &engine, &runs::open(&engine, &id)?)?;
        return Ok(state.into());
    }
    if context.output.is_json() {
        let state = runs::open(&engine, &id)?.progress.state;
        context.output.json(&json!({ "id": id, "state": state, "waited_s": waited.as_secs() }))?;
    } else {
        context.output.print(&id)?;
    }
    Ok(Exit::Clear)
}

/// Judges the plan. With `--yes`, an environment that is missing or broken is made and weights that are missing are
/// downloaded, when nothing else is in the way.
async fn ready(context: &Context, engine: &Engine, plan: &Plan, arguments: &Run) -> Result<Judged, Failure> {
    let judged = judge(context, engine, plan, &arguments.judgement).await?;
    if !arguments.yes || judged.verdict == Verdict::Clear {
        return Ok(judged);
    }
    let Some(mending) = mending(&judged, plan) else { return Ok(judged) };
    if mending.iter().any(|action| matches!(action, Action::CreateEnvironment | Action::RepairEnvironment)) {
        let build = env::fitting_build(context).await?;
        context.output.tell(&env::price(context, engine, &build)?);
        env::make(context, engine, &build).await?;
    }
    for action in mending {
        if let Action::FetchWeights { model, again } = action {
            let bytes = models::card(&model).map_or(0, published_bytes);
            let price = Message::new("cli-weights-price").with("model", model.as_str()).with("bytes", bytes);
            context.output.tell(&context.words.say(&price));
            weights::fetch(context, engine, &model, again).await?;
        }
    }
    judge(context, engine, plan, &arguments.judgement).await
}

/// What mends each blocker by a download; `None`: something else is in the way.
fn mending(judged: &Judged, plan: &Plan) -> Option<Vec<Action>> {
    let python = plan.python();
    let download = |finding: &Finding| {
        finding.remedies.iter().find_map(|remedy| match &remedy.action {
            Action::CreateEnvironment | Action::RepairEnvironment if python.is_none() => Some(remedy.action.clone()),
            Action::FetchWeights { .. } => Some(remedy.action.clone()),
            _ => None,
        })
    };
    let findings = judged.report.findings.iter();
    findings
        .filter(|finding| finding.severity == Severity::Blocker && !judged.accepted.contains(&finding.code))
        .map(download)
        .collect()
}
