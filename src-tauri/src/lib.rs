//! x
pub fn run() {}
