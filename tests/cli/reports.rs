//! Public reports of failed trainings, as they are and written in other ways. Nothing is tested where they are not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use preflight_core::diagnosis::{Cause, Diagnosis};
use serde::Deserialize;

/// A report with its answer.
#[derive(Debug, Deserialize)]
struct Report {
    id: String,
    stage: String,
    cause: String,
    /// What was pasted of the log.
    evidence: String,
    #[serde(default)]
    context: String,
    #[serde(default)]
    tricky: bool,
    /// Causes that count as right, too.
    #[serde(default)]
    accept: Vec<String>,
}

/// `None`, and said so, where the data is not there.
fn reports() -> Option<Vec<Report>> {
    let file = std::env::var_os("PREFLIGHT_DATA").map(|data| PathBuf::from(data).join("failures/reports.jsonl"));
    let Some(file) = file.filter(|file| file.is_file()) else {
        println!("skipped: PREFLIGHT_DATA does not name the reports");
        return None;
    };
    let text = std::fs::read_to_string(file).expect("the reports");
    Some(text.lines().map(|line| serde_json::from_str(line).expect("a report")).collect())
}

/// How many of how many were right.
#[derive(Debug, Default, Clone, Copy)]
struct Share(usize, usize);

impl Share {
    fn count(&mut self, right: bool) {
        self.0 += usize::from(right);
        self.1 += 1;
    }

    #[expect(clippy::cast_precision_loss, reason = "hundreds")]
    fn of_one(self) -> f64 {
        self.0 as f64 / self.1.max(1) as f64
    }
}

#[derive(Debug, Default)]
struct Score {
    cause: Share,
    stage: Share,
    tricky: Share,
    false_alarms: usize,
    f1: f64,
    wrong: Vec<String>,
}

/// What is said of reports that are written another way. A quote that is not in its log fails at once.
fn score(reports: &[Report], written: impl Fn(&Report) -> Vec<u8>) -> Score {
    let mut score = Score::default();
    // Right, wrongly said, missed.
    let mut causes: BTreeMap<String, [f64; 3]> = BTreeMap::new();
    for report in reports {
        let log = written(report);
        let said = Diagnosis::of(&log, &report.context);
        let cause = said.cause.label();
        let right = cause == report.cause || report.accept.contains(&cause);
        score.cause.count(right);
        // The finer names of the chain are one link of the reports.
        let stage = match said.stage().name() {
            "memory" | "start" => "train",
            stage => stage,
        };
        score.stage.count(stage == report.stage || (right && report.cause == "none"));
        if report.tricky {
            score.tricky.count(right);
        }
        score.false_alarms += usize::from(report.cause == "none" && matches!(said.cause, Cause::Found(_)));
        if right {
            causes.entry(report.cause.clone()).or_default()[0] += 1.0;
        } else {
            causes.entry(report.cause.clone()).or_default()[2] += 1.0;
            if cause != "unknown" {
                causes.entry(cause.clone()).or_default()[1] += 1.0;
            }
            score.wrong.push(format!("{} was {}, said {cause}", report.id, report.cause));
        }
        if matches!(said.cause, Cause::Found(_)) {
            assert!(!said.quotes.is_empty(), "{}: {cause} without evidence", report.id);
        }
    }
    let seen: BTreeSet<&str> = reports.iter().map(|report| report.cause.as_str()).collect();
    let f1 = |counts: &[f64; 3]| 2.0 * counts[0] / (2.0 * counts[0] + counts[1] + counts[2]);
    let all: Vec<f64> = causes.iter().filter(|(cause, _)| seen.contains(cause.as_str())).map(|(_, c)| f1(c)).collect();
    #[expect(clippy::cast_precision_loss, reason = "a hundred causes")]
    let count = all.len().max(1) as f64;
    score.f1 = all.iter().sum::<f64>() / count;
    score
}

#[test]
fn public_reports_are_understood() {
    let Some(reports) = reports() else { return };
    let score = score(&reports, |report| report.evidence.clone().into_bytes());
    println!("{score:?}");
    assert!(score.cause.of_one() >= 0.85 && score.f1 >= 0.80 && score.stage.of_one() >= 0.92, "{score:#?}");
    assert!(score.tricky.of_one() >= 0.75 && score.false_alarms == 0, "{score:#?}");
}

/// A number that follows from another one, the same each time.
fn other(digits: &str) -> String {
    digits.bytes().rev().map(|digit| char::from(b'0' + (digit - b'0' + 7) % 10)).collect()
}

/// Long numbers (process ids, ports, times, bytes) are others.
fn numbers(text: &str) -> String {
    let mut written = String::new();
    let mut digits = String::new();
    for sign in text.chars().chain(['\n']) {
        if sign.is_ascii_digit() {
            digits.push(sign);
            continue;
        }
        let fraction = sign == '.' || written.ends_with('.');
        written.push_str(&if digits.len() >= 5 && !fraction { other(&digits) } else { digits.clone() });
        digits.clear();
        written.push(sign);
    }
    written
}

