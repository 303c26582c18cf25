//! The engine through its public surface.

#![cfg(test)]

#[cfg(unix)]
mod gpu;
