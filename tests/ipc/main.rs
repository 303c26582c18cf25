//! What the window may call, without a window.

mod bindings;
mod commands;
