//! What the test runners themselves said they ran.

use std::collections::BTreeSet;

/// Tests by outcome.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Passed.
    pub(crate) passed: u32,
    /// Failed. Runners end with an error then, so this is 0 wherever a tally is shown.
    pub(crate) failed: u32,
    /// Left out by the runner, or by the test itself because the machine lacks something.
    pub(crate) skipped: u32,
    /// What tests said when they left themselves out.
    pub(crate) skipped_because: BTreeSet<String>,
}

impl Tally {
    /// Adds another tally.
    pub(crate) fn add(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.skipped_because.extend(other.skipped_because.iter().cloned());
    }

    /// A test that leaves itself out prints `skipped: …` and passes.
    fn take_out_skipped(mut self, lines: &[String]) -> Self {
        let said: Vec<_> = lines.iter().filter_map(|line| line.trim().strip_prefix("skipped: ")).collect();
        let count = u32::try_from(said.len()).unwrap_or(u32::MAX).min(self.passed);
        self.passed -= count;
        self.skipped += count;
        self.skipped_because = said.into_iter().map(str::to_owned).collect();
        self
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// From `test result: ok. 12 passed; 0 failed; 1 ignored; …`, of each test program the last: a test may start its own
/// program again, which then says the same of itself.
pub(crate) fn of_cargo_test(lines: &[String]) -> Tally {
    let is_program = |line: &String| ["Running ", "Doc-tests "].iter().any(|word| line.trim_start().starts_with(word));
    let mut tally = Tally::default();
    for program in lines.split(is_program) {
        let Some(result) = program.iter().rev().find(|line| line.starts_with("test result: ")) else { continue };
        tally.passed += number_before(result, " passed");
        tally.failed += number_before(result, " failed");
        tally.skipped += number_before(result, " ignored");
    }
    tally.take_out_skipped(lines)
}

/// From `Summary [ 1.2s] 12 tests run: 11 passed (1 slow), 1 failed, 3 skipped`.
pub(crate) fn of_nextest(lines: &[String]) -> Tally {
    let summary = lines.iter().rev().find(|line| line.trim_start().starts_with("Summary ["));
    let count = |what| summary.map_or(0, |line| number_before(line, what));
    let tally = Tally {
        passed: count(" passed"),
        failed: count(" failed"),
        skipped: count(" skipped"),
        skipped_because: BTreeSet::new(),
    };
    tally.take_out_skipped(lines)
}

/// From Vitest's JSON report.
pub(crate) fn of_vitest(report: &serde_json::Value) -> Tally {
    let count = |name: &str| report[name].as_u64().and_then(|count| u32::try_from(count).ok()).unwrap_or(0);
    Tally {
        passed: count("numPassedTests"),
        failed: count("numFailedTests"),
        skipped: count("numPendingTests") + count("numTodoTests"),
        skipped_because: BTreeSet::new(),
    }
}

fn number_before(line: &str, word: &str) -> u32 {
    let Some(end) = line.find(word) else { return 0 };
    let digits = line[..end].rsplit(|character: char| !character.is_ascii_digit()).next().unwrap_or_default();
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn cargo_test_is_summed_over_programs() {
        let tally = of_cargo_test(&lines(
            "     Running unittests src/lib.rs (target/debug/deps/a-1)\n\
             test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out; finished in 0.00s\n\
             test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             Running tests/b.rs (target/debug/deps/b-2)\n\
             skipped: trains on coco128: PREFLIGHT_DATA is not set\n\
             test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.10s",
        ));
        assert_eq!(tally.to_string(), "4 passed, 0 failed, 2 skipped");
        assert_eq!(tally.skipped_because.len(), 1);
    }

    #[test]
    fn nextest_says_it_once() {
        let tally = of_nextest(&lines(
            "    Starting 14 tests across 3 binaries\n     \
             Summary [   1.234s] 14 tests run: 13 passed (2 slow, 1 leaky), 1 failed, 5 skipped",
        ));
        assert_eq!(tally.to_string(), "13 passed, 1 failed, 5 skipped");
    }

    #[test]
    fn nothing_said_is_nothing_passed() {
        assert_eq!(of_nextest(&lines("error: could not compile")), Tally::default());
        assert_eq!(of_cargo_test(&[]), Tally::default());
    }

    #[test]
    fn vitest_reports_in_json() {
        let report = serde_json::json!({ "numPassedTests": 7, "numFailedTests": 0, "numPendingTests": 1 });
        assert_eq!(of_vitest(&report).to_string(), "7 passed, 0 failed, 1 skipped");
    }
}
