//! The same files before the real trainer and before us: the same verdict.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use image::ImageFormat;
use preflight_core::dataset::labels::{LabelFault, LabelReader, LabelRules};
use preflight_core::dataset::{Dataset, SplitKind};
use preflight_core::finding::Severity;
use serde_json::{Value, json};

use super::folder::{Folder, ROW, encoded, turned};
use super::{codes, scan, shared_data, split};

/// The real package in a process of its own.
struct Trainer {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    _folder: Folder,
}

impl Trainer {
    fn start() -> Option<Self> {
        let Some(python) = std::env::var_os("PREFLIGHT_TEST_PYTHON") else {
            eprintln!("skipped: PREFLIGHT_TEST_PYTHON does not name a Python with Ultralytics");
            return None;
        };
        let folder = Folder::empty();
        let mut child = Command::new(python)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/engine/dataset/verify.py"))
            .current_dir(folder.path())
            .env("YOLO_CONFIG_DIR", folder.path())
            .env("MPLCONFIGDIR", folder.path())
            .env("YOLO_OFFLINE", "true")
            .env("PYTHONUTF8", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (requests, answers) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Some(Self { child, requests, answers, _folder: folder })
    }

    fn ask(&mut self, request: &Value) -> Value {
        writeln!(self.requests.as_mut().unwrap(), "{request}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?} to {request}"))
    }

    fn label(&mut self, image: &Path, label: &Path, rules: LabelRules) -> Value {
        let (keypoints, dims) = rules.keypoints.unwrap_or((0, 0));
        self.ask(&json!({
            "image": image, "label": label, "classes": rules.classes, "keypoints": keypoints, "dims": dims,
            "pose": rules.pose,
        }))
    }
}

impl Drop for Trainer {
    fn drop(&mut self) {
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// A label file in which a few things may be wrong.
fn label_file(random: &mut Random) -> Vec<u8> {
    const NUMBERS: &[&str] = &["0.5", "0.25", "0.999", "1", "0", ".5", "1e-1", "+0.5", "0.123456789", "5e-1"];
    const ODD_NUMBERS: &[&str] = &[
        "-0.005",
        "-0.01",
        "-0.0100001",
        "1.01",
        "1.0100001",
        "1.02",
        "-0.0",
        "nan",
        "inf",
        "-inf",
        "1_0",
        "0_1.5",
        "1e400",
        "1e-400",
        "0,5",
        "x",
        "０.５",
        "٣",
        "640",
        "0x1",
        "1.",
        "--1",
        "1e",
        "½",
        "٠.٥",
        "1.00999999",
        "0.5\u{a0}",
        "3.4e38",
        "4e38",
    ];
    const CLASSES: &[&str] = &["0", "1", "2", "2.0", "02", "1e0"];
    const ODD_CLASSES: &[&str] = &["3", "-1", "1.5", "-0.005", "nan", "inf", "car", "99999999999", "-0"];
    const BREAKS: &[&str] =
        &["\n", "\n", "\n", "\r\n", "\r", "\n\n", "\n \n", "\x0b", "\x0c", "\x1c", "\u{85}", "\u{2028}"];
    const SPACES: &[&str] = &[" ", " ", " ", " ", "  ", "\t", "\u{a0}", "\u{3000}", "\x1f"];
    let oddness = random.below(4);
    let odd = |random: &mut Random| oddness > 0 && random.below(16) < oddness;
    let shape = random.below(12);
    let mut rows = Vec::new();
    for _ in 0..random.below(7) {
        let columns = match shape {
            0 => 6 + 2 * random.below(4),
            1 => 8,
            2 => 10,
            _ if odd(random) => random.below(10),
            _ => 4,
        };
        let class = if odd(random) { random.pick(ODD_CLASSES) } else { random.pick(CLASSES) };
        let mut row = class.to_owned();
        for _ in 0..columns {
            row += if odd(random) { random.pick(SPACES) } else { " " };
            row += if odd(random) { random.pick(ODD_NUMBERS) } else { random.pick(NUMBERS) };
        }
        if rows.len() > 1 && random.below(8) == 0 {
            row = String::clone(&rows[0]);
        }
        rows.push(row);
    }
    let mut text = String::new();
    for row in rows {
        text += &row;
        text += if odd(random) { random.pick(BREAKS) } else { "\n" };
    }
    if odd(random) {
        text.insert(0, '\u{feff}');
    }
    let mut bytes = text.into_bytes();
    if odd(random) && !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] = u8::try_from(random.below(256)).unwrap();
    }
    bytes
}

