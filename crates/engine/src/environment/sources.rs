//! Where packages, torch and Python come from: the settings first, then what pip and uv users already have.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;
use preflight_core::problem::Problem;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, NoProxy, Proxy, Url};

use super::discover::Surroundings;
use crate::dirs::Dirs;
use crate::settings::Sources;

/// Python's public package index.
const PYPI: &str = "https://pypi.org/simple";
/// PyTorch's own index: one folder for each CUDA version, and `cpu`.
const PYTORCH: &str = "https://download.pytorch.org/whl";

/// A network that does not answer shows itself after this long, not after minutes.
const CONNECT: Duration = Duration::from_secs(10);
/// How long a server may be silent in the middle of an answer.
const SILENCE: Duration = Duration::from_secs(30);

/// Variables of uv that say where things come from and how to get there. All other `UV_…` variables stay away from our
/// uv: they belong to other projects, and could change what is installed.
const KEPT: [&str; 20] = [
    "UV_CACHE_DIR",
    "UV_CONFIG_FILE",
    "UV_CONCURRENT_DOWNLOADS",
    "UV_CONCURRENT_INSTALLS",
    "UV_DEFAULT_INDEX",
    "UV_EXTRA_INDEX_URL",
    "UV_FIND_LINKS",
    "UV_HTTP_CONNECT_TIMEOUT",
    "UV_HTTP_RETRIES",
    "UV_HTTP_TIMEOUT",
    "UV_INDEX",
    "UV_INDEX_STRATEGY",
    "UV_INDEX_URL",
    "UV_INSECURE_HOST",
    "UV_KEYRING_PROVIDER",
    "UV_LINK_MODE",
    "UV_NATIVE_TLS",
    "UV_OFFLINE",
    "UV_PYTHON_INSTALL_MIRROR",
    "UV_SYSTEM_CERTS",
];

/// The sources in force.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Origins {
    /// `None`: nobody said; uv's own configuration file may.
    index: Option<Url>,
    torch_index: Option<Url>,
    python_mirror: Option<String>,
    proxy: Option<Url>,
    /// Certificates in addition to the system's.
    ca_file: Option<PathBuf>,
    /// Certificates instead of the system's, as pip and curl understand these variables.
    ca_bundle: Option<PathBuf>,
    package_cache: Option<PathBuf>,
}

impl Origins {
    /// The settings, completed from the variables and the configuration file of pip and uv.
    ///
    /// # Errors
    /// `environment.source-invalid`.
    pub(super) fn resolve(settings: &Sources, around: &Surroundings) -> Result<Self, Problem> {
        let pip = pip_configuration(around);
        let variable = &around.variable;
        let text = |name: &&str| variable(name).and_then(|value| value.into_string().ok());
        let from = |names: &[&str]| names.iter().find_map(text).filter(|value| !value.trim().is_empty());
        let said = |names: &[&str], pip_key: &str| from(names).or_else(|| pip.get(pip_key).cloned());
        let index = filled(settings.index.as_ref()).map(str::to_owned);
        // uv's own ways to say it come before pip's, as they do for uv.
        let index = index.or_else(|| from(&["UV_DEFAULT_INDEX", "UV_INDEX_URL"]));
        let index = index.or_else(|| uv_configured_index(around)).or_else(|| said(&["PIP_INDEX_URL"], "index-url"));
        // HTTPS_PROXY and its relatives need no help: our own client and uv both read them.
        let proxy = filled(settings.proxy.as_ref()).map(str::to_owned).or_else(|| said(&["PIP_PROXY"], "proxy"));
        let ca_file = settings.ca_file.clone().filter(|path| !path.as_os_str().is_empty());
        let bundle = || said(&["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "CURL_CA_BUNDLE"], "cert");
        Ok(Self {
            index: index.map(|value| address("index", unnamed(&value))).transpose()?,
            torch_index: filled(settings.torch_index.as_ref())
                .map(|value| address("torch_index", value))
                .transpose()?,
            python_mirror: filled(settings.python_mirror.as_ref())
                .map(str::to_owned)
                .or_else(|| said(&["UV_PYTHON_INSTALL_MIRROR"], "")),
            proxy: proxy.map(|value| proxy_address(&value)).transpose()?,
            ca_bundle: if ca_file.is_some() { None } else { bundle().map(PathBuf::from) },
            ca_file,
            package_cache: settings.package_cache.clone().filter(|path| !path.as_os_str().is_empty()),
        })
    }

    /// The package index.
    pub(super) fn index(&self) -> Result<Url, Problem> {
        self.index.clone().map_or_else(|| address("index", PYPI), Ok)
    }

    /// PyTorch's index for a folder such as `cu128`.
    pub(super) fn torch_index(&self, folder: &str) -> Result<Url, Problem> {
        let base = self.torch_index.clone().map_or_else(|| address("torch_index", PYTORCH), Ok)?;
        Ok(below(&base, folder))
    }

    /// Whether a person said where torch comes from: then nothing else will do.
    pub(super) fn torch_index_is_set(&self) -> bool {
        self.torch_index.is_some()
    }

    /// The proxy that is gone through, for a person to read; the system's own variables count where nothing is set.
    pub(super) fn proxy(&self) -> Option<String> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
        let said = || ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].into_iter().find_map(variable);
        self.proxy.clone().or_else(|| proxy_address(&said()?).ok()).as_ref().map(shown)
    }

