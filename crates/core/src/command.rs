//! Commands as a person would type them.

use crate::machine::{VISIBLE_DEVICES, slice_of};
use crate::plan::{Plan, Scalar, Weights};

/// A line that a POSIX shell reads as these words.
#[must_use]
pub fn line<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> String {
    words.into_iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The line by which Ultralytics' own command would train as a plan says, on a device as Ultralytics counts (`cpu`,
/// `0,1`), or on the slice of a divided card that is named. It trains on the dataset itself, where this app trains on a
/// shadow of it.
#[must_use]
pub fn ultralytics_line(plan: &Plan, device: &str) -> String {
    match slice_of(device) {
        // A device of its own would make Ultralytics write over the variable.
        Some(slice) => format!("{VISIBLE_DEVICES}={} {}", quoted(slice), line(ultralytics(plan, None))),
        None => line(ultralytics(plan, Some(device))),
    }
}

fn ultralytics(plan: &Plan, device: Option<&str>) -> Vec<String> {
    let Plan { model, training, .. } = plan;
    let weights = match model.weights {
        Weights::Pretrained => format!("{}.pt", model.name),
        Weights::Scratch => format!("{}.yaml", model.name),
        Weights::File => model.file.to_string_lossy().into_owned(),
    };
    let mut words: Vec<String> = ["yolo", "detect", "train"].map(str::to_owned).into();
    let mut set = |name: &str, value: String| words.push(format!("{name}={value}"));
    set("data", plan.dataset.to_string_lossy().into_owned());
    set("model", weights);
    set("imgsz", training.imgsz.to_string());
    set("batch", training.batch.to_string());
    set("epochs", training.epochs.to_string());
    if let Some(device) = device {
        set("device", device.to_owned());
    }
    set("seed", training.seed.to_string());
    if let Some(workers) = training.workers {
        set("workers", workers.to_string());
    }
    for (name, value) in &training.extra {
        set(name, python(value));
    }
    words
}

/// A value as Python writes it.
fn python(value: &Scalar) -> String {
    match value {
        Scalar::Bool(true) => "True".to_owned(),
        Scalar::Bool(false) => "False".to_owned(),
        Scalar::Integer(number) => number.to_string(),
        Scalar::Float(number) => format!("{number:?}"),
        Scalar::Text(text) => text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_the_words_it_was_made_of() {
        assert_eq!(line(["python", "-c", "a=1"]), "python -c a=1");
        assert_eq!(line(["/data/it's $(rm)/图 片.yaml", "", "a\nb"]), "'/data/it'\\''s $(rm)/图 片.yaml' '' 'a\nb'");
    }

    #[test]
    fn ultralytics_is_told_what_the_plan_says() {
        let mut plan = Plan { dataset: "/data/plates/data.yaml".into(), ..Plan::default() };
        assert_eq!(
            ultralytics_line(&plan, "0"),
            "yolo detect train data=/data/plates/data.yaml model=yolov8n.pt imgsz=640 batch=16 epochs=100 device=0 seed=0"
        );
        assert_eq!(
            ultralytics_line(&plan, "MIG-aa-bb"),
            "CUDA_VISIBLE_DEVICES=MIG-aa-bb yolo detect train data=/data/plates/data.yaml model=yolov8n.pt imgsz=640 \
             batch=16 epochs=100 seed=0"
        );
        plan.dataset = "/data/$(rm)/图 片.yaml".into();
        plan.model.weights = Weights::Scratch;
        plan.training.workers = Some(2);
        plan.training.extra = [
            ("cos_lr", Scalar::Bool(true)),
            ("lr0", Scalar::Float(1e-7)),
            ("mosaic", Scalar::Float(0.0)),
            ("optimizer", Scalar::Text("AdamW".to_owned())),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        assert_eq!(
            ultralytics_line(&plan, "0,1"),
            "yolo detect train 'data=/data/$(rm)/图 片.yaml' model=yolov8n.yaml imgsz=640 batch=16 epochs=100 \
             device=0,1 seed=0 workers=2 cos_lr=True lr0=1e-7 mosaic=0.0 optimizer=AdamW"
        );
    }
}
