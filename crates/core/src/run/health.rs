//! How a run goes while it goes: what a person should know of it, raised within minutes and gone when it is over.
//!
//! Time is the run's own clock: the hours of a computer that slept are none of it. Only how long nothing was told is
//! measured against the time now, which comes in as a value.

use serde::{Deserialize, Serialize};

use super::{Event, GpuTrouble, Progress, RunEvent, RunState, TrainerEvent, Usage};
use crate::finding::Finding;

mod alarm;
mod findings;
mod room;
mod speed;

use alarm::Alarm;
use room::Room;
pub(crate) use room::{BESIDE_CHECKPOINTS, checkpoint};
use speed::Speed;

/// While a trainer runs, something is told every few seconds. Where nothing is for longer than this, in milliseconds,
/// the computer slept, the clock was set, or nobody looked after the run: no time of the run passed.
const GAP_MS: u64 = 60_000;
/// Nothing may happen for this many times the usual step between two steps, …
const USUAL_STEPS: f64 = 20.0;
/// … but for this long at least, in milliseconds. Steps are told once a second at most, and a disk may hesitate.
const BETWEEN_STEPS_MS: u64 = 120_000;
/// The same where there is no usual step: before the first one (libraries, caches and kernels are loaded), and around
/// a validation (metrics, checkpoints and plots are made).
const ELSEWHERE_MS: u64 = 600_000;
/// Processor use, in cores, above which a trainer that has not begun yet is at work. A sleeping one uses a hundredth.
const AT_WORK_CORES: f32 = 0.02;
/// Slower than the best pace by this factor is worth telling; faster than that again by the second, it is over. Other
/// image shapes and warm caches make less of a difference.
const SLOWER: (f64, f64) = (1.6, 1.3);
/// Share of the time spent waiting for images above which loading is what holds training up, and below which it is not.
const LOADING: (f64, f64) = (0.5, 0.35);
/// Free share of the RAM below which the system is about to end programs, and above which it is not.
const RAM: (f64, f64) = (0.05, 0.08);
/// Free share of a card's memory below which a larger image ends the training, and above which there is room again.
const GPU_MEMORY: (f64, f64) = (0.02, 0.05);
/// How long speed and loading have to be bad, in milliseconds, beyond the minutes that they are a middle of.
const PACE_HOLD_MS: u64 = 60_000;
/// How long what is measured every few seconds has to be bad.
const MEASURED_HOLD_MS: u64 = 30_000;
/// A lost card does not come back; a driver that hesitates once is no loss.
const LOST_HOLD_MS: u64 = 5_000;
/// Names of losses that are kept.
const NAMES: usize = 8;

/// What the trainer is at, as far as that decides how long it may say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Phase {
    /// There is no trainer.
    #[default]
    None,
    /// Before its first step.
    Loading,
    /// In the middle of an epoch or of a validation.
    Steps,
    /// Between those.
    Between,
}

/// Losses that are no numbers any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct NotFinite {
    /// Where it was seen first.
    epoch: u32,
    batch: u32,
    names: Vec<String>,
}

/// What was seen of a run that tells how it goes. Its findings are those of [`Progress::findings_at`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Health {
    /// When the last event came, in milliseconds since 1970 UTC.
    told_ms: Option<u64>,
    /// The run's own clock: milliseconds since its first event, without gaps.
    clock_ms: u64,
    phase: Phase,
    /// When the trainer was last seen to move on, on the run's clock.
    moved_ms: u64,
    /// The newest step of this pass over the images: its epoch, its number, and when.
    step: Option<(u32, u32, u64)>,
    /// Images a step of this trainer, as it said last.
    batch_size: Option<u32>,
    /// What they were before the trainer halved them, and are now.
    halved: Option<(u32, u32)>,
    parameters: u64,
    not_finite: Option<NotFinite>,
    speed: Speed,
    slower: Alarm,
    loading: Alarm,
    ram: Alarm,
    gpu_memory: Alarm,
    gpu_hot: Alarm,
    gpu_lost: Alarm,
    room: Room,
}

