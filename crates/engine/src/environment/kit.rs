//! The training environment as one file, for a computer that has no network.
//!
//! A kit holds what a working environment consists of: its packages, the Python under them where it is one that can be
//! taken along, fonts and pretrained weights. It is made of the app's own environment on a computer of the same system (for
//! a card that is only in the other computer: `preflight env create --cuda`), and becomes the app's own environment there.
//! Nothing is resolved or downloaded, so nothing needs a network.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use preflight_core::environment::{Environment, EnvironmentProgress};
use preflight_core::problem::Problem;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::create::{cancelled, soon};
use super::place::{self, Lock, Partial};
use super::{OnProgress, child, fonts, probe, python};
use crate::dirs::Dirs;

mod steps;

use steps::Steps;

/// The form of kits that this app writes and reads.
const FORMAT: u32 = 1;
/// The entry that says what a kit is.
const ABOUT: &str = "kit.json";
const PACKAGES: &str = "packages";
const PYTHON: &str = "python";
const FONTS: &str = "fonts";
const WEIGHTS: &str = "weights";
/// A kit that claims to be larger is none, in bytes.
const MOST: u64 = 128 << 30;

/// What a kit is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kit {
    format: u32,
    /// The system it is for, as Rust names it.
    pub os: String,
    /// The processors it is for, as Rust names them.
    pub arch: String,
    /// The Python it needs, e.g. `3.12`.
    pub python: String,
    /// Whether that Python is in it.
    pub carries_python: bool,
    /// torch's version.
    pub torch: String,
    /// Ultralytics' version.
    pub ultralytics: String,
    /// Models whose pretrained weights are in it.
    pub weights: Vec<String>,
    /// Bytes that come out of it.
    pub bytes: u64,
}

/// A file, and what it is called in a kit.
type Piece = (PathBuf, String);

/// Writes the app's own environment into a file; `weights`: models whose pretrained weights come along, of those that are
/// here.
///
/// # Errors
/// `environment.busy`, `kit.no-environment` and what is wrong with it, `kit.weights-missing`, `environment.cancelled`,
/// `file.unwritable`.
pub async fn export(
    dirs: &Dirs,
    to: &Path,
    weights: &[String],
    progress: OnProgress,
    cancel: CancellationToken,
) -> Result<Kit, Problem> {
    dirs.create()?;
    let _lock = Lock::take(dirs)?;
    let python = python::of(&dirs.environment());
    if !python.exists() {
        return Err(Problem::new("kit.no-environment"));
    }
    progress(EnvironmentProgress::Verifying);
    let environment = soon(&cancel, probe::attempt(dirs, &python)).await?;
    fonts::provide(dirs, &python)?;
    let base = base_of(dirs, &python).await?;
    let mut pieces = below(&packages_of(&dirs.environment())?, PACKAGES);
    if let Some(folder) = &base.folder {
        pieces.extend(below(folder, PYTHON));
    }
    pieces.extend(
        below(&dirs.trainer().join("Ultralytics"), FONTS).into_iter().filter(|(_, name)| name.ends_with(".ttf")),
    );
    for model in weights {
        let file = dirs.weights().join(format!("{model}.pt"));
        if !file.is_file() {
            return Err(Problem::new("kit.weights-missing").with("model", model.as_str()));
        }
        pieces.extend([file.clone(), crate::weights::about_file(&file)].into_iter().filter(|file| file.is_file()).map(
            |file| {
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                (file, format!("{WEIGHTS}/{name}"))
            },
        ));
    }
    let bytes = pieces.iter().filter_map(|(path, _)| path.metadata().ok()).map(|file| file.len()).sum();
    let kit = Kit {
        format: FORMAT,
        os: std::env::consts::OS.to_owned(),
        arch: std::env::consts::ARCH.to_owned(),
        python: base.version,
        carries_python: base.folder.is_some(),
        torch: environment.torch,
        ultralytics: environment.ultralytics,
        weights: weights.to_vec(),
        bytes,
    };
    let (told, to) = (kit.clone(), to.to_owned());
    crate::work::blocking(move || pack(&kit, &pieces, &to, &progress, &cancel)).await?;
    Ok(told)
}

/// Makes the app's own environment of a kit. What was there is replaced once the new one works.
///
/// # Errors
/// `environment.busy`, `environment.in-use`, `environment.disk-full`, `kit.unreadable`, `kit.other-system`,
/// `kit.no-python`, those of trying an environment, `environment.cancelled`, `file.unwritable`.
pub async fn import(
    dirs: &Dirs,
    kit: &Path,
    progress: OnProgress,
    cancel: CancellationToken,
) -> Result<Environment, Problem> {
    dirs.create()?;
    let _lock = Lock::take(dirs)?;
    place::tidy(dirs)?;
    place::not_in_use(dirs).await?;
    let path = kit.to_owned();
    let about = crate::work::blocking(move || read(&path)).await?;
    place::room_for(dirs.root(), about.bytes)?;
    std::fs::create_dir_all(dirs.trainer()).map_err(|error| super::unwritable(&dirs.trainer(), &error))?;
    let partial = Partial::new(dirs)?;
    let made = make(dirs, kit, &about, partial.path(), &progress, &cancel).await;
    partial.settle(dirs, made).await
}

