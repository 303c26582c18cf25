//! What a trained model finds, and whether two forms of it find the same.

use serde::{Deserialize, Serialize};

/// A box that a model drew: an object, as it sees it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct FoundBox {
    /// The class, counted from 0.
    pub class: u32,
    /// How sure the model is, 0..1.
    pub confidence: f64,
    /// Pixels of the upright image from its left side.
    pub left: f64,
    /// Pixels from its top.
    pub top: f64,
    /// Pixels from its left side.
    pub right: f64,
    /// Pixels from its top.
    pub bottom: f64,
}

impl FoundBox {
    /// The area that two boxes share, as a share of the area that both cover, 0..1.
    #[must_use]
    pub fn overlap(&self, other: &Self) -> f64 {
        let side = |low: f64, high: f64| (high - low).max(0.0);
        let area = |found: &Self| side(found.left, found.right) * side(found.top, found.bottom);
        let shared = side(self.left.max(other.left), self.right.min(other.right))
            * side(self.top.max(other.top), self.bottom.min(other.bottom));
        let covered = area(self) + area(other) - shared;
        if covered > 0.0 { shared / covered } else { 0.0 }
    }
}

/// Two boxes of the same object may differ in confidence by this much. Measured differences of exported models are
/// about 1e-6; a hundredth would change no decision.
pub const CONFIDENCE_TOLERANCE: f64 = 0.01;
/// And must overlap by this much.
pub const OVERLAP_TOLERANCE: f64 = 0.95;
/// Boxes are compared from the first of these confidences on at which there are enough of them: a model that has
/// learned little is sure of nothing, and can be compared all the same.
const CONFIDENCES: [f64; 4] = [0.25, 0.05, 0.01, 0.001];
/// So many boxes are enough.
const ENOUGH: usize = 10;

/// Whether two forms of a model find the same in the same images, as figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Agreement {
    /// Whether every box has its counterpart within the tolerances.
    pub agrees: bool,
    /// Images that both were shown.
    pub images: u32,
    /// Boxes that were compared, before overlapping ones are dropped; 0: neither form found anything at all.
    pub boxes: u32,
    /// Boxes are compared from this confidence on.
    pub from_confidence: f64,
    /// Boxes without a counterpart.
    pub unmatched: u32,
    /// The largest difference in confidence.
    pub confidence_difference: f64,
    /// The smallest overlap, 0..1.
    pub overlap: f64,
    /// What the difference in confidence may be.
    pub confidence_tolerance: f64,
    /// What the overlap must be.
    pub overlap_tolerance: f64,
}

/// What both forms of a model found in one image, before overlapping boxes are dropped.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pair {
    /// The weights as they were trained.
    pub weights: Vec<FoundBox>,
    /// The exported model.
    pub exported: Vec<FoundBox>,
    /// As many boxes as either could tell.
    pub most: usize,
}

impl Pair {
    /// The confidence above which both told every box they have: the end of a list that is full is chance.
    fn complete_from(&self) -> f64 {
        let lowest = |found: &[FoundBox]| found.iter().map(|found| found.confidence).fold(1.0, f64::min);
        let full = [&self.weights, &self.exported].into_iter().filter(|found| found.len() >= self.most);
        full.map(|found| lowest(found) + CHANCE).fold(0.0, f64::max)
    }
}

/// Far more than the confidence of one box differs between two forms of a model.
const CHANCE: f64 = 0.0005;

