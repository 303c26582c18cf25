//! Cards behind the real wrapper, in front of a library that plays scenarios.

mod around;
mod program;
mod scenarios;

use std::path::Path;

use preflight_core::facts::Fact;
use preflight_core::machine::{Gpu, GpuLibrary, Gpus};
use preflight_core::run::GpuTrouble;
use preflight_engine::gpu::{Trains, Use, Watcher};
use tempfile::TempDir;

const MIB: u64 = 1 << 20;

/// A scenario by name, and the folder that keeps its library.
fn watch(scenario: &str) -> (Watcher, TempDir) {
    let text = std::fs::read_to_string(fake_nvml::scenario(scenario)).unwrap();
    play(&text)
}

fn play(scenario: &str) -> (Watcher, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let library = fake_nvml::playing(folder.path(), scenario);
    (Watcher::of_library(&library), folder)
}

fn look(scenario: &str) -> Gpus {
    let (mut watcher, _folder) = watch(scenario);
    watcher.observe()
}

fn reason<T: std::fmt::Debug>(fact: &Fact<T>) -> &str {
    match fact {
        Fact::Unknown(reason) => &reason.id,
        Fact::Known(value) => panic!("known: {value:?}"),
    }
}

#[test]
fn two_cards_with_all_they_tell() {
    let gpus = look("two-cards");
    assert_eq!(gpus.library, GpuLibrary::Answers);
    assert_eq!(gpus.driver.known().map(String::as_str), Some("580.95.05"));
    assert_eq!(gpus.cuda, Fact::Known((13, 0)));
    let [first, second] = gpus.cards.as_slice() else { panic!("two cards") };
    assert_eq!(first.index, 0);
    assert_eq!(first.label(), "NVIDIA GeForce RTX 3060");
    assert_eq!(first.compute_capability, Fact::Known((8, 6)));
    assert_eq!(first.utilization, Fact::Known(34));
    assert_eq!(first.temperature, Fact::Known(61));
    let memory = first.memory.known().unwrap();
    assert_eq!(memory.total, 12288 * MIB);
    assert_eq!(memory.free, (12288 - 240 - 6144) * MIB);
    assert_eq!(memory.used + memory.free, memory.total, "what the driver keeps cannot be had");
    let processes = first.processes.known().unwrap();
    let told: Vec<_> = processes.iter().map(|process| (process.pid, process.name.known().unwrap().as_str())).collect();
    assert_eq!(told, [(4_194_001, "python3"), (4_194_002, "gnome-shell")], "computing and drawing ones");
    assert_eq!(second.free(), (24564 - 480) * MIB);
    assert_eq!(gpus.roomiest().map(|card| card.index), Some(1));
}

#[test]
fn a_driver_that_cannot_work_says_why() {
    for (scenario, expected) in [
        ("driver-not-loaded", "driver-not-loaded"),
        ("version-mismatch", "version-mismatch"),
        ("no-permission", "no-permission"),
    ] {
        match look(scenario).library {
            GpuLibrary::Failed { why, message } => {
                assert_eq!(why, expected);
                assert!(!message.is_empty());
            }
            other => panic!("{scenario}: {other:?}"),
        }
    }
}

#[test]
fn no_library_is_no_driver() {
    let gpus = Watcher::of_library(Path::new("/nowhere/libnvidia-ml.so.1")).observe();
    assert_eq!(gpus.library, GpuLibrary::NotInstalled);
    assert!(gpus.cards.is_empty());
}

#[test]
fn a_library_that_cannot_be_loaded_is_not_a_missing_one() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("libnvidia-ml.so.1");
    std::fs::write(&library, "not a library").unwrap();
    let gpus = Watcher::of_library(&library).observe();
    assert!(matches!(gpus.library, GpuLibrary::Failed { why, .. } if why == "other"));
}