/// Whether the trainer's words mean our fault. It looks at numbers after columns where we look at all at once, so
/// faults of form count as one.
fn means(message: &str, fault: &LabelFault) -> bool {
    let form = matches!(
        fault,
        LabelFault::NotANumber { .. }
            | LabelFault::Columns { .. }
            | LabelFault::Mixed { .. }
            | LabelFault::Outline { .. }
    );
    let coding = matches!(fault, LabelFault::NotUtf8 { .. } | LabelFault::Utf16 | LabelFault::Binary);
    match fault {
        LabelFault::OutOfBounds { .. } => message.contains("non-normalized or out of bounds"),
        LabelFault::Negative { .. } => message.contains("negative label values"),
        LabelFault::FractionalClass { .. } => message.contains("non-integer class"),
        LabelFault::ClassOutOfRange { .. } => message.contains("exceeds dataset class count"),
        _ if message.contains("codec can't decode") => coding,
        // A zero byte is text to Python until it is read as a number.
        _ => form || coding,
    }
}

/// Each takes the trainer a few milliseconds.
const DECLARATIONS: usize = 1_500;
/// Enough to meet every rule many times; a thousand take the trainer half a second.
const CASES: usize = 6_000;

/// Most for boxes, some with key points to cut off, some for key points.
const RULES: [LabelRules; 8] = {
    let boxes = LabelRules { classes: 3, keypoints: None, pose: false };
    let cut = LabelRules { keypoints: Some((2, 3)), ..boxes };
    let flat = LabelRules { keypoints: Some((2, 2)), pose: true, ..boxes };
    [boxes, boxes, boxes, boxes, cut, boxes, flat, LabelRules { pose: true, ..cut }]
};

#[test]
fn label_files_get_the_trainers_verdict() {
    let Some(mut trainer) = Trainer::start() else { return };
    let folder = Folder::good();
    let image = folder.at("images/train/a.jpg");
    let mut random = Random(1);
    let mut reader = LabelReader::default();
    let (mut accepted, mut refused) = (0, 0);
    for case in 0..CASES {
        let bytes = label_file(&mut random);
        let label = folder.put("labels/train/a.txt", &bytes);
        let rules = RULES[case % RULES.len()];
        let theirs = trainer.label(&image, &label, rules);
        let shown = String::from_utf8_lossy(&bytes);
        match reader.read(&bytes, rules) {
            Ok(ours) => {
                accepted += 1;
                assert_eq!(theirs["corrupt"], false, "we take, the trainer refuses: {shown:?}\n{theirs}");
                let row = |row: &Value| -> Vec<f32> {
                    let number =
                        |value: &Value| value.as_f64().unwrap_or_else(|| value.as_str().unwrap().parse().unwrap());
                    row.as_array().unwrap().iter().map(|value| number(value) as f32).collect()
                };
                let mut their_boxes: Vec<_> = theirs["boxes"].as_array().unwrap().iter().map(row).collect();
                let mut our_boxes: Vec<_> = ours
                    .boxes
                    .iter()
                    .map(|found| vec![found.class as f32, found.x, found.y, found.w, found.h])
                    .collect();
                for boxes in [&mut their_boxes, &mut our_boxes] {
                    boxes.sort_by(|a, b| a.partial_cmp(b).unwrap());
                }
                assert_eq!(our_boxes, their_boxes, "{shown:?}");
            }
            Err(fault) => {
                refused += 1;
                assert_eq!(theirs["corrupt"], true, "we refuse for {fault:?}, the trainer takes: {shown:?}");
                let message = theirs["message"].as_str().unwrap();
                assert!(means(message, &fault), "{fault:?} is not {message:?}: {shown:?}");
            }
        }
    }
    assert!(accepted > 150 && refused > 150, "{accepted} accepted, {refused} refused: the cases prove little");
}

