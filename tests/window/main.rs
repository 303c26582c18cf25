//! The real window, driven through WebDriver: what a person does, from a folder of images to `best.pt`.
//!
//! Screenshots are kept in `.screenshots/`, or where `PREFLIGHT_SCREENSHOTS` says.
#![cfg(test)]
#![cfg(target_os = "linux")]

mod account;
mod app;
mod broken;
mod cards;
mod dataset;
mod desktop;
mod display;
mod environment;
mod failed;
mod gpu;
mod guard;
mod keyboard;
mod kit;
mod looks;
mod opening;
mod page;
mod platforms;
mod results;
mod shapes;
mod training;
mod trial;
mod unfinished;
