//! The arguments of the Ultralytics trainer that a plan may set beside its own fields.

use crate::plan::{Scalar, Training};
use crate::problem::Problem;

use Kind::{Any, Fraction, Number, Quantize, Share, Switch, SwitchOr, SwitchOrText, Whole, Word};

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

/// What an argument takes, as `check_cfg` in the `cfg/__init__.py` of Ultralytics has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any number.
    Number,
    /// A number from 0 to 1.
    Fraction,
    /// A part of the images (a number above 0, up to 1) or how many.
    Share,
    /// A whole number of at least this.
    Whole(i32),
    /// True or false.
    Switch,
    /// True, false or one of these words.
    SwitchOr(&'static [&'static str]),
    /// True, false or a text.
    SwitchOrText,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A number of bits, or the name of a scheme.
    Quantize,
    /// Whatever the trainer makes of it.
    Any,
}

/// What `build_optimizer` in its `engine/trainer.py` knows.
const OPTIMIZERS: [&str; 9] = ["auto", "SGD", "MuSGD", "Adam", "Adamax", "AdamW", "NAdam", "RAdam", "RMSprop"];
const SCHEMES: [&str; 11] = ["8", "16", "32", "int8", "fp16", "fp32", "w8a8", "w16a16", "w32a32", "w8a16", "w8a32"];

/// Arguments of training and of the validation in it, and what they take: every other section of the file is about
/// prediction or export.
pub const KNOWN: [(&str, Kind); 71] = [
    ("agnostic_nms", Switch),
    ("amp", SwitchOr(&["fp16", "bf16", "fp32"])),
    ("angle", Number),
    ("augment", Switch),
    ("auto_augment", Word(&["randaugment", "autoaugment", "augmix"])),
    ("bgr", Fraction),
    ("box", Number),
    ("cache", Any),
    ("channels_last", Switch),
    ("classes", Any),
    ("close_mosaic", Whole(i32::MIN)),
    ("cls", Number),
    ("cls_pw", Fraction),
    ("cls_remap", Switch),
    ("compile", SwitchOrText),
    ("conf", Fraction),
    ("copy_paste", Fraction),
    ("copy_paste_mode", Word(&["flip", "mixup"])),
    ("cos_lr", Switch),
    ("cutmix", Fraction),
    ("degrees", Number),
    ("deterministic", Switch),
    ("dfl", Number),
    ("dgrad", Number),
    ("dis", Number),
    ("distill_model", Any),
    ("dlam", Fraction),
    ("dlog", Number),
    ("dropout", Fraction),
    ("erasing", Fraction),
    ("fliplr", Fraction),
    ("flipud", Fraction),
    ("fraction", Share),
    ("freeze", Any),
    ("hsv_h", Fraction),
    ("hsv_s", Fraction),
    ("hsv_v", Fraction),
    ("iou", Fraction),
    ("kobj", Number),
    ("lr0", Fraction),
    ("lrf", Fraction),
    ("mask_ratio", Whole(1)),
    ("max_det", Whole(1)),
    ("mixup", Fraction),
    ("momentum", Fraction),
    ("mosaic", Fraction),
    ("multi_scale", Fraction),
    ("nbs", Whole(1)),
    ("optimizer", Word(&OPTIMIZERS)),
    ("overlap_mask", Switch),
    ("patience", Whole(0)),
    ("perspective", Fraction),
    ("plots", Switch),
    ("pose", Number),
    ("profile", Switch),
    ("quantize", Quantize),
    ("rect", Switch),
    ("rle", Number),
    ("save_json", Switch),
    ("save_period", Whole(i32::MIN)),
    ("scale", Fraction),
    ("shear", Number),
    ("single_cls", Switch),
    ("time", Number),
    ("translate", Fraction),
    ("val", Switch),
    ("verbose", Switch),
    ("warmup_bias_lr", Fraction),
    ("warmup_epochs", Number),
    ("warmup_momentum", Fraction),
    ("weight_decay", Fraction),
];

impl Kind {
    /// Whether a value is one that the trainer takes. To Python, true and false are numbers too.
    fn takes(self, value: &Scalar) -> bool {
        let number = match value {
            Scalar::Bool(value) => Some(f64::from(u8::from(*value))),
            Scalar::Integer(value) => Some(f64::from(*value)),
            Scalar::Float(value) => Some(*value),
            Scalar::Text(_) => None,
        };
        let is_one_of = |words: &[&str]| matches!(value, Scalar::Text(text) if words.iter().any(|word| word.eq_ignore_ascii_case(text)));
        let is_switch = matches!(value, Scalar::Bool(_));
        match self {
            Any => true,
            Number => number.is_some(),
            Fraction => number.is_some_and(|number| (0.0..=1.0).contains(&number)),
            Share => match value {
                Scalar::Integer(count) => *count > 0,
                Scalar::Float(part) => *part > 0.0 && *part <= 1.0,
                Scalar::Bool(_) | Scalar::Text(_) => false,
            },
            Whole(least) => number.is_some_and(|number| number.fract() == 0.0 && number >= f64::from(least)),
            Switch => is_switch,
            SwitchOr(words) => is_switch || is_one_of(words),
            SwitchOrText => is_switch || matches!(value, Scalar::Text(_)),
            Word(words) => is_one_of(words),
            Quantize => match value {
                Scalar::Integer(bits) => matches!(bits, 8 | 16 | 32),
                _ => is_one_of(&SCHEMES),
            },
        }
    }

