//! Opening things outside the window: only what the backend itself named.

use std::path::PathBuf;

use preflight_engine::desktop;

commands! {
    /// Shows a run's folder in the file manager.
    blocking fn open_folder(engine, id: String) -> () { desktop::open_run(engine, &id) }

    /// Opens a file that a finding named as evidence, or one in the app's own folder.
    blocking fn open_file(engine, path: PathBuf) -> () { desktop::open_file(engine, &path) }

    /// Opens one of the pages the window links to.
    blocking fn open_url(_, url: String) -> () { desktop::open_page(&url) }
}
