//! What a person chose: a small, readable TOML file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// The version of the plan file this build writes.
pub const FORMAT: u32 = 1;

/// What a person chose in the wizard. A plan always has every value; what was not chosen yet is empty
/// (`dataset`) or at its default, and the checks say so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of the file format, [`FORMAT`].
    pub format: u32,
    /// The `data.yaml`, or the folder, that holds the dataset. Empty: not chosen yet.
    pub dataset: PathBuf,
    /// What is trained.
    pub model: Model,
    /// How it is trained.
    pub training: Training,
    /// Where it is trained.
    pub target: Target,
}

/// What is trained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// A name of [`crate::models::ALL`], e.g. `yolov8n`. With an own file: the architecture it is like, for estimates.
    pub name: String,
    /// Where the weights come from.
    pub weights: Weights,
    /// The `.pt` file when `weights` is `file`; otherwise empty.
    #[serde(default)]
    pub file: PathBuf,
}

/// Where the first weights come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum Weights {
    /// The published weights, learned on COCO.
    Pretrained,
    /// Random.
    Scratch,
    /// A person's own `.pt` file.
    File,
}

/// How it is trained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// Image size in pixels, both sides; a multiple of 32.
    pub imgsz: u32,
    /// Images per step, over all GPUs.
    pub batch: u32,
    /// Passes over the data.
    pub epochs: u32,
    /// Processes that read images; `None`: the trainer's own rule.
    #[serde(default)]
    pub workers: Option<u32>,
    /// Seed of everything random.
    #[serde(default)]
    pub seed: u32,
    /// Other arguments of the Ultralytics trainer, as it names them.
    #[serde(default)]
    pub extra: BTreeMap<String, Scalar>,
}

/// A value of an Ultralytics argument.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(untagged)]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i32),
    /// A number.
    Float(f64),
    /// Text.
    Text(String),
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
        }
    }
}

/// Where a plan runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Target {
    /// This computer, in a Python environment.
    ThisComputer {
        /// Which device trains.
        device: Device,
        /// The environment's Python; `None`: the app's own environment.
        #[serde(default)]
        python: Option<PathBuf>,
    },
    /// A platform with a token and a budget. It is checked; submitting comes later.
    Platform {
        /// The saved connection; empty: not chosen yet.
        profile: String,
        /// The card, as the platform's prices name it; `None`: any.
        #[serde(default)]
        card: Option<String>,
        /// How many of them.
        #[serde(default = "one")]
        cards: u32,
    },
}

fn one() -> u32 {
    1
}

/// How NVIDIA's names of slices begin.
pub const SLICE: &str = "MIG-";

/// Which device trains. Written `auto`, `cpu`, `mps`, `gpu:0` or `gpu:0,1`, by NVML index, or as a slice is called: `MIG-…`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Device {
    /// The GPU with the most free memory, or the CPU where there is none.
    Auto,
    /// The processor.
    Cpu,
    /// Apple's own GPU.
    Mps,
    /// GPUs by NVML index; at least one.
    Gpus(Vec<u32>),
    /// A part of a card that is divided with MIG, by its name.
    Slice(String),
}

#[cfg(feature = "typescript")]
impl specta::Type for Device {
    fn definition(types: &mut specta::Types) -> specta::datatype::DataType {
        String::definition(types)
    }
}

impl std::fmt::Display for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Mps => f.write_str("mps"),
            Self::Slice(name) => f.write_str(name),
            Self::Gpus(indices) => {
                f.write_str("gpu:")?;
                for (position, index) in indices.iter().enumerate() {
                    if position > 0 {
                        f.write_str(",")?;
                    }
                    write!(f, "{index}")?;
                }
                Ok(())
            }
        }
    }
}

impl From<Device> for String {
    fn from(device: Device) -> Self {
        device.to_string()
    }
}

impl TryFrom<String> for Device {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl std::str::FromStr for Device {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a device: write auto, cpu, mps, gpu:0, gpu:0,1 or a slice, MIG-…");
        // It becomes the value of a variable, and older drivers write it with slashes.
        let is_name = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '/');
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "mps" => Ok(Self::Mps),
            _ if text.starts_with(SLICE) && text.len() > SLICE.len() && text.chars().all(is_name) => {
                Ok(Self::Slice(text.to_owned()))
            }
            // Bare numbers are what Ultralytics users type.
            _ => {
                let mut indices = Vec::new();
                for index in text.strip_prefix("gpu:").unwrap_or(text).split(',') {
                    let index = index.trim().parse().map_err(|_| wrong())?;
                    if indices.contains(&index) {
                        return Err(wrong());
                    }
                    indices.push(index);
                }
                Ok(Self::Gpus(indices))
            }
        }
    }
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            format: FORMAT,
            dataset: PathBuf::new(),
            model: Model { name: "yolov8n".to_owned(), weights: Weights::Pretrained, file: PathBuf::new() },
            training: Training { imgsz: 640, batch: 16, epochs: 100, workers: None, seed: 0, extra: BTreeMap::new() },
            target: Target::ThisComputer { device: Device::Auto, python: None },
        }
    }
}

impl Plan {
    /// Whether a dataset was chosen.
    #[must_use]
    pub fn has_dataset(&self) -> bool {
        !self.dataset.as_os_str().is_empty()
    }

    /// The chosen device of this computer; a plan for elsewhere chooses none.
    #[must_use]
    pub fn device(&self) -> &Device {
        match &self.target {
            Target::ThisComputer { device, .. } => device,
            Target::Platform { .. } => &Device::Auto,
        }
    }

    /// The Python of this computer that the plan names.
    #[must_use]
    pub fn python(&self) -> Option<&PathBuf> {
        match &self.target {
            Target::ThisComputer { python, .. } => python.as_ref(),
            Target::Platform { .. } => None,
        }
    }

    /// Whether it runs on this computer.
    #[must_use]
    pub fn is_local(&self) -> bool {
        matches!(self.target, Target::ThisComputer { .. })
    }

    /// Reads a plan file's text.
    ///
    /// # Errors
    /// `plan.invalid` with the line and what is wrong, `plan.too-new` for a later format, and those of
    /// [`crate::run::arguments::check`].
    pub fn from_toml(text: &str) -> Result<Self, Problem> {
        let plan: Self = crate::format::read(text, FORMAT, ["plan.invalid", "plan.too-new"])?;
        crate::run::arguments::check(&plan.training)?;
        Ok(plan)
    }

    /// The plan as a file's text.
    ///
    /// # Errors
    /// `plan.unwritable` for a path that is not valid Unicode: TOML cannot hold it.
    pub fn to_toml(&self) -> Result<String, Problem> {
        toml::to_string(self).map_err(|error| Problem::new("plan.unwritable").because(&error))
    }
}
