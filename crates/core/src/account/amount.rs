//! Amounts of a budget: decimal, so that `0.1 + 0.2` is `0.3`, and `0.5` is less than `1`.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// A decimal amount. In JSON and TOML it is text, so that no digit is lost; whole and broken numbers are read as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(Decimal);

/// Digits behind the point that a person is shown.
const SHOWN: u32 = 4;

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(Decimal::ZERO);
    /// One.
    pub const ONE: Self = Self(Decimal::ONE);

    /// Reads `12`, `0.5`, `-3`, `1e3`; `None`: it is no amount, or larger than any budget.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if !text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') || text.contains('_') {
            return None;
        }
        text.parse().or_else(|_| Decimal::from_scientific(text)).ok().map(Self)
    }

    /// A number of JSON, or a text that holds one; `None`: it is neither.
    #[must_use]
    pub fn of_json(value: &serde_json::Value) -> Option<Self> {
        match value {
            // The shortest text of a number is what was written, up to 15 digits.
            serde_json::Value::Number(number) => Self::parse(&number.to_string()),
            serde_json::Value::String(text) => Self::parse(text),
            _ => None,
        }
    }

    /// What was worked out in floating point; `None`: it is no finite number, or larger than any budget.
    #[must_use]
    pub fn of_float(value: f64) -> Option<Self> {
        Decimal::try_from(value).ok().map(Self)
    }

    /// The same as a floating-point number, for ratios alone.
    #[must_use]
    pub fn to_float(self) -> f64 {
        f64::try_from(self.0).unwrap_or(f64::NAN)
    }

    /// What is left when this is taken away; at the edge of what can be held, the edge.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// So many times; at the edge of what can be held, the edge.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self(self.0.saturating_mul(other.0))
    }

    /// How often another amount goes into this one; `None`: it is nothing, or the result cannot be held.
    #[must_use]
    pub fn over(self, other: Self) -> Option<Self> {
        self.0.checked_div(other.0).map(Self)
    }

    /// The largest whole number that is not larger, 0 at least.
    #[must_use]
    pub fn floor(self) -> u64 {
        u64::try_from(self.0.floor().max(Decimal::ZERO)).unwrap_or(u64::MAX)
    }

    /// Whether there is nothing left of it.
    #[must_use]
    pub fn is_spent(self) -> bool {
        self.0 <= Decimal::ZERO
    }

    /// For a person: without needless zeros, and cut off rather than rounded up, so that nobody reads more than there is.
    #[must_use]
    pub fn shown(self) -> String {
        let cut = self.0.trunc_with_scale(SHOWN).normalize();
        // A very small amount is not nothing.
        let text = if cut.is_zero() && !self.0.is_zero() { self.0.normalize() } else { cut };
        text.to_string()
    }

    /// For a person, where an estimate has no use for more digits.
    #[must_use]
    pub fn roughly(self) -> String {
        self.0.round_sf(3).unwrap_or(self.0).normalize().to_string()
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.normalize().fmt(f)
    }
}

impl Serialize for Amount {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Amount;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an amount, such as 0.8 or \"0.8\"")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Amount, E> {
                Amount::parse(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Amount, E> {
                Ok(Amount(number.into()))
            }
            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Amount, E> {
                Ok(Amount(number.into()))
            }
            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Amount, E> {
                let read = Amount::parse(&number.to_string());
                read.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Float(number), &self))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(feature = "typescript")]
impl specta::Type for Amount {
    fn definition(types: &mut specta::Types) -> specta::datatype::DataType {
        String::definition(types)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    #[test]
    fn half_an_hour_is_less_than_one() {
        assert!(amount("0.5") < Amount::ONE, "what an integer test of a shell gets wrong");
        assert_eq!(amount("0.3").minus(amount("0.1")).minus(amount("0.2")), Amount::ZERO);
        assert_eq!(Amount::of_json(&serde_json::json!(0.1)), Some(amount("0.1")));
        assert_eq!(Amount::of_json(&serde_json::json!("12.50")), Some(amount("12.5")));
        assert_eq!(amount("1e3"), amount("1000"));
    }

    #[test]
    fn what_is_no_amount_is_none() {
        for text in ["", "abc", "1,5", "0x10", "NaN", "inf", "1e60", "1_000", "--1", "12 h", "+"] {
            assert_eq!(Amount::parse(text), None, "{text}");
        }
        for value in [serde_json::json!(null), serde_json::json!(true), serde_json::json!([1]), serde_json::json!(1e60)]
        {
            assert_eq!(Amount::of_json(&value), None, "{value}");
        }
        assert_eq!(Amount::of_float(f64::NAN), None);
        assert_eq!(Amount::ONE.over(Amount::ZERO), None);
    }

    #[test]
    fn nobody_reads_more_than_there_is() {
        assert_eq!(amount("0.99999").shown(), "0.9999");
        assert_eq!(amount("8.50").shown(), "8.5");
        assert_eq!(amount("0.0000004").shown(), "0.0000004");
        assert_eq!(amount("-2.25").shown(), "-2.25");
        assert_eq!(amount("12.3456").roughly(), "12.3");
    }

    proptest! {
        #[test]
        fn any_text_can_be_tried(text in ".{0,40}") {
            let _ = Amount::parse(&text);
        }

        #[test]
        fn written_and_read_again_it_is_the_same(mantissa: i64, scale in 0_u32..12) {
            let amount = Amount(Decimal::new(mantissa, scale));
            let text = serde_json::to_string(&amount).unwrap();
            prop_assert_eq!(serde_json::from_str::<Amount>(&text).unwrap(), amount);
            prop_assert_eq!(Amount::parse(&amount.to_string()), Some(amount));
        }

        #[test]
        fn arithmetic_never_panics_and_keeps_order(a: i64, b: i64, c in 0_u32..28, d in 0_u32..28) {
            let (a, b) = (Amount(Decimal::from_i128_with_scale(a.into(), c)), Amount(Decimal::from_i128_with_scale(b.into(), d)));
            let (least, most) = (a.min(b), a.max(b));
            prop_assert!(most.minus(least) >= Amount::ZERO);
            let _ = (a.times(b), a.over(b), a.floor(), a.roughly());
            prop_assert!(Amount::parse(&a.shown()).unwrap().0.abs() <= a.0.abs());
        }
    }
}
