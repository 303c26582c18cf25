//! Trying a trained model on a person's images.

use std::path::{Path, PathBuf};

use preflight_core::dataset::paths;
use preflight_core::problem::Problem;
use preflight_core::results::{FoundBox, card_to_try_on};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::script::{Script, relative};
use crate::Engine;
use crate::dirs::Dirs;
use crate::runs;

/// What a model found in an image.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Prediction {
    /// Pixels of the upright image.
    pub width: u32,
    /// Pixels of the upright image.
    pub height: u32,
    /// Its boxes, from a confidence of 0.01 on, the surest first; 300 at most.
    pub boxes: Vec<FoundBox>,
    /// Seconds in the model itself.
    pub inference_s: f64,
    /// Seconds in all, reading the image included.
    pub total_s: f64,
    /// Names of the classes.
    pub names: Vec<String>,
    /// As Ultralytics is told: `cpu`, or the number of a card.
    pub device: String,
    /// Why the processor does it although a card trained the model.
    pub on_processor: Option<OnProcessor>,
}

/// Why the processor tries a model that a card trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum OnProcessor {
    /// A training uses the card now.
    CardTrains,
    /// The card is not there, does not work, or has no memory left.
    CardUnavailable,
}

/// A model in memory that can be tried.
#[derive(Debug)]
pub struct Trial {
    script: Script,
    /// The card it was to be on; `None`: the processor.
    card: Option<String>,
    spares_card: bool,
    names: Vec<String>,
}

/// A line of the script's.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Said {
    Ready { names: Vec<String> },
    Unreadable { text: String },
    Predicted { device: String, width: u32, height: u32, boxes: Vec<FoundBox>, inference_s: f64, total_s: f64 },
}

impl Trial {
    /// Loads a run's best weights, on the card that trained them unless a training uses it now.
    ///
    /// # Errors
    /// Those of [`runs::open`], `results.no-weights`, `results.no-environment`, `results.model-failed`.
    pub async fn start(engine: &Engine, id: &str) -> Result<Self, Problem> {
        let run = runs::open(engine, id)?;
        let weights = super::model(&run)?;
        let trained_on = &run.record.device;
        let card = card_to_try_on(trained_on, &runs::devices_in_use(engine.dirs())).map(str::to_owned);
        let spares_card = card.is_none() && card_to_try_on(trained_on, &[]).is_some();
        let asked = json!({
            "do": "predict",
            "weights": relative(&weights.path, &run),
            "imgsz": super::image_size(&run),
            "device": card.as_deref().unwrap_or("cpu"),
        });
        let mut script = Script::start(engine, &run, &asked).await?;
        let names = match script.hear().await? {
            Said::Ready { names } => names,
            said => return Err(Problem::new("results.model-failed").because_text(format!("{said:?}"))),
        };
        Ok(Self { script, card, spares_card, names })
    }

    /// What the model finds in an image.
    ///
    /// # Errors
    /// `image.unreadable`: the next image can be tried; `results.model-failed`: none can.
    pub async fn predict(&mut self, image: &Path) -> Result<Prediction, Problem> {
        let unreadable = || Problem::new("image.unreadable").with("path", image);
        // The script works in the run's folder.
        let path = std::path::absolute(image).map_err(|error| unreadable().because(&error))?;
        // JSON has text only. What no text can name cannot be handed over.
        let path = path.to_str().ok_or_else(unreadable)?;
        self.script.ask(&json!({ "image": path })).await?;
        match self.script.hear().await? {
            Said::Predicted { device, width, height, boxes, inference_s, total_s } => {
                let on_processor = match (&self.card, device.as_str()) {
                    (Some(_), "cpu") => Some(OnProcessor::CardUnavailable),
                    (None, _) if self.spares_card => Some(OnProcessor::CardTrains),
                    _ => None,
                };
                let names = self.names.clone();
                Ok(Prediction { width, height, boxes, inference_s, total_s, names, device, on_processor })
            }
            Said::Unreadable { text } => Err(unreadable().because_text(text)),
            said @ Said::Ready { .. } => Err(Problem::new("results.model-failed").because_text(format!("{said:?}"))),
        }
    }

    /// Whether it is in a training's way.
    pub(super) fn is_in_the_way(&self, dirs: &Dirs) -> bool {
        self.card.as_deref().is_some_and(|card| card_to_try_on(card, &runs::devices_in_use(dirs)).is_none())
    }
}

/// Images a person chose, folders opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// As many of them as were asked for.
    pub images: Vec<PathBuf>,
    /// How many there were.
    pub total: usize,
}

/// The images among files and folders; of a folder, the images directly in it. A file that a person named counts
/// whatever it is called. Blocks.
#[must_use]
pub fn chosen(named: &[PathBuf], most: usize) -> Chosen {
    let mut images = Vec::new();
    for path in named {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
            let is_image = |path: &PathBuf| path.is_file() && path.file_name().is_some_and(paths::is_image);
            let mut inside: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_image).collect();
            inside.sort();
            images.extend(inside);
        } else {
            images.push(path.clone());
        }
    }
    let total = images.len();
    images.truncate(most);
    Chosen { images, total }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_opened_and_there_is_a_limit() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..60 {
            std::fs::write(folder.path().join(format!("{n:02}.JPG")), "").unwrap();
        }
        std::fs::write(folder.path().join("labels.txt"), "").unwrap();
        std::fs::create_dir(folder.path().join("x.jpg")).unwrap();
        let named = folder.path().join("labels.txt");
        let found = chosen(&[named.clone(), folder.path().to_owned()], 50);
        assert_eq!((found.total, found.images.len()), (61, 50));
        assert_eq!(found.images[..2], [named, folder.path().join("00.JPG")]);
    }
}
