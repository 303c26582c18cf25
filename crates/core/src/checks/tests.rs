//! Every check through the one `check()`.

use std::collections::BTreeSet;
use std::fmt::Write;

use proptest::prelude::*;

use super::{check, not_needed};
use crate::facts::Fact;
use crate::finding::{Certainty, Evidence, Finding, Severity, Stage};
use crate::forecast::{Seen, forecast};
use crate::plan::{Device, Target};
use crate::report::Report;
use crate::text::{Language, Texts};

mod account;
mod cards;
mod world;

use world::{Change, card, facts, failed, gpus, on, plan, two_alike};

fn judged(change: &Change<'_>) -> Vec<Finding> {
    let (mut facts, mut plan) = (facts(), plan());
    change(&mut facts, &mut plan);
    check(&facts, &plan)
}

/// What goes wrong, in every stage.
fn cases() -> Vec<(&'static str, Change<'static>)> {
    world::cases().into_iter().chain(cards::cases()).collect()
}

/// What a look at the computer alone finds.
fn of_computer(change: &Change<'_>) -> Vec<Finding> {
    let (mut facts, mut plan) = (facts(), plan());
    change(&mut facts, &mut plan);
    super::computer(&facts, &plan)
}

/// A finding as a person reads it, in both languages.
fn read(finding: &Finding, languages: &[Texts]) -> String {
    let mut text = format!("{} [{:?}", finding.code, finding.severity);
    if finding.certainty == Certainty::Predicted {
        text.push_str(", predicted");
    }
    if let Some(verb) = finding.verb {
        write!(text, ", {verb:?}").unwrap();
    }
    text.push_str("]\n");
    for texts in languages {
        writeln!(text, "  {}", finding.title().render(texts)).unwrap();
        if let Some(detail) = texts.render(&finding.detail().id, &finding.args) {
            writeln!(text, "  {detail}").unwrap();
        }
        for evidence in &finding.evidence {
            match evidence {
                Evidence::Value { name, value } => writeln!(text, "    - {}: {value}", name.render(texts)).unwrap(),
                other => writeln!(text, "    - {other:?}").unwrap(),
            }
        }
        for remedy in &finding.remedies {
            let words = remedy.message().render(texts);
            writeln!(text, "    > {words} ({:?})", remedy.applicability).unwrap();
        }
    }
    text
}

#[test]
fn what_a_person_reads() {
    let well: Vec<Finding> = judged(&cases()[0].1);
    let languages = Language::ALL.map(Texts::new);
    let mut text = String::new();
    for (name, change) in cases() {
        writeln!(text, "## {name}\n").unwrap();
        // What is as always is told once.
        for finding in judged(&change).iter().filter(|finding| name == "all is well" || !well.contains(finding)) {
            writeln!(text, "{}", read(finding, &languages)).unwrap();
        }
    }
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(text) });
}

#[test]
fn what_a_person_reads_of_a_computer() {
    let well = of_computer(&world::cases()[0].1);
    let languages = Language::ALL.map(Texts::new);
    let mut text = String::new();
    for (name, change) in cards::of_computer() {
        writeln!(text, "## {name}\n").unwrap();
        for finding in of_computer(&change).iter().filter(|finding| !well.contains(finding)) {
            writeln!(text, "{}", read(finding, &languages)).unwrap();
        }
    }
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(text) });
}

#[test]
fn every_finding_of_these_checks_is_among_the_cases() {
    let of_plans = cases().iter().flat_map(|(_, change)| judged(change)).collect::<Vec<_>>();
    let of_computers = cards::of_computer().iter().flat_map(|(_, change)| of_computer(change)).collect::<Vec<_>>();
    let seen: BTreeSet<String> = of_plans.iter().chain(&of_computers).map(|finding| finding.title().id).collect();
    for file in [
        include_str!("../../../../locales/en/machine.ftl"),
        include_str!("../../../../locales/en/memory.ftl"),
        include_str!("../../../../locales/en/gpu.ftl"),
    ] {
        for line in file.lines().filter(|line| line.starts_with("finding-")) {
            let id = line.split_whitespace().next().unwrap();
            assert!(seen.contains(id), "no case shows {id}");
        }
    }
}

