//! Datasets of other tools.

use std::collections::BTreeMap;
use std::path::Path;

use preflight_core::dataset::{SplitKind, Task};
use preflight_core::finding::Severity;
use preflight_engine::dataset::convert::{Converted, Form, convert, recognise};
use tokio_util::sync::CancellationToken;

use super::folder::{Folder, encoded, turned};
use super::{codes, scan, shared_data, split};

#[track_caller]
fn converted(from: &Path, to: &Path, task: Task) -> Converted {
    convert(from, to, task, &|_, _| {}, &CancellationToken::new()).unwrap()
}

#[track_caller]
fn refused(from: &Path, to: &Path) -> String {
    convert(from, to, Task::Detect, &|_, _| {}, &CancellationToken::new()).unwrap_err().code
}

/// The findings with their counts.
fn said(made: &Converted) -> BTreeMap<&str, String> {
    let told = |finding: &'_ preflight_core::finding::Finding| match &finding.args["count"] {
        preflight_core::text::Value::Number(count) => count.to_string(),
        preflight_core::text::Value::Text(text) => text.clone(),
    };
    made.findings.iter().map(|finding| (finding.code.as_str(), told(finding))).collect()
}

fn rows(folder: &Folder, name: &str) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(folder.at(name)).unwrap();
    text.lines().map(|line| line.split(' ').map(|value| value.parse().unwrap()).collect()).collect()
}

fn voc(file: &str, size: (u32, u32), objects: &[(&str, [f64; 4])]) -> String {
    let object = |(name, [l, t, r, b]): &(&str, [f64; 4])| {
        format!(
            "<object><name>{name}</name><bndbox><xmin>{l}</xmin><ymin>{t}</ymin><xmax>{r}</xmax><ymax>{b}</ymax></bndbox></object>\n"
        )
    };
    let objects: String = objects.iter().map(object).collect();
    format!(
        "<?xml version=\"1.0\"?>\n<annotation><folder>x</folder><filename>{file}</filename><path>C:\\x\\{file}</path>\n\
         <size><width>{}</width><height>{}</height><depth>3</depth></size>\n{objects}</annotation>",
        size.0, size.1
    )
}

/// Boxes of an annotation file as `name left top right bottom`, read another way than ours.
fn boxes_of(xml: &str) -> Vec<(String, [f64; 4])> {
    let inner = |text: &str, tag: &str| {
        let (_, rest) = text.split_once(&format!("<{tag}>")).unwrap();
        rest.split_once(&format!("</{tag}>")).unwrap().0.trim().to_owned()
    };
    xml.split("<object>")
        .skip(1)
        .map(|object| {
            (inner(object, "name"), ["xmin", "ymin", "xmax", "ymax"].map(|side| inner(object, side).parse().unwrap()))
        })
        .collect()
}

