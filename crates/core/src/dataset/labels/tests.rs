use proptest::prelude::*;

use super::*;

const RULES: LabelRules = LabelRules { classes: 3, keypoints: None, pose: false };

fn read(text: &str) -> Result<(usize, u32, Shape), LabelFault> {
    let mut reader = LabelReader::default();
    reader.read(text.as_bytes(), RULES).map(|labels| (labels.boxes.len(), labels.duplicates, labels.shape))
}

fn fault(text: &str) -> LabelFault {
    read(text).expect_err("refused")
}

#[test]
fn boxes_are_read_with_every_kind_of_line_end_and_space() {
    let one = "0 0.5 0.5 0.2 0.2";
    let two = "2 .25 2.5e-1 0.1\t0.1";
    for text in [
        format!("{one}\n{two}\n"),
        format!("{one}\r\n{two}"),
        format!("{one}\r{two}"),
        format!("\n\n  {one}  \n \n\t{two}\n\n"),
        format!("\u{feff}{one}\n{two}"),
        format!("{one}\u{2028}{two}"),
        format!("{one}\x0c{two}"),
        format!("{}\n{two}", one.replace(' ', "\u{3000}")),
    ] {
        assert_eq!(read(&text), Ok((2, 0, Shape::Boxes)), "{text:?}");
    }
    let mut reader = LabelReader::default();
    let labels = reader.read(two.as_bytes(), RULES).unwrap();
    assert_eq!(labels.boxes, [LabelBox { class: 2, x: 0.25, y: 0.25, w: 0.1, h: 0.1 }]);
}

#[test]
fn nothing_is_a_background() {
    for text in ["", "\n", " \n\t\r\n", "\u{feff}"] {
        assert_eq!(read(text), Ok((0, 0, Shape::Boxes)), "{text:?}");
    }
}

#[test]
fn numbers_are_those_of_python() {
    for number in ["0.5", "+0.5", "5e-1", "0.5_0", ".5", "0.50", "０.５", "٠.٥", "5E-1"] {
        assert_eq!(read(&format!("0 {number} 0.5 0.1 0.1")), Ok((1, 0, Shape::Boxes)), "{number}");
    }
    for number in ["0x1", "0._5", "_5", "5_", "0__5", "1e", ".", "--1", "½", "0.5f"] {
        let expected = LabelFault::NotANumber { line: 1, comma: false };
        assert_eq!(fault(&format!("0 {number} 0.5 0.1 0.1")), expected, "{number}");
    }
    assert_eq!(fault("0 0,5 0,5 0,1 0,1"), LabelFault::NotANumber { line: 1, comma: true });
    assert_eq!(fault("0,0.5,0.5,0.1,0.1"), LabelFault::NotANumber { line: 1, comma: true });
}

#[test]
fn one_percent_beyond_the_image_is_let_through() {
    assert!(read("0 1.01 0.5 0.1 0.1").is_ok());
    assert!(read("0 0.5 0.5 1.0100000001 0.1").is_ok(), "the same 32-bit number");
    assert!(matches!(fault("0 1.0101 0.5 0.1 0.1"), LabelFault::OutOfBounds { line: 1, .. }));
    assert!(matches!(fault("0 nan 0.5 0.1 0.1"), LabelFault::OutOfBounds { .. }));
    assert!(matches!(fault("0 inf 0.5 0.1 0.1"), LabelFault::OutOfBounds { .. }));
    assert!(read("0 -0.01 0.5 0.1 0.1").is_ok());
    assert!(matches!(fault("0 -0.011 0.5 0.1 0.1"), LabelFault::Negative { .. }));
    assert!(matches!(fault("0 0.5 0.5 -0.001 0.1"), LabelFault::Negative { .. }), "a side has no tolerance");
    assert!(
        matches!(fault("0 -0.01 0.5 0.1 0.1\n0 0.5 0.5 -0.001 0.1"), LabelFault::Negative { line: 1, .. }),
        "and takes it from the whole file"
    );
}

#[test]
fn classes_are_whole_and_declared() {
    assert_eq!(fault("0 .5 .5 .1 .1\n3 .5 .5 .1 .1"), LabelFault::ClassOutOfRange { line: 2, class: 3 });
    assert_eq!(fault("-1 .5 .5 .1 .1"), LabelFault::Negative { line: 1, value: -1.0 });
    assert_eq!(fault("0.5 .5 .5 .1 .1"), LabelFault::FractionalClass { line: 1, value: 0.5 });
    assert!(read("2.0 .5 .5 .1 .1").is_ok());
    assert!(matches!(fault("inf .5 .5 .1 .1"), LabelFault::FractionalClass { .. }));
}

