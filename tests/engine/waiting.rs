//! A plan, or a person, that waits for a card.

use std::path::Path;

use preflight_core::plan::{Device, Plan, Target};
use preflight_engine::Engine;
use preflight_engine::dirs::Dirs;
use preflight_engine::gpu::Watcher;
use preflight_engine::runs::{self, SupervisorCommand};
use preflight_engine::waiting::{Goal, WaitState, Waiting};

fn card(used: u32, more: &str) -> String {
    format!(
        "driver = '580.95.05'\ncuda = 13000\n[[card]]\nname = 'A'\nuuid = 'GPU-a'\nmemory-mib = 1000\nused-mib = {used}\n\
         capability = [8, 6]\n{more}"
    )
}

/// An engine in front of a library that plays a scenario, which can be changed.
struct Desk {
    folder: tempfile::TempDir,
    engine: Engine,
}

impl Desk {
    fn new(scenario: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = fake_nvml::playing(folder.path(), scenario);
        let engine = open(&folder.path().join("home"), &library);
        Self { folder, engine }
    }

    fn plays(&self, scenario: &str) {
        let library = self.folder.path().join(fake_nvml::library().file_name().unwrap());
        std::fs::write(library.with_extension("toml"), scenario).unwrap();
    }

    /// Looks several times, as the app does.
    async fn looks(&self, times: u32) -> WaitState {
        // None of these plans gets so far that one is started.
        let supervisor = SupervisorCommand { program: "/nowhere".into(), arguments: Vec::new() };
        let mut free = 0;
        for _ in 0..times {
            self.engine.forget_observations();
            free = self.engine.attend_once(&supervisor, free).await;
        }
        self.engine.waiting().unwrap().state
    }
}

fn open(home: &Path, library: &Path) -> Engine {
    std::fs::create_dir_all(home).unwrap();
    // Whoever runs the tests is not to hear of it.
    std::fs::write(home.join("settings.toml"), "notifications = false\n").unwrap();
    Engine::open(Dirs::new(home)).unwrap().watching(Watcher::of_library(library))
}

fn plan() -> Plan {
    let mut plan = Plan::default();
    let Target::ThisComputer { device, .. } = &mut plan.target else { panic!("a plan for this computer") };
    *device = Device::Gpus(vec![0]);
    plan
}

#[tokio::test]
async fn a_person_is_told_when_a_card_stays_free() {
    let desk = Desk::new(&card(950, ""));
    assert_eq!(desk.engine.waiting(), None);
    desk.engine.wait_for(Goal::Tell { card: 0 }).unwrap();
    assert_eq!(desk.looks(4).await, WaitState::Waiting);
    desk.plays(&card(10, "utilization = 97"));
    assert_eq!(desk.looks(4).await, WaitState::Waiting, "it computes");
    desk.plays(&card(10, "compute-mode = 2"));
    assert_eq!(desk.looks(4).await, WaitState::Waiting, "it lets nobody in");
    desk.plays(&card(10, "refuses = { memory = 'unknown' }"));
    assert_eq!(desk.looks(4).await, WaitState::Waiting, "what is not known is not free");
    desk.plays(&card(10, ""));
    assert_eq!(desk.looks(2).await, WaitState::Waiting, "for a moment only, so far");
    assert_eq!(desk.looks(3).await, WaitState::Free);
    desk.engine.stop_waiting().unwrap();
    assert_eq!(desk.engine.waiting(), None);
}

#[tokio::test]
async fn what_waits_is_not_forgotten_and_can_be_called_off() {
    let desk = Desk::new(&card(950, ""));
    let goal = Goal::Start { plan: plan().into(), accepted: vec!["data.x".to_owned()] };
    let waiting = desk.engine.wait_for(goal).unwrap();
    let home = desk.engine.dirs().root().to_owned();
    let library = desk.folder.path().join(fake_nvml::library().file_name().unwrap());
    let again = open(&home, &library);
    assert_eq!(again.waiting(), Some(waiting), "as it was, after the app was closed");
    let other = again.wait_for(Goal::Tell { card: 0 }).unwrap();
    assert_eq!(again.waiting(), Some(other), "one at a time");
    again.stop_waiting().unwrap();
    assert_eq!(open(&home, &library).waiting(), None);
    std::fs::write(home.join("waiting.json"), "{\"since_ms\": true}").unwrap();
    assert_eq!(open(&home, &library).waiting(), None, "of another version");
}

