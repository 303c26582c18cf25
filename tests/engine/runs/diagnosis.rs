//! Why runs fail, asked of their folders: with a script in the trainer's place.

use preflight_core::finding::{Evidence, Stage};
use preflight_core::report::LinkState;
use preflight_core::run::RunState;
use preflight_engine::runs;

use super::stand_in::{BEGINS, FINISHES};
use super::world::{Dataset, World, kill, supervisor};

const OUT_OF_MEMORY: &str = r#"
echo 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB. GPU 0 has a total capacity of 7.79 GiB of which 60.00 MiB is free. Including non-PyTorch memory, this process has 7.20 GiB memory in use.'
exit 1
"#;

#[tokio::test]
async fn a_run_that_failed_says_why_and_what_is_different_from_one_that_did_not() {
    let world = World::new();
    let good = world.start(&format!("{BEGINS}{FINISHES}")).await;
    assert_eq!(world.end(&good).await.progress.state, RunState::Succeeded);
    assert_eq!(runs::diagnose(&world.engine, &good).unwrap(), None);

    let dataset = Dataset::new(world.path("plates")).write();
    let mut plan = World::plan(&dataset, &world.stand_in(&format!("{BEGINS}{OUT_OF_MEMORY}")));
    plan.training.batch = 32;
    let id = runs::start(&world.engine, &plan, &[], &supervisor()).await.unwrap();
    assert_eq!(world.end(&id).await.progress.state, RunState::Failed);
    let said = runs::diagnose(&world.engine, &id).unwrap().expect("it failed");
    assert_eq!(said.cause, "cuda_oom");
    assert_eq!(said.good.as_ref().map(|good| good.id.as_str()), Some(good.as_str()));
    let batch = said.changes.iter().find(|change| change.name == "batch").expect("the batch is another");
    assert_eq!((batch.before.as_str(), batch.now.as_str()), ("4", "32"));
    // The trainer said that it came down to 4: half of that is tried next.
    assert_eq!(said.fixes[0].plan.training.batch, 2);
    let broken = said.report.links.iter().find(|link| link.state == LinkState::Blocker).map(|link| link.stage);
    assert_eq!(broken, Some(Stage::Memory));

    // It is kept, and the log is read again only when it is another one.
    let kept = world.folder(&id).join("diagnosis.json");
    let before = std::fs::metadata(&kept).unwrap().modified().unwrap();
    assert_eq!(runs::diagnose(&world.engine, &id).unwrap().unwrap().cause, "cuda_oom");
    assert_eq!(std::fs::metadata(&kept).unwrap().modified().unwrap(), before);
    let log = world.folder(&id).join("trainer.log");
    std::fs::write(&log, "RuntimeError: operator torchvision::nms does not exist\n").unwrap();
    assert_eq!(runs::diagnose(&world.engine, &id).unwrap().unwrap().cause, "torchvision_mismatch");
    // What was kept by another version of this program counts for nothing.
    std::fs::write(&kept, "{}").unwrap();
    assert_eq!(runs::diagnose(&world.engine, &id).unwrap().unwrap().cause, "torchvision_mismatch");
}

#[tokio::test]
async fn a_trainer_that_was_killed_is_no_mystery() {
    let world = World::new();
    let id = world.start(&format!("{BEGINS} while :; do sleep 1; done")).await;
    world.until(&id, "the first step", |run| run.progress.batch > 0).await;
    let trainer = world.open(&id).progress.trainer.unwrap().0;
    kill(trainer);
    world.end(&id).await;
    let said = runs::diagnose(&world.engine, &id).unwrap().expect("it failed");
    assert_eq!(said.cause, "killed", "{said:#?}");
    let by = said
        .finding
        .evidence
        .iter()
        .find(|seen| matches!(seen, Evidence::Value { name, .. } if name.id == "fact-known-ended-by"));
    assert!(by.is_some(), "{:?}", said.finding.evidence);
    let ending = std::fs::read_to_string(world.folder(&id).join("ending.json")).unwrap();
    assert!(ending.contains("room-for-outputs"), "{ending}");
}

#[tokio::test]
async fn a_bundle_tells_what_helps_and_nothing_that_is_private() {
    let world = World::new();
    let secrets = [
        "hf_abcdefghij0123456789",
        "s3cr3t-pass",
        "10.11.12.13",
        "gpu7.acme.internal",
        "linwei",
        "lin.wei@acme.cn",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdef",
    ];
    let told = "
echo 'Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdef'
echo 'HF_TOKEN=hf_abcdefghij0123456789 at http://bob:s3cr3t-pass@gpu7.acme.internal:8080 10.11.12.13'
echo 'File \"/home/linwei/train.py\", line 3, by lin.wei@acme.cn'
";
    let id = world.start(&format!("{BEGINS}{told}{OUT_OF_MEMORY}")).await;
    world.end(&id).await;
    let shown = runs::bundle(&world.engine, &id).unwrap();
    let path = world.path("bundle.zip");
    runs::save_bundle(&world.engine, &id, &path).unwrap();
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    assert_eq!(names, shown.files.iter().map(|file| file.name.clone()).collect::<Vec<_>>());
    for wanted in ["report.html", "report.md", "plan.toml", "facts.json", "trainer.log"] {
        assert!(names.iter().any(|name| name == wanted), "{wanted} is not in {names:?}");
    }
    for piece in &shown.files {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut archive.by_name(&piece.name).unwrap(), &mut text).unwrap();
        assert!(text.starts_with(&piece.text), "{} is another than was shown", piece.name);
        assert_eq!(text.len() as u64, piece.bytes);
        for secret in secrets {
            assert!(!text.contains(secret), "{secret} is in {}", piece.name);
        }
    }
    let report = &shown.files[1].text;
    assert!(report.contains("CUDA out of memory"), "{report}");

    let html = world.path("report.html");
    runs::save_report(&world.engine, &id, preflight_engine::report::PageForm::Html, &html).unwrap();
    assert!(std::fs::read_to_string(&html).unwrap().starts_with("<!doctype html>"));
    let letter = runs::letter(&world.engine, &id).unwrap();
    assert!(letter.contains("CUDA out of memory") && letter.contains(&id), "{letter}");

    let good = world.start(&format!("{BEGINS}{FINISHES}")).await;
    world.end(&good).await;
    assert_eq!(runs::bundle(&world.engine, &good).unwrap_err().code, "run.not-failed");
}
