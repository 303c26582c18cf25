//! A dataset as a program reads it.

use preflight_core::dataset::{Dataset, Split};
use preflight_engine::dataset::convert::Converted;
use serde_json::{Map, Value, json};

/// Everything but the findings and the verdict.
pub(super) fn dataset(dataset: &Dataset) -> Value {
    let splits: Map<String, Value> = dataset.splits.iter().map(split).collect();
    json!({
        "root": dataset.root,
        "yaml": dataset.yaml,
        "task": dataset.task,
        "classes": dataset.names,
        "keypoints": dataset.keypoints,
        "channels": dataset.channels,
        "most_boxes": dataset.most_boxes,
        "splits": splits,
        "timing": { "took_ms": dataset.took_ms },
    })
}

fn split(split: &Split) -> (String, Value) {
    let value = json!({
        "path": split.sources.first().map(|source| &source.resolved),
        "sources": split.sources,
        "images": split.images,
        "labelled": split.labelled,
        "background": split.background,
        "corrupt": split.corrupt,
        "instances": split.instances,
        "class_instances": split.class_instances,
        "sides": split.sides,
    });
    (split.kind.name().to_owned(), value)
}

/// What was converted.
pub(super) fn converted(made: &Converted) -> Value {
    json!({
        "form": made.form,
        "yaml": made.yaml,
        "images": made.images,
        "objects": made.objects,
        "unlisted": made.unlisted,
    })
}

/// Findings with the place of their first evidence where a program finds it at once.
pub(super) fn located(mut findings: Vec<Value>) -> Vec<Value> {
    for finding in &mut findings {
        let place = |key: &str| {
            let mut evidence = finding["evidence"].as_array().into_iter().flatten();
            evidence.find(|one| one["kind"] == "file").map(|one| one[key].clone()).unwrap_or_default()
        };
        let (file, line) = (place("path"), place("line"));
        finding["file"] = file;
        finding["line"] = line;
    }
    findings
}
