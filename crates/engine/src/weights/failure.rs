//! Why weights could not be fetched, by name.

use std::path::Path;

use preflight_core::facts::Fact;
use preflight_core::problem::Problem;
use reqwest::{StatusCode, Url};

use crate::environment::{causes, shown};

/// A problem of the way to an address.
pub(super) fn at(url: &Url, code: &str) -> Problem {
    Problem::new(format!("weights.{code}")).with("url", shown(url)).with("host", url.host_str().unwrap_or_default())
}

/// What a request that failed says about the way to an address. `proxy` is the one it went through, for a person to
/// read.
pub(super) fn of_request(url: &Url, error: &reqwest::Error, proxy: Option<&str>) -> Problem {
    let causes = causes(error);
    let about = causes.join(" ").to_lowercase();
    let has = |texts: &[&str]| texts.iter().any(|text| about.contains(text));
    let problem = if has(&["certificate", "unknownissuer"]) {
        at(url, "certificate-refused")
    } else if let Some(proxy) = proxy.filter(|_| error.is_connect()) {
        at(url, "proxy-failed").with("proxy", proxy)
    } else if has(&["dns error", "failed to lookup address", "name resolution"]) {
        at(url, "no-such-host")
    } else if error.is_timeout() || has(&["timed out"]) {
        at(url, "timed-out")
    } else if error.is_redirect() {
        at(url, "redirected-astray")
    } else if has(&["handshake", "tls", "ssl"]) {
        at(url, "tls-failed")
    } else {
        at(url, "unreachable")
    };
    causes.into_iter().fold(problem, Problem::because_text)
}

/// What an answer other than the file says.
pub(super) fn of_status(url: &Url, status: StatusCode) -> Problem {
    let code = match status {
        StatusCode::NOT_FOUND | StatusCode::GONE => "not-found",
        StatusCode::NETWORK_AUTHENTICATION_REQUIRED => "page-instead",
        StatusCode::UNAUTHORIZED
        | StatusCode::FORBIDDEN
        | StatusCode::PROXY_AUTHENTICATION_REQUIRED
        | StatusCode::UNAVAILABLE_FOR_LEGAL_REASONS => "refused",
        _ => "server-failed",
    };
    at(url, code).with("status", status.to_string()).because_text(status.to_string())
}

/// What the file system says about a file that is being written.
pub(super) fn of_file(path: &Path, error: &std::io::Error) -> Problem {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    if matches!(error.kind(), StorageFull | QuotaExceeded) {
        disk_full(path, 0).because(error)
    } else {
        Problem::new("file.unwritable").with("path", path).because(error)
    }
}

/// That a volume has not enough room; `need` 0: it is not known how much is.
pub(super) fn disk_full(path: &Path, need: u64) -> Problem {
    Problem::new("weights.disk-full").with("path", path).with("need", need).with("free", free(path).unwrap_or(0))
}

/// Bytes free where a file is, or is to be.
pub(super) fn free(path: &Path) -> Option<u64> {
    match crate::computer::volume(path.parent().unwrap_or(path)) {
        Fact::Known(volume) => Some(volume.free),
        Fact::Unknown(_) => None,
    }
}
