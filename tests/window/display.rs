//! A display to draw on: the one there is, else one of our own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A display. An own one ends with it.
pub(crate) struct Display {
    name: String,
    server: Option<Child>,
}

impl Display {
    pub(crate) fn get() -> Self {
        if let Some(name) = std::env::var("DISPLAY").ok().filter(|name| !name.is_empty()) {
            return Self { name, server: None };
        }
        // It picks a free number itself, and says which once it is ready.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x1100x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb, of the package xvfb");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { name: format!(":{}", number.trim()), server: Some(server) }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some(server) = &mut self.server {
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}
