//! What is told only once it has held for a while, and not told any more only once it has been over for a while.

use serde::{Deserialize, Serialize};

/// Raised when it was bad for a while, cleared when it was good for as long. What is neither changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Alarm {
    pub(super) raised: bool,
    /// Since when it has been about to change.
    since_ms: Option<u64>,
}

impl Alarm {
    /// Takes in how it is at a moment; it has to stay so for `hold_ms` until it counts.
    pub(super) fn see(&mut self, bad: bool, good: bool, now_ms: u64, hold_ms: u64) {
        let changes = if self.raised { good } else { bad };
        if !changes {
            self.since_ms = None;
            return;
        }
        let since = *self.since_ms.get_or_insert(now_ms);
        if now_ms.saturating_sub(since) >= hold_ms {
            *self = Self { raised: !self.raised, since_ms: None };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_wavers_is_told_once() {
        let mut alarm = Alarm::default();
        let mut told = Vec::new();
        // Bad for a second now and then, then for good, then wavering between bad and not quite good.
        for (second, value) in [9, 1, 9, 1, 9, 9, 9, 5, 9, 5, 9, 5, 5, 1, 5, 1, 1, 1, 5].into_iter().enumerate() {
            alarm.see(value > 8, value < 3, second as u64 * 1000, 2000);
            told.push(alarm.raised);
        }
        let raised = told.iter().position(|raised| *raised).unwrap();
        let cleared = told.iter().rposition(|raised| *raised).unwrap() + 1;
        assert_eq!((raised, cleared), (6, 17));
        assert!(told[raised..cleared].iter().all(|raised| *raised), "{told:?}");
    }
}