#[test]
fn each_value_fails_alone() {
    let gpus = look("refusals");
    let [shy, quiet, lost]: &[Gpu; 3] = gpus.cards.as_slice().try_into().unwrap();
    assert_eq!(reason(&shy.name), "reason-gpu-error");
    assert_eq!(reason(&shy.memory), "reason-gpu-not-supported");
    assert_eq!(reason(&shy.utilization), "reason-gpu-not-supported");
    assert_eq!(reason(&shy.temperature), "reason-gpu-no-permission");
    assert_eq!(reason(&shy.processes), "reason-gpu-no-permission");
    assert_eq!(shy.compute_capability, Fact::Known((7, 5)));
    assert_eq!(shy.label(), "GPU 0");
    let [game] = quiet.processes.known().unwrap().as_slice() else { panic!("one process") };
    assert_eq!(reason(&game.memory), "reason-gpu-memory-not-told");
    assert_eq!(lost.index, 2);
    assert_eq!(reason(&lost.name), "reason-gpu-lost");
    assert_eq!(reason(&lost.memory), "reason-gpu-lost");
}

/// What a run's record names as its device.
fn on(device: &str) -> Trains {
    Trains::on(device).unwrap()
}

/// One card with a process that is this very test.
fn with_this_process(memory: &str, utilization: u32) -> String {
    format!(
        "driver = '1'\ncuda = 13000\n[[card]]\nname = 'A'\nuuid = 'GPU-a'\nmemory-mib = 1000\nused-mib = 500\n\
         capability = [8, 6]\nutilization = {utilization}\n[[card.process]]\n{memory}\n"
    )
}

#[test]
fn what_own_processes_use() {
    let this = std::process::id();
    let (mut watcher, _folder) = play(&with_this_process("memory-mib = 300", 77));
    let free = Some((500 * MIB, 1000 * MIB));
    let used = Use { memory: Some(300 * MIB), most: Some(300 * MIB), utilization: Some(77), free, trouble: None };
    assert_eq!(watcher.used_by(&[this], &on("0")), used);
    assert_eq!(watcher.used_by(&[1], &on("0")), Use::default(), "another process's memory is not ours");
    let (mut watcher, _folder) = play(&with_this_process("", 5));
    let used = Use { memory: None, most: None, utilization: Some(5), free, trouble: None };
    assert_eq!(watcher.used_by(&[this], &on("0")), used, "Windows does not tell");
}

#[test]
fn what_own_processes_use_on_two_cards() {
    let this = std::process::id();
    let card = |memory: u32, used: u32| {
        format!(
            "[[card]]\nname = 'A'\nuuid = 'a'\nmemory-mib = 1000\nused-mib = {used}\ncapability = [8, 6]\n\
             utilization = {memory}\n[[card.process]]\nmemory-mib = {memory}\n"
        )
    };
    let (mut watcher, _folder) = play(&format!("driver = '1'\ncuda = 13000\n{}{}", card(30, 400), card(50, 700)));
    let free = Some((300 * MIB, 1000 * MIB));
    let used = Use { memory: Some(80 * MIB), most: Some(50 * MIB), utilization: Some(50), free, trouble: None };
    assert_eq!(watcher.used_by(&[this], &on("0,1")), used);
}

#[test]
fn a_divided_card_with_its_slices_and_what_is_used_of_one() {
    let text = std::fs::read_to_string(fake_nvml::scenario("mig-parts")).unwrap();
    let (mut watcher, _folder) = play(&text.replace("pid = 4194001\n", ""));
    let gpus = watcher.observe();
    let [card] = gpus.cards.as_slice() else { panic!("one card") };
    let slices = card.slices();
    let told: Vec<_> = slices.iter().map(|slice| (slice.label(), slice.free() / MIB)).collect();
    let name = "NVIDIA A100-SXM4-80GB MIG 3g.40gb".to_owned();
    assert_eq!(told, [(name.clone(), 40_192 - 25), (name, 40_192 - 20_000)]);
    let this = std::env::current_exe().unwrap();
    let held = slices[1].processes.known().unwrap();
    assert_eq!(held[0].name.known().map(String::as_str), this.file_name().and_then(|name| name.to_str()));
    assert!(card.processes.known().unwrap().is_empty());

    let used = watcher.used_by(&[std::process::id()], &on("MIG-bbbb0000-1111-2222-3333-444444444444"));
    assert_eq!(used.memory, Some(19_800 * MIB));
    assert_eq!(used.free, Some(((40_192 - 20_000) * MIB, 40_192 * MIB)), "of the slice, not of the card");
    let other = watcher.used_by(&[std::process::id()], &on("MIG-aaaa0000-1111-2222-3333-444444444444"));
    assert_eq!(other.memory, None);
    assert_eq!(Trains::on("cpu"), None);
    assert_eq!(Trains::on("mps"), None);
}