    /// Names what it takes, for a sentence: `number`, `fraction`, …, and the words or the least number.
    fn expectation(self) -> (&'static str, String) {
        match self {
            Number => ("number", String::new()),
            Fraction => ("fraction", String::new()),
            Share => ("share", String::new()),
            Whole(i32::MIN) => ("whole", String::new()),
            Whole(least) => ("at-least", least.to_string()),
            Switch => ("switch", String::new()),
            SwitchOr(words) => ("words", format!("true, false, {}", words.join(", "))),
            SwitchOrText | Any => ("text", String::new()),
            Word(words) => ("words", words.join(", ")),
            Quantize => ("words", SCHEMES.join(", ")),
        }
    }
}

/// Looks at the names and values of a plan's further arguments.
///
/// # Errors
/// `plan.reserved-argument` and `plan.unknown-argument` with the name, `plan.invalid-argument` with what it takes.
pub fn check(training: &Training) -> Result<(), Problem> {
    for (name, value) in &training.extra {
        if RESERVED.contains(&name.as_str()) {
            return Err(Problem::new("plan.reserved-argument").with("name", name.as_str()));
        }
        let Some((_, kind)) = KNOWN.iter().find(|(known, _)| known == name) else {
            return Err(Problem::new("plan.unknown-argument").with("name", name.as_str()).with("version", SOURCE));
        };
        if !kind.takes(value) {
            let (expects, values) = kind.expectation();
            return Err(Problem::new("plan.invalid-argument")
                .with("name", name.as_str())
                .with("value", value.to_string())
                .with("expects", expects)
                .with("values", values));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;

    fn set(name: &str, value: Scalar) -> Result<(), Problem> {
        let mut training = Plan::default().training;
        training.extra.insert(name.to_owned(), value);
        check(&training)
    }

    fn with(name: &str) -> Result<(), String> {
        set(name, Scalar::Integer(1)).map_err(|problem| problem.code)
    }

    #[test]
    fn further_arguments_are_those_of_training() {
        assert_eq!(with("mosaic"), Ok(()));
        assert_eq!(with("device"), Err("plan.reserved-argument".to_owned()));
        assert_eq!(with("lr_0"), Err("plan.unknown-argument".to_owned()));
        assert_eq!(with("tracker"), Err("plan.unknown-argument".to_owned()));
    }

    #[test]
    fn values_are_what_the_trainer_takes() {
        let text = |text: &str| Scalar::Text(text.to_owned());
        let problem = set("lr0", text("abc")).unwrap_err();
        assert_eq!((problem.code.as_str(), &problem.args["value"]), ("plan.invalid-argument", &"abc".into()));
        for (name, value) in [
            ("lr0", Scalar::Float(0.002)),
            ("patience", Scalar::Float(5.0)),
            ("fraction", Scalar::Integer(20)),
            ("optimizer", text("adamw")),
            ("amp", text("BF16")),
            ("freeze", Scalar::Integer(10)),
            ("cache", text("ram")),
        ] {
            assert_eq!(set(name, value), Ok(()), "{name}");
        }
        for (name, value, expects) in [
            ("lr0", Scalar::Integer(2), "fraction"),
            ("patience", Scalar::Integer(-1), "at-least"),
            ("nbs", Scalar::Float(0.5), "at-least"),
            ("close_mosaic", text("ten"), "whole"),
            ("cos_lr", Scalar::Integer(1), "switch"),
            ("optimizer", text("Adm"), "words"),
            ("fraction", Scalar::Float(0.0), "share"),
            ("degrees", text("ten"), "number"),
        ] {
            assert_eq!(set(name, value).unwrap_err().args["expects"], expects.into(), "{name}");
        }
    }

    #[test]
    fn no_argument_is_both_known_and_reserved() {
        assert!(KNOWN.is_sorted_by_key(|(name, _)| *name) && RESERVED.is_sorted());
        assert!(KNOWN.iter().all(|(name, _)| !RESERVED.contains(name)));
    }
}