#[test]
fn real_blood_cells_keep_their_boxes_within_half_a_pixel_and_their_splits() {
    let Some(source) = shared_data("bccd-voc") else { return };
    let folder = Folder::empty();
    let made = converted(&source, &folder.at("new"), Task::Detect);
    assert_eq!((made.form, made.images, made.unlisted), (Form::PascalVoc, 364, 0));
    let dataset = scan(&made.yaml);
    assert_eq!(dataset.names, ["Platelets", "RBC", "WBC"]);
    let counts = [SplitKind::Train, SplitKind::Val, SplitKind::Test].map(|kind| split(&dataset, kind).images);
    assert_eq!(counts, [205, 87, 72]);
    assert_eq!(codes(&dataset, Severity::Blocker), Vec::<&str>::new());
    let mut compared = 0;
    for kind in ["train", "val", "test"] {
        let list = std::fs::read_to_string(source.join(format!("ImageSets/Main/{kind}.txt"))).unwrap();
        for stem in list.split_whitespace() {
            let xml = std::fs::read_to_string(source.join(format!("Annotations/{stem}.xml"))).unwrap();
            let ours = rows(&folder, &format!("new/labels/{kind}/{stem}.txt"));
            // Some boxes of this dataset have no area; they are left out.
            let theirs = boxes_of(&xml).into_iter().filter(|(_, [l, t, r, b])| r > l && b > t);
            for (ours, (name, sides)) in ours.iter().zip(theirs) {
                assert_eq!(dataset.names[ours[0] as usize], name);
                let [x, y, w, h] = [ours[1] * 640.0, ours[2] * 480.0, ours[3] * 640.0, ours[4] * 480.0];
                let found = [x - w / 2.0, y - h / 2.0, x + w / 2.0, y + h / 2.0];
                for (found, source) in found.into_iter().zip(sides) {
                    assert!((found - source).abs() <= 0.5, "{stem}: {found} is not {source}");
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 4_000, "{compared}");
    assert_eq!(made.objects, compared);
}

#[test]
fn pascal_voc_with_everything_that_can_be_odd() {
    let folder = Folder::empty();
    for name in ["a", "b", "c", "d", "lone"] {
        folder.image(&format!("voc/JPEGImages/{name}.jpg"));
    }
    folder.put("voc/JPEGImages/turned.jpg", turned(6, 64, 48));
    folder.put("voc/JPEGImages/broken.jpg", "");
    let put = |name: &str, text: String| folder.put(&format!("voc/Annotations/{name}.xml"), text);
    put("a", voc("a.jpg", (64, 48), &[("tom & jerry".replace('&', "&amp;").as_str(), [0.0, 0.0, 32.0, 24.0])]));
    put(
        "b",
        voc("somewhere else.png", (128, 96), &[("cat", [64.0, 48.0, 128.0, 96.0]), ("cat", [10.0, 10.0, 10.0, 30.0])]),
    );
    put("c", voc("c.jpg", (100, 10), &[("cat", [1.0, 1.0, 2.0, 2.0])]));
    put("d", voc("d.jpg", (0, 0), &[("cat", [-10.0, 0.0, 80.0, 24.0])]));
    put("gone", voc("gone.jpg", (64, 48), &[]));
    put("broken", voc("broken.jpg", (64, 48), &[]));
    put("turned", voc("turned.jpg", (64, 48), &[("cat", [0.0, 0.0, 16.0, 12.0])]));
    put("cut", voc("a.jpg", (64, 48), &[])[..100].to_owned());
    put(
        "bomb",
        "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><annotation><filename>&b;</filename></annotation>"
            .into(),
    );
    folder.put("voc/ImageSets/Main/train.txt", "a\nb\nturned\n");
    folder.put("voc/ImageSets/Main/val.txt", "c\n");
    let before = folder.state();
    assert_eq!(recognise(&folder.at("voc")), Some(Form::PascalVoc));

    let made = converted(&folder.at("voc"), &folder.at("new"), Task::Detect);
    let kept: Vec<_> = folder.state().into_iter().filter(|(path, ..)| path.starts_with(folder.at("voc"))).collect();
    assert_eq!(kept, before.into_iter().filter(|(path, ..)| path.starts_with(folder.at("voc"))).collect::<Vec<_>>());
    let expected = [
        ("data.convert-box-clipped", "1"),
        ("data.convert-box-empty", "1"),
        ("data.convert-image-missing", "1"),
        ("data.convert-image-refused", "1"),
        ("data.convert-size-differs", "1"),
        ("data.convert-size-mismatch", "1"),
        ("data.convert-unannotated", "1"),
        ("data.convert-unlisted", "1"),
        ("data.convert-unreadable", "2"),
    ];
    assert_eq!(said(&made), expected.into_iter().map(|(code, count)| (code, count.to_owned())).collect());
    assert_eq!((made.images, made.objects, made.unlisted), (3, 3, 2));
    assert_eq!(rows(&folder, "new/labels/train/a.txt"), [[1.0, 0.25, 0.25, 0.5, 0.5]]);
    assert_eq!(rows(&folder, "new/labels/train/b.txt"), [[0.0, 0.75, 0.75, 0.5, 0.5]], "scaled with its image");
    // The tool saw the image lying on its side: its top left corner is at the top right.
    assert_eq!(rows(&folder, "new/labels/train/turned.txt"), [[0.0, 0.875, 0.125, 0.25, 0.25]]);
    assert_eq!(rows(&folder, "new/unlisted/labels/d.txt"), [[0.0, 0.5, 0.25, 1.0, 0.5]]);
    assert!(folder.at("new/unlisted/images/lone.jpg").is_file());
    assert_eq!(scan(&made.yaml).names, ["cat", "tom & jerry"]);
}

#[test]
fn coco_files_of_several_splits_with_masks_and_crowds() {
    let folder = Folder::empty();
    for name in ["train2017/1.jpg", "train2017/2.jpg", "val2017/1.jpg", "val2017/extra.jpg"] {
        folder.image(&format!("coco/{name}"));
    }
    let file = |annotations: &str| {
        format!(
            r#"{{"info": {{"x": [1, {{"y": null}}]}}, "licenses": [], "categories": [{{"id": 7, "name": "dog", "supercategory": "a"}}, {{"id": 3, "name": "cat"}}],
            "images": [{{"id": 1, "file_name": "1.jpg", "width": 64, "height": 48}}, {{"id": 2, "file_name": "2.jpg", "width": 64, "height": 48}}],
            "annotations": [{annotations}]}}"#
        )
    };
    folder.put(
        "coco/annotations/instances_train2017.json",
        file(
            r#"{"id": 1, "image_id": 1, "category_id": 7, "bbox": [16, 12, 32, 24], "iscrowd": 0, "segmentation": [[16, 12, 48, 12, 48, 36]]},
            {"id": 2, "image_id": 1, "category_id": 3, "bbox": [0, 0, 64, 48], "iscrowd": 1, "segmentation": {"counts": "x", "size": [48, 64]}},
            {"id": 3, "image_id": 1, "category_id": 99, "bbox": [0, 0, 9, 9]},
            {"id": 4, "image_id": 99, "category_id": 3, "bbox": [0, 0, 9, 9]},
            {"id": 5, "image_id": 1, "category_id": 3}"#,
        ),
    );
    folder.put(
        "coco/annotations/instances_val2017.json",
        file(r#"{"id": 1, "image_id": 1, "category_id": 3, "bbox": [0, 0, 8, 48]}"#),
    );
    folder.put("coco/annotations/broken.json", "{\"images\": [\n{\"id\": 1, \"file_name\": \"x\",\n");
    let made = converted(&folder.at("coco"), &folder.at("new"), Task::Detect);
    assert_eq!(made.form, Form::Coco);
    let expected = [
        ("data.convert-class-unknown", "1"),
        ("data.convert-image-missing", "1"),
        ("data.convert-image-unknown", "1"),
        ("data.convert-object-unusable", "1"),
        ("data.convert-shape-unsupported", "1"),
        ("data.convert-unannotated", "1"),
        ("data.convert-unreadable", "1"),
    ];
    // `2.jpg` of the validation file can only be found in the other split, where it was used already.
    let mut found = said(&made);
    found.remove("data.convert-image-twice");
    let mut expected: BTreeMap<_, _> = expected.into_iter().map(|(code, count)| (code, count.to_owned())).collect();
    expected.remove("data.convert-image-missing");
    assert_eq!(found, expected);
    let dataset = scan(&made.yaml);
    assert_eq!(dataset.names, ["cat", "dog"], "in the order of their ids");
    assert_eq!((split(&dataset, SplitKind::Train).images, split(&dataset, SplitKind::Val).images), (2, 1));
    assert_eq!(rows(&folder, "new/labels/train/1.txt"), [[1.0, 0.5, 0.5, 0.5, 0.5]]);
    assert_eq!(rows(&folder, "new/labels/train/2.txt"), Vec::<Vec<f64>>::new(), "a background");

    converted(&folder.at("coco"), &folder.at("outlines"), Task::Segment);
    assert_eq!(rows(&folder, "outlines/labels/train/1.txt"), [[1.0, 0.25, 0.25, 0.75, 0.25, 0.75, 0.75]]);
    assert_eq!(rows(&folder, "outlines/labels/val/1.txt")[0].len(), 9, "a box as an outline");
}

#[test]
fn labelme_files_beside_their_images() {
    let folder = Folder::empty();
    for (split, name) in [("train", "a"), ("val", "b")] {
        folder.image(&format!("set/{split}/{name}.jpg"));
        folder.put(
            &format!("set/{split}/{name}.json"),
            format!(
                r#"{{"version": "5.0", "flags": {{}}, "imagePath": "..\\raw\\{name}.jpg", "imageData": null, "imageWidth": 64, "imageHeight": 48,
                "shapes": [{{"label": "dent", "points": [[48, 36], [16, 12]], "shape_type": "rectangle", "group_id": null}},
                {{"label": "scratch", "points": [[0, 0], [32, 0], [32, 24]], "shape_type": "polygon"}},
                {{"label": "hole", "points": [[32, 24], [32, 30]], "shape_type": "circle"}},
                {{"label": "hole", "points": [[3, 3]], "shape_type": "point"}}]}}"#
            ),
        );
    }
    folder.put("set/settings.json", "{\"theme\": 1}");
    let made = converted(&folder.at("set"), &folder.at("new"), Task::Detect);
    assert_eq!((made.form, made.images, made.objects), (Form::LabelMe, 2, 6));
    assert_eq!(said(&made), BTreeMap::from([("data.convert-shape-unsupported", "2".to_owned())]));
    let expected = [vec![0.0, 0.5, 0.5, 0.5, 0.5], vec![2.0, 0.25, 0.25, 0.5, 0.5], vec![1.0, 0.5, 0.5, 0.1875, 0.25]];
    assert_eq!(rows(&folder, "new/labels/val/b.txt"), expected);
}

