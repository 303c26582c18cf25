//! Reading what was typed after an option. Refusals are problems, so that they are said in the person's language.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use preflight_core::models;
use preflight_core::plan::{Device, Scalar};
use preflight_core::problem::Problem;
use preflight_core::run::RunState;
use preflight_core::text::Language;

/// Trainer arguments that the plan has a place of its own for, with the option that sets them.
const OWN: [(&str, &str); 9] = [
    ("model", "--model"),
    ("data", "--dataset"),
    ("imgsz", "--imgsz"),
    ("batch", "--batch"),
    ("epochs", "--epochs"),
    ("device", "--device"),
    ("workers", "--workers"),
    ("seed", "--seed"),
    ("pretrained", "--weights"),
];

pub(crate) fn language() -> impl TypedValueParser<Value = Language> {
    PossibleValuesParser::new(Language::ALL.map(Language::tag)).map(|tag| tag.parse().unwrap_or_default())
}

/// States of runs, as JSON names them.
pub(crate) fn state() -> impl TypedValueParser<Value = RunState> {
    const STATES: [(&str, RunState); 8] = [
        ("queued", RunState::Queued),
        ("preparing", RunState::Preparing),
        ("running", RunState::Running),
        ("paused", RunState::Paused),
        ("succeeded", RunState::Succeeded),
        ("failed", RunState::Failed),
        ("cancelled", RunState::Cancelled),
        ("lost", RunState::Lost),
    ];
    let named =
        |name: String| STATES.iter().find(|(state, _)| *state == name).map_or(RunState::Lost, |(_, state)| *state);
    PossibleValuesParser::new(STATES.map(|(name, _)| name)).map(named)
}

pub(crate) fn model(text: &str) -> Result<String, Problem> {
    if models::card(text).is_some() {
        return Ok(text.to_owned());
    }
    let names: Vec<_> = models::ALL.iter().map(|card| card.name.as_str()).collect();
    Err(Problem::new("usage.unknown-model").with("model", text).with("models", names.join(", ")))
}

pub(crate) fn device(text: &str) -> Result<Device, Problem> {
    text.parse().map_err(|_| Problem::new("usage.not-a-device").with("value", text))
}

pub(crate) fn whole(text: &str) -> Result<u32, Problem> {
    text.parse().map_err(|_| Problem::new("usage.not-a-number").with("value", text).with("least", 0_u32))
}

pub(crate) fn positive(text: &str) -> Result<u32, Problem> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(Problem::new("usage.not-a-number").with("value", text).with("least", 1_u32)),
    }
}

/// A share of 1.
pub(crate) fn share(text: &str) -> Result<f64, Problem> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| Problem::new("usage.not-a-share").with("value", text))
}

pub(crate) fn switch(text: &str) -> Result<bool, Problem> {
    match text {
        "on" | "true" => Ok(true),
        "off" | "false" => Ok(false),
        _ => Err(Problem::new("usage.not-a-switch").with("value", text)),
    }
}

/// A number that is not negative.
pub(crate) fn amount(text: &str) -> Result<f64, Problem> {
    let amount = text.parse().ok().filter(|amount: &f64| amount.is_finite() && *amount >= 0.0);
    amount.ok_or_else(|| Problem::new("usage.not-an-amount").with("value", text))
}

/// A CUDA version as PyTorch's index names its folders: `cu128`, also typed `12.8`.
pub(crate) fn cuda(text: &str) -> Result<String, Problem> {
    let digits: String = text.strip_prefix("cu").unwrap_or(text).chars().filter(|c| *c != '.').collect();
    if (2..=4).contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_digit()) {
        Ok(format!("cu{digits}"))
    } else {
        Err(Problem::new("usage.not-a-cuda-version").with("value", text))
    }
}

/// `KEY=VALUE` of the Ultralytics trainer.
pub(crate) fn setting(text: &str) -> Result<(String, Scalar), Problem> {
    let Some((key, value)) = text.split_once('=').filter(|(key, _)| is_name(key)) else {
        return Err(Problem::new("usage.not-a-setting").with("value", text));
    };
    if let Some((_, option)) = OWN.iter().find(|(own, _)| *own == key) {
        return Err(Problem::new("usage.has-an-option").with("key", key).with("option", *option));
    }
    Ok((key.to_owned(), scalar(value)))
}

fn is_name(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn scalar(text: &str) -> Scalar {
    match text.to_ascii_lowercase().as_str() {
        "true" => Scalar::Bool(true),
        "false" => Scalar::Bool(false),
        // `inf` and `nan` are numbers to Rust and words to a person.
        _ if !text.contains(|c: char| c.is_ascii_digit()) => Scalar::Text(text.to_owned()),
        _ => match (text.parse(), text.parse()) {
            (Ok(number), _) => Scalar::Integer(number),
            (_, Ok(number)) => Scalar::Float(number),
            _ => Scalar::Text(text.to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_keep_the_type_a_person_meant() {
        let read = |text| setting(text).unwrap().1;
        assert_eq!(read("nbs=8"), Scalar::Integer(8));
        assert_eq!(read("lr0=0.002"), Scalar::Float(0.002));
        assert_eq!(read("lr0=2e-3"), Scalar::Float(0.002));
        assert_eq!(read("cos_lr=True"), Scalar::Bool(true));
        assert_eq!(read("optimizer=AdamW"), Scalar::Text("AdamW".to_owned()));
        assert_eq!(read("cache=inf"), Scalar::Text("inf".to_owned()));
        assert_eq!(read("note=a=b"), Scalar::Text("a=b".to_owned()));
        assert_eq!(read("note="), Scalar::Text(String::new()));
    }

    #[test]
    fn settings_that_are_none_are_refused() {
        for (text, code) in [
            ("nbs", "usage.not-a-setting"),
            ("=8", "usage.not-a-setting"),
            ("a b=8", "usage.not-a-setting"),
            ("epochs=3", "usage.has-an-option"),
        ] {
            assert_eq!(setting(text).unwrap_err().code, code, "{text}");
        }
    }

    #[test]
    fn cuda_versions_are_named_as_on_the_index() {
        assert_eq!(cuda("cu128").unwrap(), "cu128");
        assert_eq!(cuda("12.8").unwrap(), "cu128");
        assert_eq!(cuda("latest").unwrap_err().code, "usage.not-a-cuda-version");
    }

    #[test]
    fn numbers_have_a_least_value() {
        assert_eq!(positive("8").unwrap(), 8);
        assert_eq!(whole("0").unwrap(), 0);
        assert_eq!(positive("0").unwrap_err().code, "usage.not-a-number");
        assert_eq!(whole("-1").unwrap_err().code, "usage.not-a-number");
    }
}
