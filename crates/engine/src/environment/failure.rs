//! What a failed uv means.

use std::path::Path;

use preflight_core::problem::Problem;
use reqwest::Url;

use super::child::tail;
use super::place::disk_full;
use super::recipe::Cost;
use super::sources::shown;

/// Why no environment could be made around a Python.
pub(super) fn of_python(said: &str, folder: &Path, cost: Cost) -> Problem {
    common(said, folder, cost).unwrap_or_else(|| Problem::new("environment.no-python")).because_text(told(said))
}

/// Why packages could not be installed.
pub(super) fn of_install(said: &str, folder: &Path, cost: Cost) -> Problem {
    let lower = said.to_lowercase();
    let has = |texts: &[&str]| texts.iter().any(|text| lower.contains(text));
    let problem = common(said, folder, cost).unwrap_or_else(|| {
        let at = |code: &str| Problem::new(format!("environment.{code}")).with("url", address(said));
        if has(&["401 unauthorized", "403 forbidden", "407 proxy"]) {
            at("index-refuses").with("status", status(said))
        } else if has(&["no solution found", "not found in the package registry", "404 not found"]) {
            Problem::new("environment.no-solution")
        } else if has(&[
            "failed to fetch",
            "error sending request",
            "request failed",
            "failed to download",
            "connection",
        ]) {
            at("download-failed")
        } else {
            Problem::new("environment.installer-failed")
        }
    });
    problem.because_text(told(said))
}

/// What can happen to any step.
fn common(said: &str, folder: &Path, cost: Cost) -> Option<Problem> {
    let lower = said.to_lowercase();
    let has = |texts: &[&str]| texts.iter().any(|text| lower.contains(text));
    // 28 on Unix, 112 and 39 on Windows; 122 is a quota.
    if has(&["no space left on device", "not enough space on the disk", "disk quota exceeded", "(os error 112)"]) {
        Some(disk_full(folder.parent().unwrap_or(folder), cost.disk))
    } else if has(&["hash mismatch"]) {
        Some(Problem::new("environment.checksum-mismatch").with("file", address(said)))
    } else if has(&["invalid peer certificate", "certificate verify failed", "unknownissuer"]) {
        Some(Problem::new("environment.certificate-refused").with("url", address(said)))
    } else {
        None
    }
}

/// The end of what it said, without passwords.
fn told(said: &str) -> String {
    tail(said).split_inclusive([' ', '\n', '`', '(', ')']).map(harmless).collect()
}

fn harmless(word: &str) -> String {
    let text = word.trim_end_matches([' ', '\n', '`', '(', ')']);
    match Url::parse(text) {
        Ok(url) if url.has_authority() && !url.username().is_empty() => shown(&url) + &word[text.len()..],
        _ => word.to_owned(),
    }
}

/// The first address it named.
fn address(said: &str) -> String {
    let words = said.split(|c: char| c.is_whitespace() || "`'\"()<>".contains(c));
    let mut addresses = words.filter(|word| word.starts_with("http")).filter_map(|word| Url::parse(word).ok());
    addresses.next().map_or_else(|| "?".to_owned(), |url| shown(&url))
}

fn status(said: &str) -> String {
    let found = ["401 Unauthorized", "403 Forbidden", "407 Proxy Authentication Required"];
    found.iter().find(|status| said.contains(**status)).map_or_else(String::new, |status| (*status).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(said: &str) -> Problem {
        of_install(said, Path::new("/nowhere/x"), Cost { download: 1, disk: 2 })
    }

    #[test]
    fn what_uv_says_is_understood() {
        for (said, expected) in [
            (
                "error: Failed to install: torch\n  cause: failed to write: No space left on device (os error 28)",
                "disk-full",
            ),
            (
                "error: Request failed after 3 retries\n  cause: Failed to fetch: https://x.example/six/",
                "download-failed",
            ),
            ("error: Hash mismatch for `six==1.0`\n\nExpected:\n  sha256:00", "checksum-mismatch"),
            ("  × No solution found when resolving dependencies", "no-solution"),
            ("cause: HTTP status client error (403 Forbidden) for url (https://x.example/a)", "index-refuses"),
            ("cause: client error (Connect)\n cause: invalid peer certificate: UnknownIssuer", "certificate-refused"),
            ("error: something new", "installer-failed"),
        ] {
            assert_eq!(code(said).code, format!("environment.{expected}"), "{said}");
        }
    }

    #[test]
    fn addresses_come_without_passwords() {
        let problem = code("cause: Failed to fetch: `https://me:secret@x.example/six/` (https://a:secret@y.example/b)");
        assert_eq!(problem.args["url"], "https://x.example/six/".into());
        assert_eq!(problem.causes, ["cause: Failed to fetch: `https://x.example/six/` (https://y.example/b)"]);
    }
}
