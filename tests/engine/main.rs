//! The engine through its public surface.

#![cfg(test)]

mod dataset;
#[cfg(unix)]
mod environment;
#[cfg(unix)]
mod gpu;
mod preflight;
#[cfg(unix)]
mod runs;
#[cfg(unix)]
mod weights;