#[test]
fn cvat_with_subsets_rotated_boxes_and_tracks() {
    let folder = Folder::empty();
    for name in ["a", "b", "c"] {
        folder.image(&format!("set/images/{name}.jpg"));
    }
    folder.put(
        "set/annotations.xml",
        r#"<?xml version="1.0" encoding="utf-8"?>
<annotations><version>1.1</version><meta><task><labels><label><name>dent</name></label><label><name>hole</name></label></labels></task></meta>
<image id="0" name="a.jpg" subset="Train" width="64" height="48">
  <box label="hole" xtl="0.00" ytl="12.00" xbr="32.00" ybr="36.00" occluded="0"><attribute name="x">1</attribute></box>
  <polygon label="dent" points="0.0,0.0;64,0;64,48.00"/>
  <box label="dent" xtl="16" ytl="12" xbr="48" ybr="36" rotation="90"/>
  <polyline label="dent" points="0,0;1,1"/><points label="dent" points="1,1"/>
</image>
<image id="1" name="b.jpg" subset="Validation" width="64" height="48"/>
<image id="2" name="c.jpg" width="64" height="48"/>
</annotations>"#,
    );
    let made = converted(&folder.at("set"), &folder.at("new"), Task::Detect);
    assert_eq!((made.form, made.images, made.unlisted), (Form::Cvat, 2, 1));
    assert_eq!(scan(&made.yaml).names, ["dent", "hole"]);
    assert_eq!(
        rows(&folder, "new/labels/train/a.txt"),
        [[1.0, 0.25, 0.5, 0.5, 0.5], [0.0, 0.5, 0.5, 1.0, 1.0], [0.0, 0.5, 0.5, 0.375, 0.666_666_667]]
    );
    assert_eq!(said(&made)["data.convert-shape-unsupported"], "2");
    // The file alone is enough.
    assert_eq!(converted(&folder.at("set/annotations.xml"), &folder.at("other"), Task::Detect).images, 2);
    let rotated = converted(&folder.at("set"), &folder.at("rotated"), Task::Obb);
    assert_eq!(rotated.objects, 3);
    assert!(rows(&folder, "rotated/labels/train/a.txt").iter().all(|row| row.len() == 9));
}

