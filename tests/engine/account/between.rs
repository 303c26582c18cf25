//! What is between a client and a platform: it hands on questions and answers, and does to them what networks do.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Ten gigabytes.
pub(super) const HUGE: u64 = 10 << 30;

/// What happens to a question or its answer.
#[derive(Debug, Clone)]
pub(super) enum Fault {
    /// The question is lost.
    Dropped,
    /// The answer takes its time.
    Delayed(Duration),
    /// The answer comes twice, one behind the other.
    AnsweredTwice,
    /// The question reaches the platform twice.
    AskedTwice,
    /// The platform answered, and half of that arrives.
    Truncated,
    /// The platform answered, and the last byte is held back.
    HeldBack,
    /// Something else answers with this status.
    Status(&'static str),
    /// Something else sends to another place.
    SentTo(String),
    /// Something else answers with ten gigabytes; whether it says so beforehand.
    Huge { told: bool },
    /// The answer is called something else than it is.
    Called(&'static str),
    /// A page for people.
    Page,
}

#[derive(Debug)]
struct Shared {
    /// Where the platform is.
    to: String,
    /// Where this is.
    here: String,
    fault: Mutex<Option<(String, Fault)>>,
    /// Bytes of huge answers that were taken off our hands.
    sent: AtomicU64,
    /// Answers that were delayed or are held back.
    answered: watch::Sender<u64>,
}

/// A relay to a platform.
#[derive(Debug)]
pub(super) struct Between {
    pub(super) address: String,
    shared: Arc<Shared>,
}

impl Between {
    pub(super) async fn to(platform: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let here = listener.local_addr().unwrap().to_string();
        let address = format!("http://{here}");
        let to = platform.trim_start_matches("http://").to_owned();
        let shared = Arc::new(Shared {
            to,
            here,
            fault: Mutex::default(),
            sent: AtomicU64::default(),
            answered: watch::channel(0).0,
        });
        let relaying = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&relaying);
                // Clients hang up; that is no failure of the relay's.
                tokio::spawn(async move { relay(stream, &shared).await.unwrap_or_default() });
            }
        });
        Self { address, shared }
    }

    /// From now on, this happens to what goes to paths that begin so.
    pub(super) fn set(&self, path: &str, fault: Fault) {
        *self.shared.fault.lock().unwrap() = Some((path.to_owned(), fault));
    }

    /// From now on, nothing happens.
    pub(super) fn clear(&self) {
        *self.shared.fault.lock().unwrap() = None;
    }

    /// Bytes of huge answers that a client took, or that were on their way to it.
    pub(super) fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::SeqCst)
    }

    /// Hears of the next answer that was delayed or is held back.
    pub(super) fn answered(&self) -> watch::Receiver<u64> {
        self.shared.answered.subscribe()
    }
}