/// What we make of the only image of a folder.
fn only(folder: &Folder) -> (bool, Option<(u32, u32)>, Vec<String>) {
    let dataset = scan(&folder.path());
    let train = split(&dataset, SplitKind::Train);
    let codes = codes(&dataset, Severity::Note).into_iter().map(str::to_owned).collect();
    (train.corrupt > 0, train.sides, codes)
}

#[test]
fn images_get_the_trainers_verdict() {
    let Some(mut trainer) = Trainer::start() else { return };
    let jpeg = encoded(ImageFormat::Jpeg, 64, 48);
    let png = encoded(ImageFormat::Png, 64, 48);
    let webp = encoded(ImageFormat::WebP, 64, 48);
    let mut damaged = png.clone();
    damaged[70] ^= 0x20;
    let mut no_header = jpeg.clone();
    no_header[2] = 0;
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("jpeg", jpeg.clone()),
        ("png", png.clone()),
        ("bmp", encoded(ImageFormat::Bmp, 64, 48)),
        ("tiff", encoded(ImageFormat::Tiff, 64, 48)),
        ("webp", webp.clone()),
        ("gif", encoded(ImageFormat::Gif, 64, 48)),
        ("empty", Vec::new()),
        ("text", b"not found".to_vec()),
        ("jpeg cut in its header", jpeg[..100].to_vec()),
        ("jpeg cut in its data", jpeg[..jpeg.len() - 40].to_vec()),
        ("jpeg without its end", jpeg[..jpeg.len() - 2].to_vec()),
        ("jpeg with a tail", [&jpeg[..], b"tail"].concat()),
        ("jpeg with zeros after", [&jpeg[..], &[0; 500]].concat()),
        ("jpeg with a broken first marker", no_header),
        ("jpeg on its side", turned(6, 64, 48)),
        ("jpeg upside down", turned(3, 64, 48)),
        ("jpeg of nine pixels", encoded(ImageFormat::Jpeg, 9, 48)),
        ("jpeg of ten pixels", encoded(ImageFormat::Jpeg, 10, 48)),
        ("png cut", png[..png.len() / 2].to_vec()),
        ("png without its end", png[..png.len() - 12].to_vec()),
        ("png with its end cut", png[..png.len() - 4].to_vec()),
        ("png damaged", damaged),
        ("png with a tail", [&png[..], b"tail"].concat()),
        ("webp cut", webp[..webp.len() - 20].to_vec()),
        ("webp with a tail", [&webp[..], b"tail"].concat()),
    ];
    for (name, bytes) in cases {
        same_verdict(&mut trainer, name, "a.jpg", &bytes);
    }
}

#[test]
fn images_of_every_format_get_the_trainers_verdict() {
    let Some(mut trainer) = Trainer::start() else { return };
    let drawn = Folder::empty();
    let names = trainer.ask(&json!({ "draw": drawn.path() }));
    let names: Vec<&str> = names["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        let bytes = std::fs::read(drawn.at(name)).unwrap();
        let ending = name.rsplit_once('.').unwrap().1;
        // What the trainer does not list by its name lies there under one that it lists.
        let listed = if ["gif", "ico", "ppm", "tga", "pcx"].contains(&ending) { "png" } else { ending };
        same_verdict(&mut trainer, name, &format!("a.{listed}"), &bytes);
        same_verdict(&mut trainer, &format!("{name} with a wrong ending"), "a.jpg", &bytes);
        for share in [4, 2] {
            let cut = &bytes[..bytes.len() / share];
            // Of these, the trainer sees only while it trains that they are cut.
            if !["bmp", "tif", "gif", "ico", "ppm", "tga", "pcx", "avif", "jp2", "mpo", "webp"].contains(&ending) {
                same_verdict(&mut trainer, &format!("{name} cut"), &format!("a.{listed}"), cut);
            }
        }
    }
}

