//! A real OpenID provider with a budget behind it: `tests/oidc`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A platform that runs. It ends with the test.
pub(crate) struct Platform {
    child: Child,
    pub(crate) address: String,
}

impl Platform {
    /// Starts it; `None`: what it needs is not installed, which is said.
    pub(crate) fn start() -> Option<Self> {
        let around = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("tests/oidc"));
        let folder = around.into_iter().find(|folder| folder.join("platform.mjs").is_file()).unwrap();
        if !folder.join("node_modules/oidc-provider").is_dir() {
            println!("skipped: `cargo xtask setup` installs the packages of tests/oidc");
            return None;
        }
        let mut command = Command::new("node");
        command.arg("platform.mjs").current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().ok().or_else(|| {
            println!("skipped: node is not installed");
            None
        })?;
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| line.ok()?.strip_prefix("ready ").map(str::to_owned)).unwrap();
        Some(Self { child, address: format!("http://127.0.0.1:{port}") })
    }

    #[expect(clippy::disallowed_methods, reason = "the platform is on this computer")]
    async fn get(&self, path: &str) -> serde_json::Value {
        let answer = reqwest::get(format!("{}{path}", self.address)).await.unwrap();
        let text = answer.text().await.unwrap();
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{path}: {text}"))
    }

    /// Changes how it is.
    #[expect(clippy::disallowed_methods, reason = "the platform is on this computer")]
    pub(crate) async fn set(&self, to: serde_json::Value) {
        let mut url = reqwest::Url::parse(&self.address).unwrap();
        url.set_path("/control/set");
        url.query_pairs_mut().append_pair("to", &to.to_string());
        reqwest::get(url).await.unwrap();
    }

    /// How often something happened.
    pub(crate) async fn count(&self, what: &str) -> u64 {
        self.get("/control/counts").await[what].as_u64().unwrap()
    }

    /// Every token it gave out.
    pub(crate) async fn issued(&self) -> Vec<String> {
        let issued = self.get("/control/issued").await;
        issued.as_array().unwrap().iter().map(|token| token.as_str().unwrap().to_owned()).collect()
    }

    /// A person types in a code and consents.
    pub(crate) async fn approve(&self, code: &str) {
        self.get(&format!("/control/approve?code={code}")).await;
    }

    /// A person signs in on the page, and their browser follows it back.
    #[expect(clippy::disallowed_methods, reason = "the platform is on this computer")]
    pub(crate) async fn browse(&self, page: &str) {
        let mut url = reqwest::Url::parse(&self.address).unwrap();
        url.set_path("/control/browse");
        url.query_pairs_mut().append_pair("url", page);
        reqwest::get(url).await.unwrap();
    }
}

impl Drop for Platform {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
