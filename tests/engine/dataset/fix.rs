//! Mending on a copy.

use image::ImageFormat;
use preflight_core::dataset::SplitKind;
use preflight_core::finding::Severity;
use preflight_engine::dataset::fix::{Planned, Tiling, Wanted, plan};
use tokio_util::sync::CancellationToken;

use super::folder::{Folder, ROW};
use super::health::{bytes, picture, varied};
use super::{codes, scan, split};

#[track_caller]
fn planned(folder: &Folder, wanted: Wanted, alike: &[Vec<std::path::PathBuf>]) -> Planned {
    plan(&scan(&folder.at("set")), wanted, alike, &|_, _| {}, &CancellationToken::new()).unwrap()
}

#[track_caller]
fn written(plan: &Planned, folder: &Folder, name: &str) -> preflight_core::dataset::Dataset {
    let made = plan.write(&folder.at(name), &|_, _| {}, &CancellationToken::new()).unwrap();
    scan(&made.yaml)
}

/// The images and labels of a folder, moved into `set`.
fn in_set(folder: Folder) -> Folder {
    for name in ["images", "labels", "data.yaml"] {
        folder.rename(name, &format!("set/{name}"));
    }
    folder
}

fn only_set(folder: &Folder) -> Vec<(std::path::PathBuf, Vec<u8>, std::time::SystemTime)> {
    folder.state().into_iter().filter(|(path, ..)| path.starts_with(folder.at("set"))).collect()
}

