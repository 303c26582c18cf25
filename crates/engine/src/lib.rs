//! All input and output: GPUs, files, environments, processes, runs. Decisions are `preflight-core`'s.
//!
//! [`Engine`] is what the app and the command line are built on. Modules below take what they need as
//! arguments (`&Dirs`, `&Settings`) and never reach for globals, so that a test can have a world of its own.

pub mod account;
pub mod computer;
pub mod crash;
pub mod dataset;
pub mod desktop;
pub mod dirs;
pub mod draft;
pub mod environment;
pub mod experience;
pub mod gpu;
pub mod images;
pub mod memory;
pub mod paths;
pub mod plans;
pub mod preflight;
mod program;
pub mod report;
pub mod results;
pub mod room;
pub mod runs;
pub mod sample;
pub mod settings;
pub mod shadow;
pub mod weights;
pub mod write;

mod disk;
pub mod doctor;
mod engine;
mod observed;
pub mod surroundings;
pub mod waiting;
mod work;

pub use engine::Engine;
pub use work::blocking;