#[test]
fn where_nothing_may_be_written_nothing_is() {
    let folder = Folder::empty();
    folder.image("voc/a.jpg");
    folder.put("voc/a.xml", voc("a.jpg", (64, 48), &[("cat", [0.0, 0.0, 9.0, 9.0])]));
    folder.put("full/mine.txt", "mine");
    let before = folder.state();
    assert_eq!(refused(&folder.at("voc"), &folder.at("full")), "dataset.folder-not-empty");
    assert_eq!(refused(&folder.at("voc"), &folder.at("voc/new/deep")), "dataset.inside-source");
    assert_eq!(refused(&folder.at("full"), &folder.at("new")), "dataset.nothing-to-convert");
    assert_eq!(folder.state(), before);
    assert_eq!(codes(&scan(&folder.at("voc")), Severity::Blocker)[0], "data.foreign-form");
}

#[test]
fn images_of_one_name_are_told_apart_by_their_folders() {
    let folder = Folder::empty();
    for (split, width) in [("train", 64), ("valid", 32)] {
        folder.put(&format!("set/{split}/1.png"), encoded(image::ImageFormat::Png, width, 48));
        folder.put(
            &format!("set/{split}/_annotations.coco.json"),
            format!(
                r#"{{"images": [{{"id": 0, "file_name": "1.png", "width": {width}, "height": 48}}],
                "categories": [{{"id": 1, "name": "cat"}}], "annotations": [{{"image_id": 0, "category_id": 1, "bbox": [0, 0, 16, 24]}}]}}"#
            ),
        );
    }
    let made = converted(&folder.at("set"), &folder.at("new"), Task::Detect);
    assert_eq!(made.findings, []);
    assert_eq!(rows(&folder, "new/labels/train/1.txt"), [[0.0, 0.125, 0.25, 0.25, 0.5]]);
    assert_eq!(rows(&folder, "new/labels/val/1.txt"), [[0.0, 0.25, 0.25, 0.5, 0.5]]);
}

