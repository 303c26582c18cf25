//! Reading a package index: PEP 503 (a page of links) and PEP 691 (the same as JSON).

use std::error::Error as _;

use preflight_core::problem::Problem;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, Response, StatusCode, Url};
use serde::Deserialize;

use super::sources::{below, shown};

const ACCEPTED: &str =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";

/// No project's page is larger; what is, is no such page.
const LIMIT: usize = 64 * 1024 * 1024;

/// A file that an index offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) url: Url,
    /// In lower-case hex.
    pub(super) sha256: Option<String>,
    pub(super) yanked: bool,
}

#[derive(Deserialize)]
struct Project {
    files: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    filename: String,
    url: String,
    #[serde(default)]
    hashes: std::collections::BTreeMap<String, String>,
    #[serde(default)]
    yanked: serde_json::Value,
}

/// The files of a project.
///
/// # Errors
/// `environment.index-unreachable`, `environment.index-refuses`, `environment.package-not-found`,
/// `environment.not-an-index`, `environment.certificate-refused`, `environment.index-failed`.
pub(super) async fn files(client: &Client, index: &Url, project: &str) -> Result<Vec<File>, Problem> {
    // Indexes answer for the address with a slash at its end, and some only for that.
    let page = below(&below(index, project), "");
    let response = client.get(page.clone()).header(ACCEPT, ACCEPTED).send().await;
    let response = answered(response.map_err(|error| unreachable(&page, &error))?, &page, project)?;
    let json = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|kind| kind.contains("json"));
    let base = with_credentials(response.url().clone(), &page);
    let body = body(response, LIMIT).await.map_err(|error| unreachable(&page, &error))?;
    let text = String::from_utf8_lossy(&body);
    let files = if json { from_json(&text, &base) } else { Some(from_html(&text, &base)) };
    match files {
        // A page without a single file of the project is another page: a hotel's sign-in, a company's notice.
        Some(files) if files.iter().any(|file| belongs(&file.name, project)) => Ok(files),
        _ => {
            let problem = Problem::new("environment.not-an-index").with("url", shown(&page));
            Err(title(&text).map_or(problem.clone(), |title| problem.because_text(title)))
        }
    }
}

/// Fetches a file; refuses one that is larger than expected.
///
/// # Errors
/// As [`files`].
pub(super) async fn fetch(client: &Client, file: &File, limit: usize) -> Result<Vec<u8>, Problem> {
    let response = client.get(file.url.clone()).send().await.map_err(|error| unreachable(&file.url, &error))?;
    let response = answered(response, &file.url, &file.name)?;
    body(response, limit).await.map_err(|error| unreachable(&file.url, &error))
}

async fn body(mut response: Response, limit: usize) -> reqwest::Result<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > limit {
            break;
        }
    }
    Ok(body)
}

/// What a failed request says about the way to the index.
pub(super) fn unreachable(url: &Url, error: &reqwest::Error) -> Problem {
    let causes = causes(error);
    let about = causes.join(" ").to_lowercase();
    let code = if about.contains("certificate") { "certificate-refused" } else { "index-unreachable" };
    let problem = Problem::new(format!("environment.{code}")).with("url", shown(url));
    causes.into_iter().fold(problem, Problem::because_text)
}

/// What lay behind a failed request, outermost first. What the error itself says holds the address, and what is in it.
pub(crate) fn causes(error: &reqwest::Error) -> Vec<String> {
    let mut causes: Vec<String> = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        // Each layer repeats what is below it.
        if !causes.iter().any(|known| known.contains(&text)) {
            causes.push(text);
        }
        next = cause.source();
    }
    if causes.is_empty() {
        causes.push(error.to_string());
    }
    causes
}

fn answered(response: Response, url: &Url, what: &str) -> Result<Response, Problem> {
    let status = response.status();
    let problem = |code: &str| Problem::new(format!("environment.{code}")).with("url", shown(url));
    match status {
        StatusCode::OK => Ok(response),
        StatusCode::NOT_FOUND | StatusCode::GONE => Err(problem("package-not-found").with("package", what)),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::PROXY_AUTHENTICATION_REQUIRED => {
            Err(problem("index-refuses").with("status", status.to_string()))
        }
        _ => Err(problem("index-failed").with("status", status.to_string())),
    }
}

/// An index that wants a password wants it for its files as well.
fn with_credentials(mut url: Url, page: &Url) -> Url {
    if url.origin() == page.origin() && url.username().is_empty() {
        // Addresses of http and https can have both.
        let _ = url.set_username(page.username());
        let _ = url.set_password(page.password());
    }
    url
}

fn resolve(base: &Url, link: &str) -> Option<Url> {
    base.join(link).ok().map(|url| with_credentials(url, base))
}

fn from_json(text: &str, base: &Url) -> Option<Vec<File>> {
    let project: Project = serde_json::from_str(text).ok()?;
    let file = |listed: Listed| {
        Some(File {
            url: resolve(base, &listed.url)?,
            sha256: listed.hashes.get("sha256").map(|hash| hash.to_lowercase()),
            // `false`, or the reason.
            yanked: !matches!(listed.yanked, serde_json::Value::Null | serde_json::Value::Bool(false)),
            name: listed.filename,
        })
    };
    Some(project.files.into_iter().filter_map(file).collect())
}

