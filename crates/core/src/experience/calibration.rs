//! How far the estimates for a card are off, by the trainings that finished on it.

use serde::{Deserialize, Serialize};

use super::Finished;
use crate::memory;

/// Newest trainings that count.
const WINDOW: usize = 12;
/// As many imaginary trainings as this say that the estimate is right: one training alone moves it little.
const DOUBT: f64 = 2.0;
/// The factor is never beyond these: a card that differs more has been measured wrongly.
const BOUNDS: (f64, f64) = (0.75, 1.35);

/// By what estimates for a card are multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Calibration {
    /// Between 0.75 and 1.35; 1: as they are.
    pub factor: f64,
    /// Trainings it rests on; 0: none.
    pub runs: u32,
}

/// How good the estimates for this computer were.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Accuracy {
    /// The newest trainings it is about.
    pub runs: u32,
    /// By what share of the measured figure the expected one was off, in the middle.
    pub off_by: f64,
    /// In how many of them the measured figure was within the bounds.
    pub inside: u32,
}

impl Calibration {
    /// The estimates as they are.
    pub const NONE: Self = Self { factor: 1.0, runs: 0 };

    /// By the logarithms of measured against estimated, oldest first. The middle one of the newest counts, so that no
    /// single training decides, and the fewer there are the less.
    #[must_use]
    pub fn of(errors: impl IntoIterator<Item = f64>) -> Self {
        let mut newest: Vec<f64> = errors.into_iter().filter(|error| error.is_finite()).collect();
        newest.drain(..newest.len().saturating_sub(WINDOW));
        let Some(middle) = median(newest.clone()) else { return Self::NONE };
        let runs = u32::try_from(newest.len()).unwrap_or(u32::MAX);
        let trust = f64::from(runs) / (f64::from(runs) + DOUBT);
        Self { factor: (middle * trust).exp().clamp(BOUNDS.0, BOUNDS.1), runs }
    }
}

/// What of a training says how far off an estimate was: its card, and measured against estimated.
fn measured(run: &Finished) -> Option<(&str, u64, memory::Interval)> {
    let mut setup = run.shape.setup();
    setup.amp = run.amp.unwrap_or(setup.amp);
    let reserved = run.reserved.filter(|bytes| *bytes > 0 && !run.shape.is_on_processor())?;
    let estimated = memory::reserved(&setup).filter(|estimated| estimated.expected > 0)?;
    Some((run.shape.card.as_deref()?, reserved, estimated))
}

/// The logarithms of measured against estimated of the trainings on a card, oldest first.
pub(super) fn errors<'a>(runs: &'a [Finished], card: &'a str) -> impl Iterator<Item = f64> + 'a {
    runs.iter()
        .filter_map(measured)
        .filter(move |(on, ..)| is_same_card(on, card))
        .map(|(_, measured, estimated)| (as_f64(measured) / as_f64(estimated.expected)).ln())
}

/// Whether two names mean the same kind of card: people leave out the vendor, and add the memory.
fn is_same_card(one: &str, other: &str) -> bool {
    let telling = |name: &str| -> Vec<String> {
        let words = name.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
        let is_memory = |word: &str| {
            let number = word.strip_suffix("gb").or(word.strip_suffix("gib"));
            number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let mut words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
        // `12 GB` is as good as `12GB`.
        if let Some(unit) = words.iter().position(|word| word == "gb" || word == "gib") {
            words.drain(unit.saturating_sub(1)..=unit);
        }
        words.retain(|word| !["nvidia", "geforce", "tesla", "quadro"].contains(&word.as_str()) && !is_memory(word));
        words
    };
    one == other || telling(one) == telling(other)
}

pub(super) fn accuracy(runs: &[Finished]) -> Option<Accuracy> {
    let mut off = Vec::new();
    let mut inside = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        let Some((card, measured, estimated)) = measured(run) else { continue };
        // What was known before.
        let factor = Calibration::of(errors(&runs[..at], card)).factor;
        let within = as_f64(estimated.low) * factor..=as_f64(estimated.high) * factor;
        off.push((as_f64(estimated.expected) * factor / as_f64(measured) - 1.0).abs());
        inside.push(within.contains(&as_f64(measured)));
    }
    let newest = off.len().saturating_sub(WINDOW);
    let off_by = median(off[newest..].to_vec())?;
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let inside = inside[newest..].iter().filter(|inside| **inside).count();
    Some(Accuracy { runs: count(off.len() - newest), off_by, inside: count(inside) })
}