#[track_caller]
fn same_verdict(trainer: &mut Trainer, name: &str, file: &str, bytes: &[u8]) {
    let folder = Folder::empty();
    // The trainer mends some files where they are: it gets its own.
    let own = Folder::empty();
    folder.put(&format!("images/train/{file}"), bytes);
    folder.put("labels/train/a.txt", ROW);
    let image = own.put(&format!("images/{file}"), bytes);
    let label = own.put("labels/a.txt", ROW);
    let theirs = trainer.label(&image, &label, LabelRules::boxes(3));
    let (corrupt, sides, codes) = only(&folder);
    assert_eq!(corrupt, theirs["corrupt"] == true, "{name}: {codes:?}, but {theirs}");
    if !corrupt {
        let [height, width] = [0, 1].map(|at| u32::try_from(theirs["shape"][at].as_u64().unwrap()).unwrap());
        assert_eq!(sides, Some((width.min(height), width.max(height))), "{name}");
        let repaired = theirs["message"].as_str().unwrap().contains("restored");
        assert_eq!(codes.contains(&"data.image-repaired".to_owned()), repaired, "{name}: {theirs}");
    }
}

/// The places of a split as text, one a line.
fn places(dataset: &Dataset, kind: SplitKind) -> Vec<PathBuf> {
    dataset
        .split(kind)
        .map(|split| split.sources.iter().map(|source| source.resolved.clone()).collect())
        .unwrap_or_default()
}

#[test]
fn declarations_get_the_trainers_verdict() {
    let Some(mut trainer) = Trainer::start() else { return };
    let folder = Folder::good();
    std::fs::create_dir(folder.at("set")).unwrap();
    let root = folder.path().display().to_string();
    let both = "train: images/train\nval: images/val\n";
    let cases = [
        format!("{both}names: [a, b]\n"),
        format!("{both}names: {{0: a, 1: b}}\n"),
        format!("{both}names: {{'0': a, '1': b}}\n"),
        format!("{both}names: {{0: a, 2: b}}\n"),
        format!("{both}names: {{1: a, 2: b}}\n"),
        format!("{both}names: {{a: 0, b: 1}}\n"),
        format!("{both}names: [no, 012, 1:30, 1.50, 2024-01-31, ~, on, 0x10, 1e5, 1.0e+20]\n"),
        format!("{both}names: []\n"),
        format!("{both}names: {{}}\n"),
        format!("{both}names:\n"),
        format!("{both}names: a\n"),
        format!("{both}names: None\nnc: 2\n"),
        format!("{both}nc: 2\n"),
        format!("{both}nc: '2'\n"),
        format!("{both}nc: 2.0\n"),
        format!("{both}nc: 2.5\n"),
        format!("{both}nc: two\n"),
        format!("{both}nc:\n"),
        format!("{both}nc: true\n"),
        format!("{both}nc: 0\n"),
        format!("{both}nc: 3\nnames: [a, b]\n"),
        format!("{both}nc: 2\nnames: [a, b]\n"),
        both.to_owned(),
        "train: images/train\nnames: [a]\n".to_owned(),
        "val: images/val\nnames: [a]\n".to_owned(),
        "train: images/train\nvalidation: images/val\nnames: [a]\n".to_owned(),
        "train: images/train\nval: images/none\nnames: [a]\n".to_owned(),
        "train: ../images/train\nval: ../images/val\nnames: [a]\n".to_owned(),
        "train: [../images/train]\nval: [images/val]\nnames: [a]\n".to_owned(),
        "train: [images/train, images/val]\nval: [images/val]\nnames: [a]\n".to_owned(),
        "train: 5\nval: images/val\nnames: [a]\n".to_owned(),
        "train: {a: b}\nval: images/val\nnames: [a]\n".to_owned(),
        format!("path: {root}\n{both}names: [a]\n"),
        format!("path: {root}/set\ntrain: ../images/train\nval: ../images/val\nnames: [a]\n"),
        format!("path: [x]\n{both}names: [a]\n"),
        format!("path:\n{both}names: [a]\n"),
        format!("train: {root}/images/train\nval: {root}/images/val\nnames: [a]\n"),
        "train: images/train\ntrain: images/val\nval: images/val\nnames: [a]\n".to_owned(),
        "- a\n- b\n".to_owned(),
        "just text\n".to_owned(),
        String::new(),
        format!("{both}names: [a, b\n"),
        format!("{both}\tnames: [a, b]\n"),
        format!("\u{feff}{both}names: [a, b]\n"),
        format!("{both}names: [a\u{7}b]\n"),
        format!("{both}names: [a]\n---\n{both}"),
        format!("{both}names: !!python/tuple [a]\n"),
        format!("base: &b [x, y]\n{both}names: *b\n"),
        format!("{both}names: [&a x, *a]\n"),
        format!("{both}names: [{{a: b}}, [c]]\n"),
    ];
    for text in cases {
        let yaml = folder.put("data.yaml", &text);
        let theirs = trainer.ask(&json!({ "yaml": yaml }));
        let ours = scan(&yaml);
        let blockers = codes(&ours, Severity::Blocker);
        // What is wrong with the labels is another matter.
        let declared: Vec<_> =
            blockers.iter().filter(|code| !matches!(**code, "data.class-out-of-range" | "data.no-labels")).collect();
        if let Some(error) = theirs["error"].as_str() {
            // We find what was moved; and a training split that is not there, which the trainer finds only later.
            assert!(!declared.is_empty() || codes(&ours, Severity::Note).contains(&"data.moved"), "{text:?}: {error}");
            continue;
        }
        let train_missing = codes(&ours, Severity::Note).contains(&"data.moved");
        assert!(declared.is_empty(), "{text:?}: the trainer takes it; {blockers:?}");
        let names: Vec<&str> = theirs["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        if !text.contains("{a: b}") {
            assert_eq!(ours.names, names, "{text:?}");
        }
        for (kind, key) in [(SplitKind::Train, "train"), (SplitKind::Val, "val")] {
            let place = |value: &Value| PathBuf::from(value.as_str().unwrap());
            let theirs: Vec<_> = match &theirs[key] {
                Value::Array(list) => list.iter().map(place).collect(),
                one => vec![place(one)],
            };
            if !train_missing || kind == SplitKind::Val {
                assert_eq!(places(&ours, kind), theirs, "{text:?}");
            }
        }
    }
}

