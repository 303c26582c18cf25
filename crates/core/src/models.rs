//! The models a person can choose, with published figures.

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
