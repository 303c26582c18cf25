//! What a check says.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::plan::{Device, Plan, Scalar, Target, Weights};
use crate::text::{Args, Message, Value};

/// A link of the chain, in the order a training passes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Token and sign-in.
    Auth,
    /// Budget.
    Quota,
    /// Which card, its free memory, who holds it.
    GpuPool,
    /// NVIDIA driver, CUDA, the torch build and its fit to the card.
    Driver,
    /// The Python environment or container image itself.
    Image,
    /// Dataset, labels, mounts, shared memory.
    Data,
    /// GPU memory and RAM: need against supply.
    Memory,
    /// Process start, permissions, disk for outputs.
    Start,
    /// What happens in the epochs.
    Train,
    /// Weights, plots, export, upload.
    Results,
}

impl Stage {
    /// The whole chain, in order.
    pub const ALL: [Self; 10] = [
        Self::Auth,
        Self::Quota,
        Self::GpuPool,
        Self::Driver,
        Self::Image,
        Self::Data,
        Self::Memory,
        Self::Start,
        Self::Train,
        Self::Results,
    ];

    /// The name used in codes, JSON and sentence ids (`gpu_pool`).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::Quota => "quota",
            Self::GpuPool => "gpu_pool",
            Self::Driver => "driver",
            Self::Image => "image",
            Self::Data => "data",
            Self::Memory => "memory",
            Self::Start => "start",
            Self::Train => "train",
            Self::Results => "results",
        }
    }
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Looked at, and fine.
    Ok,
    /// Worth knowing.
    Note,
    /// Training works, but something will be worse than it could be.
    Warning,
    /// A fact the decision needs could not be had.
    Unknown,
    /// Training cannot start, or will fail.
    Blocker,
}

/// Whether a finding is seen or foreseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// It is so.
    Certain,
    /// It will probably be so; a person may start anyway, and the run records it.
    Predicted,
}

/// What a person can do about a blocker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Busy now, will free up.
    Wait,
    /// Something in the plan or on this computer.
    Change,
    /// Someone else must act.
    Ask,
}

/// What a finding rests on. Always something that was really seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Evidence {
    /// A place in a file.
    File {
        /// Absolute path.
        path: PathBuf,
        /// Counted from 1.
        line: Option<u32>,
        /// The line itself, shortened if long.
        text: Option<String>,
    },
    /// An observed value.
    Value {
        /// What was observed, e.g. `fact-driver-version`.
        name: Message,
        /// What it was, in words that are the same in every language.
        value: String,
    },
    /// A piece of a run's raw log.
    Log {
        /// First line, counted from 1.
        line: u32,
        /// The bytes, with their line ends.
        text: String,
    },
}

impl Evidence {
    /// A whole file.
    #[must_use]
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::File { path: path.into(), line: None, text: None }
    }

    /// A line of a file, counted from 1.
    #[must_use]
    pub fn line(path: impl Into<PathBuf>, line: u32, text: impl Into<String>) -> Self {
        Self::File { path: path.into(), line: Some(line), text: Some(text.into()) }
    }

    /// An observed value; `name` is a sentence id such as `fact-driver-version`.
    #[must_use]
    pub fn value(name: &str, value: impl Into<String>) -> Self {
        Self::Value { name: Message::new(name), value: value.into() }
    }
}

/// How a remedy may be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum Applicability {
    /// Safe and reversible: one button.
    OneClick,
    /// A person has to choose something first.
    NeedsChoice,
    /// A person has to do it, or have it done.
    Manual,
}

/// A change of one value of the plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "set", content = "to", rename_all = "snake_case")]
pub enum PlanChange {
    /// Images per step.
    Batch(u32),
    /// Image size in pixels.
    Imgsz(u32),
    /// Passes over the data.
    Epochs(u32),
    /// Which device trains.
    Device(Device),
    /// Processes that read images.
    Workers(u32),
    /// Start from random weights instead of pretrained ones.
    FromScratch,
    /// Train in the app's own environment instead of another one.
    OwnEnvironment,
    /// Another model; with an own file, the one its figures are taken from.
    Model(String),
    /// Which card of the platform trains, as its prices name it.
    Card(String),
    /// This further argument back to what the trainer does by itself.
    Default(String),
    /// A further argument of the trainer, as it names it.
    Argument {
        /// Its name.
        name: String,
        /// Its value.
        value: Scalar,
    },
}

