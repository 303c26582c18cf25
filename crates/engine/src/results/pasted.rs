//! Images out of the clipboard: they have no file, and get one as long as they are looked at.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use preflight_core::problem::Problem;

use crate::Engine;

/// Bytes that a pasted image may have.
const MOST: usize = 64 << 20;
const FOLDER: &str = "pasted";

/// Keeps an image that was pasted, as base64, until the trial is closed; answers its file. Blocks.
///
/// # Errors
/// `results.not-pasted`, `file.unwritable`.
pub fn keep_pasted(engine: &Engine, image: &str) -> Result<PathBuf, Problem> {
    let refused = || Problem::new("results.not-pasted").with("most", MOST);
    if image.len() / 4 * 3 > MOST {
        return Err(refused());
    }
    let bytes = base64::engine::general_purpose::STANDARD.decode(image).map_err(|error| refused().because(&error))?;
    let folder = folder(engine);
    let unwritable =
        |error: std::io::Error| Problem::new("file.unwritable").with("path", folder.as_path()).because(&error);
    std::fs::create_dir_all(&folder).map_err(unwritable)?;
    let path = folder.join(format!("{}.png", uuid::Uuid::new_v4().simple()));
    crate::write::atomically(&path, &bytes)?;
    Ok(path)
}

/// Where pasted images are.
pub(super) fn folder(engine: &Engine) -> PathBuf {
    engine.dirs().root().join(FOLDER)
}

/// Whether an image was pasted: its name tells nothing then.
pub(super) fn is_pasted(engine: &Engine, image: &Path) -> bool {
    image.starts_with(folder(engine))
}
