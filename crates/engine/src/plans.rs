//! Plans in files.

use std::path::Path;

use preflight_core::plan::{Plan, Target};
use preflight_core::problem::Problem;

/// Reads a plan file. Relative paths in it start from its folder, `~/` from the home folder.
///
/// # Errors
/// `plan.unreadable`, and those of [`Plan::from_toml`], with the path.
pub fn read(path: &Path) -> Result<Plan, Problem> {
    let unreadable = |error| Problem::new("plan.unreadable").with("path", path).because(&error);
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    let file = std::path::absolute(path).map_err(unreadable)?;
    let folder = file.parent().unwrap_or(Path::new("/"));
    parse(&text, folder).map_err(|problem| problem.with("path", path))
}

/// Writes a plan file.
///
/// # Errors
/// `plan.unwritable` for a path that is not valid Unicode, `file.unwritable`.
pub fn write(path: &Path, plan: &Plan) -> Result<(), Problem> {
    crate::write::atomically(path, plan.to_toml()?.as_bytes())
}

/// Reads a plan's text. Relative paths in it start from a folder.
///
/// # Errors
/// Those of [`Plan::from_toml`].
pub fn parse(text: &str, folder: &Path) -> Result<Plan, Problem> {
    let mut plan = Plan::from_toml(text)?;
    let python = match &mut plan.target {
        Target::ThisComputer { python, .. } => python.as_mut(),
        Target::Platform { .. } => None,
    };
    for path in [Some(&mut plan.dataset), Some(&mut plan.model.file), python].into_iter().flatten() {
        if !path.as_os_str().is_empty() {
            // Joining an absolute path gives that path.
            *path = folder.join(crate::paths::expanded(path));
        }
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_start_from_the_plans_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("plan.toml");
        let plan = Plan { dataset: "plates/data.yaml".into(), ..Plan::default() };
        write(&file, &plan).unwrap();
        let read = read(&file).unwrap();
        assert_eq!(read.dataset, folder.path().join("plates/data.yaml"));
        assert!(read.model.file.as_os_str().is_empty());

        let at_home = Plan { dataset: "~/plates".into(), ..Plan::default() };
        write(&file, &at_home).unwrap();
        assert_eq!(super::read(&file).unwrap().dataset, etcetera::home_dir().unwrap().join("plates"));
    }
}