    /// A client that goes through the proxy and trusts the certificates that were set.
    ///
    /// # Errors
    /// `environment.source-invalid`, `environment.certificates-unreadable`.
    pub(super) fn client(&self) -> Result<Client, Problem> {
        self.client_that(Policy::custom(|attempt| {
            let (from, to) = (attempt.previous().last().map(Url::scheme), attempt.url().scheme());
            if from == Some("https") && to != "https" {
                // Whoever is in between could put anything in its place.
                attempt.error("a redirect from https to http")
            } else if attempt.previous().len() > 10 {
                attempt.error("too many redirects")
            } else {
                attempt.follow()
            }
        }))
    }

    /// The same, with a rule of its own for answers that send elsewhere.
    ///
    /// # Errors
    /// As [`Self::client`].
    pub(super) fn client_that(&self, redirects: Policy) -> Result<Client, Problem> {
        let mut client = Client::builder()
            .user_agent(concat!("yolo-preflight/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .redirect(redirects);
        if let Some(proxy) = &self.proxy {
            let proxy = Proxy::all(proxy.clone()).map_err(|error| invalid("proxy", proxy.as_str()).because(&error))?;
            client = client.proxy(proxy.no_proxy(NoProxy::from_env()));
        }
        if let Some(path) = self.ca_file.as_ref().or(self.ca_bundle.as_ref()) {
            let unreadable = || Problem::new("environment.certificates-unreadable").with("path", path.as_path());
            let pem = std::fs::read(path).map_err(|error| unreadable().because(&error))?;
            let certificates = Certificate::from_pem_bundle(&pem).map_err(|error| unreadable().because(&error))?;
            if certificates.is_empty() {
                return Err(unreadable());
            }
            client = client.tls_certs_merge(certificates);
        }
        client.build().map_err(|error| Problem::new("environment.tls-unavailable").because(&error))
    }

    /// What uv is told, through its environment only: addresses may hold passwords, and arguments can be read by every
    /// user of the computer.
    ///
    /// # Errors
    /// `environment.certificates-unreadable`, `file.unwritable`.
    pub(super) fn for_uv(&self, dirs: &Dirs) -> Result<UvVariables, Problem> {
        let mut set: Vec<(String, OsString)> = vec![
            // Everything of ours is under one root, a Python that uv fetches as well.
            ("UV_PYTHON_INSTALL_DIR".into(), dirs.tools().join("python").into()),
        ];
        if let Some(index) = &self.index {
            set.push(("UV_DEFAULT_INDEX".into(), index.as_str().into()));
        }
        if let Some(mirror) = &self.python_mirror {
            set.push(("UV_PYTHON_INSTALL_MIRROR".into(), mirror.into()));
        }
        if let Some(proxy) = &self.proxy {
            for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
                set.push((name.into(), proxy.as_str().into()));
            }
        }
        if let Some(cache) = &self.package_cache {
            set.push(("UV_CACHE_DIR".into(), cache.into()));
        }
        if let Some(bundle) = &self.ca_bundle {
            set.push(("SSL_CERT_FILE".into(), bundle.into()));
        } else if let Some(file) = &self.ca_file {
            set.push(("SSL_CERT_FILE".into(), self.with_system_certificates(dirs, file)?.into()));
        } else {
            // As our own client does, and as companies expect: trust what the system trusts.
            set.push(("UV_SYSTEM_CERTS".into(), "true".into()));
        }
        Ok(UvVariables { set })
    }

    /// uv takes one bundle instead of the system's certificates; a person's file is meant in addition to them.
    fn with_system_certificates(&self, dirs: &Dirs, file: &Path) -> Result<PathBuf, Problem> {
        let mut bundle = std::fs::read_to_string(file)
            .map_err(|error| Problem::new("environment.certificates-unreadable").with("path", file).because(&error))?;
        for certificate in rustls_native_certs::load_native_certs().certs {
            bundle.push_str("\n-----BEGIN CERTIFICATE-----\n");
            let text = base64::engine::general_purpose::STANDARD.encode(&certificate);
            for line in text.as_bytes().chunks(64) {
                bundle.push_str(&String::from_utf8_lossy(line));
                bundle.push('\n');
            }
            bundle.push_str("-----END CERTIFICATE-----\n");
        }
        let path = dirs.tools().join("certificates.pem");
        std::fs::create_dir_all(dirs.tools())
            .map_err(|error| Problem::new("file.unwritable").with("path", path.as_path()).because(&error))?;
        crate::write::atomically(&path, bundle.as_bytes())?;
        Ok(path)
    }
}

/// The environment of our uv.
#[derive(Debug, Clone)]
pub(super) struct UvVariables {
    set: Vec<(String, OsString)>,
}

impl UvVariables {
    /// Adds a variable.
    pub(super) fn and(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.set.push((name.to_owned(), value.into()));
        self
    }

