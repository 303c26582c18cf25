//! Fetching one file from one address: what came down stays, and is gone on with where server and file are the same.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use preflight_core::problem::Problem;
use preflight_core::weights::WeightsProgress;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderMap, IF_RANGE, LAST_MODIFIED, RANGE};
use reqwest::{Client, Response, StatusCode, Url};
use serde::{Deserialize, Serialize};

use super::archive::hex;
use super::{OnProgress, failure};

/// No published weights are larger; a server that sends more sends something else.
const LARGEST: u64 = 4 << 30;
/// More often than this, nobody can see how far it is.
const PACE: Duration = Duration::from_millis(100);

/// How long a slow server is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// A server that sends less than `least` bytes in this time has stalled.
    pub stall: Duration,
    /// See `stall`.
    pub least: u64,
    /// How often a download that broke off is gone on with, as long as each attempt brings something.
    pub attempts: u32,
    /// How long is waited before that.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        // 16 KiB in 30 s: a modem is faster.
        Self { stall: Duration::from_secs(30), least: 16 << 10, attempts: 5, pause: Duration::from_secs(2) }
    }
}

/// A file that is half here, and what is known about the whole.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) path: PathBuf,
    pub(super) about: About,
}

/// What a server told about a file, kept beside its part.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct About {
    url: String,
    /// Tells whether the server still has the same file: `ETag`, else `Last-Modified`.
    version: Option<String>,
    total: Option<u64>,
    pub(super) sha256: Option<String>,
    pub(super) md5: Option<String>,
}

/// Why an attempt ended without the file.
#[derive(Debug)]
pub(super) enum Ended {
    /// It broke off; what came is kept.
    Broken(Problem),
    /// What was here does not fit what the server has now, and is gone.
    Stale(Problem),
    /// This address does not have it.
    Refused(Problem),
    /// No address helps.
    Hopeless(Problem),
}

impl Part {
    pub(super) fn open(path: PathBuf) -> Self {
        let about = std::fs::read(about_file(&path)).ok().and_then(|text| serde_json::from_slice(&text).ok());
        Self { path, about: about.unwrap_or_default() }
    }

    pub(super) fn length(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |metadata| metadata.len())
    }

    pub(super) fn remove(&mut self) {
        // What cannot be removed is written over by the next attempt.
        let _ = std::fs::remove_file(&self.path);
        let _ = std::fs::remove_file(about_file(&self.path));
        self.about = About::default();
    }

    /// Gives the file its name.
    pub(super) fn put_in_place(&self, at: &Path) -> std::io::Result<()> {
        std::fs::rename(&self.path, at)?;
        let _ = std::fs::remove_file(about_file(&self.path));
        Ok(())
    }

    fn keep_about(&self) -> Result<(), Problem> {
        let text = serde_json::to_vec(&self.about).map_err(|error| Problem::new("file.unwritable").because(&error))?;
        crate::write::atomically(&about_file(&self.path), &text)
    }
}

/// Where it is kept what is known about a part.
pub(crate) fn about_file(part: &Path) -> PathBuf {
    part.with_added_extension("json")
}

/// A way to one address.
pub(super) struct Transfer<'a> {
    pub(super) client: &'a Client,
    pub(super) url: &'a Url,
    /// For a person to read.
    pub(super) proxy: Option<&'a str>,
    pub(super) patience: Patience,
    pub(super) progress: &'a OnProgress,
}