#[test]
fn what_is_meant_is_written_and_the_dataset_stays_as_it_is() {
    let folder = in_set(varied());
    folder.put("set/labels/train/01.txt", "0 0,5 0,5 0,25 0,25\n");
    folder.put("set/labels/train/02.txt", format!("{ROW}{ROW}1 1.0 0.5 0.5 0.5\n"));
    folder.put("set/labels/train/03.txt", "1 160 120 80 60\n");
    let utf16: Vec<u8> = format!("\u{feff}{ROW}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.put("set/labels/train/04.txt", utf16);
    folder.put("set/images/train/broken.jpg", "");
    let before = only_set(&folder);
    let blockers = codes(&scan(&folder.at("set")), Severity::Blocker).len();
    assert!(blockers >= 2, "{blockers}");

    let plan = planned(&folder, Wanted::default(), &[]);
    assert_eq!((plan.files.len(), plan.left_out.len(), plan.to_val, plan.tiled), (4, 1, 0, (0, 0)));
    let whys: Vec<_> = plan.files.iter().flat_map(|file| &file.changes).map(|change| change.why.name()).collect();
    assert_eq!(whys, ["commas", "duplicate", "clipped", "pixels", "recoded"]);
    assert!(!folder.at("new").exists(), "planning writes nothing");
    let dataset = written(&plan, &folder, "new");
    assert_eq!(codes(&dataset, Severity::Warning), Vec::<&str>::new());
    assert_eq!(split(&dataset, SplitKind::Train).labelled, 20);
    assert_eq!(std::fs::read_to_string(folder.at("new/labels/train/03.txt")).unwrap(), "1 0.5 0.5 0.25 0.25\n");
    assert_eq!(only_set(&folder), before);
    assert!(planned_again(&folder).is_empty(), "nothing is left to mend");

    let problem = plan.write(&folder.at("new"), &|_, _| {}, &CancellationToken::new()).unwrap_err();
    assert_eq!(problem.code, "dataset.folder-not-empty");
    let problem = plan.write(&folder.at("set/inside"), &|_, _| {}, &CancellationToken::new()).unwrap_err();
    assert_eq!(problem.code, "dataset.inside-source");
    assert_eq!(only_set(&folder), before);
}

fn planned_again(folder: &Folder) -> Planned {
    plan(&scan(&folder.at("new")), Wanted::default(), &[], &|_, _| {}, &CancellationToken::new()).unwrap()
}

#[test]
fn a_split_is_made_where_there_is_none_and_look_alikes_stay_together() {
    let folder = in_set(varied());
    folder.put("set/data.yaml", "train: [images/train, images/val]\nnames: [scratch, dent]\n");
    let alike: Vec<_> = ["01", "02", "03", "04"].map(|name| folder.at(&format!("set/images/train/{name}.jpg"))).into();
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..6 {
        let wanted = Wanted { seed, ..Wanted::default() };
        let plan = planned(&folder, wanted, std::slice::from_ref(&alike));
        assert!((4..=7).contains(&plan.to_val), "{}", plan.to_val);
        let name = format!("new{seed}");
        let dataset = written(&plan, &folder, &name);
        assert_eq!(split(&dataset, SplitKind::Train).images + split(&dataset, SplitKind::Val).images, 25);
        let class_images = &split(&dataset, SplitKind::Val).class_instances;
        assert!(class_images.iter().all(|count| (1..=5).contains(count)), "{class_images:?}");
        let together =
            ["01", "02", "03", "04"].map(|stem| folder.at(&format!("{name}/images/val/{stem}.jpg")).exists());
        assert!(together.iter().all(|there| *there == together[0]), "{together:?}");
        let val: Vec<_> = std::fs::read_dir(folder.at(&format!("{name}/images/val")))
            .unwrap()
            .flatten()
            .map(|e| e.file_name())
            .collect();
        let mut val = val;
        val.sort();
        seen.insert(val);
        assert_eq!(planned(&folder, wanted, std::slice::from_ref(&alike)).to_val, plan.to_val, "the same seed");
    }
    assert!(seen.len() > 2, "other seeds choose others");
}

#[test]
fn large_images_become_tiles_with_their_boxes() {
    let folder = Folder::empty();
    folder.put("set/data.yaml", "train: images/train\nval: images/val\nnames: [dot]\n");
    for (name, format) in [("train/big.png", ImageFormat::Png), ("val/big.jpg", ImageFormat::Jpeg)] {
        folder.put(&format!("set/images/{name}"), bytes(&picture(7, 1000, 600), format));
    }
    // One dot near the left edge, one on the border between tiles.
    folder.put("set/labels/train/big.txt", "0 0.05 0.1 0.02 0.02\n0 0.38 0.5 0.04 0.1\n");
    folder.put("set/labels/val/big.txt", "0 0.05 0.1 0.02 0.02\n");
    folder.put("set/images/train/small.png", bytes(&picture(8, 300, 200), ImageFormat::Png));
    folder.put("set/labels/train/small.txt", ROW);
    let before = only_set(&folder);
    let wanted = Wanted { tiling: Some(Tiling { side: 400, overlap: 0.2 }), ..Wanted::default() };
    let plan = planned(&folder, wanted, &[]);
    assert_eq!((plan.tiled.0, plan.kept), (2, 1));
    let dataset = written(&plan, &folder, "new");
    assert_eq!(codes(&dataset, Severity::Warning), Vec::<&str>::new());
    let first = std::fs::read_to_string(folder.at("new/labels/train/big_0_0.txt")).unwrap();
    // 50 of 1000 pixels are 50 of 400; 60 of 600 are 60 of 400.
    assert!(first.starts_with("0 0.125000 0.150000 0.050000 0.030000\n"), "{first}");
    let tile = image::open(folder.at("new/images/train/big_0_0.png")).unwrap();
    assert_eq!((tile.width(), tile.height()), (400, 400));
    let whole = image::open(folder.at("set/images/train/big.png")).unwrap();
    assert_eq!(tile.to_rgb8(), whole.crop_imm(0, 0, 400, 400).to_rgb8());
    assert!(folder.at("new/images/val/big_0_0.jpg").is_file() && folder.at("new/images/train/small.png").is_file());
    assert_eq!(only_set(&folder), before);

    folder.put("set/labels/train/big.txt", "0 0.5 0.5 0.1\n");
    assert_eq!(planned(&folder, wanted, &[]).tiled.0, 1, "what nobody can mend stays in one piece");
    folder.put("set/labels/train/big.txt", "0 0.1 0.1 0.2 0.1 0.2 0.2\n");
    let refused = preflight_engine::dataset::fix::plan(
        &scan(&folder.at("set")),
        wanted,
        &[],
        &|_, _| {},
        &CancellationToken::new(),
    );
    assert_eq!(refused.unwrap_err().code, "dataset.tiles-need-boxes");
}