/// Label Studio's "JSON": tasks with their annotations.
const TASKS: &str = r#"[
 {"id": 1, "data": {"image": "/data/upload/3/0a1b2c3d-a.jpg"}, "file_upload": "0a1b2c3d-a.jpg", "predictions": [],
  "annotations": [
   {"id": 11, "was_cancelled": true, "ground_truth": false, "result": []},
   {"id": 12, "was_cancelled": false, "ground_truth": false, "updated_at": "2024-01-02T00:00:00Z", "result": [
    {"id": "r1", "type": "rectanglelabels", "from_name": "label", "to_name": "image", "original_width": 64,
     "original_height": 48, "image_rotation": 0,
     "value": {"x": 25, "y": 50, "width": 50, "height": 25, "rotation": 0, "rectanglelabels": ["dent"]}},
    {"id": "r2", "type": "rectanglelabels", "original_width": 64, "original_height": 48,
     "value": {"x": 50, "y": 0, "width": 25, "height": 50, "rotation": 90, "rectanglelabels": ["scratch", "dent"]}},
    {"id": "r3", "type": "ellipselabels", "original_width": 64, "original_height": 48,
     "value": {"x": 50, "y": 50, "radiusX": 12.5, "radiusY": 25, "rotation": 0, "ellipselabels": ["hole"]}},
    {"id": "r4", "type": "polygonlabels", "original_width": 64, "original_height": 48,
     "value": {"points": [[0, 0], [50, 0], [50, 50]], "closed": true, "polygonlabels": ["hole"]}},
    {"id": "r5", "type": "brushlabels", "original_width": 64, "original_height": 48,
     "value": {"format": "rle", "rle": [0, 1, 2], "brushlabels": ["hole"]}},
    {"id": "r6", "type": "choices", "value": {"choices": ["blurred"]}},
    {"from_id": "r1", "to_id": "r2", "type": "relation", "direction": "right"}]},
   {"id": 13, "ground_truth": false, "updated_at": "2023-01-02T00:00:00Z", "result": []}]},
 {"id": 2, "data": {"url": "/data/local-files/?d=plates%2Fb%20c.jpg", "note": "text"}, "annotations": [
   {"id": 21, "result": [{"type": "rectanglelabels",
     "value": {"x": 0, "y": 0, "width": 50, "height": 50, "rectanglelabels": ["dent"]}}]}]},
 {"id": 3, "data": {"image": "https://example.com/empty.jpg"}, "annotations": [{"id": 31, "result": []}]},
 {"id": 4, "data": {"image": "skipped.jpg"}, "annotations": [{"id": 41, "was_cancelled": true, "result": []}]},
 {"id": 5, "data": {"image": "gone.jpg"}, "annotations": [{"id": 51, "result": []}]},
 {"id": 6, "data": {"text": "no image"}, "annotations": []},
 7
]"#;

