//! Rules as they are written: `crates/core/diagnosis/<cause>.toml`, one file a cause. `docs/guide/diagnosis.md` explains
//! the format to who adds one.

use serde::Deserialize;

use super::mending::Act as Mending;
use crate::finding::{Action, Applicability, Remedy, Stage, Verb};

/// What can end a training, and how it is told.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Rule {
    /// `cuda-oom`: the cause, and the second half of the finding's code.
    pub(super) cause: String,
    /// The second half of the code where a check before launch has the cause's name for its own words.
    pub(super) code: Option<String>,
    /// The link that is broken.
    pub(super) stage: Stage,
    /// The link of this app's chain that is lit, where public tables of causes count it to another one.
    pub(super) link: Option<Stage>,
    /// What a person can do.
    pub(super) verb: Verb,
    /// Causes that this one explains where both are seen.
    #[serde(default)]
    pub(super) explains: Vec<String>,
    /// Causes that look the same from here.
    #[serde(default)]
    pub(super) or_else: Vec<String>,
    /// What mends it, best first.
    pub(super) remedies: Vec<Mend>,
    /// What the app can do about it where it is a run of its own, best first.
    #[serde(default)]
    pub(super) acts: Vec<Mending>,
    /// What can have brought it about, where it is different from a training that went well: `driver`, `torch`, …
    #[serde(default)]
    pub(super) changed: Vec<String>,
    /// How it is told; one is enough.
    pub(super) when: Vec<When>,
    /// Logs that are this.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are for people and tests"))]
    pub(super) example: Vec<Example>,
    /// Logs that look like this and are something else.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are for people and tests"))]
    pub(super) counter_example: Vec<Example>,
}

impl Rule {
    /// The second half of its finding's code.
    pub(super) fn code(&self) -> &str {
        self.code.as_deref().unwrap_or(&self.cause)
    }
}

/// What must be seen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct When {
    /// One of these; the first one seen is the place of the failure.
    pub(super) any: Vec<String>,
    /// Each of these as well: a text, or several of which one is enough.
    #[serde(default)]
    pub(super) and: Vec<OneOf>,
    /// One of these, earlier in the log.
    #[serde(default)]
    pub(super) after: Vec<String>,
    /// None of these, anywhere.
    #[serde(default)]
    pub(super) not: Vec<String>,
    /// Once one of these comes after it, it was overcome.
    #[serde(default)]
    pub(super) until: Vec<String>,
    /// What the numbers must say.
    pub(super) numbers: Option<Numbers>,
    /// What it means for a training.
    #[serde(default)]
    pub(super) kind: Kind,
    /// How sure it is.
    #[serde(default)]
    pub(super) sure: Sure,
    /// Another link than the rule's.
    pub(super) stage: Option<Stage>,
}

/// A text, or several of which one is enough.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum OneOf {
    One(String),
    Many(Vec<String>),
}

impl OneOf {
    pub(super) fn texts(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Many(texts) => texts,
        }
    }
}

/// What is calculated from the figures in the text that was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Numbers {
    /// Most of the card's memory that is gone is held by other processes.
    MemoryHeldByOthers,
    /// Most of it is held by the training.
    MemoryHeldByTraining,
    /// Much more of it was free than was asked for.
    RoomWasLeft,
    /// The card's architecture is not among those printed, whether newer or older.
    ArchitectureNotListed,
    /// A label has a class that the list of names does not reach.
    ClassBeyondNames,
    /// Not every node of a cluster is one that the pod does not want.
    SomeNodeIsSelected,
}

/// What a text means for a training. In the order in which they explain a failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    /// It ends here.
    #[default]
    Error,
    /// It goes on, and is worth nothing.
    Lasting,
    /// It can go on; once it does, this was not it.
    Warning,
    /// What others say about a process that ended: never the cause where there is another.
    Consequence,
}

/// How sure a text makes a cause.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sure {
    /// It means nothing else.
    #[default]
    Certain,
    /// It mostly means this.
    Likely,
    /// It may mean this.
    Possible,
}

impl Sure {
    /// By one more piece of evidence.
    pub(super) fn more(self) -> Self {
        match self {
            Self::Certain | Self::Likely => Self::Certain,
            Self::Possible => Self::Likely,
        }
    }
}

/// A remedy: its sentence is `remedy-<id>`.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Mend {
    /// A person does it.
    Explain(String),
    /// The app does it or goes to the place.
    Act {
        id: String,
        how: Applicability,
        #[serde(rename = "do")]
        action: Act,
    },
}

/// What the app can do that needs nothing from the log.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Act {
    ResumeRun,
    RepairEnvironment,
    ChooseDataset,
    ChooseWeights,
    Recheck,
}

impl Mend {
    pub(super) fn remedy(&self) -> Remedy {
        match self {
            Self::Explain(id) => Remedy::explain(id),
            Self::Act { id, how, action } => {
                let action = match action {
                    Act::ResumeRun => Action::ResumeRun,
                    Act::RepairEnvironment => Action::RepairEnvironment,
                    Act::ChooseDataset => Action::ChooseDataset,
                    Act::ChooseWeights => Action::ChooseWeights,
                    Act::Recheck => Action::Recheck,
                };
                Remedy::new(id, *how, action)
            }
        }
    }
}

impl Remedy {
    /// Something a person does.
    pub(super) fn explain(id: &str) -> Self {
        Self::new(id, Applicability::Manual, Action::Explain)
    }
}

/// A log with its answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(test), expect(dead_code, reason = "examples are for people and tests"))]
pub(super) struct Example {
    pub(super) log: String,
    #[serde(default)]
    pub(super) context: String,
    /// Of a counter-example: what it is.
    #[serde(default)]
    pub(super) cause: String,
}

/// What a training that goes well writes: `_healthy.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Healthy {
    /// It is over, and went well.
    pub(super) completed: Vec<String>,
    /// It goes on: lines with the epoch first.
    pub(super) progress: Vec<String>,
    /// What looks bad and is not.
    pub(super) harmless: Vec<String>,
    /// The process ended badly.
    pub(super) failed: Vec<String>,
    /// What a line has that tells most where nothing is understood, best first.
    pub(super) telling: Vec<String>,
}

/// Where a failure points to whose cause is not found: `_links.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Links {
    pub(super) link: Vec<Link>,
}

/// A link of the chain, and what speaks of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Link {
    /// The link.
    pub(super) stage: Stage,
    /// In a telling line.
    pub(super) says: Vec<String>,
    /// In a traceback, anywhere.
    #[serde(default)]
    pub(super) passes: Vec<String>,
    /// A log that points to it.
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are for people and tests"))]
    pub(super) example: String,
}
