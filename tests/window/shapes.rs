//! Datasets of other tasks, looked at: outlines, turned boxes and key points are drawn where the labels say. And a folder
//! that goes away while a person looks.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::{App, World};

const LONG: Duration = Duration::from_secs(120);

/// The sample with every box written as another task's labels. Answers its yaml.
fn relabelled(folder: &Path, more: &str, row: impl Fn(&str, [f64; 4]) -> String) -> PathBuf {
    let yaml = preflight_engine::sample::write(folder).unwrap();
    for split in ["train", "val"] {
        for entry in std::fs::read_dir(folder.join("labels").join(split)).unwrap() {
            let path = entry.unwrap().path();
            let rows = std::fs::read_to_string(&path).unwrap();
            let rows = rows.lines().map(|line| {
                let fields: Vec<&str> = line.split_whitespace().collect();
                let box_ = [1, 2, 3, 4].map(|at: usize| fields[at].parse().unwrap());
                row(fields[0], box_) + "\n"
            });
            let rows: String = rows.collect();
            std::fs::write(&path, rows).unwrap();
        }
    }
    let text = std::fs::read_to_string(&yaml).unwrap();
    std::fs::write(&yaml, format!("{text}\n{more}")).unwrap();
    yaml
}

/// A diamond in the box.
fn diamond(class: &str, [x, y, w, h]: [f64; 4]) -> String {
    let (left, right, top, bottom) = (x - w / 2.0, x + w / 2.0, y - h / 2.0, y + h / 2.0);
    format!("{class} {left} {y} {x} {top} {right} {y} {x} {bottom}")
}

/// A house: a diamond's upper half on a box's lower one.
fn house(class: &str, [x, y, w, h]: [f64; 4]) -> String {
    let (left, right, top, bottom) = (x - w / 2.0, x + w / 2.0, y - h / 2.0, y + h / 2.0);
    format!("{class} {left} {y} {x} {top} {right} {y} {right} {bottom} {left} {bottom}")
}

/// Two key points on the box's middle line, of which the second is hidden.
fn points(class: &str, [x, y, w, h]: [f64; 4]) -> String {
    format!("{class} {x} {y} {w} {h} {} {y} 2 {} {y} 1", x - w / 4.0, x + w / 4.0)
}

impl App {
    /// Reads a dataset and opens its first image that has labels. Answers how many labels that has.
    async fn open_labelled(&self, yaml: &Path) -> u64 {
        self.fill("dataset-path", yaml.to_str().unwrap()).await;
        self.press("dataset-read").await;
        self.find_within("dataset-summary", LONG).await;
        self.press("panel-images").await;
        let labelled = "[role=gridcell]:has(svg path)";
        self.press_css(labelled, LONG).await;
        self.find("viewer-rows").await;
        let loaded = "document.querySelector('[role=dialog] img')?.naturalWidth > 0";
        self.until("the image is drawn", loaded, LONG).await;
        self.evaluate("document.querySelectorAll('[data-testid=viewer-rows] button').length").await.as_u64().unwrap()
    }

    async fn count(&self, selector: &str) -> u64 {
        let script = format!("document.querySelectorAll('[role=dialog] svg {selector}').length");
        self.evaluate(&script).await.as_u64().unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn outlines_turned_boxes_and_key_points_are_drawn_where_the_labels_say() {
    let folder = tempfile::tempdir().unwrap();
    let segments = relabelled(&folder.path().join("segments"), "", house);
    let turned = relabelled(&folder.path().join("turned"), "", diamond);
    let key_points = relabelled(&folder.path().join("points"), "kpt_shape: [2, 3]\nflip_idx: [1, 0]\n", points);

    for (name, yaml, corners) in
        [("segments", segments, Some(5)), ("turned", turned, Some(4)), ("points", key_points, None)]
    {
        let app = World::default().open().await;
        let rows = app.open_labelled(&yaml).await;
        assert!(rows > 0, "{name}");
        if let Some(corners) = corners {
            assert_eq!((app.count("polygon.line").await, app.count("rect.line").await), (rows, 0), "{name}");
            let points = app.evaluate("document.querySelector('[role=dialog] polygon.line').points.length").await;
            assert_eq!(points.as_u64(), Some(corners), "{name}");
        } else {
            assert_eq!((app.count("rect.line").await, app.count("circle.point").await), (rows, 2 * rows), "{name}");
            assert_eq!(app.count("circle.point.hidden").await, rows, "{name}");
        }
        app.shot(&format!("shapes-{name}")).await;
        app.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_went_away_is_said_to_be_gone_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let drive = folder.path().join("drive");
    let yaml = preflight_engine::sample::write(&drive.join("plates")).unwrap();
    let app = World::default().open().await;
    app.fill("dataset-path", yaml.to_str().unwrap()).await;
    app.press("dataset-read").await;
    app.find_within("dataset-summary", LONG).await;

    std::fs::rename(&drive, folder.path().join("unplugged")).unwrap();
    app.press("dataset-again").await;
    let said = format!("document.querySelector('main').innerText.includes({:?})", yaml.to_str().unwrap());
    let gone = "document.querySelector('main [data-testid^=\"problem-dataset\"]') !== null";
    app.until("the window says what is gone", &format!("{said} && {gone}"), LONG).await;
    app.look("dataset-gone").await;
    app.assert_accessible().await;

    std::fs::rename(folder.path().join("unplugged"), &drive).unwrap();
    app.press("dataset-again").await;
    app.find_within("dataset-summary", LONG).await;
    app.until("nothing is said to be gone", &format!("!({gone})"), LONG).await;
    app.close().await;
}