impl Health {
    /// Takes in the next event. `remaining_s`: how long the run will still take, with this event.
    pub(super) fn apply(&mut self, event: &RunEvent, remaining_s: Option<f64>) {
        let passed = self.told_ms.map_or(0, |told_ms| event.at_ms.saturating_sub(told_ms));
        if passed <= GAP_MS {
            self.clock_ms = self.clock_ms.saturating_add(passed);
        }
        self.told_ms = Some(event.at_ms);
        let now_ms = self.clock_ms;
        match &event.event {
            Event::Launched { .. } => {
                // Another process, perhaps much later: only what the run itself became still holds.
                let Self { told_ms, clock_ms, halved, .. } = *self;
                let phase = Phase::Loading;
                *self = Self { told_ms, clock_ms, moved_ms: now_ms, phase, halved, ..Self::default() };
            }
            Event::Exited { .. } => self.phase = Phase::None,
            Event::Trainer { said } => {
                // The time of a stall is told as such; it says nothing about how long steps take.
                if self.stalled_s(0).is_some() {
                    self.step = None;
                }
                self.moved_ms = now_ms;
                self.hear(said, now_ms);
            }
            Event::Usage { usage } => self.measure(usage, remaining_s, now_ms),
            _ => {}
        }
    }

    fn hear(&mut self, said: &TrainerEvent, now_ms: u64) {
        match said {
            TrainerEvent::Start { batch, parameters, .. } => {
                if let Some(before) = self.batch_size.filter(|before| before > batch) {
                    let (first, _) = self.halved.unwrap_or((before, before));
                    self.halved = Some((first, *batch));
                }
                self.batch_size = Some(*batch);
                self.parameters = *parameters;
                self.step = None;
                // Steps of another size are not to be compared.
                (self.speed, self.slower, self.loading) = Default::default();
            }
            TrainerEvent::Batch { epoch, batch, batches, not_finite, loading, .. } => {
                self.phase = if batch < batches { Phase::Steps } else { Phase::Between };
                if let Some((of, before, then_ms)) = self.step
                    && of == *epoch
                    && before < *batch
                    && self.speed.add(batch - before, now_ms.saturating_sub(then_ms), *loading)
                {
                    self.judge_speed(now_ms);
                }
                self.step = Some((*epoch, *batch, now_ms));
                if !not_finite.is_empty() && self.not_finite.is_none() {
                    let names = not_finite.iter().take(NAMES).cloned().collect();
                    self.not_finite = Some(NotFinite { epoch: *epoch, batch: *batch, names });
                }
            }
            TrainerEvent::Validation { batch, batches, .. } => {
                self.phase = if batch < batches { Phase::Steps } else { Phase::Between };
                self.step = None;
            }
            TrainerEvent::Epoch { losses, not_finite, .. } => {
                self.phase = Phase::Between;
                self.step = None;
                // An epoch that went well from its first to its last step: not one that is only begun anew, from
                // weights of before, and may go the same way.
                if not_finite.is_empty() && !losses.is_empty() {
                    self.not_finite = None;
                }
            }
            TrainerEvent::Done { .. } | TrainerEvent::Trial { .. } => self.phase = Phase::Between,
            TrainerEvent::Boot { .. }
            | TrainerEvent::Imported { .. }
            | TrainerEvent::Saved { .. }
            | TrainerEvent::Paused { .. }
            | TrainerEvent::Stopped
            | TrainerEvent::Error { .. } => {}
        }
    }

    /// The share of the newest minutes of training that went into waiting for images, 0..1; `None`: not measured.
    pub(super) fn loading_share(&self) -> Option<f64> {
        self.speed.loading()
    }

    fn judge_speed(&mut self, now_ms: u64) {
        if let Some((now, best)) = self.speed.now_s().zip(self.speed.best_s()) {
            self.slower.see(now > best * SLOWER.0, now < best * SLOWER.1, now_ms, PACE_HOLD_MS);
        }
        if let Some(share) = self.speed.loading().filter(|_| self.speed.is_settled()) {
            self.loading.see(share > LOADING.0, share < LOADING.1, now_ms, PACE_HOLD_MS);
        }
    }

