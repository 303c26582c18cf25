//! The window as a bench sees it: by WebKit's own driver, on a display of its own.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::failure::{At, Failure, Outcome};
use crate::project::Project;
use crate::surroundings::Surroundings;

/// How long a driver or a display may take to come up.
const PATIENCE: Duration = Duration::from_secs(20);

/// A virtual display, ended when dropped.
pub(super) struct Display {
    server: Child,
    name: String,
}

impl Display {
    pub(super) fn open(project: &Project, surroundings: &Surroundings) -> Outcome<Self> {
        let taken = |number: &u32| Path::new(&format!("/tmp/.X11-unix/X{number}")).exists();
        let number =
            (90..200).find(|number| !taken(number)).ok_or_else(|| Failure::new("No display number is free."))?;
        let name = format!(":{number}");
        let server = surroundings
            .command(project, "Xvfb")
            .args([&name, "-screen", "0", "1400x1000x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let this = Self { server, name };
        until(|| Ok(taken(&number).then_some(())), "The virtual display did not come up.")?;
        Ok(this)
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The app's window under WebKit's driver.
pub(super) struct Window {
    driver: Child,
    port: u16,
    session: String,
}

impl Window {
    /// Opens the app over its files in `home`.
    pub(super) fn open(
        project: &Project,
        surroundings: &Surroundings,
        display: &Display,
        home: &Path,
    ) -> Outcome<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let driver = surroundings
            .command(project, "WebKitWebDriver")
            .args([format!("--port={port}"), "--host=127.0.0.1".into()])
            .env("DISPLAY", &display.name)
            // Without it the driver waits for ever for the app to take its orders.
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .envs(drawing())
            .env("PREFLIGHT_HOME", home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let mut this = Self { driver, port, session: String::new() };
        until(|| Ok(TcpStream::connect(("127.0.0.1", port)).ok().map(drop)), "WebKit's driver did not come up.")?;
        let options = json!({ "binary": project.release("yolo-preflight"), "args": [] });
        let asked = json!({ "capabilities": { "alwaysMatch": { "webkitgtk:browserOptions": options } } });
        let answer = this.ask("POST", "/session", Some(&asked))?;
        this.session = answer["sessionId"].as_str().unwrap_or_default().to_owned();
        Ok(this)
    }

    /// What a script in the page answers.
    pub(super) fn execute(&self, script: &str) -> Outcome<Value> {
        let path = format!("/session/{}/execute/sync", self.session);
        self.ask("POST", &path, Some(&json!({ "script": script, "args": [] })))
    }

    /// What a script in the page answers that is not null, once it does.
    pub(super) fn wait_for(&self, script: &str, otherwise: &str) -> Outcome<Value> {
        until(|| Ok(Some(self.execute(script)?).filter(|answer| !answer.is_null())), otherwise)
    }

    /// Types into the first element that a CSS selector finds.
    pub(super) fn type_into(&self, selector: &str, keys: &str) -> Outcome {
        let asked = json!({ "using": "css selector", "value": selector });
        let found = self.ask("POST", &format!("/session/{}/element", self.session), Some(&asked))?;
        let element = found.as_object().and_then(|found| found.values().next()).and_then(Value::as_str);
        let element = element.ok_or_else(|| Failure::new(format!("There is no {selector}.")))?;
        let path = format!("/session/{}/element/{element}/value", self.session);
        self.ask("POST", &path, Some(&json!({ "text": keys }))).map(drop)
    }

    /// Seconds since 1970 UTC at which the app's process started.
    pub(super) fn started(&self) -> Outcome<f64> {
        started(*self.processes()?.first().ok_or_else(|| Failure::new("The app's process is gone."))?)
    }

    /// The app's process and all below it.
    fn processes(&self) -> Outcome<Vec<u32>> {
        let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
        for entry in std::fs::read_dir("/proc")?.flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            if let Some(parent) = stat_field(pid, 1).and_then(|parent| parent.parse().ok()) {
                children.entry(parent).or_default().push(pid);
            }
        }
        let mut found = children.get(&self.driver.id()).cloned().unwrap_or_default();
        let mut next = 0;
        while let Some(pid) = found.get(next) {
            found.extend(children.get(pid).cloned().unwrap_or_default());
            next += 1;
        }
        Ok(found)
    }

    /// Bytes that the app's processes hold, shared ones counted once over all, and how many processes there are.
    pub(super) fn memory(&self) -> Outcome<(u64, usize)> {
        let processes = self.processes()?;
        let bytes = processes.iter().map(|pid| proportional(*pid)).sum::<Outcome<u64>>()?;
        Ok((bytes, processes.len()))
    }

    pub(super) fn close(self) -> Outcome {
        self.ask("DELETE", &format!("/session/{}", self.session), None).map(drop)
    }

    /// A request to the driver; answers its `value`.
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Outcome<Value> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let answer = read_answer(&mut stream)?;
        let answer: Value = serde_json::from_str(&answer)
            .map_err(|error| Failure::new(format!("WebKit's driver did not answer in JSON ({error}): {answer}")))?;
        match answer["value"]["error"].as_str() {
            Some(error) => Err(Failure::new(format!("WebKit's driver: {error}: {}", answer["value"]["message"]))),
            None => Ok(answer["value"].clone()),
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // The driver's group: the app too, should the session still be open.
        let group = format!("-{}", self.driver.id());
        let _ = std::process::Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.driver.wait();
    }
}

/// What the app tells WebKit by itself where no card draws. Under the driver it does not, since screenshots would hang;
/// none is taken here.
fn drawing() -> Option<(&'static str, &'static str)> {
    let draws = |entry: std::fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b"renderD");
    let has_card = std::fs::read_dir("/dev/dri").is_ok_and(|found| found.flatten().any(draws));
    (!has_card).then_some(("WEBKIT_DISABLE_COMPOSITING_MODE", "1"))
}

/// The body of an HTTP answer with a `Content-Length`.
fn read_answer(stream: &mut TcpStream) -> Outcome<String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 8192];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
            });
            if length.is_some_and(|length| body.len() >= length) {
                return Ok(body.to_owned());
            }
        }
        let read = stream.read(&mut piece)?;
        if read == 0 {
            return Err(Failure::new("WebKit's driver ended in the middle of an answer."));
        }
        bytes.extend_from_slice(&piece[..read]);
    }
}

