//! What a token says about itself. Nothing of it is verified: only the platform can, and it does.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest token that is read. Real ones with many groups have some ten thousand characters.
const LONGEST: usize = 256 << 10;

/// What a token turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    /// It says nothing about itself: an API key.
    Opaque,
    /// A JSON web token.
    Claims(Claims),
    /// Nothing that a platform could take.
    Malformed(TokenFault),
}

/// Why something is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
#[serde(rename_all = "kebab-case")]
pub enum TokenFault {
    /// Nothing at all.
    Empty,
    /// A line end or another character that no header can hold in the middle of it.
    Characters,
    /// The word before it was copied too: `Bearer …`.
    Prefix,
    /// Quotation marks around it.
    Quotes,
    /// The beginning of a JSON web token; the rest is missing or damaged.
    CutOff,
    /// Longer than any token.
    TooLong,
}

/// What a JSON web token says about itself. Times are seconds since 1970 UTC.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(specta::Type))]
pub struct Claims {
    /// Not valid from then on.
    pub expires_s: Option<f64>,
    /// Not valid before.
    pub not_before_s: Option<f64>,
    /// When it was issued.
    pub issued_s: Option<f64>,
    /// Whom it is for; empty: not said.
    pub audience: Vec<String>,
    /// Who issued it.
    pub issuer: Option<String>,
    /// Whose it is, as a person would say it.
    pub account: Option<String>,
    /// What it permits; empty: not said.
    pub scopes: Vec<String>,
}

impl Token {
    /// Reads a token as it would be sent.
    #[must_use]
    pub fn read(token: &str) -> Self {
        let fault = |fault| Self::Malformed(fault);
        if token.is_empty() {
            return fault(TokenFault::Empty);
        }
        if token.len() > LONGEST {
            return fault(TokenFault::TooLong);
        }
        if token.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("bearer ")) {
            return fault(TokenFault::Prefix);
        }
        if token.starts_with(['"', '\'']) || token.ends_with(['"', '\'']) {
            return fault(TokenFault::Quotes);
        }
        if !token.chars().all(|c| c.is_ascii_graphic()) {
            return fault(TokenFault::Characters);
        }
        // `{"` in base64: what begins so is a JSON web token.
        let begins_so = token.starts_with("eyJ");
        let parts: Vec<&str> = token.split('.').collect();
        match parts.as_slice() {
            [head, body, _] if object(head).is_some() => match object(body) {
                Some(claims) => Self::Claims(Claims::of(&claims)),
                None => fault(TokenFault::CutOff),
            },
            // Encrypted: five parts, of which only the first can be read.
            [head, _, _, _, _] if object(head).is_some() => Self::Opaque,
            _ if begins_so && parts.len() < 3 && token.len() > 20 => fault(TokenFault::CutOff),
            _ => Self::Opaque,
        }
    }

    /// What it says about itself, if it does.
    #[must_use]
    pub fn claims(&self) -> Option<&Claims> {
        match self {
            Self::Claims(claims) => Some(claims),
            _ => None,
        }
    }
}

fn object(part: &str) -> Option<serde_json::Map<String, Value>> {
    let bytes = URL_SAFE_NO_PAD.decode(part.trim_end_matches('=')).ok()?;
    serde_json::from_slice(&bytes).ok()
}

impl Claims {
    fn of(claims: &serde_json::Map<String, Value>) -> Self {
        let text = |name: &str| claims.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let texts = |name: &str| match claims.get(name) {
            Some(Value::String(text)) => text.split_whitespace().map(str::to_owned).collect(),
            Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let time = |name: &str| claims.get(name).and_then(Value::as_f64).filter(|time| time.abs() < 1e13);
        let scopes = ["scope", "scp"].iter().map(|name| texts(name)).find(|scopes| !scopes.is_empty());
        let account = ["email", "preferred_username", "name", "sub"].into_iter().find_map(text);
        let audience = match claims.get("aud") {
            Some(Value::String(text)) => vec![text.clone()],
            _ => texts("aud"),
        };
        Self {
            expires_s: time("exp"),
            not_before_s: time("nbf"),
            issued_s: time("iat"),
            audience,
            issuer: text("iss").map(str::to_owned),
            account: account.map(str::to_owned),
            scopes: scopes.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// A token with these claims and a signature that nobody verifies.
    pub(crate) fn jwt(claims: &Value) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        format!("{}.{}.c2lnbmF0dXJl", part(&json!({"alg": "RS256", "typ": "JWT"})), part(claims))
    }

    #[test]
    fn a_web_token_says_whose_it_is_and_until_when() {
        let token = jwt(&json!({
            "exp": 1_700_000_600, "nbf": 1_700_000_000.5, "aud": ["quota", "train"], "iss": "https://id.example",
            "sub": "u-17", "email": "wang@example.com", "scope": "quota:read train",
        }));
        let Token::Claims(claims) = Token::read(&token) else { panic!("{token}") };
        assert_eq!(claims.expires_s, Some(1_700_000_600.0));
        assert_eq!(claims.audience, ["quota", "train"]);
        assert_eq!(claims.account.as_deref(), Some("wang@example.com"));
        assert_eq!(claims.scopes, ["quota:read", "train"]);
        let single = Token::read(&jwt(&json!({"aud": "one audience", "exp": "soon"})));
        assert_eq!(single.claims().unwrap().audience, ["one audience"]);
        assert_eq!(single.claims().unwrap().expires_s, None);
    }

    #[test]
    fn a_key_says_nothing_and_a_botched_copy_is_told() {
        for key in ["ul_0123456789abcdef", "glpat-a.b", "a.b.c", "eyJhbG"] {
            assert_eq!(Token::read(key), Token::Opaque, "{key}");
        }
        let whole = jwt(&json!({"exp": 1}));
        for (text, fault) in [
            (String::new(), TokenFault::Empty),
            (format!("Bearer {whole}"), TokenFault::Prefix),
            (format!("\"{whole}\""), TokenFault::Quotes),
            (format!("{whole}\n"), TokenFault::Characters),
            ("令牌".to_owned(), TokenFault::Characters),
            (whole[..whole.find('.').unwrap() + 5].to_owned(), TokenFault::CutOff),
            (format!("{}.e30x.sig", &whole[..whole.find('.').unwrap()]), TokenFault::CutOff),
            ("x".repeat(LONGEST + 1), TokenFault::TooLong),
        ] {
            assert_eq!(Token::read(&text), Token::Malformed(fault), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in "\\PC{0,80}") {
            let _ = Token::read(&text);
        }

        #[test]
        fn any_claims_can_be_read(exp in any::<f64>(), text in "\\PC{0,20}", list in proptest::collection::vec(any::<i32>(), 0..4)) {
            let token = jwt(&json!({"exp": exp, "aud": list, "sub": text, "scope": {"a": text}}));
            prop_assert!(Token::read(&token).claims().is_some());
        }
    }
}
