//! Programs of the system that are asked something, and answer within seconds or not at all.

use std::ffi::OsStr;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::account::SECRETS;

/// More than any of them has to say.
const MOST: u64 = 64 << 20;

/// What a program printed; `None`: it is not there, failed, or took too long. Blocks for as long as that.
#[expect(clippy::disallowed_methods, reason = "blocks, and says so: it is called on threads of their own")]
pub(crate) fn printed(program: &OsStr, arguments: &[&str], patience: Duration) -> Option<String> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    for name in SECRETS {
        command.env_remove(name);
    }
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        // No console window flashes up.
        command.creation_flags(0x0800_0000);
    }
    let mut child = command.spawn().ok()?;
    let stdout = child.stdout.take()?;
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        stdout.take(MOST).read_to_end(&mut text).map(|_| text)
    });
    let began = Instant::now();
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break status,
            None if began.elapsed() > patience => {
                // It may be stuck in the driver; then it ends when it can.
                let _ = child.kill();
                return None;
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    let text = reader.join().ok()?.ok()?;
    status.success().then(|| String::from_utf8_lossy(&text).into_owned())
}
