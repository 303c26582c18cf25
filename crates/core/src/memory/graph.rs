//! What the models keep in memory while they learn, by their traced graphs.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// A model's coefficients: a row of `data/memory.toml`, or what was found out about a person's own model. Bytes of
/// activations are for one image of 640 × 640 px, in MiB.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    /// Numbers the model consists of, with 80 classes.
    pub parameters: f64,
    /// What one image holds when memory is fullest, in mixed precision, without what each class adds.
    pub mixed: f64,
    /// The same in single precision.
    pub single: f64,
    /// What each class adds to `mixed`.
    #[serde(default)]
    pub class: f64,
    /// What each box adds to `mixed`: masks, key points, angles.
    #[serde(default)]
    pub object: f64,
    /// Places of an image of 640 × 640 px that predict a box: 80² + 40² + 20², unless the model has other scales.
    #[serde(default = "anchors")]
    pub anchors: f64,
    /// Whether boxes are matched to predictions, as in every task but classification.
    #[serde(default = "matches")]
    pub matches: bool,
}

fn anchors() -> f64 {
    8_400.0
}

fn matches() -> bool {
    true
}

static GRAPHS: LazyLock<BTreeMap<String, Graph>> =
    // The table is part of the program; a test refuses one that cannot be read.
    LazyLock::new(|| toml::from_str(include_str!("../../data/memory.toml")).unwrap_or_default());

impl Graph {
    /// The graph of a model, by the name Ultralytics or its author gives it; `None`: it was never traced.
    pub(super) fn of(model: &str) -> Option<&'static Self> {
        GRAPHS.get(model).or_else(|| GRAPHS.get(&published_as(model)?))
    }

    /// The graph of a published model; `None`: it is none, or was never traced.
    #[must_use]
    pub fn published(model: &str) -> Option<Self> {
        Self::of(model).copied()
    }

    /// Whether these can be a model's figures: what was found out by a program of somebody's environment may be anything.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        let all = [self.parameters, self.mixed, self.single, self.class, self.object, self.anchors];
        all.iter().all(|figure| figure.is_finite() && (0.0..1e12).contains(figure)) && self.mixed > 0.0
    }

    /// Names of every traced model.
    #[cfg(test)]
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        GRAPHS.keys().map(String::as_str)
    }
}

/// The same graph by another name: the author's own YOLOv12 is Ultralytics' YOLO12, `u` marks the anchor-free head that
/// all YOLOv5 and YOLOv3 have here, `6` its variant with a fourth scale, and `-oiv7` weights learned on other data.
fn published_as(model: &str) -> Option<String> {
    if let Some(rest) = model.strip_prefix("yolov12") {
        return Some(format!("yolo12{rest}"));
    }
    if let Some(plain) = model.strip_suffix("-oiv7") {
        return Some(plain.to_owned());
    }
    let plain = model.strip_suffix('u').unwrap_or(model);
    if !plain.starts_with("yolov5") && !plain.starts_with("yolov3") {
        return None;
    }
    Some(plain.strip_suffix('6').map_or_else(|| plain.to_owned(), |plain| format!("{plain}-p6")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_that_can_be_chosen_was_traced() {
        for card in crate::models::ALL.iter() {
            let graph = Graph::of(&card.name).unwrap_or_else(|| panic!("{}", card.name));
            // YOLO26 is published without the second head that only training has.
            let millions = graph.parameters / 1e6;
            assert!((0.97..1.1).contains(&(millions / card.parameters_millions)), "{}: {millions}", card.name);
        }
    }

    #[test]
    fn one_graph_may_have_two_names() {
        assert_eq!(Graph::of("yolov12n"), Graph::of("yolo12n"));
        assert_eq!(Graph::of("yolov5nu"), Graph::of("yolov5n"));
        assert!(Graph::of("yolov5nu").is_some());
        assert_eq!(Graph::of("yolov8s-oiv7"), Graph::of("yolov8s"));
        assert_eq!(published_as("yolov5n6u").as_deref(), Some("yolov5n-p6"));
        assert_eq!(Graph::of("u"), None);
        assert_eq!(Graph::of("my-own"), None);
    }

    #[test]
    fn figures_are_plausible() {
        for name in Graph::names() {
            let graph = Graph::of(name).unwrap_or_else(|| panic!("{name}"));
            assert!(graph.parameters > 1e6 && graph.mixed > 1.0, "{name}");
            assert!((1.2..2.2).contains(&(graph.single / graph.mixed)), "{name}: {}", graph.single / graph.mixed);
            assert!(graph.class >= 0.0 && graph.object >= 0.0, "{name}");
        }
    }
}