/// One connection of a client, question after question.
async fn relay(mut client: TcpStream, shared: &Shared) -> std::io::Result<()> {
    while let Some(question) = message(&mut client).await? {
        let path = String::from_utf8_lossy(&question).split(' ').nth(1).unwrap_or_default().to_owned();
        let fault = shared.fault.lock().unwrap().clone().filter(|(begins, _)| path.starts_with(begins.as_str()));
        let Some((_, fault)) = fault else {
            client.write_all(&ask(&question, shared).await?).await?;
            continue;
        };
        match fault {
            Fault::Dropped => return Ok(()),
            Fault::Delayed(time) => {
                let answer = ask(&question, shared).await?;
                tokio::time::sleep(time).await;
                client.write_all(&answer).await?;
                shared.answered.send_modify(|count| *count += 1);
            }
            Fault::AnsweredTwice => client.write_all(&ask(&question, shared).await?.repeat(2)).await?,
            Fault::AskedTwice => {
                let answer = ask(&question, shared).await?;
                ask(&question, shared).await?;
                client.write_all(&answer).await?;
            }
            Fault::Truncated => {
                let answer = ask(&question, shared).await?;
                let head = head(&answer).unwrap_or(0);
                return client.write_all(&answer[..head.midpoint(answer.len())]).await;
            }
            Fault::HeldBack => {
                let answer = ask(&question, shared).await?;
                client.write_all(&answer[..answer.len() - 1]).await?;
                shared.answered.send_modify(|count| *count += 1);
                // Until the client is gone.
                let _ = client.read_u8().await;
                return Ok(());
            }
            Fault::Status(status) => {
                client.write_all(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n").as_bytes()).await?;
            }
            Fault::SentTo(place) => {
                let head = format!("HTTP/1.1 307 Temporary Redirect\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n");
                client.write_all(head.as_bytes()).await?;
            }
            Fault::Huge { told } => return huge(&mut client, told, shared).await,
            Fault::Called(kind) => {
                let answer = ask(&question, shared).await?;
                client.write_all(&with(&String::from_utf8_lossy(&answer), "content-type", kind)).await?;
            }
            Fault::Page => {
                let page = "<!doctype html><title>Welcome</title>";
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{page}",
                    page.len()
                );
                client.write_all(head.as_bytes()).await?;
            }
        }
    }
    Ok(())
}

/// Spaces without end, for as long as they are taken.
async fn huge(client: &mut TcpStream, told: bool, shared: &Shared) -> std::io::Result<()> {
    let length = if told { format!("Content-Length: {HUGE}\r\n") } else { String::new() };
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{length}Connection: close\r\n\r\n");
    client.write_all(head.as_bytes()).await?;
    let piece = vec![b' '; 64 << 10];
    for _ in 0..HUGE / (64 << 10) {
        client.write_all(&piece).await?;
        shared.sent.fetch_add(64 << 10, Ordering::SeqCst);
    }
    Ok(())
}

/// Asks the platform, as if nobody were between; its answer, with our address in place of its own.
async fn ask(question: &[u8], shared: &Shared) -> std::io::Result<Vec<u8>> {
    let mut platform = TcpStream::connect(&shared.to).await?;
    platform.write_all(&renamed(question, &shared.here, &shared.to)).await?;
    // A platform that says nothing and goes leaves nothing to hand on.
    let answer = message(&mut platform).await?.ok_or(std::io::ErrorKind::UnexpectedEof)?;
    Ok(renamed(&answer, &shared.to, &shared.here))
}

/// With one address in place of another, in the head as in the body.
fn renamed(message: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(message).replace(from, to);
    let length = text.split_once("\r\n\r\n").map_or(0, |(_, body)| body.len());
    with(&text, "content-length", &length.to_string())
}

/// With another value of a header, where it is there.
fn with(message: &str, name: &str, value: &str) -> Vec<u8> {
    let (head, body) = message.split_once("\r\n\r\n").unwrap_or((message, ""));
    let head = head.lines().map(|line| match line.to_lowercase().strip_prefix(name) {
        Some(rest) if rest.starts_with(':') => format!("{name}: {value}"),
        _ => line.to_owned(),
    });
    format!("{}\r\n\r\n{body}", head.collect::<Vec<_>>().join("\r\n")).into_bytes()
}

/// Where the head of a message ends.
fn head(message: &[u8]) -> Option<usize> {
    message.windows(4).position(|end| end == b"\r\n\r\n").map(|at| at + 4)
}

/// A question or answer with its body; `None`: there is none any more.
async fn message(stream: &mut TcpStream) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        if let Some(head) = head(&bytes) {
            let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
            let whole: usize = head + length.unwrap_or(0);
            if bytes.len() >= whole {
                bytes.truncate(whole);
                return Ok(Some(bytes));
            }
        }
        let read = stream.read(&mut piece).await?;
        if read == 0 {
            return Ok(None);
        }
        bytes.extend_from_slice(&piece[..read]);
    }
}