/// Placeholders and folders are others, with a blank and Chinese in them.
fn paths(text: &str) -> String {
    let mut text = text.replace("<env>", "/opt/conda 3/envs/训练").replace("<dir>", "/mnt/数据 盘/a-b_c");
    for (from, to) in [
        ("/home/", "/srv/nfs/people/"),
        ("C:\\Users\\", "E:\\用户\\"),
        ("/usr/local/lib", "/venv/lib64"),
        ("<site>", "/venv/site-packages"),
        ("<user>", "li.wei"),
        ("<registry>", "registry.corp.example:5000"),
        ("<ip>", "10.20.30.40"),
        ("<host>", "gpu-node-17"),
    ] {
        text = text.replace(from, to);
    }
    text
}

fn each_line(text: &str, line: impl Fn(usize, &str) -> String) -> String {
    let lines: Vec<String> = text.lines().enumerate().map(|(number, text)| line(number, text)).collect();
    lines.join("\n")
}

fn wrapped(text: &str, width: usize) -> String {
    each_line(text, |_, line| {
        let signs: Vec<char> = line.chars().collect();
        signs.chunks(width).map(String::from_iter).collect::<Vec<_>>().join("\n")
    })
}

/// A training that went well for a while.
fn past(text: &str) -> String {
    let head =
        "Ultralytics 8.3.91 Python-3.11.9 torch-2.5.1+cu124 CUDA:0 (NVIDIA L40S, 45589MiB)\nAMP: checks passed\n";
    let epoch = |n: usize| {
        format!(
            "      {n}/300      7.31G      1.1{n:02}      0.9{n:02}      1.2{n:02}        212        640: 100%|##########| 412/412 [01:02<00:00,  6.61it/s]\n"
        )
    };
    let epochs: String = (1..40).map(epoch).collect();
    format!("{head}{epochs}{text}")
}

#[test]
fn reports_that_are_written_in_other_ways_are_understood_as_well() {
    let Some(reports) = reports() else { return };
    let ranks = |number: usize, line: &str| {
        format!("2025-02-03T04:05:{:02}.678901234Z stderr F [rank{}]: {line}", number % 60, number % 4)
    };
    let between = |_: usize, line: &str| format!("{line}\n[rank3]: INFO:root:step 17 of 400, data 0.02 s");
    let colours = |_: usize, line: &str| format!("\u{1b}[34m\u{1b}[1m{line}\u{1b}[0m");
    let words = |_: usize, line: &str| {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if let Some(first) = words.first_mut() {
            *first = format!("\u{1b}[31;1m{first}\u{1b}[0m");
        }
        words.join(" ")
    };
    type Written<'a> = Box<dyn Fn(&str) -> Vec<u8> + 'a>;
    let text = |write: fn(&str) -> String| -> Written<'static> { Box::new(move |log| write(log).into_bytes()) };
    let ways: Vec<(&str, Written<'_>)> = vec![
        ("numbers", text(numbers)),
        ("paths", text(paths)),
        (
            "versions",
            Box::new(|log| {
                log.replace("torch-2.", "torch-3.").replace("8.0.", "8.9.").replace("v5.0", "v7.1").into_bytes()
            }),
        ),
        ("times and ranks", Box::new(move |log| each_line(log, ranks).into_bytes())),
        ("lines between", Box::new(move |log| each_line(log, between).into_bytes())),
        ("colours", Box::new(move |log| each_line(log, colours).into_bytes())),
        ("a coloured word", Box::new(move |log| each_line(log, words).into_bytes())),
        ("80 columns", Box::new(|log| wrapped(log, 80).into_bytes())),
        ("100 columns", Box::new(|log| wrapped(log, 100).into_bytes())),
        ("132 columns", Box::new(|log| wrapped(log, 132).into_bytes())),
        ("Windows", Box::new(|log| log.replace('\n', "\r\n").into_bytes())),
        ("UTF-16", Box::new(|log| log.encode_utf16().flat_map(u16::to_le_bytes).collect())),
        ("small letters", Box::new(|log| log.to_lowercase().into_bytes())),
        ("a past", text(past)),
        ("twice", Box::new(|log| format!("{log}\n{log}").into_bytes())),
    ];
    let mut poor = Vec::new();
    for (name, write) in ways {
        let score = score(&reports, |report| write(&report.evidence));
        println!(
            "{name}: cause {:.3}, macro-F1 {:.3}, stage {:.3}, tricky {:.3}, false alarms {}: {:?}",
            score.cause.of_one(),
            score.f1,
            score.stage.of_one(),
            score.tricky.of_one(),
            score.false_alarms,
            score.wrong
        );
        if score.cause.of_one() < 0.85 || score.tricky.of_one() < 0.75 || score.false_alarms > 0 {
            poor.push(format!("{name}: {score:#?}"));
        }
    }
    assert!(poor.is_empty(), "{}", poor.join("\n"));
}
