//! The real window, driven through WebDriver: what a person does, from a folder of images to `best.pt`.
//!
//! Screenshots are kept in `.screenshots/`, or where `PREFLIGHT_SCREENSHOTS` says.
#![cfg(all(test, target_os = "linux"))]

mod app;
mod display;
mod opening;
mod page;
