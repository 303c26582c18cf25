//! What is left to say when the program breaks.

use std::fs::OpenOptions;
use std::io::Write;

use crate::dirs::Dirs;
use crate::preflight::now_ms;

/// Appends every panic to `crash.log` under the app's folder, besides what is written to the terminal.
pub fn log_panics(dirs: &Dirs) {
    let path = dirs.root().join("crash.log");
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(&path) {
            // A full disk must not make a second panic of the first.
            let _ = writeln!(file, "{} {} {panic}", now_ms(), env!("CARGO_PKG_VERSION"));
        }
        before(panic);
    }));
}
