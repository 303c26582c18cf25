//! Sentences a person reads, by id. The words live in `locales/`, never in code.

use std::collections::BTreeMap;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use serde::{Deserialize, Serialize};
use unic_langid::LanguageIdentifier;

/// The languages the app speaks, all of them complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    En,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    ZhCn,
}

impl Language {
    /// All languages, the fallback first.
    pub const ALL: [Self; 2] = [Self::En, Self::ZhCn];

    /// The BCP 47 tag, as used in `--lang` and in folder names under `locales/`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::ZhCn => "zh-CN",
        }
    }

    /// The language that serves a system locale such as `zh_CN.UTF-8` best; English when none does.
    #[must_use]
    pub fn for_locale(locale: &str) -> Self {
        if locale.to_ascii_lowercase().starts_with("zh") { Self::ZhCn } else { Self::En }
    }
}

impl std::str::FromStr for Language {
    type Err = ();

    fn from_str(tag: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(tag)).ok_or(())
    }
}

/// An argument of a sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(untagged)]
pub enum Value {
    /// A number; the sentence says how it is formatted (`BYTES($n)`, `DURATION($n)`, …).
    Number(f64),
    /// Text that is the same in every language: a path, a name, an id.
    Text(String),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
impl From<&std::path::Path> for Value {
    fn from(path: &std::path::Path) -> Self {
        Self::Text(path.display().to_string())
    }
}
impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}
impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(f64::from(number))
    }
}
impl From<u64> for Value {
    #[expect(clippy::cast_precision_loss, reason = "shown to a person; exact below 2^53")]
    fn from(number: u64) -> Self {
        Self::Number(number as f64)
    }
}
impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::from(number as u64)
    }
}

/// The arguments of a sentence, by name.
pub type Args = BTreeMap<String, Value>;

/// A sentence: an id of `locales/` and its arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Message {
    /// The Fluent id, optionally with an attribute: `finding-data-no-val.detail`.
    pub id: String,
    /// What the sentence's placeholders stand for.
    pub args: Args,
}

impl Message {
    /// The sentence with this id, without arguments.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), args: Args::new() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.args.insert(name.to_owned(), value.into());
        self
    }

    /// The sentence in a language.
    #[must_use]
    pub fn render(&self, texts: &Texts) -> String {
        texts.render(&self.id, &self.args).unwrap_or_else(|| self.id.clone())
    }
}

/// Embeds `locales/<language>/<file>.ftl` for every language.
macro_rules! sources {
    ($($file:literal),* $(,)?) => {
        [$((
            $file,
            include_str!(concat!("../../../locales/en/", $file, ".ftl")),
            include_str!(concat!("../../../locales/zh-CN/", $file, ".ftl")),
        )),*]
    };
}

/// The Fluent files, per language, in the order they are loaded.
const SOURCES: &[(&str, &str, &str)] =
    &sources!["cli", "data", "environment", "machine", "memory", "models", "run", "shared", "window",];

/// The sentences of one language, with English behind them.
pub struct Texts {
    language: Language,
    bundle: FluentBundle<FluentResource>,
}

impl std::fmt::Debug for Texts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Texts").field("language", &self.language).finish_non_exhaustive()
    }
}