/// The middle one; of an even number, the mean of the two.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    let upper = *values.get(half)?;
    if values.len() % 2 == 1 { Some(upper) } else { Some((values[half - 1] + upper) / 2.0) }
}

#[expect(clippy::cast_precision_loss, reason = "below 2^53")]
fn as_f64(bytes: u64) -> f64 {
    bytes as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::shape;
    use super::super::{Experience, Shape};
    use super::*;

    fn finished(run: u32, shape: Shape, factor: f64) -> Finished {
        let estimated = memory::reserved(&shape.setup()).unwrap().expected;
        let reserved = Some((as_f64(estimated) * factor) as u64);
        Finished { run: run.to_string(), at_ms: run.into(), shape, amp: Some(true), reserved, epoch_s: Some(10.0) }
    }

    proptest! {
        #[test]
        fn a_factor_is_bounded_and_never_beyond_what_was_seen(errors in proptest::collection::vec(-3.0..3.0_f64, 0..40)) {
            let Calibration { factor, runs } = Calibration::of(errors.clone());
            prop_assert!((BOUNDS.0..=BOUNDS.1).contains(&factor));
            prop_assert_eq!(runs as usize, errors.len().min(WINDOW));
            let low = errors.iter().copied().fold(0.0, f64::min).exp();
            let high = errors.iter().copied().fold(0.0, f64::max).exp();
            prop_assert!(low - 1e-12 <= factor && factor <= high + 1e-12);
        }

        #[test]
        fn more_of_the_same_is_believed_more(error in -0.25..0.28_f64, runs in 1_usize..11) {
            let factor = |runs| Calibration::of(vec![error; runs]).factor.ln();
            prop_assert!(factor(runs + 1).abs() >= factor(runs).abs());
            prop_assert!(factor(runs) * error >= 0.0, "in the direction that was seen");
        }

        #[test]
        fn one_strange_training_among_others_hardly_matters(error in -0.2..0.2_f64, strange in -5.0..5.0_f64) {
            let mut errors = vec![error; 5];
            let before = Calibration::of(errors.clone()).factor.ln();
            errors.insert(2, strange);
            let after = Calibration::of(errors).factor.ln();
            prop_assert!((before - after).abs() < 0.2 * error.abs() + 1e-9);
        }

        #[test]
        fn what_the_processor_did_says_nothing_of_a_card(factor in 0.1..10.0_f64, runs in 1_u32..20) {
            let on_card = shape();
            let mut known = Experience::default();
            for run in 0..runs {
                let mut finished = finished(run, on_card.clone(), factor);
                finished.shape.cards = 0;
                finished.shape.card = None;
                known.learn(finished);
            }
            prop_assert_eq!(known.calibration(on_card.card.as_deref().unwrap()), Calibration::NONE);
            prop_assert_eq!(known.accuracy(), None);
        }
    }

    #[test]
    fn a_card_that_takes_more_is_learned_and_the_record_says_so() {
        let card = shape().card.unwrap();
        let mut known = Experience::default();
        assert_eq!((known.calibration(&card), known.accuracy()), (Calibration::NONE, None));
        for run in 0..12 {
            known.learn(finished(run, Shape { batch: 4 + run, ..shape() }, 1.1));
        }
        let learned = known.calibration(&card);
        assert_eq!(learned.runs, 12);
        assert!((1.07..1.1).contains(&learned.factor), "{learned:?}");
        assert_eq!(known.calibration("Tesla T4"), Calibration::NONE, "another card is another card");
        let accuracy = known.accuracy().unwrap();
        assert_eq!(accuracy.runs, 12);
        assert!(accuracy.off_by < 0.04, "{accuracy:?}");
        assert_eq!(accuracy.inside, 12);
        assert_eq!(known.calibration("RTX 3060 12 GB"), learned, "as a person calls it");
        assert_eq!(known.calibration("RTX 3060 Ti"), Calibration::NONE);
        known.learn(finished(3, shape(), 1.1));
        assert_eq!(known.runs.len(), 12, "the same run counts once");
    }
}