impl Transfer<'_> {
    /// One attempt: goes on with what is here, or begins anew.
    pub(super) async fn attempt(&self, part: &mut Part) -> Result<(), Ended> {
        let here = part.length();
        let version = part.about.version.clone().filter(|_| here > 0 && part.about.url == self.url.as_str());
        if version.is_some() && part.about.total == Some(here) {
            return Ok(());
        }
        (self.progress)(WeightsProgress::Asking { url: crate::environment::shown(self.url) });
        let mut request = self.client.get(self.url.clone()).header(ACCEPT_ENCODING, "identity");
        if let Some(version) = &version {
            request = request.header(RANGE, format!("bytes={here}-")).header(IF_RANGE, version);
        }
        let response = self.in_time(request.send()).await?;
        match response.status() {
            StatusCode::PARTIAL_CONTENT if version.is_some() => {
                if range_begins(response.headers()) != Some(here) || self::version(response.headers()) != version {
                    // Another part, or part of another file: nothing of it fits.
                    part.remove();
                    return Err(Ended::Stale(
                        failure::at(self.url, "server-failed").with("status", "206 Partial Content"),
                    ));
                }
                self.receive(response, part, here).await
            }
            StatusCode::OK => {
                part.remove();
                let headers = response.headers();
                part.about = About {
                    url: self.url.to_string(),
                    version: self::version(headers),
                    total: response.content_length(),
                    sha256: sha256(headers),
                    md5: md5(headers),
                };
                self.receive(response, part, 0).await
            }
            StatusCode::RANGE_NOT_SATISFIABLE if version.is_some() => {
                part.remove();
                Err(Ended::Stale(failure::of_status(self.url, response.status())))
            }
            status => Err(Ended::Refused(failure::of_status(self.url, status))),
        }
    }

    async fn receive(&self, mut response: Response, part: &mut Part, from: u64) -> Result<(), Ended> {
        let total = part.about.total;
        if total.is_some_and(|total| total > LARGEST) {
            return Err(Ended::Refused(failure::at(self.url, "not-weights")));
        }
        let missing = total.map(|total| total.saturating_sub(from));
        if let (Some(missing), Some(free)) = (missing, failure::free(&part.path))
            && missing > free
        {
            return Err(Ended::Hopeless(failure::disk_full(&part.path, missing)));
        }
        let mut first = self.in_time(response.chunk()).await?;
        if from == 0 {
            self.refuse_page(&response, first.as_deref().unwrap_or_default())?;
            part.keep_about().map_err(Ended::Hopeless)?;
        }
        let unwritable = |error: std::io::Error| Ended::Hopeless(failure::of_file(&part.path, &error));
        // Written here and not by a thread of tokio's: a download that is cancelled leaves nobody who still writes, and
        // what arrives at once is little.
        let mut file = File::options().create(true).append(true).open(&part.path).map_err(&unwritable)?;
        let (mut done, mut told) = (from, Instant::now() - PACE);
        let (mut window, mut in_window) = (Instant::now(), 0);
        let outcome = loop {
            let chunk = match first.take() {
                Some(chunk) => Some(chunk),
                None => match self.in_time(response.chunk()).await {
                    Ok(chunk) => chunk,
                    Err(ended) => break Err(ended),
                },
            };
            let Some(chunk) = chunk else { break Ok(()) };
            if let Err(error) = file.write_all(&chunk) {
                break Err(unwritable(error));
            }
            done += chunk.len() as u64;
            in_window += chunk.len() as u64;
            if done > LARGEST {
                break Err(Ended::Refused(failure::at(self.url, "not-weights")));
            }
            if window.elapsed() >= self.patience.stall {
                if in_window < self.patience.least {
                    break Err(Ended::Broken(failure::at(self.url, "timed-out")));
                }
                (window, in_window) = (Instant::now(), 0);
            }
            if told.elapsed() >= PACE {
                told = Instant::now();
                (self.progress)(WeightsProgress::Downloading { done, total });
            }
        };
        // What is written late tells late that the disk is full.
        let synced = tokio::task::spawn_blocking(move || file.sync_all()).await.map_err(std::io::Error::other);
        synced.and_then(|synced| synced).map_err(unwritable)?;
        outcome?;
        (self.progress)(WeightsProgress::Downloading { done, total });
        match total {
            Some(total) if done < total => {
                Err(Ended::Broken(failure::at(self.url, "interrupted").with("done", done).with("total", total)))
            }
            _ => Ok(()),
        }
    }

    /// What a request answers, unless it takes too long.
    async fn in_time<T>(&self, answer: impl Future<Output = reqwest::Result<T>>) -> Result<T, Ended> {
        match tokio::time::timeout(self.patience.stall, answer).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(Ended::Broken(failure::of_request(self.url, &error, self.proxy))),
            Err(_) => Err(Ended::Broken(failure::at(self.url, "timed-out"))),
        }
    }

    /// A hotel's sign-in, a company's notice, a forge's page about the file: with status 200, and no file.
    fn refuse_page(&self, response: &Response, start: &[u8]) -> Result<(), Ended> {
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let start = start.trim_ascii_start();
        let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
        if !kind.starts_with("text/html") && !start.starts_with(b"<") {
            return Ok(());
        }
        let problem = failure::at(response.url(), "page-instead");
        Err(Ended::Refused(match crate::environment::title(&String::from_utf8_lossy(start)) {
            Some(title) => problem.because_text(title),
            None => problem,
        }))
    }
}

fn text(headers: &HeaderMap, name: impl reqwest::header::AsHeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// What `If-Range` takes: a weak tag does not promise the same bytes.
fn version(headers: &HeaderMap) -> Option<String> {
    let tag = text(headers, ETAG).filter(|tag| !tag.starts_with("W/"));
    tag.or_else(|| text(headers, LAST_MODIFIED)).map(str::to_owned)
}

/// `bytes 100-199/200`
fn range_begins(headers: &HeaderMap) -> Option<u64> {
    text(headers, CONTENT_RANGE)?.strip_prefix("bytes ")?.split('-').next()?.parse().ok()
}

/// The digest of the whole file: `Repr-Digest` (RFC 9530), `Digest` (RFC 3230), `X-Checksum-Sha256` of Artifactory.
fn sha256(headers: &HeaderMap) -> Option<String> {
    let listed = |name: &str| {
        text(headers, name)?.split(',').find_map(|digest| {
            let (algorithm, value) = digest.trim().split_once('=')?;
            algorithm.eq_ignore_ascii_case("sha-256").then(|| decoded(value.trim_matches(':'), 32))?
        })
    };
    let plain = || text(headers, "x-checksum-sha256").filter(|value| value.len() == 64).map(str::to_lowercase);
    listed("repr-digest").or_else(|| listed("digest")).or_else(plain)
}

/// `Content-MD5`, as GitHub's storage tells it.
fn md5(headers: &HeaderMap) -> Option<String> {
    ["x-ms-blob-content-md5", "content-md5"].into_iter().find_map(|name| decoded(text(headers, name)?, 16))
}

fn decoded(value: &str, length: usize) -> Option<String> {
    STANDARD.decode(value.trim()).ok().filter(|bytes| bytes.len() == length).map(|bytes| hex(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_the_whole_file_are_understood() {
        let told = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            (sha256(&headers), md5(&headers))
        };
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        let sha256 = |value: &str| (Some(value.to_owned()), None);
        assert_eq!(told("repr-digest", &format!("sha-512=:AA==:, sha-256=:{base64}:")), sha256(empty));
        assert_eq!(told("digest", &format!("SHA-256={base64}")), sha256(empty));
        assert_eq!(told("x-checksum-sha256", &empty.to_uppercase()), sha256(empty));
        assert_eq!(
            told("content-md5", "1B2M2Y8AsgTpgAmY7PhCfg=="),
            (None, Some("d41d8cd98f00b204e9800998ecf8427e".to_owned()))
        );
        for wrong in ["sha-256", "sha-256=:AA==:", "", "sha-256=:é:"] {
            assert_eq!(told("repr-digest", wrong), (None, None), "{wrong}");
        }
    }
}
