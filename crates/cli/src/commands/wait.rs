//! Waiting for a card: `preflight run --when-free`.

use std::time::{Duration, Instant};

use preflight_core::facts::Fact;
use preflight_core::machine::{self, Gpu, Gpus};
use preflight_core::plan::Plan;
use preflight_core::report::Verdict;
use preflight_core::text::{Message, bytes, duration};
use preflight_engine::Engine;

use super::check::{Judged, judge};
use crate::arguments::Judgement;
use crate::context::Context;
use crate::exit::Failure;
use crate::words::{Words, visible};

/// Waits as long as waiting is all that helps, says who holds the card, and looks at the whole chain once more before it
/// answers how that stands and how long it waited. Nothing is started here, so that Ctrl-C ends the waiting and nothing
/// else.
pub(crate) async fn until_free(
    context: &Context,
    engine: &Engine,
    plan: &Plan,
    judgement: &Judgement,
    mut judged: Judged,
) -> Result<(Judged, Duration), Failure> {
    let began = Instant::now();
    let mut waited = false;
    loop {
        let stands = judged.verdict == Verdict::Clear;
        if !plan.is_local() || !(stands || judged.report.only_waits(&judged.accepted)) {
            return Ok((judged, began.elapsed()));
        }
        if stands && engine.is_free(plan.device()).await {
            if !waited {
                return Ok((judged, Duration::ZERO));
            }
            // The environment may have been changed meanwhile, and the card taken by somebody else.
            engine.forget_observations();
            judged = judge(context, engine, plan, judgement).await?;
            if judged.verdict == Verdict::Clear && engine.is_free(plan.device()).await {
                return Ok((judged, began.elapsed()));
            }
            continue;
        }
        if !waited {
            waited = true;
            judged.remark(context);
            context.output.tell(&context.words.get("cli-wait"));
        }
        let mut last = String::new();
        let looking = engine.until_free(plan.device(), |gpus| {
            let now = holders(&context.words, plan, gpus);
            if now != last {
                context.live.step(&now, true);
            }
            context.live.update(&format!("{now} · {}", duration(began.elapsed().as_secs_f64())));
            last = now;
        });
        if let Err(failure) = context.interruptible(looking).await {
            context.live.clear();
            context.output.tell(&context.words.get("cli-wait-ended"));
            return Err(failure);
        }
        context.live.clear();
        judged = judge(context, engine, plan, judgement).await?;
    }
}

/// How full the plan's cards are and who holds them, in one line.
fn holders(words: &Words, plan: &Plan, gpus: &Fact<Gpus>) -> String {
    let known = match gpus {
        Fact::Known(known) => known,
        Fact::Unknown(why) => return words.say(why),
    };
    let cards = machine::resolve(plan.device(), gpus).map(|device| known.of(&device)).unwrap_or_default();
    cards.iter().map(|card| held(words, card)).collect::<Vec<_>>().join(" · ")
}

fn held(words: &Words, card: &Gpu) -> String {
    let name = visible(&card.label());
    let memory = match &card.memory {
        Fact::Known(memory) => memory,
        Fact::Unknown(why) => return format!("{name}: {}", words.say(why)),
    };
    let in_use = Message::new("cli-wait-card").with("name", name).with("used", memory.used).with("total", memory.total);
    let utilization = card.utilization.known().map(|percent| format!("{percent} %"));
    let processes = card.processes.known().into_iter().flatten().map(|process| {
        #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
        let memory = process.memory.known().map_or_else(String::new, |memory| format!(" {}", bytes(*memory as f64)));
        format!("{} ({}){memory}", visible(process.label()), process.pid)
    });
    [words.say(&in_use)].into_iter().chain(utilization).chain(processes).collect::<Vec<_>>().join(" · ")
}
