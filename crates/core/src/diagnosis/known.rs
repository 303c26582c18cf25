//! What is known of a training besides its log, by name.

use serde::{Deserialize, Serialize};

use crate::finding::Evidence;

/// Names that have words of their own, `fact-known-<name>` of `locales/`. Any other is shown with its name as it is.
const NAMES: [&str; 27] = [
    "amp",
    "batch",
    "cache",
    "dataset-finding",
    "device",
    "driver",
    "ended-by",
    "error",
    "exit-code",
    "gpu-memory-left",
    "gpu-state",
    "gpus",
    "imgsz",
    "losses-not-finite",
    "memory-left",
    "memory-peak",
    "model",
    "oom-kills",
    "optimizer",
    "python",
    "room-for-outputs",
    "room-for-workers",
    "system",
    "torch",
    "trained-epochs",
    "ultralytics",
    "workers",
];

/// One thing that is known besides the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// What it is, such as `exit-code`. Rules look for it by this name.
    pub name: String,
    /// What it was, in words that are the same in every language.
    pub value: String,
}

impl Known {
    /// A name and what it was.
    #[must_use]
    pub fn new(name: &str, value: impl std::fmt::Display) -> Self {
        Self { name: name.to_owned(), value: value.to_string() }
    }

    /// How much of something is left, with a word that rules understand: `1.2 GB of 16 GB (nearly none)`.
    #[must_use]
    pub fn left(name: &str, left: u64, all: u64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "shown, and compared with a share")]
        let (left, all) = (left as f64, all as f64);
        let word = match left {
            _ if left < all * NEARLY_NONE => " (nearly none)",
            _ if left > PLENTY => " (plenty)",
            _ => "",
        };
        Self::new(name, format!("{} of {}{word}", crate::text::bytes(left), crate::text::bytes(all)))
    }

    /// As evidence, with words for its name.
    #[must_use]
    pub fn evidence(&self) -> Evidence {
        evidence(&self.line())
    }

    /// As a line that rules look through.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{}: {}\n", self.name, self.value.trim_end())
    }
}

/// Below this share of something nothing is left of it for a training: what the system keeps for itself.
const NEARLY_NONE: f64 = 0.04;
/// Above this many bytes something is not what was lacking.
const PLENTY: f64 = 1e9;

/// A line of what is known besides, as evidence.
pub(super) fn evidence(line: &str) -> Evidence {
    let line = line.trim();
    match line.split_once(": ") {
        Some((name, value)) if NAMES.contains(&name) => Evidence::value(&format!("fact-known-{name}"), value),
        _ => Evidence::value("fact-given", line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Language, Message, Texts};

    #[test]
    fn every_name_has_words() {
        for language in Language::ALL {
            let texts = Texts::new(language);
            for name in NAMES {
                let message = Message::new(format!("fact-known-{name}"));
                assert!(texts.render(&message.id, &message.args).is_some(), "no {}", message.id);
            }
        }
    }

    #[test]
    fn what_has_a_name_is_told_by_it() {
        assert_eq!(evidence("exit-code: 137\n"), Evidence::value("fact-known-exit-code", "137"));
        assert_eq!(evidence("pod.reason: Evicted"), Evidence::value("fact-given", "pod.reason: Evicted"));
        assert_eq!(evidence("Evicted"), Evidence::value("fact-given", "Evicted"));
    }

    #[test]
    fn what_is_left_is_judged() {
        let said = |left, all| Known::left("memory-left", left, all).value;
        assert!(said(100, 1_000_000).ends_with("(nearly none)"));
        assert!(said(5_000_000_000, 10_000_000_000).ends_with("(plenty)"));
        assert!(!said(500_000, 1_000_000).contains('('));
    }
}
