//! What a weights file holds: read from its description, which is a Python pickle, without running any of it.

mod pickle;

use serde::{Deserialize, Serialize};

use self::pickle::{Node, Pickle, Value};
use crate::dataset::Task;
use crate::models::{self, ModelCard};
use crate::problem::Problem;

/// What a look into a weights file showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Contents {
    /// A model of Ultralytics.
    Model {
        /// It.
        checkpoint: Checkpoint,
    },
    /// Loading it would call what belongs neither to torch nor to Ultralytics.
    Foreign {
        /// Classes and functions by their full names.
        names: Vec<String>,
    },
    /// Something that torch saved, but no model of Ultralytics.
    NoModel,
}

/// A model in a weights file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Checkpoint {
    /// What it does; `None`: nothing that can be trained here.
    pub task: Option<Task>,
    /// Classes it tells apart; 0: the file does not say.
    pub classes: u32,
    /// The name of its architecture, where the file says it: `yolov8n`.
    pub model: Option<String>,
    /// Learned numbers.
    pub parameters: u64,
    /// Saved in the middle of a training, with all that is needed to go on with it.
    pub unfinished: bool,
}

/// Numbers that a weights file keeps beside its description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The name of the entry below `data/`.
    pub key: String,
    /// Its size.
    pub bytes: u64,
}

/// How far fetching weights is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum WeightsProgress {
    /// Another window or terminal fetches the same file.
    Waiting,
    /// An address is asked.
    Asking {
        /// Without user name and password.
        url: String,
    },
    /// An address did not give the file; the next one is asked.
    Failed {
        /// Why.
        problem: Problem,
    },
    /// It comes down.
    Downloading {
        /// Bytes that are here.
        done: u64,
        /// Bytes in all, where the server says it.
        total: Option<u64>,
    },
    /// It is looked through.
    Verifying,
}

/// About as many bytes as a model's published weights have: two for each number, as published.
#[must_use]
pub fn published_bytes(card: &ModelCard) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
    let parameters = (card.parameters_millions * 1e6) as u64;
    parameters * 2
}

impl Checkpoint {
    /// Whether it is another model than the one that is published under that name.
    ///
    /// Those without an addition to their name find boxes.
    #[must_use]
    pub fn is_other_than(&self, name: &str) -> bool {
        if self.task != Some(Task::Detect) {
            return true;
        }
        if let Some(model) = &self.model {
            return model != name;
        }
        // Other classes change the count of a small model by some percent, another size by half and more.
        models::card(name).is_some_and(|card| {
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            let millions = self.parameters as f64 / 1e6;
            !(0.75..=1.25).contains(&(millions / card.parameters_millions))
        })
    }
}

/// Reads the description of a weights file, and tells what it keeps beside.
///
/// # Errors
/// What is wrong with the pickle, in technical words.
pub fn read(description: &[u8]) -> Result<(Contents, Vec<Stored>), String> {
    let pickle = Pickle::read(description).map_err(|unread| unread.to_string())?;
    let foreign = pickle.globals().into_iter().filter(|(module, name)| !is_known(module, name));
    let names: Vec<String> = foreign.map(|(module, name)| format!("{module}.{name}")).collect();
    let contents = if names.is_empty() {
        checkpoint(&pickle).map_or(Contents::NoModel, |checkpoint| Contents::Model { checkpoint })
    } else {
        Contents::Foreign { names }
    };
    let stored = pickle.outside().filter_map(|id| stored(&pickle, id)).collect();
    Ok((contents, stored))
}

/// Classes and functions that saved models consist of. Nothing here reads files, starts programs or imports anything.
fn is_known(module: &str, name: &str) -> bool {
    // From protocol 4 on, a name may lead through one class or module to another.
    if name.contains('.') {
        return false;
    }
    let is_class = name.starts_with(|c: char| c.is_ascii_uppercase());
    match module {
        "collections" => matches!(name, "OrderedDict" | "defaultdict" | "Counter" | "deque"),
        "builtins" | "__builtin__" => matches!(
            name,
            "bool"
                | "bytearray"
                | "complex"
                | "dict"
                | "float"
                | "frozenset"
                | "int"
                | "list"
                | "object"
                | "range"
                | "set"
                | "slice"
                | "str"
                | "tuple"
        ),
        "copyreg" | "copy_reg" => name == "_reconstructor",
        "_codecs" => name == "encode",
        "argparse" => name == "Namespace",
        "types" => name == "SimpleNamespace",
        "pathlib" | "pathlib._local" => name.ends_with("Path"),
        "datetime" => matches!(name, "datetime" | "date" | "time" | "timedelta" | "timezone"),
        "numpy" => {
            matches!(name, "dtype" | "ndarray" | "bool_") || name.starts_with("float") || name.starts_with("int")
        }
        "numpy.core.multiarray" | "numpy._core.multiarray" => matches!(name, "scalar" | "_reconstruct"),
        "torch" => {
            name.ends_with("Storage")
                || name.ends_with("Tensor")
                || DTYPES.contains(&name)
                || matches!(name, "Size" | "device")
        }
        "torch.storage" => name.ends_with("Storage"),
        "torch._utils" => name.starts_with("_rebuild_"),
        "torch._tensor" => name == "_rebuild_from_type_v2",
        "torch.nn.parameter" => is_class,
        "torch.nn.functional" => matches!(name, "gelu" | "relu" | "silu" | "leaky_relu"),
        "torch._C._nn" => name == "gelu",
        "torch.torch_version" => name == "TorchVersion",
        "ultralytics.utils" => name == "IterableSimpleNamespace",
        _ => {
            let below = ["torch.nn.modules.", "ultralytics.nn.", "ultralytics.utils.loss", "ultralytics.utils.tal"];
            is_class && below.iter().any(|parent| module.starts_with(parent))
        }
    }
}

