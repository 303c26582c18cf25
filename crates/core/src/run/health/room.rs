//! Whether the disk holds what the rest of a run writes.

use serde::{Deserialize, Serialize};

use super::alarm::Alarm;

/// A checkpoint in training holds weights in half precision and the optimizer's two moments in single precision.
const CHECKPOINT_BYTES_PER_PARAMETER: u64 = 12;
/// What a run writes beside checkpoints, in bytes: pictures, logs and lists.
pub(crate) const BESIDE_CHECKPOINTS: u64 = 200 << 20;
/// How often the free space is noted, in milliseconds.
const SAMPLE_MS: u64 = 60_000;
/// Changes that are kept.
const CHANGES: usize = 15;
/// Changes that tell a trend. Their middle one counts, so that one large file written once is no trend.
const TREND: usize = 5;
/// How long it has to look bad, in milliseconds.
const HOLD_MS: u64 = 60_000;

/// Bytes of one checkpoint.
#[must_use]
pub(crate) fn checkpoint(parameters: u64) -> u64 {
    parameters.saturating_mul(CHECKPOINT_BYTES_PER_PARAMETER)
}

/// What is free on the run's volume, and where that leads.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Room {
    pub(super) alarm: Alarm,
    /// The newest sample: when, and bytes free.
    sample: Option<(u64, u64)>,
    /// By how many bytes it fell from one sample to the next, oldest first.
    falls: Vec<f64>,
}

impl Room {
    /// Takes in what is free, against what the rest of the run needs at least.
    pub(super) fn see(&mut self, free: u64, need: u64, remaining_s: Option<f64>, now_ms: u64) {
        match self.sample {
            Some((then, _)) if now_ms.saturating_sub(then) < SAMPLE_MS => {}
            before => {
                if let Some((_, before)) = before {
                    if self.falls.len() == CHANGES {
                        self.falls.remove(0);
                    }
                    #[expect(clippy::cast_precision_loss, reason = "a forecast")]
                    self.falls.push(before as f64 - free as f64);
                }
                self.sample = Some((now_ms, free));
            }
        }
        let end = self.at_the_end(free, remaining_s);
        let ample = need.saturating_add(need / 2);
        self.alarm.see(free < need || end < need, free >= ample && end >= ample, now_ms, HOLD_MS);
    }

    /// Bytes a second by which it falls; `None`: it does not, or that cannot be told yet.
    pub(super) fn falls_by(&self) -> Option<f64> {
        if self.falls.len() < TREND {
            return None;
        }
        let mut falls = self.falls.clone();
        falls.sort_by(f64::total_cmp);
        #[expect(clippy::cast_precision_loss, reason = "a minute")]
        let seconds = SAMPLE_MS as f64 / 1000.0;
        falls.get(falls.len() / 2).map(|fall| fall / seconds).filter(|fall| *fall > 0.0)
    }

    /// Bytes free when the run ends, should it go on like this.
    fn at_the_end(&self, free: u64, remaining_s: Option<f64>) -> u64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, which is meant")]
        let written = self.falls_by().zip(remaining_s).map_or(0, |(fall, seconds)| (fall * seconds) as u64);
        free.saturating_sub(written)
    }
}