#[test]
fn label_studio_tasks() {
    let folder = Folder::empty();
    folder.put("export/project-3.json", TASKS);
    // Some people have the files they uploaded, some those that the server kept.
    for name in ["a", "b c", "empty", "skipped"] {
        folder.image(&format!("export/images/{name}.jpg"));
    }
    assert_eq!(recognise(&folder.at("export")), Some(Form::LabelStudio));
    let made = converted(&folder.at("export/project-3.json"), &folder.at("new"), Task::Detect);
    assert_eq!((made.images, made.objects, made.unlisted), (3, 5, 1));
    let expected = [
        ("data.convert-annotated-twice", "1"),
        ("data.convert-image-missing", "1"),
        ("data.convert-labels-several", "1"),
        ("data.convert-object-unusable", "2"),
        ("data.convert-shape-unsupported", "1"),
        ("data.convert-unannotated", "1"),
    ];
    assert_eq!(said(&made), expected.into_iter().map(|(code, count)| (code, count.to_owned())).collect());
    let dataset = scan(&made.yaml);
    assert_eq!(dataset.names, ["dent", "hole", "scratch"]);
    let half = [0.0, 0.25, 0.25, 0.5, 0.5];
    assert_eq!(rows(&folder, "new/labels/train/b c.txt"), [half], "shares of an image without a size");
    assert_eq!(rows(&folder, "new/labels/train/empty.txt"), Vec::<Vec<f64>>::new());
    let found = rows(&folder, "new/labels/train/a.txt");
    let pixels = |row: &[f64]| [row[0], row[1] * 64.0, row[2] * 48.0, row[3] * 64.0, row[4] * 48.0];
    let near = |row: &[f64], expected: [f64; 5]| {
        assert!(pixels(row).iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{:?} {expected:?}", pixels(row));
    };
    near(&found[0], [0.0, 32.0, 30.0, 32.0, 12.0]);
    // 16 by 24 pixels, turned by a quarter around (32, 0): it lies to the left of that point.
    near(&found[1], [2.0, 20.0, 8.0, 24.0, 16.0]);
    near(&found[2], [1.0, 32.0, 24.0, 16.0, 24.0]);
    near(&found[3], [1.0, 16.0, 12.0, 32.0, 24.0]);

    converted(&folder.at("export"), &folder.at("turned"), Task::Obb);
    let turned = &rows(&folder, "turned/labels/train/a.txt")[1];
    assert!(
        turned[1..]
            .iter()
            .zip([0.5, 0.0, 0.5, 16.0 / 48.0, 0.125, 16.0 / 48.0, 0.125, 0.0])
            .all(|(a, b)| (a - b).abs() < 1e-6),
        "{turned:?}"
    );
}

#[test]
fn label_studio_in_its_short_form() {
    let folder = Folder::empty();
    let region = |kind: &str, label: &str| {
        format!(
            r#"{{"x":25,"y":25,"width":50,"height":50,"rotation":0,"{kind}":["{label}"],"original_width":64,"original_height":48}}"#
        )
    };
    let row = |image: &str, regions: &str| {
        format!(r#"{{"image":"/data/upload/1/{image}","id":1,"label":[{regions}],"annotator":1,"annotation_id":2}}"#)
    };
    let text = [
        row("0a1b2c3d-a.jpg", &region("rectanglelabels", "dent")),
        row("0a1b2c3d-a.jpg", &region("rectanglelabels", "hole")),
        row("b.jpg", ""),
    ]
    .join(",");
    folder.put("export/min.json", format!("\u{feff}[{text}]"));
    folder.image("export/0a1b2c3d-a.jpg");
    folder.image("export/b.jpg");
    let made = converted(&folder.at("export"), &folder.at("new"), Task::Detect);
    assert_eq!((made.form, made.images, made.objects), (Form::LabelStudio, 2, 1));
    assert_eq!(said(&made).keys().copied().collect::<Vec<_>>(), ["data.convert-annotated-twice"]);
    assert_eq!(scan(&made.yaml).names, ["hole"], "the last one counts");
}

#[test]
fn a_roboflow_coco_export_has_its_classes_and_splits() {
    let folder = Folder::empty();
    for (split, name) in [("train", "a"), ("valid", "b")] {
        folder.image(&format!("export/{split}/{name}.jpg"));
        let text = format!(
            r#"{{"info":{{}},"categories":[{{"id":0,"name":"plates","supercategory":"none"}},
                {{"id":1,"name":"dent","supercategory":"plates"}},{{"id":2,"name":"hole","supercategory":"plates"}}],
                "images":[{{"id":0,"file_name":"{name}.jpg","height":48,"width":64,"license":1}}],
                "annotations":[{{"id":0,"image_id":0,"category_id":2,"bbox":[16,12,32,24],"area":768,"segmentation":[],"iscrowd":0}}]}}"#
        );
        folder.put(&format!("export/{split}/_annotations.coco.json"), text);
    }
    let made = converted(&folder.at("export"), &folder.at("new"), Task::Detect);
    let dataset = scan(&made.yaml);
    assert_eq!(dataset.names, ["dent", "hole"], "the project is no class");
    assert_eq!([SplitKind::Train, SplitKind::Val].map(|kind| split(&dataset, kind).images), [1, 1]);
    assert_eq!(rows(&folder, "new/labels/val/b.txt"), [[1.0, 0.5, 0.5, 0.5, 0.5]]);
}
