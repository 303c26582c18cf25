//! Runs from start to end, with the supervisor as a process of its own.

mod arguments;
mod attending;
mod control;
#[cfg(target_os = "linux")]
mod desk;
mod diagnosis;
mod disk;
#[cfg(target_os = "linux")]
mod failures;
mod history;
mod recovery;
mod results;
mod stand_in;
mod stored;
mod torture;
mod tryout;
mod ultralytics;
mod world;

use std::path::Path;

/// Not a test of its own: this test program, started again with the folder of a run as its last argument, is that run's
/// supervisor.
#[test]
fn supervisor_process() {
    let Some(folder) = std::env::args_os().next_back().filter(|last| Path::new(last).join("run.json").is_file()) else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let code = runtime.block_on(preflight_engine::runs::supervise(Path::new(&folder)));
    assert_eq!(code, 0);
}