/// A `data.yaml` in which a few things may be odd.
fn yaml_file(random: &mut Random, root: &str) -> String {
    const PLACES: &[&str] =
        &["images/train", "images/val", "./images/train", "images", "images/none", "../images/train", "''", "5", "~"];
    const NAMES: &[&str] = &[
        "[a, b]",
        "[a, b, c]",
        "{0: a, 1: b}",
        "{1: a, 0: b}",
        "{0: a, 2: b}",
        "{a: 0}",
        "[]",
        "{}",
        "",
        "a",
        "[no, 01, 1.5]",
        "['a', \"b\"]",
        "\n  - a\n  - b",
        "\n  0: a\n  1: b",
        "[a, [b]]",
        "[~, null]",
        "{'0': a, 1.0: b}",
        "[1_0, 0x1f, 0b1]",
        "[2024-01-31, 1:20]",
        "[-1, +2, .5]",
    ];
    const COUNTS: &[&str] = &["2", "3", "'2'", "2.0", "2.5", "x", "", "true", "0", "-1", "[2]"];
    const OTHERS: &[&str] = &[
        "# comment",
        "download: x",
        "kpt_shape: [17, 3]",
        "kpt_shape: 5",
        "extra: {a: [1, 2]}",
        "\ta: b",
        "a: b: c",
        "---",
        "...",
        "a",
    ];
    let mut lines = Vec::new();
    let chance = |random: &mut Random, one_in: usize| random.below(one_in) == 0;
    if chance(random, 3) {
        lines.push(format!("path: {}", if chance(random, 2) { root } else { random.pick(&["none", "[x]", ""]) }));
    }
    for key in ["train", "val"] {
        if chance(random, 12) {
            continue;
        }
        let place = |random: &mut Random| {
            let usual = if key == "train" { "images/train" } else { "images/val" };
            if random.below(3) == 0 { random.pick(PLACES) } else { usual }
        };
        let value = match random.below(4) {
            0 => format!("[{}, {}]", place(random), place(random)),
            1 => format!("\n  - {}", place(random)),
            _ => place(random).to_owned(),
        };
        lines.push(format!("{key}: {value}"));
    }
    if !chance(random, 8) {
        lines.push(format!("names: {}", random.pick(NAMES)));
    }
    if chance(random, 3) {
        lines.push(format!("nc: {}", random.pick(COUNTS)));
    }
    if chance(random, 3) {
        let at = random.below(lines.len() + 1);
        lines.insert(at, random.pick(OTHERS).to_owned());
    }
    if chance(random, 6) && lines.len() > 1 {
        let at = random.below(lines.len());
        lines.push(lines[at].clone());
    }
    lines.join(if chance(random, 10) { "\r\n" } else { "\n" }) + "\n"
}

