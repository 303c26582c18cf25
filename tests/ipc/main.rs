//! What the window may call, without a window.
#![cfg(test)]

mod bindings;
mod commands;
mod policy;