#[test]
fn a_blocker_says_what_a_person_can_do_and_what_helps() {
    for (name, change) in cases() {
        for finding in judged(&change).iter().filter(|finding| finding.severity == Severity::Blocker) {
            assert!(finding.verb.is_some(), "{name}: {}", finding.code);
            assert!(!finding.remedies.is_empty(), "{name}: {}", finding.code);
        }
    }
}

#[test]
fn nothing_is_wrong_where_all_is_well() {
    for change in [Box::new(on("auto")) as Change<'_>, Box::new(on("gpu:0")), Box::new(two_alike)] {
        let findings = judged(&change);
        assert!(findings.iter().all(|finding| finding.severity == Severity::Ok), "{findings:#?}");
        let stages: BTreeSet<Stage> = findings.iter().map(|finding| finding.stage).collect();
        let before_launch =
            [Stage::GpuPool, Stage::Driver, Stage::Image, Stage::Data, Stage::Memory, Stage::Start].into();
        assert_eq!(stages, before_launch);
    }
}

#[test]
fn the_driver_is_not_needed_on_the_processor_unless_it_is_broken() {
    let (mut facts, mut plan) = (facts(), plan());
    assert_eq!(not_needed(&facts, &plan), [Stage::Auth, Stage::Quota]);
    facts.gpus = failed("version-mismatch", "mismatch");
    assert_eq!(not_needed(&facts, &plan), [Stage::Auth, Stage::Quota], "it hides a card");
    on("cpu")(&mut facts, &mut plan);
    assert_eq!(not_needed(&facts, &plan), [Stage::Auth, Stage::Quota, Stage::Driver]);
}

#[test]
fn the_roomiest_card_trains_by_itself() {
    let (mut facts, plan) = (facts(), plan());
    facts.gpus = Fact::Known(gpus(vec![card(0, 24, 23), card(1, 12, 0)]));
    let findings = check(&facts, &plan);
    let free = findings.iter().find(|finding| finding.code == "gpu_pool.free").unwrap();
    assert_eq!(free.args["index"], 1_u32.into());
}

#[test]
fn waiting_is_all_that_helps_where_only_the_card_is_in_the_way() {
    let (mut facts, mut plan) = (facts(), plan());
    on("gpu:0")(&mut facts, &mut plan);
    let report = |facts: &crate::facts::Facts| Report::new(0, check(facts, &plan), &[]);
    assert!(!report(&facts).only_waits(&[]), "nothing is in the way");
    facts.gpus = Fact::Known(gpus(vec![card(0, 12, 11)]));
    let busy = report(&facts);
    assert!(busy.only_waits(&[]));
    let accepted: Vec<String> = busy.blockers().map(|finding| finding.code.clone()).collect();
    assert!(!busy.only_waits(&accepted), "who accepts that it is busy waits for nothing");
    facts.environment = Fact::Known(crate::environment::EnvironmentState::Missing);
    assert!(!report(&facts).only_waits(&[]), "nor does waiting make an environment");
}

proptest! {
    #[test]
    fn any_plan_can_be_judged(
        imgsz: u32, batch: u32, epochs: u32, name in "[a-z0-9]{0,9}", indices in proptest::collection::vec(0_u32..4, 0..3),
        model in 0_usize..15, known: bool,
    ) {
        let (facts, mut plan) = (facts(), plan());
        plan.training.imgsz = imgsz;
        plan.training.batch = batch;
        plan.training.epochs = epochs;
        plan.model.name = if known { crate::models::ALL[model].name.clone() } else { name };
        let Target::ThisComputer { device, .. } = &mut plan.target else { panic!("a plan for this computer") };
        *device = if indices.is_empty() { Device::Cpu } else { Device::Gpus(indices) };
        for finding in check(&facts, &plan) {
            prop_assert!(finding.severity != Severity::Blocker || (finding.verb.is_some() && !finding.remedies.is_empty()));
        }
    }
}

#[test]
fn a_batch_is_no_larger_than_the_images_that_fill_it() {
    let (mut facts, mut plan) = (facts(), plan());
    plan.training.imgsz = 160;
    let estimate = |facts: &crate::facts::Facts| {
        let estimate = forecast(&plan, Seen::of(facts)).unwrap().estimate;
        (estimate.largest_batch.unwrap(), estimate.useful_batch.unwrap())
    };
    let (largest, useful) = estimate(&facts);
    assert!(largest > 128 && useful == 128, "{largest} {useful}");
    facts.dataset = Fact::unknown("reason-still-looking");
    assert_eq!(estimate(&facts), (largest, largest));
}
