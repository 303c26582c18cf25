//! The engine through its public surface.

#![cfg(test)]

#[cfg(unix)]
mod account;
mod dataset;
#[cfg(unix)]
mod environment;
#[cfg(unix)]
mod gpu;
mod preflight;
#[cfg(unix)]
mod runs;
#[cfg(unix)]
mod waiting;
#[cfg(unix)]
mod weights;
