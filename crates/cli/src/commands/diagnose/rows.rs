//! Many logs at once: a file of JSON lines in, JSON lines out, as the scorer of public reports reads them.

use std::path::Path;

use preflight_core::diagnosis::Diagnosis;
use preflight_core::problem::Problem;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A report, without its answer.
#[derive(Debug, Deserialize)]
struct Row {
    id: Value,
    log: String,
    /// What is known besides, in words.
    #[serde(default)]
    context: String,
}

/// What it says.
#[derive(Debug, Serialize)]
struct Answer {
    id: Value,
    stage: &'static str,
    /// `cuda_oom`, `none` or `unknown`.
    cause: String,
    /// Literal pieces of the log or the context.
    evidence: Vec<String>,
}

/// # Errors
/// `diagnosis.rows-unreadable` with the line.
pub(super) fn diagnose(file: &Path) -> Result<String, Problem> {
    let unreadable = |error: &dyn std::error::Error, line: usize| {
        Problem::new("diagnosis.rows-unreadable").with("path", file).with("line", line).because(error)
    };
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(&error, 0))?;
    let mut answers = String::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row: Row = serde_json::from_str(line).map_err(|error| unreadable(&error, number + 1))?;
        let diagnosis = Diagnosis::of(row.log.as_bytes(), &row.context);
        let answer = Answer {
            id: row.id,
            stage: diagnosis.stage().name(),
            cause: diagnosis.cause.label(),
            evidence: diagnosis.quotes.into_iter().map(|quote| quote.text).collect(),
        };
        answers.push_str(&serde_json::to_string(&answer).map_err(|error| unreadable(&error, number + 1))?);
        answers.push('\n');
    }
    Ok(answers)
}