/// Compares what two forms of a model found in the same images.
#[must_use]
pub fn compare(pairs: &[Pair]) -> Agreement {
    let count = |from: f64| {
        pairs.iter().flat_map(|pair| pair.weights.iter().chain(&pair.exported)).filter(|b| b.confidence >= from).count()
    };
    let from = CONFIDENCES.into_iter().find(|from| count(*from) >= 2 * ENOUGH).unwrap_or(CONFIDENCES[3]);
    let mut agreement = Agreement {
        agrees: true,
        images: u32::try_from(pairs.len()).unwrap_or(u32::MAX),
        boxes: 0,
        from_confidence: from,
        unmatched: 0,
        confidence_difference: 0.0,
        overlap: 1.0,
        confidence_tolerance: CONFIDENCE_TOLERANCE,
        overlap_tolerance: OVERLAP_TOLERANCE,
    };
    for pair in pairs {
        let Pair { weights, exported, .. } = pair;
        let from = from.max(pair.complete_from());
        let mut taken = vec![false; exported.len()];
        for found in weights.iter().filter(|found| found.confidence >= from) {
            // Its counterpart may be a hair below the least confidence.
            let best = (0..exported.len())
                .filter(|index| !taken[*index] && exported[*index].class == found.class)
                .max_by(|a, b| found.overlap(&exported[*a]).total_cmp(&found.overlap(&exported[*b])));
            if agreement.note(found, best.map(|index| &exported[index]))
                && let Some(index) = best
            {
                taken[index] = true;
            }
        }
        // What only the exported model found, unless the other one was a hair less sure of it.
        for (index, found) in exported.iter().enumerate().filter(|(_, found)| found.confidence >= from) {
            if !taken[index] {
                let near = weights.iter().filter(|other| other.class == found.class && other.confidence < from);
                let best = near.max_by(|a, b| found.overlap(a).total_cmp(&found.overlap(b)));
                agreement.note(found, best);
            }
        }
    }
    agreement.agrees = agreement.unmatched == 0 && agreement.confidence_difference <= CONFIDENCE_TOLERANCE;
    agreement
}

impl Agreement {
    /// Counts a box and what may be its counterpart; answers whether it is.
    fn note(&mut self, found: &FoundBox, other: Option<&FoundBox>) -> bool {
        self.boxes += 1;
        match other.map(|other| (found.overlap(other), (found.confidence - other.confidence).abs())) {
            Some((overlap, difference)) if overlap >= OVERLAP_TOLERANCE => {
                self.overlap = self.overlap.min(overlap);
                self.confidence_difference = self.confidence_difference.max(difference);
                true
            }
            _ => {
                self.unmatched += 1;
                false
            }
        }
    }
}

