use proptest::prelude::*;

use super::*;

/// What Python's `repr(yaml.safe_load(text))` would show, nearly.
fn python(text: &str) -> String {
    let node = parse(text.as_bytes()).unwrap();
    format!("{} {}", node.type_name(), node.python_str())
}

#[test]
fn plain_words_mean_what_yaml_1_1_says() {
    for (text, expected) in [
        ("no", "bool False"),
        ("Yes", "bool True"),
        ("on", "bool True"),
        ("y", "str y"),
        ("~", "NoneType None"),
        ("", "NoneType None"),
        ("NULL", "NoneType None"),
        ("012", "int 10"),
        ("08", "str 08"),
        ("0o12", "str 0o12"),
        ("0x1F", "int 31"),
        ("0b101", "int 5"),
        ("1_000", "int 1000"),
        ("-5", "int -5"),
        ("+5", "int 5"),
        ("1:30", "int 90"),
        ("1:30.5", "float 90.5"),
        ("1:99", "str 1:99"),
        ("1.0", "float 1.0"),
        ("1.", "float 1.0"),
        (".5", "float 0.5"),
        ("1e5", "str 1e5"),
        ("1.0e5", "str 1.0e5"),
        ("1.0e+5", "float 100000.0"),
        ("1.0e+16", "float 1e+16"),
        ("1.5e-7", "float 1.5e-07"),
        (".inf", "float inf"),
        ("-.INF", "float -inf"),
        (".nan", "float nan"),
        ("2024-01-31", "date 2024-01-31"),
        ("1.2.3", "str 1.2.3"),
        ("\"no\"", "str no"),
        ("'012'", "str 012"),
        ("!!str 012", "str 012"),
        ("[1, no, a]", "list [1, False, a]"),
        ("{a: 1}", "dict {a: 1}"),
    ] {
        assert_eq!(python(text), expected, "{text:?}");
    }
}

#[test]
fn lines_are_known() {
    let root = parse(b"# a comment\ntrain: a\n\nnames:\n  0: x\n  1: y\n").unwrap();
    assert_eq!(root.get("train").unwrap().line, 2);
    let Value::Map(names) = &root.get("names").unwrap().value else { panic!("a mapping") };
    assert_eq!((names[1].0.line, names[1].1.line), (6, 6));
}

#[test]
fn of_two_equal_keys_the_last_counts_and_what_is_written_wins_over_what_is_merged() {
    let root = parse(b"base: &b {train: x, val: y}\n<<: *b\nval: z\nval: w\n").unwrap();
    assert_eq!(root.get("train").unwrap().text(), Some("x"));
    assert_eq!(root.get("val").unwrap().text(), Some("w"));
}

#[test]
fn what_is_no_yaml_says_where() {
    for (text, line) in [
        ("a: [1, 2\nb: 3", 2),
        ("a: 1\n\tb: 2", 2),
        ("a: 1\n b: 2", 2),
        ("a: 'x\n", 1),
        ("--- a\n--- b\n", 2),
        ("a: !!python/object:os.system x", 1),
        ("? [a]\n: b", 1),
    ] {
        let error = parse(text.as_bytes()).expect_err(text);
        assert!(error.line >= 1 && error.line <= line + 1, "{text:?}: {error:?}");
    }
}

#[test]
fn a_byte_order_mark_and_bytes_of_other_encodings_do_no_harm() {
    assert_eq!(python("\u{feff}a: 1"), "dict {a: 1}");
    assert_eq!(parse(b"a: caf\xe9").unwrap().get("a").unwrap().text(), Some("caf"));
    let utf16: Vec<u8> = "\u{feff}a: 1".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(parse(&utf16).unwrap().get("a").unwrap().value, Value::Int(1));
}

#[test]
fn bombs_are_refused() {
    let mut bomb = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for level in 1..12 {
        let items = vec![format!("*a{}", level - 1); 9].join(",");
        bomb.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    assert_eq!(parse(bomb.as_bytes()).unwrap_err().message, "too many values");
    assert!(parse("[".repeat(100_000).as_bytes()).is_err());
    assert!(parse(format!("{}x{}", "[".repeat(200), "]".repeat(200)).as_bytes()).is_err());
    // Few values, each of them long.
    let many = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), "*a,".repeat(100_000));
    assert_eq!(parse(many.as_bytes()).unwrap_err().message, "too many values");
    // Each level is kept once more than it is written.
    let levels: String = (0..90).map(|level| format!("&a{level} [")).collect();
    let nested = format!("{levels}{}{}\n", "x".repeat(1_000_000), "]".repeat(90));
    assert_eq!(parse(nested.as_bytes()).unwrap_err().message, "too many values");
}

proptest! {
    #[test]
    fn any_bytes_are_yaml_or_not(bytes: Vec<u8>) {
        let _ = parse(&bytes);
    }

    #[test]
    fn any_text_of_yaml_characters_is_yaml_or_not(text in "[-a-c0-9:,?&*!|>%@#'\"{}\\[\\] \n\t.~<=_+]{0,80}") {
        let _ = parse(text.as_bytes());
    }
}
