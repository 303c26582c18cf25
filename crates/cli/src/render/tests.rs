//! What a person reads, in both languages, as it is in a log of a CI pipeline.

use insta::assert_snapshot;
use preflight_core::finding::Applicability;
use preflight_core::plan::Device;
use preflight_core::text::{Language, Texts};

use super::*;
use crate::words::Words;

const CONFUSING: &str = "/data/板材 plates/labels/train/two\nlines\u{202e}.txt";

fn report() -> Report {
    const GIB: u64 = 1 << 30;
    let remedy = |id, action| Remedy::new(id, Applicability::OneClick, action);
    let change = |change| Action::ChangePlan { change };
    let mut labels = Finding::blocker(Stage::Data, "class-out-of-range", Verb::Change)
        .with("count", 10_u32)
        .with("class", 7_u32)
        .with("classes", 2_u32)
        .with("last", 1_u32)
        .seen(Evidence::line(CONFUSING, 3, "7 0.5\t0.5 0.1 0.1\r\n"));
    let place = |line| Evidence::line("/data/plates/labels/train/0001.txt", line, "7 0.51 0.42 0.11 0.20");
    labels.evidence.extend((1..=9).map(place));
    let findings = vec![
        Finding::note(Stage::GpuPool, "processor").seen(Evidence::value("fact-processor", "2 × AMD EPYC")),
        Finding::blocker(Stage::Image, "missing", Verb::Change)
            .remedy(remedy("create-environment", Action::CreateEnvironment)),
        labels,
        Finding::warning(Stage::Data, "class-not-in-val").with("count", 1_u32).with("names", "hole"),
        Finding::predicted(Stage::Memory, "cuda-oom-likely", Verb::Change)
            .with("low", 7 * GIB)
            .with("expected", 9 * GIB)
            .with("high", 11 * GIB)
            .with("supply", 8 * GIB)
            .remedy(remedy("smaller-batch", change(PlanChange::Batch(4))).with("batch", 4_u32))
            .remedy(remedy("use-processor", change(PlanChange::Device(Device::Cpu)))),
        Finding::unknown(Stage::Start, "unknown", &Message::new("reason-no-answer").with("seconds", 10_u32)),
        Finding::blocker(Stage::Train, "failed", Verb::Change)
            .with("class", "RuntimeError")
            .with("text", "loss is nan\u{1b}[0m")
            .seen(Evidence::Log { line: 98, text: "epoch 3\r\nloss nan\u{1b}[0m\n".to_owned() }),
    ];
    Report::new(0, findings, &[Stage::Auth, Stage::Quota])
}

fn shown(language: Language, width: usize) -> String {
    let words = Words::new(Texts::new(language));
    let report = report();
    let mut page = Page::new(&words, width);
    page.chain(&report.links);
    page.findings(&report.findings);
    page.blank();
    page.verdict(&report, report.verdict(&[], false));
    anstream::adapter::strip_str(&page.text()).to_string()
}

#[test]
fn a_report_reads_well_in_a_log() {
    assert_snapshot!("report-en", shown(Language::En, 80));
    assert_snapshot!("report-zh", shown(Language::ZhCn, 80));
    assert_snapshot!("report-narrow", shown(Language::En, 40));
}

#[test]
fn nothing_invisible_is_written() {
    for language in Language::ALL {
        let text = shown(language, 80);
        let odd: Vec<_> =
            text.chars().filter(|c| *c != '\n' && (c.is_control() || visible(&c.to_string()).len() > 4)).collect();
        assert!(odd.is_empty(), "{odd:?}");
        assert!(text.lines().all(|line| line == line.trim_end()), "spaces at the end of a line");
    }
}

#[test]
fn a_problem_says_why_and_what_helps() {
    let words = Words::new(Texts::new(Language::En));
    let mut page = Page::new(&words, 80);
    let problem = Problem::new("plan.unreadable").with("path", "plan.toml").because_text("No such file\nor folder");
    page.problem(&problem);
    assert_snapshot!("problem", anstream::adapter::strip_str(&page.text()).to_string());
}
