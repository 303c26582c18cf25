//! The installer, uv: found on this computer, or fetched from the package index as the wheel it is published as.

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use preflight_core::problem::Problem;
use reqwest::{Client, Url};
use sha2::{Digest, Sha256};
use tokio::process::Command;

use super::sources::shown;
use super::{child, simple};
use crate::dirs::Dirs;

type Version = (u64, u64, u64);

/// The version that is fetched where the index has it: the one this app was tested with.
const TESTED: Version = (0, 13, 9);
/// The oldest version that does what is asked of it: `--excludes` came with it.
const OLDEST: Version = (0, 9, 8);
/// uv's wheels hold 25 MB, its program 60 MB.
const WHEEL_LIMIT: usize = 100_000_000;
const PROGRAM_LIMIT: u64 = 300_000_000;

const PROGRAM: &str = if cfg!(windows) { "uv.exe" } else { "uv" };

/// Where the fetched one is.
fn fetched(dirs: &Dirs) -> PathBuf {
    dirs.tools().join(PROGRAM)
}

/// An installer on this computer: beside this program, fetched before, or on the path.
pub async fn find(dirs: &Dirs) -> Option<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join(PROGRAM)));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).filter(|folder| folder.is_absolute()).map(|folder| folder.join(PROGRAM));
    for program in beside.into_iter().chain([fetched(dirs)]).chain(on_path) {
        if program.is_file() && version(&program).await.is_some_and(|version| version >= OLDEST) {
            return Some(program);
        }
    }
    None
}

/// The version a program says it is, if it is a uv.
async fn version(program: &Path) -> Option<Version> {
    let mut command = Command::new(program);
    command.arg("--version");
    let output = child::run(command, tokio::time::sleep(Duration::from_secs(20)), |_| {}).await.ok()??;
    parsed(output.stdout.strip_prefix("uv ")?.split_whitespace().next()?)
}

