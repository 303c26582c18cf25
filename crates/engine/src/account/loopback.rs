//! The address on this computer that the browser comes back to after a sign-in.

use preflight_core::problem::Problem;
use reqwest::Url;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A request line with a code is much shorter.
const LONGEST: usize = 16 << 10;
const PATH: &str = "/signed-in";

/// An address that only this computer reaches, for one sign-in.
pub(super) struct Loopback {
    listener: TcpListener,
    port: u16,
}

impl Loopback {
    /// Takes a free port.
    ///
    /// # Errors
    /// `account.no-loopback`.
    pub(super) async fn open() -> Result<Self, Problem> {
        let none = |error| Problem::new("account.no-loopback").because(&error);
        // By number: `localhost` may be something else (RFC 8252, 8.3).
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(none)?;
        let port = listener.local_addr().map_err(none)?.port();
        Ok(Self { listener, port })
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// Waits for the browser, answers it with `page`, and gives the code it brought.
    ///
    /// # Errors
    /// `account.sign-in-refused` with what was said.
    pub(super) async fn code(&self, state: &str, page: &str) -> Result<String, Problem> {
        loop {
            let Ok((mut stream, _)) = self.listener.accept().await else { continue };
            let asked = tokio::time::timeout(std::time::Duration::from_secs(10), target(&mut stream)).await;
            let answer = asked.ok().flatten().and_then(|target| Came::of(&target, state));
            // Browsers also ask for icons, and other programs for whatever they like.
            let (status, text) = if answer.is_some() { ("200 OK", page) } else { ("404 Not Found", "") };
            let page = format!(
                "<!doctype html><meta charset=utf-8><title>YOLO Preflight</title><body style=\"font:16px system-ui;margin:4em\">{text}"
            );
            let reply = format!(
                "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{page}",
                page.len()
            );
            // A browser that is gone needs no page.
            let _ = stream.write_all(reply.as_bytes()).await;
            let _ = stream.shutdown().await;
            match answer {
                Some(Came::Code(code)) => return Ok(code),
                Some(Came::Refusal(said)) => return Err(Problem::new("account.sign-in-refused").because_text(said)),
                None => {}
            }
        }
    }
}

/// What the browser came back with.
enum Came {
    Code(String),
    Refusal(String),
}

impl Came {
    /// `None`: not for this sign-in.
    fn of(target: &str, state: &str) -> Option<Self> {
        let url = Url::parse("http://127.0.0.1").ok()?.join(target).ok()?;
        let value = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        if url.path() != PATH || value("state").as_deref() != Some(state) {
            return None;
        }
        match (value("code"), value("error")) {
            (_, Some(error)) => Some(Self::Refusal(value("error_description").unwrap_or(error))),
            (code, None) => code.filter(|code| !code.is_empty()).map(Self::Code),
        }
    }
}

/// The target of a request.
async fn target(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut piece = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut piece).await.ok()?;
        if read == 0 || head.len() > LONGEST {
            return None;
        }
        head.extend_from_slice(&piece[..read]);
    }
    let line = std::str::from_utf8(&head).ok()?.lines().next()?.to_owned();
    line.strip_prefix("GET ")?.split(' ').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_answer_to_this_sign_in_counts() {
        let came = |target: &str| match Came::of(target, "s1") {
            Some(Came::Code(code)) => format!("code {code}"),
            Some(Came::Refusal(said)) => format!("no {said}"),
            None => "none".to_owned(),
        };
        assert_eq!(came("/signed-in?code=a%2Bb&state=s1"), "code a+b");
        assert_eq!(came("/signed-in?error=access_denied&error_description=Not+today&state=s1"), "no Not today");
        for other in [
            "/signed-in?code=a&state=s2",
            "/signed-in?code=a",
            "/favicon.ico",
            "/signed-in?state=s1",
            "//evil?code=a&state=s1",
        ] {
            assert_eq!(came(other), "none", "{other}");
        }
    }
}