#[test]
fn declarations_of_every_mixture_get_the_trainers_verdict() {
    let Some(mut trainer) = Trainer::start() else { return };
    let folder = Folder::good();
    let root = folder.path().display().to_string();
    let mut random = Random(7);
    let (mut taken, mut refused) = (0, 0);
    let mut differences = Vec::new();
    for _ in 0..DECLARATIONS {
        let text = yaml_file(&mut random, &root);
        let yaml = folder.put("data.yaml", &text);
        let theirs = trainer.ask(&json!({ "yaml": yaml }));
        let ours = scan(&yaml);
        // What is wrong with the files is another matter, and so are places: we look for what was moved.
        let declared: Vec<_> = codes(&ours, Severity::Blocker)
            .into_iter()
            .filter(|code| {
                !matches!(*code, "data.class-out-of-range" | "data.no-labels" | "data.split-empty" | "data.no-boxes")
            })
            .collect();
        let moved = codes(&ours, Severity::Note).contains(&"data.moved");
        match theirs["error"].as_str() {
            Some(error) => {
                refused += 1;
                if declared.is_empty() && !moved {
                    differences.push(format!("we take, the trainer does not: {text:?}\n  {error}"));
                }
            }
            None => {
                taken += 1;
                // It looks at what is empty, and for the training images, only once it starts; we do before, on purpose.
                let later = |code: &&str| match *code {
                    "data.split-missing" => true,
                    "data.no-train" | "data.no-val" => text.contains('~'),
                    "data.yaml-wrong-type" => text.contains("''"),
                    _ => false,
                };
                if !declared.iter().all(later) {
                    differences.push(format!("the trainer takes, we do not: {text:?}\n  {declared:?}"));
                } else {
                    let names: Vec<&str> =
                        theirs["names"].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
                    if ours.names != names && !text.contains("[b]") {
                        differences.push(format!("other names: {text:?}\n  {names:?} {:?}", ours.names));
                    }
                }
            }
        }
    }
    assert!(taken > 200 && refused > 200, "{taken} taken, {refused} refused: the cases prove little");
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences[..differences.len().min(20)].join("\n")
    );
}

#[test]
fn real_labels_get_the_trainers_verdict() {
    let (Some(mut trainer), Some(folder)) = (Trainer::start(), shared_data("coco128")) else { return };
    let dataset = scan(&folder);
    let rules = dataset.label_rules();
    for kind in [SplitKind::Train, SplitKind::Val] {
        let (mut labelled, mut instances) = (0, 0);
        for files in preflight_engine::dataset::images(&dataset, kind) {
            let theirs = trainer.label(&files.image, &files.label, rules);
            let boxes = theirs["boxes"].as_array().unwrap().len();
            labelled += u32::from(boxes > 0);
            instances += u32::try_from(boxes).unwrap();
        }
        let split = split(&dataset, kind);
        assert_eq!((split.labelled, split.instances), (labelled, instances), "{kind:?}");
    }
}
