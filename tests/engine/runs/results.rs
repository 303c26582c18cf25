//! What comes out of a run, with a stand-in for the script that uses the model.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use preflight_core::problem::Problem;
use preflight_core::run::RunState;
use preflight_engine::results::{self, ExportProgress, PictureKind, Trial, TrialUpdate, WeightsKind};
use tokio_util::sync::CancellationToken;

use super::world::{World, executable, processes_in};

const TRAINER: &str = r#"
mkdir -p output/weights
echo best > output/weights/best.pt
echo last, longer > output/weights/last.pt
touch output/BoxPR_curve.png output/val_batch0_pred.jpg output/results.csv
say '{"event":"done","metrics":{},"best":"'$PWD'/output/weights/best.pt","folder":"'$PWD'/output","seconds":1,"classes":[{"name":"dent","images":3,"instances":5,"precision":0.5,"recall":0.25,"map50":0.4,"map50_95":0.2}],"confusion":{"names":["dent"],"counts":[[4,1],[1,0]]}}'
"#;

/// A script that finds one box in every image whose name does not say otherwise.
const PREDICTS: &str = r#"
read -r asked
printf '%s\n' "$asked" > asked.json
echo '{"event":"ready","device":"cpu","names":["dent","hole"]}'
while read -r line; do
  case "$line" in
    *odd*) echo '{"event":"unreadable","text":"ValueError: odd"}' ;;
    *deadly*) echo 'last words' >&2; exit 3 ;;
    *slow*) sleep 600 ;;
    *) echo '{"event":"predicted","device":"cpu","width":40,"height":30,"boxes":[{"class":1,"confidence":0.75,"left":1,"top":2,"right":20,"bottom":22}],"inference_s":0.01,"total_s":0.02}' ;;
  esac
done
"#;

/// A finished run, whose environment's Python then does this.
async fn finished(world: &World, python: &str) -> String {
    let id = world.start(TRAINER).await;
    let run = world.end(&id).await;
    assert_eq!(run.progress.state, RunState::Succeeded, "{}", world.logs(&id));
    becomes(world, python);
    id
}

fn becomes(world: &World, python: &str) -> PathBuf {
    let path = world.path("python");
    std::fs::write(&path, format!("#!/bin/sh\n{python}")).unwrap();
    executable(&path);
    path
}

#[tokio::test]
async fn weights_and_pictures_are_known_by_what_they_are() {
    let world = World::new();
    let id = finished(&world, "").await;
    let progress = world.open(&id).progress;
    assert_eq!(progress.classes[0].name, "dent");
    assert_eq!(progress.confusion.unwrap().counts, [[4, 1], [1, 0]]);

    let found = results::of(&world.engine, &id).unwrap();
    assert_eq!(found.folder, world.folder(&id).join("output"));
    assert_eq!(found.weights.iter().map(|file| file.kind).collect::<Vec<_>>(), [WeightsKind::Best, WeightsKind::Last]);
    assert_eq!(found.weights[0].bytes, 5);
    let kinds: Vec<_> = found.pictures.iter().map(|picture| (picture.kind, picture.number)).collect();
    assert_eq!(kinds, [(PictureKind::Predictions, Some(0)), (PictureKind::PrecisionRecall, None)]);
    assert!(!found.pictures[0].image.contains('/'), "no path goes to the window");
    assert_eq!(found.export, None);
}

