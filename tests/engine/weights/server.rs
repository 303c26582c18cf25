//! A server that answers as a test says, and notes what it was asked.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

/// What a client asked.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// As it was asked: a proxy is asked for whole addresses.
    pub(crate) target: String,
    headers: Vec<(String, String)>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Where a range begins, unless the file changed meanwhile.
    fn from(&self, etag: &str) -> Option<usize> {
        if self.header("if-range").is_some_and(|known| known != etag) {
            return None;
        }
        self.header("range")?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()
    }
}

/// How an answer ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum End {
    Whole,
    /// The connection breaks after so many bytes.
    Breaks(usize),
    /// Nothing more comes after so many bytes.
    Stalls(usize),
    /// After so many bytes, one comes every few milliseconds.
    Trickles(usize),
}

/// What a client gets.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    /// Whether the client is told how much comes.
    pub(crate) told: bool,
    pub(crate) end: End,
}

impl Answer {
    pub(crate) fn status(status: &'static str) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new(), told: true, end: End::Whole }
    }

    pub(crate) fn body(body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..Self::status("200 OK") }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn ending(self, end: End) -> Self {
        Self { end, ..self }
    }

    /// A file, as a good server gives it: in part where that is asked for, and it is the same file.
    pub(crate) fn file(bytes: &[u8], etag: &str, request: &Request) -> Self {
        let answer = match request.from(etag) {
            Some(from) if from >= bytes.len() => Self::status("416 Range Not Satisfiable"),
            Some(from) => {
                let range = format!("bytes {from}-{}/{}", bytes.len() - 1, bytes.len());
                Self { status: "206 Partial Content", ..Self::body(&bytes[from..]) }.with("Content-Range", range)
            }
            None => Self::body(bytes),
        };
        answer.with("ETag", etag).with("Content-Type", "application/octet-stream")
    }
}

type Answers = dyn Fn(&Request, usize) -> Answer + Send + Sync;

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) address: String,
    seen: Arc<Mutex<Vec<Request>>>,
    stalled: watch::Receiver<bool>,
}

impl Server {
    /// `answers` is given each request and how many came before it.
    pub(crate) async fn start(answers: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static) -> Self {
        Self::serve(Arc::new(answers), None).await
    }

    /// With a certificate that the authority of the file signed.
    pub(crate) async fn start_tls(
        authority: &Path,
        answers: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static,
    ) -> Self {
        Self::serve(Arc::new(answers), Some(crate::environment::index::acceptor(authority))).await
    }

    async fn serve(answers: Arc<Answers>, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let address = format!("{scheme}://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (stalling, stalled) = watch::channel(false);
        let (noted, stalling) = (Arc::clone(&seen), Arc::new(stalling));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (answers, noted) = (Arc::clone(&answers), Arc::clone(&noted));
                let (stalling, tls) = (Arc::clone(&stalling), tls.clone());
                tokio::spawn(async move {
                    // Clients hang up; that is no failure of the server's.
                    let _ = match tls {
                        Some(tls) => match tls.accept(stream).await {
                            Ok(stream) => answer(stream, &answers, &noted, &stalling).await,
                            Err(error) => Err(error),
                        },
                        None => answer(stream, &answers, &noted, &stalling).await,
                    };
                });
            }
        });
        Self { address, seen, stalled }
    }

    pub(crate) fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns once a client waits for an answer that stalls.
    pub(crate) async fn stalled(&mut self) {
        self.stalled.wait_for(|stalled| *stalled).await.unwrap();
    }
}

async fn answer(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    answers: &Arc<Answers>,
    noted: &Mutex<Vec<Request>>,
    stalling: &watch::Sender<bool>,
) -> std::io::Result<()> {
    let mut text = Vec::new();
    while !text.ends_with(b"\r\n\r\n") {
        text.push(stream.read_u8().await?);
    }
    let text = String::from_utf8(text).unwrap();
    let headers = text.lines().skip(1).filter_map(|line| line.split_once(": "));
    let request = Request {
        target: text.split(' ').nth(1).unwrap().to_owned(),
        headers: headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect(),
    };
    let before = {
        let mut noted = noted.lock().unwrap();
        noted.push(request.clone());
        noted.len() - 1
    };
    let answer = answers(&request, before);
    let mut head = format!("HTTP/1.1 {}\r\nConnection: close\r\n", answer.status);
    if answer.told {
        head.push_str(&format!("Content-Length: {}\r\n", answer.body.len()));
    }
    answer.headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
    stream.write_all(format!("{head}\r\n").as_bytes()).await?;
    let (at, end) = match answer.end {
        End::Whole => (answer.body.len(), answer.end),
        End::Breaks(at) | End::Stalls(at) | End::Trickles(at) => (at.min(answer.body.len()), answer.end),
    };
    stream.write_all(&answer.body[..at]).await?;
    stream.flush().await?;
    match end {
        End::Stalls(_) => {
            stalling.send_replace(true);
            // Until the client hangs up.
            let _ = stream.read_u8().await;
        }
        End::Trickles(_) => {
            for byte in &answer.body[at..] {
                tokio::time::sleep(Duration::from_millis(5)).await;
                stream.write_all(&[*byte]).await?;
                stream.flush().await?;
            }
        }
        End::Whole | End::Breaks(_) => {}
    }
    stream.shutdown().await
}
