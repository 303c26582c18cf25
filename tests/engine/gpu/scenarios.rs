//! Every scenario of the fake library, through the real wrapper, to the sentences that a person reads; and any set of
//! questions refused.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use preflight_core::environment::{Environment, EnvironmentState};
use preflight_core::experience::Experience;
use preflight_core::facts::{BUSY_ABOVE, Fact, Facts, WeightsState};
use preflight_core::finding::{Evidence, Finding, Severity, Stage};
use preflight_core::machine::{Computer, Gpu, Gpus, Volume};
use preflight_core::plan::{Device, Plan, Target};
use preflight_core::text::{Language, Texts};
use preflight_engine::gpu::Watcher;
use proptest::prelude::*;

const GIB: u64 = 1 << 30;

fn facts(gpus: Gpus, os: &str, environment: Environment) -> Facts {
    Facts {
        account: None,
        dataset: Fact::unknown("reason-no-dataset-chosen"),
        gpus: Fact::Known(gpus),
        computer: Fact::Known(Computer {
            os: os.to_owned(),
            os_name: os.to_owned(),
            cpu: "AMD Ryzen 7 5800X".to_owned(),
            cores: 16,
            memory_total: 64 * GIB,
            memory_available: 48 * GIB,
            apple_gpu: false,
        }),
        volume: Fact::Known(Volume {
            path: "/home/ann".into(),
            free: 900 * GIB,
            total: 1_000 * GIB,
            write_error: None,
        }),
        environment: Fact::Known(EnvironmentState::Ready { environment }),
        weights: Fact::Known(WeightsState::NotNeeded),
        own_model: Fact::Known(None),
        experience: Experience::default(),
        surroundings: Fact::unknown("reason-not-observed"),
        busy_above: BUSY_ABOVE,
    }
}

/// torch for a CUDA version, with what its build has code for.
fn environment(cuda: &str, architectures: &str, works: bool) -> Environment {
    Environment {
        python: "/home/ann/environment/bin/python".into(),
        managed: true,
        python_version: "3.12.8".to_owned(),
        ultralytics: "8.4.190".to_owned(),
        torch: format!("2.11.0+cu{}", cuda.replace('.', "")),
        torchvision: "0.26.0".to_owned(),
        torch_cuda: Some(cuda.to_owned()),
        architectures: architectures.split(' ').map(str::to_owned).collect(),
        cuda_available: works,
    }
}

/// The environment a scenario is told with: one for today's cards, where it is not the point.
fn environment_of(scenario: &str) -> Environment {
    let today = "sm_75 sm_80 sm_86 sm_90 sm_100 sm_120 compute_120";
    let older = "sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90";
    match scenario {
        "same-major-driver" => environment("11.8", older, true),
        "driver-before-the-promise" => environment("11.8", older, false),
        "new-card" | "new-card-old-driver" => environment("12.6", older, true),
        "old-driver" | "old-card" | "kepler" | "data-centre-old-driver" => environment("13.0", today, false),
        "maxwell" | "tomorrow" => environment("13.0", today, true),
        "h200" | "laptop" | "wddm" => environment("12.8", "sm_70 sm_75 sm_80 sm_86 sm_90 sm_100 sm_120", true),
        _ => environment("13.0", today, true),
    }
}

fn on_all(gpus: &Gpus) -> Plan {
    let indices: Vec<u32> = gpus.cards.iter().map(|card| card.index).collect();
    let mut plan = Plan::default();
    let Target::ThisComputer { device, .. } = &mut plan.target else { panic!("a plan for this computer") };
    *device = if indices.is_empty() { Device::Auto } else { Device::Gpus(indices) };
    plan
}

fn read(finding: &Finding, languages: &[Texts]) -> String {
    let mut text = format!("{} [{:?}]\n", finding.code, finding.severity);
    for texts in languages {
        writeln!(text, "  {}", finding.title().render(texts)).unwrap();
        for evidence in &finding.evidence {
            if let Evidence::Value { name, value } = evidence {
                writeln!(text, "    - {}: {value}", name.render(texts)).unwrap();
            }
        }
        for remedy in &finding.remedies {
            writeln!(text, "    > {}", remedy.message().render(texts)).unwrap();
        }
    }
    text
}

