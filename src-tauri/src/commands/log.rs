//! The raw log of a run.

use preflight_engine::runs::{self, LogLines};

commands! {
    /// Some lines of a run's log, from `first` on, counted from 0; `null`: the last ones.
    blocking fn run_log(engine, id: String, first: Option<u32>, count: u32) -> LogLines {
        runs::log_page(engine, &id, first, count)
    }

    /// Numbers of the lines that contain a text, whatever its case.
    blocking fn search_log(engine, id: String, text: String) -> Vec<u32> { runs::search_log(engine, &id, &text) }
}
