//! TOML files that begin with the version of their form: plans and connectors.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// Reads such a file's text, up to the `newest` form that this build knows.
///
/// # Errors
/// Two codes: `invalid`, with the line and what is wrong, and `too_new` for a later form.
pub(crate) fn read<T: DeserializeOwned>(
    text: &str,
    newest: u32,
    [invalid, too_new]: [&'static str; 2],
) -> Result<T, Problem> {
    #[derive(Deserialize)]
    struct Header {
        format: Option<u32>,
    }
    // A later form may have other fields: say "too new" instead of naming one of them.
    if let Ok(Header { format: Some(format) }) = toml::from_str(text)
        && format > newest
    {
        return Err(Problem::new(too_new).with("format", format).with("supported", newest));
    }
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.as_bytes()[..start].iter().filter(|byte| **byte == b'\n').count() + 1;
        Problem::new(invalid).with("line", line).because_text(error.message())
    })
}
