//! The page of cards, and a plan that waits for one.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use preflight_core::run::Event;
use preflight_engine::runs::Follower;

use crate::app::{App, World};
use crate::training::IMPORT;

const SOON: Duration = Duration::from_secs(60);

fn scenario(name: &str) -> String {
    std::fs::read_to_string(fake_nvml::scenario(name)).unwrap()
}

impl App {
    /// Waits until the page says something.
    async fn until_page_says(&self, words: &str) {
        let said = format!("document.querySelector('main').innerText.includes({words:?})");
        self.until(words, &said, SOON).await;
    }

    /// Looks at the page, light and dark; axe-core finds nothing in either.
    async fn both_themes(&self, name: &str) {
        for theme in ["light", "dark"] {
            self.evaluate(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
            self.assert_nothing_scrolls_sideways().await;
            self.shot(&format!("{name}-{theme}")).await;
            self.assert_accessible().await;
        }
        self.evaluate("document.documentElement.dataset.theme = 'light'").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_situation_of_cards_has_its_verdict_and_its_look() {
    let app = World::default().cards("two-cards").open().await;
    app.press("nav-gpu").await;
    app.until_page_says("NVIDIA GeForce RTX 3060").await;
    let summary = app.read("gpu-summary").await;
    assert!(summary.contains("580.95.05") && summary.contains("13.0"), "{summary}");
    let first = app.read("gpu-panel-0").await;
    for words in ["is partly in use", "6.2 GiB / 12.0 GiB", "34 %", "61 °C", "python3", "(4194001)", "gnome-shell"] {
        assert!(first.contains(words), "{words} is not in\n{first}");
    }
    let second = app.read("gpu-panel-1").await;
    assert!(second.contains("NVIDIA GeForce RTX 4090 is free"), "{second}");
    app.look("gpu").await;

    // Figures that change while a person looks, in words and in the chart.
    app.plays(&scenario("two-cards").replace("utilization = 34", "utilization = 57"));
    app.until_page_says("57 %").await;
    let drawn = "document.querySelectorAll('[data-testid=\"gpu-panel-0\"] svg path.line[d*=\"L\"]').length >= 3";
    app.until("the charts have lines", drawn, SOON).await;

    for (name, words) in [
        ("busy", "is busy: other programs hold almost all of its memory"),
        ("mig-parts", "is divided into 2 parts"),
        ("too-hot", "is slowed down by heat"),
        ("exclusive-held", "lets in one program at a time"),
        ("refusals", "This card or its driver does not tell"),
        ("ecc-errors", "had memory errors"),
        ("version-mismatch", "NVIDIA"),
    ] {
        app.plays(&scenario(name));
        app.until_page_says(words).await;
        app.both_themes(&format!("gpu-{name}")).await;
    }
    // One that works again is seen working.
    app.plays(&scenario("eight-a100"));
    app.until_page_says("NVIDIA A100-SXM4-80GB").await;
    assert_eq!(app.evaluate("document.querySelectorAll('[data-testid^=gpu-panel-]').length").await, 8);
    app.both_themes("gpu-eight-a100").await;

    app.plays(&scenario("mig-parts"));
    app.until_page_says("is divided into 2 parts").await;
    let part = app.read("part-MIG-bbbb0000-1111-2222-3333-444444444444").await;
    assert!(
        part.contains("3g.40gb") && part.contains("python3") && part.contains("19.5 GiB of 39.2 GiB used"),
        "{part}"
    );
    app.look("gpu-mig").await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_is_lost_while_a_person_looks_is_said_and_the_rest_goes_on() {
    let app = World::default().cards("two-cards").open().await;
    app.press("nav-gpu").await;
    app.until_page_says("NVIDIA GeForce RTX 3060").await;
    let lost = scenario("two-cards").replacen(
        "name = \"NVIDIA GeForce RTX 3060\"",
        "refuses = { handle = \"gpu-lost\" }\nname = \"NVIDIA GeForce RTX 3060\"",
        1,
    );
    assert_ne!(lost, scenario("two-cards"));
    app.plays(&lost);
    app.find_css("[data-testid='gpu-panel-0'] [data-testid='finding-gpu_pool.card-lost']", SOON).await;
    let said = app.read("gpu-panel-0").await;
    assert!(said.contains("does not answer any more") && said.contains("Restart the computer"), "{said}");
    assert!(app.read("gpu-panel-1").await.contains("is free"));
    app.look("gpu-lost").await;
    app.plays(&scenario("two-cards"));
    app.until_page_says("NVIDIA GeForce RTX 3060").await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_driver_the_page_says_so_and_what_can_be_done() {
    let app = World::default().variable("PREFLIGHT_NVML", "/nowhere/libnvidia-ml.so.1").open().await;
    app.press("nav-gpu").await;
    app.until_page_says("No NVIDIA graphics card").await;
    app.look("gpu-none").await;
    app.press("examine").await;
    app.find_within("examined", IMPORT).await;
    app.both_themes("gpu-examined").await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_told_when_a_card_is_free_and_can_call_it_off() {
    let app = World::default().cards("busy").open().await;
    app.press("nav-gpu").await;
    app.press("gpu-tell-0").await;
    app.find("waiting").await;
    app.both_themes("gpu-waiting").await;
    app.press("waiting-stop").await;
    app.until("nothing waits", "document.querySelector('[data-testid=waiting]') === null", SOON).await;
    app.press("gpu-tell-0").await;
    app.find("waiting").await;
    app.plays(&free());
    app.find_within("waiting-free", SOON).await;
    app.both_themes("gpu-waiting-free").await;
    app.close().await;
}

/// One card that is free.
fn free() -> String {
    "driver = '580.95.05'\ncuda = 13000\n[[card]]\nname = 'NVIDIA GeForce RTX 3060'\nuuid = 'GPU-3060'\nmemory-mib = 12288\n\
     used-mib = 200\ncapability = [8, 6]\npci = '00000000:01:00.0'\ntemperature = 41\npower-mw = [21000, 170000, 170000]\n\
     clock-mhz = [210, 2130]\nslowdown = 93\ncompute-mode = 0\n"
        .to_owned()
}

/// The same, held by a process.
fn held_by(pid: u32) -> String {
    let held = free().replace("used-mib = 200", "used-mib = 11900\nutilization = 97");
    format!("{held}[[card.process]]\npid = {pid}\nname = 'python3'\nmemory-mib = 11600\n")
}

/// A training environment whose Python is a script: it says that it is one for cards, and trains until `done` is there.
fn environment(folder: &Path) -> PathBuf {
    let python = folder.join("environment/bin/python");
    std::fs::create_dir_all(python.parent().unwrap()).unwrap();
    let script = r#"#!/bin/sh
if [ "$1" = "-c" ]; then
  echo '{"python":"3.11.7","torch":"2.15.0+cu128","torchvision":"0.29.2","ultralytics":"8.4.190","torch_cuda":"12.8","architectures":["sm_86"],"cuda_available":true}'
  exit
fi
say() { printf '%s\n' "$1" >> trainer.jsonl; }
say '{"event":"boot","pid":1,"python":"3.11.7"}'
say '{"event":"start","epochs":1,"first_epoch":1,"batch":8,"batches":6,"imgsz":160,"device":"cuda:0","amp":true,"optimizer":"AdamW","parameters":3011238,"train_images":48,"val_images":12}'
say '{"event":"batch","epoch":1,"batch":1,"batches":6,"losses":{"box_loss":1.5},"gpu_reserved":0}'
while [ ! -e "DONE" ]; do sleep 0.2; done
say '{"event":"epoch","epoch":1,"losses":{"box_loss":1.25},"metrics":{"metrics/mAP50(B)":0.5},"learning_rates":{"lr/pg0":0.01},"seconds":2.5}'
say '{"event":"done","metrics":{"metrics/mAP50(B)":0.5},"best":"/o/best.pt","folder":"/o","seconds":3}'
"#;
    std::fs::write(&python, script.replace("DONE", folder.join("done").to_str().unwrap())).unwrap();
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
    python
}

/// The first process of a run's trainer, once it was started.
async fn trainer(run: &Path) -> u32 {
    let began = Instant::now();
    loop {
        let events = Follower::new(run).poll().unwrap();
        let launched = events.iter().find_map(|event| match event.event {
            Event::Launched { pid, .. } => Some(pid),
            _ => None,
        });
        if let Some(pid) = launched {
            return pid;
        }
        assert!(began.elapsed() < SOON, "no trainer: {events:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_waits_for_a_training_of_this_app_and_starts_when_that_is_ended() {
    let desk = tempfile::tempdir().unwrap();
    let python = environment(desk.path());
    let app = World::default().cards_as(&free()).environment(&python).open().await;
    app.press("use-sample").await;
    app.find_within("dataset-summary", Duration::from_secs(120)).await;
    app.press("step-where").await;
    app.press("device-gpu:0").await;
    app.press_css("[data-testid='environment-other'] input", IMPORT).await;
    app.press("step-review").await;
    app.until_start_is_possible().await;
    app.press("start").await;
    app.until_run("running", IMPORT).await;
    let id = app.evaluate("location.hash.split('/').pop()").await.as_str().unwrap().to_owned();
    let home = app.home.clone();

    // The first training holds the card: it is named as what it is.
    let held = held_by(trainer(&home.join("runs").join(&id)).await);
    app.plays(&held);
    app.press("nav-gpu").await;
    app.find_css("[data-testid='gpu-panel-0'] [data-testid='holder-run']", SOON).await;
    let panel = app.read("gpu-panel-0").await;
    assert!(panel.contains(&id) && !panel.contains("End sh"), "{panel}");
    app.find_css("[data-testid='remedy-open-run']", SOON).await;
    app.look("gpu-own-run").await;
    app.press_css("[data-testid='gpu-panel-0'] [data-testid='remedy-open-run']", SOON).await;
    app.until_run("running", SOON).await;

    // The same plan once more: the card is busy, and the app can wait.
    app.press("nav-new").await;
    app.press("step-batch").await;
    app.fill("epochs", "3").await;
    app.press("step-review").await;
    app.find_within("start-when-free", SOON).await;
    app.both_themes("review-when-free").await;
    app.press("start-when-free").await;
    app.find("waiting").await;
    app.look("gpu-plan-waits").await;

    // It is not forgotten when the app is closed.
    let _closed = app.close().await;
    let app = World::default().cards_as(&held).environment(&python).at(&home).open().await;
    app.press("nav-gpu").await;
    app.find("waiting").await;
    app.press_css("[data-testid='gpu-panel-0'] [data-testid='remedy-cancel-run']", SOON).await;
    app.find("cancel-run").await;
    app.both_themes("gpu-cancel-run").await;
    app.press("cancel-run-confirm").await;
    app.until("the question is answered", "document.querySelector('[data-testid=cancel-run]') === null", SOON).await;
    app.plays(&free());
    app.find_within("waiting-started", IMPORT).await;
    app.both_themes("gpu-plan-started").await;
    app.press_css("[data-testid='waiting-started'] a", SOON).await;
    app.until_run("running", IMPORT).await;
    let second = app.evaluate("location.hash.split('/').pop()").await.as_str().unwrap().to_owned();
    assert_ne!(second, id);
    std::fs::write(desk.path().join("done"), "").unwrap();
    app.until_run("succeeded", IMPORT).await;
    app.press("nav-runs").await;
    app.find(&format!("run-{id}")).await;
    let states = "[...document.querySelectorAll('[data-testid^=\"run-2\"]')].length";
    assert_eq!(app.evaluate(states).await, 2, "it was started once");
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_of_a_divided_card_can_be_chosen() {
    const PART: &str = "MIG-bbbb0000-1111-2222-3333-444444444444";
    let app = World::default().cards("mig-parts").open().await;
    app.press("use-sample").await;
    app.find_within("dataset-summary", Duration::from_secs(120)).await;
    app.press("step-where").await;
    let tile = app.read(&format!("device-{PART}")).await;
    assert!(tile.contains("MIG 3g.40gb") && tile.contains("python3"), "{tile}");
    app.press(&format!("device-{PART}")).await;
    app.look("where-mig").await;
    app.press("step-batch").await;
    app.find("memory").await;
    assert!(app.read("cards").await.contains("3g.40gb"));
    app.press("step-review").await;
    assert!(app.read("plan-toml").await.contains(&format!("device = \"{PART}\"")));
    assert!(app.read("review-where").await.contains("3g.40gb"));
    app.shot("review-mig").await;
    app.close().await;
}