async fn make(
    dirs: &Dirs,
    kit: &Path,
    about: &Kit,
    folder: &Path,
    progress: &OnProgress,
    cancel: &CancellationToken,
) -> Result<Environment, Problem> {
    progress(EnvironmentProgress::Python { version: about.python.clone() });
    let mut steps = Steps::of(about, progress);
    let carried = dirs.tools().join(format!("python-{}", about.python));
    let program = if about.carries_python {
        let (kit, cancel) = (kit.to_owned(), cancel.clone());
        steps = crate::work::blocking(move || unpack(&kit, PYTHON, &carried, true, steps, &cancel)).await?;
        in_prefix(&dirs.tools().join(format!("python-{}", about.python)), &about.python)
    } else {
        here(dirs, &about.python)
            .await
            .ok_or_else(|| Problem::new("kit.no-python").with("version", about.python.as_str()))?
    };
    let mut venv = python::command(dirs, &program);
    venv.args(["-m", "venv", "--without-pip"]).arg(folder);
    let output = child::run(venv, cancel.cancelled(), |_| {}).await;
    let output = output
        .map_err(|error| Problem::new("environment.does-not-start").with("path", program.as_path()).because(&error))?
        .ok_or_else(cancelled)?;
    if !output.status.success() {
        let said = format!("{}\n{}", child::tail(&output.stdout), child::tail(&output.stderr));
        return Err(Problem::new("environment.does-not-start")
            .with("path", program.as_path())
            .because_text(said.trim().to_owned()));
    }
    let packages = packages_of(folder)?;
    for (part, place, again) in [
        (PACKAGES, packages, true),
        (FONTS, dirs.trainer().join("Ultralytics"), false),
        (WEIGHTS, dirs.weights(), false),
    ] {
        let (kit, cancel) = (kit.to_owned(), cancel.clone());
        steps = crate::work::blocking(move || unpack(&kit, part, &place, again, steps, &cancel)).await?;
    }
    progress(EnvironmentProgress::Verifying);
    soon(cancel, probe::attempt(dirs, &python::of(folder))).await
}

/// The Python an environment was made from.
struct Base {
    /// Major and minor version.
    version: String,
    /// Its folder, where it can be taken along: one that uv fetched stands on its own.
    folder: Option<PathBuf>,
}

const ASK: &str = "import json, sys; print(json.dumps([sys.base_prefix, '%d.%d' % sys.version_info[:2]]))";

async fn base_of(dirs: &Dirs, python: &Path) -> Result<Base, Problem> {
    let (prefix, version) =
        ask(dirs, python).await.ok_or_else(|| Problem::new("environment.does-not-start").with("path", python))?;
    // uv calls them `cpython-3.12.11-linux-x86_64-gnu`; an imported one is in the app's folder already.
    let name = prefix.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stands_alone = name.starts_with("cpython-") || prefix.starts_with(dirs.tools());
    Ok(Base { version, folder: stands_alone.then_some(prefix) })
}

/// Where a Python's own files are, and its version.
async fn ask(dirs: &Dirs, python: &Path) -> Option<(PathBuf, String)> {
    let mut command = python::command(dirs, python);
    command.arg("-c").arg(ASK);
    let patience = tokio::time::sleep(std::time::Duration::from_secs(20));
    let output = child::run(command, patience, |_| {}).await.ok()??;
    serde_json::from_str(output.stdout.lines().last()?).ok()
}

/// A Python of this version on this computer.
async fn here(dirs: &Dirs, version: &str) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    for name in [format!("python{version}"), "python3".to_owned(), "python".to_owned()] {
        for folder in &folders {
            let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
            if program.is_file() && ask(dirs, &program).await.is_some_and(|(_, found)| found == version) {
                return Some(program);
            }
        }
    }
    None
}

fn in_prefix(prefix: &Path, version: &str) -> PathBuf {
    if cfg!(windows) { prefix.join("python.exe") } else { prefix.join("bin").join(format!("python{version}")) }
}

/// Where an environment keeps its packages.
fn packages_of(folder: &Path) -> Result<PathBuf, Problem> {
    super::create::site_packages(folder)
}

/// Every file below a folder, but for what Python compiles anew; links that lead elsewhere are left out.
fn below(folder: &Path, part: &str) -> Vec<Piece> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    files
        .filter(|entry| entry.file_type().is_file())
        .filter(|entry| !entry.path().components().any(|part| part.as_os_str() == "__pycache__"))
        .filter_map(|entry| {
            let name = entry.path().strip_prefix(folder).ok()?.to_str()?.replace('\\', "/");
            Some((entry.path().to_owned(), format!("{part}/{name}")))
        })
        .collect()
}