impl PlanChange {
    /// The plan with this change.
    #[must_use]
    pub fn applied_to(&self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        match self {
            Self::Batch(batch) => plan.training.batch = *batch,
            Self::Imgsz(imgsz) => plan.training.imgsz = *imgsz,
            Self::Epochs(epochs) => plan.training.epochs = *epochs,
            Self::Workers(workers) => plan.training.workers = Some(*workers),
            Self::Device(chosen) => {
                plan.target = Target::ThisComputer { device: chosen.clone(), python: plan.python().cloned() };
            }
            Self::OwnEnvironment => {
                if let Target::ThisComputer { python, .. } = &mut plan.target {
                    *python = None;
                }
            }
            Self::Card(chosen) => {
                if let Target::Platform { card, .. } = &mut plan.target {
                    *card = Some(chosen.clone());
                }
            }
            Self::FromScratch => {
                plan.model.weights = Weights::Scratch;
                plan.model.file.clear();
            }
            Self::Model(name) => plan.model.name.clone_from(name),
            Self::Default(name) => {
                plan.training.extra.remove(name);
            }
            Self::Argument { name, value } => {
                plan.training.extra.insert(name.clone(), value.clone());
            }
        }
        plan
    }
}

/// What a remedy does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Action {
    /// Changes the plan.
    ChangePlan {
        /// The change.
        change: PlanChange,
    },
    /// Lets the Python that the plan names be started.
    AcceptPython {
        /// Absolute path.
        path: PathBuf,
    },
    /// Makes the training environment.
    CreateEnvironment,
    /// Makes the training environment anew.
    RepairEnvironment,
    /// Downloads the published weights of a model.
    FetchWeights {
        /// Its name.
        model: String,
        /// In place of the file that is there.
        again: bool,
    },
    /// Goes to the place in the app where a dataset is chosen.
    ChooseDataset,
    /// Goes to the place in the app where a model is chosen.
    ChooseModel,
    /// Goes to the place in the app where an own weights file is chosen.
    ChooseWeights,
    /// Opens a file in the system's editor.
    OpenFile {
        /// Absolute path.
        path: PathBuf,
        /// Counted from 1.
        line: Option<u32>,
    },
    /// Has the run go on from its newest checkpoint.
    ResumeRun,
    /// Goes to the place in the app where a person signs in.
    SignIn {
        /// The saved connection.
        profile: String,
    },
    /// Starts the same once more: what ended it passes by itself.
    StartAgain,
    /// Goes to the place in the app where a copy of the dataset is mended.
    MendDataset,
    /// Copies the dataset to a place that can be written to, and trains on the copy.
    CopyDataset,
    /// Shows what takes room on the disk and can be deleted.
    FreeDisk,
    /// Writes to whoever must act; the words are ready.
    WriteTo,
    /// Looks again.
    Recheck,
    /// Ends a program of this person that is on a graphics card.
    EndProcess {
        /// Its process id.
        pid: u32,
    },
    /// Shows another run.
    OpenRun {
        /// Its id.
        run: String,
    },
    /// Cancels another run.
    CancelRun {
        /// Its id.
        run: String,
    },
    /// Something a person does elsewhere; the sentence says what.
    Explain,
}

/// A typed fix. Its words are `remedy-<id>` of `locales/`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Remedy {
    /// Stable id: `smaller-batch`.
    pub id: String,
    /// How it may be applied.
    pub applicability: Applicability,
    /// What it does.
    pub action: Action,
    /// The arguments of its words.
    pub args: Args,
}

impl Remedy {
    /// A remedy whose words need no arguments.
    #[must_use]
    pub fn new(id: &str, applicability: Applicability, action: Action) -> Self {
        Self { id: id.to_owned(), applicability, action, args: Args::new() }
    }

