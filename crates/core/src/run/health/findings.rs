//! What is told of how a run goes.

use super::{GpuTrouble, Health, Progress, RunState, is_at_work, is_under_way, share};
use crate::finding::{Action, Applicability, Evidence, Finding, PlanChange, Remedy, Stage, Verb};
use crate::text::{bytes, duration};

/// All of it, at a moment in milliseconds since 1970 UTC.
pub(super) fn of(progress: &Progress, now_ms: u64) -> Vec<Finding> {
    let health = &progress.health;
    let lasting = [batch_halved(health), not_finite(health), loading_slow(health)];
    if matches!(progress.state, RunState::Succeeded | RunState::Paused) {
        return lasting.into_iter().flatten().collect();
    }
    let passing = [
        card_lost(health),
        card_hot(progress),
        ram_nearly_full(progress),
        gpu_nearly_full(progress),
        disk_running_out(progress),
        stalled(progress, now_ms),
        slower(health),
    ];
    passing.into_iter().chain(lasting).flatten().collect()
}

fn explain(id: &str) -> Remedy {
    Remedy::new(id, Applicability::Manual, Action::Explain)
}

fn set_batch(batch: u32) -> Remedy {
    let action = Action::ChangePlan { change: PlanChange::Batch(batch) };
    Remedy::new("set-batch", Applicability::OneClick, action).with("batch", batch)
}

/// `free / all`, in words.
fn of_all((free, all): (u64, u64)) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let (free, all) = (free as f64, all as f64);
    format!("{} / {}", bytes(free), bytes(all))
}