fn parsed(version: &str) -> Option<Version> {
    let mut numbers = version.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Fetches the installer from a package index into our folder, with the checksum that the index tells.
///
/// # Errors
/// What reading an index can say, `environment.no-installer` where it has none for this system,
/// `environment.checksum-mismatch`, `environment.installer-unusable`, `file.unwritable`.
pub(super) async fn fetch(dirs: &Dirs, client: &Client, index: &Url) -> Result<PathBuf, Problem> {
    let files = simple::files(client, index, "uv").await?;
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let file = files
        .iter()
        .filter(|file| !file.yanked)
        .filter_map(|file| Some((fitting_version(&file.name, os, arch)?, file)))
        .filter(|(version, _)| *version >= OLDEST)
        // A company's mirror may have another one only.
        .max_by_key(|(version, _)| (*version == TESTED, *version))
        .map(|(_, file)| file)
        .ok_or_else(|| Problem::new("environment.no-installer").with("url", shown(index)))?;
    let wheel = simple::fetch(client, file, WHEEL_LIMIT).await?;
    let mismatch = || Problem::new("environment.checksum-mismatch").with("file", file.name.as_str());
    // An index that tells no checksum leaves nothing to trust the file by.
    let expected = file.sha256.clone().ok_or_else(|| mismatch().because_text("sha256: -"))?;
    let program = fetched(dirs);
    let name = file.name.clone();
    let unpack = move || -> Result<PathBuf, Problem> {
        let found: String = Sha256::digest(&wheel).iter().map(|byte| format!("{byte:02x}")).collect();
        if found != expected {
            return Err(Problem::new("environment.checksum-mismatch")
                .with("file", name)
                .because_text(format!("sha256: {expected} ≠ {found}")));
        }
        let bytes = program_in(&wheel).map_err(|error| unusable(&program).because(&error))?;
        write_program(&program, &bytes)?;
        Ok(program)
    };
    let program = tokio::task::spawn_blocking(unpack)
        .await
        .map_err(|error| Problem::new("environment.installer-unusable").because(&error))??;
    if version(&program).await.is_none() {
        return Err(unusable(&program));
    }
    Ok(program)
}

pub(super) fn unusable(program: &Path) -> Problem {
    Problem::new("environment.installer-unusable").with("path", program)
}

/// The version of a file if it is the installer's wheel for a system: `uv-0.13.9-py3-none-<platforms>.whl`.
fn fitting_version(file: &str, os: &str, arch: &str) -> Option<Version> {
    let (version, platforms) = file.strip_prefix("uv-")?.strip_suffix(".whl")?.split_once("-py3-none-")?;
    let fits = platforms.split('.').any(|platform| match (os, arch) {
        // The one that fits the C library that this program was built for.
        ("linux", _) => {
            let library = if cfg!(target_env = "musl") { "musllinux_" } else { "manylinux_" };
            platform.starts_with(library) && platform.ends_with(&format!("_{arch}"))
        }
        ("macos", "aarch64") => platform.starts_with("macosx_") && platform.ends_with("_arm64"),
        ("macos", _) => platform.starts_with("macosx_") && platform.ends_with("_x86_64"),
        ("windows", "x86_64") => platform == "win_amd64",
        ("windows", "aarch64") => platform == "win_arm64",
        _ => false,
    });
    if fits { parsed(version) } else { None }
}

/// The program out of the wheel, and nothing else: no name in the archive becomes a path.
fn program_in(wheel: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(wheel)).map_err(std::io::Error::other)?;
    let is_program = |name: &str| {
        name.strip_suffix(PROGRAM).is_some_and(|rest| rest.starts_with("uv-") && rest.ends_with(".data/scripts/"))
    };
    let name = archive.file_names().flatten().find(|name| is_program(name)).map(std::borrow::Cow::into_owned);
    let name = name.ok_or_else(|| std::io::Error::other(format!("*.data/scripts/{PROGRAM}")))?;
    let entry = archive.by_name(&name).map_err(std::io::Error::other)?;
    let mut bytes = Vec::new();
    entry.take(PROGRAM_LIMIT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes the program in one step, so that a half written one is never started.
fn write_program(program: &Path, bytes: &[u8]) -> Result<(), Problem> {
    use std::io::Write;
    let write = || -> std::io::Result<()> {
        let folder = program.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().prefix(".uv-").tempfile_in(folder)?;
        file.write_all(bytes)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            file.as_file().set_permissions(std::fs::Permissions::from_mode(0o755))?;
        }
        file.as_file().sync_all()?;
        file.persist(program)?;
        Ok(())
    };
    write().map_err(|error| super::unwritable(program, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wheel_for_this_system() {
        let all = [
            "uv-0.13.9-py3-none-linux_armv6l.whl",
            "uv-0.13.9-py3-none-macosx_10_12_x86_64.whl",
            "uv-0.13.9-py3-none-macosx_11_0_arm64.whl",
            "uv-0.13.9-py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64.whl",
            "uv-0.13.9-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
            "uv-0.13.9-py3-none-manylinux_2_28_aarch64.whl",
            "uv-0.13.9-py3-none-musllinux_1_1_x86_64.whl",
            "uv-0.13.9-py3-none-win32.whl",
            "uv-0.13.9-py3-none-win_amd64.whl",
            "uv-0.13.9-py3-none-win_arm64.whl",
            "uv-0.13.9.tar.gz",
            "uvloop-0.13.9-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
        ];
        let chosen = |os, arch| all.into_iter().find(|file| fitting_version(file, os, arch) == Some(TESTED));
        if cfg!(target_env = "musl") {
            assert_eq!(chosen("linux", "x86_64"), Some(all[6]));
        } else {
            assert_eq!(chosen("linux", "x86_64"), Some(all[4]));
        }
        assert_eq!(chosen("linux", "aarch64"), Some(all[3]));
        assert_eq!(chosen("macos", "aarch64"), Some(all[2]));
        assert_eq!(chosen("macos", "x86_64"), Some(all[1]));
        assert_eq!(chosen("windows", "x86_64"), Some(all[8]));
        assert_eq!(chosen("windows", "aarch64"), Some(all[9]));
        assert_eq!(chosen("linux", "riscv64"), None);
        assert_eq!(fitting_version("uv-1.0-py3-none-win_amd64.whl", "windows", "x86_64"), None);
    }
}