const DTYPES: [&str; 12] = [
    "bfloat16",
    "bool",
    "complex128",
    "complex64",
    "float16",
    "float32",
    "float64",
    "int16",
    "int32",
    "int64",
    "int8",
    "uint8",
];

fn checkpoint(pickle: &Pickle) -> Option<Checkpoint> {
    let root = &pickle.root;
    // The averaged weights are the ones that are used, as Ultralytics does.
    let there = |name| pickle.entry(root, name).filter(|value| pickle.made_by(value).is_some());
    let model = there("ema").or_else(|| there("model"))?;
    let (module, class) = pickle.made_by(model)?;
    if !module.starts_with("ultralytics.nn.") {
        return None;
    }
    let yaml = pickle.attribute(model, "yaml");
    let declared = |key| yaml.and_then(|yaml| pickle.entry(yaml, key));
    let named = pickle.attribute(model, "names").and_then(|names| pickle.entries(names)).map(<[_]>::len);
    let classes = match (named, declared("nc")) {
        (Some(count), _) if count > 0 => u32::try_from(count).unwrap_or(u32::MAX),
        (_, Some(Value::Int(count))) => u32::try_from(*count).unwrap_or(0),
        _ => 0,
    };
    Some(Checkpoint {
        task: task(class),
        classes,
        model: architecture(declared("yaml_file"), declared("scale")),
        parameters: parameters(pickle, model),
        unfinished: matches!(pickle.entry(root, "epoch"), Some(Value::Int(0..)))
            && pickle.entry(root, "optimizer").is_some_and(|optimizer| *optimizer != Value::None),
    })
}

fn task(class: &str) -> Option<Task> {
    match class {
        "DetectionModel" | "RTDETRDetectionModel" | "WorldModel" | "YOLOEModel" => Some(Task::Detect),
        "SegmentationModel" | "YOLOESegModel" => Some(Task::Segment),
        "PoseModel" => Some(Task::Pose),
        "OBBModel" => Some(Task::Obb),
        "ClassificationModel" => Some(Task::Classify),
        _ => None,
    }
}

/// `yolov8n` from `yolov8n.yaml`, or from `…/yolov8.yaml` and the scale `n`; nothing that is not known to be a model.
fn architecture(file: Option<&Value>, scale: Option<&Value>) -> Option<String> {
    let Some(Value::Text(file)) = file else { return None };
    let stem = file.rsplit(['/', '\\']).next()?.split('.').next()?.to_owned();
    let with_scale = match scale {
        Some(Value::Text(scale)) => format!("{stem}{scale}"),
        _ => String::new(),
    };
    [stem, with_scale].into_iter().find(|name| models::card(name).is_some())
}

fn parameters(pickle: &Pickle, model: &Value) -> u64 {
    let mut count = 0_u64;
    pickle.visit(model, |value| {
        let is_parameter = matches!(
            pickle.made_by(value),
            Some(("torch._utils", "_rebuild_parameter" | "_rebuild_parameter_with_state"))
        );
        if is_parameter {
            let tensor = pickle.arguments(value).and_then(<[_]>::first);
            // Storage, offset, size, …
            let size = tensor.and_then(|tensor| pickle.arguments(tensor)?.get(2)).and_then(|size| pickle.list(size));
            let product = size.into_iter().flatten().map(|side| match side {
                Value::Int(side) => u64::try_from(*side).unwrap_or(0),
                _ => 0,
            });
            count = count.saturating_add(product.fold(1, u64::saturating_mul));
        }
    });
    count
}

/// `('storage', torch.HalfStorage, '17', 'cpu', 3200)`
fn stored(pickle: &Pickle, id: &[Value]) -> Option<Stored> {
    let [_, class, Value::Text(key), _, Value::Int(count)] = id else { return None };
    let Some(Node::Global(_, class)) = pickle.node(class) else { return None };
    let each = match class.trim_end_matches("Storage") {
        "Double" | "Long" | "ComplexFloat" => 8,
        "Float" | "Int" => 4,
        "Half" | "Short" | "BFloat16" => 2,
        "Byte" | "Char" | "Bool" | "Untyped" => 1,
        _ => return None,
    };
    Some(Stored { key: key.to_string(), bytes: u64::try_from(*count).ok()?.checked_mul(each)? })
}

#[cfg(test)]
mod tests;