/// When a process started, in seconds since 1970 UTC.
fn started(pid: u32) -> Outcome<f64> {
    let ticks = stat_field(pid, 19).and_then(|ticks| ticks.parse::<f64>().ok());
    let since_boot = ticks.ok_or_else(|| Failure::new("The app's process is gone."))? / TICKS_PER_SECOND;
    let uptime = std::fs::read_to_string("/proc/uptime")?;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0.0, |now| now.as_secs_f64());
    let up = uptime.split_whitespace().next().and_then(|up| up.parse::<f64>().ok()).unwrap_or(0.0);
    Ok(now - up + since_boot)
}

/// Seconds of a processor core that a process used so far.
pub(super) fn processor_time(pid: u32) -> Outcome<f64> {
    let ticks = |field| stat_field(pid, field).and_then(|ticks| ticks.parse::<f64>().ok());
    let used = ticks(11).zip(ticks(12)).map(|(user, system)| (user + system) / TICKS_PER_SECOND);
    used.ok_or_else(|| Failure::new(format!("The process {pid} is gone.")))
}

/// Bytes that a process holds, its share of what it shares.
pub(super) fn proportional(pid: u32) -> Outcome<u64> {
    let path = format!("/proc/{pid}/smaps_rollup");
    let rollup = std::fs::read_to_string(&path).at(Path::new(&path))?;
    let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    Ok(pss.and_then(|pss| pss.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) * 1024)
}

/// `USER_HZ`, which Linux has fixed at 100 for every architecture it is run on today.
const TICKS_PER_SECOND: f64 = 100.0;

/// A field of `/proc/PID/stat`, counted from 0 after the program's name: 1 is the parent, 11 and 12 the
/// time used by the program and for it, 19 the start.
fn stat_field(pid: u32, field: usize) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(field).map(str::to_owned)
}

pub(super) fn until<T>(mut answer: impl FnMut() -> Outcome<Option<T>>, otherwise: &str) -> Outcome<T> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if let Some(answer) = answer()? {
            return Ok(answer);
        }
        pause(Duration::from_millis(20));
    }
    Err(Failure::new(otherwise))
}

#[expect(clippy::disallowed_methods, reason = "there is no async runtime here")]
pub(super) fn pause(duration: Duration) {
    std::thread::sleep(duration);
}