#[test]
fn a_plan_that_was_started_is_not_started_twice_by_an_app_that_could_not_write_it_down() {
    let desk = Desk::new(&card(950, ""));
    let dirs = desk.engine.dirs();
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/engine/runs/folders/2/.");
    std::fs::create_dir_all(dirs.runs()).unwrap();
    let copied = std::process::Command::new("cp").arg("-r").arg(stored).arg(dirs.runs()).status().unwrap();
    assert!(copied.success());
    let run = runs::list(&desk.engine).remove(0).record;
    let found = |since_ms, plan: &Plan| {
        let goal = Goal::Start { plan: plan.clone().into(), accepted: Vec::new() };
        let waiting = Waiting { since_ms, goal, state: WaitState::Waiting };
        std::fs::write(dirs.root().join("waiting.json"), serde_json::to_vec(&waiting).unwrap()).unwrap();
        let library = desk.folder.path().join(fake_nvml::library().file_name().unwrap());
        open(dirs.root(), &library).waiting().unwrap().state
    };
    let mut other = run.plan.clone();
    other.training.epochs += 1;
    assert_eq!(found(run.created_ms - 1, &run.plan), WaitState::Started { run: run.id.clone() });
    assert_eq!(found(run.created_ms - 1, &other), WaitState::Waiting, "another plan");
    assert_eq!(found(run.created_ms + 1, &run.plan), WaitState::Waiting, "a run from before");
}

#[tokio::test]
async fn a_plan_that_cannot_start_even_on_a_free_card_says_why() {
    let desk = Desk::new(&card(950, ""));
    desk.engine.wait_for(Goal::Start { plan: plan().into(), accepted: Vec::new() }).unwrap();
    assert_eq!(desk.looks(4).await, WaitState::Waiting);
    desk.plays(&card(10, ""));
    let WaitState::Stopped { findings, problem } = desk.looks(3).await else { panic!("stopped") };
    assert_eq!(problem, None);
    assert!(findings.iter().any(|finding| finding.code == "image.missing"), "{findings:?}");
    assert_eq!(desk.looks(3).await, WaitState::Stopped { findings, problem: None }, "and stays so");
}

/// A card that is divided into slices, so many MiB of each in use.
fn divided(used: [u32; 2]) -> String {
    let slice =
        |name: &str, used: u32| format!("[[card.slice]]\nuuid = 'MIG-{name}'\nmemory-mib = 1000\nused-mib = {used}\n");
    card(0, &format!("mig = true\n{}{}", slice("a", used[0]), slice("b", used[1])))
}

#[tokio::test]
async fn a_divided_card_is_free_when_one_of_its_slices_is() {
    let desk = Desk::new(&divided([990, 990]));
    let is_free = async |device: &str| {
        desk.engine.forget_observations();
        desk.engine.is_free(&device.parse().unwrap()).await
    };
    assert!(!is_free("gpu:0").await && !is_free("MIG-a").await && !is_free("auto").await);
    desk.plays(&divided([990, 10]));
    assert!(is_free("gpu:0").await && is_free("MIG-b").await && is_free("auto").await);
    assert!(!is_free("MIG-a").await, "the other one is no help to who chose this one");
    assert!(!is_free("MIG-gone").await);
    assert!(is_free("cpu").await);
}

#[tokio::test]
async fn only_own_programs_on_a_card_are_ended() {
    let mut program = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let other = std::process::Command::new("sleep").arg("600").spawn();
    let desk = Desk::new(&card(950, &format!("[[card.process]]\npid = {}\nmemory-mib = 900", program.id())));
    let mut other = other.unwrap();
    let refused = desk.engine.end_process(other.id()).await.unwrap_err();
    assert_eq!(refused.code, "gpu.not-your-program");
    assert!(other.try_wait().unwrap().is_none(), "it goes on");
    desk.engine.end_process(program.id()).await.unwrap();
    assert!(program.wait().is_ok_and(|status| !status.success()));
    other.kill().unwrap();
    other.wait().unwrap();
}