/// A card in a line: each value, or that it is not told.
fn told(card: &Gpu) -> String {
    fn value<T>(fact: &Fact<T>, show: impl Fn(&T) -> String) -> String {
        fact.known().map_or_else(|| "?".to_owned(), show)
    }
    let details = &card.details;
    format!(
        "{}: {} · {} MiB free · {} % · {} °C · {} mW of {} · {} MHz of {} · {} · {} of {}",
        card.index,
        value(&card.name, String::clone),
        value(&card.memory, |memory| (memory.free >> 20).to_string()),
        value(&card.utilization, u32::to_string),
        value(&card.temperature, u32::to_string),
        value(&details.power, u32::to_string),
        value(&details.power_limit, u32::to_string),
        value(&details.clock, u32::to_string),
        value(&details.clock_max, u32::to_string),
        value(&details.throttled, |reasons| format!("{reasons:?}")),
        value(&details.link, ToString::to_string),
        value(&details.link_max, ToString::to_string),
    )
}

#[test]
fn every_scenario_and_what_a_person_reads() {
    let folder = fake_nvml::scenario("busy").parent().unwrap().to_owned();
    let mut names: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.insert("no-library".to_owned());
    assert!(names.len() >= 30, "{}", names.len());
    let languages = Language::ALL.map(Texts::new);
    let mut text = String::new();
    for name in names {
        let home = tempfile::tempdir().unwrap();
        let gpus = if name == "no-library" {
            Watcher::of_library(Path::new("/nowhere/libnvidia-ml.so.1")).observe()
        } else {
            let scenario = std::fs::read_to_string(fake_nvml::scenario(&name)).unwrap();
            Watcher::of_library(&fake_nvml::playing(home.path(), &scenario)).observe()
        };
        writeln!(text, "# {name}\n").unwrap();
        for card in &gpus.cards {
            writeln!(text, "{}", told(card)).unwrap();
        }
        let plan = on_all(&gpus);
        let os = if name == "wddm" { "windows" } else { "linux" };
        let facts = facts(gpus, os, environment_of(&name));
        let findings = preflight_core::checks::computer(&facts, &plan);
        for finding in findings.iter().filter(|finding| matches!(finding.stage, Stage::GpuPool | Stage::Driver)) {
            assert!(finding.severity != Severity::Blocker || !finding.remedies.is_empty(), "{name}: {}", finding.code);
            write!(text, "{}", read(finding, &languages)).unwrap();
        }
        text.push('\n');
    }
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(text) });
}

/// What the healthy card of the property below tells, in words that no default value has.
const TALKATIVE: &str = r#"
driver = "550.54.14"
cuda = 12040

[[card]]
name = "NVIDIA A100-SXM4-80GB"
uuid = "GPU-a"
memory-mib = 81920
used-mib = 777
capability = [8, 0]
utilization = 37
temperature = 44
pci = "00000000:41:00.0"
power-mw = [68000, 390000, 400000]
clock-mhz = [1111, 1410]
throttle = 4
slowdown = 92
ecc = [true, 3]
retired = [2, true]
remapped = [1, 2, 1, 0]
compute-mode = 3
persistence = true
mig = true
link = [3, 8, 4, 16]

[[card.process]]
pid = 4194001
name = "python3"
memory-mib = 700

[[card.slice]]
uuid = "MIG-a"
memory-mib = 40000
"#;

