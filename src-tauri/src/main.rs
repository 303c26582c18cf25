//! The app. Before anything of the window exists, the same program may be a run's supervisor.

use std::process::ExitCode;

fn main() -> ExitCode {
    yolo_preflight::start()
}