    /// Gives a command this environment.
    pub(super) fn apply(&self, command: &mut tokio::process::Command) {
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("UV_") && !KEPT.contains(&name)) {
                command.env_remove(name);
            }
        }
        // The environment is made from the system's Python, not from another environment that may go away.
        for name in ["VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONHOME", "PYTHONPATH"] {
            command.env_remove(name);
        }
        if self.set.iter().any(|(name, _)| name == "UV_DEFAULT_INDEX") {
            command.env_remove("UV_INDEX_URL");
        }
        command.envs(self.set.iter().map(|(name, value)| (name, value)));
    }
}

/// An address for a person to read: without user name and password.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // Addresses that can have no user name have none.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

/// The folder below an address.
pub(super) fn below(base: &Url, folder: &str) -> Url {
    let mut url = base.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().push(folder);
    }
    url
}

fn filled(value: Option<&String>) -> Option<&str> {
    value.map(|value| value.trim()).filter(|value| !value.is_empty())
}

/// uv allows `name=https://…`.
fn unnamed(value: &str) -> &str {
    match value.split_once('=') {
        Some((name, address)) if !name.contains([':', '/']) => address,
        _ => value,
    }
}

fn invalid(name: &str, value: &str) -> Problem {
    // Whatever is wrong with it, it may hold a password.
    let value = value.rsplit_once('@').map_or(value, |(_, rest)| rest);
    Problem::new("environment.source-invalid").with("name", name).with("value", value)
}

/// An address of the web that was set under a name.
///
/// # Errors
/// `environment.source-invalid`.
pub(crate) fn address(name: &str, value: &str) -> Result<Url, Problem> {
    let url = Url::parse(value.trim()).map_err(|error| invalid(name, value).because(&error))?;
    if matches!(url.scheme(), "http" | "https") && url.has_host() { Ok(url) } else { Err(invalid(name, value)) }
}

/// pip and curl take a proxy without `http://`.
fn proxy_address(value: &str) -> Result<Url, Problem> {
    let value = value.trim();
    let url = if value.contains("://") { Url::parse(value) } else { Url::parse(&format!("http://{value}")) };
    url.map_err(|error| invalid("proxy", value).because(&error))
}

/// What pip's configuration files say in `[global]` and `[install]`, the most specific file and section last.
fn pip_configuration(around: &Surroundings) -> BTreeMap<String, String> {
    let Surroundings { variable, home, system, .. } = around;
    let home = home.as_deref();
    let mut files: Vec<PathBuf> = Vec::new();
    if cfg!(windows) {
        files.extend(variable("ProgramData").map(|folder| PathBuf::from(folder).join("pip").join("pip.ini")));
        files.extend(home.map(|home| home.join("pip").join("pip.ini")));
        files.extend(variable("APPDATA").map(|folder| PathBuf::from(folder).join("pip").join("pip.ini")));
    } else {
        files.push(system.join("pip.conf"));
        files.extend(home.map(|home| home.join(".pip").join("pip.conf")));
        if cfg!(target_os = "macos") {
            files.extend(home.map(|home| home.join("Library/Application Support/pip/pip.conf")));
        }
        let config = variable("XDG_CONFIG_HOME").map(PathBuf::from).or_else(|| home.map(|home| home.join(".config")));
        files.extend(config.map(|config| config.join("pip").join("pip.conf")));
    }
    files.extend(variable("PIP_CONFIG_FILE").map(PathBuf::from));
    let mut said = BTreeMap::new();
    let texts: Vec<String> = files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
    for section in ["global", "install"] {
        texts.iter().for_each(|text| said.extend(ini_section(text, section)));
    }
    said
}

