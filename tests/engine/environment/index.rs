//! A package index, which can also be the proxy to one, and can do everything wrong.

use std::path::Path;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

use super::wheels::Wheel;

/// What an index does.
#[derive(Debug, Clone, Default)]
pub(crate) struct Behaviour {
    pub(crate) wheels: Vec<Wheel>,
    /// Wheels of `/torch/cpu/`.
    pub(crate) torch: Vec<Wheel>,
    /// Answers every request with this page.
    pub(crate) portal: Option<&'static str>,
    /// Answers as PEP 503 says, not as PEP 691.
    pub(crate) html: bool,
    /// Sends half of this file, and then nothing until the end of the test.
    pub(crate) stalls_at: Option<&'static str>,
    /// Wants `Authorization` with this.
    pub(crate) password: Option<&'static str>,
}

/// A running index.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) address: String,
    seen: Arc<Mutex<Vec<String>>>,
    stalled: watch::Receiver<bool>,
}

impl Index {
    pub(crate) async fn start(behaviour: Behaviour) -> Self {
        Self::serve(behaviour, None).await
    }

    /// With a certificate that the authority of the file signed.
    pub(crate) async fn start_tls(behaviour: Behaviour, authority: &Path) -> Self {
        Self::serve(behaviour, Some(acceptor(authority))).await
    }

    async fn serve(behaviour: Behaviour, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let address = format!("{scheme}://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (stalling, stalled) = watch::channel(false);
        let shared = Arc::new(Shared { behaviour, seen: Arc::clone(&seen), stalling });
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (shared, tls) = (Arc::clone(&shared), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        // Clients that do not trust it hang up.
                        Some(tls) => match tls.accept(stream).await {
                            Ok(stream) => shared.answer(stream).await,
                            Err(_) => Ok(()),
                        },
                        None => shared.answer(stream).await,
                    }
                });
            }
        });
        Self { address, seen, stalled }
    }

    pub(crate) fn url(&self) -> String {
        format!("{}/simple", self.address)
    }

    /// The requested addresses, as they were requested.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns once a client waits for a file that stalls.
    pub(crate) async fn stalled(&mut self) {
        self.stalled.wait_for(|stalled| *stalled).await.unwrap();
    }
}

/// Shows a certificate for 127.0.0.1 that the authority of the file signed.
pub(crate) fn acceptor(authority: &Path) -> TlsAcceptor {
    let key = rcgen::KeyPair::generate().unwrap();
    let mut parameters = rcgen::CertificateParams::new([]).unwrap();
    parameters.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let certificate = parameters.self_signed(&key).unwrap();
    std::fs::write(authority, certificate.pem()).unwrap();
    let issuer = rcgen::Issuer::new(parameters, key);
    let key = rcgen::KeyPair::generate().unwrap();
    let leaf = rcgen::CertificateParams::new(["127.0.0.1".to_owned()]).unwrap().signed_by(&key, &issuer).unwrap();
    let config = tokio_rustls::rustls::ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![leaf.der().clone()], key.serialize_der().try_into().unwrap())
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

struct Shared {
    behaviour: Behaviour,
    seen: Arc<Mutex<Vec<String>>>,
    stalling: watch::Sender<bool>,
}

impl Shared {
    async fn answer(&self, mut stream: impl AsyncRead + AsyncWrite + Unpin) -> std::io::Result<()> {
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            let byte = stream.read_u8().await?;
            request.push(byte);
        }
        let request = String::from_utf8(request).unwrap();
        let target = request.split(' ').nth(1).unwrap().to_owned();
        self.seen.lock().unwrap().push(target.clone());
        // A proxy is asked for whole addresses.
        let path = target.split_once("://").map_or(target.as_str(), |(_, rest)| &rest[rest.find('/').unwrap()..]);
        let head = request.starts_with("HEAD");
        let (status, kind, body) = self.reply(path, &request);
        let header = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(header.as_bytes()).await?;
        if head {
            return stream.shutdown().await;
        }
        if self.behaviour.stalls_at.is_some_and(|file| path.ends_with(file)) {
            stream.write_all(&body[..body.len() / 2]).await?;
            stream.flush().await?;
            self.stalling.send_replace(true);
            // Until the client hangs up.
            let _ = stream.read_u8().await;
            return Ok(());
        }
        stream.write_all(&body).await?;
        stream.shutdown().await
    }

    fn reply(&self, path: &str, request: &str) -> (&'static str, &'static str, Vec<u8>) {
        if let Some(page) = self.behaviour.portal {
            return ("200 OK", "text/html", page.as_bytes().to_vec());
        }
        let authorized = |password| {
            use base64::Engine as _;
            let expected = base64::engine::general_purpose::STANDARD.encode(password);
            request
                .lines()
                .any(|line| line.to_ascii_lowercase().starts_with("authorization: basic ") && line.ends_with(&expected))
        };
        if self.behaviour.password.is_some_and(|password| !authorized(password)) {
            return ("401 Unauthorized", "text/plain", Vec::new());
        }
        let all = self.behaviour.wheels.iter().chain(&self.behaviour.torch);
        let mut files = all.flat_map(|wheel| {
            [
                (wheel.file.clone(), wheel.bytes.as_slice()),
                (format!("{}.metadata", wheel.file), wheel.metadata.as_bytes()),
            ]
        });
        let name = path.rsplit('/').next().unwrap().replace("%2B", "+");
        if let Some((_, content)) = files.find(|(file, _)| *file == name) {
            return ("200 OK", "application/octet-stream", content.to_vec());
        }
        let (wheels, project) = match path.strip_prefix("/torch/cpu/") {
            Some(project) => (&self.behaviour.torch, project),
            None => (&self.behaviour.wheels, path.trim_start_matches("/simple/")),
        };
        let wheels: Vec<&Wheel> =
            wheels.iter().filter(|wheel| wheel.project == project.trim_end_matches('/')).collect();
        if wheels.is_empty() {
            return ("404 Not Found", "text/plain", Vec::new());
        }
        if self.behaviour.html {
            let link = |wheel: &&Wheel| {
                format!("<a href=\"../../files/{}#sha256={}\">x</a>\n", wheel.file.replace('+', "%2B"), wheel.sha256)
            };
            return ("200 OK", "text/html", wheels.iter().map(link).collect::<String>().into_bytes());
        }
        let file = |wheel: &&Wheel| {
            serde_json::json!({
                "filename": wheel.file,
                "url": format!("../../files/{}", wheel.file.replace('+', "%2B")),
                "hashes": { "sha256": wheel.sha256 },
                "core-metadata": true,
            })
        };
        let page = serde_json::json!({
            "meta": { "api-version": "1.1" },
            "name": project.trim_end_matches('/'),
            "files": wheels.iter().map(file).collect::<Vec<_>>(),
        });
        ("200 OK", "application/vnd.pypi.simple.v1+json", page.to_string().into_bytes())
    }
}
