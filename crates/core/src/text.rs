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

/// A Fluent file: its name, and its text in English and in Simplified Chinese.
type Source = (&'static str, &'static str, &'static str);

/// The Fluent files, in the order they are loaded.
const SOURCES: &[Source] = &sources![
    "account",
    "cli",
    "data",
    "diagnosis",
    "doctor",
    "ended",
    "environment",
    "gallery",
    "gpu",
    "health",
    "kit",
    "machine",
    "memory",
    "models",
    "run",
    "shared",
    "trial",
    "weights",
    "window"
];

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
        Self::from_sources(language, SOURCES)
    }

    fn from_sources(language: Language, sources: &[Source]) -> Self {
        let id: LanguageIdentifier = language.tag().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![id]);
        // Isolation marks are invisible characters that would end up in paths people copy.
        bundle.set_use_isolating(false);
        bundle.set_formatter(Some(format_value));
        for (name, function) in FUNCTIONS {
            // Fails only when a function is added twice.
            let _ = bundle.add_function(name, function);
        }
        for (_, en, zh) in sources {
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
    // What would print as 1024 belongs to the next unit; GiB and TiB are printed with a decimal.
    while value.abs() >= (if unit < 3 { 1023.5 } else { 1023.95 }) && unit + 1 < UNITS.len() {
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
        (d, h, _) if h == 0 || d >= 10 => format!("{d} d"),
        (d, h, _) => format!("{d} d {h} h"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SAMPLE: &[Source] = &[(
        "sample",
        "both = English\n    .help = English help\n\
         only-english = Only in English\n\
         count = { $n } images\n\
         kinds = { $n ->\n    [one] one image\n   *[other] { $n } images\n}\n\
         size = { BYTES($n) }\n\
         time = { DURATION($n) }\n\
         share = { PERCENT($n) }\n\
         decimal = { DECIMAL($n) } { DECIMAL($n, digits: 3) }\n\
         path = In { $path }.\n",
        "both = 中文\n    .help = 中文帮助\n",
    )];

    fn say(language: Language, id: &str, args: &[(&str, Value)]) -> String {
        let args = args.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Message { id: id.to_owned(), args }.render(&Texts::from_sources(language, SAMPLE))
    }

    fn number(id: &str, n: f64) -> String {
        say(Language::En, id, &[("n", n.into())])
    }

    #[test]
    fn the_other_language_falls_back_to_english_and_then_to_the_id() {
        assert_eq!(say(Language::ZhCn, "both", &[]), "中文");
        assert_eq!(say(Language::ZhCn, "both.help", &[]), "中文帮助");
        assert_eq!(say(Language::ZhCn, "only-english", &[]), "Only in English");
        assert_eq!(say(Language::ZhCn, "nowhere", &[]), "nowhere");
        assert_eq!(say(Language::En, "both.nowhere", &[]), "both.nowhere");
        assert_eq!(Texts::from_sources(Language::En, SAMPLE).render("nowhere", &Args::new()), None);
    }

    #[test]
    fn plain_numbers_are_grouped_by_thousands() {
        for (n, expected) in [
            (0.0, "0 images"),
            (999.0, "999 images"),
            (1_000.0, "1,000 images"),
            (1_234_567.0, "1,234,567 images"),
            (-12_345.0, "-12,345 images"),
            (1234.5, "1,234.5 images"),
        ] {
            assert_eq!(number("count", n), expected);
        }
        assert_eq!(number("kinds", 1.0), "one image", "a number still selects");
        assert_eq!(number("kinds", 2000.0), "2,000 images");
    }

    #[test]
    fn functions_format_sizes_times_and_shares() {
        assert_eq!(number("size", 8.5e9), "7.9 GiB");
        assert_eq!(number("time", 12_000.0), "3 h 20 min");
        assert_eq!(number("share", 0.344), "34 %");
        assert_eq!(number("decimal", 2.0), "2.0 2.000");
    }

    #[test]
    fn text_is_passed_through_untouched() {
        let path = "/home/张三/data set/{ $x }/--help";
        assert_eq!(say(Language::En, "path", &[("path", path.into())]), format!("In {path}."));
    }

    #[test]
    fn sizes_have_two_or_three_digits() {
        for (n, expected) in [
            (0.0, "0 B"),
            (1023.0, "1023 B"),
            (1024.0, "1.0 KiB"),
            (31.4 * 1024.0, "31 KiB"),
            (1_048_524.0, "1.0 MiB"),
            (512.0 * 1_048_576.0, "512 MiB"),
            (12.0 * 1_073_741_824.0, "12.0 GiB"),
            (3e15, "2728.5 TiB"),
        ] {
            assert_eq!(bytes(n), expected);
        }
    }

    #[test]
    fn durations_have_two_units_at_most() {
        for (seconds, expected) in [
            (0.4, "0 s"),
            (59.6, "1 min"),
            (61.0, "1 min 1 s"),
            (630.0, "10 min"),
            (3_599.0, "59 min"),
            (3_600.0, "1 h"),
            (90_000.0, "1 d 1 h"),
            (172_800.0, "2 d"),
            (950_000.0, "10 d"),
            (-5.0, "0 s"),
            (f64::NAN, "0 s"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
    }

    #[test]
    fn a_system_locale_finds_its_language() {
        assert_eq!(Language::for_locale("zh_CN.UTF-8"), Language::ZhCn);
        assert_eq!(Language::for_locale("zh-Hans-SG"), Language::ZhCn);
        assert_eq!(Language::for_locale("de_DE"), Language::En);
        assert_eq!(Language::for_locale("C"), Language::En);
        assert_eq!("ZH-cn".parse(), Ok(Language::ZhCn));
        assert_eq!("fr".parse::<Language>(), Err(()));
    }

    proptest! {
        #[test]
        fn larger_sizes_never_read_smaller(a in 0_u64..1 << 50, b in 0_u64..1 << 50) {
            let read = |n: u64| {
                let text = bytes(n as f64);
                let (value, unit) = text.split_once(' ').unwrap();
                let power = ["B", "KiB", "MiB", "GiB", "TiB"].iter().position(|known| *known == unit).unwrap();
                value.parse::<f64>().unwrap() * 1024_f64.powi(i32::try_from(power).unwrap())
            };
            let (small, large) = (a.min(b), a.max(b));
            prop_assert!(read(small) <= read(large));
            // Half a step of the last digit shown.
            prop_assert!((read(large) - large as f64).abs() <= large as f64 * 0.05);
        }

        #[test]
        fn any_number_can_be_said(n in any::<f64>()) {
            for id in ["count", "kinds", "size", "time", "share", "decimal"] {
                let text = number(id, n);
                prop_assert!(!text.contains('{'), "{}", text);
            }
        }
    }
}