fn from_html(text: &str, base: &Url) -> Vec<File> {
    let mut files = Vec::new();
    for tag in tags(text, "a") {
        let Some(mut url) = attribute(tag, "href").and_then(|link| resolve(base, &link)) else { continue };
        let sha256 = url.fragment().and_then(|fragment| fragment.strip_prefix("sha256=")).map(str::to_lowercase);
        url.set_fragment(None);
        let Some(name) = url.path_segments().and_then(|mut segments| segments.next_back()) else { continue };
        // Local versions have a plus sign, which links write as %2B.
        let name = name.replace("%2B", "+").replace("%2b", "+");
        files.push(File { name, url, sha256, yanked: attribute(tag, "data-yanked").is_some() });
    }
    files
}

/// The insides of all opening tags of a kind.
fn tags<'a>(text: &'a str, kind: &'a str) -> impl Iterator<Item = &'a str> {
    text.split('<').skip(1).filter_map(move |rest| {
        let inside = rest.split_once('>').map_or(rest, |(inside, _)| inside);
        let name = inside.split(|c: char| c.is_ascii_whitespace() || c == '>').next()?;
        name.eq_ignore_ascii_case(kind).then_some(inside)
    })
}

/// The value of an attribute of a tag, unescaped.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let lower = tag.to_ascii_lowercase();
    let mut from = 0;
    while let Some(found) = lower[from..].find(name) {
        let start = from + found;
        from = start + name.len();
        let separate = lower[..start].ends_with(|c: char| c.is_ascii_whitespace() || c == '"' || c == '\'');
        let Some(value) = tag[from..].trim_start().strip_prefix('=').map(str::trim_start) else { continue };
        if !separate {
            continue;
        }
        let value = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split(quote).next()?,
            _ => value.split(|c: char| c.is_ascii_whitespace()).next()?,
        };
        return Some(value.replace("&amp;", "&").replace("&quot;", "\"").replace("&#39;", "'"));
    }
    None
}

/// The title of a page.
pub(crate) fn title(text: &str) -> Option<String> {
    let rest = &text[text.to_ascii_lowercase().find("<title>")? + "<title>".len()..];
    let title: String = rest.split('<').next()?.split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then(|| title.chars().take(120).collect())
}

/// Whether a file is one of a project's, by its name.
fn belongs(file: &str, project: &str) -> bool {
    let normal = |name: &str| name.to_ascii_lowercase().replace(['_', '.'], "-");
    normal(file).strip_prefix(&normal(project)).is_some_and(|rest| rest.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Url {
        Url::parse("https://me:pw@x.example/simple/uv/").unwrap()
    }

    #[test]
    fn both_kinds_of_index_say_the_same() {
        let html = "<!DOCTYPE html><title>Links for uv</title><body><h1>Links</h1>\n\
            <a href=\"../../files/uv-1.0-py3-none-any.whl#sha256=ABcd\" data-requires-python=\"&gt;=3.8\">uv-1.0</a><br>\
            <A data-yanked='broken' HREF='https://files.example/uv-1.1%2Blocal-py3-none-any.whl?a=1&amp;b=2'>x</A>\
            <a name=top></a><a href=uv-0.9.tar.gz>old</a>";
        let json = r#"{"meta": {}, "files": [
            {"filename": "uv-1.0-py3-none-any.whl", "url": "/files/uv-1.0-py3-none-any.whl", "hashes": {"sha256": "ABcd"}, "yanked": false},
            {"filename": "uv-1.1+local-py3-none-any.whl", "url": "https://files.example/uv-1.1%2Blocal-py3-none-any.whl?a=1&b=2", "hashes": {}, "yanked": "broken"},
            {"filename": "uv-0.9.tar.gz", "url": "uv-0.9.tar.gz"}]}"#;
        let files = from_html(html, &base());
        assert_eq!(files, from_json(json, &base()).unwrap());
        assert_eq!(files[0].url.as_str(), "https://me:pw@x.example/files/uv-1.0-py3-none-any.whl");
        assert_eq!((files[0].sha256.as_deref(), files[0].yanked), (Some("abcd"), false));
        // The password is for the index, not for whom it links to.
        assert_eq!(files[1].url.as_str(), "https://files.example/uv-1.1%2Blocal-py3-none-any.whl?a=1&b=2");
        assert!(files[1].yanked);
    }

    #[test]
    fn files_belong_by_name() {
        assert!(belongs("ultralytics_opencv_headless-8.4.190-py3-none-any.whl", "ultralytics-opencv-headless"));
        assert!(belongs("uv-0.13.9.tar.gz", "uv"));
        assert!(!belongs("uvicorn-1.0.tar.gz", "uv"));
        assert!(!belongs("login", "uv"));
    }

    proptest::proptest! {
        #[test]
        fn any_page_can_be_read(text in ".{0,200}", broken in "(<a |href|=|\"|'|>|<title>|é|\\s){0,30}") {
            from_html(&text, &base());
            from_html(&broken, &base());
            title(&broken);
            from_json(&text, &base());
        }
    }
}
