use super::*;

/// Instructions as Python's protocol 2 writes them.
fn global(module: &str, name: &str) -> Vec<u8> {
    format!("c{module}\n{name}\n").into_bytes()
}

fn text(text: &str) -> Vec<u8> {
    let mut code = vec![b'X'];
    code.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
    code.extend(text.as_bytes());
    code
}

fn dict(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut code = b"}(".to_vec();
    for (key, value) in entries {
        code.extend(text(key));
        code.extend(value);
    }
    code.push(b'u');
    code
}

/// An object of a class, by `__reduce_ex__(2)`.
fn object(class: Vec<u8>, state: Vec<u8>) -> Vec<u8> {
    [class, b")\x81".to_vec(), state, b"b".to_vec()].concat()
}

fn pickle(value: Vec<u8>) -> Vec<u8> {
    [b"\x80\x02".to_vec(), value, b".".to_vec()].concat()
}

/// A parameter of 3 × 5 numbers in half precision, kept under a key.
fn parameter(key: &str) -> Vec<u8> {
    let storage =
        [b"(".to_vec(), text("storage"), global("torch", "HalfStorage"), text(key), text("cpu"), b"K\x0ftQ".to_vec()]
            .concat();
    let tensor = [
        global("torch._utils", "_rebuild_tensor_v2"),
        b"(".to_vec(),
        storage,
        b"K\x00K\x03K\x05\x86K\x05K\x01\x86\x89N".to_vec(),
        b"tR".to_vec(),
    ];
    [global("torch._utils", "_rebuild_parameter"), b"(".to_vec(), tensor.concat(), b"\x89NtR".to_vec()].concat()
}

fn model(class: &str) -> Vec<u8> {
    let conv = object(global("ultralytics.nn.modules.conv", "Conv"), dict(&[("weight", parameter("0"))]));
    let yaml = dict(&[("nc", b"K\x50".to_vec()), ("yaml_file", text("/src/cfg/yolov8.yaml")), ("scale", text("s"))]);
    let names = b"}(K\x00X\x01\x00\x00\x00aK\x01X\x01\x00\x00\x00bu".to_vec();
    object(
        global("ultralytics.nn.tasks", class),
        dict(&[("_modules", dict(&[("0", conv), ("1", parameter("1"))])), ("yaml", yaml), ("names", names)]),
    )
}

fn contents(value: Vec<u8>) -> Contents {
    read(&pickle(value)).unwrap().0
}

#[test]
fn a_checkpoint_says_what_it_is() {
    let code =
        pickle(dict(&[("epoch", b"K\x07".to_vec()), ("model", model("DetectionModel")), ("optimizer", dict(&[]))]));
    let (contents, stored) = read(&code).unwrap();
    let expected = Checkpoint {
        task: Some(Task::Detect),
        classes: 2,
        model: Some("yolov8s".to_owned()),
        parameters: 30,
        unfinished: true,
    };
    assert_eq!(contents, Contents::Model { checkpoint: expected });
    let keys = |key: &str| Stored { key: key.to_owned(), bytes: 30 };
    assert_eq!(stored, [keys("0"), keys("1")]);
}

#[test]
fn the_averaged_weights_are_the_ones_that_count() {
    let both = dict(&[("model", b"N".to_vec()), ("ema", model("SegmentationModel")), ("optimizer", b"N".to_vec())]);
    let Contents::Model { checkpoint } = contents(both) else { panic!() };
    assert_eq!((checkpoint.task, checkpoint.unfinished), (Some(Task::Segment), false));
}

#[test]
fn what_loading_it_would_run_is_named_and_not_run() {
    let call = [global("os", "system"), b"(".to_vec(), text("touch /tmp/x"), b"tR".to_vec()].concat();
    assert_eq!(
        contents(dict(&[("model", model("DetectionModel")), ("extra", call)])),
        Contents::Foreign { names: vec!["os.system".to_owned()] }
    );
    // Names that lead from something harmless to something else, and functions where only classes are harmless.
    for (module, name) in [
        ("ultralytics.nn.tasks", "torch.hub.load"),
        ("ultralytics.nn.tasks", "attempt_load_weights"),
        ("torch.storage", "_load_from_bytes"),
        ("torch.hub", "load"),
        ("builtins", "eval"),
        ("builtins", "getattr"),
    ] {
        let code = [text(module), text(name), b"\x93".to_vec()].concat();
        assert_eq!(contents(code), Contents::Foreign { names: vec![format!("{module}.{name}")] });
    }
}

#[test]
fn what_holds_no_model_says_so() {
    for value in [b"N".to_vec(), dict(&[]), dict(&[("model", dict(&[]))]), dict(&[("0.weight", parameter("0"))])] {
        assert_eq!(contents(value), Contents::NoModel);
    }
}

#[test]
fn other_models_are_told_apart_by_name_or_else_by_size() {
    let like = |model: Option<&str>, parameters| Checkpoint {
        task: Some(Task::Detect),
        classes: 80,
        model: model.map(str::to_owned),
        parameters,
        unfinished: false,
    };
    assert!(!like(Some("yolov8n"), 1).is_other_than("yolov8n"));
    assert!(like(Some("yolo11n"), 3_157_200).is_other_than("yolov8n"));
    assert!(!like(None, 3_011_043).is_other_than("yolov8n"));
    assert!(like(None, 11_136_374).is_other_than("yolov8n"));
}

#[test]
fn sizes_are_about_what_is_published() {
    let bytes = |name| published_bytes(models::card(name).unwrap());
    assert_eq!((bytes("yolov8n"), bytes("yolov8x")), (6_400_000, 136_400_000));
}

proptest::proptest! {
    #[test]
    fn any_bytes_can_be_read(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
        let _ = read(&bytes);
    }

    #[test]
    fn a_file_cut_off_or_changed_anywhere_is_read_or_refused(at in 0_usize..700, byte in proptest::prelude::any::<u8>()) {
        let mut code = pickle(dict(&[("model", model("DetectionModel"))]));
        let at = at % code.len();
        proptest::prop_assert!(read(&code[..at]).is_err());
        code[at] = byte;
        let _ = read(&code);
    }
}
