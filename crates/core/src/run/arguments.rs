//! The arguments of the Ultralytics trainer that a plan may set beside its own fields.

use crate::plan::Training;
use crate::problem::Problem;

/// The version of Ultralytics whose `cfg/default.yaml` [`KNOWN`] and [`RESERVED`] are taken from.
pub const SOURCE: &str = "8.4.190";

/// Arguments that this app sets from the plan's fields, or that would lead the trainer out of its run's folder.
pub const RESERVED: [&str; 19] = [
    "batch",
    "cfg",
    "data",
    "device",
    "epochs",
    "exist_ok",
    "imgsz",
    "mode",
    "model",
    "name",
    "pretrained",
    "project",
    "resume",
    "save",
    "save_dir",
    "seed",
    "split",
    "task",
    "workers",
];

/// Arguments of training and of the validation in it: every other section of the file is about prediction or export.
pub const KNOWN: [&str; 71] = [
    "agnostic_nms",
    "amp",
    "angle",
    "augment",
    "auto_augment",
    "bgr",
    "box",
    "cache",
    "channels_last",
    "classes",
    "close_mosaic",
    "cls",
    "cls_pw",
    "cls_remap",
    "compile",
    "conf",
    "copy_paste",
    "copy_paste_mode",
    "cos_lr",
    "cutmix",
    "degrees",
    "deterministic",
    "dfl",
    "dgrad",
    "dis",
    "distill_model",
    "dlam",
    "dlog",
    "dropout",
    "erasing",
    "fliplr",
    "flipud",
    "fraction",
    "freeze",
    "hsv_h",
    "hsv_s",
    "hsv_v",
    "iou",
    "kobj",
    "lr0",
    "lrf",
    "mask_ratio",
    "max_det",
    "mixup",
    "momentum",
    "mosaic",
    "multi_scale",
    "nbs",
    "optimizer",
    "overlap_mask",
    "patience",
    "perspective",
    "plots",
    "pose",
    "profile",
    "quantize",
    "rect",
    "rle",
    "save_json",
    "save_period",
    "scale",
    "shear",
    "single_cls",
    "time",
    "translate",
    "val",
    "verbose",
    "warmup_bias_lr",
    "warmup_epochs",
    "warmup_momentum",
    "weight_decay",
];

/// Looks at the names of a plan's further arguments; their values are the trainer's to judge.
///
/// # Errors
/// `plan.reserved-argument` and `plan.unknown-argument` with the name.
pub fn check(training: &Training) -> Result<(), Problem> {
    for name in training.extra.keys() {
        if RESERVED.contains(&name.as_str()) {
            return Err(Problem::new("plan.reserved-argument").with("name", name.as_str()));
        }
        if !KNOWN.contains(&name.as_str()) {
            return Err(Problem::new("plan.unknown-argument").with("name", name.as_str()).with("version", SOURCE));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Plan, Scalar};

    fn with(name: &str) -> Result<(), String> {
        let mut training = Plan::default().training;
        training.extra.insert(name.to_owned(), Scalar::Integer(1));
        check(&training).map_err(|problem| problem.code)
    }

    #[test]
    fn further_arguments_are_those_of_training() {
        assert_eq!(with("mosaic"), Ok(()));
        assert_eq!(with("device"), Err("plan.reserved-argument".to_owned()));
        assert_eq!(with("lr_0"), Err("plan.unknown-argument".to_owned()));
        assert_eq!(with("tracker"), Err("plan.unknown-argument".to_owned()));
    }

    #[test]
    fn no_argument_is_both_known_and_reserved() {
        assert!(KNOWN.is_sorted() && RESERVED.is_sorted());
        assert!(KNOWN.iter().all(|name| !RESERVED.contains(name)));
    }
}