    /// Shows what of this app's takes room on the disk and can be deleted.
    #[must_use]
    pub fn free_disk() -> Self {
        Self::new("run-free-disk", Applicability::NeedsChoice, Action::FreeDisk)
    }

    /// Adds an argument of its words.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.args.insert(name.to_owned(), value.into());
        self
    }

    /// The words on its button.
    #[must_use]
    pub fn message(&self) -> Message {
        Message { id: format!("remedy-{}", self.id), args: self.args.clone() }
    }
}

/// What a check says about one link of the chain.
///
/// Its words are `finding-<code with dashes>` of `locales/`, with the attribute `.detail` for the explanation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Finding {
    /// The link.
    pub stage: Stage,
    /// Stable: `data.class-out-of-range`; the stage, a dot, what is wrong.
    pub code: String,
    /// How much it matters.
    pub severity: Severity,
    /// Seen or foreseen.
    pub certainty: Certainty,
    /// What a person can do; every blocker says it.
    pub verb: Option<Verb>,
    /// The arguments of its words.
    pub args: Args,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
    /// What mends it, best first.
    pub remedies: Vec<Remedy>,
}

impl Finding {
    fn new(stage: Stage, what: &str, severity: Severity) -> Self {
        Self {
            stage,
            code: format!("{}.{what}", stage.name()),
            severity,
            certainty: Certainty::Certain,
            verb: None,
            args: Args::new(),
            evidence: Vec::new(),
            remedies: Vec::new(),
        }
    }

    /// Looked at, and fine. `what` is the code's second half.
    #[must_use]
    pub fn ok(stage: Stage, what: &str) -> Self {
        Self::new(stage, what, Severity::Ok)
    }

    /// Worth knowing.
    #[must_use]
    pub fn note(stage: Stage, what: &str) -> Self {
        Self::new(stage, what, Severity::Note)
    }

    /// Works, but worse than it could.
    #[must_use]
    pub fn warning(stage: Stage, what: &str) -> Self {
        Self::new(stage, what, Severity::Warning)
    }

    /// Cannot start, or will fail; certain.
    #[must_use]
    pub fn blocker(stage: Stage, what: &str, verb: Verb) -> Self {
        Self { verb: Some(verb), ..Self::new(stage, what, Severity::Blocker) }
    }

    /// Will probably fail; a person may start anyway.
    #[must_use]
    pub fn predicted(stage: Stage, what: &str, verb: Verb) -> Self {
        Self { certainty: Certainty::Predicted, ..Self::blocker(stage, what, verb) }
    }

    /// A fact the decision needs could not be had; offers to look again.
    #[must_use]
    pub fn unknown(stage: Stage, what: &str, reason: &Message) -> Self {
        let mut finding = Self::new(stage, what, Severity::Unknown);
        finding.evidence.push(Evidence::Value { name: reason.clone(), value: String::new() });
        finding.remedies.push(Remedy::new("look-again", Applicability::OneClick, Action::Recheck));
        finding
    }

    /// Says what a person can do, where it does not block.
    #[must_use]
    pub fn verb(mut self, verb: Verb) -> Self {
        self.verb = Some(verb);
        self
    }

    /// Not seen yet, but to be expected.
    #[must_use]
    pub fn foreseen(mut self) -> Self {
        self.certainty = Certainty::Predicted;
        self
    }

    /// Adds an argument of its words.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.args.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a piece of evidence.
    #[must_use]
    pub fn seen(mut self, evidence: Evidence) -> Self {
        self.evidence.push(evidence);
        self
    }

    /// Adds a remedy.
    #[must_use]
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedies.push(remedy);
        self
    }

    /// What a person reads first.
    #[must_use]
    pub fn title(&self) -> Message {
        Message { id: format!("finding-{}", self.code.replace(['.', '_'], "-")), args: self.args.clone() }
    }

    /// The explanation; not every finding has one.
    #[must_use]
    pub fn detail(&self) -> Message {
        let title = self.title();
        Message { id: format!("{}.detail", title.id), args: title.args }
    }
}