/// The values of a card by the questions they come from: what depends on no refused question must be told, what depends on
/// one must not.
fn answers(card: &Gpu) -> Vec<(&'static [&'static str], bool)> {
    let d = &card.details;
    vec![
        (&["name"], card.name.known().is_some_and(|it| it == "NVIDIA A100-SXM4-80GB")),
        (&["uuid"], card.uuid.known().is_some_and(|it| it == "GPU-a")),
        (&["memory"], card.memory.known().is_some_and(|it| it.used == 777 << 20)),
        (&["capability"], card.compute_capability == Fact::Known((8, 0))),
        (&["utilization"], card.utilization == Fact::Known(37)),
        (&["temperature"], card.temperature == Fact::Known(44)),
        (&["compute-processes"], card.processes.known().is_some_and(|it| it.len() == 1)),
        (&["throttle-reasons"], d.throttled.known().is_some_and(|it| it.len() == 1)),
        (&["pci"], d.pci.known().is_some_and(|it| it == "00000000:41:00.0")),
        (&["power"], d.power == Fact::Known(68_000)),
        (&["power-limit"], d.power_limit == Fact::Known(390_000)),
        (&["power-default"], d.power_default == Fact::Known(400_000)),
        (&["clock"], d.clock == Fact::Known(1_111)),
        (&["clock-max"], d.clock_max == Fact::Known(1_410)),
        (&["slowdown"], d.temperature_slowdown == Fact::Known(92)),
        (&["ecc"], d.ecc == Fact::Known(true)),
        (&["ecc-errors"], d.ecc_uncorrected == Fact::Known(3)),
        (&["retired", "retired-pending"], d.retired_pages.known().is_some_and(|it| it.pages == 2 && it.pending)),
        (&["fields"], d.remapped_rows.known().is_some_and(|it| it.uncorrectable == 2 && it.pending)),
        (&["compute-mode"], d.compute_mode.known().is_some()),
        (&["persistence"], d.persistence == Fact::Known(true)),
        (&["mig", "mig-count"], d.mig.known().is_some_and(|it| it.enabled)),
        (&["link-generation", "link-width"], d.link.known().is_some_and(|it| it.generation == 3 && it.width == 8)),
        (&["link-generation-max", "link-width-max"], d.link_max.known().is_some_and(|it| it.width == 16)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_questions_may_be_refused(
        refused in proptest::sample::subsequence(&fake_nvml::QUESTIONS[..], 0..=fake_nvml::QUESTIONS.len()),
        system in proptest::sample::subsequence(&fake_nvml::SYSTEM_QUESTIONS[..], 0..=fake_nvml::SYSTEM_QUESTIONS.len()),
        how in proptest::sample::select(&["not-supported", "no-permission", "unknown", "gpu-lost", "insufficient-power"][..]),
    ) {
        let mut scenario = TALKATIVE.to_owned();
        scenario.push_str("[card.refuses]\n");
        for question in &refused {
            writeln!(scenario, "{question} = \"{how}\"").unwrap();
        }
        scenario.push_str("[system-refuses]\n");
        for question in &system {
            writeln!(scenario, "{question} = \"{how}\"").unwrap();
        }
        let home = tempfile::tempdir().unwrap();
        let gpus = Watcher::of_library(&fake_nvml::playing(home.path(), &scenario)).observe();
        prop_assert_eq!(gpus.driver.known().is_some(), !system.contains(&"driver") && !system.contains(&"count"));
        if system.contains(&"count") {
            prop_assert!(gpus.cards.is_empty());
        } else {
            let [card] = gpus.cards.as_slice() else { panic!("{} cards", gpus.cards.len()) };
            for (questions, is_told) in answers(card) {
                let can_be = !refused.contains(&"handle") && !questions.iter().any(|question| refused.contains(question));
                prop_assert_eq!(is_told, can_be, "{:?} with {:?} refused", questions, refused);
            }
        }
        let plan = on_all(&gpus);
        let facts = facts(gpus, "linux", environment("12.8", "sm_80", true));
        for finding in preflight_core::checks::computer(&facts, &plan) {
            prop_assert!(finding.severity != Severity::Blocker || finding.verb.is_some());
            for texts in Language::ALL.map(Texts::new) {
                prop_assert!(!finding.title().render(&texts).contains("finding-"), "{}", finding.code);
            }
        }
    }
}