/// How long a step takes: most take less than a second.
fn step(seconds: f64) -> String {
    if seconds < 10.0 { format!("{seconds:.2} s") } else { duration(seconds) }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn stalled(progress: &Progress, now_ms: u64) -> Option<Finding> {
    // What was asked to end is not expected to move on.
    if !is_under_way(progress.state) || progress.cancelling.is_some() {
        return None;
    }
    let health = &progress.health;
    let seconds = health.stalled_s(now_ms.saturating_sub(progress.last_ms))?;
    let doing = progress.usage.as_ref().map_or("unknown", |usage| if is_at_work(usage) { "busy" } else { "idle" });
    let mut finding = Finding::warning(Stage::Train, "stalled")
        .verb(Verb::Change)
        .with("seconds", seconds)
        .with("doing", doing)
        .seen(Evidence::value("fact-since-last-step", duration(seconds)));
    if let Some(usual) = health.speed.usual_s() {
        finding = finding.seen(Evidence::value("fact-usual-step", step(usual)));
    }
    if let Some(usage) = &progress.usage {
        finding = finding.seen(Evidence::value("fact-cpu-use", percent(usage.cpu.into())));
        if let Some(gpu) = usage.gpu_utilization {
            finding = finding.seen(Evidence::value("fact-gpu-use", format!("{gpu} %")));
        }
    }
    Some(finding.remedy(explain("read-log")).remedy(explain("start-again")))
}

fn not_finite(health: &Health) -> Option<Finding> {
    let seen = health.not_finite.as_ref()?;
    Some(
        Finding::warning(Stage::Train, "not-finite")
            .verb(Verb::Change)
            .with("epoch", seen.epoch)
            .with("step", seen.batch)
            .seen(Evidence::value("fact-losses-not-finite", seen.names.join(", ")))
            .remedy(explain("lower-learning-rate"))
            .remedy(explain("without-mixed-precision")),
    )
}

fn slower(health: &Health) -> Option<Finding> {
    let (now, best) = health.speed.now_s().zip(health.speed.best_s()).filter(|_| health.slower.raised)?;
    Some(
        Finding::warning(Stage::Train, "slower")
            .verb(Verb::Change)
            .with("times", now / best)
            .seen(Evidence::value("fact-step-now", step(now)))
            .seen(Evidence::value("fact-step-before", step(best)))
            .remedy(explain("see-what-else-runs")),
    )
}

fn loading_slow(health: &Health) -> Option<Finding> {
    let share = health.loading_share().filter(|_| health.loading.raised)?;
    Some(
        Finding::warning(Stage::Data, "loading-slow")
            .verb(Verb::Change)
            .with("share", share)
            .seen(Evidence::value("fact-loading-share", percent(share)))
            .remedy(explain("more-workers"))
            .remedy(explain("cache-images")),
    )
}

fn ram_nearly_full(progress: &Progress) -> Option<Finding> {
    let usage = progress.usage.filter(|_| progress.health.ram.raised)?;
    let (free, all) = usage.memory_free?;
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let theirs = usage.memory as f64;
    Some(
        Finding::warning(Stage::Memory, "ram-nearly-full")
            .foreseen()
            .verb(Verb::Change)
            .with("free", free)
            .seen(Evidence::value("fact-memory-available", of_all((free, all))))
            .seen(Evidence::value("fact-memory-of-run", bytes(theirs)))
            .remedy(explain("close-programs"))
            .remedy(explain("fewer-workers")),
    )
}

fn gpu_nearly_full(progress: &Progress) -> Option<Finding> {
    let usage = progress.usage.filter(|_| progress.health.gpu_memory.raised)?;
    let (free, all) = usage.gpu_free?;
    let mut finding = Finding::warning(Stage::Memory, "gpu-nearly-full")
        .foreseen()
        .verb(Verb::Change)
        .with("free", free)
        .with("percent", percent(1.0 - share(free, all).unwrap_or(0.0)))
        .seen(Evidence::value("fact-gpu-memory-free", of_all((free, all))));
    if progress.batch_size > 1 {
        finding = finding.remedy(set_batch(progress.batch_size / 2));
    }
    Some(finding)
}

fn disk_running_out(progress: &Progress) -> Option<Finding> {
    let health = &progress.health;
    let free = progress.usage.filter(|_| health.room.alarm.raised)?.disk_free?;
    let need = health.needed_room();
    #[expect(clippy::cast_precision_loss, reason = "shown to a person")]
    let (free_f, need_f) = (free as f64, need as f64);
    let mut finding = Finding::warning(Stage::Start, "disk-running-out")
        .verb(Verb::Change)
        .with("free", free)
        .seen(Evidence::value("fact-disk-free", bytes(free_f)))
        .seen(Evidence::value("fact-disk-need", bytes(need_f)));
    if free >= need {
        finding = finding.foreseen();
    }
    if let Some(fall) = health.room.falls_by() {
        finding = finding.seen(Evidence::value("fact-disk-falls", format!("{}/h", bytes(fall * 3600.0))));
    }
    Some(finding.remedy(explain("free-disk")).remedy(Remedy::free_disk()))
}

fn card_lost(health: &Health) -> Option<Finding> {
    let finding = health.gpu_lost.raised.then(|| Finding::blocker(Stage::GpuPool, "lost", Verb::Change))?;
    Some(finding.remedy(explain("restart-after-loss")))
}

fn card_hot(progress: &Progress) -> Option<Finding> {
    let usage = progress.usage.filter(|_| progress.health.gpu_hot.raised)?;
    let mut finding = Finding::warning(Stage::GpuPool, "too-hot").verb(Verb::Change);
    if let Some(GpuTrouble::Hot { temperature: Some(degrees) }) = usage.gpu_trouble {
        finding = finding.seen(Evidence::value("fact-gpu-temperature", format!("{degrees} °C")));
    }
    Some(finding.remedy(explain("cool-card")))
}

fn batch_halved(health: &Health) -> Option<Finding> {
    let (before, now) = health.halved?;
    Some(
        Finding::warning(Stage::Memory, "batch-halved")
            .verb(Verb::Change)
            .with("before", before)
            .with("batch", now)
            .seen(Evidence::value("fact-effective-batch", format!("{before} → {now}")))
            .remedy(set_batch(now)),
    )
}
