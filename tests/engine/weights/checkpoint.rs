//! Weights files as torch writes them, without torch: a description and some numbers.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;

/// A file that says it holds a model; its numbers are about `bytes` long and look random.
pub(crate) fn of(model: &str, bytes: usize) -> Vec<u8> {
    archive(&[("data.pkl", &description(model, bytes / 2)), ("data/0", &numbers(bytes / 2 * 2))])
}

pub(crate) fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        archive.start_file(format!("archive/{name}"), options).expect("it fits");
        archive.write_all(content).expect("it fits");
    }
    archive.finish().expect("it fits").into_inner()
}

fn numbers(bytes: usize) -> Vec<u8> {
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    (0..bytes).map(|_| next()).collect()
}

fn text(text: &str) -> Vec<u8> {
    [b"X", u32::try_from(text.len()).expect("it fits").to_le_bytes().as_slice(), text.as_bytes()].concat()
}

/// `{'model': DetectionModel(yaml={'yaml_file': …}, weight=…)}` in Python's protocol 2.
fn description(model: &str, count: usize) -> Vec<u8> {
    let count = [b"J", i32::try_from(count).expect("it fits").to_le_bytes().as_slice()].concat();
    let mut code = b"\x80\x02}".to_vec();
    code.extend(text("model"));
    code.extend(b"cultralytics.nn.tasks\nDetectionModel\n)\x81}(");
    code.extend(text("yaml"));
    code.extend(b"}");
    code.extend(text("yaml_file"));
    code.extend(text(&format!("{model}.yaml")));
    code.push(b's');
    code.extend(text("weight"));
    code.extend(b"ctorch._utils\n_rebuild_parameter\n(ctorch._utils\n_rebuild_tensor_v2\n((");
    code.extend(text("storage"));
    code.extend(b"ctorch\nHalfStorage\n");
    code.extend(text("0"));
    code.extend(text("cpu"));
    code.extend(&count);
    code.extend(b"tQK\x00");
    code.extend(&count);
    code.extend(b"\x85K\x01\x85\x89NtR\x89NtRubs.");
    code
}