#[tokio::test]
async fn a_model_is_tried_image_by_image() {
    let world = World::new();
    let id = finished(&world, PREDICTS).await;
    let mut trial = Trial::start(&world.engine, &id).await.unwrap();
    let asked = std::fs::read_to_string(world.folder(&id).join("asked.json")).unwrap();
    assert!(asked.contains(r#""weights":"output/weights/best.pt""#), "{asked}");
    assert!(asked.contains(r#""imgsz":64"#) && asked.contains(r#""device":"cpu""#), "{asked}");
    let prediction = trial.predict(Path::new("/x/a.jpg")).await.unwrap();
    assert_eq!((prediction.width, prediction.boxes.len(), prediction.boxes[0].class), (40, 1, 1));
    assert_eq!((prediction.names[1].as_str(), prediction.on_processor), ("hole", None));
    let problem = trial.predict(Path::new("/x/odd.jpg")).await.unwrap_err();
    assert_eq!((problem.code.as_str(), problem.causes), ("image.unreadable", vec!["ValueError: odd".to_owned()]));
    assert!(trial.predict(Path::new("/x/b.jpg")).await.is_ok(), "the next one can be tried");
    let problem = trial.predict(Path::new("/x/deadly.jpg")).await.unwrap_err();
    assert_eq!(problem.code, "results.model-failed");
}

#[tokio::test]
async fn what_is_missing_is_said() {
    let world = World::new();
    let id = finished(&world, "echo 'no torch here' >&2; exit 1").await;
    let refusal = async || Trial::start(&world.engine, &id).await.unwrap_err();
    let problem = refusal().await;
    assert_eq!((problem.code.as_str(), problem.causes), ("results.model-failed", vec!["no torch here".to_owned()]));
    std::fs::remove_file(world.path("python")).unwrap();
    assert_eq!(refusal().await.code, "results.no-environment");
    assert_eq!(results::needs(&world.engine, &id).await.unwrap_err().code, "results.no-environment");
    std::fs::remove_dir_all(world.folder(&id).join("output/weights")).unwrap();
    assert_eq!(refusal().await.code, "results.no-weights");
}

async fn tried(world: &World, id: &str, images: &[&str]) -> (Vec<TrialUpdate>, Result<(), Problem>) {
    let mut told = Vec::new();
    let paths = images.iter().map(PathBuf::from).collect();
    let ended = results::try_model(&world.engine, id, paths, |update| {
        told.push(update);
        true
    });
    let ended = ended.await;
    (told, ended)
}

#[tokio::test]
async fn the_window_keeps_the_model_until_it_is_closed() {
    let world = World::new();
    let id = finished(&world, PREDICTS).await;
    let (told, ended) = tried(&world, &id, &["/x/a.jpg", "/x/odd.jpg", "/x/b.jpg"]).await;
    ended.unwrap();
    assert!(
        matches!(
            &told[..],
            [
                TrialUpdate::Begun { images: 3, total: 3 },
                TrialUpdate::Predicted { .. },
                TrialUpdate::Unreadable { .. },
                TrialUpdate::Predicted { .. }
            ]
        ),
        "{told:?}"
    );
    let there = processes_in(&world.folder(&id));
    assert_eq!(there.len(), 1, "it is kept");
    tried(&world, &id, &["/x/c.jpg"]).await.1.unwrap();
    assert_eq!(processes_in(&world.folder(&id)), there, "and is the same");

    // Even in the middle of an image.
    let slow = tried(&world, &id, &["/x/slow.jpg"]);
    let close = async {
        while processes_in(&world.folder(&id)).len() < 2 {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        results::close_trial(&world.engine).await;
    };
    let ((_, ended), ()) = tokio::join!(slow, close);
    assert_eq!(ended.unwrap_err().code, "results.cancelled");
    world.until(&id, "its processes to be gone", |_| processes_in(&world.folder(&id)).is_empty()).await;
}

#[tokio::test]
async fn what_is_pasted_gets_a_file_until_the_trial_is_closed() {
    let world = World::new();
    let path = results::keep_pasted(&world.engine, "aGVsbG8=").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"hello");
    assert_eq!(results::keep_pasted(&world.engine, "not base64!").unwrap_err().code, "results.not-pasted");
    results::close_trial(&world.engine).await;
    assert!(!path.exists());
}

/// A script that exports: the look for packages finds all, the rest is as it should be.
const EXPORTS: &str = r#"
case "$2" in import*) exit ;; esac
read -r asked
weights=$(printf '%s' "$asked" | sed 's/.*"weights":"\([^"]*\)".*/\1/')
echo '{"event":"converting"}'
echo onnx > "$(dirname "$weights")/best.onnx"
echo '{"event":"comparing","done":0,"total":1}'
box='{"class":0,"confidence":0.9,"left":0,"top":0,"right":10,"bottom":10}'
echo '{"event":"pair","weights":['$box'],"exported":['$EXPORTED'],"most":9}'
echo '{"event":"exported","file":"'$PWD/$(dirname "$weights")'/best.onnx"}'
"#;

async fn export(world: &World, id: &str) -> Result<(results::Export, Vec<ExportProgress>), Problem> {
    let steps = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&steps);
    let progress = Arc::new(move |step| told.lock().unwrap().push(step));
    let export = results::export(&world.engine, id, progress, CancellationToken::new()).await?;
    let steps = steps.lock().unwrap().clone();
    Ok((export, steps))
}

#[tokio::test]
async fn an_export_lands_whole_with_how_well_it_agrees() {
    let world = World::new();
    let id = finished(&world, &EXPORTS.replace("$EXPORTED", "$box")).await;
    let (export_, steps) = export(&world, &id).await.unwrap();
    let comparing = ExportProgress::Comparing { done: 0, total: 1 };
    assert_eq!(steps, [ExportProgress::Loading, ExportProgress::Converting, comparing]);
    assert_eq!(export_.path, world.folder(&id).join("export/best.onnx"));
    assert!(export_.agreement.as_ref().is_some_and(|agreement| agreement.agrees && agreement.boxes == 1));
    assert_eq!(results::of(&world.engine, &id).unwrap().export, Some(export_.clone()));
    let mut left: Vec<_> =
        std::fs::read_dir(world.folder(&id).join("export")).unwrap().flatten().map(|entry| entry.file_name()).collect();
    left.sort();
    assert_eq!(left, ["best.json", "best.onnx"]);

    let copy = results::save(&world.engine, &id, &world.path("")).unwrap();
    assert_eq!(copy, world.path(&format!("{id}.onnx")));
    assert_eq!(std::fs::read(copy).unwrap(), b"onnx\n");
    assert_eq!(results::save(&world.engine, &id, Path::new("/nowhere/x.onnx")).unwrap_err().code, "file.unwritable");

    becomes(&world, &EXPORTS.replace("$EXPORTED", ""));
    let (differs, _) = export(&world, &id).await.unwrap();
    assert!(differs.agreement.is_some_and(|agreement| !agreement.agrees && agreement.unmatched == 1));
}

#[tokio::test]
async fn an_export_that_is_cancelled_or_fails_leaves_nothing() {
    let world = World::new();
    let id = finished(&world, &EXPORTS.replace("echo onnx", "sleep 600; echo onnx")).await;
    let cancel = CancellationToken::new();
    let (there, folder) = (cancel.clone(), world.folder(&id));
    let progress = Arc::new(move |step| {
        if step == ExportProgress::Converting {
            there.cancel();
        }
    });
    let problem = results::export(&world.engine, &id, progress, cancel).await.unwrap_err();
    assert_eq!(problem.code, "results.cancelled");
    world.until(&id, "its processes to be gone", |_| processes_in(&folder).is_empty()).await;
    becomes(
        &world,
        "case \"$2\" in import*) exit ;; esac; echo '{\"event\":\"failed\",\"text\":\"RuntimeError: no\"}'; cat",
    );
    let problem = export(&world, &id).await.unwrap_err();
    assert_eq!((problem.code.as_str(), problem.causes), ("results.model-failed", vec!["RuntimeError: no".to_owned()]));
    assert_eq!(std::fs::read_dir(folder.join("export")).unwrap().count(), 0);
    assert_eq!(results::save(&world.engine, &id, &world.path("")).unwrap_err().code, "results.no-export");

    becomes(&world, "echo onnx onnxruntime");
    let needs = results::needs(&world.engine, &id).await.unwrap();
    assert_eq!((needs.packages.join(" ").as_str(), needs.managed), ("onnx onnxruntime", false));
    assert_eq!(export(&world, &id).await.unwrap_err().code, "results.packages-missing-elsewhere");
}
