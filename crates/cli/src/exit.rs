//! What the process answers with: one table for every command.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | the question was answered and nothing blocks; a command that only reports did its work |
//! | 1 | a blocker (certain or predicted), or a run that failed |
//! | 2 | could not do it: usage, unreadable input, a fact that the decision needs stayed unknown |
//! | 130 | interrupted |
//!
//! A blocker wins over an unknown.

use std::process::ExitCode;

use preflight_core::problem::Problem;
use preflight_core::report::Verdict;
use preflight_core::run::RunState;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The question was answered and nothing blocks.
    Clear,
    /// A blocker, or a run that failed.
    Blocked,
    /// Could not do it.
    CouldNot,
    /// Interrupted.
    Interrupted,
}

impl Exit {
    /// The process's exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Clear => 0,
            Self::Blocked => 1,
            Self::CouldNot => 2,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Clear => Self::Clear,
            Verdict::AskFirst | Verdict::Blocked => Self::Blocked,
            Verdict::Undecided => Self::CouldNot,
        }
    }
}

impl From<RunState> for Exit {
    /// Of a run that is over.
    fn from(state: RunState) -> Self {
        if state == RunState::Succeeded { Self::Clear } else { Self::Blocked }
    }
}

/// Why a command did not come to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It could not do it.
    Problem(Problem),
    /// It was interrupted.
    Interrupted,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

/// What a command answers.
pub(crate) type Outcome = Result<Exit, Failure>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_table_for_every_command() {
        let table = [
            (Exit::from(Verdict::Clear), 0),
            (Exit::from(Verdict::AskFirst), 1),
            (Exit::from(Verdict::Blocked), 1),
            (Exit::from(Verdict::Undecided), 2),
            (Exit::from(RunState::Succeeded), 0),
            (Exit::from(RunState::Failed), 1),
            (Exit::from(RunState::Cancelled), 1),
            (Exit::from(RunState::Lost), 1),
            (Exit::CouldNot, 2),
            (Exit::Interrupted, 130),
        ];
        for (exit, code) in table {
            assert_eq!(exit.code(), code, "{exit:?}");
        }
    }
}
