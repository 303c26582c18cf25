//! The models a person can choose, with published figures.
//!
//! Their words are `model-family-<family>` and `model-size-<size>` of `locales/`; `model-license` is the line about
//! their licence.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// A model a person can choose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct ModelCard {
    /// As Ultralytics names it: `yolov8n`.
    pub name: String,
    /// `yolov8`, `yolo11` or `yolo26`.
    pub family: String,
    /// `n`, `s`, `m`, `l` or `x`.
    pub size: String,
    /// Parameters in millions.
    pub parameters_millions: f64,
    /// Floating-point operations per 640 px image, in billions.
    pub gflops: f64,
    /// Published mAP50-95 on COCO val2017 at 640 px, in percent.
    pub map50_95: f64,
    /// The page the figures are from.
    pub source: String,
}

/// Every model a person can choose, by family and size, smallest first.
pub static ALL: LazyLock<Vec<ModelCard>> = LazyLock::new(|| read(include_str!("../data/models.toml")));

/// The model with this name.
#[must_use]
pub fn card(name: &str) -> Option<&'static ModelCard> {
    ALL.iter().find(|card| card.name == name)
}

/// The first Ultralytics version that knows a family.
#[must_use]
pub fn first_version(family: &str) -> Option<&'static str> {
    match family {
        "yolov8" => Some("8.0.0"),
        "yolo11" => Some("8.3.0"),
        "yolo26" => Some("8.4.0"),
        _ => None,
    }
}

fn read(table: &str) -> Vec<ModelCard> {
    #[derive(Deserialize)]
    struct Table {
        family: Vec<Family>,
    }
    #[derive(Deserialize)]
    struct Family {
        name: String,
        source: String,
        models: Vec<Figures>,
    }
    #[derive(Deserialize)]
    struct Figures {
        size: String,
        parameters_millions: f64,
        gflops: f64,
        map50_95: f64,
    }
    // The table is part of the program; the test below refuses one that cannot be read.
    let families = toml::from_str::<Table>(table).map(|table| table.family).unwrap_or_default();
    families
        .into_iter()
        .flat_map(|family| {
            family.models.into_iter().map(move |figures| ModelCard {
                name: format!("{}{}", family.name, figures.size),
                family: family.name.clone(),
                size: figures.size,
                parameters_millions: figures.parameters_millions,
                gflops: figures.gflops,
                map50_95: figures.map50_95,
                source: family.source.clone(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_families_of_five_sizes_that_grow() {
        assert_eq!(ALL.len(), 15);
        for family in ALL.chunks(5) {
            assert!(family.iter().map(|card| card.size.as_str()).eq(["n", "s", "m", "l", "x"]));
            for pair in family.windows(2) {
                assert_eq!(pair[0].family, pair[1].family);
                assert!(pair[0].parameters_millions < pair[1].parameters_millions);
                assert!(pair[0].gflops < pair[1].gflops);
                assert!(pair[0].map50_95 < pair[1].map50_95);
            }
        }
    }

    #[test]
    fn found_by_the_name_ultralytics_uses() {
        assert_eq!(card("yolo11m").map(|card| card.parameters_millions), Some(20.1));
        assert_eq!(card("yolov8n.pt"), None);
    }
}