/// The default index that uv's configuration file names, a person's own before the computer's.
fn uv_configured_index(around: &Surroundings) -> Option<String> {
    let Surroundings { variable, home, system, .. } = around;
    let folder = |name: &str| variable(name).map(PathBuf::from);
    let folders = if cfg!(windows) {
        [folder("APPDATA"), folder("ProgramData")]
    } else {
        let own = folder("XDG_CONFIG_HOME").or_else(|| home.as_ref().map(|home| home.join(".config")));
        [own, Some(system.clone())]
    };
    let files = folders.into_iter().flatten().map(|folder| folder.join("uv").join("uv.toml"));
    folder("UV_CONFIG_FILE").into_iter().chain(files).find_map(|file| {
        let settings: toml::Table = toml::from_str(&std::fs::read_to_string(file).ok()?).ok()?;
        let indexes = settings.get("index").and_then(toml::Value::as_array).into_iter().flatten();
        let mut defaults = indexes.filter(|index| index.get("default").and_then(toml::Value::as_bool) == Some(true));
        let url = defaults.find_map(|index| index.get("url"));
        let url = url.or_else(|| settings.get("index-url")).or_else(|| settings.get("pip")?.get("index-url"));
        url.and_then(toml::Value::as_str).map(str::to_owned)
    })
}

