//! The real window, driven through WebDriver: what a person does, from a folder of images to `best.pt`.
//!
//! Screenshots are kept in `.screenshots/`, or where `PREFLIGHT_SCREENSHOTS` says.
#![cfg(test)]
#![cfg(target_os = "linux")]

mod app;
mod broken;
mod cards;
mod desktop;
mod display;
mod environment;
mod guard;
mod keyboard;
mod looks;
mod opening;
mod page;
mod results;
mod training;
mod unfinished;