impl Texts {
    /// Loads a language's sentences.
    #[must_use]
    pub fn new(language: Language) -> Self {
        let id: LanguageIdentifier = language.tag().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![id]);
        // Isolation marks are invisible characters that would end up in paths people copy.
        bundle.set_use_isolating(false);
        bundle.set_formatter(Some(format_value));
        for (name, function) in FUNCTIONS {
            // Fails only when a function is added twice.
            let _ = bundle.add_function(name, function);
        }
        for (_, en, zh) in SOURCES {
            bundle.add_resource_overriding(parse(en));
            if language == Language::ZhCn {
                bundle.add_resource_overriding(parse(zh));
            }
        }
        Self { language, bundle }
    }

    /// The language of these sentences.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// The sentence with this id (`id` or `id.attribute`), or `None` when there is no such sentence.
    #[must_use]
    pub fn render(&self, id: &str, args: &Args) -> Option<String> {
        let (id, attribute) = id.split_once('.').map_or((id, None), |(id, attribute)| (id, Some(attribute)));
        let message = self.bundle.get_message(id)?;
        let pattern = match attribute {
            Some(attribute) => message.get_attribute(attribute)?.value(),
            None => message.value()?,
        };
        let mut fluent_args = FluentArgs::new();
        for (name, value) in args {
            let value = match value {
                Value::Number(number) => FluentValue::from(*number),
                Value::Text(text) => FluentValue::from(text.as_str()),
            };
            fluent_args.set(name.as_str(), value);
        }
        let mut errors = Vec::new();
        Some(self.bundle.format_pattern(pattern, Some(&fluent_args), &mut errors).into_owned())
    }

    /// The sentence with this id and no arguments; the id itself when there is none.
    #[must_use]
    pub fn get(&self, id: &str) -> String {
        self.render(id, &Args::new()).unwrap_or_else(|| id.to_owned())
    }
}

fn parse(source: &str) -> FluentResource {
    // A file with a syntax error still yields its other sentences; a test refuses such files.
    FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, _)| resource)
}

type Function = for<'a> fn(&[FluentValue<'a>], &FluentArgs<'_>) -> FluentValue<'a>;

/// Functions that sentences may use. `ui/src/lib/text.ts` has the same ones with the same results.
const FUNCTIONS: [(&str, Function); 4] = [
    ("BYTES", |values, _| number(values).map_or(FluentValue::Error, |n| bytes(n).into())),
    ("DURATION", |values, _| number(values).map_or(FluentValue::Error, |n| duration(n).into())),
    ("PERCENT", |values, _| number(values).map_or(FluentValue::Error, |n| format!("{:.0} %", n * 100.0).into())),
    ("DECIMAL", |values, named| {
        let digits = match named.get("digits") {
            Some(FluentValue::Number(digits)) => digits.value,
            _ => 1.0,
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let digits = digits.clamp(0.0, 9.0) as usize;
        number(values).map_or(FluentValue::Error, |n| format!("{n:.digits$}").into())
    }),
];

fn number(values: &[FluentValue<'_>]) -> Option<f64> {
    match values.first() {
        Some(FluentValue::Number(number)) => Some(number.value),
        _ => None,
    }
}

/// Groups the thousands of a plain number with a comma, as `Intl.NumberFormat` does for both languages.
fn format_value<M: fluent_bundle::memoizer::MemoizerKind>(value: &FluentValue<'_>, _: &M) -> Option<String> {
    let FluentValue::Number(number) = value else { return None };
    let text = number.as_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_ref()), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    Some(match fraction {
        Some(fraction) => format!("{sign}{grouped}.{fraction}"),
        None => format!("{sign}{grouped}"),
    })
}

/// A size in binary units: `7.9 GiB`, `512 MiB`, `31 KiB`.
#[must_use]
pub fn bytes(n: f64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = n;
    let mut unit = 0;
    // 1023.95 would print as "1024.0": it belongs to the next unit.
    while value.abs() >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    // One decimal where it tells something: below 10 of any unit, and always for GiB and TiB.
    if unit == 0 || (unit < 3 && value.abs() >= 9.95) {
        format!("{value:.0} {}", UNITS[unit])
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

/// A duration in seconds, in at most two units that mean the same in both languages: `3 h 20 min`, `45 s`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what u64 holds")]
    let total = seconds.max(0.0).round().min(1e15) as u64;
    let (days, hours, minutes, rest) = (total / 86_400, total / 3_600 % 24, total / 60 % 60, total % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{rest} s"),
        (0, 0, m) if m < 10 && rest > 0 => format!("{m} min {rest} s"),
        (0, 0, m) => format!("{m} min"),
        (0, h, 0) => format!("{h} h"),
        (0, h, m) => format!("{h} h {m} min"),
        (d, 0, _) => format!("{d} d"),
        (d, h, _) => format!("{d} d {h} h"),
    }
}