    fn measure(&mut self, usage: &Usage, remaining_s: Option<f64>, now_ms: u64) {
        if self.phase == Phase::Loading && is_at_work(usage) {
            self.moved_ms = now_ms;
        }
        let short = |alarm: &mut Alarm, free: Option<(u64, u64)>, (bad, good): (f64, f64)| {
            if let Some(share) = free.and_then(|(free, all)| share(free, all)) {
                alarm.see(share < bad, share > good, now_ms, MEASURED_HOLD_MS);
            }
        };
        short(&mut self.ram, usage.memory_free, RAM);
        short(&mut self.gpu_memory, usage.gpu_free, GPU_MEMORY);
        let lost = usage.gpu_trouble == Some(GpuTrouble::Lost);
        let hot = matches!(usage.gpu_trouble, Some(GpuTrouble::Hot { .. }));
        self.gpu_lost.see(lost, !lost, now_ms, LOST_HOLD_MS);
        self.gpu_hot.see(hot, !hot, now_ms, MEASURED_HOLD_MS);
        if let Some(free) = usage.disk_free {
            self.room.see(free, self.needed_room(), remaining_s, now_ms);
        }
    }

    /// Bytes that the rest of the run needs at least: the last and the best checkpoint anew, and what is drawn at the
    /// end.
    fn needed_room(&self) -> u64 {
        checkpoint(self.parameters).saturating_mul(2).saturating_add(BESIDE_CHECKPOINTS)
    }

    /// Seconds in which nothing happened, where that is longer than it should be. `silent_ms`: how long nothing was
    /// told at all.
    fn stalled_s(&self, silent_ms: u64) -> Option<f64> {
        let quiet_ms = self.clock_ms.saturating_sub(self.moved_ms).saturating_add(silent_ms);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, which is meant")]
        let usual_ms = self.speed.usual_s().map(|step| (step * USUAL_STEPS * 1000.0) as u64);
        let bound_ms = match (self.phase, usual_ms) {
            (Phase::None, _) => return None,
            (Phase::Steps, Some(usual)) => usual.max(BETWEEN_STEPS_MS),
            (_, usual) => usual.unwrap_or(0).max(ELSEWHERE_MS),
        };
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of a run are far below 2^53")]
        let quiet_s = quiet_ms as f64 / 1000.0;
        (quiet_ms >= bound_ms).then_some(quiet_s)
    }
}

impl Progress {
    /// What a person should know of a run at a moment, in milliseconds since 1970 UTC: what was written down, and how
    /// it goes. Of a run that is over, how it went: a killed training's full memory may be what killed it, but a
    /// finished one's last minutes no longer matter.
    #[must_use]
    pub fn findings_at(&self, now_ms: u64) -> Vec<Finding> {
        let mut findings = self.findings.clone();
        findings.extend(findings::of(self, now_ms));
        findings
    }
}

/// Bytes that must be free on the run's volume so that it can go on to its next checkpoint. With less, the trainer fails
/// in writing it.
#[must_use]
pub fn room_to_go_on(progress: &Progress) -> u64 {
    /// Events and logs of the time until then, and room for what else writes to the disk.
    const MARGIN: u64 = 64 << 20;
    checkpoint(progress.health.parameters).saturating_mul(2).saturating_add(MARGIN)
}

/// Whether processes do something.
fn is_at_work(usage: &Usage) -> bool {
    usage.cpu > AT_WORK_CORES || usage.gpu_utilization.is_some_and(|percent| percent > 0)
}

fn share(part: u64, all: u64) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let share = part as f64 / all as f64;
    (all > 0).then_some(share)
}

/// Whether a run of this state is under way.
fn is_under_way(state: RunState) -> bool {
    matches!(state, RunState::Preparing | RunState::Running)
}

#[cfg(test)]
mod tests;
