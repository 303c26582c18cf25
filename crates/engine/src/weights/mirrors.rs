//! The addresses that have a model's published weights.

use preflight_core::problem::Problem;
use reqwest::Url;

use crate::settings::Sources;

/// Where Ultralytics publishes them: the release that [`preflight_core::run::arguments::SOURCE`] itself downloads from,
/// for every family (`attempt_download_asset` in its `utils/downloads.py`).
pub(super) const PUBLISHED: &str = "https://github.com/ultralytics/assets/releases/download/v8.4.0/{name}.pt";

/// The addresses of a model's weights, in the order they are tried. A person who named mirrors wants no other.
///
/// # Errors
/// `environment.source-invalid`.
pub(super) fn addresses(sources: &Sources, model: &str) -> Result<Vec<Url>, Problem> {
    let said: Vec<&str> = sources.weights.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let templates = if said.is_empty() { vec![PUBLISHED] } else { said };
    templates.into_iter().map(|template| address(template, model)).collect()
}

/// `{name}` stands for the model; without it, the address is of a folder.
fn address(template: &str, model: &str) -> Result<Url, Problem> {
    let filled = if template.contains("{name}") {
        template.replace("{name}", model)
    } else {
        format!("{}/{model}.pt", template.trim_end_matches('/'))
    };
    crate::environment::address("weights", &filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(weights: &[&str]) -> Result<Vec<String>, String> {
        let sources = Sources { weights: weights.iter().map(ToString::to_string).collect(), ..Sources::default() };
        let urls = addresses(&sources, "yolo11m").map_err(|problem| problem.code)?;
        Ok(urls.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn mirrors_are_folders_or_patterns_and_replace_the_public_place() {
        assert_eq!(
            all(&["", "  "]).unwrap(),
            ["https://github.com/ultralytics/assets/releases/download/v8.4.0/yolo11m.pt"]
        );
        assert_eq!(
            all(&["https://a.example/pt/", " http://b.example:81/get?file={name}.pt&raw=1 "]).unwrap(),
            ["https://a.example/pt/yolo11m.pt", "http://b.example:81/get?file=yolo11m.pt&raw=1"]
        );
        assert_eq!(all(&["/mnt/weights"]), Err("environment.source-invalid".to_owned()));
    }
}