#[test]
fn columns_are_five_or_an_outline() {
    assert_eq!(fault("0 .5 .5 .1"), LabelFault::Columns { line: 1, columns: 4 });
    assert_eq!(fault("0 .5 .5 .1 .1 .9"), LabelFault::Columns { line: 1, columns: 6 });
    assert_eq!(fault("0 .5 .5 .1 .1\n0 .5 .5 .1 .1 .9"), LabelFault::Columns { line: 2, columns: 6 });
    assert_eq!(fault("0 .1 .1 .2 .2 .1 .2\n0 .5 .5 .1 .1"), LabelFault::Mixed { line: 2 });
    assert_eq!(fault("0 .1 .1 .2 .2 .1 .2 .3"), LabelFault::Outline { line: 1, columns: 8 });
    assert_eq!(read("0 .1 .1 .2 .2 .1 .2"), Ok((1, 0, Shape::Outlines)));
    assert_eq!(read("0 .1 .1 .2 .1 .2 .2 .1 .2"), Ok((1, 0, Shape::Rotated)));
    let mut reader = LabelReader::default();
    let labels = reader.read(b"1 .1 .2 .5 .2 .5 .6 .3 .9 .1 .6", RULES).unwrap();
    let [found] = labels.boxes else { panic!("one box") };
    assert!((found.x - 0.3).abs() < 1e-6 && (found.y - 0.55).abs() < 1e-6);
    assert!((found.w - 0.4).abs() < 1e-6 && (found.h - 0.7).abs() < 1e-6);
}

#[test]
fn key_points_are_cut_off() {
    let rules = LabelRules { keypoints: Some((2, 3)), ..RULES };
    let mut reader = LabelReader::default();
    assert_eq!(reader.read(b"0 .5 .5 .1 .1 .2 .2 2 .3 .3 1", rules).unwrap().boxes.len(), 1);
}

#[test]
fn the_same_box_counts_once() {
    assert_eq!(read("0 .5 .5 .1 .1\n1 .5 .5 .1 .1\n0 0.50 .5 .1 .1\n"), Ok((2, 1, Shape::Boxes)));
    assert_eq!(read("0 0 .5 .1 .1\n0 -0.0 .5 .1 .1"), Ok((1, 1, Shape::Boxes)));
    let many: String = (0..40).map(|row| format!("0 .{} .5 .1 .1\n", 10 + row % 25)).collect();
    assert_eq!(read(&many), Ok((25, 15, Shape::Boxes)));
    let mut reader = LabelReader::default();
    assert_eq!(reader.read(many.as_bytes(), RULES).unwrap().first_duplicate, 26);
    // Outlines with the same box around them are not the same.
    assert_eq!(read("0 0 0 1 0 1 1\n0 0 0 0 1 1 1\n0 0 0 1 0 1 1"), Ok((2, 1, Shape::Outlines)));
}

#[test]
fn other_encodings_are_recognised() {
    let utf16: Vec<u8> = "\u{feff}0 .5".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut reader = LabelReader::default();
    assert_eq!(reader.read(&utf16, RULES), Err(LabelFault::Utf16));
    assert_eq!(reader.read(&utf16[2..], RULES), Err(LabelFault::Binary));
    assert_eq!(reader.read(b"0 .5 .5 .1 .1\n\xe9 .5", RULES), Err(LabelFault::NotUtf8 { line: 2 }));
}

/// Text that is nearly a label file.
fn nearly() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        4 => (0..3u32).prop_map(|n| n.to_string()),
        8 => (0..1200u32).prop_map(|n| format!("{}", f64::from(n) / 1000.0)),
        1 => proptest::sample::select(vec!["-0.005", "1.01", "nan", "inf", "1_0", "0,5", "é", "-", "1e400", "３"]).prop_map(str::to_owned),
    ];
    let row = proptest::collection::vec(token, 0..12).prop_map(|tokens| tokens.join(" "));
    proptest::collection::vec(row, 0..30).prop_map(|rows| rows.join("\n"))
}

proptest! {
    #[test]
    fn any_bytes_are_judged(bytes: Vec<u8>) {
        let _ = LabelReader::default().read(&bytes, RULES);
    }

    #[test]
    fn what_is_accepted_keeps_the_rules(text in nearly()) {
        let mut reader = LabelReader::default();
        let rows = text.lines().filter(|line| !line.trim().is_empty()).count();
        match reader.read(text.as_bytes(), RULES) {
            Ok(labels) => {
                prop_assert_eq!(labels.boxes.len() + labels.duplicates as usize, rows);
                for found in labels.boxes {
                    prop_assert!(found.class < RULES.classes);
                    prop_assert!([found.x, found.y, found.w, found.h].iter().all(|v| (-0.01..=1.01).contains(v)));
                    prop_assert!(found.w >= 0.0 && found.h >= 0.0);
                }
            }
            Err(fault) => prop_assert!(fault.line().is_none_or(|line| line >= 1 && line as usize <= text.lines().count().max(1))),
        }
    }

    #[test]
    fn a_reader_forgets_the_file_before(first in nearly(), second in nearly()) {
        let mut used = LabelReader::default();
        let _ = used.read(first.as_bytes(), RULES);
        let mut fresh = LabelReader::default();
        prop_assert_eq!(format!("{:?}", used.read(second.as_bytes(), RULES)), format!("{:?}", fresh.read(second.as_bytes(), RULES)));
    }
}