#[cfg(target_os = "linux")]
#[test]
fn a_training_of_this_app_is_known_by_its_mark() {
    let home = tempfile::tempdir().unwrap();
    let runs = home.path().join("runs");
    let id = "20261130-142233-plates-yolov8n-4f2a";
    let mut training =
        std::process::Command::new("sleep").arg("600").env("PREFLIGHT_RUN", runs.join(id)).spawn().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let process = format!("pid = {}\nmemory-mib = 300", training.id());
    let library = fake_nvml::playing(folder.path(), &with_this_process(&process, 0));
    let run = |watcher: Watcher| {
        let mut watcher = watcher;
        watcher.observe().cards[0].processes.known().unwrap()[0].run.clone()
    };
    let known = run(Watcher::of_library(&library).knowing(runs));
    let elsewhere = run(Watcher::of_library(&library).knowing(home.path().join("trials")));
    let nobody = run(Watcher::of_library(&library));
    training.kill().unwrap();
    training.wait().unwrap();
    assert_eq!(known.as_deref(), Some(id));
    assert_eq!((elsewhere, nobody), (None, None), "only what can be shown here");
}

#[test]
fn what_is_wrong_with_the_cards_that_train() {
    let card = |more: &str| {
        format!("[[card]]\nname = 'A'\nuuid = 'a'\nmemory-mib = 1000\ncapability = [8, 6]\ntemperature = 91\n{more}\n")
    };
    let cards = [card("too-hot = true"), card(""), card("refuses = { handle = 'gpu-lost' }")].concat();
    let (mut watcher, _folder) = play(&format!("driver = '1'\ncuda = 13000\n{cards}"));
    let mut trouble = |cards: &str| watcher.used_by(&[], &on(cards)).trouble;
    assert_eq!(trouble("0"), Some(GpuTrouble::Hot { temperature: Some(91) }));
    assert_eq!(trouble("1"), None, "the others are not ours");
    assert_eq!(trouble("2"), Some(GpuTrouble::Lost));
    assert_eq!(trouble("0,1,2"), Some(GpuTrouble::Lost));
}

#[test]
fn a_process_the_system_knows_has_its_programs_name() {
    let (mut watcher, _folder) = play(&with_this_process("memory-mib = 300\nname = 'as the driver says'", 0));
    let gpus = watcher.observe();
    let program = std::env::current_exe().unwrap();
    let name = gpus.cards[0].processes.known().unwrap()[0].name.known().cloned();
    assert_eq!(name.as_deref(), program.file_name().and_then(|name| name.to_str()));
}

#[test]
fn a_driver_that_fails_and_recovers_is_seen_recovering() {
    let (mut watcher, folder) = play(&with_this_process("memory-mib = 300", 0));
    assert_eq!(watcher.observe().library, GpuLibrary::Answers);
    let scenario = folder.path().join("libfake_nvml.toml");
    let good = std::fs::read_to_string(&scenario).unwrap();
    std::fs::write(&scenario, "refuses = 'version-mismatch'").unwrap();
    assert!(matches!(watcher.observe().library, GpuLibrary::Failed { .. }));
    std::fs::write(&scenario, good).unwrap();
    assert_eq!(watcher.observe().library, GpuLibrary::Answers);
}
