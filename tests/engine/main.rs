//! The engine through its public surface.

#![cfg(test)]

mod dataset;
#[cfg(unix)]
mod environment;
#[cfg(unix)]
mod gpu;
#[cfg(unix)]
mod runs;
mod preflight;
