//! Accounts on platforms, against servers that do what servers do.

mod between;
mod faults;
mod forgiving;
mod keychain;
mod network;
mod oauth;
mod platform;
