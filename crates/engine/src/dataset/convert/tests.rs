//! Annotation files that hold anything: read or refused, never more than that.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;

/// The outcome of every parser on the same bytes.
fn read_all(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("any");
    std::fs::write(&path, bytes).unwrap();
    let mut troubles = Vec::new();
    voc::read(&path, bytes, &mut troubles);
    labelme::read(&path, bytes, &mut troubles);
    coco::recognise(&path);
    cvat::recognise(&path);
    label_studio::recognise(&path);
    label_studio::read(&path, &mut troubles);
    coco::read(&path, &mut troubles);
    cvat::read(&path, &mut troubles);
}

/// Text that is nearly XML of the kinds that are read.
fn nearly_xml() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "<annotation>",
        "</annotation>",
        "<annotations>",
        "</annotations>",
        "<image name='a.jpg' width='1' height='x'>",
        "</image>",
        "<object>",
        "</object>",
        "<name>cat</name>",
        "<bndbox>",
        "</bndbox>",
        "<xmin>1</xmin>",
        "<xmin>nan</xmin>",
        "<ymax>1e999</ymax>",
        "<size><width>0</width></size>",
        "<box label='a' xtl='1' ytl='1' xbr='9' ybr='9' rotation='1e308'/>",
        "<polygon label='a' points='1,1;;,'/>",
        "&amp;",
        "&x;",
        "&#0;",
        "&#x110000;",
        "<!-- ",
        "-->",
        "<![CDATA[",
        "]]>",
        "<!DOCTYPE a [<!ENTITY x 'y'>]>",
        "<?xml version='1.0'?>",
        "<",
        ">",
        "'",
        "é",
    ]);
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// Text that is nearly JSON of the kinds that are read.
fn nearly_json() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"images\"",
        "\"annotations\"",
        "\"categories\"",
        "\"shapes\"",
        "\"imagePath\"",
        "\"file_name\"",
        "\"id\"",
        "\"bbox\"",
        "\"points\"",
        "1",
        "-1e400",
        "1e-5",
        "null",
        "true",
        "\"x\"",
        "[[1,2],[3,4]]",
        "\"label\"",
        "\\u",
        "\"\\ud800\"",
    ]);
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes(bytes: Vec<u8>) {
        read_all(&bytes);
    }

    #[test]
    fn anything_like_xml(text in nearly_xml()) {
        read_all(text.as_bytes());
    }

    #[test]
    fn anything_like_json(text in nearly_json()) {
        read_all(text.as_bytes());
    }

    #[test]
    fn a_good_file_cut_or_changed_anywhere(at in 0..400usize, value: u8) {
        let good = "<annotation><filename>a.jpg</filename><size><width>64</width><height>48</height></size><object><name>cat</name>\
            <bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox></object></annotation>";
        let mut bytes = good.as_bytes().to_vec();
        let at = at % bytes.len();
        read_all(&bytes[..at]);
        bytes[at] = value;
        read_all(&bytes);
    }
}

#[test]
fn deep_nesting_is_refused() {
    let mut troubles = Vec::new();
    let xml = "<annotation>".repeat(100_000);
    assert!(voc::read(Path::new("x"), xml.as_bytes(), &mut troubles).is_none());
    let json = format!("{{\"shapes\": {}", "[".repeat(100_000));
    assert!(labelme::read(Path::new("x"), json.as_bytes(), &mut troubles).is_none());
    let json = format!("{{\"shapes\": [], \"other\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(
        labelme::read(Path::new("x"), json.as_bytes(), &mut troubles).is_some(),
        "what is passed over takes no stack"
    );
    assert_eq!(troubles.len(), 2);
}

#[test]
fn entities_that_grow_are_not_followed() {
    let mut xml = String::from("<!DOCTYPE lolz [<!ENTITY a0 \"lol\">");
    for level in 1..10 {
        let _ = write!(xml, "<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10));
    }
    xml.push_str("]><annotation><filename>&a9;</filename></annotation>");
    let mut troubles = Vec::new();
    assert!(voc::read(Path::new("x"), xml.as_bytes(), &mut troubles).is_none());
    assert!(troubles[0].text.contains("a9"), "{troubles:?}");
}