/// The keys of a section, with `-` for `_` as pip reads them.
fn ini_section(text: &str, section: &str) -> Vec<(String, String)> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            inside = name.trim().eq_ignore_ascii_case(section);
        } else if inside && !line.starts_with([' ', '\t', '#', ';']) {
            // Indented lines continue a value; none of the values that matter here have more than one.
            if let Some((key, value)) = trimmed.split_once(['=', ':']) {
                found.push((key.trim().to_lowercase().replace('_', "-"), value.trim().to_owned()));
            }
        }
    }
    found.retain(|(_, value)| !value.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A computer on which only these variables are set.
    fn around(pairs: &'static [(&'static str, &'static str)]) -> Surroundings {
        let variable = |name: &str| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).into());
        Surroundings { variable: Box::new(variable), home: None, current: None, system: "/nowhere".into() }
    }

    fn resolved(settings: &Sources, pairs: &'static [(&'static str, &'static str)]) -> Origins {
        Origins::resolve(settings, &around(pairs)).unwrap()
    }

    #[test]
    fn settings_come_before_variables() {
        let settings = Sources {
            index: Some("https://mirror.example/simple".to_owned()),
            proxy: Some("proxy.example:3128".to_owned()),
            ..Sources::default()
        };
        let pairs = &[("UV_DEFAULT_INDEX", "https://other.example/simple"), ("PIP_PROXY", "http://no.example")];
        let origins = resolved(&settings, pairs);
        assert_eq!(origins.index().unwrap().as_str(), "https://mirror.example/simple");
        assert_eq!(origins.proxy.unwrap().as_str(), "http://proxy.example:3128/");
    }

    #[test]
    fn what_pip_and_uv_users_have_counts() {
        let none = Sources { index: Some("  ".to_owned()), ..Sources::default() };
        let index = |pairs| resolved(&none, pairs).index().unwrap().to_string();
        assert_eq!(index(&[]), "https://pypi.org/simple");
        assert_eq!(index(&[("PIP_INDEX_URL", "https://a.example/s/")]), "https://a.example/s/");
        assert_eq!(
            index(&[("PIP_INDEX_URL", "https://a.example/"), ("UV_INDEX_URL", "https://b.example/")]),
            "https://b.example/"
        );
        assert_eq!(
            index(&[("UV_DEFAULT_INDEX", "company=https://c.example/simple?x=1")]),
            "https://c.example/simple?x=1"
        );
        let origins = resolved(&none, &[("REQUESTS_CA_BUNDLE", "/ca.pem"), ("UV_PYTHON_INSTALL_MIRROR", "file:///m")]);
        assert_eq!((origins.ca_bundle, origins.python_mirror), (Some("/ca.pem".into()), Some("file:///m".to_owned())));
    }

    #[test]
    fn the_file_of_pip_counts_last() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("pip.conf");
        let text = "[global]\nindex_url = https://d.example/simple\n# proxy = none\ncert: /d.pem\n[list]\nproxy = x\n\
                    [install]\nproxy = http://p.example:1\n";
        std::fs::write(&file, text).unwrap();
        let variable = Box::new(move |name: &str| (name == "PIP_CONFIG_FILE").then(|| file.clone().into()));
        let origins = Origins::resolve(&Sources::default(), &Surroundings { variable, ..around(&[]) }).unwrap();
        assert_eq!(origins.index().unwrap().as_str(), "https://d.example/simple");
        assert_eq!(origins.proxy.unwrap().as_str(), "http://p.example:1/");
        assert_eq!(origins.ca_bundle, Some("/d.pem".into()));
    }

    #[test]
    fn the_file_of_uv_counts_before_pip() {
        let home = tempfile::tempdir().unwrap();
        let index = |text: &str| {
            std::fs::create_dir_all(home.path().join(".config/uv")).unwrap();
            std::fs::write(home.path().join(".config/uv/uv.toml"), text).unwrap();
            let around = around(&[("PIP_INDEX_URL", "https://pip.example/simple")]);
            let around = Surroundings { home: Some(home.path().to_owned()), ..around };
            let origins = Origins::resolve(&Sources::default(), &around).unwrap();
            origins.index().unwrap().to_string()
        };
        let other = "[[index]]\nurl = 'https://a.example/'\n";
        assert_eq!(
            index(&format!("{other}[[index]]\nurl = 'https://b.example/'\ndefault = true")),
            "https://b.example/"
        );
        assert_eq!(index("index-url = 'https://c.example/'"), "https://c.example/");
        assert_eq!(index("[pip]\nindex-url = 'https://d.example/'"), "https://d.example/");
        assert_eq!(index(other), "https://pip.example/simple");
        assert_eq!(index("not toml"), "https://pip.example/simple");
    }

    #[test]
    fn uv_is_told_through_its_environment_only() {
        let folder = tempfile::tempdir().unwrap();
        let dirs = Dirs::new(folder.path());
        let settings = Sources {
            index: Some("https://me:pw@i.example/simple".to_owned()),
            python_mirror: Some("https://p.example/python".to_owned()),
            proxy: Some("socks5://s.example:1080".to_owned()),
            package_cache: Some("/cache".into()),
            ..Sources::default()
        };
        let told = |origins: Origins| origins.for_uv(&dirs).unwrap().set.into_iter().collect::<BTreeMap<_, _>>();
        let variables = told(resolved(&settings, &[]));
        assert_eq!(variables["UV_DEFAULT_INDEX"], "https://me:pw@i.example/simple");
        assert_eq!(variables["UV_PYTHON_INSTALL_MIRROR"], "https://p.example/python");
        assert_eq!(variables["UV_PYTHON_INSTALL_DIR"], *folder.path().join("tools/python"));
        assert_eq!(
            (&*variables["HTTPS_PROXY"], &*variables["UV_CACHE_DIR"]),
            ("socks5://s.example:1080".as_ref(), "/cache".as_ref())
        );
        assert_eq!(variables["UV_SYSTEM_CERTS"], "true");
        let variables = told(resolved(&Sources::default(), &[("PIP_CERT", "/company.pem")]));
        assert_eq!(variables["SSL_CERT_FILE"], "/company.pem");
        assert!(!variables.contains_key("UV_DEFAULT_INDEX"));
    }

    #[test]
    fn passwords_are_not_shown() {
        let settings = |index: &str| Sources { index: Some(index.to_owned()), ..Sources::default() };
        let url = resolved(&settings("https://me:secret@x.example/simple"), &[]).index().unwrap();
        assert_eq!(shown(&url), "https://x.example/simple");
        let problem = Origins::resolve(&settings("ftp://me:secret@x.example"), &around(&[])).unwrap_err();
        assert_eq!(problem.code, "environment.source-invalid");
        assert!(!serde_json::to_string(&problem).unwrap().contains("secret"));
    }

    #[test]
    fn folders_are_appended() {
        let settings = Sources { torch_index: Some("https://x.example/whl/".to_owned()), ..Sources::default() };
        let origins = resolved(&settings, &[]);
        assert_eq!(origins.torch_index("cu128").unwrap().as_str(), "https://x.example/whl/cu128");
        assert_eq!(
            resolved(&Sources::default(), &[]).torch_index("cpu").unwrap().as_str(),
            "https://download.pytorch.org/whl/cpu"
        );
    }
}