/// The card on which a model is tried: the first of those that trained it, unless a training uses that now. `None`: on
/// the processor. Devices are as runs' records name them: `cpu` or `0,1`; what trained on a slice or on Apple's GPU is tried
/// on the processor.
#[must_use]
pub fn card_to_try_on<'a>(trained_on: &'a str, in_use: &[String]) -> Option<&'a str> {
    let cards = |device: &'a str| device.split(',').map(str::trim).filter(|card| card.parse::<u32>().is_ok());
    let card = cards(trained_on).next()?;
    let is_used = in_use.iter().any(|device| device.split(',').any(|used| used.trim() == card));
    (!is_used).then_some(card)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(class: u32, confidence: f64, left: f64) -> FoundBox {
        FoundBox { class, confidence, left, top: 10.0, right: left + 100.0, bottom: 110.0 }
    }

    fn pair(weights: Vec<FoundBox>, exported: Vec<FoundBox>) -> Pair {
        Pair { weights, exported, most: 500 }
    }

    fn many(by: f64) -> Vec<FoundBox> {
        (0..12_u32).map(|n| found(n % 3, 0.9 - f64::from(n) / 100.0 + by, f64::from(n) * 150.0 + by)).collect()
    }

    #[test]
    fn overlap_is_a_share_of_what_both_cover() {
        let at = |left| found(0, 1.0, left);
        assert!((at(0.0).overlap(&at(0.0)) - 1.0).abs() < 1e-12);
        assert!((at(0.0).overlap(&at(50.0)) - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(at(0.0).overlap(&at(100.0)), 0.0);
        let nothing = FoundBox { right: 0.0, ..at(0.0) };
        assert_eq!(nothing.overlap(&nothing), 0.0);
    }

    #[test]
    fn the_same_boxes_agree_and_the_figures_say_how_closely() {
        let agreement = compare(&[pair(many(0.0), many(0.001))]);
        assert!(agreement.agrees, "{agreement:?}");
        assert_eq!((agreement.images, agreement.boxes, agreement.unmatched), (1, 12, 0));
        assert_eq!(agreement.from_confidence, 0.25);
        assert!((agreement.confidence_difference - 0.001).abs() < 1e-9);
        assert!(agreement.overlap < 1.0 && agreement.overlap > 0.999);
    }

    #[test]
    fn another_class_another_place_another_confidence_or_one_more_do_not_agree() {
        let other = |change: fn(&mut Vec<FoundBox>)| {
            let mut exported = many(0.0);
            change(&mut exported);
            compare(&[pair(many(0.0), exported)])
        };
        // Its counterpart is missing, and it is one that nobody looked for.
        assert_eq!(other(|boxes| boxes[3].class = 9).unmatched, 2);
        assert!(!other(|boxes| boxes[3].class = 9).agrees);
        assert!(!other(|boxes| boxes[3].left += 30.0).agrees);
        assert!(!other(|boxes| boxes[3].confidence -= 0.02).agrees);
        assert!(!other(|boxes| boxes.truncate(11)).agrees);
        assert!(!other(|boxes| boxes.push(found(1, 0.8, 5000.0))).agrees);
        // Both sides count the same.
        assert!(!compare(&[pair(Vec::new(), many(0.0))]).agrees);
    }

    #[test]
    fn a_box_on_the_edge_of_what_is_compared_finds_its_counterpart() {
        let mut weights = many(0.0);
        let mut exported = many(0.0);
        weights.push(found(0, 0.250_001, 5000.0));
        exported.push(found(0, 0.249_999, 5000.0));
        for agreement in [compare(&[pair(weights.clone(), exported.clone())]), compare(&[pair(exported, weights)])] {
            assert!(agreement.agrees, "{agreement:?}");
            assert_eq!(agreement.boxes, 13);
        }
    }

    #[test]
    fn a_model_that_is_sure_of_nothing_is_compared_all_the_same() {
        let unsure = |n: u32| found(0, 0.002 + f64::from(n) / 10_000.0, f64::from(n) * 150.0);
        let boxes: Vec<FoundBox> = (0..30).map(unsure).collect();
        let agreement = compare(&[pair(boxes.clone(), boxes)]);
        assert_eq!((agreement.boxes, agreement.from_confidence), (30, 0.001));
        assert_eq!(compare(&[pair(Vec::new(), Vec::new())]).boxes, 0);
        assert!(compare(&[]).agrees);
    }

    #[test]
    fn the_end_of_a_full_list_is_not_compared() {
        let at = |n: u32, by: f64| found(0, 0.9 - f64::from(n) / 100.0 + by, f64::from(n) * 150.0);
        let list = |by: f64, last: u32| (0..29).chain([last]).map(|n| at(n, by)).collect::<Vec<_>>();
        // Each tells thirty boxes: the thirtieth is another one.
        let full = Pair { most: 30, ..pair(list(0.0, 29), list(1e-6, 30)) };
        let agreement = compare(std::slice::from_ref(&full));
        assert!(agreement.agrees, "{agreement:?}");
        assert_eq!(agreement.boxes, 29);
        assert!(!compare(&[Pair { most: 31, ..full }]).agrees);
    }

    #[test]
    fn a_card_that_trains_is_left_alone() {
        let used = |devices: &[&str]| devices.iter().map(|device| (*device).to_owned()).collect::<Vec<_>>();
        assert_eq!(card_to_try_on("cpu", &[]), None);
        assert_eq!(card_to_try_on("mps", &[]), None);
        assert_eq!(card_to_try_on("MIG-aaaa", &[]), None);
        assert_eq!(card_to_try_on("0", &[]), Some("0"));
        assert_eq!(card_to_try_on("1,2", &used(&["0", "cpu"])), Some("1"));
        assert_eq!(card_to_try_on("1", &used(&["0,1"])), None);
        assert_eq!(card_to_try_on("1", &used(&["11"])), Some("1"));
    }
}