fn pack(
    kit: &Kit,
    pieces: &[Piece],
    to: &Path,
    progress: &OnProgress,
    cancel: &CancellationToken,
) -> Result<(), Problem> {
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let unwritable = |error: &dyn std::error::Error| Problem::new("file.unwritable").with("path", to).because(error);
    let file = tempfile::Builder::new().prefix(".kit-").tempfile_in(folder).map_err(|error| unwritable(&error))?;
    let mut archive = ZipWriter::new(BufWriter::new(file));
    // Most of it is libraries: packing them harder takes minutes and saves little.
    let options = SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .compression_level(Some(1))
        .large_file(true);
    let about = serde_json::to_vec_pretty(kit).map_err(|error| unwritable(&error))?;
    archive.start_file(ABOUT, options).map_err(|error| unwritable(&error))?;
    archive.write_all(&about).map_err(|error| unwritable(&error))?;
    let mut steps = Steps::of(kit, progress);
    for (path, name) in pieces {
        if cancel.is_cancelled() {
            return Err(cancelled());
        }
        let unreadable =
            |error: &dyn std::error::Error| Problem::new("file.unreadable").with("path", path.as_path()).because(error);
        let mut source = File::open(path).map_err(|error| unreadable(&error))?;
        archive.start_file(name, options.unix_permissions(mode(&source))).map_err(|error| unwritable(&error))?;
        let copied = steps.copy(&mut source, &mut archive, name, cancel).map_err(|error| unwritable(&error))?;
        copied.ok_or_else(cancelled)?;
    }
    let file = archive.finish().map_err(|error| unwritable(&error))?;
    let file = file.into_inner().map_err(|error| unwritable(&error))?;
    file.persist(to).map_err(|error| unwritable(&error.error))?;
    Ok(())
}

#[cfg(unix)]
fn mode(file: &File) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    let executable = file.metadata().is_ok_and(|file| file.permissions().mode() & 0o111 != 0);
    if executable { 0o755 } else { 0o644 }
}

#[cfg(not(unix))]
fn mode(_file: &File) -> u32 {
    0o644
}

fn open(path: &Path) -> Result<ZipArchive<BufReader<File>>, Problem> {
    let unreadable = |error: &dyn std::error::Error| Problem::new("kit.unreadable").with("path", path).because(error);
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    ZipArchive::new(BufReader::new(file)).map_err(|error| unreadable(&error))
}

/// What a kit says it is.
fn read(path: &Path) -> Result<Kit, Problem> {
    let unreadable = |error: &dyn std::error::Error| Problem::new("kit.unreadable").with("path", path).because(error);
    let mut archive = open(path)?;
    let mut text = String::new();
    let about = archive.by_name(ABOUT).map_err(|error| unreadable(&error))?;
    about.take(1 << 20).read_to_string(&mut text).map_err(|error| unreadable(&error))?;
    let kit: Kit = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
    if kit.format != FORMAT || kit.bytes > MOST {
        return Err(Problem::new("kit.unreadable").with("path", path).because_text(format!("format {}", kit.format)));
    }
    // It becomes part of a path.
    if !kit.python.chars().all(|character| character.is_ascii_digit() || character == '.') {
        return Err(Problem::new("kit.unreadable").with("path", path).because_text(kit.python));
    }
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    if kit.os != os || kit.arch != arch {
        return Err(Problem::new("kit.other-system")
            .with("kit", format!("{} {}", kit.os, kit.arch))
            .with("here", format!("{os} {arch}")));
    }
    Ok(kit)
}

/// Takes a part of a kit out into a folder; `again`: in place of what is there.
fn unpack(
    kit: &Path,
    part: &str,
    to: &Path,
    again: bool,
    mut steps: Steps,
    cancel: &CancellationToken,
) -> Result<Steps, Problem> {
    let damaged = |error: &dyn std::error::Error| Problem::new("kit.unreadable").with("path", kit).because(error);
    let mut archive = open(kit)?;
    for index in 0..archive.len() {
        if cancel.is_cancelled() {
            return Err(cancelled());
        }
        let mut entry = archive.by_index(index).map_err(|error| damaged(&error))?;
        // A name that leads out of the folder is no name.
        let Some(name) = entry.enclosed_name() else { continue };
        let Ok(inside) = name.strip_prefix(part).map(Path::to_owned) else { continue };
        let path = to.join(&inside);
        if entry.is_dir() || inside.as_os_str().is_empty() {
            continue;
        }
        if !again && path.exists() {
            steps.more(entry.size(), &inside.to_string_lossy());
            continue;
        }
        let unwritable = |error: &io::Error| super::unwritable(&path, error);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| unwritable(&error))?;
        }
        let bytes = entry.size();
        let mut file = File::create(&path).map_err(|error| unwritable(&error))?;
        // Reading on past what it says would be an archive made to be expensive.
        let mut content = (&mut entry).take(bytes.saturating_add(1));
        let name = inside.to_string_lossy();
        let came = steps.copy(&mut content, &mut file, &name, cancel).map_err(|error| damaged(&error))?;
        if came.ok_or_else(cancelled)? != bytes {
            return Err(damaged(&io::Error::from(io::ErrorKind::InvalidData)));
        }
        #[cfg(unix)]
        if entry.unix_mode().is_some_and(|mode| mode & 0o100 != 0) {
            use std::os::unix::fs::PermissionsExt;
            let executable = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&path, executable).map_err(|error| unwritable(&error))?;
        }
    }
    Ok(steps)
}
