//! Paths as people write them.

use std::path::{Path, PathBuf};

/// The path a person means: `~` and what begins with `~/` are in their home folder.
#[must_use]
pub fn expanded(path: &Path) -> PathBuf {
    in_home(path, etcetera::home_dir().ok().as_deref())
}

fn in_home(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        // Joined with nothing, a path would get a separator at its end.
        (Ok(rest), Some(home)) if rest.as_os_str().is_empty() => home.to_owned(),
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder_has_a_short_name() {
        let home = Some(Path::new("/home/王 芳"));
        let means = |path: &str| in_home(Path::new(path), home).to_str().map(str::to_owned).unwrap();
        assert_eq!(means("~"), "/home/王 芳");
        assert_eq!(means("~/"), "/home/王 芳");
        assert_eq!(means("~/data/plates"), "/home/王 芳/data/plates");
        for other in ["~ann/data", "/data/~/plates", "data/~", "~~", ""] {
            assert_eq!(means(other), other);
        }
        assert_eq!(in_home(Path::new("~/data"), None), Path::new("~/data"));
    }
}
